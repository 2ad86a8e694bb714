"""The contract of the store, for every kind of store: boards of notable matches."""

import random

import pytest

from service.domain.ids import Millis
from service.store.projections.notable_matches import MOST_MATCHES, NotableRow
from tests.store.conftest import Stores

FOREVER = Millis(4_000_000_000_000)


async def test_a_board_has_the_best_matches(stores: Stores) -> None:
    """Equal ones by their ids; boards and games are apart."""
    boards = stores.store.notable_matches
    rows = [NotableRow("longest", match, score) for match, score in (("b.e.1", 5), ("a.e.1", 5), ("c.e.1", -9))]
    await boards.add("morris", [*rows, NotableRow("day", "c.e.1", -1, FOREVER)])
    await boards.add("morris", rows[:1])
    await boards.add("morris", [])
    best = await stores.other.notable_matches.best("morris", "longest", 10)
    assert best.matches == [("a.e.1", 5), ("b.e.1", 5), ("c.e.1", -9)]
    assert (await boards.best("morris", "longest", 1)).matches == [("a.e.1", 5)]
    assert (await boards.best("morris", "day", 10)).matches == [("c.e.1", -1)]
    assert (await boards.best("ternio", "longest", 10)).matches == []
    await boards.discard("morris", "longest")
    assert (await boards.best("morris", "longest", 10)).matches == []


@pytest.mark.parametrize("seed", range(3))
async def test_only_the_best_are_kept(stores: Stores, seed: int) -> None:
    """Whatever the order in which they are written, and however often."""
    chance = random.Random(seed)  # noqa: S311 - a test's
    rows = [NotableRow("longest", f"r.e.{number}", chance.randrange(9)) for number in range(3 * MOST_MATCHES)]
    for row in chance.sample(rows, len(rows)) + chance.sample(rows, 9):
        await chance.choice([stores.store, stores.other]).notable_matches.add("morris", [row])
    best = sorted(((row.match, row.score) for row in rows), key=lambda each: (-each[1], each[0]))[:MOST_MATCHES]
    assert (await stores.store.notable_matches.best("morris", "longest", 100)).matches == best
