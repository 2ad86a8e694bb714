"""Players: what rooms deliver to them, once each and in order, and their own feeds."""

import asyncio
import random
from typing import Any

import msgspec
import pytest

from service.domain.ids import Player, Version
from service.domain.room.model import commands
from service.people import player_service as feed
from service.people.player_service import record_json
from service.rooms.feeds.frames import OutgoingFrame
from service.runtime import metrics
from service.store.contract import StoreUnavailable
from service.store.stream_keys import KindKey
from service.streams.errors import ServiceError
from service.streams.outboxes import OUTBOX_PAGE
from tests.rooms.processes import ANNA, BEN, CLARA, FRIDAY, Process, run_pending

START = ["match_began", "turn_began"]
"""What the player who begins gets at the start of a match."""


class RecordingSubscriber:
    """A subscriber that records its frames."""

    def __init__(self) -> None:
        """Start without frames."""
        self.frames: list[dict[str, Any]] = []
        self.refusals: list[ServiceError] = []

    def refuse(self, refusal: ServiceError) -> None:
        """Record why the feed does not go on."""
        self.refusals.append(refusal)

    def offer(self, frame: OutgoingFrame) -> None:
        """Record a frame."""
        self.frames.append(msgspec.json.decode(frame.json))

    @property
    def types(self) -> list[str]:
        """The types of the frames."""
        return [frame["type"] for frame in self.frames]

    @property
    def events(self) -> list[dict[str, Any]]:
        """All events in the order in which they were received."""
        return [event for frame in self.frames if frame["type"] == "player_update" for event in frame["events"]]


async def events_of(process: Process, player: Player, after: int = 0) -> list[dict[str, Any]]:
    """Return the events of a player as clients get them."""
    page = await process.players.page(player.id, Version(after), 1000)
    return [msgspec.json.decode(record_json(record)) for record in page.records]


async def types_of(process: Process, player: Player) -> list[str]:
    """Return the types of a player's events."""
    return [event["type"] for event in await events_of(process, player)]


async def follow(
    process: Process, player: Player, since: int | None = None, mark: str | None = None
) -> RecordingSubscriber:
    """Return a subscriber of a player's own feed."""
    subscriber = RecordingSubscriber()
    await process.players.follow(player.id, subscriber, None if since is None else Version(since), mark)
    return subscriber


async def play_moves(process: Process, count: int) -> None:
    """Play men in turn, without a mill."""
    points = ["a1", "b2", "d1", "b4", "g4", "c3", "d7", "e5", "f6", "c5"]
    for number, at in enumerate(points[:count]):
        await process.place_man((ANNA, BEN)[number % 2], at)


async def test_players_learn_of_their_matches_and_turns(process: Process) -> None:
    """With the room, so that a client can go there."""
    await process.start_match(ANNA, BEN)
    await process.place_man(ANNA, "a1")
    await process.execute(BEN, commands.Resign())
    await process.deliver()
    assert await types_of(process, ANNA) == ["match_began", "turn_began", "match_finished"]
    assert await types_of(process, BEN) == ["match_began", "turn_began", "match_finished"]
    [began, *_] = await events_of(process, BEN)
    assert (began["room"], began["game"], began["seats"], began["version"]) == (FRIDAY, "morris", [1], 1)


async def test_a_turn_that_is_over_when_it_is_delivered_is_left_out(process: Process) -> None:
    """Of several turns that wait in the outbox only the latest is worth knowing."""
    await process.start_match(ANNA, BEN)
    await play_moves(process, 5)
    await process.deliver()
    assert await types_of(process, ANNA) == ["match_began", "turn_began"]
    assert (await types_of(process, BEN)).count("turn_began") == 1


async def test_a_repeated_delivery_has_no_effect(process: Process, monkeypatch: pytest.MonkeyPatch) -> None:
    """The worker was killed after it had delivered, before it deleted the entries; another one starts again."""

    async def killed(*_: object) -> None:
        raise StoreUnavailable

    await process.start_match(ANNA, BEN)
    monkeypatch.setattr(process.store.outbox, "delete", killed)
    with pytest.raises(StoreUnavailable):
        await process.deliver()
    monkeypatch.undo()
    assert await types_of(process, ANNA) == START
    assert await process.store.outbox.pending(0, 10) != []
    await process.start_another().deliver()
    assert await types_of(process, ANNA) == START
    assert await process.store.outbox.pending(0, 10) == []


