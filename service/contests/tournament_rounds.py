"""The rounds of tournaments as workers run them: each step is decided from the tournament's stream."""

from collections.abc import Awaitable, Callable

import structlog

from service.contests.pairing.process import PairingFailed
from service.contests.tournament_feed import key_of
from service.contests.tournament_tables import Tables
from service.domain.game import Event
from service.domain.ids import Millis
from service.domain.streams import Record
from service.domain.tournaments import rounds
from service.domain.tournaments.model import TournamentId
from service.domain.tournaments.pairings import BadPairing, Pairing, PairingRequest, plain_pairing
from service.domain.tournaments.state import Tournament
from service.rooms.commands.requests import Environment
from service.store.stream_keys import KindKey
from service.streams.processor import StreamProcessor

log = structlog.get_logger()

Pair = Callable[[PairingRequest], Awaitable[Pairing]]
"""Computes a pairing. Raises `PairingFailed`."""

RETRY_AFTER = Millis(5_000)
"""Milliseconds until a pairing without matches is tried again, and an arena whose time is up is looked at again."""


class Rounds:
    """Runs the rounds of tournaments."""

    def __init__(
        self, processor: StreamProcessor[Tournament], environment: Environment, pair: Pair, tables: Tables
    ) -> None:
        self._processor = processor
        self._repository = processor.repository
        self._environment = environment
        self._pair = pair
        self._tables = tables

    async def proceed(self, key: KindKey) -> None:
        """Begin and end a tournament, pair its players, and open and close rooms, each when it is due.

        Interrupted work is continued: every step is decided again from the tournament's stream.
        """
        if self._environment.is_stale():
            await self._environment.refreshed()
        outages = self._environment.outages(self._environment.now())
        await self._processor.decide(key, lambda state, _: rounds.extend_deadlines(state, outages))
        await self._processor.decide(key, rounds.advance)
        await self._serve_rooms(key)
        not_before = await self._pair_now(key)
        await self._serve_rooms(key)
        await self._processor.proceed(key, not_before)

    async def _serve_rooms(self, key: KindKey) -> None:
        """Close the rooms whose time is up, and open those of new tables."""
        state, now = (await self._repository.current(key)).state, self._environment.now()
        for change in await self._tables.close(rounds.overdue(state, now)):
            await self._processor.execute(key, lambda state, _, change=change: rounds.receive(state, [change]))  # type: ignore[misc]  # a default argument
        await self._tables.open(state, rounds.to_open(state, now), self._opened)

    async def _pair_now(self, key: KindKey) -> Millis:
        """Pair players if it is time, and return when the tournament should be looked at again at the earliest."""
        now = self._environment.now()
        state = (await self._repository.current(key)).state
        request = rounds.pairing_request(state, now)
        if request is None:
            return Millis(now + RETRY_AFTER) if rounds.is_too_late(state, now) else Millis(0)
        try:
            records = await self._begin_round(key, request, await self._pair(request))
        except (PairingFailed, BadPairing) as failure:
            log.error("pairing_failed", tournament=key.id, round=request.round, why=str(failure))  # noqa: TRY400 - one line is enough
            records = await self._begin_round(key, request, plain_pairing(request))
        return Millis(0) if records else Millis(now + RETRY_AFTER)

    async def _begin_round(self, key: KindKey, request: PairingRequest, pairing: Pairing) -> list[Record]:
        records = await self._processor.decide(key, lambda state, now: rounds.pair(state, request, pairing, now))
        if records:
            log.info("round_paired", tournament=key.id, round=request.round, tables=len(pairing.tables))
        return records

    async def _opened(self, tournament: TournamentId, opened: Callable[[Tournament], list[Event]]) -> None:
        await self._processor.decide(key_of(tournament), lambda state, _: opened(state))
