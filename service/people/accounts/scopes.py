"""The scopes of tokens that can do everything."""

from service.domain.accounts.model import Scope
from service.rooms.player import Player

SCOPES_OF_PEOPLE: tuple[Scope, ...] = ("read", "play", "chat", "account", "tournaments")
SCOPES_OF_BOTS: tuple[Scope, ...] = (*SCOPES_OF_PEOPLE, "bot")


def scopes_of(player: Player) -> tuple[Scope, ...]:
    """Return the scopes of a token that can do everything."""
    return SCOPES_OF_BOTS if player.bot else SCOPES_OF_PEOPLE
