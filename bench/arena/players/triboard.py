"""Players of Triboard."""

from bench.arena.players.capturing import PLAYERS

__all__ = ["PLAYERS"]
