"""The contract of the side channels, for every kind of store."""

import asyncio
from dataclasses import dataclass, field

import pytest

from service.domain.ids import Millis, PlayerId, RoomKey
from service.store.contract import NOT_BEGUN, Batch, LobbyRow, Report, Store
from service.store.redis.store import RedisStore
from service.store.side_channels import AddedLine, LineKey, ProcessId, SideChannels, Where
from service.store.side_channels import Line as ChatLine
from tests.store.conftest import Stores, card, end_of, entries_after, room
from tests.waiting import PATIENCE, wait_until

FRIDAY = room()
HERE, THERE = ProcessId("process-1"), ProcessId("process-2")
DAY = Millis(86_400_000)


@dataclass
class Subscriber:
    """A subscriber of a room and of the lobby that records what it receives."""

    received: list[object] = field(default_factory=list)

    def line_added(self, where: Where, line: ChatLine) -> None:
        """Record a line."""
        self.received.append((where, line))

    def presence_changed(self, where: Where, process: ProcessId) -> None:
        """Record that the presence of a process changed."""
        self.received.append((where, process))

    def changes_missed(self, where: Where) -> None:
        """Record that notifications may have been missed."""
        self.received.append(("missed", where))

    def lobby(self, key: RoomKey | None, card: bytes | None) -> None:
        """Record a change of the lobby."""
        self.received.append((key, card))

    async def has(self, *received: object) -> None:
        """Wait until exactly this has arrived."""
        await wait_until(lambda: len(self.received) >= len(received))
        await asyncio.sleep(0.01)
        assert self.received == list(received)


@pytest.fixture
def side_channels(store: Store) -> SideChannels:
    """Return the side channels of each kind of store in turn."""
    return store.side_channels


async def test_the_lobby_notifies_of_changed_cards_only(stores: Stores) -> None:
    """New, changed and removed entries of any process; an unchanged entry is not announced."""
    subscriber, head = Subscriber(), end_of(entries_after(NOT_BEGUN, "opened"))
    await stores.store.side_channels.subscribe_to_lobby(subscriber.lobby)
    await stores.other.append(
        FRIDAY, NOT_BEGUN, Batch(name="claim", entries=entries_after(NOT_BEGUN, "opened"), lobby=card(5, "one seat"))
    )
    shown: list[LobbyRow | None] = [card(5, "one seat"), card(5, "two seats"), None, None]
    for lobby in shown:
        entries = entries_after(head, "changed")
        await stores.other.append(FRIDAY, head, Batch(entries, lobby=lobby))
        head = end_of(entries)
    await stores.other.append(
        room("private"), NOT_BEGUN, Batch(name="claim", entries=entries_after(NOT_BEGUN, "opened"), lobby=None)
    )
    await subscriber.has((FRIDAY, b"one seat"), (FRIDAY, b"two seats"), (FRIDAY, None))
    await stores.store.side_channels.unsubscribe_from_lobby()
    await stores.other.append(
        room("later"), NOT_BEGUN, Batch(name="claim", entries=entries_after(NOT_BEGUN, "opened"), lobby=card(6))
    )
    assert (await stores.store.lobby(None, 5)).entries == ((room("later"), b"card"),)
    assert len(subscriber.received) == 3


async def test_a_visit_is_remembered_for_a_while(stores: Stores) -> None:
    """By every process, for this room alone; a later visit makes it last."""
    assert not await stores.other.side_channels.was_visited(FRIDAY)
    await stores.store.side_channels.record_visit(FRIDAY, Millis(1))
    await stores.store.side_channels.record_visit(FRIDAY, DAY)
    assert await stores.other.side_channels.was_visited(FRIDAY)
    assert not await stores.other.side_channels.was_visited(room("saturday"))
    await stores.store.side_channels.record_visit(room("saturday"), Millis(1))
    async with asyncio.timeout(PATIENCE):
        while await stores.other.side_channels.was_visited(room("saturday")):  # noqa: ASYNC110 - a key expires without a word
            await asyncio.sleep(0.01)


