"""TV of a process: what it takes from the lobby, and what its subscribers receive."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import msgspec
import pytest

from service.contests import tv
from service.contests.tv import BEST, CHANNELS, ENDED_FOR, TvService
from service.domain.ids import Millis, Player, RoomName
from service.domain.room.model import commands
from service.domain.room.model.clock import Days, PerMove
from service.domain.room.model.settings import OpenRoom, RequestedSettings
from service.rooms.commands.requests import CommandRequest
from service.rooms.feeds.frames import OutgoingFrame
from service.store.integrity import BrokenHistory
from service.store.player_names import ERASED
from service.store.side_channels import ProcessId
from tests.contests.ratings.matches import match_won_by
from tests.rooms.processes import ANNA, BEN, CLARA, DORA, Clock, Process
from tests.waiting import PATIENCE, wait_until

CLOCK = PerMove(Millis(10_000))
RATED: dict[str, Any] = {"rated": True, "clock": CLOCK}


class Watching:
    """A process with TV."""

    def __init__(self) -> None:
        """Start with an empty store, at noon."""
        self.process = Process(Clock())
        self.social = self.process.with_social(ProcessId("one"))
        self.tv = TvService(self.process.store, self.social.lobby, self.process.ratings, self.process.clock.now)

    async def play(self, title: str, first: Player, *others: Player, game: str = "morris", **settings: Any) -> None:
        """Open a room, and begin a match in it."""
        opening = OpenRoom(game, title, settings=RequestedSettings(start="full", **settings))
        room = (await self.process.rooms.open(opening, first)).room.table.key.name
        for player in others:
            await self.command(room, player, commands.Join(password=opening.settings.password))

    async def command(self, room: str, by: Player, command: commands.AnyCommand) -> None:
        """Send a command to a room."""
        await self.process.rooms.command(RoomName(room), CommandRequest(command, by))

    async def on(self, channel: str = BEST) -> str | None:
        """Return the room that a channel shows, after a second has passed."""
        self.process.clock.time = Millis(self.process.clock.time + 1000)
        match = (await self.tv.channels())[channel]
        return None if match is None else match.room


class Subscriber:
    """Records the frames that it receives."""

    def __init__(self, channel: str) -> None:
        """Follow a channel."""
        self.channel = channel
        self.frames: list[OutgoingFrame] = []

    def offer(self, frame: OutgoingFrame) -> None:
        """Record a frame."""
        self.frames.append(frame)

    @property
    def rooms(self) -> list[str | None]:
        """The rooms that were shown one after the other."""
        found = [msgspec.json.decode(frame.json)["match"] for frame in self.frames]
        return [match and match["room"] for match in found]


@pytest.fixture
async def watching() -> AsyncIterator[Watching]:
    """Return a process with TV, whose work ends with the test."""
    found = Watching()
    yield found
    await found.tv.close()


async def test_the_best_match_of_each_game_is_shown(watching: Watching) -> None:
    """With its players and their ratings; a channel without matches is empty."""
    await watching.process.ratings.receive({"morris.blitz": [match_won_by(CLARA, DORA, 1)]})
    await watching.play("one", ANNA, BEN, **RATED)
    await watching.play("two", CLARA, BEN, **RATED)
    await watching.play("three", ANNA, BEN, CLARA, game="ternio")
    found = await watching.tv.channels()
    assert list(found) == list(CHANNELS)
    shown = {channel: match.room for channel, match in found.items() if match is not None}
    assert shown == {BEST: "two", "morris": "two", "ternio": "three"}
    best = found[BEST]
    assert best is not None
    assert best.match_id.startswith("two.")
    assert [(each.player, each.nickname, each.rating) for each in best.seats] == [
        (CLARA.id, "clara", 1617),
        (BEN.id, "ben", None),
    ]


async def test_the_channel_moves_on_when_the_match_has_ended(watching: Watching) -> None:
    """Its end is seen for a while, and nothing is shown if there is no other match."""
    await watching.play("one", ANNA, BEN, restart=None, **RATED)
    assert await watching.on() == "one"
    await watching.play("two", CLARA, DORA, restart=None, **RATED)
    await watching.command("one", BEN, commands.Resign())
    assert await watching.on() == "one"
    watching.process.clock.time = Millis(watching.process.clock.time + ENDED_FOR)
    assert await watching.on() == "two"
    await watching.command("two", CLARA, commands.Resign())
    assert await watching.on() == "two"
    watching.process.clock.time = Millis(watching.process.clock.time + ENDED_FOR)
    assert await watching.on() is None


@pytest.mark.parametrize(
    "settings",
    [
        {"visibility": "private", "password": "secret password"},
        {"visibility": "unlisted"},
        {"spectators": False},
        {"clock": Days(1)},
    ],
    ids=["private", "unlisted", "members only", "days"],
)
async def test_other_matches_are_never_shown(watching: Watching, settings: dict[str, Any]) -> None:
    """Those that not everybody finds and may watch, and those in which days pass."""
    await watching.play("hidden", ANNA, BEN, **settings)
    assert await watching.on() is None
    assert await watching.on("morris") is None
    await watching.play("seen", CLARA, DORA)
    assert await watching.on() == "seen"


async def test_a_room_that_is_closed_is_left_at_once(watching: Watching) -> None:
    """There is nothing more to see."""
    await watching.play("one", ANNA, BEN)
    assert await watching.on() == "one"
    await watching.command("one", ANNA, commands.Close())
    assert await watching.on() is None


async def test_matches_are_learned_step_by_step(watching: Watching, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rated ones first, then those of the newest rooms, until all are compared."""
    monkeypatch.setattr(tv, "LEARNED_AT_ONCE", 1)
    await watching.play("one", ANNA, BEN)
    assert await watching.on() == "one"
    await watching.play("three", ANNA, BEN)
    await watching.play("two", ANNA, BEN)
    await watching.play("four", ANNA, BEN, **RATED)
    assert await watching.on() == "four"
    await watching.command("one", ANNA, commands.Close())
    assert [await watching.on(), await watching.on()] == ["four", "four"]
    await watching.command("four", BEN, commands.Resign())
    await watching.command("four", ANNA, commands.Close())
    assert await watching.on() == "three"
    await watching.command("three", ANNA, commands.Close())
    assert await watching.on() == "two"


