"""What every handler works with."""

from collections.abc import Callable

import msgspec

from service.api.callers.addresses import Addresses
from service.api.callers.hosts import Hosts
from service.api.callers.tokens import Tokens
from service.api.limits import Gate
from service.api.shutdown import Doors
from service.bot_engine.hints import Hints
from service.domain.room.model.ids import Millis, PlayerId
from service.rooms.access.moderation import Moderation
from service.rooms.service import RoomService
from service.rooms.social import SocialFeeds


def nothing_refused() -> None:
    """Find the store ready at any time."""


class House(msgspec.Struct, frozen=True):
    """The application and what identifies its players."""

    rooms: RoomService
    tokens: Tokens
    new_player: Callable[[], PlayerId]
    """Returns an id that nobody has."""
    now: Callable[[], Millis]
    origins: tuple[str, ...]
    """Which origins may call from a browser; `*` for any."""
    doors: Doors
    """Whether this process still lets anybody in."""
    company: SocialFeeds
    hints: Hints
    gate: Gate
    """How much clients may ask for."""
    sanctions: Moderation = msgspec.field(default_factory=Moderation)
    addresses: Addresses = msgspec.field(default_factory=Addresses)
    hosts: Hosts = msgspec.field(default_factory=lambda: Hosts("*"))
    refuse_unready: Callable[[], None] = nothing_refused
    """Raises why the store can't be used for newcomers, where that is so."""
    admin_token: bytes | None = None
    """The operators' token; None for no operators over HTTP."""
    shows_metrics: bool = True
    """Whether `/metrics` is served here; where they have a port of their own it is not."""