async def test_two_workers_deliver_at_the_same_time(process: Process) -> None:
    """One was suspended and its claim has ended; each event is there once."""
    other = process.start_another()
    for each in (process, other):
        each.store.dice = random.Random(7)  # noqa: S311 - the order of replies
    await process.start_match(ANNA, BEN)
    for number in range(6):
        await process.place_man((ANNA, BEN)[number % 2], ["a1", "b2", "d1", "b4", "g4", "c3"][number])
        await asyncio.gather(process.deliver(), other.deliver())
    events = await events_of(process, ANNA)
    assert [event["type"] for event in events] == [
        "match_began",
        "turn_began",
        "turn_began",
        "turn_began",
        "turn_began",
    ]
    assert [event["version"] for event in events] == [1, 2, 3, 4, 5]


async def test_a_long_outbox_is_delivered_page_by_page(process: Process) -> None:
    """In order."""
    await process.start_match(ANNA, BEN)
    for number in range(OUTBOX_PAGE + 20):
        await process.execute(ANNA, commands.OfferDraw())
        await process.execute(ANNA, commands.Withdraw(number + 1))
    await process.deliver()
    offers = [event["offer"] for event in await events_of(process, BEN) if event["type"] == "offer_received"]
    assert offers == list(range(1, OUTBOX_PAGE + 21))


async def test_a_damaged_player_does_not_stop_deliveries_to_others(process: Process) -> None:
    """It is logged, and the outbox goes on."""
    await process.start_match(ANNA, BEN)
    await process.deliver()
    stream = process.store._streams[KindKey("player", BEN.id)]
    stream.entries[0] = msgspec.structs.replace(stream.entries[0], data=b"{}")
    other = process.start_another()
    await process.place_man(ANNA, "a1")
    await process.place_man(BEN, "b2")
    dropped = metrics.DELIVERIES.labels("dropped")._value.get()
    await other.deliver()
    assert metrics.DELIVERIES.labels("dropped")._value.get() == dropped + 1
    assert await types_of(other, ANNA) == [*START, "turn_began"]
    with pytest.raises(ServiceError, match="history_damaged"):
        await types_of(other, BEN)


async def test_an_event_of_a_newer_release_waits_for_a_newer_worker(process: Process) -> None:
    """It stays in the outbox, and so does what comes after it."""
    process.store.outbox.add("friday-night:e1", Version(9), b'[["p-anna",{"type":"invented"}]]')
    with pytest.raises(ServiceError, match="newer_events"):
        await process.deliver()
    assert len(await process.store.outbox.pending(0, 10)) == 1


async def test_a_new_subscriber_gets_its_rooms_and_then_every_event(process: Process) -> None:
    """Also those that another process delivers."""
    await process.start_match(ANNA, BEN)
    await process.deliver()
    subscriber = await follow(process, ANNA)
    assert subscriber.types == ["player_subscribed", "player_snapshot", "player_caught_up"]
    [room] = subscriber.frames[1]["rooms"]
    assert (room["room"], room["my_turn"]) == (FRIDAY, True)
    await play_moves(process, 2)
    await process.start_another().deliver()
    await run_pending()
    assert [event["type"] for event in subscriber.events] == ["turn_began"]
    assert subscriber.frames[-1]["version"] == 3


async def test_a_subscriber_resumes_without_gap_or_repetition(process: Process) -> None:
    """With the version and the mark of its last frame."""
    await process.start_match(ANNA, BEN)
    await process.deliver()
    first = await follow(process, ANNA)
    last = first.frames[1]
    process.players.unfollow(ANNA.id, first)
    await process.execute(BEN, commands.Resign())
    await process.deliver()
    again = await follow(process.start_another(), ANNA, last["version"], last["mark"])
    assert again.frames[0]["recovered"]
    assert [event["type"] for event in again.events] == ["match_finished"]
    assert len(first.frames) == 3


