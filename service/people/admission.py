"""How players sign in: new tokens, and codes for other devices."""

from typing import NamedTuple

import msgspec

from service.domain.accounts.model import NamedToken, Scope
from service.domain.ids import Millis, Player

SCOPES_OF_PEOPLE: tuple[Scope, ...] = ("read", "play", "chat", "account", "tournaments")
SCOPES_OF_BOTS: tuple[Scope, ...] = (*SCOPES_OF_PEOPLE, "bot")


def scopes_of(player: Player) -> tuple[Scope, ...]:
    """Return the scopes of a token that can do everything."""
    return SCOPES_OF_BOTS if player.bot else SCOPES_OF_PEOPLE


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
