"""Answers and bodies by their types, as an evening's match would have had them."""

from typing import Any

import msgspec

from service.api.callers.tokens import Tokens
from service.api.http.bodies import Commanded, Events, Guest, LegalMoves, NewPlayer, Opened
from service.api.http.commands import result_json
from service.api.spec.examples.matches import Examples, examples, plain
from service.bot_engine.hints import Hint
from service.domain.catalog import GAMES
from service.domain.game import Seat
from service.domain.room.model.commands import Play
from service.rooms.errors import Problem, problem
from service.rooms.requests import CommandResult, Player
from service.rooms.views.event_view import events_json
from service.rooms.views.room_view import legal_moves

KEY = bytes(32)
"""Signs the tokens and marks of examples, and nothing else."""


def answer_examples() -> dict[type, Any]:
    """Return an example for each of the commoner types."""
    shown = examples(next(iter(GAMES)))
    room = shown.room
    awaited = () if room.playing is None else room.game.to_move(room.playing.state)
    told: dict[type, Any] = {
        NewPlayer: NewPlayer("Ada"),
        Guest: Guest(creator(shown), Tokens(KEY).signed(creator(shown))),
        Problem: problem("not_your_turn", version=room.version, legal_moves=[]),
        Opened: {"room": room.table.key.name, "version": room.version, "view": shown.view},
        Commanded: msgspec.Raw(command_result(shown)),
        Events: {
            "room": room.table.key.name,
            "epoch": room.table.key.epoch,
            "version": room.version,
            "events": msgspec.Raw(events_json(shown.commands[0], None)),
            "next": len(shown.commands[0]),
        },
        LegalMoves: {
            "version": room.version,
            "seat": 0,
            "to_move": awaited,
            "legal_moves": legal_moves(room, Seat(0)),
        },
        Hint: {"version": room.version, "seat": awaited[0], "move": legal_moves(room, awaited[0])[0]},
    }
    return {kind: plain(value) for kind, value in told.items()}


def command_result(shown: Examples) -> bytes:
    """Return what the latest command of an evening gave its sender."""
    answer = CommandResult(shown.room, shown.commands[-1])
    return result_json(answer, creator(shown), Play({}), shown.room.time)


def creator(shown: Examples) -> Player:
    """Return who opened an evening's room."""
    player = shown.room.table.creator
    return Player(player, shown.room.table.members[player].nickname)
