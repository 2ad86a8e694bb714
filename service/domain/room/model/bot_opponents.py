"""The bots of the service in a match, and what decides later whether the match counts for the rating of a person."""

import msgspec

from service.domain.game import Level, Seat


class BotOpponents(msgspec.Struct, frozen=True, gc=False):
    """The bots of the service in a match."""

    levels: tuple[Level | None, ...]
    """By seat, the level of the bot that held it when the match began; None for a person."""
    moved: tuple[Seat, ...] = ()
    """The seats that had moved before a turn was taken back."""
    given_up: bool = False
    """Whether, after two seats had moved, a person removed a bot, or left their seat and somebody else took it."""
