"""Chat lines: their text, and who receives them."""

import asyncio
from collections.abc import Collection

import pytest

from service.domain.game import Rejected
from service.domain.ids import Millis, PlayerId
from service.domain.room.model import commands
from service.rooms.social.chat import may_read_line, new_line, normalised_line
from service.store.side_channels import ProcessId
from service.streams.errors import ServiceError
from tests.rooms.processes import ANNA, BEN, CLARA, DORA, Process, RecordingSubscriber, run_pending, subscribe

DAY = Millis(24 * 3600 * 1000)


@pytest.mark.parametrize(
    ("text", "normalised"),
    [
        ("good game", "good game"),
        ("  two \t spaces\nand a line ", "two spaces and a line"),
        ("<b>not bold</b> & no &amp;", "<b>not bold</b> & no &amp;"),
        ("cafe\u0301", "café"),
        ("½ is not 1/2", "½ is not 1/2"),
        (
            "\N{MAN}\u200d\N{WOMAN}\u200d\N{GIRL} \N{HEAVY BLACK HEART}\ufe0f",
            "\N{MAN}\u200d\N{WOMAN}\u200d\N{GIRL} \N{HEAVY BLACK HEART}\ufe0f",
        ),
        ("\u0645\u06cc\u200c\u062e", "\u0645\u06cc\u200c\u062e"),
        ("x" * 500, "x" * 500),
    ],
)
def test_a_line_is_plain_text_in_one_line(text: str, normalised: str) -> None:
    """Normalised, with single spaces, and otherwise as it was typed."""
    assert normalised_line(text) == normalised


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   ",
        "\n",
        "\u200d",
        "\u3164\u115f",
        "\ufe0f",
        "x" * 501,
        "\0",
        "a\x1b[31m",
        "abc\u202ecba",
        "\u2066x\u2069",
        "x\u200b",
    ],
)
def test_invisible_or_reordering_text_is_rejected(text: str) -> None:
    """So is a line that is too long."""
    with pytest.raises(ServiceError) as refused:
        normalised_line(text)
    assert (refused.value.problem.status, refused.value.problem.code) == (422, "bad_line")


async def test_only_members_can_chat_in_a_room(process: Process) -> None:
    """With the nickname that they have there."""
    await process.open()
    await process.execute(BEN, commands.Join("spectator", "Benny"))
    table = (await process.cached_room()).state.table
    assert new_line(table, ANNA, "hello").audience == "all"
    assert new_line(table, BEN, "hello").nickname == "Benny"
    with pytest.raises(Rejected, match="not_a_member"):
        new_line(table, CLARA, "hello")


async def test_a_room_can_separate_the_chats_of_players_and_spectators(process: Process) -> None:
    """Viewers without a token count as spectators."""
    await process.open(chat="apart")
    await process.execute(BEN, commands.Join("spectator"))
    table = (await process.cached_room()).state.table
    assert new_line(table, ANNA, "mill!").audience == "players"
    assert new_line(table, BEN, "mill!").audience == "spectators"
    audiences = {
        who: [each for each in ("all", "players", "spectators") if may_read_line(table, who, each)]
        for who in (ANNA.id, BEN.id, None)
    }
    assert audiences == {ANNA.id: ["all", "players"], BEN.id: ["all", "spectators"], None: ["all", "spectators"]}


async def test_lines_reach_subscribers_in_every_process_who_may_read_them(process: Process) -> None:
    """Once each and in order, separated where the room is configured so, and never as events."""
    here, there = process, process.start_another()
    senders, receivers = here.with_social(ProcessId("here")), there.with_social(ProcessId("there"))
    live = await here.open(chat="apart")
    await here.execute(BEN, commands.Join("spectator"))
    version = live.head.version
    subscribers = [await subscribe(there, RecordingSubscriber(player)) for player in (ANNA, BEN, None)]
    for player, text in ((ANNA, "one"), (BEN, "two"), (ANNA, "three")):
        await senders.chat.add_line(live.key, new_line(live.state.table, player, text))
    await run_pending()
    received = [
        [frame["line"]["text"] for frame in subscriber.frames if frame["type"] == "chat"] for subscriber in subscribers
    ]
    assert received == [["one", "three"], ["two"], ["two"]]
    assert subscribers[1].frames[-1]["room"] == "friday-night"
    assert (await here.stored_room()).version == version
    lines, more = await receivers.chat.page(live.key, 2)
    assert [line.text for line in lines] == ["two", "three"]
    assert more == lines[0].id


