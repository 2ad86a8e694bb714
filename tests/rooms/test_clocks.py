"""Clocks as they are told: in every frame, the same to everyone, from the store's time only."""

import msgspec

from service.domain.game import Seat
from service.domain.room.model import commands
from service.domain.room.model.clock import LAG, Fischer, Outage, PerMove
from service.domain.room.model.ids import Millis
from service.rooms.loading.room import LoadedRoom
from service.rooms.views.room_view import legal_moves, view_json
from tests.rooms.processes import ANNA, BEN, NOON, Process, Screen, stored, watches

BLITZ = Fischer(Millis(60_000), Millis(1_000))


def later(process: Process, millis: int) -> None:
    """Let time pass since noon."""
    process.clock.time = Millis(NOON + millis)


def told(live: LoadedRoom, process: Process) -> dict[str, object]:
    """Return the clock of the public's view."""
    view = msgspec.json.decode(view_json(live.room, None, process.clock.now()))
    clock: dict[str, object] = view["match"]["clock"]
    return clock


async def test_a_view_tells_what_each_seat_has_left(process: Process) -> None:
    """In milliseconds, with the deadline of who is to move and the time now."""
    live = await process.match(ANNA, BEN, clock=BLITZ)
    later(process, 2500)
    assert told(live, process) == {
        "remaining": [57_500, 60_000],
        "deadline": "2023-11-14T22:14:20.000Z",
        "allowance_ms": 150,
        "server_time": "2023-11-14T22:13:22.500Z",
    }
    await process.moves(ANNA, "a1")
    assert told(live, process) == {
        "remaining": [58_500, 60_000],
        "deadline": "2023-11-14T22:14:22.500Z",
        "allowance_ms": 150,
        "server_time": "2023-11-14T22:13:22.500Z",
    }


async def test_without_a_clock_none_is_told(process: Process) -> None:
    """Not a row of zeros."""
    live = await process.match(ANNA, BEN)
    assert told(live, process) is None


async def test_after_the_match_no_clock_runs(process: Process) -> None:
    """What was left stays."""
    live = await process.match(ANNA, BEN, clock=BLITZ)
    later(process, 2500)
    await process.does(BEN, commands.Resign())
    later(process, 4000)
    clock = told(live, process)
    assert clock["deadline"] is None
    assert clock["remaining"] == [58_500, 60_000]


async def test_every_frame_tells_the_clock(process: Process) -> None:
    """Also to who wants events only; heartbeats too."""
    live = await process.match(ANNA, BEN, clock=BLITZ)
    full, bare = await watches(process, Screen()), await watches(process, Screen(state=False))
    later(process, 1000)
    await process.moves(ANNA, "a1")
    assert full.frames[-1]["view"]["match"]["clock"] == bare.frames[-1]["clock"]
    process.core.hub.send_heartbeat(live)
    assert bare.frames[-1]["type"] == "heartbeat"
    assert bare.frames[-1]["clock"]["remaining"] == [60_000, 60_000]


async def test_no_frame_tells_a_clock_where_there_is_none(process: Process) -> None:
    """It is left out."""
    live = await process.match(ANNA, BEN)
    bare = await watches(process, Screen(state=False))
    await process.moves(ANNA, "a1")
    process.core.hub.send_heartbeat(live)
    assert not any("clock" in frame for frame in bare.frames)


async def test_another_process_tells_the_same_clocks(process: Process) -> None:
    """It folds the same events."""
    await process.match(ANNA, BEN, clock=BLITZ)
    later(process, 2500)
    await process.moves(ANNA, "a1")
    other = process.another()
    assert (await other.fresh()).match == (await process.fresh()).match
    assert await process.fresh() == await stored(process.line, (await process.friday()).key)


async def test_who_has_committed_is_offered_nothing_more(process: Process) -> None:
    """A clock makes it final; without one the selection can still be changed."""
    for clock, offered in ((PerMove(Millis(5000)), False), (None, True)):
        here = Process(process.clock)
        live = await here.match(ANNA, BEN, game="turncoat", **({"clock": clock} if clock else {}))
        await here.does(ANNA, commands.Play({"type": "select", "at": "d4"}))
        await here.does(ANNA, commands.Play({"type": "commit"}))
        assert bool(legal_moves(live.room, Seat(0))) == offered
        assert legal_moves(live.room, Seat(1))


async def test_a_process_that_heard_of_down_time_gives_it_back_before_anything_else(process: Process) -> None:
    """The first command after it carries the event."""
    live = await process.match(ANNA, BEN, clock=PerMove(Millis(5000)))
    later(process, 40_000)
    process.clock.down = (Outage(Millis(NOON + 1000), Millis(NOON + 39_000)),)
    await process.moves(ANNA, "a1")
    kinds = [type(each.recorded.event).__name__ for each in list(live.recent)[-2:]]
    assert kinds == ["ClocksExtended", "Placed"]
    assert told(live, process)["remaining"] == [5000, 5000]
    later(process, 45_000 + LAG)
    assert await process.rooms.proceed(live.key)
    assert live.room.table.status == "finished"


async def test_a_process_that_was_late_itself_asks_for_down_time_before_it_decides(process: Process) -> None:
    """Else a move that waited while everything was stopped would come too late."""
    await process.match(ANNA, BEN, clock=PerMove(Millis(5000)))
    later(process, 40_000)
    clock = process.clock

    async def refreshed() -> None:
        clock.late = False
        clock.down = (Outage(Millis(NOON + 1000), Millis(NOON + 39_000)),)

    clock.late, clock.refreshed = True, refreshed  # type: ignore[method-assign]  # what it hears when it asks
    await process.moves(ANNA, "a1")
    assert not clock.late
