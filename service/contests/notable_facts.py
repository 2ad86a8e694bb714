"""What can be notable about a match, and in which period."""

import asyncio
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple, get_args

from service.domain.game import Seat
from service.domain.ids import Millis, Version
from service.domain.notation.positions import MatchPositions, PlyPosition
from service.domain.room.model.events import Result
from service.domain.timestamps import DAY
from service.rooms.match_index import MatchEntry
from service.rooms.repository import LoadedRoom
from service.rooms.service import RoomService
from service.store.projections.notable_matches import NotableRow

Fact = Literal["comeback", "shortest_win", "longest"]
"""By how much the winner had been behind; the fewest moves to a win; the most moves."""

Period = Literal["day", "week", "all"]
"""A day or a week (from Monday) in UTC, or all time."""

FACTS: tuple[Fact, ...] = get_args(Fact)
PERIODS: tuple[Period, ...] = get_args(Period)

WEEK = 7 * DAY
MONDAY = 3 * DAY
"""1970 began on a Thursday, three days after a Monday."""


class Found(NamedTuple):
    """Something notable about a match."""

    fact: Fact
    value: int


async def positions_of(rooms: RoomService, live: LoadedRoom, entry: MatchEntry) -> list[PlyPosition]:
    """Return all positions of a match, from one fold of its events. Raises what reading the room raises."""
    before = Version(entry.first - 1)
    found = MatchPositions(await rooms.at(live, before))
    async for page in rooms.pages(live, before, entry.last or entry.first):
        found.add(page)
        await asyncio.sleep(0)
    return list(found.all())


def facts_of(result: Result, positions: Sequence[PlyPosition]) -> Iterator[Found]:
    """Yield what is notable about a match, from all its positions."""
    plies = len(positions) - 1
    yield Found("longest", plies)
    if len(result.winners) == 1:
        yield Found("shortest_win", plies)
        behind = max((deficit(result.winners[0], position.values) for position in positions), default=0)
        if behind > 0:
            yield Found("comeback", behind)


def deficit(seat: Seat, values: Sequence[int]) -> int:
    """Return by how much a seat is behind the best of the others, in the game's measure; 0 if it is not."""
    others = [value for other, value in enumerate(values) if other != seat]
    return max(0, max(others) - values[seat]) if others else 0


def rows_of(match: str, ended: Millis, found: Sequence[Found]) -> list[NotableRow]:
    """Return the rows of a match on the boards of its time."""
    scores = [(fact, -value if fact == "shortest_win" else value) for fact, value in found]
    return [
        NotableRow(board_of(fact, period, ended), match, score, end_of(period, ended))
        for fact, score in scores
        for period in PERIODS
    ]


def board_of(fact: Fact, period: Period, time: Millis) -> str:
    """Return the board of a fact for the period that contains a time."""
    match period:
        case "day":
            return f"{fact}:day:{time // DAY}"
        case "week":
            return f"{fact}:week:{(time + MONDAY) // WEEK}"
        case "all":
            return f"{fact}:all"


def end_of(period: Period, time: Millis) -> Millis | None:
    """Return when the board of a period may be deleted: a week after its end."""
    match period:
        case "day":
            return Millis((time // DAY + 1) * DAY + WEEK)
        case "week":
            return Millis(((time + MONDAY) // WEEK + 1) * WEEK - MONDAY + WEEK)
        case "all":
            return None
