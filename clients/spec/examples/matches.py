"""Matches played by the rules, from which every example in the documents is taken."""

from collections import Counter
from contextlib import suppress
from functools import cache
from typing import Any

import msgspec

from service.domain.catalog import GAMES, AnyGame
from service.domain.game import Move, Rejected, Seat
from service.domain.ids import Epoch, Millis, PlayerId, RoomName
from service.domain.room.model.commands import (
    Answer,
    AssignSeats,
    Close,
    CommandContext,
    Configure,
    DeclineInvitation,
    Invite,
    Join,
    Kick,
    Leave,
    LeaveSeat,
    Mute,
    OfferDraw,
    Play,
    PlayerCommand,
    Ready,
    RequestNew,
    RequestRestart,
    RequestTakeback,
    Resign,
    RevokeInvitation,
    TakeSeat,
    Unready,
    VetoNext,
    Withdraw,
)
from service.domain.room.model.events import InvitationSecret, Recorded, code_hash
from service.domain.room.model.settings import OpenRoom
from service.domain.room.model.state import Room
from service.domain.room.process import UnitOfWork, open_room, run
from service.domain.room.subjects.offers import players_to_answer
from service.rooms.views.event_view import event_json
from service.rooms.views.match_view import Viewer
from service.rooms.views.room_view import view_for

START = Millis(1_768_590_000_000)
"""Friday, 16 January 2026, 19:00 UTC, in milliseconds."""
COMMAND_INTERVAL = 20_000
"""Milliseconds between two commands."""
SEED = bytes(range(32))
NICKNAMES = ("Ada", "Ben", "Cleo")
SHOWN_PLIES = 5
"""How many plies have been played in the example of a room."""
PLAYED_PLIES = 60
"""How many more plies are played for the examples of events."""


def player_of(seat: int) -> PlayerId:
    """Return the id of the player who has this seat first."""
    return PlayerId(f"p-{'abcdefghijklmnop'[seat] * 16}")


CODE = "q83vEjRWeJCrze8SNFZ4kA"
"""The code of the invitation to the example room."""

CLOSING_COMMANDS: tuple[tuple[int, PlayerCommand], ...] = (
    (0, Mute(player_of(1), on=True)),
    (1, VetoNext()),
    (0, Configure(settings={"restart": None, "best_of": 3})),
    (1, Unready()),
    (1, LeaveSeat()),
    (1, TakeSeat(Seat(1))),
    (0, AssignSeats((None, player_of(1)))),
    (0, Invite()),
    (7, DeclineInvitation(CODE)),
    (0, RevokeInvitation(1)),
    (1, Leave()),
    (1, Join()),
    (0, Kick(player_of(1))),
    (0, Close()),
)
"""The commands after the match, each with the number of its player."""


