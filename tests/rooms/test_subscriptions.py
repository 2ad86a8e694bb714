"""Watching a room: everything once, in order, and only what one may know."""

import asyncio
import random

import msgspec
import pytest

from service.domain.game import Seat
from service.domain.room.model import commands
from service.domain.room.model.ids import RoomKey, Version
from service.rooms.errors import ServiceError
from service.rooms.feeds import subscriptions
from service.rooms.loading.room import LoadedRoom
from service.store.contract import StoreUnavailable
from tests.rooms.processes import ANNA, BEN, CLARA, DORA, Process, Screen, lose_tail, settle, watches


async def comes_and_goes(process: Process, times: int) -> None:
    """Let Dora come and go in this process, one event after another."""
    for count in range(times):
        await process.does(DORA, commands.Leave() if count % 2 else commands.Join(role="spectator"))


async def test_who_comes_gets_the_whole_view_and_then_every_command(process: Process) -> None:
    """Each with its events and the view after them."""
    live = await process.match(ANNA, BEN)
    screen = await watches(process, Screen())
    assert screen.kinds == ["subscribed", "snapshot", "caught_up"]
    assert screen.frames[1]["reason"] == "subscribed"
    await process.moves(ANNA, "a1")
    await process.does(BEN, commands.Resign())
    assert screen.kinds[3:] == ["update", "update"]
    assert [event["type"] for event in screen.frames[4]["events"]] == ["dropped", "match_ended"]
    assert screen.frames[4]["view"]["status"] == "finished"
    assert screen.without_gap_or_double(0) == live.head.version


async def test_who_wants_no_view_gets_events_only(process: Process) -> None:
    """From the first frame on."""
    await process.match(ANNA, BEN)
    screen = await watches(process, Screen(state=False))
    await process.moves(ANNA, "a1")
    assert screen.kinds == ["subscribed", "caught_up", "update"]
    assert "view" not in screen.frames[-1]


async def test_who_comes_back_gets_what_was_missed(process: Process) -> None:
    """A command a frame, the view with the latest only; here, and in a process that read it all from the store."""
    live = await process.match(ANNA, BEN)
    for where in (process, process.another()):
        screen = await watches(where, Screen(), since=1)
        assert screen.kinds[0] == "subscribed"
        assert screen.frames[0]["recovered"]
        assert screen.without_gap_or_double(1) == live.head.version
        updates = [frame for frame in screen.frames if frame["type"] == "update"]
        assert ["view" in frame for frame in updates] == [False] * (len(updates) - 1) + [True]
        assert screen.kinds[-1] == "caught_up"


async def test_a_mark_tells_whether_the_history_is_still_ours(process: Process) -> None:
    """At every version; a mark of any other one is refused with a snapshot, never with a part of the events."""
    live = await process.match(ANNA, BEN)
    seen = await watches(process, Screen(), since=0)
    marks = {frame["version"]: frame["mark"] for frame in seen.frames if "mark" in frame}
    for version, mark in marks.items():
        for where in (process, process.another()):
            assert (await watches(where, Screen(), version, mark)).frames[0]["recovered"]
            stranger = await watches(where, Screen(state=False), version, "a mark of another history")
            assert stranger.kinds == ["subscribed", "snapshot", "caught_up"]
            assert stranger.frames[1]["reason"] == "history_changed"
    ahead = await watches(process, Screen(), live.head.version + 1, marks[live.head.version])
    assert ahead.kinds == ["subscribed", "snapshot", "caught_up"]
    assert ahead.frames[1]["reason"] == "history_changed"


async def test_marks_are_the_same_in_every_process(process: Process) -> None:
    """A client may come back to another one."""
    await process.match(ANNA, BEN)
    mark = (await watches(process, Screen())).frames[0]["mark"]
    assert (await watches(process.another(), Screen())).frames[0]["mark"] == mark


def first_disc(live: LoadedRoom) -> str:
    """Return a square that red may select in a match of Turncoat."""
    match = live.room.match
    assert match is not None
    selections = msgspec.to_builtins(tuple(live.room.game.legal_moves(match.state, Seat(0))))
    return str(selections[0]["at"])


