"""Presence: devices, the grace time, and the shares of several processes."""

import asyncio
import time
from collections.abc import AsyncIterator
from typing import Any

import pytest

from service.domain.ids import Millis, rfc3339
from service.domain.room.model import commands, events
from service.rooms.projections import lobby_row
from service.rooms.repository import LoadedRoom
from service.rooms.social.feeds import SocialFeeds
from service.rooms.social.lease import Timing
from service.rooms.views.lobby_entry import LobbyEntry, lobby_entry
from service.store.contract import OutcomeUnknown, StoreFailed, StoreUnavailable
from service.store.side_channels import ProcessId
from tests.rooms.processes import ANNA, BEN, CLARA, Process, RecordingSubscriber, run_pending, subscribe
from tests.waiting import PATIENCE, wait_until

QUICK = Timing(grace=0.05, pause=0.0, beat=0.01, lease=0.2, doubt=1.0, late=5.0)
ONLINE, TWICE = {"online": True, "devices": 1}, {"online": True, "devices": 2}
JUST_GONE, AWAY = {"online": True, "devices": 0}, {"online": False, "devices": 0}


@pytest.fixture
def social(process: Process) -> SocialFeeds:
    """Return the social feeds of a process."""
    return process.with_social(ProcessId("here"), QUICK)


@pytest.fixture
def other(process: Process) -> Process:
    """Return another process over the same store."""
    return process.start_another()


@pytest.fixture
async def elsewhere(other: Process) -> AsyncIterator[SocialFeeds]:
    """Return the social feeds of another process, which renews its lease."""
    social = other.with_social(ProcessId("elsewhere"), QUICK)
    renewing = asyncio.create_task(social.presence.run())
    yield social
    renewing.cancel()
    await asyncio.gather(renewing, return_exceptions=True)


def presence_frames(subscriber: RecordingSubscriber) -> list[dict[str, Any]]:
    """Return the presence that a subscriber received, by nickname, with the number of spectators."""
    frames = [frame for frame in subscriber.frames if frame["type"] == "presence"]
    named = [{player.removeprefix("p-"): each for player, each in frame["players"].items()} for frame in frames]
    return [{**each, "watchers": frame["watchers"]} for each, frame in zip(named, frames, strict=True)]


async def renew_once(social: SocialFeeds) -> None:
    """Let a process renew its lease, then stop as if it were suspended."""
    renewing = asyncio.create_task(social.presence.run())
    await run_pending()
    renewing.cancel()
    await asyncio.gather(renewing, return_exceptions=True)


async def wait_for_presence(subscriber: RecordingSubscriber, **presence: object) -> None:
    """Wait until a subscriber has received exactly this presence."""
    async with asyncio.timeout(PATIENCE):
        await wait_until(lambda: presence_frames(subscriber)[-1:] == [presence])


async def test_a_player_is_online_until_the_grace_after_the_last_device(process: Process, social: SocialFeeds) -> None:
    """A reload goes unnoticed."""
    live = await process.open()
    observer = await subscribe(process, RecordingSubscriber())
    await wait_for_presence(observer, anna=AWAY, watchers=1)
    phone = await subscribe(process, RecordingSubscriber(ANNA))
    await wait_for_presence(observer, anna=ONLINE, watchers=1)
    laptop = await subscribe(process, RecordingSubscriber(ANNA))
    await wait_for_presence(observer, anna=TWICE, watchers=1)
    for subscriber in (phone, laptop):
        process.rooms.unsubscribe(live, subscriber)
    await wait_for_presence(observer, anna=JUST_GONE, watchers=1)
    laptop = await subscribe(process, RecordingSubscriber(ANNA))
    await wait_for_presence(observer, anna=ONLINE, watchers=1)
    process.rooms.unsubscribe(live, laptop)
    await wait_for_presence(observer, anna=AWAY, watchers=1)
    assert AWAY not in [frame["anna"] for frame in presence_frames(observer)[1:-1]]
    assert (await social.presence.of(live)).devices == {}


@pytest.mark.usefixtures("social")
async def test_connections_without_a_player_are_counted(process: Process) -> None:
    """Each connection without a token, each spectator and each guest once; none of them by name before they join."""
    await process.open()
    anna = await subscribe(process, RecordingSubscriber(ANNA))
    for subscriber in (
        RecordingSubscriber(),
        RecordingSubscriber(),
        RecordingSubscriber(BEN),
        RecordingSubscriber(BEN),
        RecordingSubscriber(CLARA),
    ):
        await subscribe(process, subscriber)
    await wait_for_presence(anna, anna=ONLINE, watchers=4)
    await process.execute(CLARA, commands.Join("spectator"))
    await subscribe(process, RecordingSubscriber())
    await wait_for_presence(anna, anna=ONLINE, clara=ONLINE, watchers=5)


