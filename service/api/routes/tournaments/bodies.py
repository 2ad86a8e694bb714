"""The bodies of requests and answers about tournaments."""

import msgspec

from service.contests.tournaments.views import (
    Bye,
    OwnEntry,
    PairedTable,
    StandingView,
    TournamentSummary,
    TournamentView,
)
from service.domain.room.model.ids import PlayerId


class TournamentList(msgspec.Struct, frozen=True):
    """A page of the list of tournaments."""

    tournaments: tuple[TournamentSummary, ...]
    """The latest created one comes first."""
    next: int | None
    """The `cursor` of the next page; null on the last one."""


class TournamentAnswer(msgspec.Struct, frozen=True):
    """A tournament as one caller sees it."""

    tournament: TournamentView
    """The tournament."""
    own: OwnEntry | None
    """The caller's part in it; null for a caller who has none, and without a token."""


class StandingsPage(msgspec.Struct, frozen=True):
    """A page of the standings."""

    players: int
    """How many rows there are."""
    place: int | None
    """Where the player of `around` is among them, from 1; null if they have no row, and without `around`."""
    standings: tuple[StandingView, ...]
    """The best first."""
    next: int | None
    """The `cursor` of the next page; null on the last one."""


class TablesPage(msgspec.Struct, frozen=True):
    """A page of the tables of a tournament."""

    tables: tuple[PairedTable, ...]
    """By number, the latest first."""
    byes: tuple[Bye, ...]
    """The players without a match in the rounds of these tables, the latest round first; none in an arena."""
    next: int | None
    """The `cursor` of the next page; null on the last one."""


class TournamentCommand(msgspec.Struct, frozen=True, tag_field="type", forbid_unknown_fields=True):
    """A command to a tournament."""


class EnterTournament(TournamentCommand, frozen=True, tag="register"):
    """Take part, or come back after leaving. During the check-in this also checks you in."""


class LeaveTournament(TournamentCommand, frozen=True, tag="withdraw"):
    """Leave the tournament: you get no further match; a running match continues."""


class CheckInToTournament(TournamentCommand, frozen=True, tag="check_in"):
    """Confirm that you are present, within the time before the start that the tournament sets."""


class BeginTournament(TournamentCommand, frozen=True, tag="begin"):
    """Begin before the scheduled time, with all registered players, checked in or not. Organiser only."""


class RemoveFromTournament(TournamentCommand, frozen=True, tag="remove"):
    """Remove a player permanently; a running match continues. Organiser only."""

    player: PlayerId


class CancelTournament(TournamentCommand, frozen=True, tag="cancel"):
    """Cancel the tournament; running matches continue, and count as matches. Organiser only."""


OrganiserCommand = BeginTournament | RemoveFromTournament | CancelTournament

AnyTournamentCommand = EnterTournament | LeaveTournament | CheckInToTournament | OrganiserCommand
