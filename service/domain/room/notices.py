"""What the events of a command mean for the streams of a room's players and of the operator.

A room with at most one person delivers nothing: a player alone or against bots sees everything on the board.
"""

from collections.abc import Iterator, Sequence

from service.domain.game import Seat
from service.domain.room.model.events import (
    MatchEnded,
    MatchStarted,
    OfferMade,
    PlayerKicked,
    Recorded,
    RoomClosed,
    RoomOpened,
)
from service.domain.room.model.ids import PlayerId
from service.domain.room.model.notices import (
    ClosedRoom,
    MatchBegan,
    MatchFinished,
    Notice,
    OfferReceived,
    OpenedRoom,
    OperatorNotice,
    RemovedFromRoom,
    TurnBegan,
)
from service.domain.room.model.room_event import RoomEvent
from service.domain.room.model.state import Room
from service.domain.room.subjects.offers import players_to_answer
from service.domain.room.subjects.privacy import OPERATOR

Notices = list[tuple[PlayerId, Notice]]
OperatorNotices = list[tuple[PlayerId, OperatorNotice]]


def notices(before: Room | None, after: Room, history: Sequence[Recorded]) -> Notices:
    """Return what to deliver to whom after a command; `before` is None for a room that was just opened."""
    if len(persons(after)) < 2 and (before is None or len(persons(before)) < 2):
        return []
    events = [recorded for recorded in history if isinstance(recorded.event, RoomEvent)]
    found = [notice for recorded in events for notice in from_event(after, recorded)]
    return [*found, *turns_begun(before, after)]


def operator_notices(room: Room, history: Sequence[Recorded]) -> OperatorNotices:
    """Return what to deliver to the operator after a command, besides what players get."""
    key, game = room.table.key, room.table.game
    found: list[OperatorNotice] = []
    for recorded in history:
        match recorded.event:
            case RoomOpened(settings=settings):
                found.append(OpenedRoom(key.name, key.epoch, game, recorded.by, settings.visibility))
            case RoomClosed(reason):
                found.append(ClosedRoom(key.name, key.epoch, game, reason))
    return [(OPERATOR, notice) for notice in found]


def persons(room: Room) -> list[PlayerId]:
    """Return the seated players that are not bots of the service."""
    members = room.table.members
    return [holder for holder in room.table.seats_of if holder in members and members[holder].bot is None]


def from_event(room: Room, recorded: Recorded) -> Iterator[tuple[PlayerId, Notice]]:
    """Yield what one event means to players; `room` is the room after the command."""
    key, game, event = room.table.key, room.table.game, recorded.event
    match event:
        case MatchStarted():
            for player, seats in seats_by_person(room, event.seats).items():
                yield player, MatchBegan(key.name, key.epoch, game, recorded.match or 0, event.id, seats)
        case MatchEnded() if room.match is not None:
            for player in seats_by_person(room, room.match.players):
                yield player, MatchFinished(key.name, key.epoch, game, recorded.match or 0, room.match.id, event.result)
        case OfferMade():
            for offer in room.table.offers:
                if offer.id == event.offer:
                    for player in set(players_to_answer(room, offer)) & set(persons(room)):
                        yield player, OfferReceived(key.name, key.epoch, game, offer.id, offer.kind, offer.by)
        case PlayerKicked():
            yield event.player, RemovedFromRoom(key.name, key.epoch, game)


def turns_begun(before: Room | None, after: Room) -> Notices:
    """Return the people whose turn it is after a command and was not before it."""
    match = after.playing
    if match is None:
        return []
    is_same = before is not None and before.playing is not None and before.playing.number == match.number
    had_turn = movers(before) if is_same and before is not None else {}
    key, game = after.table.key, after.table.game
    return [
        (player, TurnBegan(key.name, key.epoch, game, match.number, seats))
        for player, seats in movers(after).items()
        if player not in had_turn and player in persons(after)
    ]


def movers(room: Room) -> dict[PlayerId, tuple[Seat, ...]]:
    """Return the players who are to move, each with their seats that are to move."""
    match = room.playing
    found: dict[PlayerId, tuple[Seat, ...]] = {}
    for seat in match.game.to_move(match.state) if match else ():
        holder = room.table.seats[seat]
        if holder is not None:
            found[holder] = (*found.get(holder, ()), seat)
    return found


def seats_by_person(room: Room, seats: Sequence[PlayerId | None]) -> dict[PlayerId, tuple[Seat, ...]]:
    """Return the seats of a match by their players, without the bots of the service."""
    members, found = room.table.members, dict[PlayerId, tuple[Seat, ...]]()
    for seat, player in enumerate(seats):
        if player is not None and (player not in members or members[player].bot is None):
            found[player] = (*found.get(player, ()), Seat(seat))
    return found
