"""The contract of the store, for every kind of store: leaderboards."""

import asyncio

import pytest

from service.domain.ids import Millis, PlayerId, Version
from service.store.contract import Store
from service.store.projections.leaderboards import (
    MOST_POINTS,
    BoardPoint,
    BoardRow,
    PlacedRow,
    RatedMatch,
    RatingPoint,
    Rebuild,
    Stretch,
)
from service.store.redis.projections import leaderboards as redis_leaderboards
from tests.memory_store import leaderboards as memory_leaderboards
from tests.store.conftest import Stores

BLITZ = "morris.blitz"
ANNA, BEN, CLARA, DORA = (PlayerId(f"p-{name}") for name in ("anna", "ben", "clara", "dora"))


def row(player: PlayerId, score: int | None, *, has_place: bool = True) -> BoardRow:
    """Return a player's row."""
    return BoardRow(player, f"{player} {score}".encode(), score, has_place and score is not None)


def point(player: PlayerId, version: int) -> BoardPoint:
    """Return the rating of a player after the match of a version."""
    return BoardPoint(player, Version(version), RatingPoint(Millis(version * 1000), 150_000 - version, 100 + version))


async def write(store: Store, since: int, until: int, *rows: BoardRow) -> bool:
    """Write rows that changed between two versions."""
    return await store.leaderboards.update(BLITZ, Version(since), Version(until), rows, Stretch())


async def order(store: Store, start: int = 0, limit: int = 10) -> list[PlayerId]:
    """Return the players of a page."""
    return [placed.player for placed in await store.leaderboards.page(BLITZ, start, limit)]


async def test_a_board_is_sorted_by_score(stores: Stores) -> None:
    """The highest first, equal ones by player; who has no score has a row and no place."""
    boards = stores.other.leaderboards
    assert await boards.page(BLITZ, 0, 10) == []
    rows = [row(ANNA, 150_000), row(BEN, 162_050), row(CLARA, None), row(DORA, 150_000)]
    assert await write(stores.store, 0, 3, *rows)
    placed = [(BEN, rows[1].data, 162_050), (ANNA, rows[0].data, 150_000), (DORA, rows[3].data, 150_000)]
    assert await boards.page(BLITZ, 0, 10) == [PlacedRow(*each) for each in placed]
    assert await order(stores.other, 1, 1) == [ANNA]
    assert await boards.size(BLITZ) == (3, 3)
    assert [await boards.place(BLITZ, player) for player in (BEN, DORA, CLARA)] == [0, 2, None]
    assert await boards.rows(BLITZ, [CLARA, PlayerId("p-eve")]) == [rows[2].data, None]
    assert await boards.rows(BLITZ, []) == []


async def test_a_board_has_an_order_of_those_with_a_place_and_one_of_everybody(stores: Stores) -> None:
    """Each with its own places; a player can leave the one and stay in the other."""
    boards = stores.other.leaderboards
    assert await boards.size(BLITZ) == (0, 0)
    await write(stores.store, 0, 1, row(ANNA, 10), row(BEN, 20, has_place=False), row(CLARA, None))
    assert await boards.size(BLITZ) == (1, 2)
    assert await order(stores.other) == [ANNA]
    everybody = [placed.player for placed in await boards.page(BLITZ, 0, 10, everybody=True)]
    assert everybody == [BEN, ANNA]
    assert [await boards.place(BLITZ, ANNA, everybody=everybody) for everybody in (False, True)] == [0, 1]
    assert [await boards.place(BLITZ, BEN, everybody=everybody) for everybody in (False, True)] == [None, 0]
    await write(stores.store, 1, 2, row(ANNA, 30, has_place=False), row(BEN, None))
    assert await boards.size(BLITZ) == (0, 1)
    rebuild = await begin(stores.store)
    assert await boards.stage(BLITZ, rebuild, [row(DORA, 5, has_place=False)], Stretch())
    assert await boards.publish(BLITZ, rebuild, Version(3))
    assert [placed.player for placed in await boards.page(BLITZ, 0, 10, everybody=True)] == [DORA]


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


