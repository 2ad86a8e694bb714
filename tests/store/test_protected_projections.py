"""MACs of what is derived from events, and what older releases do with it."""

from collections.abc import AsyncIterator

import pytest

from service.domain.ids import Millis, PlayerId, Version
from service.store.contract import StoreDamaged
from service.store.projections.leaderboards import BoardPoint, BoardRow, RatedMatch, RatingPoint, Stretch
from service.store.projections.notable_matches import NotableRow
from service.store.projections.player_matches import MatchRow, Tallies, Tally
from service.store.redis.keys import Keys
from service.store.redis.store import RedisStore
from service.store.signing import Signer
from tests.store_server import StoreServer

ANNA, BOARD, MATCH = PlayerId("p-anna"), "morris.blitz", "room.e.1"
KEYS = Keys(16)
TAG = KEYS.partition_of(BOARD).tag
STANDINGS, POINTS, RESULTS = (
    b"%b:standings:morris.blitz:2" % TAG,
    b"%b:points:morris.blitz:2" % TAG,
    KEYS.of("results", ANNA),
)
ONE_WIN = Tally(1, 0, 0)


@pytest.fixture
async def store(store_server: StoreServer) -> AsyncIterator[RedisStore]:
    """Return a store with a match of Anna in a leaderboard, in the index of her matches, and on a board."""
    store = RedisStore(store_server.url, signer=Signer((b"k" * 32,)))
    point = BoardPoint(ANNA, Version(1), RatingPoint(Millis(5000), 1500, 90))
    rows = [BoardRow(ANNA, b"[1500,90]", 1500)]
    stretch = Stretch([RatedMatch(MATCH, Version(1))], [point])
    assert await store.leaderboards.update(BOARD, Version(0), Version(1), rows, stretch)
    assert await store.player_matches.add(ANNA, [match_row(1)]) == 1
    await store.notable_matches.add("morris", [NotableRow("longest", MATCH, 40)])
    yield store
    await store.close()


def match_row(number: int) -> MatchRow:
    """Return a match that Anna has won."""
    data = b'["room.e.%d",%d]' % (number, number)
    return MatchRow(f"room.e.{number}", Millis(number), data, is_public=True, results=[("morris", 0)])


async def test_the_release_before_reads_what_is_written(store: RedisStore, store_server: StoreServer) -> None:
    """A row has its MAC behind its fields; points and results have theirs in other fields."""
    row = store_server.execute("HGET", STANDINGS, ANNA)
    assert row.startswith(b'[1500,90,"mac:')
    assert await store.leaderboards.rows(BOARD, [ANNA]) == [b"[1500,90]"]
    assert len(store_server.execute("HGET", POINTS, ANNA)) == 12 + 10
    assert store_server.execute("HGET", RESULTS, "morris") == b"1 0 0 1 0 0"


async def test_a_row_without_a_mac_is_accepted_until_the_store_is_signed_off(
    store: RedisStore, store_server: StoreServer
) -> None:
    """As an older release writes it."""
    store_server.execute("HSET", STANDINGS, ANNA, "[1600,80]")
    assert await store.leaderboards.rows(BOARD, [ANNA]) == [b"[1600,80]"]
    assert await store.admin_store.finish_signing()
    fresh = RedisStore(store_server.url, signer=store.signer)
    with pytest.raises(StoreDamaged):
        await fresh.leaderboards.rows(BOARD, [ANNA])
    await fresh.close()


@pytest.mark.parametrize("row", [b"[2500,90", b'[2500,90,"mac:00"]', b"\xff"])
async def test_a_changed_row_is_damaged(store: RedisStore, store_server: StoreServer, row: bytes) -> None:
    """Whatever it is: with the MAC of another row, too."""
    mac = store_server.execute("HGET", STANDINGS, ANNA).removeprefix(b"[1500,90")
    store_server.execute("HSET", STANDINGS, ANNA, row + mac)
    with pytest.raises(StoreDamaged):
        await store.leaderboards.rows(BOARD, [ANNA])