async def test_a_damaged_line_is_left_out_of_its_page(process: Process) -> None:
    """It still counts, so that a page never looks like the last one."""
    social = process.with_social(ProcessId("here"))
    live = await process.open()
    for text in ("one", "two", "three"):
        await social.chat.add_line(live.key, new_line(live.state.table, ANNA, text))
    await process.store.side_channels.add_line(live.key, b'{"player":"p-anna","nickname":"\xc1nna"', 9, DAY)
    lines, more = await social.chat.page(live.key, 3)
    assert [line.text for line in lines] == ["two", "three"]
    assert more == lines[0].id


async def test_missed_lines_are_read_when_the_connection_is_restored(process: Process) -> None:
    """Those after the last one received, and none twice."""
    social = process.with_social(ProcessId("here"))
    live = await process.open()
    subscriber = await subscribe(process, RecordingSubscriber(ANNA))
    line = new_line(live.state.table, ANNA, "heard")
    await social.chat.add_line(live.key, line)
    await run_pending()
    observers, process.store.side_channels._observers = process.store.side_channels._observers, {}
    for _ in range(3):
        await social.chat.add_line(live.key, line)
    process.store.side_channels._observers = observers
    social.changes_missed(live.key)
    social.changes_missed(live.key)
    await run_pending()
    ids = [frame["line"]["id"] for frame in subscriber.frames if frame["type"] == "chat"]
    assert ids == [line.id for line in (await social.chat.page(live.key, 9))[0]]


async def test_a_room_without_subscribers_has_no_chat_subscription(process: Process) -> None:
    """It ends with the last subscriber."""
    process.with_social(ProcessId("here"))
    live = await process.open()
    subscriber = await subscribe(process, RecordingSubscriber(DORA))
    assert live.key in process.store.side_channels._observers
    process.rooms.unsubscribe(live, subscriber)
    await run_pending()
    assert process.store.side_channels._observers == {}


class SlowBlocks:
    """Blocks that a test lets be loaded; Anna has blocked Ben."""

    def __init__(self) -> None:
        """Know nothing yet."""
        self.wanted: list[set[PlayerId]] = []
        self.may_load = asyncio.Event()
        self.known: set[PlayerId] = set()

    async def prepare(self, players: Collection[PlayerId]) -> None:
        """Load when the test lets it."""
        self.wanted.append(set(players))
        await self.may_load.wait()
        self.known |= set(players)

    def is_ready(self, players: Collection[PlayerId]) -> bool:
        """Return whether all of them are known."""
        return self.known >= set(players)

    def hides(self, one: PlayerId, other: PlayerId) -> bool:
        """Return whether these are Anna and Ben, if Anna is known."""
        return ANNA.id in self.known and {one, other} == {ANNA.id, BEN.id}


async def test_lines_wait_in_order_until_the_blocks_are_loaded(process: Process) -> None:
    """Those of the sender and of everybody who follows the room; without any such player, none."""
    blocks = SlowBlocks()
    social = process.with_social(ProcessId("here"), blocks=blocks)
    await process.open()
    for player in (BEN, CLARA):
        await process.execute(player, commands.Join("spectator"))
    live = await process.cached_room()
    stranger = await subscribe(process, RecordingSubscriber())
    await social.chat.add_line(live.key, new_line(live.state.table, BEN, "first"))
    await run_pending()
    assert (stranger.types[-1], blocks.wanted) == ("chat", [])
    anna = await subscribe(process, RecordingSubscriber(ANNA))
    for player, text in ((BEN, "second"), (CLARA, "third")):
        await social.chat.add_line(live.key, new_line(live.state.table, player, text))
    await run_pending()
    assert "chat" not in anna.types
    blocks.may_load.set()
    await run_pending()
    assert blocks.wanted == [{ANNA.id, BEN.id}, {ANNA.id, CLARA.id}]
    assert [frame["line"]["text"] for frame in anna.frames if frame["type"] == "chat"] == ["third"]
    said = [frame["line"]["text"] for frame in stranger.frames if frame["type"] == "chat"]
    assert said == ["first", "second", "third"]
