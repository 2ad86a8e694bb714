"""Takebacks: the match returns to before a player's last whole turn (rules: Takeback)."""

from collections.abc import Sequence

from service.domain.game import Event, Seat
from service.domain.room.model import events as happened
from service.domain.room.model.ids import Version
from service.domain.room.model.state import Match, Turn


def last_turn(match: Match, seats: Sequence[Seat]) -> Turn | None:
    """Return the latest turn of one of these seats, those that dropped out left out; it may not be over yet."""
    for turn in reversed(match.turns):
        if turn.seat in seats and turn.seat not in match.dropped:
            return turn
    return None


def can_take_back(match: Match, seat: Seat | None) -> bool:
    """Tell whether this seat has a turn that could be taken back."""
    return seat is not None and match.result is None and last_turn(match, (seat,)) is not None


def taken_back(match: Match, version: Version | None) -> list[Event]:
    """Return to before the turn that began after this version; whoever has dropped out since stays out."""
    turn = next(turn for turn in match.turns if turn.version == version)
    told: list[Event] = [happened.TakenBack(turn.version, turn.seat)]
    state = turn.state
    for seat, reason in match.dropped.items():
        again = [] if seat in turn.dropped else match.game.drop(state, seat, reason)
        for event in again:
            state = match.game.evolve(state, event)
        told += again
    return told
