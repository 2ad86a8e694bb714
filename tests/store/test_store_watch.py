"""The watch over a store: when writes are allowed."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from service.domain.ids import SILENCE, Millis, Version
from service.runtime import metrics
from service.store import witness
from service.store.contract import NOT_BEGUN, Batch, CounterDamaged, OutcomeUnknown, Report, StoreLost, StoreUnavailable
from service.store.redis.keys import Keys
from service.store.redis.store import RedisStore
from service.store.watch.store_watch import StoreWatch
from service.store.witness import Loss, Observation, WitnessFile
from service.store.write_guard import WriteGuard
from service.streams.errors import problem, problem_of
from tests.store.conftest import append_events, entries_after, open_room, room
from tests.store_server import StoreServer
from tests.waiting import wait_until

FRIDAY = room()
COUNTER = Keys(16).partition_of(FRIDAY.name).appended


class Watched:
    """A watched store."""

    def __init__(self, server: StoreServer, folder: Path | None) -> None:
        """Start before the first check."""
        self.guard = WriteGuard(range(16))
        self.store = RedisStore(server.url, guard=self.guard)
        self.watch = StoreWatch(self.store, self.guard, folder)


@pytest.fixture
async def watched(own_server: StoreServer, tmp_path: Path) -> AsyncIterator[Watched]:
    """Return a watched store whose server the test may kill."""
    watched = Watched(own_server, tmp_path / "witness")
    yield watched
    await watched.store.close()


@pytest.fixture(autouse=True)
def settled_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Settle each counter at the next check."""
    monkeypatch.setattr(witness, "LAG", 0.0)


async def has_checked(watch: StoreWatch) -> bool:
    """Return whether a check reached the store."""
    try:
        await watch.check()
    except StoreUnavailable:
        return False
    return True


async def test_nothing_is_written_before_the_first_check(watched: Watched) -> None:
    """After it, writes are allowed."""
    with pytest.raises(StoreUnavailable, match="compared"):
        await open_room(watched.store, FRIDAY)
    await watched.watch.start()
    await open_room(watched.store, FRIDAY)


