"""The contract of the store, for every kind of store: the index of players' matches."""

import random

import pytest

from service.domain.ids import Millis, PlayerId
from service.store.contract import Store
from service.store.projections.player_matches import FirstMatches, MatchRow, Tallies, Tally
from tests.store.conftest import Stores

ANNA, BEN = PlayerId("p-anna"), PlayerId("p-ben")


def row(match: str, ended: int, *results: tuple[str, int], is_public: bool = True) -> MatchRow:
    """Return a match of a player."""
    return MatchRow(match, Millis(ended), f'["{match}",{ended}]'.encode(), is_public, results)


async def order(store: Store, at: int | None = None, start: int = 0, limit: int = 10, **more: bool) -> list[int]:
    """Return the times of a page."""
    when = None if at is None else Millis(at)
    return [ended for ended, _ in await store.player_matches.page(ANNA, when, start, limit, **more)]


async def test_matches_are_sorted_by_the_times_of_their_ends(stores: Stores) -> None:
    """In both directions, also those that are added later; the bound is part of the page."""
    index, one = stores.other.player_matches, row("a.e.1", 100)
    assert await index.page(ANNA, None, 0, 10) == []
    assert await stores.store.player_matches.add(ANNA, [row("b.e.1", 300), one]) == 2
    assert await stores.store.player_matches.add(ANNA, [row("c.e.1", 200)]) == 1
    assert await index.page(ANNA, Millis(150), 0, 10) == [(100, one.data)]
    assert await order(stores.other) == [300, 200, 100]
    assert await order(stores.other, oldest_first=True) == [100, 200, 300]
    assert await order(stores.other, 200) == [200, 100]
    assert await order(stores.other, 200, oldest_first=True) == [200, 300]
    assert await order(stores.other, None, 1, 1) == [200]
    assert await index.page(BEN, None, 0, 10) == []


async def test_matches_of_the_same_time_are_sorted_by_their_ids(stores: Stores) -> None:
    """So that a page can continue after any of them."""
    rows = [row(f"a.e.{number}", 100) for number in (10, 1, 2)]
    await stores.store.player_matches.add(ANNA, rows)
    found = [data for _, data in await stores.other.player_matches.page(ANNA, Millis(100), 0, 10, oldest_first=True)]
    assert found == [rows[1].data, rows[0].data, rows[2].data]
    assert [data for _, data in await stores.other.player_matches.page(ANNA, Millis(100), 0, 10)] == found[::-1]


async def test_no_match_is_added_twice(stores: Stores) -> None:
    """Nor counted twice, whatever a later release would write of it."""
    first, again = row("a.e.1", 100, ("morris", 0)), row("a.e.1", 100, ("morris", 0))._replace(data=b'["a.e.1",100,1]')
    assert await stores.store.player_matches.add(ANNA, [first, first]) == 1
    assert await stores.other.player_matches.add(ANNA, [again, row("a.e.12", 100)]) == 1
    assert await stores.other.player_matches.results(ANNA, ["morris"]) == [Tallies(Tally(1), Tally(1))]
    assert (100, first.data) in await stores.store.player_matches.page(ANNA, None, 0, 10)


async def test_results_are_counted_with_and_without_matches_for_members(stores: Stores) -> None:
    """Under each name; the same for the first match."""
    index = stores.store.player_matches
    assert await index.first(ANNA) == FirstMatches(None, None)
    await index.add(ANNA, [row("a.e.1", 100, ("morris", 0), ("morris p-ben", 0), is_public=False)])
    assert await index.first(ANNA) == FirstMatches(Millis(100), None)
    await index.add(ANNA, [row("b.e.1", 300, ("morris", 2), ("morris p-ben", 2)), row("c.e.1", 200, ("ternio", 1))])
    assert await index.first(ANNA) == FirstMatches(Millis(100), Millis(200))
    both = Tallies(Tally(1, 0, 1), Tally(0, 0, 1))
    names = ["morris", "ternio", "morris p-ben", "triboard"]
    expected = [both, Tallies(Tally(0, 1), Tally(0, 1)), both, Tallies()]
    assert await stores.other.player_matches.results(ANNA, names) == expected
    assert await index.results(ANNA, []) == []
    assert await index.results(BEN, ["morris"]) == [Tallies()]


async def test_the_matches_of_a_player_can_be_deleted(stores: Stores) -> None:
    """With the results; the players who have any are listed."""
    for player in (ANNA, BEN):
        await stores.store.player_matches.add(player, [row("a.e.1", 100, ("morris", 0))])
    await stores.other.player_matches.discard(ANNA)
    page = await stores.store.admin_store.matched_players()
    assert (page.items, page.next) == ((BEN,), None)
    assert await order(stores.store) == []
    assert await stores.store.player_matches.results(ANNA, ["morris"]) == [Tallies()]
    with pytest.raises(ValueError, match="invalid cursor"):
        await stores.store.admin_store.matched_players("7:0")


@pytest.mark.parametrize("seed", range(3))
async def test_the_order_of_writing_makes_no_difference(stores: Stores, seed: int) -> None:
    """Nor do repetitions, by two processes."""
    chance = random.Random(seed)  # noqa: S311 - a test's
    rows = [row(f"r.e.{number}", chance.randrange(4), ("morris", chance.randrange(3))) for number in range(12)]
    for repeated in (*rows, *chance.sample(rows, 6)):
        await chance.choice([stores.store, stores.other]).player_matches.add(BEN, [repeated])
    chance.shuffle(rows)
    await stores.store.player_matches.add(ANNA, rows)
    index = stores.other.player_matches
    assert await index.page(ANNA, None, 0, 20) == await index.page(BEN, None, 0, 20)
    assert await index.results(ANNA, ["morris"]) == await index.results(BEN, ["morris"])
    assert await index.first(ANNA) == await index.first(BEN)
