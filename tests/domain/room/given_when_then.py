"""Given, when, then: a room built from events, a command to it, and the events or the rejection expected."""

from collections.abc import Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from service.domain.chance import match_seed, seed_hash
from service.domain.game import Event, Level, Rejected, Seat
from service.domain.ids import Epoch, Millis, PlayerId, RoomKey, RoomName, Version
from service.domain.room.due import Due, due
from service.domain.room.evolve import evolve
from service.domain.room.model import events
from service.domain.room.model.commands import AnyCommand, CommandContext, Play
from service.domain.room.model.events import InvitationSecret, MatchStarted, Recorded, code_hash
from service.domain.room.model.settings import Settings
from service.domain.room.model.state import Room, Table
from service.domain.room.process import dry_run, run

ANNA, BEN, CLARA, DORA = (PlayerId(f"p-{name}") for name in ("anna", "ben", "clara", "dora"))
BOT = PlayerId("bot-1")
KEY = RoomKey(RoomName("friday-night"), Epoch("e1"))
SEED = bytes(range(32))
"""The random bytes of every command, unless a test uses others."""

NOON = Millis(1_700_000_000_000)
"""The time of every event, unless a test uses another one."""

FIRST, SECOND, THIRD = Seat(0), Seat(1), Seat(2)


def context(by: PlayerId | None, at: Millis = NOON, seed: bytes = SEED) -> CommandContext:
    """Return the context of a command in a room whose players are present; players have nicknames like their ids."""
    secret = InvitationSecret(code_hash(code_of(seed)), seed.hex())
    nickname = "" if by is None else by.removeprefix("p-")
    return CommandContext(by, nickname, at, seed, invitation=secret, all_present=True)


def code_of(seed: bytes) -> str:
    """Return the code of an invitation that was made with these random bytes."""
    return f"code-{seed.hex()[-8:]}"


def new_room(game: str = "morris", options: dict[str, Any] | None = None, **settings: Any) -> events.RoomOpened:
    """Return the event that opens a room; Morris has two seats and Ternio three, and players take turns in both."""
    opened = events.RoomOpened(KEY.name, KEY.epoch, "Friday Night", game, options or {}, Settings(**settings))
    return replace(opened, next_seed_hash=seed_hash(seed_of(1)), next_seed=seed_of(1).hex())


def seed_of(number: int) -> bytes:
    """Return the seed of the match with this number."""
    return match_seed(SEED, number)


def join(player: PlayerId, seat: int | None = None) -> tuple[Event, ...]:
    """Return the events by which a player joins with a seat, or a spectator without one."""
    role: events.Role = "spectator" if seat is None else "player"
    event = events.PlayerJoined(player, player.removeprefix("p-"), role)
    return (event,) if seat is None else (event, events.SeatTaken(Seat(seat), player))


def bot_join(seat: int, bot: PlayerId = BOT, level: Level = "easy") -> tuple[Event, ...]:
    """Return the events by which a bot joins with a seat."""
    number = bot.removeprefix("bot-")
    return events.PlayerJoined(bot, f"Bot {number} ({level})", "player", level), events.SeatTaken(Seat(seat), bot)


def match_start(*seats: PlayerId, number: int = 1, game: str = "morris", salts: Sequence[str] = ()) -> MatchStarted:
    """Return the event that starts a match between these players, in seat order."""
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


def match_end(reason: str, *places: int, scores: tuple[int, ...] | None = None) -> events.MatchEnded:
    """Return the event that ends a match with these places by seat."""
    winners = tuple(Seat(seat) for seat, place in enumerate(places) if place == 1)
    return match_end_with(events.Result(reason, places, scores, winners))


def match_end_with(result: events.Result, number: int = 1) -> events.MatchEnded:
    """Return the event that ends the match with this number."""
    return events.MatchEnded(result, seed_of(number).hex(), seed_hash(seed_of(number + 1)))


def place(at: str) -> Play:
    """Return the command that places a man or a disc."""
    return Play({"type": "place", "at": at})


def resignation(seat: Seat) -> events.MatchEnded:
    """Return the event that ends a match of two because this seat resigned."""
    return match_end("resigned", *((1, 2) if seat == SECOND else (2, 1)))


class Given:
    """A room after some events."""

    def __init__(self, room: Room, history: Sequence[Recorded]) -> None:
        """Keep the room and its events."""
        self.room = room
        self.history = history

    @property
    def table(self) -> Table:
        """The room's table."""
        return self.room.table

    @property
    def due(self) -> Due | None:
        """What is due in the room, except closing it when it is idle."""
        next_due = due(self.room)
        return None if next_due is None or next_due.why == "idle" else next_due

    def when(self, command: AnyCommand, by: PlayerId | None, at: Millis = NOON) -> "When":
        """Prepare a command, whose effect is checked next."""
        return When(self.room, command, context(by, at))

    def after(self, command: AnyCommand, by: PlayerId | None, at: Millis = NOON, seed: bytes = SEED) -> "Given":
        """Return the room after a command and its followups."""
        work = run(self.room, command, context(by, at, seed))
        return Given(work.room, [*self.history, *work.recorded])


class When:
    """A command to a room."""

    def __init__(self, room: Room, command: AnyCommand, command_context: CommandContext) -> None:
        """Keep the room and the command."""
        self._room = room
        self._command = command
        self._context = command_context

    def then(self, *expected: Event) -> None:
        """Check that the command leads to exactly these events."""
        work = run(self._room, self._command, self._context)
        assert [recorded.event for recorded in work.recorded] == list(expected)

    def rejected(self, code: str, **params: object) -> None:
        """Check that the command is rejected with this code and at least these parameters."""
        with pytest.raises(Rejected) as rejection:
            run(self._room, self._command, self._context)
        assert rejection.value.code == code
        assert rejection.value.params.items() >= params.items()

    def dry_runs(self, *expected: Event, more: bool) -> None:
        """Check the events that a dry run returns, and whether more would follow."""
        recorded, open_end = dry_run(self._room, self._command, self._context)
        assert [each.event for each in recorded] == list(expected)
        assert open_end is more


def given(*happening: Event | tuple[Event, ...]) -> Given:
    """Return the room after these events, or tuples of events; Anna is its creator."""
    room: Room | None = None
    history: list[Recorded] = []
    for event in flat(happening):
        version = Version(len(history) + 1)
        by = ANNA if isinstance(event, events.RoomOpened) else None
        playing = room.playing.number if room is not None and room.playing else None
        number = (room.table.matches + 1) if room is not None and isinstance(event, MatchStarted) else playing
        history.append(Recorded(version, NOON, version, number, by, event))
        room = evolve(room, history[-1])
    assert room is not None
    return Given(room, history)


def flat(nested: Sequence[Event | tuple[Event, ...]]) -> list[Event]:
    """Return events in one list."""
    return [event for each in nested for event in (each if isinstance(each, tuple) else (each,))]
