"""The plan of the arena, and its matches."""

import hashlib
from functools import cached_property
from itertools import combinations, permutations
from typing import Any, Literal

import msgspec

from service.domain.catalog import GAMES, AnyGame
from service.domain.chance import Chance, DrawNumber
from service.domain.game import Seat

Clock = Literal["wall", "processor"]
"""The clock for moves: elapsed time, or CPU time of the player's process."""


class BadArena(Exception):  # noqa: N818 - an answer, not an error
    """The plan cannot be played; the message says what to do."""


class Plan(msgspec.Struct, frozen=True, dict=True):
    """Everything that determines the matches; with `nodes` they are the same on every machine."""

    game: str
    players: tuple[str, ...]
    """The players as in the command: `expert`, `random`, `mcts:1000`."""
    options: dict[str, Any]
    """The options that differ from the game's defaults."""
    seed: int
    opening: int
    """The number of random plies before the players choose."""
    seconds: float | None = None
    """Seconds for each move; None for the time of each player's level."""
    nodes: int | None = None
    """The number of positions for each move; then there is no deadline."""
    turn_limit: int | None = None
    """The number of turns after which a match is drawn; successive moves of a seat are one turn."""
    clock: Clock = "wall"

    @property
    def rules(self) -> AnyGame:
        """The game."""
        return GAMES[self.game]

    @cached_property
    def chosen(self) -> Any:
        """All options of the game."""
        return msgspec.convert(self.options, self.rules.options)

    @cached_property
    def seatings(self) -> tuple[tuple[str, ...], ...]:
        """All different seatings of the players; if there are more players than seats, all selections of them.

        Raises `BadArena` for fewer players.
        """
        seats = len(self.rules.seats(self.chosen))
        tables = dict.fromkeys(
            order for group in combinations(self.players, seats) for order in sorted(set(permutations(group)))
        )
        if not tables:
            raise BadArena(f"{self.rules.texts.title} needs {seats} players, but --players names {len(self.players)}.")
        return tuple(tables)


class Fixture(msgspec.Struct, frozen=True):
    """One match of a plan."""

    number: int
    seated: tuple[str, ...]
    """The players by seat."""
    opening: int
    """The number of the opening, which all seatings play."""

    def chance(self, plan: Plan, use: str) -> Chance:
        """Return the draws for one purpose: the match, its opening, or a seat's player."""
        place = self.opening if use in {"match", "opening"} else self.number
        text = f"arena {plan.game} {plan.seed} {place} {use}"
        return Chance(hashlib.sha256(text.encode()).digest(), (), DrawNumber(0))

    def chance_of(self, plan: Plan, seat: Seat) -> Chance:
        """Return the draws of the player on a seat."""
        return self.chance(plan, f"seat {seat}")


def fixture(plan: Plan, number: int) -> Fixture:
    """Return match `number`, from 0: first all seatings of the first opening."""
    opening, seating = divmod(number, len(plan.seatings))
    return Fixture(number, plan.seatings[seating], opening)
