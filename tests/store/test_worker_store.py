"""What workers store, in both stores: heartbeats, claims, and the trimming of closed rooms."""

import pytest

from service.domain.ids import SILENCE, Millis, Outage, Pulse, Version
from service.store.contract import NOT_BEGUN, Batch, ClockReading, Head, Report, Snapshot, Store, Trimmed
from tests.store.conftest import Stores, end_of, entries_after, open_room, room

FRIDAY, MONDAY = room(), room("monday")
NOON = 1_700_000_000_000


def at(millis: int, wall: int = 0) -> Report:
    """Return a report of this service's time."""
    return Report(Millis(NOON + millis), Millis(wall))


async def test_there_is_no_pulse_before_the_first_beat(store: Store) -> None:
    """And the first beat ends no silence; an API process that reports beats for no worker."""
    assert (await store.worker_store.pulse(at(0))).beat is None
    assert await store.worker_store.beat(at(9000), SILENCE) == Pulse(at(9000).time)


async def test_a_heartbeat_after_a_long_silence_reports_an_outage(stores: Stores) -> None:
    """Every process learns of it: from the last heartbeat to the next one, whatever the store's clock shows."""
    last = await stores.store.worker_store.beat(at(0), SILENCE)
    await stores.store.worker_store.pulse(at(4000))
    back = await stores.other.worker_store.beat(at(5000), SILENCE)
    assert (last.beat, back.beat) == (NOON, NOON + 5000)
    assert back.outages == (Outage(at(0).time, at(5000).time),)
    assert await stores.store.worker_store.pulse(at(5001)) == back


async def test_beats_that_follow_each_other_are_no_outage(store: Store) -> None:
    """For any number of workers, also if one of them is late: the latest heartbeat is kept."""
    pulses = [await store.worker_store.beat(at(when), SILENCE) for when in (0, 900, 400, 1800, 1700)]
    assert pulses[-1] == Pulse(at(1800).time)


async def test_the_latest_outages_are_kept_newest_first(store: Store) -> None:
    """Only a limited number is kept."""
    for number in range(35):
        await store.worker_store.beat(at(number * 3000), SILENCE)
    pulse = await store.worker_store.pulse(at(0))
    assert len(pulse.outages) == 32
    assert list(pulse.outages) == sorted(pulse.outages, reverse=True)


async def test_the_clock_is_read_with_its_correction_and_the_latest_report(stores: Stores) -> None:
    """Every process reads the same; an earlier position changes nothing."""
    before = await stores.store.time()
    first = await stores.store.worker_store.read_clock()
    assert before <= first.time <= await stores.store.time()
    assert first == ClockReading(first.time, Millis(0), None, None)
    await stores.store.worker_store.pulse(at(1000, wall=7))
    await stores.other.worker_store.beat(at(500, wall=8), SILENCE)
    second = await stores.other.worker_store.read_clock()
    assert second == ClockReading(second.time, Millis(0), at(1000).time, Millis(7))


async def test_the_latest_correction_of_the_clock_is_used(stores: Stores) -> None:
    """Of two that noticed the same step one is first."""
    assert await stores.store.worker_store.correct_clock(Millis(0), Millis(-3_600_000))
    assert not await stores.other.worker_store.correct_clock(Millis(0), Millis(-3_600_000))
    assert (await stores.other.worker_store.read_clock()).correction == -3_600_000
    assert await stores.other.worker_store.correct_clock(Millis(-3_600_000), Millis(5))
    assert (await stores.store.worker_store.read_clock()).correction == 5


async def owing(store: Store) -> Head:
    """Open a room that is due at 1000 and return its head."""
    entries = entries_after(NOT_BEGUN, "opened")
    await store.append(FRIDAY, NOT_BEGUN, Batch(name="claim", entries=entries, due=Millis(1000)))
    return end_of(entries)


async def test_a_claim_is_prolonged(store: Store) -> None:
    """By its holder, before or after its end."""
    await owing(store)
    assert await store.claim_due(Millis(1000), Millis(500), 1) == [FRIDAY]
    assert await store.worker_store.extend_claim(FRIDAY, Millis(1500), Millis(2500))
    assert await store.claim_due(Millis(2499), Millis(500), 1) == []
    assert await store.claim_due(Millis(2500), Millis(500), 1) == [FRIDAY]


