"""Decides which matches of a room count for ratings, when they end, from the room alone."""

from collections.abc import Sequence

from msgspec import UNSET

from service.domain.game import Seat
from service.domain.ids import Millis, PlayerId
from service.domain.ratings.model import ListId, RatedMatchEnded, RatingClass, SeatResult, list_id
from service.domain.room.model.clock import time_class
from service.domain.room.model.events import MatchEnded, Recorded, Result, RoomClosed
from service.domain.room.model.state import MOVED, BotOpponents, Match, Room, Table

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
    if match is None or len(match.moved_seats) < MOVED or match.settings.visibility == "private":
        return None
    rating_class = class_of(match, before.table)
    places = ending.event.result.places
    if rating_class == "bots" and match.bots is not None:
        places = places_against(match, match.bots, ending.event.result, history)
    if rating_class is None or not places:
        return None
    return list_id(match.game.slug, rating_class), match_ended(match, places, ending.time)


def class_of(match: Match, table: Table) -> RatingClass | None:
    """Return the class in which a match counts if it has a result, None if it counts in none."""
    if match.settings.rated:
        return "bots" if match.programs else time_class(match.settings.clock)
    return "bots" if match.bots is not None and is_fair_against(match.bots, match, table) else None


def is_fair_against(bots: BotOpponents, match: Match, table: Table) -> bool:
    """Return whether one person played a match against bots alone, on time, without help and on a layout of its own."""
    settings, is_default = match.settings, match.options == match.game.options()
    has_rules = settings.clock.runs and settings.on_timeout == "lose" and settings.hints == "off"
    is_alone = bots.levels.count(None) == 1
    return is_alone and has_rules and is_default and match.layout is None and holds_seats(bots, match, table)


def holds_seats(bots: BotOpponents, match: Match, table: Table) -> bool:
    """Return whether the bots still have their seats, and nobody else has that of the person, unless they gave up."""
    return bots.given_up or all(
        holder in {None, player} if level is None else table.bots.get(Seat(seat)) == level
        for seat, (holder, player, level) in enumerate(zip(table.seats, match.players, bots.levels, strict=True))
    )


def places_against(match: Match, bots: BotOpponents, result: Result, history: Sequence[Recorded]) -> tuple[int, ...]:
    """Return the places of a match against bots, none if it does not count.

    A person who gives up has the last place, whatever the result is. After a takeback only a defeat counts, so that
    nobody can take back a match that they would lose.
    """
    ends_it = not result.places and result.reason in GIVEN_UP and not is_closed_for(history)
    if bots.given_up or ends_it:
        return tuple(len(bots.levels) if level is None else 1 for level in bots.levels)
    is_lost = bool(result.places) and result.places[bots.levels.index(None)] > 1
    return result.places if is_lost or not match.takebacks else ()


def is_closed_for(history: Sequence[Recorded]) -> bool:
    """Return whether a command closed a room for a reason that its players did not cause."""
    return any(
        isinstance(recorded.event, RoomClosed) and recorded.event.reason in NOT_BY_PERSON for recorded in history
    )


def match_ended(match: Match, places: Sequence[int], ended: Millis) -> RatedMatchEnded:
    """Return what is delivered to a rating list."""
    levels = match.bots.levels if match.bots is not None else (None,) * len(match.players)
    seats = tuple(
        SeatResult(player or PlayerId(""), place, level, seat in match.programs or UNSET)
        for seat, (player, place, level) in enumerate(zip(match.players, places, levels, strict=True))
    )
    return RatedMatchEnded(match.id, ended, seats, members_only=not match.settings.spectators)
