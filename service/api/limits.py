"""Limits on clients: how fast they may send requests, and how many connections they may have.

Each process counts in its own memory, so three processes behind a balancer together allow three times as much. That is
intended: the limits bound the work of one process.
"""

import math
from collections import Counter
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager

from service.runtime.settings import Settings
from service.streams.errors import ServiceError

BURST_SECONDS = 4
"""How many seconds' worth of requests may be sent at once, so that a quick exchange of moves is not limited."""

CHAT_BURST = 10
"""How many lines of chat may be sent at once."""

PASSWORD_BURST = 20
"""How many passwords one address may send at once."""

FRAMES_PER_COMMAND = 4
"""A socket is closed when it sends this many times as many frames as commands are allowed."""

SWEEP_SIZE = 10_000
"""How many clients are remembered before idle ones are dropped."""


def policy_header(name: str, quota: int, seconds: int) -> str:
    """Return a limit in the form of `RateLimit-Policy`: how many actions in how many seconds."""
    return f'"{name}";q={quota};w={seconds}'


def state_header(name: str, remaining: int, seconds: int) -> str:
    """Return a limit in the form of `RateLimit`: how many actions remain, and after how many seconds there are more."""
    return f'"{name}";r={remaining};t={seconds}'


class RateLimiter:
    """Limits how often each client may do something: so many times per second, with bursts.

    It keeps one number per client: the time at which everything counted so far would be used up at an even pace. This
    is the generic cell rate algorithm (GCRA, ITU-T I.371).
    """

    def __init__(self, per_second: float, burst: int, clock: Callable[[], float], name: str = "") -> None:
        """Limit every client to this rate on a clock in seconds; a rate of 0 is no limit.

        `name` identifies the limit in the refusal and in the header `RateLimit`.
        """
        self.name = name
        self._burst = burst
        self._interval = 1 / per_second if per_second else 0.0
        self.is_limited = per_second > 0
        """Whether there is a limit at all."""
        self._tolerance = self._interval * (burst - 1)
        self._clock = clock
        self._used_until: dict[Hashable, float] = {}
        self.policy = policy_header(name, burst, self.seconds)
        """The limit as in the header `RateLimit-Policy`."""
        self._sweep_at = SWEEP_SIZE

    @property
    def quota(self) -> int:
        """How many actions a client may do at once."""
        return self._burst

    @property
    def seconds(self) -> int:
        """In how many seconds all of them are available again."""
        return math.ceil(self._burst * self._interval)

    def state(self, client: Hashable) -> tuple[int, int]:
        """Return how many actions a client may do now, and after how many seconds all of them are available."""
        ahead = max(0.0, self._ahead(client))
        return max(0, math.floor((self._tolerance - ahead) / self._interval) + 1), math.ceil(ahead)

    def take(self, client: Hashable, weight: int = 1) -> None:
        """Count one action, or one that costs `weight` times as much. Raises `ServiceError` with `rate_limited`."""
        if (delay := self.try_take(client, weight)) > 0:
            raise self._refusal(delay)

    def check(self, client: Hashable) -> None:
        """Raise `ServiceError` with `rate_limited` if the client would be limited now; counts nothing."""
        if (delay := self._ahead(client) - self._tolerance) > 0:
            raise self._refusal(delay)

    def _refusal(self, delay: float) -> ServiceError:
        """Return the refusal, with how long to wait and how much is allowed in how many seconds."""
        quota = {"limit": self.name, "quota": self.quota, "seconds": self.seconds}
        return ServiceError("rate_limited", params=quota, retry_after=math.ceil(delay))

    def _ahead(self, client: Hashable) -> float:
        return self._used_until.get(client, 0.0) - self._clock() if self._interval else 0.0

    def try_take(self, client: Hashable, weight: int = 1) -> float:
        """Count one action and return 0, or count nothing and return for how many seconds the client has to wait."""
        if not self._interval:
            return 0.0
        now = self._clock()
        used_until = self._used_until.get(client, now)
        ahead = used_until - now
        if ahead > self._tolerance:
            return ahead - self._tolerance
        self._used_until[client] = (used_until if ahead > 0 else now) + self._interval * weight
        if len(self._used_until) > self._sweep_at:
            self._sweep(now)
        return 0.0

    def busy_for(self, client: Hashable) -> float:
        """Return for how many seconds a client has less than half of a burst left."""
        return max(0.0, self._ahead(client) - self._tolerance / 2)

    def forget(self, client: Hashable) -> None:
        """Drop the record of a client that will not return."""
        self._used_until.pop(client, None)

    def _sweep(self, now: float) -> None:
        self._used_until = {client: until for client, until in self._used_until.items() if until > now}
        self._sweep_at = max(SWEEP_SIZE, 2 * len(self._used_until))


