"""What a room reports to the tournament to which its match belongs."""

from collections.abc import Sequence

from service.domain.game import Seat
from service.domain.room.model.events import MatchEnded, Recorded
from service.domain.room.model.state import Room
from service.domain.room.subjects.timeouts import moved
from service.domain.tournaments.model import TableEnded, TournamentId


def result_to_report(after: Room, history: Sequence[Recorded]) -> tuple[TournamentId, TableEnded] | None:
    """Return the result of a tournament's match that a command ended, and the tournament; None if there is none."""
    table = after.table.tournament
    if table is None or not any(isinstance(recorded.event, MatchEnded) for recorded in history):
        return None
    ended = table_ended(after)
    return None if ended is None else (table.id, ended)


def table_ended(room: Room) -> TableEnded | None:
    """Return the result of the match of a tournament's room; None before the match has ended, and in other rooms."""
    table, match = room.table.tournament, room.match
    if table is None or match is None or match.result is None:
        return None
    has_moved = moved(match)
    absent = tuple(
        Seat(seat) for seat, reason in sorted(match.dropped.items()) if reason == "forfeited" and seat not in has_moved
    )
    return TableEnded(table.table, match.id, match.result.places or (1,) * len(match.players), absent)
