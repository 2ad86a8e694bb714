"""The application's only entry to ratings: rating the matches that have ended, and reading lists and leaderboards."""

import asyncio
from collections.abc import Callable, Sequence

import msgspec
import structlog

from service.domain.game import Event
from service.domain.ratings.decide import PARAMETERS, BadFigures, rate, rating_before, reason_not_rated
from service.domain.ratings.kind import RATINGS
from service.domain.ratings.model import RatedMatchEnded
from service.domain.ratings.state import RatingList, evolve
from service.domain.room.model.ids import Millis, Version
from service.domain.streams import Change, Record
from service.ratings.board import Boards, ratings_key
from service.ratings.plackett_luce import compute
from service.rooms.errors import ServiceError
from service.store.contract import Store
from service.streams.outboxes import Arrivals, changes_of
from service.streams.processor import StreamProcessor
from service.streams.repository import StreamRepository
from service.telemetry import metrics

log = structlog.get_logger()

ENDED: "msgspec.json.Decoder[Event]" = msgspec.json.Decoder(RatedMatchEnded)


class RatingService:
    """The ratings of a store, as one process serves them."""

    def __init__(self, store: Store, now: Callable[[], Millis], size: int = 100) -> None:
        """Keep up to `size` lists in memory; `now` returns the service's time."""
        self._repository: StreamRepository[RatingList] = StreamRepository(store, RATINGS, size)
        self._processor = StreamProcessor(self._repository, now)
        self._boards = Boards(store, self._repository)

    # Serve as a worker

    async def receive(self, arrivals: Arrivals) -> None:
        """Rate what outboxes deliver: the ends of matches, by list.

        Raises `StoreUnavailable`, and `ServiceError` (`newer_events`) for an event that only a newer release knows.
        """
        await asyncio.gather(*(self._rate(board, changes_of(ended, ENDED)) for board, ended in arrivals.items()))

    async def _rate(self, board: str, ended: Sequence[Change]) -> None:
        """Append the matches that count, in this order and none twice, and bring the leaderboard up to date."""
        try:
            records = await self._processor.execute(ratings_key(board), lambda state, now: rated(state, ended, now))
            metrics.RATED_MATCHES.labels(board).inc(len(records))
            await self._boards.catch_up(board)
        except ServiceError as refused:
            if refused.problem.code != "history_damaged":
                raise
            log.error("ratings_damaged", list=board, matches=len(ended))  # noqa: TRY400 - one line is enough

    # Serve operators

    async def rebuild(self, board: str) -> int:
        """Make a leaderboard again, and return how many rows it has. Raises what `receive` raises."""
        return await self._boards.rebuild(board)

    async def close(self) -> None:
        """Finish all background work."""
        await self._processor.close()


def rated(state: RatingList, ended: Sequence[Change], now: Millis) -> list[Change]:
    """Return what to append for the ends of matches, each computed from the ratings after the one before it."""
    changes: list[Change] = []
    for change in ended:
        event = change.event
        if isinstance(event, RatedMatchEnded) and (match := rated_match(state, event)) is not None:
            changes.append(Change(match, change.source))
            state = evolve(state, Record(Version(0), now, match))
    return changes


def rated_match(state: RatingList, ended: RatedMatchEnded) -> Event | None:
    """Return that a match was rated; None, and log why, if it does not count."""
    why = reason_not_rated(state, ended)
    if why is not None:
        log.info("match_not_rated", match=ended.match, list=state.id, why=why)
        return None
    before = [rating_before(state, seat) for seat in ended.seats]
    try:
        return rate(state, ended, compute(PARAMETERS, before, [seat.place for seat in ended.seats]))
    except BadFigures as bad:
        log.error("match_not_rated", match=ended.match, list=state.id, why=str(bad))  # noqa: TRY400 - one line is enough
        return None
