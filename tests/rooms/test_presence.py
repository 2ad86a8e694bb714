"""Who is connected: devices, a moment's grace, and the shares of several processes."""

import asyncio
import time
from collections.abc import AsyncIterator
from typing import Any

import pytest

from service.domain.room.model import commands, events
from service.domain.room.model.ids import Millis
from service.rooms.loading.room import LoadedRoom
from service.rooms.social.feeds import SocialFeeds
from service.rooms.social.lease import Timing
from service.store.contract import StoreUnavailable
from service.store.side_channels import ProcessId
from tests.rooms.processes import ANNA, BEN, CLARA, Process, Screen, settle, until, watches

QUICK = Timing(grace=0.05, pause=0.0, beat=0.01, lease=0.2, doubt=1.0, late=5.0)
ONLINE, TWICE = {"online": True, "devices": 1}, {"online": True, "devices": 2}
JUST_GONE, AWAY = {"online": True, "devices": 0}, {"online": False, "devices": 0}


@pytest.fixture
def company(process: Process) -> SocialFeeds:
    """Return the company of a process."""
    return process.with_social(ProcessId("here"), QUICK)


@pytest.fixture
def other(process: Process) -> Process:
    """Return another process over the same store."""
    return process.another()


@pytest.fixture
async def elsewhere(other: Process) -> AsyncIterator[SocialFeeds]:
    """Return the company of another process, which beats."""
    company = other.with_social(ProcessId("elsewhere"), QUICK)
    beating = asyncio.create_task(company.presence.run())
    yield company
    beating.cancel()
    await asyncio.gather(beating, return_exceptions=True)


def presences(screen: Screen) -> list[dict[str, Any]]:
    """Return what a screen was told, by nickname, with how many look on."""
    told = [frame for frame in screen.frames if frame["type"] == "presence"]
    named = [{player.removeprefix("p-"): each for player, each in frame["players"].items()} for frame in told]
    return [{**each, "watchers": frame["watchers"]} for each, frame in zip(named, told, strict=True)]


async def beats_once(company: SocialFeeds) -> None:
    """Let a process renew its lease, then stop as if it were frozen."""
    beating = asyncio.create_task(company.presence.run())
    await settle()
    beating.cancel()
    await asyncio.gather(beating, return_exceptions=True)


async def tells(screen: Screen, **presence: object) -> None:
    """Wait until a screen was told exactly this."""
    async with asyncio.timeout(5):
        await until(lambda: presences(screen)[-1:] == [presence])


async def test_a_player_is_online_with_each_device_and_for_a_moment_after_the_last(
    process: Process, company: SocialFeeds
) -> None:
    """A reload goes unnoticed."""
    live = await process.open()
    watching = await watches(process, Screen())
    await tells(watching, anna=AWAY, watchers=1)
    phone = await watches(process, Screen(ANNA))
    await tells(watching, anna=ONLINE, watchers=1)
    laptop = await watches(process, Screen(ANNA))
    await tells(watching, anna=TWICE, watchers=1)
    for screen in (phone, laptop):
        process.rooms.unsubscribe(live, screen)
    await tells(watching, anna=JUST_GONE, watchers=1)
    laptop = await watches(process, Screen(ANNA))
    await tells(watching, anna=ONLINE, watchers=1)
    process.rooms.unsubscribe(live, laptop)
    await tells(watching, anna=AWAY, watchers=1)
    assert AWAY not in [told["anna"] for told in presences(watching)[1:-1]]
    assert (await company.presence.of(live)).devices == {}


@pytest.mark.usefixtures("company")
async def test_whoever_is_not_here_to_play_is_counted(process: Process) -> None:
    """Each connection of a stranger, each spectator and each guest once; none of them by name before they join."""
    await process.open()
    anna = await watches(process, Screen(ANNA))
    for screen in (Screen(), Screen(), Screen(BEN), Screen(BEN), Screen(CLARA)):
        await watches(process, screen)
    await tells(anna, anna=ONLINE, watchers=4)
    await process.does(CLARA, commands.Join("spectator"))
    await watches(process, Screen())
    await tells(anna, anna=ONLINE, clara=ONLINE, watchers=5)


@pytest.mark.usefixtures("company")
async def test_the_view_tells_who_is_connected(process: Process) -> None:
    """In snapshots, updates and answers alike; somebody who has just come is in their own first view."""
    await process.open()
    anna = await watches(process, Screen(ANNA))
    await process.does(BEN, commands.Join())
    shown = [frame["view"] for frame in anna.frames if "view" in frame]
    assert [[player["presence"] for player in view["players"]] for view in shown] == [[ONLINE], [ONLINE, AWAY]]
    assert [view["watchers"] for view in shown] == [0, 0]


