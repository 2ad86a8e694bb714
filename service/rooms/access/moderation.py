"""Players whom an operator has muted or banned, as far as this process knows."""

from service.domain.room.model.ids import PlayerId
from service.rooms.errors import ServiceError


class Moderation:
    """Who may not chat, and whose token counts for nothing."""

    def __init__(self) -> None:
        """Begin with nobody."""
        self._muted: set[PlayerId] = set()
        self._banned: set[PlayerId] = set()

    def mute(self, player: PlayerId, *, on: bool) -> None:
        """Mute a player, or let them chat again."""
        (self._muted.add if on else self._muted.discard)(player)

    def ban(self, player: PlayerId, *, on: bool) -> None:
        """Ban a player, or let them back in."""
        (self._banned.add if on else self._banned.discard)(player)

    def refuse_banned(self, player: PlayerId) -> None:
        """Refuse `banned`."""
        if player in self._banned:
            raise ServiceError("banned")

    def refuse_muted(self, player: PlayerId) -> None:
        """Refuse `muted_by_operator`."""
        if player in self._muted:
            raise ServiceError("muted_by_operator")
