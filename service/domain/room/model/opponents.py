"""Who plays in a match: the names of all who have had a seat, and which of them are bots."""

import msgspec

from service.domain.game import Level, Seat
from service.domain.ids import NameRef


class SeatedAs(msgspec.Struct, frozen=True, gc=False):
    """The nickname with which a player sat in a match."""

    nickname: str
    """As it is stored: empty with a reference."""
    name_ref: NameRef | None = None
    program: bool = False
    """Whether the player was declared a bot."""


class BotOpponents(msgspec.Struct, frozen=True, gc=False):
    """The bots of the service in a match, and what decides later whether it counts for the rating of a person."""

    levels: tuple[Level | None, ...]
    """By seat, the level of the bot that held it when the match began; None for a person."""
    moved: tuple[Seat, ...] = ()
    """The seats that had moved before a turn was taken back."""
    given_up: bool = False
    """Whether, after two seats had moved, a person removed a bot, or left their seat and somebody else took it."""