@pytest.mark.usefixtures("company")
async def test_a_reader_without_the_view_is_told_who_is_there(process: Process) -> None:
    """Soon after subscribing, even where nothing has changed for the others."""
    await process.open()
    await watches(process, Screen(ANNA))
    first = await watches(process, Screen(BEN))
    await tells(first, anna=ONLINE, watchers=1)
    second = await watches(process, Screen(BEN, state=False))
    await tells(second, anna=ONLINE, watchers=1)


@pytest.mark.usefixtures("elsewhere")
async def test_processes_add_up(process: Process, company: SocialFeeds, other: Process) -> None:
    """One player's devices on both; each process tells its own readers."""
    live = await process.open()
    here, there = await watches(process, Screen(ANNA)), await watches(other, Screen(ANNA))
    await tells(here, anna=TWICE, watchers=0)
    await tells(there, anna=TWICE, watchers=0)
    process.rooms.unsubscribe(live, here)
    await tells(there, anna=ONLINE, watchers=0)
    assert (await company.presence.of(live)).devices == {ANNA.id: 1}


@pytest.mark.usefixtures("elsewhere")
async def test_what_a_dead_process_had_noted_is_taken_out(
    process: Process, company: SocialFeeds, other: Process
) -> None:
    """When its lease has ended, by any other; and it notes everything again, under a new id, if it was only asleep."""
    live = await process.open()
    await beats_once(company)
    await watches(process, Screen(ANNA))
    there = await watches(other, Screen())
    await tells(there, anna=ONLINE, watchers=1)
    process.clock.time = Millis(process.clock.time + 2001)
    await tells(there, anna=AWAY, watchers=1)
    assert await process.line.side_channels.rooms_of_process(ProcessId("here")) == []
    await beats_once(company)
    await tells(there, anna=ONLINE, watchers=1)
    assert set(await process.line.side_channels.read_presence(live.key)) == {"here.2", "elsewhere"}
    assert presences(there)[-1]["anna"] == ONLINE


async def sent_away(process: Process, other: Process) -> tuple[LoadedRoom, Screen]:
    """Let a process leave in order while Anna and Ben play; return the room, and a screen at the other process."""
    live, leaving = await process.match(ANNA, BEN), [False]
    company = process.with_social(ProcessId("here"), QUICK, leaving=lambda: leaving[0])
    await process.line.side_channels.beat(ProcessId("here"), Millis(1000))
    screens = [await watches(process, Screen(by)) for by in (ANNA, BEN)]
    there = await watches(other, Screen())
    await tells(there, anna=ONLINE, ben=ONLINE, watchers=1)
    leaving[0] = True
    for screen in screens:
        process.rooms.unsubscribe(live, screen)
    await asyncio.sleep(2 * QUICK.grace)
    await company.presence.leave()
    return live, there


@pytest.mark.usefixtures("elsewhere")
async def test_whom_a_leaving_process_sent_elsewhere_is_online_until_they_are_there(
    process: Process, other: Process
) -> None:
    """Also when it has ended; with the devices that they have there, and without a word in the room's events."""
    live, there = await sent_away(process, other)
    process.clock.time = Millis(process.clock.time + int(QUICK.moving * 1000) - 1)
    await watches(other, Screen(ANNA))
    await tells(there, anna=ONLINE, ben=JUST_GONE, watchers=1)
    told = [frame[name] for frame in presences(there)[1:] for name in ("anna", "ben")]
    assert AWAY not in told
    assert TWICE not in told
    assert not any(isinstance(stored.recorded.event, events.SeatDeserted) for stored in live.recent)


@pytest.mark.usefixtures("elsewhere")
async def test_whoever_does_not_come_back_from_a_leaving_process_has_gone(process: Process, other: Process) -> None:
    """When a while is over; whoever is there by then has not."""
    _, there = await sent_away(process, other)
    await watches(other, Screen(ANNA))
    process.clock.time = Millis(process.clock.time + int(QUICK.moving * 1000) + 1)
    await tells(there, anna=ONLINE, ben=AWAY, watchers=1)
    live = await other.friday()
    await until(lambda: BEN.id in live.room.table.absent)
    assert ANNA.id not in live.room.table.absent


