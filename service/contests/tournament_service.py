"""The application's only entry to tournaments: creating, entering and reading them, and running their rounds."""

import asyncio
import base64
import hashlib
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import NamedTuple

import msgspec
import structlog
from msgspec import UNSET

from service.contests.rating_service import RatingOf
from service.contests.tournament_feed import TournamentFeeds, key_of
from service.contests.tournament_rounds import Pair, Rounds, Tables
from service.contests.tournament_views import names_in
from service.domain.game import Event, Rejected
from service.domain.ids import Millis, NameRef, Player, PlayerId, Version
from service.domain.ratings.decide import NEWCOMER
from service.domain.streams import Change, IdempotencyKey, Record
from service.domain.tournaments import decide, listing, model, rounds
from service.domain.tournaments.kind import TOURNAMENTS
from service.domain.tournaments.listing import TOURNAMENT_LIST, ListedTournament, TournamentList, TournamentMade
from service.domain.tournaments.model import AnyTournamentEvent, NewTournament, TournamentCreated, TournamentId
from service.domain.tournaments.state import Tournament
from service.rooms.commands.requests import Environment
from service.rooms.service import RoomService
from service.store.stream_keys import TOURNAMENT_LIST as LIST_KIND
from service.store.stream_keys import TOURNAMENTS as KIND
from service.store.stream_keys import KindKey
from service.streams.errors import ServiceError, unless_damaged
from service.streams.heartbeat import Heartbeat
from service.streams.outboxes import Arrivals, Receiver, changes_of
from service.streams.processor import StreamProcessor
from service.streams.repository import StreamRepository

log = structlog.get_logger()


LIST_KEY = KindKey(LIST_KIND)

REPORTED: "msgspec.json.Decoder[Event]" = msgspec.json.Decoder(AnyTournamentEvent)
NOTED: "msgspec.json.Decoder[Event]" = msgspec.json.Decoder(listing.ListEvent)

KEPT = listing.MOST_OPEN
"""How many tournaments a process keeps in memory: all open ones, which are searched for their players."""


class Organiser(NamedTuple):
    """The sender of an organiser's commands."""

    player: Player
    is_operator: bool = False


class Creation(NamedTuple):
    """A tournament that was created, and whether an earlier request with the same idempotency key did so."""

    id: TournamentId
    replayed: bool = False


