"""A room's card in the lobby, in the shape of the wire."""

from typing import Any, NamedTuple

import msgspec
import structlog

from service.domain.room.model.ids import Epoch, Millis, RoomKey
from service.rooms.projections import Card
from service.rooms.views.timestamps import rfc3339

log = structlog.get_logger()

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


class DatedCard(NamedTuple):
    """A room in the lobby, and when it was opened."""

    opened: Millis
    card: LobbyCard


def lobby_card(data: bytes) -> LobbyCard:
    """Return a room's card from how the store keeps it. Raises `ValueError` and `OverflowError` for a damaged one."""
    return on_the_wire(CARD.decode(data))


def readable_card(key: RoomKey, data: bytes) -> DatedCard | None:
    """Return a room's card from how the store keeps it, None for a damaged one, which is logged.

    Cards are not part of the chain of digests. The next change of the room's card replaces a damaged one.
    """
    try:
        card = CARD.decode(data)
        return DatedCard(card.opened, on_the_wire(card))
    except (ValueError, OverflowError) as failure:
        log.warning("lobby_card_damaged", room=key.name, epoch=key.epoch, error=str(failure))
        return None


def on_the_wire(card: Card) -> LobbyCard:
    """Return a card in the shape of the wire."""
    return LobbyCard(**{**msgspec.structs.asdict(card), "opened": rfc3339(card.opened)})
