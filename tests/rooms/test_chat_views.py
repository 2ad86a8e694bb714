"""Views of the chat: the lobby and a player's rooms in one order, as pages and live."""

import asyncio
from typing import Any

import msgspec
import pytest

from service.domain.ids import Millis, Player, RoomName
from service.domain.room.model import commands
from service.domain.room.model.settings import OpenRoom, RequestedSettings
from service.rooms.commands.requests import CommandRequest
from service.rooms.feeds.frames import ALL, CHAT, THE_LOBBY, ChatLine, OutgoingFrame
from service.rooms.repository import LoadedRoom
from service.rooms.social import chat_views
from service.rooms.social.chat import ChatPage, new_line
from service.rooms.social.chat_views import merge
from service.rooms.social.feeds import SocialFeeds
from service.store.contract import StoreUnavailable
from service.store.side_channels import ProcessId, place_of_line
from tests.rooms.processes import ANNA, BEN, CLARA, Process, RecordingSubscriber, run_pending
from tests.rooms.test_chat import SlowBlocks


class ChatRecorder:
    """A subscriber that records what it receives."""

    def __init__(self, view: str, player: Player | None = None, live: LoadedRoom | None = None) -> None:
        """Follow this view as this player."""
        self.view, self.live, self.player = view, live, player.id if player else None
        self.frames: list[dict[str, Any]] = []

    def offer(self, frame: OutgoingFrame) -> None:
        """Record a frame."""
        assert frame.room == CHAT
        self.frames.append(msgspec.json.decode(frame.json))

    @property
    def texts(self) -> list[str]:
        """The lines since the latest snapshot, and in it."""
        shown: list[str] = []
        for frame in self.frames:
            if frame["type"] == "chat_snapshot":
                shown = [line["text"] for line in frame["lines"]]
            else:
                shown.append(frame["line"]["text"])
        return shown


async def open_room(process: Process, title: str, by: Player, *members: Player, **settings: Any) -> LoadedRoom:
    """Open a room with members."""
    opened = await process.rooms.open(OpenRoom("morris", title, settings=RequestedSettings(**settings)), by)
    live = await process.core.repository.by_key(opened.room.table.key)
    for member in members:
        await join(process, title, member)
    return live


async def join(process: Process, room: str, player: Player, **more: Any) -> None:
    """Join a room."""
    await process.rooms.command(RoomName(room), CommandRequest(commands.Join("player", **more), player))


async def say(social: SocialFeeds, live: LoadedRoom | None, player: Player, text: str) -> ChatLine:
    """Write a line, a millisecond after the one before."""
    said = await social.chat.lobby_line(player, text) if live is None else new_line(live.state.table, player, text)
    line, _ = await social.chat.add_line(None if live is None else live.key, said)
    await run_pending()
    return line


async def texts_of(social: SocialFeeds, player: Player | None, limit: int = 50, **cursor: str) -> list[str]:
    """Return the lines of a page of the view `all`."""
    by = player.id if player else None
    page = await social.views.page(await social.views.places(ALL, None, by), by, limit, **cursor)
    return [line.text for line in page.lines]


def line(number: int, room: str = "") -> ChatLine:
    """Return a line at this millisecond."""
    return ChatLine(f"{number}-0", "", ANNA, "all", f"{number}{room}")


async def test_the_lobby_and_own_rooms_have_one_order(process: Process) -> None:
    """By time; a room of others is not among them, and without a token only the lobby is."""
    social = process.with_social(ProcessId("here"))
    one, two = await open_room(process, "room-one", ANNA), await open_room(process, "room-two", BEN, ANNA)
    others = await open_room(process, "room-three", BEN)
    for number, (live, player) in enumerate([(one, ANNA), (None, BEN), (two, BEN), (others, BEN), (one, ANNA)]):
        process.clock.time = Millis(process.clock.time + 1)
        await say(social, live, player, str(number))
    assert await texts_of(social, ANNA) == ["0", "1", "2", "4"]
    assert await texts_of(social, None) == ["1"]
    assert await texts_of(social, ANNA, 2) == ["2", "4"]
    page = await social.views.page(await social.views.places(ALL, None, ANNA.id), ANNA.id, 50)
    assert [(each.room, each.title) for each in page.lines[:2]] == [("room-one", "room-one"), (msgspec.UNSET,) * 2]


async def test_pages_of_a_view_have_every_line_once(process: Process) -> None:
    """In both directions, whatever the size of the pages, also where several places have the same id."""
    social = process.with_social(ProcessId("here"))
    rooms = [None, await open_room(process, "room-one", ANNA), await open_room(process, "room-two", ANNA)]
    expected = []
    for number in range(30):
        process.clock.time = Millis(process.clock.time + (number % 3 > 0))
        text = f"{number}"
        await say(social, rooms[number * number % 3], ANNA, text)
        expected.append(text)
    places = await social.views.places(ALL, None, ANNA.id)
    for limit in (1, 2, 3, 7, 30, 50):
        backward: list[ChatLine] = []
        cursor: str | None = None
        while True:
            page = await social.views.page(places, ANNA.id, limit, before=cursor)
            backward = [*page.lines, *backward]
            if (cursor := page.next) is None:
                break
        forward: list[ChatLine] = []
        cursor = "1-0"
        while cursor is not None:
            page = await social.views.page(places, ANNA.id, limit, after=cursor)
            forward += page.lines
            cursor = page.next
        assert sorted(each.text for each in backward) == sorted(each.text for each in forward) == sorted(expected)
        ids = [place_of_line(each.id) for each in backward]
        assert ids == sorted(ids) == [place_of_line(each.id) for each in forward]