class ExampleMatch:
    """A room in which one match is played, from opening the room to closing it."""

    def __init__(self, game: AnyGame) -> None:
        """Open the room and seat all players; the match begins."""
        self.opening = OpenRoom(game=game.slug, name="Friday Night", nickname=NICKNAMES[0])
        self.moves: dict[type[Move], Move] = {}
        self.commands: dict[type, PlayerCommand] = {}
        self._tried: Counter[type[Move]] = Counter()
        self.recorded: list[Recorded] = []
        self.history: list[tuple[Recorded, ...]] = []
        self.room: Room
        self._record(open_room(self.opening, RoomName("friday-night"), Epoch("mzuw4zlo"), self._context(0)))
        for seat in range(1, len(self.room.table.seats)):
            self.command(seat, Join())
        for seat in range(len(self.room.table.seats)):
            self.command(seat, Ready(salt=f"{NICKNAMES[seat % 3].lower()}'s salt"))

    def play(self, plies: int) -> None:
        """Play some plies, preferring the types of moves that were played least."""
        for ply in range(plies):
            match = self.room.playing
            if match is None:
                return
            awaited = self.room.game.to_move(match.state)
            seat = awaited[ply % len(awaited)]
            moves = list(self.room.game.legal_moves(match.state, seat))
            rotated = moves[ply * 5 % len(moves) :] + moves[: ply * 5 % len(moves)]
            move = min(rotated, key=lambda move: self._tried[type(move)])
            self._tried[type(move)] += 1
            self.moves.setdefault(type(move), move)
            self.command(seat, Play(msgspec.to_builtins(move)))

    def negotiate(self) -> None:
        """Make offers that the others decline or accept, ending with a restart of the match."""
        for request in (OfferDraw(), RequestTakeback(), RequestNew()):
            self._offer(request, accept=isinstance(request, RequestTakeback))
        self.command(0, OfferDraw())
        self.command(0, Withdraw(self.room.table.offers[-1].id))
        self._offer(RequestRestart(), accept=True)

    def _offer(self, request: PlayerCommand, *, accept: bool) -> None:
        with suppress(Rejected):
            self.command(0, request)
        for offer in self.room.table.offers:
            for seat, holder in enumerate(self.room.table.seats):
                if holder in players_to_answer(self.room, offer) and self.room.table.offers:
                    self.command(seat, Answer(offer.id, accept=accept))

    def end(self) -> None:
        """Resign until the match is over, change seats, and close the room."""
        for seat in range(len(self.room.table.seats)):
            if self.room.playing:
                self.command(seat, Resign())
        for seat, command in CLOSING_COMMANDS:
            with suppress(Rejected):
                self.command(seat, command)

    def command(self, seat: int, command: PlayerCommand) -> None:
        """Execute a command of the player of a seat."""
        self._record(run(self.room, command, self._context(seat)))
        self.commands.setdefault(type(command), command)

    def view(self) -> Any:
        """Return the room's view for its creator."""
        return msgspec.json.decode(view_for(Viewer(Seat(0)), self.room, self._now()).json)

    def _record(self, story: UnitOfWork) -> None:
        self.room = story.room
        self.recorded += story.recorded
        self.history.append(tuple(story.recorded))

    def _context(self, seat: int) -> CommandContext:
        nickname = NICKNAMES[seat % 3] if seat < 3 else f"Player {seat}"
        secret = InvitationSecret(code_hash(CODE), SEED[:16].hex())
        return CommandContext(player_of(seat), nickname, self._now(), SEED, invitation=secret, all_present=True)

    def _now(self) -> Millis:
        return Millis(START + COMMAND_INTERVAL * len(self.history))


class Examples(msgspec.Struct, frozen=True):
    """The examples from one match: the room after a few plies, and the first event, move and command of each type."""

    opening: Any
    room: Room
    view: Any
    """The view of that room for its creator."""
    events: dict[type, Any]
    moves: dict[type, Any]
    commands: dict[type, Any]
    """Commands, without fields that have their default values."""
    state: type
    """The type of the game's view."""
    history: tuple[tuple[Recorded, ...], ...]
    """The events that led to `room`, one tuple per command."""


@cache
def examples_of(slug: str) -> Examples:
    """Return the examples of a game."""
    match = ExampleMatch(GAMES[slug])
    match.play(SHOWN_PLIES)
    view, room, count = match.view(), match.room, len(match.history)
    match.play(PLAYED_PLIES)
    match.negotiate()
    match.end()
    first = {type(recorded.event): recorded for recorded in reversed(match.recorded)}
    return Examples(
        opening=without_defaults(match.opening),
        room=room,
        view=view,
        events={kind: msgspec.json.decode(event_json(recorded, None, slug)) for kind, recorded in first.items()},
        moves={kind: as_json(move) for kind, move in match.moves.items()},
        commands={kind: without_defaults(command) for kind, command in match.commands.items()},
        state=type(room.game.view(room.match.state, None)) if room.match else msgspec.Struct,
        history=tuple(match.history[:count]),
    )


def without_defaults(value: msgspec.Struct) -> Any:
    """Return a value as JSON without the fields that have their default values."""
    fields = as_json(value)
    for field in msgspec.structs.fields(value):
        default = field.default if field.default_factory is msgspec.NODEFAULT else field.default_factory()
        if getattr(value, field.name) == default:
            fields.pop(field.encode_name, None)
    return fields


def as_json(value: object) -> Any:
    """Return a value as JSON."""
    return msgspec.json.decode(msgspec.json.encode(value))