async def begin(store: Store, *, take_over: bool = False) -> Rebuild:
    """Begin to rebuild the board."""
    rebuild = await store.leaderboards.begin(BLITZ, take_over=take_over)
    assert rebuild is not None
    return rebuild


async def test_a_board_is_rebuilt_beside_the_present_one(stores: Stores) -> None:
    """In parts, which replace it all at once; what was staged before is deleted."""
    await write(stores.store, 0, 9, row(ANNA, 1), row(BEN, 2))
    boards = stores.other.leaderboards
    await boards.stage(BLITZ, await begin(stores.store), [row(DORA, 5)], Stretch())
    rebuild = await begin(stores.other, take_over=True)
    assert await boards.stage(BLITZ, rebuild, [row(ANNA, 3)], Stretch(points=[point(ANNA, 1)]))
    more = Stretch([RatedMatch("a.e1.1", Version(4))], [point(ANNA, 4)])
    assert await boards.stage(BLITZ, rebuild, [row(CLARA, None)], more)
    assert await order(stores.store) == [BEN, ANNA]
    assert await boards.publish(BLITZ, rebuild, Version(7))
    assert await order(stores.store) == [ANNA]
    assert await stores.store.leaderboards.rows(BLITZ, [BEN, CLARA]) == [None, row(CLARA, None).data]
    assert await stores.store.leaderboards.match(BLITZ, "a.e1.1") == 4
    assert await stores.store.leaderboards.version(BLITZ) == 7
    assert await stores.store.leaderboards.points(BLITZ, ANNA) == [point(ANNA, 1).point, point(ANNA, 4).point]
    assert await boards.publish(BLITZ, await begin(stores.store), Version(8))
    assert await order(stores.store) == []
    assert await stores.store.leaderboards.points(BLITZ, ANNA) == []


async def test_one_rebuild_of_a_board_is_under_way(stores: Stores) -> None:
    """Another one begins only if it takes over; then nothing of the first one is written any longer."""
    first, second = stores.store.leaderboards, stores.other.leaderboards
    overtaken = await begin(stores.store)
    assert await second.begin(BLITZ, take_over=False) is None
    assert await first.stage(BLITZ, overtaken, [row(ANNA, 1)], Stretch())
    rebuild = await begin(stores.other, take_over=True)
    assert not await first.stage(BLITZ, overtaken, [row(BEN, 2)], Stretch())
    assert not await first.publish(BLITZ, overtaken, Version(5))
    assert await second.stage(BLITZ, rebuild, [row(CLARA, 3)], Stretch())
    assert await second.publish(BLITZ, rebuild, Version(6))
    assert (await order(stores.store), await first.version(BLITZ)) == ([CLARA], 6)
    for ended in (overtaken, rebuild):
        assert not await first.stage(BLITZ, ended, [row(DORA, 4)], Stretch())
        assert not await first.publish(BLITZ, ended, Version(7))
    assert await begin(stores.store) not in {overtaken, rebuild}


async def test_a_rebuild_that_pauses_ends(stores: Stores, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its process was probably killed; another one begins without taking over."""
    for module in (memory_leaderboards, redis_leaderboards):
        monkeypatch.setattr(module, "REBUILD_PAUSE", 1)
    paused = await begin(stores.store)
    await asyncio.sleep(0.05)
    assert await stores.other.leaderboards.begin(BLITZ, take_over=False) not in {None, paused}
    assert not await stores.store.leaderboards.publish(BLITZ, paused, Version(1))


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
    versions, rebuild = list(range(1, last + 1)), await begin(stores.store)
    for at in range(parts):
        part = versions[at * last // parts : (at + 1) * last // parts]
        assert await boards.stage(BLITZ, rebuild, [], Stretch(points=[point(ANNA, version) for version in part]))
    assert await boards.publish(BLITZ, rebuild, Version(last))
    kept = [at.time // 1000 for at in await boards.points(BLITZ, ANNA)]
    assert kept == [*range(1, last, 8), last]
    assert MOST_POINTS // 2 <= len(kept) <= MOST_POINTS
