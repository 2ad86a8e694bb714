"""Decisions about commands of players and organisers: pure functions of a tournament, a command and the time."""

from service.domain.game import Event, Rejected
from service.domain.ids import Millis, NameRef, PlayerId
from service.domain.tournaments import model
from service.domain.tournaments.model import Terms
from service.domain.tournaments.rounds import rounds_of, until_of
from service.domain.tournaments.state import Tournament


def terms_in(state: Tournament) -> Terms:
    """Return the terms of a tournament. Raises `Rejected` (`no_such_tournament`)."""
    if state.terms is None:
        raise Rejected("no_such_tournament")
    return state.terms


def require_open(state: Tournament) -> Terms:
    """Return the terms of a tournament. Raises `Rejected` if it has ended."""
    terms = terms_in(state)
    if state.status in {"finished", "cancelled"}:
        raise Rejected("tournament_over")
    return terms


def decide(
    state: Tournament, command: model.CommandToPlay, by: PlayerId, now: Millis, *, operator: bool
) -> list[Event]:
    """Return what a command of a player or the organiser leads to. Raises `Rejected`."""
    terms_in(state)
    if isinstance(command, model.OrganiserCommand) and not operator and by != state.organiser:
        raise Rejected("not_the_organiser")
    match command:
        case model.LeaveTournament():
            return withdraw(state, by)
        case model.CheckInToTournament():
            return check_in(state, by, now)
        case model.BeginTournament():
            return begin(state, now)
        case model.RemoveFromTournament(player=player):
            return remove(state, player)
        case model.CancelTournament():
            return cancel(state, operator=operator)


def create(state: Tournament, created: model.TournamentCreated) -> list[Event]:
    """Create a tournament; nothing if that was done before."""
    return [created] if state.terms is None else []


def register(
    state: Tournament, player: PlayerId, name_ref: NameRef, rating: int, now: Millis, *, bot: bool
) -> list[Event]:
    """Register a player, who may have left before; nothing if they are registered. Raises `Rejected`."""
    terms = require_open(state)
    if player in state.active:
        return []
    if player in state.removed:
        raise Rejected("removed_from_tournament")
    if bot and not terms.bots:
        raise Rejected("no_programs")
    if not admits(state, terms, now):
        raise Rejected("registration_closed")
    is_crowded = player not in state.entries and len(state.entries) >= 2 * terms.max_players
    if len(state.active) >= terms.max_players or is_crowded:
        raise Rejected("tournament_full", most=terms.max_players)
    registered = model.PlayerRegistered(player, name_ref, rating, bot)
    return [registered, model.PlayerCheckedIn(player)] if is_check_in(state, terms, now) else [registered]


def is_check_in(state: Tournament, terms: Terms, now: Millis) -> bool:
    """Return whether players can check in now. A player who registers then is present."""
    return state.status == "registration" and terms.check_in > 0 and now >= terms.starts - terms.check_in


def admits(state: Tournament, terms: Terms, now: Millis) -> bool:
    """Return whether players can register now."""
    if state.status == "registration":
        return True
    if not terms.late_entry or terms.format == "round_robin":
        return False
    return state.round < (state.rounds or 0) if state.until is None else now < state.until


def check_in(state: Tournament, player: PlayerId, now: Millis) -> list[Event]:
    """Record that a player is present; nothing if that is known. Raises `Rejected`."""
    terms = require_open(state)
    entry = state.active.get(player)
    if entry is None:
        raise Rejected("not_registered")
    if not is_check_in(state, terms, now):
        raise Rejected("no_check_in", begins=terms.starts - terms.check_in if terms.check_in else None)
    return [] if entry.is_checked_in else [model.PlayerCheckedIn(player)]


def withdraw(state: Tournament, player: PlayerId) -> list[Event]:
    """Let a player leave; nothing if they do not take part. A running match continues. Raises `Rejected`."""
    require_open(state)
    return [model.PlayerWithdrawn(player, "withdrew")] if player in state.active else []


def remove(state: Tournament, player: PlayerId) -> list[Event]:
    """Remove a player permanently, who may have left; nothing if that was done. A running match continues.

    Raises `Rejected`.
    """
    require_open(state)
    if player in state.removed:
        return []
    if player not in state.entries:
        raise Rejected("not_registered")
    return [model.PlayerWithdrawn(player, "removed")]


def cancel(state: Tournament, *, operator: bool) -> list[Event]:
    """Cancel a tournament; nothing if that was done. Raises `Rejected`."""
    if state.status == "cancelled":
        return []
    require_open(state)
    return [model.TournamentCancelled("by_operator" if operator else "by_organiser")]


def begin(state: Tournament, now: Millis) -> list[Event]:
    """Begin a tournament at its organiser's command, before its time; nothing if it has begun. Raises `Rejected`."""
    terms = require_open(state)
    if state.status == "playing":
        return []
    if len(state.active) < terms.seats:
        raise Rejected("too_few_players", players=len(state.active), least=terms.seats)
    return [model.PlayBegan(rounds_of(terms, len(state.active)), until_of(terms, now))]
