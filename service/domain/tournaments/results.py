"""What a room reports to the tournament to which its match belongs."""

from collections.abc import Sequence

from service.domain.game import Seat
from service.domain.room.model.events import MatchEnded, Recorded, Result
from service.domain.room.model.state import Match, Room
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
    unmoved = {Seat(seat) for seat in range(len(match.players))} - match.moved_seats
    absent = unmoved & late_seats(match, match.result)
    places = match.result.places or (1,) * len(match.players)
    unknown = unmoved - match.dropped.keys() - absent if absent else set[Seat]()
    return TableEnded(table.table, match.id, places, tuple(sorted(absent)), tuple(sorted(unknown)))


def late_seats(match: Match, result: Result) -> set[Seat]:
    """Return the seats that forfeited or ran out of time; where a clock runs out sooner, none forfeits."""
    late = {seat for seat, reason in match.dropped.items() if reason in {"forfeited", "timed_out"}}
    left = {Seat(seat) for seat in range(len(match.players))} - match.dropped.keys()
    ran_out_together = result.reason == "timed_out" and len(left) > 1
    return late | left if ran_out_together else late
