"""What a seat knows of the position: the state that bots and hints work with."""

from collections.abc import Iterable
from typing import Any, get_args

from msgspec.structs import replace

from service.domain.catalog import AnyGame
from service.domain.game import Seat, hidden_fields, redact
from service.domain.ids import Version
from service.domain.room.evolve import fold
from service.domain.room.model.events import Recorded
from service.domain.room.model.state import Match, Room


def has_secrets(game: AnyGame) -> bool:
    """Return whether any event of a game has a field that is hidden from somebody."""
    return any(hidden_fields(kind) for kind in get_args(game.event) or (game.event,))


def known_state(room: Room, match: Match, seat: Seat, history: Iterable[Recorded]) -> Any:
    """Return the game's state as a seat knows it: the fold of the match's events, redacted for that seat.

    If the events of the game hide nothing, that is the state itself, and `history` is not read.
    """
    if not has_secrets(match.game):
        return match.state
    table = replace(room.table, matches=match.number - 1)
    before = Room(table, None, Version(match.first - 1), match.started)
    known = fold(before, (replace(recorded, event=redact(recorded.event, seat)) for recorded in history))
    assert known.match is not None  # noqa: S101 - the history begins with `MatchStarted`
    return known.match.state
