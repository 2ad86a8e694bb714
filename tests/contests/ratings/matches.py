"""Matches that have ended, as rooms deliver them to rating lists."""

import msgspec

from service.domain.ids import Millis, Player, PlayerId, Version
from service.domain.ratings.model import RatedMatchEnded, SeatResult
from service.domain.streams import Source
from service.streams.outboxes import Arrival
from tests.rooms.processes import NOON


def ended(number: int, *players: PlayerId, time: Millis = NOON, members_only: bool = False) -> Arrival:
    """Return the end of a match that the first player has won, before the second one and the third."""
    seats = tuple(SeatResult(player, place) for place, player in enumerate(players, 1))
    event = RatedMatchEnded(f"room-{number}.e1.1", time, seats, members_only)
    return Arrival(Source(f"room-{number}:e1", Version(9)), msgspec.Raw(msgspec.json.encode(event)))


def match_won_by(winner: Player, loser: Player, number: int) -> Arrival:
    """Return the end of a match of two."""
    return ended(number, winner.id, loser.id)