@pytest.mark.usefixtures("social")
async def test_the_view_has_the_presence(process: Process) -> None:
    """In snapshots, updates and replies alike; a player who connects is in their own first view."""
    await process.open()
    anna = await subscribe(process, RecordingSubscriber(ANNA))
    await process.execute(BEN, commands.Join())
    shown = [frame["view"] for frame in anna.frames if "view" in frame]
    assert [[player["presence"] for player in view["players"]] for view in shown] == [[ONLINE], [ONLINE, AWAY]]
    assert [view["watchers"] for view in shown] == [0, 0]


@pytest.mark.usefixtures("social")
async def test_a_subscriber_without_views_receives_the_presence(process: Process) -> None:
    """Soon after subscribing, even where nothing has changed for the others."""
    await process.open()
    await subscribe(process, RecordingSubscriber(ANNA))
    first = await subscribe(process, RecordingSubscriber(BEN))
    await wait_for_presence(first, anna=ONLINE, watchers=1)
    second = await subscribe(process, RecordingSubscriber(BEN, state=False))
    await wait_for_presence(second, anna=ONLINE, watchers=1)


@pytest.mark.usefixtures("elsewhere")
async def test_the_shares_of_processes_add_up(process: Process, social: SocialFeeds, other: Process) -> None:
    """One player's devices on both; each process sends to its own subscribers."""
    live = await process.open()
    here, there = await subscribe(process, RecordingSubscriber(ANNA)), await subscribe(other, RecordingSubscriber(ANNA))
    await wait_for_presence(here, anna=TWICE, watchers=0)
    await wait_for_presence(there, anna=TWICE, watchers=0)
    process.rooms.unsubscribe(live, here)
    await wait_for_presence(there, anna=ONLINE, watchers=0)
    assert (await social.presence.of(live)).devices == {ANNA.id: 1}


@pytest.mark.usefixtures("elsewhere")
async def test_the_share_of_a_dead_process_is_removed(process: Process, social: SocialFeeds, other: Process) -> None:
    """When its lease has ended, by any other; if it was only suspended, it stores everything again with a new id."""
    live = await process.open()
    await renew_once(social)
    await subscribe(process, RecordingSubscriber(ANNA))
    there = await subscribe(other, RecordingSubscriber())
    await wait_for_presence(there, anna=ONLINE, watchers=1)
    process.clock.time = Millis(process.clock.time + 2001)
    await wait_for_presence(there, anna=AWAY, watchers=1)
    assert await process.store.side_channels.rooms_of_process(ProcessId("here")) == []
    await renew_once(social)
    await wait_for_presence(there, anna=ONLINE, watchers=1)
    assert set(await process.store.side_channels.read_presence(live.key)) == {"here.2", "elsewhere"}
    assert presence_frames(there)[-1]["anna"] == ONLINE


async def shut_down_during_match(process: Process, other: Process) -> tuple[LoadedRoom, RecordingSubscriber]:
    """Shut down a process while Anna and Ben play; return the room, and a subscriber at the other process."""
    live, leaving = await process.start_match(ANNA, BEN), [False]
    social = process.with_social(ProcessId("here"), QUICK, leaving=lambda: leaving[0])
    await process.store.side_channels.beat(ProcessId("here"), Millis(1000))
    subscribers = [await subscribe(process, RecordingSubscriber(by)) for by in (ANNA, BEN)]
    there = await subscribe(other, RecordingSubscriber())
    await wait_for_presence(there, anna=ONLINE, ben=ONLINE, watchers=1)
    leaving[0] = True
    for subscriber in subscribers:
        process.rooms.unsubscribe(live, subscriber)
    await asyncio.sleep(2 * QUICK.grace)
    await social.presence.leave()
    return live, there


