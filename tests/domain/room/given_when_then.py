"""Given, when, then: a room told by what happened, asked for something, judged by what it leads to."""

from collections.abc import Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from service.domain.chance import match_seed, seed_hash
from service.domain.game import Event, Level, Rejected, Seat
from service.domain.room.due import Due, due
from service.domain.room.evolve import evolve
from service.domain.room.model import events as happened
from service.domain.room.model.command_context import Context
from service.domain.room.model.commands import AnyCommand, Play
from service.domain.room.model.events import MatchStarted, Recorded
from service.domain.room.model.ids import Epoch, Millis, PlayerId, RoomKey, RoomName, Version
from service.domain.room.model.settings import Settings
from service.domain.room.model.state import Room, Table
from service.domain.room.process import dry_run, run

ANNA, BEN, CLARA, DORA = (PlayerId(f"p-{name}") for name in ("anna", "ben", "clara", "dora"))
BOT = PlayerId("bot-1")
KEY = RoomKey(RoomName("friday-night"), Epoch("e1"))
SEED = bytes(range(32))
"""The entropy of every command, unless a test says otherwise."""

NOON = Millis(1_700_000_000_000)
"""When everything happens, unless a test says otherwise."""

FIRST, SECOND, THIRD = Seat(0), Seat(1), Seat(2)
Told = Event | tuple[Event, PlayerId]
"""What happened, by the house or by somebody."""


def context(by: PlayerId | None, at: Millis = NOON, seed: bytes = SEED) -> Context:
    """Return what a command brings along; players are called after their ids."""
    return Context(by, "" if by is None else by.removeprefix("p-"), at, seed)


def table(game: str = "morris", options: dict[str, Any] | None = None, **settings: Any) -> happened.RoomOpened:
    """Return the opening of a room; two seats in Morris, three in Ternio, one after another in both."""
    opened = happened.RoomOpened(KEY.name, KEY.epoch, "Friday Night", game, options or {}, Settings(**settings))
    return replace(opened, next_seed_hash=seed_hash(seed_of(1)), next_seed=seed_of(1).hex())


def seed_of(number: int) -> bytes:
    """Return the seed of a match of this number."""
    return match_seed(SEED, number)


def joined(player: PlayerId, seat: int | None = None) -> tuple[Event, ...]:
    """Return the coming of a player to a seat, or of a spectator."""
    role: happened.Role = "spectator" if seat is None else "player"
    came = happened.PlayerJoined(player, player.removeprefix("p-"), role)
    return (came,) if seat is None else (came, happened.SeatTaken(Seat(seat), player))


def seated_bot(seat: int, bot: PlayerId = BOT, level: Level = "easy") -> tuple[Event, ...]:
    """Return the coming of a bot to a seat."""
    number = bot.removeprefix("bot-")
    return happened.PlayerJoined(bot, f"Bot {number} ({level})", "player", level), happened.SeatTaken(Seat(seat), bot)


def begun(*seats: PlayerId, number: int = 1, game: str = "morris", salts: Sequence[str] = ()) -> MatchStarted:
    """Return the start of a match between these players, in seat order."""
    return MatchStarted(
        id=f"{KEY.name}.{KEY.epoch}.{number}",
        game=game,
        rules_version=1,
        options={},
        seats=seats,
        salts=tuple(salts) or ("",) * len(seats),
        seed_hash=seed_hash(seed_of(number)),
        seed=seed_of(number).hex(),
        next_seed=seed_of(number + 1).hex(),
    )


def ended(reason: str, *places: int, scores: tuple[int, ...] | None = None) -> happened.MatchEnded:
    """Return the end of a match with these places by seat."""
    winners = tuple(Seat(seat) for seat, place in enumerate(places) if place == 1)
    return ending(happened.Result(reason, places, scores, winners))


def ending(result: happened.Result, number: int = 1) -> happened.MatchEnded:
    """Return the end of a match of this number with a result."""
    return happened.MatchEnded(result, seed_of(number).hex(), seed_hash(seed_of(number + 1)))


def place(at: str) -> Play:
    """Return the move that puts a man or a disc there."""
    return Play({"type": "place", "at": at})


def resigned(seat: Seat) -> happened.MatchEnded:
    """Return the end of a match of two that this seat resigned."""
    return ended("resigned", *((1, 2) if seat == SECOND else (2, 1)))


class Given:
    """A room to which something has happened."""

    def __init__(self, room: Room, history: Sequence[Recorded]) -> None:
        """Hold the room and how it came to be."""
        self.room = room
        self.history = history

    @property
    def table(self) -> Table:
        """The room's table."""
        return self.room.table

    @property
    def due(self) -> Due | None:
        """What the house owes the room, but for closing it when it has stood idle for long."""
        owed = due(self.room)
        return None if owed is None or owed.why == "idle" else owed

    def when(self, command: AnyCommand, by: PlayerId | None, at: Millis = NOON) -> "When":
        """Ask the room for something."""
        return When(self.room, command, context(by, at))

    def after(self, command: AnyCommand, by: PlayerId | None, at: Millis = NOON, seed: bytes = SEED) -> "Given":
        """Go on from what a command leads to."""
        story = run(self.room, command, context(by, at, seed))
        assert story.room is not None
        return Given(story.room, [*self.history, *story.recorded])


class When:
    """A command that has been put to a room."""

    def __init__(self, room: Room, command: AnyCommand, brought: Context) -> None:
        """Hold the question."""
        self._room = room
        self._command = command
        self._context = brought

    def then(self, *events: Event) -> None:
        """Judge that exactly this happens."""
        story = run(self._room, self._command, self._context)
        assert [recorded.event for recorded in story.recorded] == list(events)

    def rejected(self, code: str, **params: object) -> None:
        """Judge that it is refused with this code and at least these parameters."""
        with pytest.raises(Rejected) as refused:
            run(self._room, self._command, self._context)
        assert refused.value.code == code
        assert refused.value.params.items() >= params.items()

    def foretells(self, *events: Event, more: bool) -> None:
        """Judge what a dry run tells, and whether it says that more would follow."""
        recorded, open_end = dry_run(self._room, self._command, self._context)
        assert [each.event for each in recorded] == list(events)
        assert open_end is more


def given(*told: Event | tuple[Event, ...]) -> Given:
    """Return the room in which this happened, Anna being its creator: events, or tuples of them."""
    room: Room | None = None
    history: list[Recorded] = []
    for event in flat(told):
        version = Version(len(history) + 1)
        by = ANNA if isinstance(event, happened.RoomOpened) else None
        playing = room.playing.number if room is not None and room.playing else None
        number = (room.table.matches + 1) if room is not None and isinstance(event, MatchStarted) else playing
        history.append(Recorded(version, NOON, version, number, by, event))
        room = evolve(room, history[-1])
    assert room is not None
    return Given(room, history)


def flat(told: Sequence[Event | tuple[Event, ...]]) -> list[Event]:
    """Return events in one list."""
    return [event for each in told for event in (each if isinstance(each, tuple) else (each,))]
