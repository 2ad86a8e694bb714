"""Offers: a player proposes something that the other humans in the match, and for a draw the bots, have to accept.

An offer is open until a player declines it, its maker withdraws it or leaves the match, a move is made, or the match
ends. Making an offer that another player has already made accepts theirs. An offer that nobody has to accept is granted
at once.
"""

from collections.abc import Sequence

from msgspec.structs import replace

from service.domain.game import Event, Rejected, Seat
from service.domain.ids import PlayerId, Version
from service.domain.room.model import commands, events
from service.domain.room.model.events import OfferKind
from service.domain.room.model.state import Match, Offer, Room, TurnSnapshot
from service.domain.room.subjects.outcomes import draw_result, end_match, void_match
from service.domain.room.subjects.seats import (
    refuse_in_rated_match,
    refuse_in_rated_room,
    require_active_player,
    require_match,
    vacate_seats,
)


def offer_draw(room: Room, player: PlayerId) -> list[Event]:
    """Offer a draw."""
    require_active_player(require_match(room), room, player)
    return make_offer(room, new_offer(room, "draw", player))


def request_takeback(room: Room, player: PlayerId) -> list[Event]:
    """Ask to return to the position before the player's last turn."""
    match = require_match(room)
    require_active_player(match, room, player)
    refuse_in_rated_match(room)
    turn = last_turn(match, room.table.seats_of[player])
    if turn is None:
        raise Rejected("nothing_to_take_back")
    return make_offer(room, replace(new_offer(room, "takeback", player), to_version=turn.version))


def request_match(room: Room, player: PlayerId, kind: OfferKind) -> list[Event]:
    """Ask to repeat the latest match (`restart`) or for another one (`new`), during a match or after it."""
    match = room.match
    if match is None or room.table.status not in {"playing", "finished"}:
        raise Rejected("not_playing")
    require_active_player(match, room, player)
    refuse_in_rated_match(room)
    if kind == "restart":
        refuse_in_rated_room(room)
    return make_offer(room, new_offer(room, kind, player))


def new_offer(room: Room, kind: OfferKind, player: PlayerId, abandoned: Seat | None = None) -> Offer:
    """Return an offer with the next number of the room."""
    return Offer(room.table.offers_made + 1, kind, player, abandoned=abandoned)


def make_offer(room: Room, offer: Offer) -> list[Event]:
    """Make an offer; if another player has made the same one, accept that; if nobody has to accept it, grant it."""
    for other in room.table.offers:
        if other.content == offer.content and offer.by in players_to_answer(room, other):
            return accept(room, other, offer.by)
        if other.kind == offer.kind and other.by == offer.by:
            raise Rejected("already_offered", offer=other.id)
    if not players_to_answer(room, offer):
        return grant(room, offer)
    if bots_asked(room, offer) and room.table.draw_offered > require_match(room).moved:
        raise Rejected("draw_offered_here")
    return [events.OfferMade(offer.id, offer.kind, offer.by, offer.to_version, offer.target, offer.abandoned)]


def answer_offer(room: Room, command: commands.Answer, player: PlayerId) -> list[Event]:
    """Accept or decline another player's offer."""
    offer = require_offer(room, command.offer)
    if player not in players_to_answer(room, offer):
        raise Rejected("not_asked", offer=offer.id)
    if command.accept:
        return accept(room, offer, player)
    return [events.OfferClosed(offer.id, "declined", player)]


def withdraw_offer(room: Room, command: commands.Withdraw, player: PlayerId) -> list[Event]:
    """Withdraw an offer of the player's own."""
    offer = require_offer(room, command.offer)
    if offer.by != player:
        raise Rejected("not_your_offer", offer=offer.id)
    return [events.OfferClosed(offer.id, "withdrawn", player)]


def require_offer(room: Room, number: int) -> Offer:
    """Return an open offer by its number. Raises `Rejected`."""
    for offer in room.table.offers:
        if offer.id == number:
            return offer
    raise Rejected("no_such_offer", offer=number)


def accept(room: Room, offer: Offer, player: PlayerId) -> list[Event]:
    """Accept an offer, and grant it if all others have accepted it already."""
    accepted = events.OfferAccepted(offer.id, player)
    if players_to_answer(room, offer) != (player,):
        return [accepted]
    return [accepted, *close_agreed(room, offer)]


def close_agreed(room: Room, offer: Offer) -> list[Event]:
    """Close an offer that all have accepted, and grant it."""
    return [events.OfferClosed(offer.id, "agreed"), *grant(room, offer)]


