"""Verification of rating lists: each entry against its match, its figures, and the leaderboard."""

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from service.contests.leaderboards import ratings_key, row_of
from service.contests.rating_verification import ListVerifier, Verified, check_name
from service.domain.ids import Millis, Version
from service.domain.ratings.kind import RATINGS
from service.domain.ratings.model import ListId, MatchRated, Rating, RatingVoided
from service.domain.room.model import commands
from service.domain.room.model.clock import PerMove
from service.rooms.archive import RoomArchive
from service.store.projections.leaderboards import BoardRow, Leaderboards, Stretch
from service.streams.processor import StreamProcessor
from service.streams.repository import StreamRepository
from service.workers.housekeeping import write
from tests.contests.ratings.matches import ended
from tests.rooms.processes import ANNA, BEN, NOON, Process

BLITZ = ListId("morris.blitz")
NOWHERE = Path("/nonexistent")


async def play_rated(process: Process) -> None:
    """Play a rated match that Anna wins, and deliver it."""
    clock = PerMove(Millis(10_000))
    await process.start_match(ANNA, BEN, rated=True, clock=clock, restart=None)
    await process.place_man(ANNA, "a1")
    await process.place_man(BEN, "d1")
    await process.execute(BEN, commands.Resign())
    await process.deliver()


async def verify(process: Process, archive: Path = NOWHERE) -> tuple[Verified, list[str]]:
    """Verify the list, and return the counts and the problems."""
    problems, progress = list[str](), list[int]()
    verified = await ListVerifier(process.store, BLITZ, archive, problems.append, progress.append).verify()
    assert sum(progress) == verified.entries
    assert verified.problems == len(problems)
    return verified, problems


async def rated_match(process: Process) -> MatchRated:
    """Return the first entry of the list."""
    [record] = await process.ratings.entries(BLITZ, Version(0), 1)
    assert isinstance(record.event, MatchRated)
    return record.event


async def append(process: Process, event: MatchRated | RatingVoided) -> None:
    """Append an event as nobody decided it."""
    repository = StreamRepository(process.start_another().store, RATINGS, 1)
    await StreamProcessor(repository, process.clock.now).decide(ratings_key(BLITZ), lambda *_: [event])
    await process.ratings.receive({BLITZ: []})


async def test_a_list_without_errors(process: Process) -> None:
    """With a match in the store, a voided one, and a leaderboard."""
    await play_rated(process)
    match = (await rated_match(process)).match
    assert await process.ratings.void(match, "the same person") == BLITZ
    assert await verify(process) == (Verified(2, 2, 0), [])
    assert await process.ratings.void(match, "again") == BLITZ
    assert await process.ratings.void("nowhere.e1.1", "why") is None
    assert (await verify(process))[0].entries == 2


async def test_a_match_that_only_the_archive_has(process: Process, tmp_path: Path) -> None:
    """Its players, places and end are compared with its file; without that it is missing."""
    await play_rated(process)
    live = await process.cached_room()
    await process.execute(ANNA, commands.Close())
    write(tmp_path / f"{live.key.name}.{live.key.epoch}", await RoomArchive(process.store).files(live.key))
    process.store._streams[live.key].matches.clear()
    assert await verify(process, tmp_path) == (Verified(1, 2, 0), [])
    _, [problem] = await verify(process)
    assert "neither in the store nor in the archive" in problem
    file = tmp_path / f"{live.key.name}.{live.key.epoch}" / "1.ndjson"
    file.write_bytes(file.read_bytes().replace(b'"places":[1,2]', b'"places":[2,1]'))
    assert "had the places (2, 1)" in (await verify(process, tmp_path))[1][0]
    file.write_bytes(b"{}")
    assert "is damaged" in (await verify(process, tmp_path))[1][0]


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"after": Rating(170_000, 33_877)}, "computed are"),
        ({"before": Rating(160_000, 35_000)}, "had another rating before it"),
        ({"place": 2}, "had the places (1, 2)"),
        ({"player": "p-eve"}, "had other players"),
    ],
)
async def test_an_entry_that_was_not_decided_so(process: Process, changes: dict[str, Any], expected: str) -> None:
    """Other figures, other ratings before, other places, other players."""
    await play_rated(process)
    entry = await rated_match(process)
    first, second = entry.seats
    stream = process.store._streams.pop(ratings_key(BLITZ))
    assert len(stream.entries) == 1
    await append(process, replace(entry, seats=(replace(first, **changes), second)))
    assert expected in " ".join((await verify(process))[1])


