"""The worker: issues commands for rooms, and delivers what outboxes contain."""

from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager

from service.bots.fair_queue import Requester
from service.domain.ids import Millis, RoomKey
from service.domain.room.due import due, needs_human
from service.domain.room.subjects.lifecycle import NOT_KEPT
from service.people.erasure import ErasureService, PlayerServices
from service.rooms.repository import LoadedRoom
from service.rooms.service import RoomService
from service.store.stream_keys import REVIEWS, TOURNAMENT_LIST, TOURNAMENTS, DueKey, KindKey, OutboxKey
from service.streams.outboxes import Outboxes
from service.workers.bots import Bots, requester_of
from service.workers.claims import Claims
from service.workers.loop import WorkLoop

MOST = 64
"""How many rooms of one owner wait for bots at a time: this many with a human, and as many with bots only."""

RETRY_AFTER = Millis(250)
"""The minimum number of milliseconds until a postponed room is claimed again.

In this time, as many of an owner's rooms return as may be in progress.
"""


class Shares:
    """The rooms in progress, by owner and by whether a human waits."""

    def __init__(self, most: int = MOST) -> None:
        """Each owner may have `most` rooms in progress."""
        self._most = most
        self._held: Counter[Requester] = Counter()
        self._next: dict[Requester, Millis] = {}

    def is_full(self, requester: Requester) -> bool:
        """Return whether another room of this owner must be postponed."""
        return self._held[requester] >= self._most

    @contextmanager
    def held(self, requester: Requester) -> Iterator[None]:
        """Count a room while it is in progress."""
        self._held[requester] += 1
        try:
            yield
        finally:
            self._held[requester] -= 1
            if not self._held[requester]:
                del self._held[requester]
                self._next.pop(requester, None)

    def later(self, requester: Requester, now: Millis) -> Millis:
        """Return when a postponed room is due again; an owner's rooms return one after another."""
        moment = max(Millis(now + RETRY_AFTER), self._next.get(requester, now))
        self._next[requester] = Millis(moment + max(1, RETRY_AFTER // self._most))
        return moment


MAX_IN_PROGRESS = 1024
"""How many rooms may be in progress, most of them waiting for bots; `Shares` limits those of one owner."""

MOST_REVIEWS = 2
"""How many matches are reviewed at a time; each computes one position after another."""

REVIEWER = Requester(REVIEWS, human=False)
"""For whom reviews are counted in `Shares`: all of them together."""


class Worker:
    """One of any number of workers; if one is killed, another claims its rooms."""

    def __init__(
        self,
        rooms: RoomService,
        bots: Bots,
        outboxes: Outboxes,
        services: PlayerServices,
        erasure: ErasureService,
        review: Callable[[KindKey], Awaitable[None]],
    ) -> None:
        self._rooms = rooms
        self._outboxes, self._review_match = outboxes, review
        self._proceed_in: dict[str, Callable[[KindKey], Awaitable[None]]] = {
            "player": services.players.proceed,
            "account": erasure.proceed,
            "seeks": services.matchmaking.seeks.proceed,
            "challenges": services.matchmaking.challenges.proceed,
            "bots": services.matchmaking.bots.proceed,
            REVIEWS: self._review,
            TOURNAMENTS: services.tournaments.proceed,
            TOURNAMENT_LIST: services.tournaments.proceed_list,
        }
        """The services that do what is due, by kind of stream."""
        self._bots = bots
        self._claims = Claims(rooms)
        self._shares, self._reviewing = Shares(), Shares(MOST_REVIEWS)
        self._loop = WorkLoop(self._claims, self._serve, MAX_IN_PROGRESS)
        self.run = self._loop.run
        """Works until `stop` is set, then hands back unfinished rooms."""

    async def _serve(self, key: DueKey) -> None:
        """Do what is due in a room, for a player or in an outbox."""
        match key:
            case OutboxKey():
                await self._outboxes.drain(key)
            case KindKey(kind):
                await self._proceed_in[kind](key)
            case RoomKey():
                await self._do_what_is_due(key)

    async def _review(self, key: KindKey) -> None:
        """Review a match, or postpone that while the maximum number of others is."""
        if self._reviewing.is_full(REVIEWER):
            await self._claims.postpone(key, self._reviewing.later(REVIEWER, self._rooms.now()))
            return
        with self._reviewing.held(REVIEWER):
            await self._review_match(key)

    async def _do_what_is_due(self, key: RoomKey) -> None:
        live = await self._rooms.by_key(key)
        owed, now = due(live.state), self._rooms.now()
        asked, present, kept_until = False, True, NOT_KEPT
        if owed is not None and owed.at <= now and needs_human(live.state, owed.why):
            asked, present = True, await self._rooms.are_present(live, owed.why)
            owed = due(live.state, all_present=present)
        if owed is not None and owed.at <= now and owed.why == "idle" and not live.state.table.others_entered:
            kept_until = await self._rooms.kept_until(key)
            owed = due(live.state, all_present=present, kept_until=kept_until)
        if (asked or kept_until) and owed is not None and owed.at > now:
            await self._claims.postpone(key, owed.at)
            return
        if owed is None or owed.why != "bot" or owed.at > now:
            await self._rooms.proceed(key, all_present=asked and present, kept_until=kept_until)
            return
        await self._think(key, live)

    async def _think(self, key: RoomKey, live: LoadedRoom) -> None:
        """Issue the bots' moves that are due, or postpone the room if its owner has too many in progress."""
        requester = requester_of(live.state)
        if self._shares.is_full(requester):
            await self._claims.postpone(key, self._shares.later(requester, self._rooms.now()))
            return
        with self._shares.held(requester):
            await self._bots.play(live)
        owed = due(live.state)
        if owed is not None and owed.at <= self._rooms.now():
            await self._rooms.repair_due(live)