async def test_each_seat_sees_its_own_secrets(process: Process) -> None:
    """In updates, in what is caught up on, and in views; the public and the other seat see the same bytes less."""
    live = await process.match(ANNA, BEN, game="turncoat")
    before = live.head.version
    screens = [await watches(process, Screen(player)) for player in (ANNA, BEN, CLARA)]
    at = first_disc(live)
    await process.does(ANNA, commands.Play({"type": "select", "at": at}))
    screens += [await watches(process, Screen(player), since=before) for player in (ANNA, BEN, CLARA)]
    told = [frame["events"] for screen in screens for frame in screen.frames if frame["type"] == "update"]
    own = [
        screen.frames[-1 if n < 3 else -2]["view"]["match"]["state"]["own_selection"]
        for n, screen in enumerate(screens)
    ]
    assert [[event.get("at") for event in events] for events in told] == [[at], [None], [None]] * 2
    assert own == [at, None, None] * 2


def nobody_follows(process: Process, key: RoomKey) -> bool:
    """Return whether a process has neither subscribers of a room nor any on their way."""
    return process.rooms._subscriptions._followed[key] == 0 and process.core.hub.subscribers(key) == set()


async def test_a_seat_that_is_not_ones_own_is_not_shown(process: Process) -> None:
    """It is refused at once, and the room goes on without the watcher."""
    live = await process.match(ANNA, BEN)
    for screen in (Screen(BEN, seat=0), Screen(CLARA, seat=1), Screen(seat=0), Screen(ANNA, seat=7)):
        with pytest.raises(ServiceError, match="not_your_seat"):
            await watches(process, screen)
        assert screen.frames == []
    assert nobody_follows(process, live.key)


async def test_a_new_holder_sees_what_the_seat_sees_at_once(process: Process) -> None:
    """And the old one becomes a spectator; nobody subscribes anew."""
    live = await process.match(ANNA, BEN, game="turncoat")
    await process.does(CLARA, commands.Join(role="spectator"))
    anna, clara = await watches(process, Screen(ANNA)), await watches(process, Screen(CLARA))
    at = first_disc(live)
    await process.does(ANNA, commands.Play({"type": "select", "at": at}))
    await process.does(ANNA, commands.LeaveSeat())
    await process.does(CLARA, commands.TakeSeat(Seat(0)))
    views = [screen.frames[-1]["view"]["match"]["state"] for screen in (anna, clara)]
    assert [view["own_selection"] for view in views] == [None, at]


async def test_what_another_process_writes_is_told_here(process: Process) -> None:
    """As soon as the store has told of it."""
    live = await process.match(ANNA, BEN)
    here = process.another()
    screen = await watches(here, Screen())
    await process.moves(ANNA, "a1")
    await settle()
    assert screen.without_gap_or_double(0) == live.head.version


@pytest.mark.parametrize("page", [3, 4, 7])
async def test_a_command_is_never_split(process: Process, monkeypatch: pytest.MonkeyPatch, page: int) -> None:
    """However the pages fall in which a long history is read."""
    monkeypatch.setattr(subscriptions, "PAGE", page)
    live = await process.open("ternio", hot_seat=True)
    for _ in range(150):
        await process.does(BEN, commands.Join())
        await process.does(BEN, commands.Leave())
    here = process.another()
    assert (await here.friday()).since(Version(0)) is None
    screen = await watches(here, Screen(), since=0)
    assert screen.without_gap_or_double(0) == live.head.version
    sizes = {len(frame["events"]) for frame in screen.frames if frame["type"] == "update"}
    assert sizes == {2, 3}


@pytest.mark.parametrize("seed", range(8))
async def test_no_gap_and_no_double_while_others_write(process: Process, seed: int) -> None:
    """Watchers come at random moments, from any version, in both processes, and every answer of the store is slow."""
    dice = random.Random(seed)  # noqa: S311 - who comes when
    live = await process.open()
    other = process.another()
    await other.friday()
    process.line.dice = other.line.dice = dice
    writing = asyncio.gather(comes_and_goes(process, 30), *(knocks(other, dice) for _ in range(3)))
    screens: list[tuple[int, Screen]] = []
    while not writing.done():
        since = dice.choice((None, 0, dice.randrange(live.head.version + 1)))
        where, screen = dice.choice((process, other)), Screen()
        await watches(where, screen, since)
        screens.append((since or 0, screen))
        await asyncio.sleep(0)
    await writing
    await settle()
    assert len(screens) > 10
    assert {screen.without_gap_or_double(since) for since, screen in screens} == {live.head.version}


