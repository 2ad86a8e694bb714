"""Subscriptions to a room: every event once, in order, and only what the audience may know."""

import asyncio
import random

import msgspec
import pytest

from service.domain.game import Seat
from service.domain.ids import RoomKey, Version
from service.domain.room.model import commands
from service.rooms.repository import LoadedRoom
from service.store.contract import StoreUnavailable
from service.streams import reader
from service.streams.errors import ServiceError
from tests.rooms.processes import (
    ANNA,
    BEN,
    CLARA,
    DORA,
    Process,
    RecordingSubscriber,
    lose_tail,
    run_pending,
    subscribe,
)


async def join_and_leave(process: Process, times: int) -> None:
    """Let Dora join and leave in this process, one event after another."""
    for count in range(times):
        await process.execute(DORA, commands.Leave() if count % 2 else commands.Join(role="spectator"))


async def test_a_new_subscriber_receives_the_view_and_then_every_command(process: Process) -> None:
    """Each with its events and the view after them."""
    live = await process.start_match(ANNA, BEN)
    subscriber = await subscribe(process, RecordingSubscriber())
    assert subscriber.types == ["subscribed", "snapshot", "caught_up"]
    assert subscriber.frames[1]["reason"] == "subscribed"
    await process.place_man(ANNA, "a1")
    await process.execute(BEN, commands.Resign())
    assert subscriber.types[3:] == ["update", "update"]
    assert [event["type"] for event in subscriber.frames[4]["events"]] == ["dropped", "match_ended"]
    assert subscriber.frames[4]["view"]["status"] == "finished"
    assert subscriber.check_versions(0) == live.head.version


async def test_a_subscriber_without_views_receives_events_only(process: Process) -> None:
    """This begins with the first frame."""
    await process.start_match(ANNA, BEN)
    subscriber = await subscribe(process, RecordingSubscriber(state=False))
    await process.place_man(ANNA, "a1")
    assert subscriber.types == ["subscribed", "caught_up", "update"]
    assert "view" not in subscriber.frames[-1]


async def test_a_subscriber_that_resumes_receives_what_it_missed(process: Process) -> None:
    """One command per frame, the view only with the latest; here, and in a process that read it all from the store."""
    live = await process.start_match(ANNA, BEN)
    for where in (process, process.start_another()):
        subscriber = await subscribe(where, RecordingSubscriber(), since=1)
        assert subscriber.types[0] == "subscribed"
        assert subscriber.frames[0]["recovered"]
        assert subscriber.check_versions(1) == live.head.version
        updates = [frame for frame in subscriber.frames if frame["type"] == "update"]
        assert ["view" in frame for frame in updates] == [False] * (len(updates) - 1) + [True]
        assert subscriber.types[-1] == "caught_up"


async def test_a_mark_shows_whether_the_history_is_the_same(process: Process) -> None:
    """At every version; with a mark of another one a snapshot is sent, never a part of the events."""
    live = await process.start_match(ANNA, BEN)
    recorded = await subscribe(process, RecordingSubscriber(), since=0)
    marks = {frame["version"]: frame["mark"] for frame in recorded.frames if "mark" in frame}
    for version, mark in marks.items():
        for where in (process, process.start_another()):
            assert (await subscribe(where, RecordingSubscriber(), version, mark)).frames[0]["recovered"]
            other = await subscribe(where, RecordingSubscriber(state=False), version, "a mark of another history")
            assert other.types == ["subscribed", "snapshot", "caught_up"]
            assert other.frames[1]["reason"] == "history_changed"
    ahead = await subscribe(process, RecordingSubscriber(), live.head.version + 1, marks[live.head.version])
    assert ahead.types == ["subscribed", "snapshot", "caught_up"]
    assert ahead.frames[1]["reason"] == "history_changed"


async def test_marks_are_the_same_in_every_process(process: Process) -> None:
    """A client may reconnect to another one."""
    await process.start_match(ANNA, BEN)
    mark = (await subscribe(process, RecordingSubscriber())).frames[0]["mark"]
    assert (await subscribe(process.start_another(), RecordingSubscriber())).frames[0]["mark"] == mark


def first_selectable(live: LoadedRoom) -> str:
    """Return a square that red may select in a match of Turncoat."""
    match = live.state.match
    assert match is not None
    selections = msgspec.to_builtins(tuple(live.state.game.legal_moves(match.state, Seat(0))))
    return str(selections[0]["at"])


