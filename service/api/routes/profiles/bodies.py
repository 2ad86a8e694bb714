"""What the routes of players' matches answer, and how it is made of what is stored."""

import msgspec

from service.api.routes.matches import MatchSummary, match_summary
from service.domain.game import Seat
from service.domain.ratings.classes import TimeClass
from service.player_matches.rows import position_of
from service.player_matches.service import FoundMatch
from service.rooms.match_index import Outcome


class PlayerMatch(MatchSummary, frozen=True):
    """A match in the list of one of its players."""

    cursor: str
    """The place of the match among the player's matches, for `cursor` and `since`."""
    seats: tuple[Seat, ...]
    """The player's seats."""
    place: int | None
    """The player's place, from 1; null without a result, and for a player who had several seats."""
    outcome: Outcome | None
    """How the match ended for the player: a shared first place is a draw; null without a place."""
    rated: bool
    """Whether the match was played for a rating."""
    rating_class: TimeClass | None
    """The class of the clock; null without one."""
    members_only: bool
    """Whether only members of the room see the match in this list."""


class PlayerMatches(msgspec.Struct, frozen=True):
    """A page of a player's matches, the latest one first."""

    player: str
    matches: tuple[PlayerMatch, ...]
    """The matches; with filters they may be fewer than `limit` on a page that is not the last one."""
    next: str | None
    """The cursor of the next page."""


def player_match(found: FoundMatch) -> PlayerMatch:
    """Return a match of a player as clients see it."""
    played, summary = found.played, match_summary(found.key, found.entry)
    return PlayerMatch(
        **msgspec.structs.asdict(summary),
        cursor=position_of(played).cursor,
        seats=played.seats,
        place=played.place or None,
        outcome=played.outcome,
        rated=played.kind.rated,
        rating_class=played.kind.time_class,
        members_only=played.kind.members_only,
    )
