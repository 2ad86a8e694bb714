"""The contract of the store, for every kind of store: projections."""

import asyncio
import time
from zlib import crc32

import pytest

from service.domain.ids import Millis, PlayerId, RoomKey, Version
from service.store.contract import NOT_BEGUN, Batch, LobbyRow, Snapshot, Store
from service.store.stream_keys import due_member
from tests.store.conftest import Stores, append_events, card, end_of, entries_after, open_room, room

FRIDAY = room()
MISCHA = PlayerId("p_mischa")


async def listed(store: Store, key: RoomKey, shown: LobbyRow | None) -> None:
    """Open a room with a card in the lobby."""
    await store.append(key, NOT_BEGUN, Batch(name="claim", entries=entries_after(NOT_BEGUN, "opened"), lobby=shown))


async def pages(store: Store, limit: int) -> list[list[str]]:
    """Return the lobby's entries page by page."""
    found: list[list[str]] = []
    cursor: str | None = None
    while True:
        page = await store.lobby(cursor, limit)
        found.append([data.decode() for _, data in page.entries])
        if page.next is None:
            return found
        cursor = page.next


async def test_the_lobby_shows_the_newest_room_first_in_pages(store: Store) -> None:
    """Over all partitions, and the last page has no next."""
    for number in range(1, 8):
        await listed(store, room(f"room-{number}"), card(number * 1000, str(number)))
    assert await pages(store, 3) == [["7", "6", "5"], ["4", "3", "2"], ["1"]]
    assert await pages(store, 7) == [["7", "6", "5", "4", "3", "2", "1"]]


async def test_rooms_that_opened_together_are_each_shown_once(store: Store) -> None:
    """A page may end between them."""
    for number in range(20):
        await listed(store, room(f"room-{number}"), card(1000, str(number)))
    shown = [text for page in await pages(store, 3) for text in page]
    assert sorted(shown, key=int) == [str(number) for number in range(20)]


async def test_pages_are_whole_however_rooms_fall_into_partitions(store: Store) -> None:
    """Also where most of the newest rooms are in one partition."""
    names = sorted((f"room-{number}" for number in range(600)), key=lambda name: crc32(name.encode()) % 16 == 3)
    await asyncio.gather(*(listed(store, room(name), card(at, name)) for at, name in enumerate(names, 1)))
    names.reverse()
    for limit in (7, 50, 500):
        assert await pages(store, limit) == [names[first : first + limit] for first in range(0, len(names), limit)]


async def test_a_room_that_opens_between_two_pages_moves_nothing(store: Store) -> None:
    """A cursor names a place, not a count."""
    for number in range(1, 5):
        await listed(store, room(f"room-{number}"), card(number, str(number)))
    first = await store.lobby(None, 2)
    await listed(store, room("room-9"), card(9, "9"))
    assert [data for _, data in (await store.lobby(first.next, 2)).entries] == [b"2", b"1"]


async def test_the_lobby_names_the_rooms(store: Store) -> None:
    """Each card comes with its room's key."""
    await listed(store, FRIDAY, card(5, "friday"))
    assert (await store.lobby(None, 5)).entries == ((FRIDAY, b"friday"),)


async def test_a_card_is_replaced_left_or_taken_out_by_an_append(store: Store) -> None:
    """UNSET leaves it, None removes it, and removing what is not there is not an error."""
    await listed(store, FRIDAY, card(5, "empty"))
    head = end_of(entries_after(NOT_BEGUN, "opened"))
    for lobby, shown in [(card(5, "full"), ["full"]), (card(7, "later"), ["later"]), (None, []), (None, [])]:
        entries = entries_after(head, "changed")
        await store.append(FRIDAY, head, Batch(entries, lobby=lobby))
        head = await append_events(store, FRIDAY, end_of(entries), "left the lobby alone")
        assert await pages(store, 9) == [shown]


@pytest.mark.parametrize("cursor", ["", "x", "MDAwMA==", "?", "ä", "AAAA"])
async def test_a_cursor_that_never_was_is_a_value_error(store: Store, cursor: str) -> None:
    """Whatever a client sends instead of one."""
    with pytest.raises(ValueError, match=r".+"):
        await store.lobby(cursor, 3)


async def owing(store: Store, key: RoomKey, due: int) -> None:
    """Open a room that is due at a moment."""
    await store.append(key, NOT_BEGUN, Batch(name="claim", entries=entries_after(NOT_BEGUN, "opened"), due=Millis(due)))


async def test_rooms_are_claimed_when_they_are_due_the_longest_due_first(store: Store) -> None:
    """At their moment, not before, and no more than the limit."""
    rooms = [room(f"room-{number}") for number in range(9)]
    for number, key in enumerate(rooms):
        await owing(store, key, 1000 - number)
    assert await store.claim_due(Millis(991), Millis(50), 10) == []
    assert await store.claim_due(Millis(993), Millis(50), 10) == [rooms[8], rooms[7]]
    assert await store.claim_due(Millis(1000), Millis(50), 3) == [rooms[6], rooms[5], rooms[4]]