async def test_the_visits_of_players_are_remembered_one_by_one(stores: Stores) -> None:
    """Of a room; they are no visits of the room, which is recorded separately."""
    here, there = stores.store.side_channels, stores.other.side_channels
    anna, ben, clara = PlayerId("p-anna"), PlayerId("p-ben"), PlayerId("p-clara")
    await here.record_visit(FRIDAY, DAY, anna)
    await here.record_visit(FRIDAY, DAY, clara)
    await here.record_visit(room("saturday"), DAY, ben)
    assert list(await there.who_visited(FRIDAY, (anna, ben))) == [anna]
    assert list(await there.who_visited(FRIDAY, ())) == []
    await there.forget_visits(FRIDAY, (anna, ben))
    await there.forget_visits(FRIDAY, ())
    assert list(await here.who_visited(FRIDAY, (anna, clara))) == [clara]
    assert not await there.was_visited(FRIDAY)
    await here.record_visit(room("saturday"), Millis(1), ben)
    async with asyncio.timeout(PATIENCE):
        while await there.who_visited(room("saturday"), (ben,)):  # noqa: ASYNC110 - a key expires without a word
            await asyncio.sleep(0.01)


async def test_a_room_is_kept_open_for_a_while(stores: Stores) -> None:
    """Of which every process knows how long; a later record replaces the earlier one."""
    here, there = stores.store.side_channels, stores.other.side_channels
    assert await there.kept_open_for(FRIDAY) == 0
    await here.keep_open(FRIDAY, DAY)
    assert 0 < await there.kept_open_for(FRIDAY) <= DAY
    assert await there.kept_open_for(room("saturday")) == 0
    await there.keep_open(FRIDAY, Millis(1))
    async with asyncio.timeout(10):
        while await here.kept_open_for(FRIDAY):  # noqa: ASYNC110 - a key expires without a word
            await asyncio.sleep(0.01)


async def test_the_progress_of_a_review_is_known_for_a_while(stores: Stores) -> None:
    """To every process; a later record replaces the earlier one."""
    here, there = stores.store.side_channels, stores.other.side_channels
    assert await there.find_progress("friday.1") == 0
    for plies in (1, 12):
        await here.record_progress("friday.1", plies, DAY)
        assert await there.find_progress("friday.1") == plies
    assert await there.find_progress("saturday.1") == 0
    await there.record_progress("friday.1", 13, Millis(1))
    async with asyncio.timeout(10):
        while await here.find_progress("friday.1"):  # noqa: ASYNC110 - a key expires without a word
            await asyncio.sleep(0.01)


async def test_a_code_leads_to_its_room_for_a_while(stores: Stores) -> None:
    """For every process, and nothing else leads there."""
    here, there = stores.store.side_channels, stores.other.side_channels
    await here.record_invitation("hash", FRIDAY, DAY)
    await here.record_invitation("soon", FRIDAY, Millis(1))
    assert await there.find_invitation("hash") == FRIDAY
    assert await there.find_invitation("other") is None
    async with asyncio.timeout(PATIENCE):
        while await there.find_invitation("soon"):  # noqa: ASYNC110 - a key expires without a word
            await asyncio.sleep(0.01)


async def test_lines_are_kept_in_order_and_read_in_pages_both_ways(side_channels: SideChannels) -> None:
    """The last ones, those before a line, and those after one; rooms and the lobby apart."""
    lines = [(await side_channels.add_line(FRIDAY, b"line %d" % number, 100, DAY)).line for number in range(7)]
    await side_channels.add_line(None, b"in the lobby", 100, DAY)
    assert await side_channels.read_lines(FRIDAY, 3) == lines[4:]
    assert await side_channels.read_lines(FRIDAY, 3, before=lines[4].id) == lines[1:4]
    assert await side_channels.read_lines(FRIDAY, 3, before=lines[1].id) == lines[:1]
    assert await side_channels.read_lines(FRIDAY, 3, after=lines[2].id) == lines[3:6]
    assert await side_channels.read_lines(FRIDAY, 3, after=lines[6].id) == []
    assert [line.data for line in await side_channels.read_lines(None, 3)] == [b"in the lobby"]
    assert await side_channels.read_lines(room("another"), 3) == []


async def test_a_chat_keeps_its_latest_lines(side_channels: SideChannels) -> None:
    """About as many as requested; the store may trim in portions."""
    for number in range(600):
        await side_channels.add_line(FRIDAY, b"x" * 40 + b"%d" % number, 100, DAY)
    kept = await side_channels.read_lines(FRIDAY, 1000)
    assert 100 <= len(kept) < 300
    assert kept[-1].data.endswith(b"599")


