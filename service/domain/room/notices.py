"""What the events of a command mean for the streams of a room's players and of the operator.

A room with at most one person on its seats delivers nothing: a player alone or against bots sees everything on the
board. Only what happens to invitations is delivered, and the end of a match, to all who have sat in it, although some
may have left.
"""

from collections.abc import Iterator, Sequence

from service.domain.game import Seat
from service.domain.ids import PlayerId, is_person
from service.domain.room.model import events as happened
from service.domain.room.model.events import Recorded
from service.domain.room.model.notices import (
    ClosedRoom,
    MatchBegan,
    MatchFinished,
    Notice,
    OfferReceived,
    OpenedRoom,
    OperatorNotice,
    OwnInvitationAccepted,
    OwnInvitationDeclined,
    OwnInvitationMade,
    RemovedFromRoom,
    TurnBegan,
)
from service.domain.room.model.state import Match, Room
from service.domain.room.subjects.offers import players_to_answer
from service.domain.room.subjects.privacy import OPERATOR

Notices = list[tuple[PlayerId, Notice | OperatorNotice]]

OfInvitation = happened.InvitationMade | happened.InvitationDeclined | happened.PlayerJoined
"""What happens to an invitation; who joined may have had none."""


def notices(before: Room | None, after: Room, history: Sequence[Recorded]) -> Notices:
    """Return what to deliver to whom after a command; `before` is None for a room that was just opened."""
    is_lonely = len(after.table.persons) < 2 and (before is None or len(before.table.persons) < 2)
    found: Notices = []
    for recorded in history:
        if isinstance(recorded.event, OfInvitation):
            found += from_invitation(after, recorded.event)
        elif isinstance(recorded.event, happened.RoomOpened | happened.RoomClosed):
            found.append((OPERATOR, for_operator(after, recorded.event, recorded.by)))
        elif isinstance(recorded.event, happened.MatchEnded if is_lonely else happened.RoomEvent):
            found += from_event(before, after, recorded)
    return found if is_lonely else found + turns_begun(before, after)


def for_operator(room: Room, event: happened.RoomOpened | happened.RoomClosed, by: PlayerId | None) -> OperatorNotice:
    """Return what the beginning or the end of a room means to the operator."""
    key, game = room.table.key, room.table.game
    if isinstance(event, happened.RoomClosed):
        return ClosedRoom(key.name, key.epoch, game, event.reason)
    return OpenedRoom(key.name, key.epoch, game, by, event.settings.visibility)


def from_event(before: Room | None, room: Room, recorded: Recorded) -> Iterator[tuple[PlayerId, Notice]]:
    """Yield what one event means to players; `room` is the room after the command."""
    key, game, event = room.table.key, room.table.game, recorded.event
    match event:
        case happened.MatchStarted():
            for player, seats in seats_by_person(event.seats).items():
                yield player, MatchBegan(key.name, key.epoch, game, recorded.match or 0, event.id, seats)
        case happened.MatchEnded() if ended := match_ended(before, room, recorded):
            sat = [player for player in ended.sat if is_person(player)]
            for player in sat if len(sat) > 1 else ():
                yield player, MatchFinished(key.name, key.epoch, game, ended.number, ended.id, event.result)
        case happened.OfferMade():
            for offer in room.table.offers:
                if offer.id == event.offer:
                    for player in set(players_to_answer(room, offer)) & set(room.table.persons):
                        yield player, OfferReceived(key.name, key.epoch, game, offer.id, offer.kind, offer.by)
        case happened.PlayerKicked():
            yield event.player, RemovedFromRoom(key.name, key.epoch, game)


def from_invitation(room: Room, event: OfInvitation) -> Iterator[tuple[PlayerId, Notice]]:
    """Yield what happened to an invitation, for who made it."""
    for invitation in room.table.invitations:
        if invitation.number == event.invitation:
            where = (room.table.key.name, room.table.key.epoch, room.table.game, invitation.number)
            if isinstance(event, happened.InvitationMade):
                yield invitation.by, OwnInvitationMade(*where)
            else:
                notice = OwnInvitationAccepted if isinstance(event, happened.PlayerJoined) else OwnInvitationDeclined
                yield invitation.by, notice(*where, event.player)


def match_ended(before: Room | None, after: Room, recorded: Recorded) -> Match | None:
    """Return the match that an event ended; the command may have started the next one as well."""
    matches = [room.match for room in (after, before) if room is not None and room.match is not None]
    return next((match for match in matches if match.number == recorded.match), None)


def turns_begun(before: Room | None, after: Room) -> Notices:
    """Return the people whose turn it is after a command and was not before it."""
    match, earlier = after.playing, None if before is None else before.playing
    if match is None:
        return []
    table = after.table
    had_turn: list[PlayerId | None] = []
    if before is not None and earlier is not None and earlier.number == match.number:
        had_turn = [*map(before.table.seats.__getitem__, earlier.to_move)]
    found: dict[PlayerId, tuple[Seat, ...]] = {}
    for seat in match.to_move:
        holder = table.seats[seat]
        if holder is not None and holder in table.persons and holder not in had_turn:
            found[holder] = (*found.get(holder, ()), seat)
    key, game = table.key, table.game
    return [(player, TurnBegan(key.name, key.epoch, game, match.number, seats)) for player, seats in found.items()]


def seats_by_person(seats: Sequence[PlayerId | None]) -> dict[PlayerId, tuple[Seat, ...]]:
    """Return the seats of a match by their players, without the bots of the service."""
    found: dict[PlayerId, tuple[Seat, ...]] = {}
    for seat, player in enumerate(seats):
        if player is not None and is_person(player):
            found[player] = (*found.get(player, ()), Seat(seat))
    return found