async def test_each_seat_receives_its_own_secrets(process: Process) -> None:
    """Updates, caught-up events and views have them; the public and the other seat receive less."""
    live = await process.start_match(ANNA, BEN, game="turncoat")
    before = live.head.version
    subscribers = [await subscribe(process, RecordingSubscriber(player)) for player in (ANNA, BEN, CLARA)]
    at = first_selectable(live)
    await process.execute(ANNA, commands.Play({"type": "select", "at": at}))
    subscribers += [
        await subscribe(process, RecordingSubscriber(player), since=before) for player in (ANNA, BEN, CLARA)
    ]
    events_received = [
        frame["events"] for subscriber in subscribers for frame in subscriber.frames if frame["type"] == "update"
    ]
    own = [
        subscriber.frames[-1 if n < 3 else -2]["view"]["match"]["state"]["own_selection"]
        for n, subscriber in enumerate(subscribers)
    ]
    assert [[event.get("at") for event in events] for events in events_received] == [[at], [None], [None]] * 2
    assert own == [at, None, None] * 2


def has_no_subscribers(process: Process, key: RoomKey) -> bool:
    """Return whether a process has neither subscribers of a room nor any that are being added."""
    return process.rooms._subscriptions._followed[key] == 0 and process.core.hub.subscribers(key) == set()


async def test_a_subscription_for_another_players_seat_is_refused(process: Process) -> None:
    """At once, and the room continues without the subscriber."""
    live = await process.start_match(ANNA, BEN)
    for subscriber in (
        RecordingSubscriber(BEN, seat=0),
        RecordingSubscriber(CLARA, seat=1),
        RecordingSubscriber(seat=0),
        RecordingSubscriber(ANNA, seat=7),
    ):
        with pytest.raises(ServiceError, match="not_your_seat"):
            await subscribe(process, subscriber)
        assert subscriber.frames == []
    assert has_no_subscribers(process, live.key)


async def test_a_new_player_of_a_seat_receives_its_secrets_at_once(process: Process) -> None:
    """The old one becomes a spectator; nobody subscribes again."""
    live = await process.start_match(ANNA, BEN, game="turncoat")
    await process.execute(CLARA, commands.Join(role="spectator"))
    anna, clara = (
        await subscribe(process, RecordingSubscriber(ANNA)),
        await subscribe(process, RecordingSubscriber(CLARA)),
    )
    at = first_selectable(live)
    await process.execute(ANNA, commands.Play({"type": "select", "at": at}))
    await process.execute(ANNA, commands.LeaveSeat())
    await process.execute(CLARA, commands.TakeSeat(Seat(0)))
    views = [subscriber.frames[-1]["view"]["match"]["state"] for subscriber in (anna, clara)]
    assert [view["own_selection"] for view in views] == [None, at]


async def test_events_of_another_process_are_delivered(process: Process) -> None:
    """As soon as the store has announced them."""
    live = await process.start_match(ANNA, BEN)
    here = process.start_another()
    subscriber = await subscribe(here, RecordingSubscriber())
    await process.place_man(ANNA, "a1")
    await run_pending()
    assert subscriber.check_versions(0) == live.head.version


@pytest.mark.parametrize("page", [3, 4, 7])
async def test_a_command_is_never_split(process: Process, monkeypatch: pytest.MonkeyPatch, page: int) -> None:
    """Whatever the pages in which a long history is read."""
    monkeypatch.setattr(reader, "PAGE", page)
    live = await process.open("ternio", hot_seat=True)
    for _ in range(150):
        await process.execute(BEN, commands.Join())
        await process.execute(BEN, commands.Leave())
    here = process.start_another()
    assert (await here.cached_room()).since(Version(0)) is None
    subscriber = await subscribe(here, RecordingSubscriber(), since=0)
    assert subscriber.check_versions(0) == live.head.version
    sizes = {len(frame["events"]) for frame in subscriber.frames if frame["type"] == "update"}
    assert sizes == {2, 3}


@pytest.mark.parametrize("seed", range(8))
async def test_no_event_is_missed_or_repeated_during_writes(process: Process, seed: int) -> None:
    """Subscribers come at random times, from any version, in both processes, and every reply of the store is slow."""
    dice = random.Random(seed)  # noqa: S311 - who comes when
    live = await process.open()
    other = process.start_another()
    await other.cached_room()
    process.store.dice = other.store.dice = dice
    writing = asyncio.gather(join_and_leave(process, 30), *(try_to_join(other, dice) for _ in range(3)))
    subscribers: list[tuple[int, RecordingSubscriber]] = []
    while not writing.done():
        since = dice.choice((None, 0, dice.randrange(live.head.version + 1)))
        where, subscriber = dice.choice((process, other)), RecordingSubscriber()
        await subscribe(where, subscriber, since)
        subscribers.append((since or 0, subscriber))
        await asyncio.sleep(0)
    await writing
    await run_pending()
    assert len(subscribers) > 10
    assert {subscriber.check_versions(since) for since, subscriber in subscribers} == {live.head.version}