async def test_lines_can_be_replaced_in_their_places(stores: Stores) -> None:
    """Those that exist; later lines follow, and no other chat changes."""
    chat = stores.store.side_channels
    lines = [(await chat.add_line(FRIDAY, b"line %d" % number, 100, DAY)).line for number in range(3)]
    elsewhere = (await chat.add_line(None, b"in the lobby", 100, DAY)).line
    await chat.replace_lines(FRIDAY, {lines[1].id: b"erased", "1-1": b"unknown"})
    later = (await chat.add_line(FRIDAY, b"later", 100, DAY)).line
    assert await chat.read_lines(FRIDAY, 9) == [lines[0], ChatLine(lines[1].id, b"erased"), lines[2], later]
    await chat.replace_lines(room("another"), {lines[1].id: b"erased"})
    assert await chat.read_lines(room("another"), 9) == []
    assert await chat.read_lines(None, 9) == [elsewhere]
    page = await stores.store.admin_store.chats()
    assert set(page.items) <= {None, FRIDAY}


async def test_a_line_with_a_key_is_added_once(stores: Stores) -> None:
    """In one chat, by whichever process, until the key is forgotten."""
    once, soon = LineKey("0a1b", "f1", DAY), LineKey("0a1b", "f1", Millis(1))
    first = await stores.store.side_channels.add_line(FRIDAY, b"hello", 9, DAY, once)
    assert first.fingerprint is None
    again = await stores.other.side_channels.add_line(FRIDAY, b"changed", 9, DAY, LineKey("0a1b", "f2", DAY))
    assert again == AddedLine(first.line, "f1")
    assert await stores.store.side_channels.read_lines(FRIDAY, 9) == [first.line]
    elsewhere = await stores.store.side_channels.add_line(None, b"hello", 9, DAY, soon)
    assert elsewhere.fingerprint is None
    async with asyncio.timeout(PATIENCE):
        while (later := await stores.store.side_channels.add_line(None, b"again", 9, DAY, soon)).fingerprint:  # noqa: ASYNC110 - a key expires without a word
            await asyncio.sleep(0.01)
    assert later.line.data == b"again"


async def test_a_chat_line_is_sent_to_every_subscribed_process(stores: Stores) -> None:
    """It is in its stored form. No line arrives after `unsubscribe`, and none of another room."""
    subscriber, other = Subscriber(), Subscriber()
    await stores.store.side_channels.subscribe(FRIDAY, subscriber)
    await stores.store.side_channels.subscribe(None, other)
    first = (await stores.other.side_channels.add_line(FRIDAY, b"hello friday", 9, DAY)).line
    await stores.other.side_channels.add_line(room("another"), b"hello", 9, DAY)
    await subscriber.has((FRIDAY, first))
    await stores.store.side_channels.unsubscribe(FRIDAY)
    await stores.other.side_channels.add_line(FRIDAY, b"anybody?", 9, DAY)
    lobby = (await stores.other.side_channels.add_line(None, b"hello lobby", 9, DAY)).line
    await other.has((None, lobby))
    assert subscriber.received == [(FRIDAY, first)]


async def test_presence_is_published_and_stored_per_process(stores: Stores) -> None:
    """Each process replaces only its own presence, and its list of rooms with it."""
    subscriber, side_channels = Subscriber(), stores.other.side_channels
    await stores.store.side_channels.subscribe(FRIDAY, subscriber)
    await side_channels.store_presence(FRIDAY, HERE, b"anna")
    assert await side_channels.store_presence(FRIDAY, THERE, b"ben") == {HERE: b"anna", THERE: b"ben"}
    await side_channels.store_presence(FRIDAY, HERE, b"anna twice")
    await side_channels.store_presence(room("another"), HERE, b"anna")
    assert await side_channels.read_presence(FRIDAY) == {HERE: b"anna twice", THERE: b"ben"}
    assert sorted(key.name for key in await side_channels.rooms_of_process(HERE)) == ["another", "friday-night"]
    await side_channels.store_presence(FRIDAY, HERE, None)
    assert await stores.store.side_channels.read_presence(FRIDAY) == {THERE: b"ben"}
    assert await side_channels.rooms_of_process(HERE) == [room("another")]
    await subscriber.has((FRIDAY, HERE), (FRIDAY, THERE), (FRIDAY, HERE), (FRIDAY, HERE))


async def test_an_earlier_id_of_a_process_is_replaced_atomically(side_channels: SideChannels) -> None:
    """Its presence is removed, and the room is on the list of the new id only."""
    await side_channels.store_presence(FRIDAY, HERE, b"anna")
    assert await side_channels.store_presence(FRIDAY, ProcessId("process-1.2"), b"anna", HERE) == {
        "process-1.2": b"anna"
    }
    assert await side_channels.rooms_of_process(HERE) == []
    assert await side_channels.rooms_of_process(ProcessId("process-1.2")) == [FRIDAY]


