"""Players of Triboard."""

from service.arena.players.capturing import PLAYERS

__all__ = ["PLAYERS"]