def grant(room: Room, offer: Offer) -> list[Event]:
    """Return the events that do what an offer proposes."""
    match = room.match
    assert match is not None  # noqa: S101 - offers are made during a match or after it
    match offer.kind:
        case "draw":
            return [end_match(match, draw_result(match.game, match.options, match.state, match.dropped))]
        case "takeback":
            return take_back(match, offer.to_version)
        case "restart":
            return [*void_match(room.playing, "restarted"), events.StartCalled(match.id)]
        case "new":
            return [*void_match(room.playing, "replaced"), events.StartCalled()]
        case "kick" if offer.target is not None:
            return [*vacate_seats(room.table, offer.target), events.PlayerKicked(offer.target)]
    raise NotImplementedError(offer.kind)


def last_turn(match: Match, seats: Sequence[Seat]) -> TurnSnapshot | None:
    """Return the latest turn of these seats, which may still be under way; seats that dropped out do not count."""
    for turn in reversed(match.turns):
        if turn.seat in seats and turn.seat not in match.dropped:
            return turn
    return None


def can_take_back(match: Match, seat: Seat | None) -> bool:
    """Return whether this seat has a turn that could be taken back."""
    if seat is None or match.result is not None or match.settings.rated:
        return False
    is_latest = match.acting == seat and seat not in match.dropped
    return is_latest or last_turn(match, (seat,)) is not None


def take_back(match: Match, version: Version | None) -> list[Event]:
    """Return to the position at this version, before a turn; seats that have dropped out since then stay out.

    (Rules: Takeback.)
    """
    turn = next(turn for turn in match.turns if turn.version == version)
    history: list[Event] = [events.TakenBack(turn.version, turn.seat)]
    state = turn.state
    for seat, reason in match.dropped.items():
        dropped = [] if seat in turn.dropped else match.game.drop(state, seat, reason)
        for event in dropped:
            state = match.game.evolve(state, event)
        history += dropped
    return history


def active_players(room: Room) -> tuple[PlayerId, ...]:
    """Return the seated players, each once, without those who dropped out of a running match."""
    dropped = room.playing.dropped if room.playing else {}
    seated = (holder for seat, holder in enumerate(room.table.seats) if seat not in dropped)
    return tuple(dict.fromkeys(holder for holder in seated if holder is not None))


def active_humans(room: Room) -> tuple[PlayerId, ...]:
    """Return the active players who are not bots of the service."""
    return tuple(player for player in active_players(room) if room.table.members[player].bot is None)


def bots_asked(room: Room, offer: Offer) -> tuple[PlayerId, ...]:
    """Return the bots that have to accept an offer: the active ones for a draw, none for any other offer.

    Bots are not asked about a draw that is claimed against an absent player either.
    """
    if offer.kind != "draw" or offer.abandoned is not None:
        return ()
    return tuple(player for player in active_players(room) if room.table.members[player].bot is not None)


def players_to_answer(room: Room, offer: Offer) -> tuple[PlayerId, ...]:
    """Return the players who still have to accept an offer."""
    return tuple(player for player in players_asked(room, offer) if player not in offer.accepted)


def players_asked(room: Room, offer: Offer) -> tuple[PlayerId, ...]:
    """Return the players who have to accept an offer.

    The target of a kick is asked only if there is nobody else to ask; a player who is claimed to be absent is asked
    only if they have come back.
    """
    others = [player for player in active_humans(room) if player != offer.by]
    if offer.target is not None:
        return tuple(player for player in others if player != offer.target) or tuple(others)
    others += [player for player in bots_asked(room, offer) if player != offer.by]
    claimed = None if offer.abandoned is None else room.table.seats[offer.abandoned]
    return tuple(player for player in others if player != claimed or player not in room.table.absent)


def settle_offers(room: Room) -> list[Event]:
    """Close the oldest offer that is out of date, or that all remaining players have accepted; else do nothing."""
    for offer in room.table.offers:
        if not is_current(room, offer):
            return [events.OfferClosed(offer.id, "lapsed")]
        if not players_to_answer(room, offer):
            return close_agreed(room, offer) if offer.accepted else [events.OfferClosed(offer.id, "lapsed")]
    return []


def is_current(room: Room, offer: Offer) -> bool:
    """Return whether the position has not changed since an offer was made, and its maker is still an active player.

    A kick is current as long as its maker is the creator and its target is an active player.
    """
    match = room.match
    if match is None or room.table.status not in {"playing", "finished"} or offer.made < match.moved:
        return False
    if offer.target is not None:
        return offer.by == room.table.creator and offer.target in active_humans(room)
    return offer.by in active_players(room)
