"""The contract of the store, sentence by sentence, held by every kind of store: the stream itself."""

import asyncio

import pytest

from service.domain.ids import Millis, Version
from service.store.contract import NOT_BEGUN, Batch, Conflict, Entry, Head, NameTaken, Store, Trimmed
from tests.store.conftest import Stores, append_events, card, end_of, entries_after, open_room, room

FRIDAY = room("friday-night", "e1")
NEXT_FRIDAY = room("friday-night", "e2")


async def test_a_room_that_never_began_has_no_head_and_no_events(store: Store) -> None:
    """No name leads to it."""
    assert await store.heads([FRIDAY]) == [None]
    assert await store.read(FRIDAY, Version(0)) == []
    assert await store.open_epoch(FRIDAY.name) is None


async def test_opening_begins_the_stream_and_points_the_name_at_it(store: Store) -> None:
    """One act: the events are there and the name is live."""
    head = await open_room(store, FRIDAY, "opened", "joined")
    assert await store.heads([FRIDAY]) == [head]
    assert await store.open_epoch(FRIDAY.name) == FRIDAY.epoch


async def test_appended_entries_are_read_back(store: Store) -> None:
    """Bytes, digests and versions alike, whatever the bytes are."""
    entries = (Entry(Version(1), b"\x00\r\n\xff", b"\xfe \x00"), Entry(Version(2), b"", b""))
    await store.append(FRIDAY, NOT_BEGUN, Batch(name="claim", entries=entries))
    assert await store.read(FRIDAY, Version(0)) == list(entries)


async def test_reading_begins_behind_a_version_and_stops_at_the_limit(store: Store) -> None:
    """`after + 1` on, at most `limit`."""
    await open_room(store, FRIDAY, "a", "b", "c", "d")

    async def read(after: int, limit: int | None = None) -> bytes:
        return b"".join([entry.data for entry in await store.read(FRIDAY, Version(after), limit)])

    assert await read(0) == b"abcd"
    assert await read(1, 2) == b"bc"
    assert await read(3, 9) == b"d"
    assert await read(4) == b""
    assert await read(9) == b""
    assert await read(0, 0) == b""


async def test_a_long_stream_is_read_whole(store: Store) -> None:
    """However many reads the store makes of it."""
    events = [str(number) for number in range(1, 1500)]
    await open_room(store, FRIDAY, *events)
    assert [entry.data.decode() for entry in await store.read(FRIDAY, Version(0))] == events
    assert len(await store.read(FRIDAY, Version(0), 1024)) == 1024


async def test_appending_to_another_version_conflicts_and_reports_the_head(store: Store) -> None:
    """Nothing is written, and the loser knows where the stream ends."""
    first = await open_room(store, FRIDAY)
    second = await append_events(store, FRIDAY, first, "joined")
    with pytest.raises(Conflict) as conflict:
        await append_events(store, FRIDAY, first, "left")
    assert conflict.value.head == second
    assert [entry.data for entry in await store.read(FRIDAY, Version(0))] == [b"opened", b"joined"]


async def test_the_same_version_with_another_digest_conflicts(store: Store) -> None:
    """The history was replaced: the version is right, the digest is not."""
    head = await open_room(store, FRIDAY)
    with pytest.raises(Conflict) as conflict:
        await append_events(store, FRIDAY, Head(head.version, b"\x00" * 32), "joined")
    assert conflict.value.head == head


async def test_appending_to_a_stream_not_yet_begun_conflicts_at_version_0(store: Store) -> None:
    """The same if the store lost the whole room."""
    with pytest.raises(Conflict) as conflict:
        await append_events(store, FRIDAY, Head(Version(7), b"digest"), "joined")
    assert conflict.value.head == NOT_BEGUN
    assert await store.heads([FRIDAY]) == [None]


async def test_of_many_who_append_after_the_same_head_one_succeeds(stores: Stores) -> None:
    """The attempts come from two processes at once."""
    head = await open_room(stores.store, FRIDAY)
    writers = [stores.store, stores.other] * 10
    attempts = (append_events(store, FRIDAY, head, str(number)) for number, store in enumerate(writers))
    ended = await asyncio.gather(*attempts, return_exceptions=True)
    [winner] = [end for end in ended if isinstance(end, Head)]
    assert [end.head for end in ended if isinstance(end, Conflict)] == [winner] * 19


async def test_versions_that_do_not_run_on_are_a_mistake_of_the_writer(store: Store) -> None:
    """No gap and no repetition is written."""
    head = await open_room(store, FRIDAY)
    [second, third] = entries_after(head, "b", "c")
    for entries in [(third,), (second, second), (third, second)]:
        with pytest.raises(ValueError, match="does not follow"):
            await store.append(FRIDAY, head, Batch(entries))
    assert await store.heads([FRIDAY]) == [head]


async def test_a_batch_that_fails_leaves_nothing(store: Store) -> None:
    """No event, no due moment, no card, no match, and the name stays."""
    head = await open_room(store, FRIDAY)
    late = Head(head.version, b"other")
    with pytest.raises(Conflict):
        await store.append(
            FRIDAY,
            late,
            Batch(entries_after(late, "x"), due=Millis(1), lobby=card(1), matches=((1, b"m"),), name="free"),
        )
    assert await store.heads([FRIDAY]) == [head]
    assert await store.claim_due(Millis(100), Millis(1), 10) == []
    assert (await store.lobby(None, 10)).entries == ()
    assert await store.matches(FRIDAY, [1]) == [None]
    assert await store.open_epoch(FRIDAY.name) == FRIDAY.epoch