async def test_a_room_that_everybody_left_is_forgotten(process: Process, company: SocialFeeds) -> None:
    """After the moment's grace, here and in the store."""
    live = await process.open()
    screen = await watches(process, Screen(ANNA))
    await until(lambda: company.presence._here[live.key].settling is None)
    assert await process.line.side_channels.rooms_of_process(ProcessId("here")) == [live.key]
    process.rooms.unsubscribe(live, screen)
    assert (await company.presence.of(live)).devices == {ANNA.id: 0}
    async with asyncio.timeout(5):
        await until(lambda: not company.presence._here)
    assert await process.line.side_channels.read_presence(live.key) == {}
    assert live.presence is None


@pytest.mark.usefixtures("elsewhere")
async def test_what_could_not_be_noted_is_noted_later(other: Process, monkeypatch: pytest.MonkeyPatch) -> None:
    """When the store is back."""
    live = await other.open()
    away = True
    store_presence = other.line.side_channels.store_presence

    async def refuse(*asked: object) -> object:
        if away:
            raise StoreUnavailable
        return await store_presence(*asked)  # type: ignore[arg-type]  # handed on as it came

    monkeypatch.setattr(other.line.side_channels, "store_presence", refuse)
    screen = await watches(other, Screen(ANNA))
    await tells(screen, anna=ONLINE, watchers=0)
    assert await other.line.side_channels.read_presence(live.key) == {}
    away = False
    async with asyncio.timeout(5):
        await until(lambda: bool(other.line.side_channels.shared.attendance.get(live.key)))
    assert set(await other.line.side_channels.read_presence(live.key)) == {"elsewhere"}


def absences(live: LoadedRoom) -> list[str]:
    """Return what the room's stream tells of people who went and came back."""
    told = [stored.recorded.event for stored in live.recent]
    return [type(event).__name__ for event in told if isinstance(event, events.SeatDeserted | events.SeatReturned)]


async def told_as(live: LoadedRoom, *names: str) -> None:
    """Wait until the stream tells exactly this, and goes on telling no more."""
    async with asyncio.timeout(5):
        await until(lambda: absences(live) == list(names))
    await asyncio.sleep(0.05)
    assert absences(live) == list(names)


@pytest.mark.usefixtures("company", "elsewhere")
async def test_a_player_who_goes_during_a_match_deserts_their_seat_until_they_are_back(
    process: Process, other: Process
) -> None:
    """After the moment's grace, once, whichever processes notice."""
    live = await process.match(ANNA, BEN)
    anna, ben = await watches(process, Screen(ANNA)), await watches(process, Screen(BEN))
    await watches(other, Screen(CLARA))
    process.rooms.unsubscribe(live, ben)
    ben = await watches(process, Screen(BEN))
    await told_as(live)
    process.rooms.unsubscribe(live, ben)
    await told_as(live, "SeatDeserted")
    await watches(other, Screen(BEN))
    await told_as(live, "SeatDeserted", "SeatReturned")
    process.rooms.unsubscribe(live, anna)
    await told_as(live, "SeatDeserted", "SeatReturned", "SeatDeserted")


@pytest.mark.usefixtures("company")
async def test_the_last_one_who_goes_deserts_too(process: Process) -> None:
    """Though nobody follows the room any more."""
    live = await process.match(ANNA, BEN)
    anna = await watches(process, Screen(ANNA))
    process.rooms.unsubscribe(live, anna)
    await told_as(live, "SeatDeserted")


async def test_whoever_goes_before_the_match_has_deserted_when_it_begins(
    process: Process, company: SocialFeeds
) -> None:
    """Unless they are back by then."""
    live = await process.open(start="full")
    await watches(process, Screen(BEN))
    anna = await watches(process, Screen(ANNA))
    process.rooms.unsubscribe(live, anna)
    async with asyncio.timeout(5):
        await until(lambda: company.presence._here[live.key].gone == {ANNA.id})
    await told_as(live)
    await process.does(BEN, commands.Join())
    beating = asyncio.create_task(company.presence.run())
    await told_as(live, "SeatDeserted")
    beating.cancel()
    await asyncio.gather(beating, return_exceptions=True)


@pytest.mark.usefixtures("company")
async def test_a_player_who_was_never_connected_has_not_gone(process: Process) -> None:
    """Those who play by single requests are left in peace."""
    live = await process.match(ANNA, BEN)
    stranger = await watches(process, Screen())
    await tells(stranger, anna=AWAY, ben=AWAY, watchers=1)
    await told_as(live)