async def knocks(process: Process, dice: random.Random) -> None:
    """Let Ben and Clara come and go as it happens; they may be refused."""
    for _ in range(20):
        try:
            await process.does(
                dice.choice((BEN, CLARA)), dice.choice((commands.Join(role="spectator"), commands.Leave()))
            )
        except ServiceError:
            await asyncio.sleep(0)


async def test_a_room_that_nobody_watches_is_not_listened_to(process: Process) -> None:
    """From the moment in which the last watcher has gone, and again when one comes."""
    live = await process.match(ANNA, BEN)
    one, two = await watches(process, Screen()), await watches(process, Screen())
    for gone in (one, two):
        assert live.key in process.line._subscriptions
        process.rooms.unsubscribe(live, gone)
        await settle()
    assert live.key not in process.line._subscriptions
    assert nobody_follows(process, live.key)
    await watches(process, Screen())
    assert live.key in process.line._subscriptions


async def test_a_watcher_who_could_not_attach_leaves_nothing_behind(process: Process) -> None:
    """The store went away in the middle."""
    live = await process.match(ANNA, BEN)
    process.line.failing["heads"] = StoreUnavailable()
    with pytest.raises(StoreUnavailable):
        await watches(process, Screen())
    await settle()
    assert nobody_follows(process, live.key)
    assert live.key not in process.line._subscriptions


async def test_a_watcher_who_goes_while_catching_up_leaves_nothing_behind(process: Process) -> None:
    """Its task was cancelled while the store was asked for older events."""
    live = await process.match(ANNA, BEN)
    here = process.another()
    there = await here.friday()
    there.recent.clear()
    held = here.line.hold("read")
    coming = asyncio.create_task(watches(here, Screen(), since=0))
    await held.reached.wait()
    coming.cancel()
    await asyncio.gather(coming, return_exceptions=True)
    await settle()
    assert nobody_follows(here, there.key)
    assert live.key not in here.line._subscriptions


async def test_a_history_replaced_while_one_catches_up_is_told(process: Process) -> None:
    """What was told by then is no history any more; the watcher gets the whole view."""
    live = await process.match(ANNA, BEN)
    here = process.another()
    there = await here.friday()
    there.recent.clear()
    held = here.line.hold("read")
    screen = Screen()
    coming = asyncio.create_task(watches(here, screen, since=0))
    await held.reached.wait()
    lose_tail(process.line, live.key, 3)
    await here.fresh()
    held.release()
    await coming
    assert screen.kinds[-2:] == ["snapshot", "caught_up"]
    assert screen.frames[-2]["reason"] == "history_changed"


@pytest.mark.parametrize("since", [0, 1, 2])
async def test_who_comes_back_from_before_what_was_trimmed_gets_the_whole_view(process: Process, since: int) -> None:
    """With a mark or without: what is missing can't be told any more."""
    live = await process.match(ANNA, BEN)
    await process.rooms.close()
    marks = {
        frame["version"]: frame["mark"] for frame in (await watches(process, Screen(), 0)).frames if "mark" in frame
    }
    del process.line._streams[live.key].entries[:4]
    here = process.another()
    for mark in (None, marks.get(since, "unknown")):
        screen = await watches(here, Screen(), since, mark)
        assert screen.kinds == ["subscribed", "snapshot", "caught_up"]
        assert not screen.frames[0]["recovered"]


async def test_who_catches_up_on_a_room_that_is_lost_does_not_wait_for_ever(
    process: Process, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The rest of the events is nowhere any more."""
    monkeypatch.setattr(subscriptions, "PAGE", 3)
    live = await process.match(ANNA, BEN)
    here = process.another()
    (await here.friday()).recent.clear()
    held = here.line.hold("read")
    coming = asyncio.create_task(watches(here, Screen(), since=0))
    await held.reached.wait()
    del process.line._streams[live.key], process.line._names[live.key.name]
    with pytest.raises(ServiceError, match="no_such_room"):
        await here.fresh()
    held.release()
    await settle()
    over = coming.done()
    coming.cancel()
    await asyncio.gather(coming, return_exceptions=True)
    assert over