async def test_a_batch_without_events_changes_the_projections_only(store: Store) -> None:
    """A claim that found nothing to do sets the next due moment that way."""
    head = await open_room(store, FRIDAY)
    await store.append(FRIDAY, head, Batch((), due=Millis(5)))
    assert await store.heads([FRIDAY]) == [head]
    assert await store.claim_due(Millis(5), Millis(1), 10) == [FRIDAY]


async def test_a_live_name_is_taken(store: Store) -> None:
    """Opening it again writes nothing."""
    await open_room(store, FRIDAY)
    with pytest.raises(NameTaken):
        await open_room(store, NEXT_FRIDAY)
    assert await store.heads([NEXT_FRIDAY]) == [None]
    assert await store.open_epoch(FRIDAY.name) == FRIDAY.epoch


async def test_of_many_who_open_the_same_name_one_succeeds(stores: Stores) -> None:
    """They need no further lock."""
    keys = [room("friday-night", f"e{number}") for number in range(20)]
    openings = (open_room([stores.store, stores.other][number % 2], key) for number, key in enumerate(keys))
    ended = await asyncio.gather(*openings, return_exceptions=True)
    winners = [key.epoch for key, end in zip(keys, ended, strict=True) if isinstance(end, Head)]
    assert winners == [await stores.store.open_epoch(FRIDAY.name)]
    assert sum(isinstance(end, NameTaken) for end in ended) == 19


async def closed(store: Store, head: Head) -> None:
    """Close Friday's room."""
    await store.append(FRIDAY, head, Batch(entries_after(head, "closed"), due=None, lobby=None, name="free"))


async def test_closing_frees_the_name_for_another_epoch(store: Store) -> None:
    """The closed room stays readable under its own key."""
    await closed(store, await open_room(store, FRIDAY))
    assert await store.open_epoch(FRIDAY.name) is None
    await open_room(store, NEXT_FRIDAY)
    assert await store.open_epoch(FRIDAY.name) == NEXT_FRIDAY.epoch
    assert [entry.data for entry in await store.read(FRIDAY, Version(0))] == [b"opened", b"closed"]


async def test_closing_an_earlier_epoch_does_not_free_the_name_of_a_later_one(store: Store) -> None:
    """The name is freed only while it points at the room that closes."""
    first = await open_room(store, FRIDAY)
    await closed(store, first)
    await open_room(store, NEXT_FRIDAY)
    await closed(store, end_of(entries_after(first, "closed")))
    assert await store.open_epoch(FRIDAY.name) == NEXT_FRIDAY.epoch


async def test_an_epoch_is_never_opened_twice(store: Store) -> None:
    """A closed room's stream is not written over."""
    await closed(store, await open_room(store, FRIDAY))
    with pytest.raises(Conflict):
        await open_room(store, FRIDAY)
    assert await store.open_epoch(FRIDAY.name) is None


async def test_heads_are_returned_in_the_requested_order(store: Store) -> None:
    """Wherever the rooms are stored, also for a repeated key or a room that does not exist."""
    keys = [room(f"room-{number}") for number in range(40)]
    heads = [await open_room(store, key, f"opened {key.name}") for key in keys]
    unknown = room("nowhere")
    assert await store.heads([*keys[::-1], unknown, keys[0]]) == [*heads[::-1], None, heads[0]]
    assert await store.heads([]) == []


async def test_the_head_survives_trimming(stores: Stores) -> None:
    """A trimmed stream is checked against its true version and goes on from there."""
    head = await open_room(stores.store, FRIDAY, "a", "b", "c")
    stores.trim(FRIDAY, 0)
    assert await stores.store.heads([FRIDAY]) == [head]
    with pytest.raises(Conflict) as conflict:
        await append_events(stores.store, FRIDAY, NOT_BEGUN, "a")
    assert conflict.value.head == head
    await append_events(stores.store, FRIDAY, head, "d")
    assert [entry.data for entry in await stores.store.read(FRIDAY, head.version)] == [b"d"]


async def test_trimmed_versions_are_refused_and_later_ones_read(stores: Stores) -> None:
    """Missing events are an error, never skipped."""
    head = await open_room(stores.store, FRIDAY, "a", "b", "c")
    stores.trim(FRIDAY, 1)
    with pytest.raises(Trimmed):
        await stores.store.read(FRIDAY, Version(0))
    with pytest.raises(Trimmed):
        await stores.store.read(FRIDAY, Version(1))
    assert [entry.data for entry in await stores.store.read(FRIDAY, Version(2))] == [b"c"]
    stores.trim(FRIDAY, 0)
    with pytest.raises(Trimmed):
        await stores.store.read(FRIDAY, Version(2))
    assert await stores.store.read(FRIDAY, head.version) == []


async def test_the_match_index_is_written_with_the_events(store: Store) -> None:
    """Entries are returned in the requested order; a later one replaces the earlier."""
    entries = entries_after(NOT_BEGUN, "opened")
    await store.append(FRIDAY, NOT_BEGUN, Batch(name="claim", entries=entries, matches=((1, b"one"), (2, b"two"))))
    again = entries_after(end_of(entries), "ended")
    await store.append(FRIDAY, end_of(entries), Batch(again, matches=((2, b"ended"),)))
    assert await store.matches(FRIDAY, [2, 3, 1]) == [b"ended", None, b"one"]
    assert await store.matches(FRIDAY, []) == []
    assert await store.matches(NEXT_FRIDAY, [1]) == [None]