async def test_the_witness_file_is_not_compared_again_while_nothing_changes(
    watched: Watched, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At rest a process leaves it alone for some seconds; after a change it compares at once."""
    compared: list[object] = []
    compare = WitnessFile.compare

    def count(file: WitnessFile, seen: Observation, settled: dict[int, int]) -> Loss | None:
        compared.append(seen)
        return compare(file, seen, settled)

    monkeypatch.setattr(WitnessFile, "compare", count)
    await watched.watch.start()
    for _ in range(5):
        await watched.watch.check()
    assert len(compared) == 1
    await open_room(watched.store, FRIDAY)
    await watched.watch.check()
    assert len(compared) == 2


async def test_nothing_is_written_to_a_store_that_came_back_before_it_is_checked(
    watched: Watched, own_server: StoreServer
) -> None:
    """Not one entry between the new connection and the check."""
    await watched.watch.start()
    head = await open_room(watched.store, FRIDAY)
    own_server.restart()
    for _ in range(20):
        with pytest.raises((StoreUnavailable, OutcomeUnknown)):
            await append_events(watched.store, FRIDAY, head, "too early")
    await wait_until(lambda: has_checked(watched.watch))
    assert (await append_events(watched.store, FRIDAY, head, "joined")).version == 2


async def test_a_store_that_came_back_empty_is_not_written_to_until_the_loss_is_accepted(
    watched: Watched, own_server: StoreServer
) -> None:
    """Neither rooms nor claims nor heartbeats; reads work."""
    await watched.watch.start()
    await open_room(watched.store, FRIDAY)
    await watched.watch.check()
    await watched.watch.check()
    own_server.execute("FLUSHALL")
    own_server.restart()
    await wait_until(lambda: has_checked(watched.watch))
    for write in (
        lambda: open_room(watched.store, room("other")),
        lambda: watched.store.worker_store.beat(Report(Millis(1), Millis(1)), SILENCE),
        lambda: watched.store.worker_store.pulse(Report(Millis(1), Millis(1))),
        lambda: watched.store.worker_store.trim(FRIDAY),
    ):
        with pytest.raises(StoreLost, match="at least 1 events"):
            await write()
    assert await watched.store.claim_due(Millis(10**13), Millis(1000), 10) == []
    assert await watched.store.heads([FRIDAY]) == [None]
    assert metrics.STORE_LOST._value.get() == 1
    before = own_server.execute("DBSIZE")
    assert before == 1  # the new store's id
    known = await RedisStore(own_server.url).identity.observe()
    expected = watched.guard.lost
    assert expected is not None
    await RedisStore(own_server.url).identity.replace((expected.expected.store,))
    assert await watched.watch.check() is None
    assert known.store != expected.expected.store
    assert metrics.STORE_LOST._value.get() == 0
    await open_room(watched.store, room("other"))


async def test_a_new_process_detects_a_loss_by_the_witness(
    watched: Watched, own_server: StoreServer, tmp_path: Path
) -> None:
    """Even if all processes are restarted at once on a store with less data."""
    await watched.watch.start()
    head = await open_room(watched.store, FRIDAY)
    await append_events(watched.store, FRIDAY, head, "joined", "left")
    await watched.watch.check()
    await watched.watch.check()
    own_server.execute("SET", COUNTER, 2)
    own_server.execute("SET", Keys(16).head(FRIDAY), b"2 digest")
    later = Watched(own_server, tmp_path / "witness")
    await later.watch.start()
    assert later.guard.lost is not None
    assert later.guard.lost.missing() == {Keys(16).partition_of(FRIDAY.name).number: 1}
    forgetful = Watched(own_server, None)
    await forgetful.watch.start()
    assert forgetful.guard.lost is None
    for other in (later, forgetful):
        await other.store.close()


async def test_lost_entries_of_the_last_seconds_are_only_counted(
    watched: Watched, own_server: StoreServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As after a failover to a replica that was a second behind."""
    monkeypatch.setattr(witness, "LAG", 3600.0)
    await watched.watch.start()
    await open_room(watched.store, FRIDAY, "opened", "joined", "left")
    await watched.watch.check()
    counted = metrics.STORE_TAIL_LOST._value.get()
    own_server.execute("SET", COUNTER, 1)
    assert await watched.watch.check() is None
    assert metrics.STORE_TAIL_LOST._value.get() == counted + 2
    assert await watched.watch.check() is None
    assert metrics.STORE_TAIL_LOST._value.get() == counted + 2


async def test_an_outage_of_any_length_settles_nothing(
    watched: Watched, own_server: StoreServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Entries observed just before it may be missing after it, regardless of its length."""
    clock = [0.0]
    monkeypatch.setattr(witness, "LAG", 2.0)
    monkeypatch.setattr("service.store.watch.store_watch.time.monotonic", lambda: clock[0])
    await watched.watch.start()
    await open_room(watched.store, FRIDAY, "opened", "joined", "left")
    await watched.watch.check()
    clock[0] = 60.0
    own_server.execute("SET", COUNTER, 1)
    assert await watched.watch.check() is None
    clock[0] = 120.0
    assert await watched.watch.check() is None


async def test_an_unusable_folder_prevents_the_start_and_is_only_logged_later(
    own_server: StoreServer, tmp_path: Path
) -> None:
    """A loss is still detected by what the process itself has observed."""
    blocked = tmp_path / "file"
    blocked.touch()
    watched = Watched(own_server, blocked)
    with pytest.raises(OSError, match="witness"):
        await watched.watch.start()
    await open_room(watched.store, FRIDAY)
    await watched.watch.check()
    await watched.watch.check()
    own_server.execute("FLUSHALL")
    assert await watched.watch.check() is not None
    await watched.store.close()


async def test_the_watch_checks_as_soon_as_a_connection_is_lost(watched: Watched, own_server: StoreServer) -> None:
    """Unsuitable settings are found then, and so is their correction."""
    answers = ["", "it may lose what was answered", ""]
    asked: list[str] = []

    async def settings_problem() -> str:
        asked.append(answers[min(len(asked), 2)])
        return asked[-1]

    await watched.watch.start()
    watched.watch._settings_problem = settings_problem
    running = asyncio.create_task(watched.watch.run())
    own_server.restart()
    with pytest.raises((StoreUnavailable, OutcomeUnknown)):
        await watched.store.append(FRIDAY, NOT_BEGUN, Batch(entries_after(NOT_BEGUN, "opened")))
    await wait_until(lambda: watched.guard.all_checked and len(asked) == 1)
    own_server.restart()
    with pytest.raises((StoreUnavailable, OutcomeUnknown)):
        await watched.store.append(FRIDAY, NOT_BEGUN, Batch(entries_after(NOT_BEGUN, "opened")))
    await wait_until(lambda: bool(watched.guard.unfit))
    assert watched.guard.unfit == answers[1]
    watched.watch._settings_at = 0.0
    await wait_until(lambda: not watched.guard.unfit)
    running.cancel()


@pytest.mark.parametrize("damaged", [b"1", b"04", b"\xb4", b"4 ", b"-4", b"9" * 30])
async def test_a_damaged_counter_closes_its_partition_until_it_is_recounted(
    watched: Watched, own_server: StoreServer, damaged: bytes
) -> None:
    """Lower than the entries that there are, or not a number; everything else is written to."""
    await watched.watch.start()
    head = await open_room(watched.store, FRIDAY, "opened", "joined", "joined", "begun")
    other = next(
        key for number in range(99) if Keys(16).partition_of((key := room(f"r{number}")).name).appended != COUNTER
    )
    other_head = await open_room(watched.store, other)
    await watched.watch.check()
    await watched.watch.check()
    own_server.execute("SET", COUNTER, damaged)
    for _ in range(2):
        assert await watched.watch.check() is None
        with pytest.raises(CounterDamaged, match="turnstream recount"):
            await append_events(watched.store, FRIDAY, head, "moved")
        other_head = await append_events(watched.store, other, other_head, "moved")
    assert metrics.COUNTERS_DAMAGED._value.get() == 1
    assert await watched.store.heads([FRIDAY]) == [head]
    assert problem_of(CounterDamaged("")) == problem("counter_damaged")
    number = Keys(16).partition_of(FRIDAY.name).number
    await watched.store.identity.correct(number, await watched.store.identity.count(number))
    assert own_server.execute("GET", COUNTER) == b"4"
    assert await watched.watch.check() is None
    assert metrics.COUNTERS_DAMAGED._value.get() == 0
    await append_events(watched.store, FRIDAY, head, "moved")


async def test_a_lower_counter_is_a_loss_if_entries_are_missing(watched: Watched, own_server: StoreServer) -> None:
    """A counter that agrees with what there is."""
    await watched.watch.start()
    await open_room(watched.store, FRIDAY, "opened", "joined")
    await watched.watch.check()
    await watched.watch.check()
    own_server.execute("SET", COUNTER, b"1")
    own_server.execute("SET", Keys(16).head(FRIDAY), b"1 digest")
    assert await watched.watch.check() is not None


async def test_an_append_with_a_counter_that_is_not_a_number_writes_nothing(own_server: StoreServer) -> None:
    """Also in a process that does not watch its store."""
    store = RedisStore(own_server.url)
    head = await open_room(store, FRIDAY)
    own_server.execute("SET", COUNTER, b"x")
    with pytest.raises(CounterDamaged):
        await append_events(store, FRIDAY, head, "moved")
    assert len(await store.read(FRIDAY, Version(0))) == 1
    await store.close()