async def test_what_an_older_release_has_counted_is_counted_again(store: RedisStore, store_server: StoreServer) -> None:
    """Its numbers have the MAC of the numbers before, so they are damaged until the index is replaced."""
    store_server.execute("HSET", RESULTS, "morris", "2 0 0 2 0 0")
    with pytest.raises(StoreDamaged):
        await store.player_matches.results(ANNA, ["morris"])
    with pytest.raises(StoreDamaged):
        await store.player_matches.add(ANNA, [match_row(3)])
    rows = [match_row(1), match_row(2)]
    assert not await store.player_matches.replace(ANNA, 2, rows)
    assert await store.player_matches.replace(ANNA, 1, rows)
    assert await store.player_matches.results(ANNA, ["morris"]) == [Tallies(Tally(2, 0, 0), Tally(2, 0, 0))]
    assert [data for _, data in await store.player_matches.page(ANNA, None, 0, 9)] == [rows[1].data, rows[0].data]


async def test_results_to_which_an_older_release_has_added_matches_are_damaged(
    store: RedisStore, store_server: StoreServer
) -> None:
    """It has counted them by its own rules; also if it has written everything, until the index is replaced."""
    first, second = match_row(1), match_row(2)
    for change in (("ZADD", KEYS.of("played", ANNA), second.ended, second.data), ("DEL", RESULTS)):
        store_server.execute(*change)
        with pytest.raises(StoreDamaged):
            await store.player_matches.results(ANNA, ["morris"])
        with pytest.raises(StoreDamaged):
            await store.player_matches.first(ANNA)
    assert await store.player_matches.replace(ANNA, 2, [first, second])
    assert await store.player_matches.results(ANNA, ["morris"]) == [Tallies(Tally(2, 0, 0), Tally(2, 0, 0))]


@pytest.mark.parametrize("stored", [b"x", b"1 0 0", b"9 0 0 9 0 0"])
async def test_a_changed_result_is_damaged(store: RedisStore, store_server: StoreServer, stored: bytes) -> None:
    """Also one that is missing while its MAC is there."""
    assert await store.player_matches.results(ANNA, ["morris"]) == [Tallies(ONE_WIN, ONE_WIN)]
    for change in (("HSET", RESULTS, "morris", stored), ("HDEL", RESULTS, "morris")):
        store_server.execute(*change)
        with pytest.raises(StoreDamaged):
            await store.player_matches.results(ANNA, ["morris"])


async def test_changed_points_are_damaged_and_not_continued(store: RedisStore, store_server: StoreServer) -> None:
    """A match that is added does not sign them."""
    points = store_server.execute("HGET", POINTS, ANNA)
    store_server.execute("HSET", POINTS, ANNA, points[:-1] + b"\x01")
    added = BoardPoint(ANNA, Version(2), RatingPoint(Millis(6000), 1510, 80))
    with pytest.raises(StoreDamaged):
        await store.leaderboards.points(BOARD, ANNA)
    with pytest.raises(StoreDamaged):
        await store.leaderboards.update(BOARD, Version(1), Version(2), [], Stretch([], [added]))


async def test_a_changed_score_of_a_notable_match_is_damaged(store: RedisStore, store_server: StoreServer) -> None:
    """So is a match under another id, and the one that is missing for it."""
    boards, key = store.notable_matches, KEYS.of("notable", "morris", "longest")
    assert await boards.best("morris", "longest", 5) == ([(MATCH, 40)], [])
    store_server.execute("ZADD", key, -400, MATCH)
    assert await boards.best("morris", "longest", 5) == ([], [MATCH])
    store_server.execute("ZREM", key, MATCH)
    assert MATCH in (await boards.best("morris", "longest", 5)).damaged
    await boards.remove("morris", "longest", MATCH)
    assert (await boards.best("morris", "longest", 5)).damaged == []