async def try_to_join(process: Process, dice: random.Random) -> None:
    """Let Ben and Clara join and leave at random; they may be refused."""
    for _ in range(20):
        try:
            await process.execute(
                dice.choice((BEN, CLARA)), dice.choice((commands.Join(role="spectator"), commands.Leave()))
            )
        except ServiceError:
            await asyncio.sleep(0)


async def test_a_room_without_subscribers_has_no_notifications(process: Process) -> None:
    """From the time when the last subscriber is gone, until the next one comes."""
    live = await process.start_match(ANNA, BEN)
    one, two = await subscribe(process, RecordingSubscriber()), await subscribe(process, RecordingSubscriber())
    for left in (one, two):
        assert live.key in process.store._subscriptions
        process.rooms.unsubscribe(live, left)
        await run_pending()
    assert live.key not in process.store._subscriptions
    assert has_no_subscribers(process, live.key)
    await subscribe(process, RecordingSubscriber())
    assert live.key in process.store._subscriptions


async def test_a_failed_subscription_leaves_nothing_behind(process: Process) -> None:
    """The store became unavailable in the middle."""
    live = await process.start_match(ANNA, BEN)
    process.store.failing["heads"] = StoreUnavailable()
    with pytest.raises(StoreUnavailable):
        await subscribe(process, RecordingSubscriber())
    await run_pending()
    assert has_no_subscribers(process, live.key)
    assert live.key not in process.store._subscriptions


async def test_a_subscription_cancelled_while_catching_up_leaves_nothing_behind(process: Process) -> None:
    """Its task was cancelled while older events were read."""
    live = await process.start_match(ANNA, BEN)
    here = process.start_another()
    there = await here.cached_room()
    there.recent.clear()
    delayed = here.store.hold("read")
    subscribing = asyncio.create_task(subscribe(here, RecordingSubscriber(), since=0))
    await delayed.reached.wait()
    subscribing.cancel()
    await asyncio.gather(subscribing, return_exceptions=True)
    await run_pending()
    assert has_no_subscribers(here, there.key)
    assert live.key not in here.store._subscriptions


async def test_a_history_replaced_while_catching_up_causes_a_resync(process: Process) -> None:
    """What was sent by then is outdated; the subscriber receives the view."""
    live = await process.start_match(ANNA, BEN)
    here = process.start_another()
    there = await here.cached_room()
    there.recent.clear()
    delayed = here.store.hold("read")
    subscriber = RecordingSubscriber()
    subscribing = asyncio.create_task(subscribe(here, subscriber, since=0))
    await delayed.reached.wait()
    lose_tail(process.store, live.key, 3)
    await here.stored_room()
    delayed.release()
    await subscribing
    assert subscriber.types[-2:] == ["snapshot", "caught_up"]
    assert subscriber.frames[-2]["reason"] == "history_changed"


@pytest.mark.parametrize("since", [0, 1, 2])
async def test_a_subscriber_from_before_the_trimmed_events_receives_the_view(process: Process, since: int) -> None:
    """With a mark or without: the missing events are gone."""
    live = await process.start_match(ANNA, BEN)
    await process.rooms.close()
    marks = {
        frame["version"]: frame["mark"]
        for frame in (await subscribe(process, RecordingSubscriber(), 0)).frames
        if "mark" in frame
    }
    del process.store._streams[live.key].entries[:4]
    here = process.start_another()
    for mark in (None, marks.get(since, "unknown")):
        subscriber = await subscribe(here, RecordingSubscriber(), since, mark)
        assert subscriber.types == ["subscribed", "snapshot", "caught_up"]
        assert not subscriber.frames[0]["recovered"]


async def test_catching_up_on_a_lost_room_ends(process: Process, monkeypatch: pytest.MonkeyPatch) -> None:
    """The rest of the events no longer exists."""
    monkeypatch.setattr(reader, "PAGE", 3)
    live = await process.start_match(ANNA, BEN)
    here = process.start_another()
    (await here.cached_room()).recent.clear()
    delayed = here.store.hold("read")
    subscribing = asyncio.create_task(subscribe(here, RecordingSubscriber(), since=0))
    await delayed.reached.wait()
    del process.store._streams[live.key], process.store._names[live.key.name]
    with pytest.raises(ServiceError, match="no_such_room"):
        await here.stored_room()
    delayed.release()
    await run_pending()
    over = subscribing.done()
    subscribing.cancel()
    await asyncio.gather(subscribing, return_exceptions=True)
    assert over