async def test_a_claim_hides_a_room_until_the_lease_ends(store: Store) -> None:
    """Then it is due again, for the claimer may have died."""
    await owing(store, FRIDAY, 1000)
    assert await store.claim_due(Millis(1000), Millis(500), 10) == [FRIDAY]
    assert await store.claim_due(Millis(1499), Millis(500), 10) == []
    assert await store.claim_due(Millis(1500), Millis(500), 10) == [FRIDAY]


async def test_claimers_never_get_the_same_room_within_the_lease(stores: Stores) -> None:
    """Two processes, many claims at once: every room once."""
    rooms = [room(f"room-{number}") for number in range(60)]
    for key in rooms:
        await owing(stores.store, key, 1000)
    claims = [store.claim_due(Millis(2000), Millis(500), 7) for store in (stores.store, stores.other) * 12]
    claimed = [due_member(key) for keys in await asyncio.gather(*claims) for key in keys]
    assert len(claimed) == len(set(claimed))
    while more := await stores.other.claim_due(Millis(2000), Millis(500), 7):
        claimed += map(due_member, more)
    assert sorted(claimed) == sorted(map(due_member, rooms))


async def test_an_append_sets_the_next_due_moment_leaves_it_or_ends_it(store: Store) -> None:
    """No separate call has to release a claim."""
    await owing(store, FRIDAY, 1000)
    head = end_of(entries_after(NOT_BEGUN, "opened"))
    assert await store.claim_due(Millis(1000), Millis(9000), 1) == [FRIDAY]
    entries = entries_after(head, "moved")
    await store.append(FRIDAY, head, Batch(entries, due=Millis(2000)))
    head = await append_events(store, FRIDAY, end_of(entries), "chatted")
    assert await store.claim_due(Millis(2000), Millis(10), 1) == [FRIDAY]
    await store.append(FRIDAY, head, Batch(entries_after(head, "ended"), due=None))
    assert await store.claim_due(Millis(9999), Millis(10), 1) == []


def folded(version: int, records: bytes = b"") -> Snapshot:
    """Return a snapshot of a room at a version, with bytes that could be separators."""
    return Snapshot(Version(version), b"\x00 :room at %d" % version, records)


async def test_a_room_without_snapshots_has_none(store: Store) -> None:
    """Nor does saving one begin its stream."""
    assert await store.snapshot(FRIDAY) is None
    await store.save_snapshot(FRIDAY, folded(3))
    assert await store.snapshot(FRIDAY, Version(2)) is None
    assert await store.heads([FRIDAY]) == [None]


async def test_the_newest_snapshot_is_found_or_the_newest_up_to_a_version(store: Store) -> None:
    """Only the latest of all has idempotency records."""
    for version in (3, 20, 100):
        await store.save_snapshot(FRIDAY, folded(version, b"records"))
    assert await store.snapshot(FRIDAY) == folded(100, b"records")
    assert await store.snapshot(FRIDAY, Version(100)) == folded(100, b"records")
    assert await store.snapshot(FRIDAY, Version(99)) == folded(20)
    assert await store.snapshot(FRIDAY, Version(20)) == folded(20)
    assert await store.snapshot(FRIDAY, Version(19)) == folded(3)


async def test_an_older_snapshot_that_comes_late_does_not_become_the_latest(store: Store) -> None:
    """It is kept for its own version, without idempotency records."""
    await store.save_snapshot(FRIDAY, folded(100, b"new"))
    await store.save_snapshot(FRIDAY, folded(20, b"old"))
    assert await store.snapshot(FRIDAY) == folded(100, b"new")
    assert await store.snapshot(FRIDAY, Version(50)) == folded(20)


async def test_a_snapshot_of_the_same_version_replaces_the_other(store: Store) -> None:
    """It replaces the idempotency records as well."""
    await store.save_snapshot(FRIDAY, folded(20, b"first"))
    await store.save_snapshot(FRIDAY, folded(20, b"second"))
    assert await store.snapshot(FRIDAY) == folded(20, b"second")


async def test_of_many_snapshots_the_newest_and_one_of_each_thousand_versions_stay(store: Store) -> None:
    """The order of their arrival does not matter."""
    versions = [7, 480, 1000, 1003, 1500, 2600, 2601, 2700, 2800, 2900, 2950, 2960]
    for version in [*versions[6:], *versions[:6]]:
        await store.save_snapshot(FRIDAY, folded(version))
    found = []
    snapshot = await store.snapshot(FRIDAY)
    while snapshot is not None:
        found.append(snapshot.version)
        snapshot = await store.snapshot(FRIDAY, Version(snapshot.version - 1))
    assert found == [2960, 2950, 2900, 2800, 2600, 1000, 7]


async def test_a_deleted_snapshot_is_gone_and_the_one_before_it_has_no_records(store: Store) -> None:
    """Otherwise a room could be loaded from it without the events after it."""
    for version in (20, 100):
        await store.save_snapshot(FRIDAY, folded(version, b"records"))
    await store.drop_snapshot(FRIDAY, Version(100))
    assert await store.snapshot(FRIDAY) == folded(20)
    await store.drop_snapshot(FRIDAY, Version(20))
    assert await store.snapshot(FRIDAY) is None
    await store.drop_snapshot(FRIDAY, Version(20))


