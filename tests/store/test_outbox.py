"""The contract of the store, for every kind of store: players' streams, and what is delivered to them."""

import msgspec
import pytest
from msgspec import UNSET, UnsetType

from service.domain.ids import DAY, Epoch, Millis, PlayerId, RoomKey, Version
from service.store.contract import NOT_BEGUN, Batch, Conflict, Head, Store, Trimmed
from service.store.outbox import ENCODER, Delivery, OutboxEntry
from service.store.stream_keys import DueKey, KindKey, OutboxKey
from tests.store.conftest import Stores, append_events, end_of, entries_after, open_room, room
from tests.waiting import wait_until

ANNA = KindKey("player", PlayerId("p-anna"))
FRIDAY = room()
LATER = Millis(2000)
LEASE = Millis(500)


def delivery(event: str, to: KindKey = ANNA) -> Delivery:
    """Return the delivery of an event that is only a name."""
    return Delivery(PlayerId(to.id), msgspec.Raw(msgspec.json.encode(event)))


async def deliver(store: Store, after: Head, *events: str) -> Head:
    """Append an event to Friday's room, which delivers these events to Anna."""
    entries = entries_after(after, "happened")
    await store.append(FRIDAY, after, Batch(entries, outbox=ENCODER.encode([delivery(event) for event in events])))
    return end_of(entries)


async def claim_outbox(store: Store) -> OutboxKey:
    """Claim what is due, which must be one outbox."""
    [key] = await store.claim_due(LATER, LEASE, 10)
    assert isinstance(key, OutboxKey)
    return key


async def pending(store: Store, key: OutboxKey) -> list[OutboxEntry]:
    """Return everything in an outbox."""
    return await store.outbox.pending(key.partition, 100)


async def begin(store: Store, *events: str) -> Head:
    """Begin Anna's stream with these events."""
    return await append_events(store, ANNA, NOT_BEGUN, *events)


async def test_an_append_with_deliveries_makes_the_outbox_due(stores: Stores) -> None:
    """At once, and before everything else. Another process finds them in their order, with their source."""
    opened = await open_room(stores.store, FRIDAY)
    assert await stores.other.claim_due(LATER, LEASE, 10) == []
    second = await deliver(stores.store, opened, "one", "two")
    await deliver(stores.store, second, "three")
    key = await claim_outbox(stores.other)
    first, last = await pending(stores.other, key)
    assert (first.source, first.version, last.version) == ("friday-night:e1", 2, 3)
    assert first.deliveries == (delivery("one"), delivery("two"))
    assert last.deliveries == (delivery("three"),)


async def test_an_outbox_is_due_until_it_is_empty(stores: Stores) -> None:
    """What is added during a delivery keeps it due; a delivery that was not deleted is found again after the lease."""
    head = await deliver(stores.store, await open_room(stores.store, FRIDAY), "one")
    key = await claim_outbox(stores.store)
    first = await pending(stores.store, key)
    await deliver(stores.other, head, "two")
    assert await stores.other.claim_due(LATER, LEASE, 10) == []
    await stores.store.outbox.delete(key.partition, first)
    assert not await stores.store.outbox.settle(key.partition)
    assert await stores.other.claim_due(Millis(LATER + LEASE), LEASE, 10) == [key]
    [left] = await pending(stores.other, key)
    assert left.deliveries == (delivery("two"),)
    await stores.other.outbox.delete(key.partition, [left])
    assert await stores.other.outbox.settle(key.partition)
    assert await stores.store.claim_due(Millis(LATER + 9 * LEASE), LEASE, 10) == []


async def test_a_conflict_delivers_nothing(stores: Stores) -> None:
    """The append and its deliveries are written together or not at all."""
    await append_events(stores.other, FRIDAY, await open_room(stores.store, FRIDAY), "faster")
    with pytest.raises(Conflict):
        await deliver(stores.store, Head(Version(1), b""), "one")
    assert await stores.store.claim_due(LATER, LEASE, 10) == []


async def test_the_claim_on_an_outbox_and_on_a_player_can_be_extended(stores: Stores) -> None:
    """Like that on a room."""
    await deliver(stores.store, await open_room(stores.store, FRIDAY), "one")
    await stores.store.append(ANNA, NOT_BEGUN, Batch(entries_after(NOT_BEGUN, "one"), due=Millis(1000)))
    keys: list[DueKey] = await stores.store.claim_due(LATER, LEASE, 10)
    assert {type(key) for key in keys} == {KindKey, OutboxKey}
    for key in keys:
        held, until = Millis(LATER + LEASE), Millis(LATER + 3 * LEASE)
        assert await stores.store.worker_store.extend_claim(key, held, until)
        assert not await stores.store.worker_store.extend_claim(key, held, until)
    assert await stores.other.claim_due(Millis(LATER + LEASE), LEASE, 10) == []


