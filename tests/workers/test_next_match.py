"""The next match of a room begins by itself only while all of its players are present: by a feed or by requests."""

from typing import Any

import pytest

from service.domain.ids import Millis, Player
from service.domain.room.model import commands
from service.domain.room.model.clock import LAG, Days, PerMove
from service.domain.room.model.settings import BotSeat, OpenRoom, RequestedSettings
from service.domain.room.subjects.matches import waiting_for
from service.rooms.commands.activity import MINUTE, SEATED_INTERVAL, SEATED_STAY
from service.rooms.commands.requests import CommandRequest
from service.rooms.repository import LoadedRoom
from service.rooms.social.lease import Timing
from service.store.side_channels import ProcessId
from tests.rooms.processes import (
    ANNA,
    BEN,
    DORA,
    FRIDAY,
    NOON,
    Clock,
    Process,
    RecordingSubscriber,
    place,
    run_pending,
    subscribe,
)
from tests.waiting import wait_until
from tests.workers.fake_engine import run_worker

RESTART = 5000
THEN = Millis(NOON + RESTART)
AT_ONCE = Timing(grace=0.0, pause=0.0, beat=0.01)
"""No grace for a connection that is lost."""


pytestmark = pytest.mark.usefixtures("no_pauses")


async def start_match(timing: Timing = AT_ONCE, **settings: Any) -> tuple[Process, LoadedRoom]:
    """Return a process that serves presence, and the room of a running match of Anna and Ben."""
    process = Process(Clock())
    process.with_social(ProcessId("here"), timing)
    return process, await process.start_match(ANNA, BEN, **{"restart": RESTART, **settings})


async def send(process: Process, by: Player, command: commands.PlayerCommand) -> None:
    """Send a command as over HTTP, and let what it has noted be stored."""
    await process.rooms.command(FRIDAY, CommandRequest(command, by))
    await run_pending()


async def poll(process: Process, by: Player) -> None:
    """Read the room as over HTTP with a token, and let what was noted be stored."""
    await process.rooms.read(FRIDAY, by.id)
    await run_pending()


async def follow(process: Process, *players: Player) -> list[RecordingSubscriber]:
    """Open a feed of the room for each of these."""
    feeds = [await subscribe(process, RecordingSubscriber(player)) for player in players]
    await run_pending()
    return feeds


async def close(process: Process, live: LoadedRoom, feed: RecordingSubscriber) -> None:
    """Close a feed."""
    process.rooms.unsubscribe(live, feed)
    await run_pending()


async def state(process: Process) -> tuple[int, list[int]]:
    """Return how many matches began, and for which seats the next one waits."""
    table = (await process.stored_room()).table
    return table.matches, list(waiting_for(table))


async def wait_for_state(process: Process, matches: int, *waiting: int) -> None:
    """Wait until that many matches have begun, and the next one waits for these seats, or nothing is due."""

    async def is_so() -> bool:
        return await state(process) == (matches, [*waiting])

    await wait_until(is_so)
    await run_pending()
    assert await state(process) == (matches, [*waiting])


async def test_it_begins_while_both_follow_the_room() -> None:
    """On time."""
    process, _ = await start_match()
    await follow(process, ANNA, BEN)
    await process.execute(BEN, commands.Resign())
    process.clock.time = THEN
    async with run_worker(process):
        await wait_for_state(process, 2)


async def test_it_begins_for_those_who_sent_a_request_within_the_last_minute() -> None:
    """Over plain HTTP."""
    process, _ = await start_match()
    await poll(process, ANNA)
    await send(process, BEN, commands.Resign())
    process.clock.time = THEN
    async with run_worker(process):
        await wait_for_state(process, 2)


async def test_opening_the_room_counts_as_a_request() -> None:
    """Of its creator, who has sent no other one; a join counts as one of the other player."""
    process = Process(Clock())
    process.with_social(ProcessId("here"), AT_ONCE)
    settings = RequestedSettings(start="full", restart=Millis(RESTART))
    await process.rooms.open(OpenRoom("morris", FRIDAY, settings=settings), ANNA)
    await send(process, BEN, commands.Join())
    await process.execute(BEN, commands.Resign())
    process.clock.time = THEN
    async with run_worker(process):
        await wait_for_state(process, 2)


async def test_it_waits_for_those_whose_last_request_was_a_minute_ago() -> None:
    """Until they send another one, of any kind, with their token."""
    process, _ = await start_match(restart=SEATED_STAY)
    await poll(process, ANNA)
    await send(process, BEN, commands.Resign())
    process.clock.time = Millis(NOON + SEATED_STAY - 1)
    await poll(process, BEN)
    process.clock.time = Millis(NOON + SEATED_STAY)
    async with run_worker(process):
        await wait_for_state(process, 1, 0)
        await process.rooms.read(FRIDAY, None)
        await poll(process, DORA)
        assert await state(process) == (1, [0])
        await poll(process, ANNA)
        await wait_for_state(process, 2)


async def test_none_begins_after_both_have_closed_their_pages() -> None:
    """Whatever they requested before, and although somebody watches; it begins when both are back."""
    process, live = await start_match()
    anna, ben, _ = await follow(process, ANNA, BEN, DORA)
    await process.rooms.read(FRIDAY, ANNA.id)
    await send(process, BEN, commands.Resign())
    await close(process, live, anna)
    await close(process, live, ben)
    process.clock.time = THEN
    async with run_worker(process):
        await wait_for_state(process, 1, 0, 1)
        await follow(process, ANNA)
        await wait_for_state(process, 1, 1)
        await follow(process, BEN)
        await wait_for_state(process, 2)


