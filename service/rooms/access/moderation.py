"""The players that operators have muted or banned, as this process knows them."""

from collections.abc import Callable

from service.domain.ids import PlayerId
from service.streams.errors import ServiceError


class Moderation:
    """The players who may not write in chats, and those whose tokens are rejected."""

    def __init__(
        self,
        on_ban: Callable[[PlayerId], None] = lambda _: None,
        on_erasure: Callable[[PlayerId], None] = lambda _: None,
    ) -> None:
        """Start with no one muted or banned; the functions are called with each player who was banned or erased."""
        self._muted: set[PlayerId] = set()
        self._banned: set[PlayerId] = set()
        self.erased: set[PlayerId] = set()
        """The players who were erased."""
        self._on_ban, self._on_erasure = on_ban, on_erasure

    def mute(self, player: PlayerId, *, on: bool) -> None:
        """Mute a player, or let them write again."""
        (self._muted.add if on else self._muted.discard)(player)

    def ban(self, player: PlayerId, *, on: bool) -> None:
        """Ban a player, or end the ban."""
        (self._banned.add if on else self._banned.discard)(player)
        if on:
            self._on_ban(player)

    def erase(self, player: PlayerId) -> None:
        """Reject all tokens of a player, and forget their nicknames."""
        if player not in self.erased:
            self.erased.add(player)
            self._on_erasure(player)

    def refuse_erased(self, player: PlayerId) -> None:
        """Raise `ServiceError` with `player_erased` for an erased player."""
        if player in self.erased:
            raise ServiceError("player_erased")

    def refuse_banned(self, player: PlayerId) -> None:
        """Raise `ServiceError` with `banned` for a banned player."""
        if player in self._banned:
            raise ServiceError("banned")

    def refuse_muted(self, player: PlayerId) -> None:
        """Raise `ServiceError` with `muted_by_operator` for a muted player."""
        if player in self._muted:
            raise ServiceError("muted_by_operator")