async def test_a_player_has_a_stream_apart_from_rooms(stores: Stores) -> None:
    """With its own versions; operators who list rooms do not find it, and a room of the same name is another stream."""
    await open_room(stores.store, room("p-anna"))
    head = await begin(stores.store, "one", "two")
    assert [entry.data for entry in await stores.other.read(ANNA, Version(0))] == [b"one", b"two"]
    assert await stores.other.heads([ANNA, room("p-anna")]) == [head, Head(Version(1), (await end(stores)).digest)]
    assert (await stores.other.admin_store.rooms()).items == (room("p-anna"),)
    assert (await stores.other.admin_store.streams("player")).items == (ANNA,)
    assert (await stores.other.admin_store.streams("account")).items == ()
    with pytest.raises(ValueError, match="cursor"):
        await stores.other.admin_store.streams("player", "99:0")
    with pytest.raises(Conflict):
        await append_events(stores.other, ANNA, NOT_BEGUN, "again")


async def end(stores: Stores) -> Head:
    """Return the head of the room with the player's name."""
    [head] = await stores.store.heads([room("p-anna")])
    assert head is not None
    return head


async def test_an_append_to_a_player_is_announced(stores: Stores) -> None:
    """To other processes, with the new version."""
    heard: list[tuple[KindKey, Version]] = []
    await stores.other.subscribe(ANNA, lambda key, version: heard.append((key, version)))
    await begin(stores.store, "one", "two")
    await wait_until(lambda: (ANNA, 2) in heard)
    await stores.other.unsubscribe(ANNA)


async def test_a_stream_can_be_trimmed_at_its_beginning(stores: Stores) -> None:
    """What was deleted is reported as such; the stream continues with its versions."""
    head = await begin(stores.store, "one", "two", "three")
    assert await stores.other.first_version(ANNA) == 1
    await stores.store.trim_before(ANNA, Version(3))
    assert await stores.other.first_version(ANNA) == 3
    with pytest.raises(Trimmed):
        await stores.other.read(ANNA, Version(1))
    assert [entry.version for entry in await stores.other.read(ANNA, Version(2))] == [3]
    assert await stores.other.heads([ANNA]) == [head]
    assert (await append_events(stores.store, ANNA, head, "four")).version == 4
    assert await stores.other.first_version(KindKey("player", PlayerId("p-nobody"))) is None


async def test_turns_are_delivered_as_long_as_they_are_read(stores: Stores) -> None:
    """The times only grow; an append without events delivers at the version that the stream has, if that is known."""
    store, turn = stores.store, ENCODER.encode([delivery("turn")])

    async def play(after: Head, read_at: int, due: Millis | UnsetType = UNSET) -> Head:
        entries = entries_after(after, "played")
        await store.append(FRIDAY, after, Batch(entries, due, outbox=turn, read_at=Millis(read_at)))
        return end_of(entries)

    head = await play(await open_room(store, FRIDAY), 1)
    head = await play(head, 1, due=Millis(9_000))
    assert (await stores.other.claim_due(LATER, LEASE, 10), await store.turns_read_until(FRIDAY)) == ([], 0)
    with pytest.raises(Conflict):
        await store.append(FRIDAY, NOT_BEGUN, Batch((), outbox=turn, read_until=Millis(50)))
    await store.append(FRIDAY, head, Batch((), outbox=turn, read_until=Millis(50)))
    await stores.other.read_turns(FRIDAY, Millis(40))
    assert await store.turns_read_until(FRIDAY) == 50
    head = await play(await play(head, 50), 51)
    await stores.other.read_turns(FRIDAY, Millis(60))
    await play(head, 60, due=Millis(9_000))
    assert [entry.version for entry in await pending(store, await claim_outbox(stores.other))] == [3, 4, 6]
    for until, left in ((60 + 3 * DAY, 60), (61 + 3 * DAY, 0)):
        await store.read_turns(RoomKey(FRIDAY.name, Epoch("later")), Millis(until))
        assert await store.turns_read_until(FRIDAY) == left