@pytest.mark.usefixtures("elsewhere")
async def test_players_of_a_process_that_shut_down_are_online_until_they_reconnect(
    process: Process, other: Process
) -> None:
    """Also when it has ended; with the devices that they have there, and without events."""
    live, there = await shut_down_during_match(process, other)
    process.clock.time = Millis(process.clock.time + int(QUICK.moving * 1000) - 1)
    await subscribe(other, RecordingSubscriber(ANNA))
    await wait_for_presence(there, anna=ONLINE, ben=JUST_GONE, watchers=1)
    received = [frame[name] for frame in presence_frames(there)[1:] for name in ("anna", "ben")]
    assert AWAY not in received
    assert TWICE not in received
    assert not any(isinstance(stored.recorded.event, events.SeatDeserted) for stored in live.recent)


@pytest.mark.usefixtures("elsewhere")
async def test_players_who_do_not_reconnect_after_a_shutdown_are_absent(process: Process, other: Process) -> None:
    """After a while; players who have reconnected by then are not."""
    _, there = await shut_down_during_match(process, other)
    await subscribe(other, RecordingSubscriber(ANNA))
    process.clock.time = Millis(process.clock.time + int(QUICK.moving * 1000) + 1)
    await wait_for_presence(there, anna=ONLINE, ben=AWAY, watchers=1)
    live = await other.cached_room()
    await wait_until(lambda: BEN.id in live.state.table.absent)
    assert ANNA.id not in live.state.table.absent


async def test_a_room_without_connections_is_forgotten(process: Process, social: SocialFeeds) -> None:
    """This process and the store forget it after the grace time."""
    live = await process.open()
    subscriber = await subscribe(process, RecordingSubscriber(ANNA))
    await wait_until(lambda: social.presence._here[live.key].updating is None)
    assert await process.store.side_channels.rooms_of_process(ProcessId("here")) == [live.key]
    process.rooms.unsubscribe(live, subscriber)
    assert (await social.presence.of(live)).devices == {ANNA.id: 0}
    async with asyncio.timeout(PATIENCE):
        await wait_until(lambda: not social.presence._here)
    assert await process.store.side_channels.read_presence(live.key) == {}
    assert live.presence is None


@pytest.mark.parametrize("failure", [StoreUnavailable, OutcomeUnknown])
@pytest.mark.usefixtures("elsewhere")
async def test_presence_that_could_not_be_stored_is_stored_later(
    other: Process, monkeypatch: pytest.MonkeyPatch, failure: type[StoreFailed]
) -> None:
    """It is stored as soon as the store is available again."""
    live = await other.open()
    away = True
    store_presence = other.store.side_channels.store_presence

    async def refuse(*arguments: object) -> object:
        if away:
            raise failure
        return await store_presence(*arguments)  # type: ignore[arg-type]  # passed on unchanged

    monkeypatch.setattr(other.store.side_channels, "store_presence", refuse)
    subscriber = await subscribe(other, RecordingSubscriber(ANNA))
    await wait_for_presence(subscriber, anna=ONLINE, watchers=0)
    assert await other.store.side_channels.read_presence(live.key) == {}
    away = False
    async with asyncio.timeout(PATIENCE):
        await wait_until(lambda: bool(other.store.side_channels.shared.presence.get(live.key)))
    assert set(await other.store.side_channels.read_presence(live.key)) == {"elsewhere"}


def absence_events(live: LoadedRoom) -> list[str]:
    """Return the events of absence and return in the room's stream."""
    recent = [stored.recorded.event for stored in live.recent]
    return [type(event).__name__ for event in recent if isinstance(event, events.SeatDeserted | events.SeatReturned)]


async def wait_for_absence_events(live: LoadedRoom, *names: str) -> None:
    """Wait until the stream has exactly these events, and no further ones follow."""
    async with asyncio.timeout(PATIENCE):
        await wait_until(lambda: absence_events(live) == list(names))
    await asyncio.sleep(0.05)
    assert absence_events(live) == list(names)


@pytest.mark.usefixtures("social", "elsewhere")
async def test_a_player_who_disconnects_during_a_match_is_absent_until_they_return(
    process: Process, other: Process
) -> None:
    """They are absent after the grace time, once, whichever processes notice it."""
    live = await process.start_match(ANNA, BEN)
    anna, ben = await subscribe(process, RecordingSubscriber(ANNA)), await subscribe(process, RecordingSubscriber(BEN))
    await subscribe(other, RecordingSubscriber(CLARA))
    process.rooms.unsubscribe(live, ben)
    ben = await subscribe(process, RecordingSubscriber(BEN))
    await wait_for_absence_events(live)
    process.rooms.unsubscribe(live, ben)
    await wait_for_absence_events(live, "SeatDeserted")
    await subscribe(other, RecordingSubscriber(BEN))
    await wait_for_absence_events(live, "SeatDeserted", "SeatReturned")
    process.rooms.unsubscribe(live, anna)
    await wait_for_absence_events(live, "SeatDeserted", "SeatReturned", "SeatDeserted")


