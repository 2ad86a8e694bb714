"""Decides which matches of a room count for ratings, when they end, from the room alone."""

from collections.abc import Sequence

from service.domain.game import Level
from service.domain.ratings.classes import ListId, RatingClass, list_id, time_class
from service.domain.ratings.model import RatedMatchEnded, SeatResult
from service.domain.room.model.events import MatchEnded, Recorded, Result, RoomClosed
from service.domain.room.model.ids import Millis, PlayerId
from service.domain.room.model.state import Match, Room, Table
from service.domain.room.subjects.timeouts import moved

MOVED = 2
"""How many seats must have moved; a match that ended before that was aborted."""

GIVEN_UP = frozenset({"closed", "restarted", "replaced"})
"""Reasons why a match against bots has no result that count as a loss if the person caused them."""

NOT_BY_PERSON = frozenset({"by_operator", "idle"})


def match_to_rate(
    before: Room | None, after: Room, history: Sequence[Recorded]
) -> tuple[ListId, RatedMatchEnded] | None:
    """Return the match that a command ended, and the list for which it may count; None if there is none."""
    ending = next((recorded for recorded in history if isinstance(recorded.event, MatchEnded)), None)
    if before is None or ending is None or not isinstance(ending.event, MatchEnded):
        return None
    is_latest = after.match is not None and after.match.number == ending.match
    match = after.match if is_latest else before.match
    if match is None or len(moved(match)) < MOVED or match.settings.visibility == "private":
        return None
    bots = bots_of(match, before.table)
    rating_class = class_of(match, before.table, bots)
    places = places_of(match, bots, ending.event.result, history)
    if rating_class is None or not places:
        return None
    return list_id(match.game.slug, rating_class), match_ended(match, bots, places, ending.time)


def bots_of(match: Match, table: Table) -> tuple[Level | None, ...]:
    """Return, by seat, the level of the bot of the service that plays a match; None for a person."""
    members = table.members
    return tuple(members[player].bot if player is not None and player in members else None for player in match.players)


def class_of(match: Match, table: Table, bots: Sequence[Level | None]) -> RatingClass | None:
    """Return the class in which a match counts if it has a result, None if it counts in none."""
    if match.settings.rated:
        return time_class(match.settings.clock)
    return "bots" if bots.count(None) == 1 and is_fair_against_bots(match, table) else None


def is_fair_against_bots(match: Match, table: Table) -> bool:
    """Return whether one person played a match against bots alone, on time, without help and without a second try."""
    settings = match.settings
    has_rules = settings.clock.runs and settings.on_timeout == "lose" and settings.hints == "off"
    has_second_try = match.takebacks > 0 or match.layout is not None
    return has_rules and not has_second_try and table.seats == match.players and match.options == match.game.options()


def places_of(
    match: Match, bots: Sequence[Level | None], result: Result, history: Sequence[Recorded]
) -> tuple[int, ...]:
    """Return the places of a match, if it has any: a person who gives up against bots has the last place."""
    if result.places or match.settings.rated or result.reason not in GIVEN_UP or is_closed_for(history):
        return result.places
    return tuple(len(bots) if level is None else 1 for level in bots)


def is_closed_for(history: Sequence[Recorded]) -> bool:
    """Return whether a command closed a room for a reason that its players did not cause."""
    return any(
        isinstance(recorded.event, RoomClosed) and recorded.event.reason in NOT_BY_PERSON for recorded in history
    )


def match_ended(match: Match, bots: Sequence[Level | None], places: Sequence[int], ended: Millis) -> RatedMatchEnded:
    """Return what is delivered to a rating list."""
    seats = tuple(
        SeatResult(player or PlayerId(""), place, level)
        for player, place, level in zip(match.players, places, bots, strict=True)
    )
    return RatedMatchEnded(match.id, ended, seats, members_only=not match.settings.spectators)
