"""Clocks in frames and views: the same for all audiences, computed from the store's time only."""

import msgspec

from service.domain.game import Seat
from service.domain.ids import Millis, Outage
from service.domain.room.model import commands
from service.domain.room.model.clock import LAG, Fischer, PerMove
from service.rooms.repository import LoadedRoom
from service.rooms.views.match_view import Viewer, legal_moves
from service.rooms.views.room_view import view_for
from tests.rooms.processes import ANNA, BEN, NOON, Process, RecordingSubscriber, fold_stored, subscribe

BLITZ = Fischer(Millis(60_000), Millis(1_000))


def set_time(process: Process, millis: int) -> None:
    """Set the time after noon."""
    process.clock.time = Millis(NOON + millis)


def public_clock(live: LoadedRoom, process: Process) -> dict[str, object]:
    """Return the clock in the public view."""
    view = msgspec.json.decode(view_for(Viewer(None), live.state, process.clock.now()).json)
    clock: dict[str, object] = view["match"]["clock"]
    return clock


async def test_a_view_has_the_remaining_time_of_each_seat(process: Process) -> None:
    """It is in milliseconds, with the deadline of the seat to move and the current time."""
    live = await process.start_match(ANNA, BEN, clock=BLITZ)
    set_time(process, 2500)
    assert public_clock(live, process) == {
        "remaining": [57_500, 60_000],
        "deadline": "2023-11-14T22:14:20.000Z",
        "allowance_ms": 150,
        "server_time": "2023-11-14T22:13:22.500Z",
    }
    await process.place_man(ANNA, "a1")
    assert public_clock(live, process) == {
        "remaining": [58_500, 60_000],
        "deadline": "2023-11-14T22:14:22.500Z",
        "allowance_ms": 150,
        "server_time": "2023-11-14T22:13:22.500Z",
    }


async def test_a_view_has_no_clock_without_the_setting(process: Process) -> None:
    """The view does not show zeros instead."""
    live = await process.start_match(ANNA, BEN)
    assert public_clock(live, process) is None


async def test_after_the_match_no_clock_runs(process: Process) -> None:
    """The remaining times stay."""
    live = await process.start_match(ANNA, BEN, clock=BLITZ)
    set_time(process, 2500)
    await process.execute(BEN, commands.Resign())
    set_time(process, 4000)
    clock = public_clock(live, process)
    assert clock["deadline"] is None
    assert clock["remaining"] == [58_500, 60_000]


async def test_every_frame_has_the_clock(process: Process) -> None:
    """This includes heartbeats, and frames for subscribers without views."""
    live = await process.start_match(ANNA, BEN, clock=BLITZ)
    full, events_only = (
        await subscribe(process, RecordingSubscriber()),
        await subscribe(process, RecordingSubscriber(state=False)),
    )
    set_time(process, 1000)
    await process.place_man(ANNA, "a1")
    assert full.frames[-1]["view"]["match"]["clock"] == events_only.frames[-1]["clock"]
    process.core.hub.send_heartbeat(live)
    assert events_only.frames[-1]["type"] == "heartbeat"
    assert events_only.frames[-1]["clock"]["remaining"] == [60_000, 60_000]


async def test_no_frame_has_a_clock_without_the_setting(process: Process) -> None:
    """The field is omitted."""
    live = await process.start_match(ANNA, BEN)
    events_only = await subscribe(process, RecordingSubscriber(state=False))
    await process.place_man(ANNA, "a1")
    process.core.hub.send_heartbeat(live)
    assert not any("clock" in frame for frame in events_only.frames)


async def test_another_process_computes_the_same_clocks(process: Process) -> None:
    """It folds the same events."""
    await process.start_match(ANNA, BEN, clock=BLITZ)
    set_time(process, 2500)
    await process.place_man(ANNA, "a1")
    other = process.start_another()
    assert (await other.stored_room()).match == (await process.stored_room()).match
    assert await process.stored_room() == await fold_stored(process.store, (await process.cached_room()).key)


async def test_a_committed_seat_has_no_legal_moves_with_a_clock(process: Process) -> None:
    """A clock makes the commit final; without one the selection can still be changed."""
    for clock, offered in ((PerMove(Millis(5000)), False), (None, True)):
        here = Process(process.clock)
        live = await here.start_match(ANNA, BEN, game="turncoat", **({"clock": clock} if clock else {}))
        await here.execute(ANNA, commands.Play({"type": "select", "at": "d4"}))
        await here.execute(ANNA, commands.Play({"type": "commit"}))
        assert bool(legal_moves(live.state, Seat(0))) == offered
        assert legal_moves(live.state, Seat(1))


async def test_down_time_is_given_back_before_a_command(process: Process) -> None:
    """The first command after it has the event."""
    live = await process.start_match(ANNA, BEN, clock=PerMove(Millis(5000)))
    set_time(process, 40_000)
    process.clock.down = (Outage(Millis(NOON + 1000), Millis(NOON + 39_000)),)
    await process.place_man(ANNA, "a1")
    kinds = [type(each.recorded.event).__name__ for each in list(live.recent)[-2:]]
    assert kinds == ["ClocksExtended", "Placed"]
    assert public_clock(live, process)["remaining"] == [5000, 5000]
    set_time(process, 45_000 + LAG)
    assert await process.rooms.proceed(live.key)
    assert live.state.table.status == "finished"


async def test_a_late_process_reads_the_down_time_before_it_decides(process: Process) -> None:
    """Otherwise a move that waited while everything was stopped would be too late."""
    await process.start_match(ANNA, BEN, clock=PerMove(Millis(5000)))
    set_time(process, 40_000)
    clock = process.clock

    async def refreshed() -> None:
        clock.late = False
        clock.down = (Outage(Millis(NOON + 1000), Millis(NOON + 39_000)),)

    clock.late, clock.refreshed = True, refreshed  # type: ignore[method-assign]  # what it reads
    await process.place_man(ANNA, "a1")
    assert not clock.late