@pytest.mark.usefixtures("social")
async def test_a_return_is_recorded_after_the_connection_is_stored(
    process: Process, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else a worker that begins the next match because of it finds the player missing again."""
    live = await process.start_match(ANNA, BEN)
    anna = await subscribe(process, RecordingSubscriber(ANNA))
    await subscribe(process, RecordingSubscriber(BEN))
    process.rooms.unsubscribe(live, anna)
    await wait_for_absence_events(live, "SeatDeserted")
    store_presence, returned = process.store.side_channels.store_presence, []

    async def look(*arguments: Any) -> object:
        returned.append("SeatReturned" in absence_events(live))
        return await store_presence(*arguments)

    monkeypatch.setattr(process.store.side_channels, "store_presence", look)
    await subscribe(process, RecordingSubscriber(ANNA))
    await wait_for_absence_events(live, "SeatDeserted", "SeatReturned")
    assert returned[0] is False


@pytest.mark.usefixtures("social")
async def test_the_last_player_who_disconnects_is_absent_too(process: Process) -> None:
    """Although the room has no subscribers left."""
    live = await process.start_match(ANNA, BEN)
    anna = await subscribe(process, RecordingSubscriber(ANNA))
    process.rooms.unsubscribe(live, anna)
    await wait_for_absence_events(live, "SeatDeserted")


async def test_a_player_who_disconnects_before_the_match_is_absent_when_it_begins(
    process: Process, social: SocialFeeds
) -> None:
    """In a room that the lobby does not list, nothing depends on it before."""
    live = await process.open(start="full", visibility="unlisted")
    await subscribe(process, RecordingSubscriber(BEN))
    anna = await subscribe(process, RecordingSubscriber(ANNA))
    process.rooms.unsubscribe(live, anna)
    async with asyncio.timeout(PATIENCE):
        await wait_until(lambda: social.presence._here[live.key].gone == {ANNA.id})
    await wait_for_absence_events(live)
    await process.execute(BEN, commands.Join())
    renewing = asyncio.create_task(social.presence.run())
    await wait_for_absence_events(live, "SeatDeserted")
    renewing.cancel()
    await asyncio.gather(renewing, return_exceptions=True)


@pytest.mark.usefixtures("social")
async def test_a_player_who_waits_in_the_lobby_is_absent_until_they_return(process: Process) -> None:
    """The entry says since when, and the room is listed with a free seat for another minute."""
    live = await process.open(start="full")
    anna = await subscribe(process, RecordingSubscriber(ANNA))
    assert lobby_entry_of(live).abandoned_at is None
    process.rooms.unsubscribe(live, anna)
    await wait_for_absence_events(live, "SeatDeserted")
    entry, now = lobby_entry_of(live), process.clock.time
    assert entry.abandoned_at == rfc3339(now)
    assert entry.is_joinable(Millis(now + 59_999))
    assert not entry.is_joinable(Millis(now + 60_000))
    process.clock.time = Millis(now + 60_000)
    await process.execute(BEN, commands.Join())
    assert live.state.table.absent == {ANNA.id: now + 60_000}, "in the match it is counted from its start"
    anna = await subscribe(process, RecordingSubscriber(ANNA))
    await wait_for_absence_events(live, "SeatDeserted", "SeatReturned")


def lobby_entry_of(live: LoadedRoom) -> LobbyEntry:
    """Return the lobby's entry of a room."""
    row = lobby_row(live.state)
    assert row is not None
    return lobby_entry(row.data)


@pytest.mark.usefixtures("social")
async def test_a_player_who_was_never_connected_is_not_absent(process: Process) -> None:
    """Players without a socket are never absent."""
    live = await process.start_match(ANNA, BEN)
    anonymous = await subscribe(process, RecordingSubscriber())
    await wait_for_presence(anonymous, anna=AWAY, ben=AWAY, watchers=1)
    await wait_for_absence_events(live)


@pytest.mark.usefixtures("elsewhere")
async def test_the_players_of_a_dead_process_are_absent(process: Process, social: SocialFeeds) -> None:
    """Even where the room has no other subscribers."""
    live = await process.start_match(ANNA, BEN)
    await process.store.side_channels.beat(ProcessId("here"), Millis(1000))
    await subscribe(process, RecordingSubscriber(ANNA))
    async with asyncio.timeout(PATIENCE):
        await wait_until(lambda: social.presence._here[live.key].updating is None)
    process.clock.time = Millis(process.clock.time + 2001)
    await wait_for_absence_events(live, "SeatDeserted")


@pytest.mark.usefixtures("social")
async def test_a_player_removed_from_a_private_room_is_not_present(process: Process, social: SocialFeeds) -> None:
    """Their open connection makes no difference."""
    live = await process.open(spectators=True)
    anna = await subscribe(process, RecordingSubscriber(ANNA))
    ben = await subscribe(process, RecordingSubscriber(BEN))
    await wait_for_presence(anna, anna=ONLINE, watchers=1)
    await process.execute(ANNA, commands.Configure(settings={"spectators": False}))
    renewing = asyncio.create_task(social.presence.run())
    await wait_for_presence(anna, anna=ONLINE, watchers=0)
    renewing.cancel()
    await asyncio.gather(renewing, return_exceptions=True)
    assert ben.types[-1] == "error"
    assert (await social.presence.of(live)).devices == {ANNA.id: 1}


async def test_a_stall_of_this_process_ends_no_grace_time(process: Process) -> None:
    """A player who reconnects while the loop does not run is counted before the grace time continues."""
    process.with_social(ProcessId("here"), Timing(grace=0.3, pause=0.0, late=0.2))
    live = await process.start_match(ANNA, BEN)
    anna, ben = await subscribe(process, RecordingSubscriber(ANNA)), await subscribe(process, RecordingSubscriber(BEN))
    process.rooms.unsubscribe(live, ben)
    time.sleep(0.8)  # noqa: ASYNC251 - the stall
    await run_pending()
    assert live.presence is not None
    assert live.presence.devices == {ANNA.id: 1, BEN.id: 0}
    await subscribe(process, RecordingSubscriber(BEN))
    await wait_for_absence_events(live)
    assert AWAY not in [frame["ben"] for frame in presence_frames(anna)]


async def test_a_late_process_that_was_not_declared_dead_continues(
    process: Process, social: SocialFeeds, other: Process
) -> None:
    """Its lease had ended, but no other process was sure yet."""
    live = await process.start_match(ANNA, BEN)
    await renew_once(social)
    await subscribe(process, RecordingSubscriber(ANNA))
    doubtful = Timing(pause=0.0, beat=0.01, lease=0.0, doubt=3.0, late=5.0)
    observer_process = other.with_social(ProcessId("observer"), doubtful)
    there = await subscribe(other, RecordingSubscriber())
    await wait_for_presence(there, anna=ONLINE, ben=AWAY, watchers=1)
    process.clock.time = Millis(process.clock.time + 2000)
    for _ in range(3):
        await renew_once(observer_process)
    await renew_once(social)
    process.clock.time = Millis(process.clock.time + 2000)
    for _ in range(3):
        await renew_once(observer_process)
    assert set(await other.store.side_channels.read_presence(live.key)) == {"here", "observer"}
    assert AWAY not in [frame["anna"] for frame in presence_frames(there)[1:]]
    assert absence_events(live) == []


async def test_a_dead_process_that_writes_first_keeps_its_players(
    process: Process, social: SocialFeeds, other: Process
) -> None:
    """Its old share is removed in the same step that stores the new one; the cleanup finds nothing."""
    live = await process.start_match(ANNA, BEN)
    await renew_once(social)
    await subscribe(process, RecordingSubscriber(ANNA))
    observer_process = other.with_social(ProcessId("observer"), Timing(pause=0.0, beat=0.01, lease=0.0, late=5.0))
    there = await subscribe(other, RecordingSubscriber())
    await wait_for_presence(there, anna=ONLINE, ben=AWAY, watchers=1)
    process.clock.time = Millis(process.clock.time + 2001)
    assert await other.store.side_channels.declare_dead(ProcessId("here"), Millis(1000))
    await renew_once(social)
    async with asyncio.timeout(PATIENCE):
        await wait_until(lambda: "here.2" in other.store.side_channels.shared.presence[live.key])
    await renew_once(observer_process)
    async with asyncio.timeout(PATIENCE):
        while "here" in process.store.side_channels.shared.leases:
            await renew_once(observer_process)
    assert set(await other.store.side_channels.read_presence(live.key)) == {"here.2", "observer"}
    assert AWAY not in [frame["anna"] for frame in presence_frames(there)[1:]]
    assert absence_events(live) == []