async def test_a_process_without_heartbeats_is_seen_by_all_and_may_return(side_channels: SideChannels) -> None:
    """Until it is declared dead, a process renews its lease as if nothing had been."""
    assert await side_channels.beat(HERE, DAY) == (fresh := await side_channels.beat(THERE, DAY))
    assert (fresh.alive, fresh.dead) == (False, ())
    assert (await side_channels.beat(HERE, Millis(30))).alive
    await wait_until_ended(side_channels)
    assert (await side_channels.beat(HERE, DAY)).alive
    assert (await side_channels.beat(THERE, DAY)).dead == ()


async def test_only_a_process_whose_lease_ended_long_enough_ago_is_declared_dead(side_channels: SideChannels) -> None:
    """A declared process cannot renew its lease, is seen by all until it is retired, and is unknown then."""
    await side_channels.beat(HERE, Millis(0))
    await wait_until_ended(side_channels)
    assert not await side_channels.declare_dead(HERE, DAY)
    assert not await side_channels.declare_dead(THERE, Millis(0))
    assert await side_channels.declare_dead(HERE, Millis(0))
    assert await side_channels.declare_dead(HERE, Millis(0))
    assert not (await side_channels.beat(HERE, DAY)).alive
    assert (await side_channels.beat(THERE, DAY)).dead == (HERE,)
    await side_channels.retire(HERE)
    assert not await side_channels.declare_dead(HERE, Millis(0))
    last = await side_channels.beat(THERE, DAY)
    assert (last.alive, last.dead) == (True, ())


@pytest.mark.parametrize("step", [3_600_000, -3_600_000])
async def test_a_step_of_the_store_s_clock_ends_no_lease(redis_store: RedisStore, step: int) -> None:
    """Not before it is corrected and not after. A lease that is not renewed still ends."""
    upkeep, side_channels = redis_store.worker_store, redis_store.side_channels
    lease = Millis(10_000)
    await upkeep.correct_clock(Millis(0), Millis(-step))  # as if the store's clock were about to be set
    before = Millis((await upkeep.read_clock()).time - step)
    await upkeep.pulse(Report(before, before))
    await side_channels.beat(HERE, lease)
    await upkeep.correct_clock(Millis(-step), Millis(0))
    assert (await side_channels.beat(THERE, lease)).dead == ()
    assert not await side_channels.declare_dead(HERE, Millis(0))
    await upkeep.correct_clock(Millis(0), Millis(-step))
    assert (await side_channels.beat(THERE, lease)).dead == ()
    later = Millis(before + 2 * lease)
    await upkeep.correct_clock(Millis(-step), Millis(2 * lease - step))
    await upkeep.pulse(Report(later, later))
    assert (await side_channels.beat(THERE, lease)).dead == (HERE,)
    assert await side_channels.declare_dead(HERE, Millis(0))


async def wait_until_ended(side_channels: SideChannels) -> None:
    """Wait until the lease of `HERE` has ended."""

    async def has_ended() -> bool:
        return (await side_channels.beat(THERE, DAY)).dead == (HERE,)

    await wait_until(has_ended)


async def test_a_link_code_is_taken_once(stores: Stores) -> None:
    """By one of all who try at the same time, before its record expires."""
    await stores.store.side_channels.record_link_code("hash", b"anna", DAY)
    await stores.store.side_channels.record_link_code("gone", b"ben", Millis(1))
    clients = (stores.store.side_channels, stores.other.side_channels) * 4
    found = await asyncio.gather(*(client.take_link_code("hash") for client in clients))
    assert [each for each in found if each is not None] == [b"anna"]
    await asyncio.sleep(0.01)
    assert await stores.store.side_channels.take_link_code("gone") is None
    assert await stores.store.side_channels.take_link_code("other") is None


async def test_players_whose_guest_token_was_replaced_are_listed_once_in_order(stores: Stores) -> None:
    """Each process reads what it has not read yet."""
    anna, ben, clara = (PlayerId(name) for name in ("p-anna", "p-ben", "p-clara"))
    for player in (ben, anna, ben):
        await stores.store.admin_store.record_replaced(player)
    assert await stores.other.admin_store.replaced() == [ben, anna]
    await stores.other.admin_store.record_replaced(clara)
    assert await stores.store.admin_store.replaced(1, 1) == [anna]
    assert await stores.store.admin_store.replaced(2) == [clara]
    assert await stores.store.admin_store.replaced(3) == []