async def test_an_erased_player_is_not_named(watching: Watching) -> None:
    """Neither in a running match nor in one that has just ended."""
    await watching.play("one", ANNA, BEN, restart=None)
    assert await names_on(watching) == ["anna", "ben"]
    watching.process.store.player_names.hide(ANNA.id)
    assert await names_on(watching) == [ERASED, "ben"]
    await watching.command("one", BEN, commands.Resign())
    watching.process.store.player_names.hide(BEN.id)
    assert await names_on(watching) == [ERASED, ERASED]


async def names_on(watching: Watching) -> list[str | None]:
    """Return the nicknames that the best channel shows, after a second has passed."""
    assert await watching.on() is not None
    match = (await watching.tv.channels())[BEST]
    assert match is not None
    return [seat.nickname for seat in match.seats]


async def test_subscribers_share_one_frame_for_each_change(watching: Watching, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each gets what its channel shows at once, then only changes; who has left gets nothing more."""
    monkeypatch.setattr(tv, "INTERVAL", 0.001)
    await watching.play("one", ANNA, BEN)
    first, second, other, gone = Subscriber(BEST), Subscriber(BEST), Subscriber("ternio"), Subscriber(BEST)
    for subscriber in (first, second, other, gone):
        await watching.tv.follow(subscriber)
    assert (first.rooms, other.rooms) == (["one"], [None])
    watching.tv.unfollow(gone)
    await watching.play("two", ANNA, BEN, CLARA, game="ternio")
    await watching.command("one", ANNA, commands.Close())
    watching.process.clock.time = Millis(watching.process.clock.time + 1000)
    async with asyncio.timeout(PATIENCE):
        await wait_until(lambda: len(second.frames) > 1 and len(other.frames) > 1)
    assert (first.rooms, second.rooms, other.rooms, gone.rooms) == (
        ["one", "two"],
        ["one", "two"],
        [None, "two"],
        ["one"],
    )
    assert first.frames[1] is second.frames[1]


async def test_a_damaged_match_does_not_stop_tv(watching: Watching, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is left out, and the next match is shown to those who follow the channel."""
    monkeypatch.setattr(tv, "INTERVAL", 0.001)
    subscriber = Subscriber(BEST)
    await watching.tv.follow(subscriber)
    await watching.play("one", ANNA, BEN)
    with monkeypatch.context() as patched:
        patched.setattr(watching.process.store, "matches", broken)
        assert await watching.on() is None
    await watching.play("two", CLARA, DORA, **RATED)
    watching.process.clock.time = Millis(watching.process.clock.time + 1000)
    async with asyncio.timeout(PATIENCE):
        await wait_until(lambda: len(subscriber.frames) > 1)
    assert subscriber.rooms == [None, "two"]


async def test_a_fault_does_not_stop_tv(watching: Watching, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is logged, and the channels go on when it is gone."""
    monkeypatch.setattr(tv, "INTERVAL", 0.001)
    subscriber, faults = Subscriber(BEST), list[Exception]()
    await watching.tv.follow(subscriber)

    async def fail() -> None:
        faults.append(LookupError("a fault"))
        raise faults[-1]

    with monkeypatch.context() as patched:
        patched.setattr(watching.social.lobby, "watchable", fail)
        watching.process.clock.time = Millis(watching.process.clock.time + 1000)
        async with asyncio.timeout(PATIENCE):
            await wait_until(lambda: len(faults) > 1)
    await watching.play("one", ANNA, BEN)
    watching.process.clock.time = Millis(watching.process.clock.time + 1000)
    async with asyncio.timeout(PATIENCE):
        await wait_until(lambda: len(subscriber.frames) > 1)
    assert subscriber.rooms == [None, "one"]


async def broken(*_: object) -> None:
    """Fail like the store for an entry with an invalid MAC."""
    raise BrokenHistory("its MAC does not match")
