"""How players sign in: new tokens, and codes for other devices."""

from typing import NamedTuple

import msgspec

from service.domain.accounts.model import NamedToken, Scope
from service.domain.room.model.ids import Millis
from service.rooms.player import Player


class NewToken(msgspec.Struct, frozen=True):
    """The properties of a new token."""

    name: str
    scopes: tuple[Scope, ...]
    expires: Millis | None = None


class LinkCode(NamedTuple):
    """A link code, and when it expires."""

    code: str
    expires: Millis


class AdmittedPlayer(NamedTuple):
    """A player who signed in with a code, and their new token."""

    player: Player
    token: NamedToken
