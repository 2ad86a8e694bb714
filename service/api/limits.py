"""The limits as one process holds its clients to them: how fast they may ask, and how many connections they may have.

Each process counts for itself, in its memory: with three processes behind a balancer a player may ask three times as
much. What is to be bounded is the work of a process, so that is no mistake.
"""

import math
from collections import Counter
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager

import msgspec

from service.rooms.errors import ServiceError

SAVED = 4
"""Seconds' worth of commands that can be saved up, so that a quick exchange is no offence."""

LINES_SAVED = 10
"""Lines of chat that can be said at once after a silence."""

PASSWORDS_SAVED = 20
"""Passwords that can come from one address at once after a silence."""

FRAMES = 4
"""How many times as many frames as commands a socket may send before it is closed."""

LATER = 60
"""After how many seconds it may be worth while to try again where something is full."""

SWEPT = 10_000
"""How many clients are kept before those who have been quiet are forgotten."""


class Limits(msgspec.Struct, frozen=True):
    """The limits to which one process holds its clients; the settings `limit_...` by the same names give them."""

    rooms: int
    """Rooms that a player may be in."""
    members: int
    """People whom a room takes in, spectators who joined included."""
    watchers: int
    """Connections that follow one room."""
    subscriptions: int
    """Rooms that one socket may follow."""
    sockets_address: int
    """Sockets and streams from one address."""
    sockets_player: int
    """Sockets and streams with one player's token."""
    commands: int
    """Commands a second by one player; four seconds' worth can be saved up."""
    reads: int
    """Reads a second by one player; four seconds' worth can be saved up, and what costs more counts as several."""
    reads_address: int
    """Reads a second from one address."""
    lines: int
    """Lines of chat a minute by one player; ten can be said at once."""
    hints: int
    """Hints a minute by one player; as many can be saved up."""
    guests: int
    """Guests a minute from one address."""
    passwords: int
    """Passwords a minute by one player for one room; all at once, if they like."""
    passwords_address: int
    """Passwords a minute from one address."""
    admin_tokens: int
    """Wrong operators' tokens a minute from one address."""


class Pace:
    """How often each may do something: so many times a second, and as often at once as they have saved up.

    For each it keeps one moment, when all that they took would have been taken at an even pace (GCRA).
    """

    def __init__(self, a_second: float, saved: int, clock: Callable[[], float], name: str = "") -> None:
        """Hold everyone to this pace on a clock in seconds; 0 lets everyone do as they like.

        `name` names the limit to whoever reaches it.
        """
        self.name = name
        self._saved = saved
        self._every = 1 / a_second if a_second else 0.0
        self._slack = self._every * (saved - 1)
        self._clock = clock
        self._even: dict[Hashable, float] = {}
        self._swept = SWEPT

    def take(self, who: Hashable, weight: int = 1) -> None:
        """Let somebody do it once, or what costs as much as `weight` times. Refuses `rate_limited`."""
        if (wait := self.wait(who, weight)) > 0:
            raise self._refusal(wait)

    def check(self, who: Hashable) -> None:
        """Refuse `rate_limited` to who could not do it now, and count nothing."""
        if (wait := self._ahead(who) - self._slack) > 0:
            raise self._refusal(wait)

    def _refusal(self, wait: float) -> ServiceError:
        """Return what tells how long to wait, and how much is allowed in how many seconds."""
        quota = {"limit": self.name, "quota": self._saved, "seconds": math.ceil(self._saved * self._every)}
        return ServiceError("rate_limited", params=quota, retry_after=math.ceil(wait))

    def _ahead(self, who: Hashable) -> float:
        return self._even.get(who, 0.0) - self._clock() if self._every else 0.0

    def wait(self, who: Hashable, weight: int = 1) -> float:
        """Let somebody do it and return 0, or else for how many seconds they have to wait."""
        if not self._every:
            return 0.0
        now = self._clock()
        even = self._even.get(who, now)
        ahead = even - now
        if ahead > self._slack:
            return ahead - self._slack
        self._even[who] = (even if ahead > 0 else now) + self._every * weight
        if len(self._even) > self._swept:
            self._sweep(now)
        return 0.0

    def forget(self, who: Hashable) -> None:
        """Forget somebody who won't come back."""
        self._even.pop(who, None)

    def _sweep(self, now: float) -> None:
        self._even = {who: even for who, even in self._even.items() if even > now}
        self._swept = max(SWEPT, 2 * len(self._even))


class Crowd:
    """How many connections each has."""

    def __init__(self, most: int) -> None:
        """Let everyone have so many; 0 is as many as they like."""
        self._most = most
        self._counts: Counter[Hashable] = Counter()

    def is_full(self, who: Hashable) -> bool:
        """Tell whether somebody has as many as they may."""
        return bool(self._most) and self._counts[who] >= self._most

    def check(self, who: Hashable) -> None:
        """Refuse `too_many_sockets` to who has as many as they may."""
        if self.is_full(who):
            raise ServiceError("too_many_sockets", params={"most": self._most}, retry_after=LATER)

    @contextmanager
    def inside(self, who: Hashable) -> Iterator[None]:
        """Count one more for as long as this lasts. Refuses `too_many_sockets`."""
        self.check(who)
        self._counts[who] += 1
        try:
            yield
        finally:
            self._counts[who] -= 1
            if not self._counts[who]:
                del self._counts[who]


class Gate:
    """All limits of a process."""

    def __init__(self, limits: Limits, clock: Callable[[], float]) -> None:
        """Hold clients to these limits on a clock in seconds."""
        self.limits = limits
        self.commands = Pace(limits.commands, SAVED * limits.commands, clock, "commands")
        self.reads = Pace(limits.reads, SAVED * limits.reads, clock, "reads")
        self.reads_address = Pace(limits.reads_address, SAVED * limits.reads_address, clock, "reads_address")
        self.frames = Pace(FRAMES * limits.commands, FRAMES * SAVED * limits.commands, clock, "frames")
        self.lines = Pace(limits.lines / 60, LINES_SAVED, clock, "lines")
        self.hints = Pace(limits.hints / 60, limits.hints, clock, "hints")
        self.guests = Pace(limits.guests / 60, limits.guests, clock, "guests")
        self.passwords = Pace(limits.passwords / 60, limits.passwords, clock, "passwords")
        self.passwords_address = Pace(
            limits.passwords_address / 60, min(PASSWORDS_SAVED, limits.passwords_address), clock, "passwords_address"
        )
        self.admin_tokens = Pace(limits.admin_tokens / 60, limits.admin_tokens, clock, "admin_tokens")
        self.addresses = Crowd(limits.sockets_address)
        self.players = Crowd(limits.sockets_player)

    def watch(self, watchers: int) -> None:
        """Refuse `too_many_watchers` where a room has as many as it may."""
        most = self.limits.watchers
        if most and watchers >= most:
            raise ServiceError("too_many_watchers", params={"most": most}, retry_after=LATER)
