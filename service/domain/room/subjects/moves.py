"""What players do in a running match, and the events that the game adds automatically."""

from service.domain.chance import Chance
from service.domain.game import Event, Rejected
from service.domain.room.model import commands
from service.domain.room.model.events import Result
from service.domain.room.model.ids import Millis, PlayerId
from service.domain.room.model.state import Match, Room
from service.domain.room.subjects.guards import require_match, resolve_seat
from service.domain.room.subjects.outcomes import end_match
from service.domain.room.subjects.timeouts import require_time_left
from service.domain.validation import known_move


def play(room: Room, command: commands.Play, player: PlayerId, now: Millis) -> list[Event]:
    """Make a move by the rules of the game. What is no move of the game is refused as such without a match, too."""
    match = room.playing
    move = known_move(command.move, (match or room).game.move)
    if match is None:
        raise Rejected("not_playing")
    seat = resolve_seat(room, player, command.seat)
    if match.clocks.clock.runs:
        require_time_left(room, match, seat, now)
    return match.game.decide(match.state, seat, move)


def resign(room: Room, command: commands.Resign, player: PlayerId) -> list[Event]:
    """Drop one of the player's seats out of the match."""
    match = require_match(room)
    seat = resolve_seat(room, player, command.seat)
    if seat in match.dropped:
        raise Rejected("already_dropped", seat=seat)
    return match.game.drop(match.state, seat, "resigned")


def game_followups(match: Match) -> list[Event]:
    """End the match if its rules say that it is over, else return the draws of chance and reveals that are next."""
    outcome = match.game.outcome(match.state)
    if outcome is not None:
        return [end_match(match, Result.of(outcome))]
    return match.game.follow(match.state, Chance(match.seed, match.salts, match.next_draw))