def test_a_page_ends_where_a_place_has_lines_that_were_not_read() -> None:
    """Otherwise they would be missing between its lines and those of the next page."""
    full = ChatPage((line(7), line(9)), "7-0")
    short = ChatPage((line(3, "b"), line(8, "b")), None)
    page = merge([full, short], 9, forward=False)
    assert ([each.text for each in page.lines], page.next) == (["7", "8b", "9"], "7-0")
    ahead = merge([ChatPage((line(1), line(2)), "2-0"), ChatPage((line(5, "b"),), None)], 9, forward=True)
    assert ([each.text for each in ahead.lines], ahead.next) == (["1", "2"], "2-0")


async def test_a_missing_entry_hides_no_other_room(process: Process) -> None:
    """Nor does a damaged one, in pages and live."""
    social = process.with_social(ProcessId("here"))
    lives = [await open_room(process, f"room-{number}", ANNA) for number in range(4)]
    for live in lives:
        await say(social, live, ANNA, live.key.name)
    there = process.start_another()
    elsewhere = there.with_social(ProcessId("there"))
    del there.store._streams[lives[1].key]
    damaged = there.store._streams[lives[2].key]
    damaged.entries[0] = msgspec.structs.replace(damaged.entries[0], data=b"{}")
    damaged.snapshots.clear()
    assert await texts_of(elsewhere, ANNA) == ["room-0", "room-3"]
    recorder = ChatRecorder(ALL, ANNA)
    await elsewhere.views.follow(recorder)
    for live in (lives[2], lives[3]):
        await say(social, live, ANNA, f"new in {live.key.name}")
    assert recorder.texts == ["room-0", "room-3", "new in room-3"]


async def test_only_the_newest_rooms_are_part_of_a_view(process: Process, monkeypatch: pytest.MonkeyPatch) -> None:
    """So that a player in very many rooms costs no more than others."""
    monkeypatch.setattr(chat_views, "MOST_ROOMS", 2)
    social = process.with_social(ProcessId("here"))
    for number in range(4):
        await say(social, await open_room(process, f"room-{number}", ANNA), ANNA, f"{number}")
    there = process.start_another()
    assert await texts_of(there.with_social(ProcessId("there")), ANNA) == ["2", "3"]
    assert there.core.repository.count() == 2


async def test_a_subscriber_gets_the_latest_lines_and_then_every_new_one(process: Process) -> None:
    """Of the lobby and its rooms in every process, once each, without following the rooms."""
    social = process.with_social(ProcessId("here"))
    one, two = await open_room(process, "room-one", ANNA, BEN), await open_room(process, "room-two", BEN)
    await say(social, one, ANNA, "before")
    there = process.start_another()
    elsewhere = there.with_social(ProcessId("there"))
    anna, lobby = ChatRecorder(ALL, ANNA), ChatRecorder(THE_LOBBY, ANNA)
    room = ChatRecorder("room-two", None, await there.rooms.read(RoomName("room-two"), None))
    for recorder in (anna, lobby, room):
        await elsewhere.views.follow(recorder)
    for live, text in ((one, "in one"), (None, "in the lobby"), (two, "in two")):
        await say(social, live, BEN, text)
    assert anna.frames[0] == {
        "type": "chat_snapshot",
        "view": "all",
        "lines": [
            msgspec.to_builtins(each) for each in (await social.views.page([one], ANNA.id, 1, after="1-0")).lines
        ],
        "next": None,
    }
    assert anna.texts == ["before", "in one", "in the lobby"]
    assert (anna.frames[1]["room"], anna.frames[1]["line"]["title"]) == ("room-one", "room-one")
    assert (lobby.texts, room.texts) == (["in the lobby"], ["in two"])
    assert there.core.hub.rooms() == []
    for recorder in (anna, lobby, room):
        elsewhere.views.unfollow(recorder)
    await run_pending()
    assert there.store.side_channels._observers == {}
    await say(social, one, BEN, "later")
    assert anna.texts[-1] == "in the lobby"


async def test_a_socket_that_follows_a_room_and_the_chat_gets_its_lines_once(process: Process) -> None:
    """And the room is still followed after the view of the chat has ended."""
    social = process.with_social(ProcessId("here"))
    live = await open_room(process, "room-one", ANNA)
    subscriber = RecordingSubscriber(ANNA)
    await process.rooms.subscribe(live, subscriber, None, None)
    both = ChatRecorder(ALL, ANNA)
    both.frames = subscriber.frames
    both.offer = subscriber.offer  # type: ignore[method-assign]  # as two subscriptions of one socket share its queue
    await social.views.follow(both)
    await say(social, live, ANNA, "once")
    assert [frame["line"]["text"] for frame in subscriber.frames if frame["type"] == "chat"] == ["once"]
    social.views.unfollow(both)
    await run_pending()
    await say(social, live, ANNA, "still")
    assert subscriber.frames[-1]["line"]["text"] == "still"