class TournamentService:
    """The tournaments of a store, as one process serves them."""

    def __init__(
        self,
        heartbeat: Heartbeat,
        environment: Environment,
        rooms: RoomService,
        rating_of: RatingOf,
        pair: Pair,
        new_id: Callable[[], str],
    ) -> None:
        store = heartbeat.store
        self._names = store.player_names
        self._environment = environment
        self._rating_of = rating_of
        self._new_id = new_id
        self.repository: StreamRepository[Tournament] = StreamRepository(store, TOURNAMENTS, KEPT, heartbeat)
        self._processor = StreamProcessor(self.repository, environment.now)
        self._list: StreamRepository[TournamentList] = StreamRepository(store, TOURNAMENT_LIST, size=1)
        self._list_processor = StreamProcessor(self._list, environment.now)
        self._rounds = Rounds(self._processor, environment, pair, Tables(store, rooms))
        self.feeds = TournamentFeeds(self.repository)
        self.nicknames = self._names.find
        """Returns the nicknames behind some references."""
        self.proceed = self._rounds.proceed
        """Begins and ends a tournament, pairs its players, and opens and closes rooms, each when it is due."""
        self.proceed_list = self._list_processor.proceed
        """Deletes events of the list that are too old."""

    # Create and command

    async def create(
        self,
        asked: NewTournament,
        by: Organiser,
        key: IdempotencyKey | None = None,
        count: Callable[[], None] = lambda: None,
    ) -> Creation:
        """Create a tournament, or return the one that an earlier request with the same key created.

        `count` is called for a new one with valid terms, and may refuse it. Raises what it raises, `Invalid`,
        `Rejected` (`too_many_tournaments`) and `ServiceError` (`busy`, `key_reused`).
        """
        player = by.player
        identity = self._new_id() if key is None else id_of(player.id, key)
        if key is not None and (known := await self._state(identity)).terms is not None:
            return repeated(known, key)
        terms, seed = listing.terms_of(asked, self._environment.now()), self._environment.seed().hex()
        count()
        ref = NameRef("") if by.is_operator else await self._names.refer(player.id, player.nickname)
        created = TournamentCreated(
            terms, player.id, ref, seed, "" if key is None else key.fingerprint, player.bot or UNSET
        )
        made = TournamentMade(identity, created)
        await self._list_processor.decide(
            LIST_KEY, lambda state, _: listing.admit(state, made, operator=by.is_operator)
        )
        is_new = await self._execute(identity, lambda state, _: decide.create(state, created))
        return Creation(identity) if is_new or key is None else repeated(await self._state(identity), key)

    async def register(self, tournament: TournamentId, by: Player) -> None:
        """Register a player. Raises `Rejected` and `ServiceError` (`busy`)."""
        terms = decide.require_open(await self._state(tournament))
        rating = await self._rating_of(by.id, terms.game, terms.clock, bot=by.bot)
        ref = await self._names.refer(by.id, by.nickname)
        points = NEWCOMER.value // 100 if rating is None else rating
        await self._execute(tournament, lambda state, now: decide.register(state, by.id, ref, points, now, bot=by.bot))

    async def command(self, tournament: TournamentId, command: model.AnyTournamentCommand, by: Organiser) -> None:
        """Execute a command of a player or the organiser. Raises `Rejected` and `ServiceError` (`busy`)."""
        if isinstance(command, model.EnterTournament):
            await self.register(tournament, by.player)
            return
        who, is_operator = by.player.id, by.is_operator
        await self._execute(
            tournament, lambda state, now: decide.decide(state, command, who, now, operator=is_operator)
        )

    async def withdraw_everywhere(self, player: PlayerId) -> None:
        """Withdraw a player from every open tournament."""
        await self._leave_all(player, lambda state, _: decide.withdraw(state, player))

    async def remove_everywhere(self, player: PlayerId) -> None:
        """Remove a banned player from every open tournament, permanently."""
        await self._leave_all(player, lambda state, _: decide.remove(state, player))

    async def _leave_all(self, player: PlayerId, decision: Callable[[Tournament, Millis], list[Event]]) -> None:
        for tournament in await self.entered_by(player):
            with suppress(Rejected):  # it has ended, or the player has left, in the meantime
                await self._execute(tournament, decision)

    # Read

    async def find(self, tournament: TournamentId) -> tuple[Tournament, Version]:
        """Return a tournament and its version. Raises `Rejected` (`no_such_tournament`)."""
        stream = await self.repository.current(key_of(tournament))
        decide.terms_in(stream.state)
        return stream.state, stream.head.version

    async def listed(self) -> list[ListedTournament]:
        """Return the tournaments in the list, the latest first."""
        return list(reversed((await self._list.current(LIST_KEY)).state.listed.values()))

    async def entered_by(self, player: PlayerId) -> set[TournamentId]:
        """Return the open tournaments in which a player takes part; damaged ones are left out."""
        opened = [key_of(each.id) for each in await self.listed() if each.is_open]
        states = [stream.state for stream in await self.repository.all_current(opened)]
        return {state.id for state in states if state.status in listing.OPEN and player in state.active}

    async def names_in(self, state: Tournament, players: Iterable[PlayerId]) -> dict[NameRef, str]:
        """Return the nicknames of some players of a tournament, and of its organiser, by their references."""
        return await names_in(self._names, state, players)

    # Serve as a worker

    @property
    def receivers(self) -> dict[str, Receiver]:
        """What receives from outboxes, by kind of stream."""
        return {KIND: self.receive, LIST_KIND: self.receive_changes}

    async def receive(self, arrivals: Arrivals) -> None:
        """Record what outboxes deliver to tournaments: their creation, and the results of matches.

        Raises `StoreUnavailable`, and `ServiceError` (`newer_events`) for an event that only a newer release knows.
        """
        await asyncio.gather(*(self._receive(each, changes_of(sent, REPORTED)) for each, sent in arrivals.items()))

    async def _receive(self, tournament: TournamentId, changes: Sequence[Change]) -> None:
        received = self._processor.execute(key_of(tournament), lambda state, _: rounds.receive(state, changes))
        if await unless_damaged(received) is None:
            log.error("tournament_damaged", tournament=tournament, reports=len(changes))

    async def receive_changes(self, arrivals: Arrivals) -> None:
        """Update the list with the reports of tournaments. Raises what `receive` raises."""
        changes = [change for sent in arrivals.values() for change in changes_of(sent, NOTED)]
        await self._list_processor.execute(LIST_KEY, lambda state, _: listing.receive(state, changes))

    async def _state(self, tournament: TournamentId) -> Tournament:
        return (await self.repository.current(key_of(tournament))).state

    async def _execute(
        self, tournament: TournamentId, decision: Callable[[Tournament, Millis], list[Event]]
    ) -> list[Record]:
        return await self._processor.decide(key_of(tournament), decision)

    async def close(self) -> None:
        """Finish all background work."""
        await self.feeds.close()
        await self._processor.close()
        await self._list_processor.close()


def id_of(organiser: PlayerId, key: IdempotencyKey) -> TournamentId:
    """Return the id of the tournament that an organiser creates under an idempotency key."""
    digest = hashlib.blake2b(f"{organiser}\n{key.value}".encode(), digest_size=10).digest()
    return base64.b32encode(digest).decode().lower()


def repeated(state: Tournament, key: IdempotencyKey) -> Creation:
    """Return a tournament for a repeated request. Raises `ServiceError` (`key_reused`) if the request differs."""
    if state.fingerprint != key.fingerprint:
        raise ServiceError("key_reused")
    return Creation(state.id, replayed=True)
