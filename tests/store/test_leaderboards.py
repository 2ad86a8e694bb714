"""The contract of the store, for every kind of store: leaderboards."""

import pytest

from service.domain.room.model.ids import Millis, PlayerId, Version
from service.store.contract import Store
from service.store.projections.leaderboards import (
    MOST_POINTS,
    BoardPoint,
    BoardRow,
    RatedMatch,
    RatingPoint,
    Stretch,
)
from tests.store.conftest import Stores

BLITZ = "morris.blitz"
ANNA, BEN, CLARA, DORA = (PlayerId(f"p-{name}") for name in ("anna", "ben", "clara", "dora"))


def row(player: PlayerId, score: int | None) -> BoardRow:
    """Return a player's row."""
    return BoardRow(player, f"{player} {score}".encode(), score)


def point(player: PlayerId, version: int) -> BoardPoint:
    """Return the rating of a player after the match of a version."""
    return BoardPoint(player, Version(version), RatingPoint(Millis(version * 1000), 150_000 - version, 100 + version))


async def write(store: Store, since: int, until: int, *rows: BoardRow) -> bool:
    """Write rows that changed between two versions."""
    return await store.leaderboards.update(BLITZ, Version(since), Version(until), rows, Stretch())


async def order(store: Store, start: int = 0, limit: int = 10) -> list[PlayerId]:
    """Return the players of a page."""
    return [player for player, _ in await store.leaderboards.page(BLITZ, start, limit)]


async def test_a_board_is_sorted_by_score(stores: Stores) -> None:
    """The highest first, equal ones by player; who has no score has a row and no place."""
    boards = stores.other.leaderboards
    assert await boards.page(BLITZ, 0, 10) == []
    rows = [row(ANNA, 150_000), row(BEN, 162_050), row(CLARA, None), row(DORA, 150_000)]
    assert await write(stores.store, 0, 3, *rows)
    assert await boards.page(BLITZ, 0, 10) == [(BEN, rows[1].data), (ANNA, rows[0].data), (DORA, rows[3].data)]
    assert await order(stores.other, 1, 1) == [ANNA]
    assert await boards.places(BLITZ) == 3
    assert [await boards.place(BLITZ, player) for player in (BEN, DORA, CLARA)] == [0, 2, None]
    assert await boards.rows(BLITZ, [CLARA, PlayerId("p-eve")]) == [rows[2].data, None]
    assert await boards.rows(BLITZ, []) == []


async def test_a_row_is_replaced(stores: Stores) -> None:
    """With its place, which a player can also lose."""
    await write(stores.store, 0, 1, row(ANNA, 10), row(BEN, 20))
    await write(stores.store, 1, 2, row(ANNA, 30))
    assert await order(stores.other) == [ANNA, BEN]
    await write(stores.store, 2, 3, row(ANNA, None))
    assert await order(stores.other) == [BEN]
    assert await stores.other.leaderboards.version(BLITZ) == 3


async def test_only_what_follows_is_written(stores: Stores) -> None:
    """A late writer, and one that would leave a gap, change nothing; one that repeats a part of it does no harm."""
    assert await write(stores.store, 0, 5, row(ANNA, 10))
    assert not await write(stores.other, 0, 4, row(ANNA, 1))
    assert not await write(stores.other, 0, 5, row(ANNA, 2))
    assert not await write(stores.other, 6, 7, row(ANNA, 3))
    assert await write(stores.other, 3, 6, row(ANNA, 20))
    assert await stores.store.leaderboards.rows(BLITZ, [ANNA]) == [row(ANNA, 20).data]


async def test_matches_are_found_in_the_stream(stores: Stores) -> None:
    """By their ids."""
    boards = stores.store.leaderboards
    await boards.update(BLITZ, Version(0), Version(2), [], Stretch([RatedMatch("a.e1.1", Version(1))]))
    assert await stores.other.leaderboards.match(BLITZ, "a.e1.1") == 1
    assert await stores.other.leaderboards.match(BLITZ, "a.e1.2") is None


async def test_a_board_is_made_again_beside_the_present_one(stores: Stores) -> None:
    """In parts, which replace it all at once; what was staged before is discarded."""
    await write(stores.store, 0, 9, row(ANNA, 1), row(BEN, 2))
    boards = stores.other.leaderboards
    await boards.stage(BLITZ, [row(DORA, 5)], Stretch())
    await boards.discard(BLITZ)
    await boards.stage(BLITZ, [row(ANNA, 3)], Stretch(points=[point(ANNA, 1)]))
    await boards.stage(BLITZ, [row(CLARA, None)], Stretch([RatedMatch("a.e1.1", Version(4))], [point(ANNA, 4)]))
    assert await order(stores.store) == [BEN, ANNA]
    await boards.publish(BLITZ, Version(7))
    assert await order(stores.store) == [ANNA]
    assert await stores.store.leaderboards.rows(BLITZ, [BEN, CLARA]) == [None, row(CLARA, None).data]
    assert await stores.store.leaderboards.match(BLITZ, "a.e1.1") == 4
    assert await stores.store.leaderboards.version(BLITZ) == 7
    assert await stores.store.leaderboards.points(BLITZ, ANNA) == [point(ANNA, 1).point, point(ANNA, 4).point]
    await boards.publish(BLITZ, Version(8))
    assert await order(stores.store) == []
    assert await stores.store.leaderboards.points(BLITZ, ANNA) == []


async def test_ratings_after_matches_are_kept_once(stores: Stores) -> None:
    """In the order of the stream, also by two writers of the same part; below zero as well."""
    boards = stores.store.leaderboards
    low = BoardPoint(BEN, Version(2), RatingPoint(Millis(0), -500_000, 65_535))
    await boards.update(BLITZ, Version(0), Version(2), [], Stretch(points=[point(ANNA, 1), low]))
    again = Stretch(points=[point(ANNA, 1), low, point(ANNA, 3)])
    assert await stores.other.leaderboards.update(BLITZ, Version(0), Version(3), [], again)
    assert await boards.points(BLITZ, ANNA) == [point(ANNA, 1).point, point(ANNA, 3).point]
    assert await boards.points(BLITZ, BEN) == [low.point]


@pytest.mark.parametrize("parts", [1, 7])
async def test_of_many_ratings_some_are_kept(stores: Stores, parts: int) -> None:
    """Evenly spread over the matches, with the first and the latest one, however they are written."""
    boards, last = stores.store.leaderboards, 4 * MOST_POINTS + 3
    versions = list(range(1, last + 1))
    for at in range(parts):
        part = versions[at * last // parts : (at + 1) * last // parts]
        await boards.stage(BLITZ, [], Stretch(points=[point(ANNA, version) for version in part]))
    await boards.publish(BLITZ, Version(last))
    kept = [at.time // 1000 for at in await boards.points(BLITZ, ANNA)]
    assert kept == [*range(1, last, 8), last]
    assert MOST_POINTS // 2 <= len(kept) <= MOST_POINTS