class ConnectionLimit:
    """Limits how many connections each client may have open."""

    def __init__(self, most: int, code: str = "too_many_sockets") -> None:
        """Allow every client this many, 0 is no limit; others are refused with `code`."""
        self._most = most
        self._code = code
        self._counts: Counter[Hashable] = Counter()

    def is_full(self, client: Hashable) -> bool:
        """Return whether a client has as many connections as allowed."""
        return bool(self._most) and self._counts[client] >= self._most

    def check(self, client: Hashable) -> None:
        """Raise `ServiceError` with the limit's code if a client has as many connections as allowed."""
        if self.is_full(client):
            raise ServiceError(self._code, params={"most": self._most})

    @contextmanager
    def hold(self, client: Hashable) -> Iterator[None]:
        """Count one more connection while the context lasts. Raises what `check` raises."""
        self.check(client)
        self._counts[client] += 1
        try:
            yield
        finally:
            self._counts[client] -= 1
            if not self._counts[client]:
                del self._counts[client]


class ClientLimits:
    """All limits of one process, each under the name of its setting."""

    def __init__(self, settings: Settings, clock: Callable[[], float]) -> None:
        """Apply the limits of these settings on a clock in seconds."""
        self.settings = settings
        self._clock = clock
        self.commands = self._per_second("commands", settings.limit_commands)
        self.reads = self._per_second("reads", settings.limit_reads)
        self.reads_address = self._per_second("reads_address", settings.limit_reads_address)
        self.frames = self._per_second("frames", FRAMES_PER_COMMAND * settings.limit_commands)
        self.lines = self._per_minute("lines", settings.limit_lines, CHAT_BURST)
        self.hints = self._per_minute("hints", settings.limit_hints)
        self.reviews = RateLimiter(settings.limit_reviews / 3600, settings.limit_reviews, self._clock, "reviews")
        self.reports = RateLimiter(settings.limit_reports / 3600, settings.limit_reports, self._clock, "reports")
        self.guests = self._per_minute("guests", settings.limit_guests)
        self.passwords = self._per_minute("passwords", settings.limit_passwords)
        from_address = settings.limit_passwords_address
        self.passwords_address = self._per_minute("passwords_address", from_address, min(PASSWORD_BURST, from_address))
        self.tournaments = self._per_minute("tournaments", settings.limit_tournaments)
        self.openings = self._per_minute("openings", settings.limit_openings)
        self.challenges = self._per_minute("challenges", settings.limit_challenges)
        self.invitations = self._per_minute("invitations", settings.limit_invitations)
        self.tokens = self._per_minute("tokens", settings.limit_tokens)
        self.codes = self._per_minute("codes", settings.limit_codes)
        self.codes_all = self._per_minute("codes_all", settings.limit_codes_all)
        self.webhooks = self._per_minute("webhooks", settings.limit_webhooks)
        self.admin_tokens = self._per_minute("admin_tokens", settings.limit_admin_tokens)
        self.exports = ConnectionLimit(settings.limit_exports, "too_many_exports")
        self.addresses = ConnectionLimit(settings.limit_sockets_address)
        self.players = ConnectionLimit(settings.limit_sockets_player)

    def _per_second(self, name: str, rate: int) -> RateLimiter:
        return RateLimiter(rate, BURST_SECONDS * rate, self._clock, name)

    def _per_minute(self, name: str, rate: int, burst: int | None = None) -> RateLimiter:
        """Return a limit with bursts of this number, by default of a minute's."""
        return RateLimiter(rate / 60, rate if burst is None else burst, self._clock, name)

    def check_subscribers(self, count: int) -> None:
        """Raise `ServiceError` with `too_many_watchers` if a room with this many subscribers is full."""
        most = self.settings.limit_watchers
        if most and count >= most:
            raise ServiceError("too_many_watchers", params={"most": most})