async def test_a_match_is_not_rated_twice(process: Process) -> None:
    """Nor voided twice, nor voided with other changes."""
    await play_rated(process)
    entry = await rated_match(process)
    await append(process, entry)
    assert "must not be rated: known" in " ".join((await verify(process))[1])
    other = replace(entry.seats[0], after=Rating(200_000, 1))
    await append(process, RatingVoided(entry.match, (other, entry.seats[1]), "more than it changed"))
    assert "it voids what was not rated, or twice" in (await verify(process))[1][-1]


async def test_a_leaderboard_that_differs(process: Process) -> None:
    """A changed row, and a board that is behind, are mended by making it again."""
    await play_rated(process)
    boards = process.store.leaderboards
    repository = StreamRepository(process.store, RATINGS, 1)
    state = (await repository.current(ratings_key(BLITZ))).state
    row = row_of(ANNA.id, state.players[ANNA.id])
    await publish(boards, Version(1), BoardRow(ANNA.id, b"[0]", None))
    _, problems = await verify(process)
    found = [problem.removeprefix(f"{BLITZ} the leaderboard: the ").partition(":")[0] for problem in problems]
    assert found[:4] == [f"{part} of {player}" for player in (ANNA.id, BEN.id) for part in ("points", "row")]
    assert found[4].startswith("entry of ")
    await publish(boards, Version(0), BoardRow(ANNA.id, row.data, None))
    assert "it ends at version 0 of 1" in (await verify(process))[1][0]
    assert await process.ratings.rebuild(BLITZ) == 2
    assert await verify(process) == (Verified(1, 2, 0), [])
    assert await boards.rows(BLITZ, [ANNA.id]) == [row.data]


async def test_a_leaderboard_that_was_not_built_yet_is_no_problem(process: Process) -> None:
    """It is built when it is read."""
    await play_rated(process)
    process.store.leaderboards._boards.clear()
    assert await verify(process) == (Verified(1, 2, 0), [])


@pytest.mark.parametrize("change", [{"score": 999_999}, {"score": None}, {"has_place": True}])
async def test_a_place_that_nobody_has_earned(process: Process, change: dict[str, Any]) -> None:
    """The rows are right, and who has which place, or is on the board at all, is not."""
    await play_rated(process)
    board = process.store.leaderboards._boards[BLITZ]
    board.rows[BEN.id] = board.rows[BEN.id]._replace(**change)
    assert "the places differ" in (await verify(process))[1][0]


async def publish(boards: Leaderboards, until: Version, *rows: BoardRow) -> None:
    """Replace a leaderboard by one with these rows."""
    rebuild = await boards.begin(BLITZ, take_over=True)
    assert rebuild is not None
    assert await boards.stage(BLITZ, rebuild, rows, Stretch())
    assert await boards.publish(BLITZ, rebuild, until)


async def test_an_unknown_match_is_a_problem(process: Process) -> None:
    """Its room is not in the store."""
    await process.ratings.receive({BLITZ: [ended(1, ANNA.id, BEN.id, time=NOON)]})
    assert "is neither in the store nor in the archive" in (await verify(process))[1][0]


def test_lists_are_named_by_game_and_class() -> None:
    """Anything else is not found."""
    assert check_name("morris.blitz") == BLITZ
    with pytest.raises(LookupError, match=r"such as morris\.blitz"):
        check_name("morris")
