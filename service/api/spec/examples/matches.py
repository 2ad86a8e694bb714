"""Matches really played, by the rules alone, so that every example in the documents is something that was served."""

from collections import Counter
from contextlib import suppress
from functools import cache
from typing import Any

import msgspec

from service.domain.catalog import GAMES, AnyGame
from service.domain.game import Move, Rejected, Seat
from service.domain.room.model.command_context import Context
from service.domain.room.model.commands import (
    Answer,
    AssignSeats,
    Close,
    Configure,
    Join,
    Kick,
    Leave,
    LeaveSeat,
    Mute,
    OfferDraw,
    OpenRoom,
    Play,
    PlayerCommand,
    Ready,
    RequestNew,
    RequestRestart,
    RequestTakeback,
    Resign,
    TakeSeat,
    Unready,
    VetoNext,
    Withdraw,
)
from service.domain.room.model.events import Recorded
from service.domain.room.model.ids import Epoch, Millis, PlayerId, RoomName
from service.domain.room.model.state import Room
from service.domain.room.process import UnitOfWork, open_room, run
from service.domain.room.subjects.offers import players_to_answer
from service.rooms.views.event_view import event_json
from service.rooms.views.room_view import view_json

EVENING = Millis(1_768_590_000_000)
"""Friday, 16 January 2026, 19:00 UTC."""
PAUSE = 20_000
"""Milliseconds between two commands."""
SEED = bytes(range(32))
NICKNAMES = ("Ada", "Ben", "Cleo")
SHOWN_PLIES = 5
"""How far a match has come in the example of its room."""
PLIES = 60
"""How far it is played for examples of its events."""


def player_of(seat: int) -> PlayerId:
    """Return the id of the player who sits there first."""
    return PlayerId(f"p{'abcdefghijklmnop'[seat] * 16}")


LATE: tuple[tuple[int, PlayerCommand], ...] = (
    (0, Mute(player_of(1), on=True)),
    (1, VetoNext()),
    (0, Configure(settings={"restart": None, "best_of": 3})),
    (1, Unready()),
    (1, LeaveSeat()),
    (1, TakeSeat(Seat(1))),
    (0, AssignSeats((None, player_of(1)))),
    (1, Leave()),
    (1, Join()),
    (0, Kick(player_of(1))),
    (0, Close()),
)
"""What is asked when the match is over, and by whom."""


class Evening:
    """A room in which one match is played: opened, filled, played, and closed."""

    def __init__(self, game: AnyGame) -> None:
        """Open the room and let everybody in; the match begins."""
        self.asked = OpenRoom(game=game.slug, name="Friday Night", nickname=NICKNAMES[0])
        self.moves: dict[type[Move], Move] = {}
        self.asks: dict[type, PlayerCommand] = {}
        self._tried: Counter[type[Move]] = Counter()
        self.recorded: list[Recorded] = []
        self.commands: list[tuple[Recorded, ...]] = []
        self.room: Room
        self._tell(open_room(self.asked, RoomName("friday-night"), Epoch("mzuw4zlo"), self._context(0)))
        for seat in range(1, len(self.room.table.seats)):
            self.command(seat, Join())
        for seat in range(len(self.room.table.seats)):
            self.command(seat, Ready(salt=f"{NICKNAMES[seat % 3].lower()}'s salt"))

    def play(self, plies: int) -> None:
        """Go on for some plies, trying the kinds of moves in turn."""
        for ply in range(plies):
            match = self.room.playing
            if match is None:
                return
            awaited = self.room.game.to_move(match.state)
            seat = awaited[ply % len(awaited)]
            moves = list(self.room.game.legal_moves(match.state, seat))
            turned = moves[ply * 5 % len(moves) :] + moves[: ply * 5 % len(moves)]
            move = min(turned, key=lambda move: self._tried[type(move)])
            self._tried[type(move)] += 1
            self.moves.setdefault(type(move), move)
            self.command(seat, Play(msgspec.to_builtins(move)))

    def agree(self) -> None:
        """Offer this and that, and let the others decline or accept it, up to a restart of the match."""
        for wish in (OfferDraw(), RequestTakeback(), RequestNew()):
            self._offer(wish, accept=isinstance(wish, RequestTakeback))
        self.command(0, OfferDraw())
        self.command(0, Withdraw(self.room.table.offers[-1].id))
        self._offer(RequestRestart(), accept=True)

    def _offer(self, wish: PlayerCommand, *, accept: bool) -> None:
        with suppress(Rejected):
            self.command(0, wish)
        for offer in self.room.table.offers:
            for seat, holder in enumerate(self.room.table.seats):
                if holder in players_to_answer(self.room, offer) and self.room.table.offers:
                    self.command(seat, Answer(offer.id, accept=accept))

    def end(self) -> None:
        """Resign until the match is over, change seats, and close the room."""
        for seat in range(len(self.room.table.seats)):
            if self.room.playing:
                self.command(seat, Resign())
        for seat, command in LATE:
            with suppress(Rejected):
                self.command(seat, command)

    def command(self, seat: int, command: PlayerCommand) -> None:
        """Do what the player of a seat asks."""
        self._tell(run(self.room, command, self._context(seat)))
        self.asks.setdefault(type(command), command)

    def view(self) -> Any:
        """Return the room as its creator sees it."""
        return msgspec.json.decode(view_json(self.room, Seat(0), self._now()))

    def _tell(self, story: UnitOfWork) -> None:
        self.room = story.room
        self.recorded += story.recorded
        self.commands.append(tuple(story.recorded))

    def _context(self, seat: int) -> Context:
        return Context(player_of(seat), NICKNAMES[seat % 3] if seat < 3 else f"Player {seat}", self._now(), SEED)

    def _now(self) -> Millis:
        return Millis(EVENING + PAUSE * len(self.commands))


class Examples(msgspec.Struct, frozen=True):
    """What one evening shows: the room after a few plies, and of all of it the first event and move of each type."""

    opening: Any
    room: Room
    view: Any
    """That room as its creator sees it."""
    events: dict[type, Any]
    moves: dict[type, Any]
    asks: dict[type, Any]
    """Commands, each without what stands at its default."""
    state: type
    """The type of the game's view."""
    commands: tuple[tuple[Recorded, ...], ...]
    """What led to `room`, command by command."""


@cache
def examples(slug: str) -> Examples:
    """Play an evening of a game of the catalogue."""
    evening = Evening(GAMES[slug])
    evening.play(SHOWN_PLIES)
    view, room, count = evening.view(), evening.room, len(evening.commands)
    evening.play(PLIES)
    evening.agree()
    evening.end()
    first = {type(told.event): told for told in reversed(evening.recorded)}
    return Examples(
        opening=spare(evening.asked),
        room=room,
        view=view,
        events={kind: msgspec.json.decode(event_json(told, None)) for kind, told in first.items()},
        moves={kind: plain(move) for kind, move in evening.moves.items()},
        asks={kind: spare(command) for kind, command in evening.asks.items()},
        state=type(room.game.view(room.match.state, None)) if room.match else msgspec.Struct,
        commands=tuple(evening.commands[:count]),
    )


def spare(value: msgspec.Struct) -> Any:
    """Return what a value is on the wire without the fields that stand at their defaults."""
    told = plain(value)
    for field in msgspec.structs.fields(value):
        usual = field.default if field.default_factory is msgspec.NODEFAULT else field.default_factory()
        if getattr(value, field.name) == usual:
            told.pop(field.encode_name, None)  # absent where the default is to be absent
    return told


def plain(value: object) -> Any:
    """Return what a value is on the wire."""
    return msgspec.json.decode(msgspec.json.encode(value))