async def test_lines_that_arrive_while_a_snapshot_is_read_follow_it(process: Process) -> None:
    """Those that it has already are not sent again."""
    social = process.with_social(ProcessId("here"))
    live = await open_room(process, "room-one", ANNA)
    recorder = ChatRecorder(ALL, ANNA)
    original = social.chat.page
    reached, released = asyncio.Event(), asyncio.Event()

    async def page(*values: Any, **more: Any) -> Any:
        found = await original(*values, **more)
        reached.set()
        await released.wait()
        return found

    social.chat.page = page  # type: ignore[method-assign]  # a slow store
    following = asyncio.create_task(social.views.follow(recorder))
    await reached.wait()
    await say(social, live, ANNA, "meanwhile")
    assert recorder.frames == []
    released.set()
    await following
    assert [frame["type"] for frame in recorder.frames] == ["chat_snapshot", "chat"]
    social.views.resync(recorder)
    await run_pending()
    assert [frame["type"] for frame in recorder.frames] == ["chat_snapshot", "chat", "chat_snapshot"]
    assert recorder.texts == ["meanwhile"]


async def test_rooms_that_a_player_enters_join_the_view(process: Process) -> None:
    """At once if it happens through the same process, otherwise at the next comparison."""
    social = process.with_social(ProcessId("here"))
    there = process.start_another()
    there.with_social(ProcessId("there"))
    recorder = ChatRecorder(ALL, ANNA)
    await social.views.follow(recorder)
    one = await open_room(process, "room-one", BEN)
    await say(social, one, BEN, "before Anna")
    await join(process, "room-one", ANNA)
    await run_pending()
    assert recorder.texts == ["before Anna"]
    comparing = asyncio.create_task(social.views.run(0))
    two = await open_room(there, "room-two", ANNA)
    await say(social, two, ANNA, "from there")
    await run_pending()
    comparing.cancel()
    assert recorder.texts == ["before Anna", "from there"]
    await process.rooms.command(RoomName("room-one"), CommandRequest(commands.Leave(), ANNA))
    await say(social, one, BEN, "without Anna")
    assert recorder.texts[-1] == "from there"


async def test_only_what_a_subscriber_may_read_is_sent(process: Process) -> None:
    """By its role in rooms that separate the chats, by blocks, and no longer once it is not a member."""
    blocks = SlowBlocks()
    blocks.may_load.set()
    social = process.with_social(ProcessId("here"), blocks=blocks)
    apart = await open_room(process, "room-one", CLARA, BEN, chat="apart")
    await process.rooms.command(RoomName("room-one"), CommandRequest(commands.Join("spectator"), ANNA))
    secret = await open_room(process, "room-two", CLARA, visibility="private", password="sesame")  # noqa: S106 - its own
    await join(process, secret.key.name, ANNA, password="sesame")  # noqa: S106 - the room's
    anna, room = ChatRecorder(ALL, ANNA), ChatRecorder(secret.key.name, ANNA, secret)
    for recorder in (anna, room):
        await social.views.follow(recorder)
    await say(social, apart, CLARA, "for players")
    await say(social, None, BEN, "from a blocked player")
    await say(social, None, CLARA, "from another one")
    await say(social, secret, CLARA, "secret")
    await process.rooms.command(secret.key.name, CommandRequest(commands.Kick(ANNA.id), CLARA))
    await say(social, secret, CLARA, "without Anna")
    assert anna.texts == ["from another one", "secret"]
    assert room.texts == ["secret"]
    social.views.resync(room)
    await run_pending()
    assert room.texts == []
    assert await texts_of(social, ANNA) == ["from another one"]


async def test_a_snapshot_is_sent_when_the_store_is_back(process: Process, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lines that arrive before are not lost."""
    monkeypatch.setattr(chat_views, "PAUSE_AFTER_FAILURE", 0)
    social = process.with_social(ProcessId("here"))
    live = await open_room(process, "room-one", ANNA)
    recorder = ChatRecorder(ALL, ANNA)
    await social.views.follow(recorder)
    process.store.failing["rooms_of"] = StoreUnavailable()
    social.views.resync(recorder)
    await say(social, live, ANNA, "hello")
    assert [frame["type"] for frame in recorder.frames] == ["chat_snapshot", "chat_snapshot"]
    assert recorder.texts == ["hello"]
    subscribe, failures = process.store.side_channels.subscribe, [StoreUnavailable()]

    async def fail_once(*values: Any) -> None:
        if failures:
            raise failures.pop()
        await subscribe(*values)

    monkeypatch.setattr(process.store.side_channels, "subscribe", fail_once)
    other = await open_room(process, "room-two", ANNA)
    await run_pending()
    await say(social, other, ANNA, "from a room that could not be followed at once")
    assert recorder.texts[-1] == "from a room that could not be followed at once"
