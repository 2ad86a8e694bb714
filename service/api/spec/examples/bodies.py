"""Examples of request and response bodies by type, taken from an example match."""

from typing import Any

import msgspec

from service.api.callers.tokens import Tokens
from service.api.http.bodies import CommandResponse, EventPage, Guest, LegalMoves, NewPlayer, OpenRoomResponse
from service.api.http.commands import result_json
from service.api.routes.admin import CloseRequest, ModerationRequest
from service.api.routes.chat import NewChatLine
from service.api.spec.examples.matches import Examples, as_json, examples_of
from service.bot_engine.hints import Hint
from service.domain.catalog import GAMES
from service.domain.room.model.commands import Play
from service.rooms.commands.requests import CommandResult
from service.rooms.errors import Problem, problem
from service.rooms.player import Player
from service.rooms.views.event_view import events_json
from service.rooms.views.match_view import legal_moves

KEY = bytes(32)
"""Signs the tokens in examples, and nothing else."""


def body_examples() -> dict[type, Any]:
    """Return an example body for each type."""
    played = examples_of(next(iter(GAMES)))
    room = played.room
    bodies: dict[type, Any] = {
        NewPlayer: NewPlayer("Ada"),
        NewChatLine: NewChatLine("Good game!"),
        CloseRequest: CloseRequest("The creator asked for it."),
        ModerationRequest: ModerationRequest(on=True, reason="Insults in the lobby."),
        Guest: Guest(creator(played), Tokens(KEY).signed(creator(played))),
        Problem: problem("not_your_turn", version=room.version, legal_moves=[]),
        OpenRoomResponse: {"room": room.table.key.name, "version": room.version, "view": played.view},
        CommandResponse: msgspec.Raw(command_result(played)),
        EventPage: {
            "room": room.table.key.name,
            "epoch": room.table.key.epoch,
            "version": room.version,
            "events": msgspec.Raw(events_json(played.history[0], None, room.table.game)),
            "next": len(played.history[0]),
        },
    }
    return {kind: as_json(value) for kind, value in bodies.items()}


def move_bodies(played: Examples) -> tuple[Any, Any]:
    """Return the legal moves of a seat that is to move in the example room, and a hint for it."""
    room, match = played.room, played.room.playing
    awaited = () if match is None else room.game.to_move(match.state)
    moves = legal_moves(room, awaited[0])
    about = (room.table.game, room.version, awaited[0])
    return as_json(LegalMoves(*about, awaited, moves)), as_json(Hint(*about, as_json(moves[0])))


def command_result(played: Examples, *, with_view: bool = True) -> bytes:
    """Return the result of the latest command of a match, as its sender received it."""
    answer = CommandResult(played.room, played.history[-1])
    return result_json(answer, creator(played), Play({}), played.room.time if with_view else None)


def creator(played: Examples) -> Player:
    """Return the creator of the example room."""
    player = played.room.table.creator
    return Player(player, played.room.table.members[player].nickname)
