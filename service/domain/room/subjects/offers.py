"""Offers: what one player asks for and every other human at the table has to accept, and a draw the bots as well.

An offer stands until somebody declines it, its maker takes it back or leaves, a move is played, or the match ends. Who
asks for what another has offered accepts it. Where nobody else has a voice it is granted at once.
"""

from msgspec.structs import replace

from service.domain.game import Event, Rejected, Seat
from service.domain.room.model import commands as asked
from service.domain.room.model import events as happened
from service.domain.room.model.events import OfferKind
from service.domain.room.model.ids import PlayerId
from service.domain.room.model.state import Match, Offer, Room
from service.domain.room.subjects.guards import match_of
from service.domain.room.subjects.members import kicked
from service.domain.room.subjects.moves import voided
from service.domain.room.subjects.outcomes import drawn, ended
from service.domain.room.subjects.takeback import last_turn, taken_back


def offer_draw(room: Room, player: PlayerId) -> list[Event]:
    """Ask for a draw."""
    speaks_in(match_of(room), room, player)
    return wish(room, wished(room, "draw", player))


def request_takeback(room: Room, player: PlayerId) -> list[Event]:
    """Ask to return to before the player's last turn."""
    match = match_of(room)
    speaks_in(match, room, player)
    turn = last_turn(match, room.table.seats_of[player])
    if turn is None:
        raise Rejected("nothing_to_take_back")
    return wish(room, replace(wished(room, "takeback", player), to_version=turn.version))


def request_anew(room: Room, player: PlayerId, kind: OfferKind) -> list[Event]:
    """Ask for the same match from its beginning (`restart`) or for another one (`new`), during a match or after it."""
    match = room.match
    if match is None or room.table.status not in {"playing", "finished"}:
        raise Rejected("not_playing")
    speaks_in(match, room, player)
    return wish(room, wished(room, kind, player))


def speaks_in(match: Match, room: Room, player: PlayerId) -> None:
    """Refuse who has no seat, or none any more in the running match."""
    own = room.table.seats_of[player]
    if not own:
        raise Rejected("not_seated")
    if match.result is None and all(seat in match.dropped for seat in own):
        raise Rejected("already_dropped", seat=own[0])


def wished(room: Room, kind: OfferKind, player: PlayerId, abandoned: Seat | None = None) -> Offer:
    """Return the next offer of the room."""
    return Offer(room.table.offers_made + 1, kind, player, abandoned=abandoned)


def wish(room: Room, offer: Offer) -> list[Event]:
    """Make an offer, unless it is granted at once or accepts another's."""
    for other in room.table.offers:
        if other.content == offer.content and offer.by in awaited(room, other):
            return accepted(room, other, offer.by)
        if other.kind == offer.kind and other.by == offer.by:
            raise Rejected("already_offered", offer=other.id)
    if not awaited(room, offer):
        return granted(room, offer)
    if bots_asked(room, offer) and room.table.draw_offered > match_of(room).moved:
        raise Rejected("draw_offered_here")
    return [happened.OfferMade(offer.id, offer.kind, offer.by, offer.to_version, offer.target, offer.abandoned)]


def answer(room: Room, command: asked.Answer, player: PlayerId) -> list[Event]:
    """Accept or decline what another player offers."""
    offer = offer_of(room, command.offer)
    if player not in awaited(room, offer):
        raise Rejected("not_asked", offer=offer.id)
    if command.accept:
        return accepted(room, offer, player)
    return [happened.OfferClosed(offer.id, "declined", player)]


def withdraw(room: Room, command: asked.Withdraw, player: PlayerId) -> list[Event]:
    """Take an own offer back."""
    offer = offer_of(room, command.offer)
    if offer.by != player:
        raise Rejected("not_your_offer", offer=offer.id)
    return [happened.OfferClosed(offer.id, "withdrawn", player)]


