"""What a line is, and who hears it."""

import pytest

from service.domain.game import Rejected
from service.domain.room.model import commands
from service.domain.room.model.ids import Millis
from service.rooms.errors import ServiceError
from service.rooms.social.chat import can_hear, line_said_by, normalised_line
from service.store.side_channels import ProcessId
from tests.rooms.processes import ANNA, BEN, CLARA, DORA, Process, Screen, settle, watches

DAY = Millis(24 * 3600 * 1000)


@pytest.mark.parametrize(
    ("text", "kept"),
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
def test_a_line_is_plain_text_in_one_line(text: str, kept: str) -> None:
    """Normalised, spaces single, and otherwise as it was typed."""
    assert normalised_line(text) == kept


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
def test_what_shows_nothing_or_turns_the_direction_is_no_line(text: str) -> None:
    """Nor is one that is too long."""
    with pytest.raises(ServiceError) as refused:
        normalised_line(text)
    assert (refused.value.problem.status, refused.value.problem.code) == (422, "bad_line")


async def test_only_members_speak_in_a_room(process: Process) -> None:
    """Under the name that they have there."""
    await process.open()
    await process.does(BEN, commands.Join("spectator", "Benny"))
    table = (await process.friday()).room.table
    assert line_said_by(table, ANNA, "hello").audience == "all"
    assert line_said_by(table, BEN, "hello").nickname == "Benny"
    with pytest.raises(Rejected, match="not_a_member"):
        line_said_by(table, CLARA, "hello")


async def test_a_room_can_keep_players_and_spectators_apart(process: Process) -> None:
    """Strangers count as spectators."""
    await process.open(chat="apart")
    await process.does(BEN, commands.Join("spectator"))
    table = (await process.friday()).room.table
    assert line_said_by(table, ANNA, "mill!").audience == "players"
    assert line_said_by(table, BEN, "mill!").audience == "spectators"
    heard = {
        who: [each for each in ("all", "players", "spectators") if can_hear(table, who, each)]
        for who in (ANNA.id, BEN.id, None)
    }
    assert heard == {ANNA.id: ["all", "players"], BEN.id: ["all", "spectators"], None: ["all", "spectators"]}


async def test_lines_reach_those_who_follow_in_every_process_and_only_who_may_read_them(process: Process) -> None:
    """Once each and in order, apart where the room says so, and never as a part of its history."""
    here, there = process, process.another()
    speakers, listeners = here.with_social(ProcessId("here")), there.with_social(ProcessId("there"))
    live = await here.open(chat="apart")
    await here.does(BEN, commands.Join("spectator"))
    version = live.head.version
    screens = [await watches(there, Screen(player)) for player in (ANNA, BEN, None)]
    for player, text in ((ANNA, "one"), (BEN, "two"), (ANNA, "three")):
        await speakers.chat.add_line(live.key, line_said_by(live.room.table, player, text))
    await settle()
    heard = [[frame["line"]["text"] for frame in screen.frames if frame["type"] == "chat"] for screen in screens]
    assert heard == [["one", "three"], ["two"], ["two"]]
    assert screens[1].frames[-1]["room"] == "friday-night"
    assert (await here.fresh()).version == version
    lines, more = await listeners.chat.page(live.key, 2)
    assert [line.text for line in lines] == ["two", "three"]
    assert more == lines[0].id


async def test_a_damaged_line_is_left_out_of_its_page(process: Process) -> None:
    """Its place still counts, so that no page is cut short."""
    company = process.with_social(ProcessId("here"))
    live = await process.open()
    for text in ("one", "two", "three"):
        await company.chat.add_line(live.key, line_said_by(live.room.table, ANNA, text))
    await process.line.side_channels.add_line(live.key, b'{"player":"p-anna","nickname":"\xc1nna"', 9, DAY)
    lines, more = await company.chat.page(live.key, 3)
    assert [line.text for line in lines] == ["two", "three"]
    assert more == lines[0].id


async def test_lines_that_were_missed_are_read_when_the_connection_is_back(process: Process) -> None:
    """Those after the last one told, and none twice."""
    company = process.with_social(ProcessId("here"))
    live = await process.open()
    screen = await watches(process, Screen(ANNA))
    said = line_said_by(live.room.table, ANNA, "heard")
    await company.chat.add_line(live.key, said)
    await settle()
    ears, process.line.side_channels._observers = process.line.side_channels._observers, {}
    for _ in range(3):
        await company.chat.add_line(live.key, said)
    process.line.side_channels._observers = ears
    company.changes_missed(live.key)
    company.changes_missed(live.key)
    await settle()
    ids = [frame["line"]["id"] for frame in screen.frames if frame["type"] == "chat"]
    assert ids == [line.id for line in (await company.chat.page(live.key, 9))[0]]


async def test_nobody_listens_to_a_room_that_nobody_follows(process: Process) -> None:
    """The last one who goes ends it."""
    process.with_social(ProcessId("here"))
    live = await process.open()
    screen = await watches(process, Screen(DORA))
    assert live.key in process.line.side_channels._observers
    process.rooms.unsubscribe(live, screen)
    await settle()
    assert process.line.side_channels._observers == {}
