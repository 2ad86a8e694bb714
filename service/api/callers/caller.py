"""A caller: a player as a token identifies them, and what the token is for."""

from typing import Literal

import msgspec

from service.domain.accounts.model import Scope, TokenId
from service.domain.room.model.ids import Millis
from service.rooms.player import Player


class Caller(msgspec.Struct, frozen=True):
    """Who sends a request."""

    player: Player
    scopes: frozenset[Scope]
    kind: Literal["guest", "named", "foreign", "operator"]
    """How the token is checked: a guest token, a named token, one of another issuer, the operator token."""
    token: TokenId | None = None
    """The id of a named token."""
    expires: Millis | None = None
    """When the token ends; None for never."""
