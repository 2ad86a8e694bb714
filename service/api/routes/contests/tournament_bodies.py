"""The bodies of requests and answers about tournaments."""

from collections.abc import Sequence
from typing import TypeVar

import msgspec

from service.api.http.parameters import CURSOR, HttpRequest, page_size
from service.api.http.route_docs import ROOMS_CODES
from service.contests.tournament_views import (
    Bye,
    OwnEntry,
    PairedTable,
    StandingView,
    TournamentSummary,
    TournamentView,
)
from service.domain.ids import PlayerId


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


Item = TypeVar("Item")

TOURNAMENT_CODES = (*ROOMS_CODES, "no_such_tournament")
"""The refusals of a route that reads the tournament in its path."""

ENTRIES_PER_PAGE = page_size("Entries", 50)
PAGE = (CURSOR, ENTRIES_PER_PAGE)


def page_of(request: HttpRequest, total: int, around: int | None = None) -> tuple[int, int, int | None]:
    """Return where the requested page begins, its length, and where the next page begins.

    `around`: a place, from 1, in the middle of the page.
    """
    limit = ENTRIES_PER_PAGE.of(request)
    start: int = CURSOR.of(request) or 0
    if around is not None:
        start = max(0, around - 1 - limit // 2)
    return start, limit, start + limit if start + limit < total else None


def latest_of(request: HttpRequest, found: Sequence[tuple[int, Item]]) -> tuple[list[Item], int | None]:
    """Return the requested page of numbered items, of which the latest comes first, and the cursor of the next page.

    The cursor is the number of the last item on the page, so that an item that is added repeats none.
    """
    limit, before = ENTRIES_PER_PAGE.of(request), CURSOR.of(request)
    left = [(number, item) for number, item in found if before is None or number < before]
    shown = left[:limit]
    return [item for _, item in shown], shown[-1][0] if len(left) > limit else None