@pytest.mark.usefixtures("elsewhere")
async def test_a_dead_process_s_players_have_deserted(process: Process, company: SocialFeeds) -> None:
    """Even where nobody else follows the room."""
    live = await process.match(ANNA, BEN)
    await process.line.side_channels.beat(ProcessId("here"), Millis(1000))
    await watches(process, Screen(ANNA))
    async with asyncio.timeout(5):
        await until(lambda: company.presence._here[live.key].settling is None)
    process.clock.time = Millis(process.clock.time + 2001)
    await told_as(live, "SeatDeserted")


@pytest.mark.usefixtures("company")
async def test_who_is_shown_out_of_a_private_room_is_there_no_more(process: Process, company: SocialFeeds) -> None:
    """Though their connection stands."""
    live = await process.open(spectators=True)
    anna = await watches(process, Screen(ANNA))
    ben = await watches(process, Screen(BEN))
    await tells(anna, anna=ONLINE, watchers=1)
    await process.does(ANNA, commands.Configure(settings={"spectators": False}))
    beating = asyncio.create_task(company.presence.run())
    await tells(anna, anna=ONLINE, watchers=0)
    beating.cancel()
    await asyncio.gather(beating, return_exceptions=True)
    assert ben.kinds[-1] == "error"
    assert (await company.presence.of(live)).devices == {ANNA.id: 1}


async def test_a_stall_of_this_process_ends_nobody_s_grace(process: Process) -> None:
    """Who wants to come back while the loop does not run is here before the grace goes on."""
    process.with_social(ProcessId("here"), Timing(grace=0.3, pause=0.0, late=0.2))
    live = await process.match(ANNA, BEN)
    anna, ben = await watches(process, Screen(ANNA)), await watches(process, Screen(BEN))
    process.rooms.unsubscribe(live, ben)
    time.sleep(0.8)  # noqa: ASYNC251 - the stall
    await settle()
    assert live.presence is not None
    assert live.presence.devices == {ANNA.id: 1, BEN.id: 0}
    await watches(process, Screen(BEN))
    await told_as(live)
    assert AWAY not in [frame["ben"] for frame in presences(anna)]


async def test_a_process_that_was_late_and_not_declared_dead_goes_on_as_if_nothing_had_been(
    process: Process, company: SocialFeeds, other: Process
) -> None:
    """Its lease had ended, but nobody else was sure yet."""
    live = await process.match(ANNA, BEN)
    await beats_once(company)
    await watches(process, Screen(ANNA))
    doubtful = Timing(pause=0.0, beat=0.01, lease=0.0, doubt=3.0, late=5.0)
    judge = other.with_social(ProcessId("judge"), doubtful)
    there = await watches(other, Screen())
    await tells(there, anna=ONLINE, ben=AWAY, watchers=1)
    process.clock.time = Millis(process.clock.time + 2000)
    for _ in range(3):
        await beats_once(judge)
    await beats_once(company)
    process.clock.time = Millis(process.clock.time + 2000)
    for _ in range(3):
        await beats_once(judge)
    assert set(await other.line.side_channels.read_presence(live.key)) == {"here", "judge"}
    assert AWAY not in [frame["anna"] for frame in presences(there)[1:]]
    assert absences(live) == []


async def test_a_process_declared_dead_that_writes_again_first_has_lost_nobody(
    process: Process, company: SocialFeeds, other: Process
) -> None:
    """Its old note goes in the same act in which the new one comes; who tidies up finds nothing and tells nothing."""
    live = await process.match(ANNA, BEN)
    await beats_once(company)
    await watches(process, Screen(ANNA))
    judge = other.with_social(ProcessId("judge"), Timing(pause=0.0, beat=0.01, lease=0.0, late=5.0))
    there = await watches(other, Screen())
    await tells(there, anna=ONLINE, ben=AWAY, watchers=1)
    process.clock.time = Millis(process.clock.time + 2001)
    assert await other.line.side_channels.declare_dead(ProcessId("here"), Millis(1000))
    await beats_once(company)
    async with asyncio.timeout(5):
        await until(lambda: "here.2" in other.line.side_channels.shared.attendance[live.key])
    await beats_once(judge)
    async with asyncio.timeout(5):
        while "here" in process.line.side_channels.shared.leases:
            await beats_once(judge)
    assert set(await other.line.side_channels.read_presence(live.key)) == {"here.2", "judge"}
    assert AWAY not in [frame["anna"] for frame in presences(there)[1:]]
    assert absences(live) == []
