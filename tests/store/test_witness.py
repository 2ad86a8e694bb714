"""What a store is compared with: counters that never fall, and a witness that outlives the store."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as some

from service.domain.ids import Version
from service.store.contract import NOT_BEGUN, Batch, Conflict, Store
from service.store.redis.keys import Keys
from service.store.redis.store import RedisStore
from service.store.witness import (
    LAG,
    Loss,
    Observation,
    RecentObservations,
    Witness,
    WitnessFile,
    loss,
    updated_witness,
)
from tests.store.conftest import append_events, entries_after, open_room, room
from tests.store_server import StoreServer

FRIDAY = room()
COUNTERS = some.dictionaries(some.integers(0, 7), some.integers(0, 50), max_size=8)


async def appended(store: Store) -> int:
    """Return how many entries were ever appended."""
    return sum((await store.identity.observe()).appended.values())


async def test_a_store_gets_one_id_that_stays(store: Store) -> None:
    """The first caller gets the same id as everyone later."""
    first = await store.identity.observe()
    await open_room(store, FRIDAY)
    assert len(first.store) >= 20
    assert (await store.identity.observe()).store == first.store


async def test_every_entry_is_counted_once_and_never_forgotten(store: Store) -> None:
    """A refused append counts nothing; closing and trimming take nothing away."""
    head = await open_room(store, FRIDAY, "opened", "joined")
    assert await appended(store) == 2
    with pytest.raises(Conflict):
        await store.append(FRIDAY, NOT_BEGUN, Batch(entries_after(NOT_BEGUN, "opened")))
    await store.append(FRIDAY, head, Batch(()))
    assert await appended(store) == 2
    await store.append(FRIDAY, head, Batch(entries_after(head, "closed"), name="free"))
    await store.worker_store.trim(FRIDAY)
    assert await store.read(FRIDAY, Version(3)) == []
    assert await appended(store) == 3


async def test_a_store_that_is_replaced_names_all_that_it_replaces(store: Store) -> None:
    """Its own id before, and those that were given; none is given twice."""
    before = await store.identity.observe()
    first = await store.identity.replace(("elsewhere", ""))
    second = await store.identity.replace(())
    assert set(first.predecessors) == {"elsewhere", before.store}
    assert set(second.predecessors) == {"elsewhere", before.store, first.store}
    assert len({before.store, first.store, second.store}) == 3
    assert await store.identity.observe() == second


async def test_the_counter_is_raised_in_the_same_act(redis_store: RedisStore, store_server: StoreServer) -> None:
    """The script that appends raises it, under a key of the room's partition."""
    head = await open_room(redis_store, FRIDAY)
    await append_events(redis_store, FRIDAY, head, "joined", "left")
    key = Keys(16).partition_of(FRIDAY.name).appended
    assert store_server.execute("GET", key) == b"3"


@given(COUNTERS, COUNTERS)
def test_a_lower_counter_is_a_loss_and_nothing_else_is(known: dict[int, int], seen: dict[int, int]) -> None:
    """Each partition that answered is compared."""
    found = loss(Witness("s", known), Observation("s", (), seen))
    lower = {number: known[number] - count for number, count in seen.items() if known.get(number, 0) > count}
    assert (found.missing() if found else {}) == lower


@given(COUNTERS, COUNTERS)
def test_another_store_has_lost_everything_unless_it_replaces_the_known_one(
    known: dict[int, int], seen: dict[int, int]
) -> None:
    """Its counters count other entries."""
    found = loss(Witness("s", known), Observation("t", (), seen))
    assert found is not None
    assert found.missing() == {number: count for number, count in known.items() if count}
    assert loss(Witness("s", known), Observation("t", ("r", "s"), seen)) is None


@given(COUNTERS, COUNTERS)
def test_a_witness_never_remembers_less(known: dict[int, int], settled: dict[int, int]) -> None:
    """Of the same store; of one that replaces it, it begins again."""
    after = updated_witness(Witness("s", known), Observation("s"), settled).appended
    assert after == {n: max(known.get(n, 0), settled.get(n, 0)) for n in known.keys() | settled.keys()}
    assert updated_witness(Witness("s", known), Observation("t", ("s",)), settled) == Witness("t")


def test_only_what_was_there_for_a_while_is_settled() -> None:
    """And what is missing before that is reported once, as the end of the history."""
    recent = RecentObservations()
    assert recent.add(0.0, Observation("s", (), {0: 10})) == {}
    assert recent.add(1.0, Observation("s", (), {0: 20})) == {}
    assert recent.settled(LAG) == {0: 10}
    assert recent.add(LAG + 0.5, Observation("s", (), {0: 15})) == {0: 5}
    assert recent.settled(LAG + 0.5) == {}
    assert recent.add(LAG + 1.0, Observation("s", (), {0: 15})) == {}
    assert recent.settled(2 * LAG + 1.0) == {0: 15}


def test_a_loss_says_how_much_is_missing_and_what_to_do() -> None:
    """For an operator who reads it at night."""
    said = str(Loss(Witness("s", {0: 5, 1: 7}), Observation("s", (), {0: 5, 1: 3})))
    assert "at least 4 events in 1 partitions" in said
    assert "restores a backup or accepts the loss" in said


def test_a_file_keeps_the_highest_counters_and_finds_a_loss(tmp_path: Path) -> None:
    """Also for the next process, and it isn't changed by a store that has lost something."""
    file = WitnessFile(tmp_path / "witness")
    assert file.read() is None
    assert file.compare(Observation("s", (), {0: 9}), {}) is None
    assert file.compare(Observation("s", (), {0: 9}), {0: 7}) is None
    assert WitnessFile(tmp_path / "witness").read() == Witness("s", {0: 7})
    for less in (Observation("s", (), {0: 6}), Observation("t", (), {0: 9})):
        assert file.compare(less, {0: 6}) is not None
    assert file.read() == Witness("s", {0: 7})
    assert file.compare(Observation("t", ("s",), {0: 2}), {}) is None
    assert file.read() == Witness("t")
    assert sorted(path.name for path in (tmp_path / "witness").iterdir()) == ["witness.json", "witness.lock"]


def test_a_damaged_file_is_named_and_not_overwritten(tmp_path: Path) -> None:
    """Its content cannot be guessed."""
    (tmp_path / "witness.json").write_bytes(b"")
    with pytest.raises(OSError, match="delete it"):
        WitnessFile(tmp_path).compare(Observation("s"), {})
    assert (tmp_path / "witness.json").read_bytes() == b""


def raise_counters(folder: Path, partition: int) -> None:
    """Raise one partition's counter step by step."""
    for count in range(1, 51):
        assert WitnessFile(folder).compare(Observation("s", (), {partition: count}), {partition: count}) is None


def test_several_share_a_file(tmp_path: Path) -> None:
    """The file is locked for each, so none undoes what another did."""
    WitnessFile(tmp_path).compare(Observation("s"), {})
    with ThreadPoolExecutor(3) as writers:
        list(writers.map(lambda number: raise_counters(tmp_path, number), range(3)))
    assert WitnessFile(tmp_path).read() == Witness("s", {0: 50, 1: 50, 2: 50})