async def test_a_claim_that_is_over_is_not_prolonged(store: Store) -> None:
    """Another worker has claimed the room since, or it was served: its moment is not touched."""
    head = await owing(store)
    assert await store.claim_due(Millis(1000), Millis(500), 1) == [FRIDAY]
    assert await store.claim_due(Millis(1500), Millis(700), 1) == [FRIDAY]
    assert not await store.worker_store.extend_claim(FRIDAY, Millis(1500), Millis(9000))
    await store.append(FRIDAY, head, Batch(entries_after(head, "moved"), due=None))
    assert not await store.worker_store.extend_claim(FRIDAY, Millis(2200), Millis(9000))
    assert await store.claim_due(Millis(99_999), Millis(1), 1) == []


async def closed(store: Store) -> Head:
    """Open a room, close it, and return its head."""
    head = await open_room(store, FRIDAY)
    entries = entries_after(head, "closed")
    await store.append(FRIDAY, head, Batch(entries, name="free"))
    return end_of(entries)


async def test_closed_rooms_are_found_by_when_they_closed(store: Store) -> None:
    """Open rooms are not found."""
    await open_room(store, MONDAY)
    before = await store.time()
    await closed(store)
    after = Millis(await store.time() + 1)
    assert await store.worker_store.closed(before, 10) == []
    assert await store.worker_store.closed(after, 10) == [FRIDAY]
    assert await store.worker_store.closed(after, 0) == []


async def test_trimming_takes_the_events_and_leaves_the_head(store: Store) -> None:
    """The room is not taken for one that never existed, and nothing can be appended to it as to a new one."""
    head = await closed(store)
    await store.save_snapshot(FRIDAY, Snapshot(Version(1), b"digest", b"room"))
    await store.worker_store.trim(FRIDAY)
    with pytest.raises(Trimmed):
        await store.read(FRIDAY, Version(0))
    assert await store.heads([FRIDAY]) == [head]
    assert await store.snapshot(FRIDAY) is None
    assert await store.worker_store.closed(Millis(await store.time() + 1), 10) == []


async def test_a_trimmed_stream_forgets_no_version(stores: Stores) -> None:
    """Its key is kept: what is appended later continues its versions."""
    head = await closed(stores.store)
    await stores.store.worker_store.trim(FRIDAY)
    entries = entries_after(head, "haunted")
    await stores.store.append(FRIDAY, head, Batch(entries))
    assert [entry.version for entry in await stores.store.read(FRIDAY, head.version)] == [3]


async def test_the_check_of_all_rooms_is_claimed_by_one(stores: Stores) -> None:
    """Another worker continues at the same place when the claim has expired; the next check begins when it is due."""
    one, other = stores.store.worker_store, stores.other.worker_store
    assert await one.claim_scrub(Millis(1000), Millis(500)) == ""
    assert await other.claim_scrub(Millis(1499), Millis(500)) is None
    await one.save_scrub_cursor("0:7", Millis(2000))
    assert await other.claim_scrub(Millis(1999), Millis(500)) is None
    assert await other.claim_scrub(Millis(2000), Millis(500)) == "0:7"
    await other.save_scrub_cursor("", Millis(90_000))
    assert await one.claim_scrub(Millis(89_999), Millis(500)) is None
    assert await one.claim_scrub(Millis(90_000), Millis(500)) == ""


async def test_damaged_rooms_are_listed_until_they_are_found_intact(stores: Stores) -> None:
    """Every worker sees the list, also after a restart."""
    for key in (MONDAY, FRIDAY, FRIDAY):
        await stores.store.worker_store.set_damaged(key, damaged=True)
    assert await stores.other.worker_store.damaged() == [FRIDAY, MONDAY]
    await stores.other.worker_store.set_damaged(MONDAY, damaged=False)
    assert await stores.store.worker_store.damaged() == [FRIDAY]