def offer_of(room: Room, number: int) -> Offer:
    """Return an open offer by its number."""
    for offer in room.table.offers:
        if offer.id == number:
            return offer
    raise Rejected("no_such_offer", offer=number)


def accepted(room: Room, offer: Offer, player: PlayerId) -> list[Event]:
    """Note that a player accepts, and grant what all have accepted."""
    told = happened.OfferAccepted(offer.id, player)
    if awaited(room, offer) != (player,):
        return [told]
    return [told, *agreed(room, offer)]


def agreed(room: Room, offer: Offer) -> list[Event]:
    """Close an offer that all have accepted, and do what it says."""
    return [happened.OfferClosed(offer.id, "agreed"), *granted(room, offer)]


def granted(room: Room, offer: Offer) -> list[Event]:
    """Return what an agreement leads to."""
    match = room.match
    assert match is not None  # noqa: S101 - offers are made at a match
    match offer.kind:
        case "draw":
            return [ended(match, drawn(match.game, match.options, match.state, match.dropped))]
        case "takeback":
            return taken_back(match, offer.to_version)
        case "restart":
            return [*voided(room.playing, "restarted"), happened.StartCalled(match.id)]
        case "new":
            return [*voided(room.playing, "replaced"), happened.StartCalled()]
        case "kick" if offer.target is not None:
            return kicked(room.table, offer.target)
    raise NotImplementedError(offer.kind)


def voices(room: Room) -> tuple[PlayerId, ...]:
    """Return the humans at the table, those who dropped out of the running match left out; each once."""
    return tuple(holder for holder in holders(room) if room.table.members[holder].bot is None)


def bots_asked(room: Room, offer: Offer) -> tuple[PlayerId, ...]:
    """Return the bots whose agreement an offer needs: those in the match for a draw, none for any other offer.

    A draw that is claimed because of an absent player needs none either.
    """
    if offer.kind != "draw" or offer.abandoned is not None:
        return ()
    return tuple(holder for holder in holders(room) if room.table.members[holder].bot is not None)


def holders(room: Room) -> tuple[PlayerId, ...]:
    """Return who sits at the table, those who dropped out of the running match left out; each once."""
    dropped = room.playing.dropped if room.playing else {}
    seated = (holder for seat, holder in enumerate(room.table.seats) if seat not in dropped)
    return tuple(dict.fromkeys(holder for holder in seated if holder is not None))


def awaited(room: Room, offer: Offer) -> tuple[PlayerId, ...]:
    """Return who has yet to accept an offer."""
    return tuple(player for player in asked_about(room, offer) if player not in offer.accepted)


def asked_about(room: Room, offer: Offer) -> tuple[PlayerId, ...]:
    """Return whose agreement an offer needs; that of a player whom it calls absent only if they are back."""
    others = [player for player in voices(room) if player != offer.by]
    if offer.target is not None:
        return tuple(player for player in others if player != offer.target) or tuple(others)
    others += bots_asked(room, offer)
    spared = None if offer.abandoned is None else room.table.seats[offer.abandoned]
    return tuple(player for player in others if player != spared or player not in room.table.absent)


def settled(room: Room) -> list[Event]:
    """Return how an offer ends that stands no more, or that only those who left had not accepted; empty for none."""
    for offer in room.table.offers:
        if not stands(room, offer):
            return [happened.OfferClosed(offer.id, "lapsed")]
        if not awaited(room, offer):
            return agreed(room, offer) if offer.accepted else [happened.OfferClosed(offer.id, "lapsed")]
    return []


def stands(room: Room, offer: Offer) -> bool:
    """Tell whether an offer is still about the position at which it was made, and its maker at the table.

    A kick needs no seat, but its maker to be the creator still, and its target to be at the table.
    """
    match = room.match
    if match is None or room.table.status not in {"playing", "finished"} or offer.made < match.moved:
        return False
    if offer.target is not None:
        return offer.by == room.table.creator and offer.target in voices(room)
    return offer.by in voices(room)