@pytest.mark.parametrize(("since", "mark"), [(2, "another"), (99, None)])
async def test_a_subscriber_of_another_history_gets_a_snapshot(process: Process, since: int, mark: str | None) -> None:
    """As after the store was replaced by a backup."""
    await process.start_match(ANNA, BEN)
    await process.deliver()
    subscriber = await follow(process, ANNA, since, mark)
    assert not subscriber.frames[0]["recovered"]
    assert (subscriber.frames[1]["type"], subscriber.frames[1]["reason"]) == ("player_snapshot", "history_changed")


async def test_events_that_come_while_a_snapshot_is_made_follow_it(process: Process) -> None:
    """Nothing is missed in between, and nothing sent twice."""
    await process.start_match(ANNA, BEN)
    await process.deliver()
    held = process.store.hold("rooms_of")
    subscriber = RecordingSubscriber()
    following = asyncio.create_task(process.players.follow(ANNA.id, subscriber, None, None))
    await held.reached.wait()
    await process.execute(BEN, commands.Resign())
    await process.deliver()
    held.release()
    await following
    assert subscriber.types == ["player_subscribed", "player_snapshot", "player_update", "player_caught_up"]
    assert [event["version"] for event in subscriber.events] == [3]


async def test_a_slow_subscriber_gets_a_snapshot_instead(process: Process) -> None:
    """Once it has caught up; what was dropped is in the rooms that it shows."""
    await process.start_match(ANNA, BEN)
    await process.deliver()
    subscriber = await follow(process, ANNA)
    process.players.resync(ANNA.id, subscriber)
    await run_pending()
    assert subscriber.types[3:] == ["player_snapshot", "player_caught_up"]
    assert subscriber.frames[3]["reason"] == "too_slow"


async def test_a_player_without_events_can_follow(process: Process) -> None:
    """The first event comes later."""
    subscriber = await follow(process, CLARA)
    assert subscriber.frames[0]["version"] == 0
    await process.start_match(ANNA, CLARA)
    await process.deliver()
    await run_pending()
    assert [event["type"] for event in subscriber.events] == ["match_began"]


async def test_the_last_subscriber_ends_the_subscription(process: Process) -> None:
    """So that a process is not notified of players who have gone."""
    subscribers = [await follow(process, ANNA), await follow(process, ANNA)]
    for subscriber in subscribers:
        assert KindKey("player", ANNA.id) in process.store._subscriptions
        process.players.unfollow(ANNA.id, subscriber)
        await run_pending()
    assert KindKey("player", ANNA.id) not in process.store._subscriptions


async def test_a_long_absence_is_sent_in_pages(process: Process, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each at most so long."""
    monkeypatch.setattr(feed, "PAGE", 2)
    await process.start_match(ANNA, BEN)
    for number in range(5):
        await process.execute(ANNA, commands.OfferDraw())
        await process.execute(ANNA, commands.Withdraw(number + 1))
    await process.deliver()
    subscriber = await follow(process, BEN, 0)
    updates = [frame for frame in subscriber.frames if frame["type"] == "player_update"]
    assert [len(frame["events"]) for frame in updates] == [2, 2, 2]
    assert [event["version"] for event in subscriber.events] == [1, 2, 3, 4, 5, 6]


async def test_a_new_subscription_survives_the_end_of_an_earlier_one(process: Process) -> None:
    """Even if it follows at once: what other processes deliver is sent."""
    first = await follow(process, ANNA)
    process.players.unfollow(ANNA.id, first)
    second = await follow(process, ANNA)
    await run_pending()
    another = process.start_another()
    await another.start_match(ANNA, BEN)
    await another.deliver()
    await run_pending()
    assert [event["type"] for event in second.events] == START


async def test_only_the_outbox_of_a_partition_is_settled(process: Process) -> None:
    """Without anything to deliver nothing happens."""
    await process.deliver()
    assert process.store._due == {}
