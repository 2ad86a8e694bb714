"""Players: what rooms deliver to them, once each and in order, and their own feeds."""

import asyncio
import random
from typing import Any
from unittest.mock import AsyncMock

import msgspec
import pytest

from service.domain.game import Seat
from service.domain.ids import Millis, Player, Version
from service.domain.room.model import commands
from service.people import player_service as feed
from service.people.player_service import record_json
from service.rooms.feeds.frames import OutgoingFrame
from service.runtime import metrics
from service.store.contract import StoreUnavailable
from service.store.stream_keys import KindKey, OutboxKey
from service.streams.errors import ServiceError
from service.streams.outboxes import OUTBOX_PAGE
from tests.rooms.processes import ANNA, BEN, CLARA, FRIDAY, Process, run_pending
from tests.waiting import wait_until

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


POINTS = ["a1", "b2", "d1", "b4", "g4", "c3", "d7", "e5", "f6", "c5"]


async def play_moves(process: Process, count: int, start: int = 0) -> None:
    """Play men in turn, without a mill."""
    for number, at in enumerate(POINTS[start : start + count], start):
        await process.place_man((ANNA, BEN)[number % 2], at)


async def read_turns(process: Process, *players: Player) -> None:
    """Have the turns of players stored, as if each followed the own feed for a while."""
    for player in players:
        await process.rooms.read_turns(player.id, Millis(process.clock.now() + feed.READ_FOR))


async def test_players_learn_of_their_matches_and_turns(process: Process) -> None:
    """With the room, so that a client can go there."""
    await process.start_match(ANNA, BEN)
    await read_turns(process, BEN)
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
    await read_turns(process, ANNA)
    await play_moves(process, 5)
    await process.deliver()
    assert await types_of(process, ANNA) == ["match_began", "turn_began"]
    assert (await types_of(process, BEN)).count("turn_began") == 1


async def test_turns_that_nobody_reads_cost_nothing(process: Process) -> None:
    """They are neither stored nor delivered; who follows the own feed later gets the one that waits."""
    await process.start_match(ANNA, BEN)
    await process.deliver()
    await play_moves(process, 4)
    assert await process.store.outbox.pending(0, 10) == []
    assert OutboxKey(0) not in process.store._due
    subscriber = await follow(process.start_another(), ANNA)
    await process.deliver()
    await run_pending()
    assert [event["type"] for event in subscriber.events] == ["turn_began"]
    assert await types_of(process, ANNA) == [*START, "turn_began"]


async def test_a_turn_that_nobody_read_is_delivered_after_later_events(process: Process) -> None:
    """Once, and to each player whose turn it was, and whichever of them reads first."""
    await process.start_match(ANNA, BEN)
    await play_moves(process, 1)
    await process.execute(ANNA, commands.OfferDraw())
    await process.deliver()
    assert await types_of(process, BEN) == ["match_began", "offer_received"]
    for player in (ANNA, BEN, BEN):
        await follow(process, player)
        await process.deliver()
    assert await types_of(process, BEN) == ["match_began", "offer_received", "turn_began"]
    assert await types_of(process, ANNA) == START


async def test_turns_are_read_in_rooms_that_are_entered_later(process: Process) -> None:
    """Also in the middle of a match, by way of a process that does not have the feed."""
    await read_turns(process, ANNA, CLARA)
    other = process.start_another()
    await other.start_match(ANNA, BEN)
    await process.deliver()
    await other.place_man(ANNA, "a1")
    await other.execute(CLARA, commands.Join("spectator"))
    await other.place_man(BEN, "b2")
    await process.deliver()
    assert await types_of(process, ANNA) == [*START, "turn_began"]
    await other.execute(BEN, commands.Leave())
    await other.execute(CLARA, commands.TakeSeat(Seat(1)))
    await other.place_man(ANNA, "d1")
    await process.deliver()
    assert (await types_of(process, CLARA))[-1] == "turn_began"


async def test_turns_are_stored_as_long_as_a_feed_is_followed(
    process: Process, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And no longer than its client is expected to come back."""
    rounds: list[float] = []

    def begin_round(seconds: float) -> float:
        rounds.append(seconds)
        return 0.001

    monkeypatch.setattr(feed, "until_next", begin_round)
    monkeypatch.setattr(feed, "READ_AGAIN", 0.0)

    async def finish_round() -> None:
        begun = len(rounds)
        await wait_until(lambda: len(rounds) > begun + 1)

    await process.start_match(ANNA, BEN)
    subscriber = await follow(process, ANNA)
    keeping = asyncio.create_task(process.players.keep_reading())
    for _ in range(3):
        process.clock.time = Millis(process.clock.time + feed.READ_FOR // 2)
        await finish_round()
    await play_moves(process, 2)
    assert len(await process.store.outbox.pending(0, 10)) == 5
    process.players.unfollow(ANNA.id, subscriber)
    await finish_round()
    process.clock.time = Millis(process.clock.time + feed.READ_FOR + 1)
    await finish_round()
    await play_moves(process, 2, 2)
    assert len(await process.store.outbox.pending(0, 10)) == 5
    keeping.cancel()


@pytest.mark.parametrize("seed", range(30))
async def test_a_feed_that_is_cut_at_any_point_misses_no_turn(process: Process, seed: int) -> None:
    """Of two processes, before, during and after each play, and cut for longer than its turns are stored."""
    dice, other = random.Random(seed), process.start_another()  # noqa: S311 - reproducible
    await process.start_match(ANNA, BEN)
    seen: tuple[int, str] | None = None
    for number in range(len(POINTS)):
        for each in (process, other):
            each.store.dice = random.Random(dice.random())  # noqa: S311 - the order of replies
        here = dice.choice((process, other))
        playing = asyncio.create_task(play_moves(dice.choice((process, other)), 1, number))
        for _ in range(dice.randrange(20)):
            await asyncio.sleep(0)
        following = asyncio.create_task(follow(here, ANNA, *(seen or ())))
        await asyncio.gather(following, playing, here.deliver())
        await process.deliver()
        await run_pending()
        subscriber = following.result()
        marks = [frame for frame in subscriber.frames if frame["type"] in ("player_snapshot", "player_update")]
        seen = (marks[-1]["version"], marks[-1]["mark"]) if marks else seen
        assert await types_of(process, ANNA) == [*START, *["turn_began"] * ((number + 1) // 2)]
        here.players.unfollow(ANNA.id, subscriber)
        process.clock.time = Millis(process.clock.time + dice.choice((0, feed.READ_FOR + 1)))
        await run_pending()


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
    await read_turns(process, ANNA)
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
    await read_turns(process, ANNA)
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


async def test_events_that_come_while_a_snapshot_is_made_follow_it(
    process: Process, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is missed in between, and nothing sent twice."""
    await process.start_match(ANNA, BEN)
    await process.deliver()
    monkeypatch.setattr(process.players._feeds, "read_turns", AsyncMock(return_value=True))
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