async def test_who_closed_the_page_during_the_match_is_still_missed_after_it() -> None:
    """Ben plays on, and Anna's time runs out after she had moved."""
    process, live = await start_match(clock=PerMove(Millis(1000)))
    anna, _ = await follow(process, ANNA, BEN)
    await send(process, ANNA, place("a1"))
    await send(process, BEN, place("g7"))
    await close(process, live, anna)
    process.clock.time = Millis(NOON + 1000 + LAG + RESTART)
    async with run_worker(process):
        await wait_for_state(process, 1, 0)


async def test_the_last_of_several_devices_counts() -> None:
    """Anna closes one of two pages, and then the other one."""
    process, live = await start_match()
    first, second, _ = await follow(process, ANNA, ANNA, BEN)
    await send(process, BEN, commands.Resign())
    await close(process, live, first)
    process.clock.time = THEN
    async with run_worker(process):
        await wait_for_state(process, 2)
        await send(process, BEN, commands.Resign())
        await close(process, live, second)
        process.clock.time = Millis(THEN + RESTART)
        await wait_for_state(process, 2, 0)


async def test_who_reloads_the_page_is_awaited_from_the_moment_of_the_start() -> None:
    """A player is shown as present for some seconds after the last connection, but no match begins in them."""
    process, live = await start_match(Timing(grace=3600.0, pause=0.0, beat=0.01))
    anna, _ = await follow(process, ANNA, BEN)
    await send(process, BEN, commands.Resign())
    await close(process, live, anna)
    process.clock.time = THEN
    async with run_worker(process):
        await wait_for_state(process, 1, 0)
        await follow(process, ANNA)
        await wait_for_state(process, 2)


async def test_who_has_left_the_seat_leaves_the_room_open() -> None:
    """Dora takes it, and is ready; Anna, who still was, has closed the page."""
    process, live = await start_match()
    anna, _ = await follow(process, ANNA, DORA)
    await send(process, BEN, commands.Resign())
    await send(process, BEN, commands.Leave())
    await close(process, live, anna)
    process.clock.time = THEN
    async with run_worker(process):
        await wait_for_state(process, 1, 0, 1)
        await send(process, DORA, commands.Join())
        await wait_for_state(process, 1, 0)
        await follow(process, ANNA)
        await wait_for_state(process, 2)


async def test_a_match_that_all_are_ready_for_begins_with_the_last_ready() -> None:
    """Without an automatic start, if the others are present; else it waits for them."""
    process, _ = await start_match(restart=None)
    await send(process, BEN, commands.Resign())
    await send(process, ANNA, commands.Ready())
    answer = await process.rooms.command(FRIDAY, CommandRequest(commands.Ready(), BEN))
    assert answer.room.table.matches == 2
    await send(process, BEN, commands.Resign())
    await send(process, ANNA, commands.Ready())
    process.clock.time = Millis(NOON + SEATED_STAY)
    await send(process, BEN, commands.Ready())
    async with run_worker(process):
        await wait_for_state(process, 2, 0)
        await poll(process, ANNA)
        await wait_for_state(process, 3)


async def test_who_was_found_missing_but_comes_back_by_a_command_is_present() -> None:
    """Even by one that is refused, as they are ready already."""
    process, _ = await start_match(restart=SEATED_STAY)
    await send(process, BEN, commands.Resign())
    process.clock.time = Millis(NOON + SEATED_STAY)
    await poll(process, BEN)
    async with run_worker(process):
        await wait_for_state(process, 1, 0)
        with pytest.raises(Exception, match="ready"):
            await send(process, ANNA, commands.Ready())
        await wait_for_state(process, 2)


async def test_readiness_alone_decides_where_a_move_may_take_days() -> None:
    """And in a hot seat; nobody is present."""
    for settings in ({"clock": Days(1)}, {"hot_seat": True}):
        process, _ = await start_match(**settings)
        await process.execute(BEN, commands.Resign())
        process.clock.time = Millis(NOON + 12 * 60 * MINUTE)
        async with run_worker(process):
            await wait_for_state(process, 2)


async def test_a_match_against_bots_waits_for_its_player() -> None:
    """Bots are always there."""
    process = Process(Clock())
    settings = RequestedSettings(restart=RESTART, bot_pause=0)
    await process.rooms.open(OpenRoom("morris", FRIDAY, settings=settings, seats=("me", BotSeat("easy"))), ANNA)
    await send(process, ANNA, commands.Resign())
    process.clock.time = Millis(NOON + SEATED_STAY + SEATED_INTERVAL)
    async with run_worker(process):
        await wait_for_state(process, 1, 0)
        await poll(process, ANNA)
        await wait_for_state(process, 2)


async def test_players_of_a_process_that_died_are_missed() -> None:
    """Nobody closed their feeds; the others remove its share when its lease has ended."""
    process, live = await start_match()
    dying = process.start_another()
    dying.with_social(ProcessId("dying"), AT_ONCE)
    await dying.store.side_channels.store_presence(live.key, ProcessId("dying"), b'{"devices":{"p-anna":1}}')
    await follow(process, BEN)
    await send(process, BEN, commands.Resign())
    process.clock.time = THEN
    async with run_worker(process):
        await wait_for_state(process, 2)
        await dying.store.side_channels.store_presence(live.key, ProcessId("dying"), None)
        await send(process, BEN, commands.Resign())
        process.clock.time = Millis(NOON + 2 * MINUTE)
        await wait_for_state(process, 2, 0)
