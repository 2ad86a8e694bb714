"""What the seats do during a match, and how it ends."""

from service.domain.chance import Chance
from service.domain.game import Event, Rejected
from service.domain.room.model import commands as asked
from service.domain.room.model import events as happened
from service.domain.room.model.ids import Millis, PlayerId
from service.domain.room.model.state import Match, Room
from service.domain.room.subjects.guards import match_of, own_seat
from service.domain.room.subjects.outcomes import ended
from service.domain.room.subjects.timeouts import in_time
from service.domain.validation import fit


def play(room: Room, command: asked.Play, player: PlayerId, now: Millis) -> list[Event]:
    """Ask the game about a move."""
    match = match_of(room)
    seat = own_seat(room, player, command.seat)
    move = fit(command.move, match.game.move, at="/move")
    if match.clocks.clock.runs:
        in_time(room, match, seat, now)
    return match.game.decide(match.state, seat, move)


def resign(room: Room, command: asked.Resign, player: PlayerId) -> list[Event]:
    """Drop an own seat out of the match."""
    match = match_of(room)
    seat = own_seat(room, player, command.seat)
    if seat in match.dropped:
        raise Rejected("already_dropped", seat=seat)
    return match.game.drop(match.state, seat, "resigned")


def voided(playing: Match | None, reason: happened.VoidReason = "closed") -> list[Event]:
    """End a running match that counts for nobody."""
    return [] if playing is None else [ended(playing, happened.Result.void(reason))]


def outdated(playing: Match | None) -> list[Event]:
    """End a match that began under another version of its rules, which this release does not have.

    Nobody moves under rules that changed in the middle; its events and those of the setup stay what they are.
    """
    if playing is None or playing.rules_version == playing.game.rules_version:
        return []
    return voided(playing, "rules_changed")


def after_play(match: Match) -> list[Event]:
    """End the match if the rules say so, else let chance and uncovered secrets have their say."""
    outcome = match.game.outcome(match.state)
    if outcome is not None:
        return [ended(match, happened.Result.of(outcome))]
    return match.game.follow(match.state, Chance(match.seed, match.salts, match.next_draw))
