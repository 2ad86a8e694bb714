"""A room's card in the lobby, in the shape of the wire."""

from typing import Any

import msgspec

from service.domain.room.values import Epoch
from service.rooms.moments import rfc3339
from service.rooms.projections import Card

CARD = msgspec.json.Decoder(Card)


class LobbyCard(msgspec.Struct, frozen=True):
    """A room in the lobby."""

    room: str
    title: str
    epoch: Epoch
    game: str
    options: dict[str, Any]
    status: str
    seats: int
    seats_taken: int
    players: int
    opened: str


def lobby_card(data: bytes) -> LobbyCard:
    """Return a room's card from how the store keeps it."""
    return on_the_wire(CARD.decode(data))


def on_the_wire(card: Card) -> LobbyCard:
    """Return a card in the shape of the wire."""
    return LobbyCard(**{**msgspec.structs.asdict(card), "opened": rfc3339(card.opened)})