async def test_a_players_rooms_are_kept_in_the_order_of_their_notes(store: Store) -> None:
    """A room that is added again keeps its place; players don't see each other's rooms."""
    rooms = [room(f"room-{number}", f"e:{number}") for number in range(12)]
    for key in [*rooms, rooms[0]]:
        await store.remember_room(MISCHA, key)
    assert await store.rooms_of(MISCHA) == rooms
    assert await store.rooms_of(PlayerId("p_other")) == []


async def test_a_removed_room_that_is_added_again_comes_last(store: Store) -> None:
    """Deleting what was never recorded is not an error."""
    for key in (room("one"), room("two")):
        await store.remember_room(MISCHA, key)
    await store.forget_room(MISCHA, room("one"))
    await store.forget_room(MISCHA, room("three"))
    assert await store.rooms_of(MISCHA) == [room("two")]
    await store.remember_room(MISCHA, room("one"))
    assert await store.rooms_of(MISCHA) == [room("two"), room("one")]


async def test_listening_gets_a_wake_up_for_every_append_by_any_process(stores: Stores) -> None:
    """It names the version of the command's last event, and other rooms cause none."""
    head = await open_room(stores.store, FRIDAY)
    heard: asyncio.Queue[tuple[RoomKey, Version]] = asyncio.Queue()
    await stores.store.subscribe(FRIDAY, lambda key, version: heard.put_nowait((key, version)))
    await open_room(stores.other, room("another"))
    for events in (["a"], ["b", "c"], ["d"]):
        head = await append_events(stores.other, FRIDAY, head, *events)
    assert [await heard.get() for _ in range(3)] == [(FRIDAY, 2), (FRIDAY, 4), (FRIDAY, 5)]
    assert heard.empty()


async def test_an_unsubscribed_listener_receives_nothing_more(stores: Stores) -> None:
    """Until it subscribes again; a notification of another room shows that all have arrived."""
    head = await open_room(stores.store, FRIDAY)
    bell = await open_room(stores.store, room("bell"))
    heard: list[int] = []
    rang: asyncio.Queue[Version] = asyncio.Queue()
    await stores.store.subscribe(room("bell"), lambda _, version: rang.put_nowait(version))
    await stores.store.subscribe(FRIDAY, lambda _, version: heard.append(version))
    await stores.store.unsubscribe(FRIDAY)
    await stores.store.unsubscribe(FRIDAY)
    head = await append_events(stores.other, FRIDAY, head, "unheard")
    bell = await append_events(stores.other, room("bell"), bell, "ding")
    await rang.get()
    assert heard == []
    await stores.store.subscribe(FRIDAY, lambda _, version: heard.append(version))
    await append_events(stores.other, FRIDAY, head, "heard")
    await append_events(stores.other, room("bell"), bell, "ding")
    await rang.get()
    assert heard == [3]


async def test_a_listener_that_fails_does_not_silence_the_others(stores: Stores) -> None:
    """Its failure is the loop's to report."""
    loop = asyncio.get_running_loop()
    reported: asyncio.Queue[object] = asyncio.Queue()
    loop.set_exception_handler(lambda _, context: reported.put_nowait(context["exception"]))
    mistake = RuntimeError("a mistake")

    def fail(_key: RoomKey, _version: Version) -> None:
        raise mistake

    heard: asyncio.Queue[Version] = asyncio.Queue()
    await stores.store.subscribe(FRIDAY, fail)
    await stores.store.subscribe(room("other"), lambda _, version: heard.put_nowait(version))
    await open_room(stores.other, FRIDAY)
    await open_room(stores.other, room("other"))
    assert await heard.get() == 1
    assert await reported.get() is mistake


async def test_several_listeners_that_fail_at_once_are_reported_one_by_one(stores: Stores) -> None:
    """Later subscribers receive each of their notifications once."""
    reported: asyncio.Queue[str] = asyncio.Queue()
    asyncio.get_running_loop().set_exception_handler(lambda _, context: reported.put_nowait(str(context["exception"])))

    def fail(key: RoomKey, _version: Version) -> None:
        raise RuntimeError(key.name)

    heard: asyncio.Queue[RoomKey] = asyncio.Queue()
    rooms = [room(f"room-{number}") for number in range(9)]
    for number, key in enumerate(rooms):
        await stores.store.subscribe(key, fail if number % 3 else lambda key, _: heard.put_nowait(key))
    await asyncio.gather(*(open_room(stores.other, key) for key in rooms))
    assert {await heard.get() for _ in rooms[::3]} == set(rooms[::3])
    assert {await reported.get() for _ in range(6)} == {key.name for key in rooms} - {key.name for key in rooms[::3]}
    assert heard.empty()
    assert reported.empty()


async def test_the_clock_counts_milliseconds_since_1970(store: Store) -> None:
    """The store's own, here on the same machine."""
    assert abs(await store.time() - time.time() * 1000) < 60_000
