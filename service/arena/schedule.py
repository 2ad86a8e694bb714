"""What is to be played: a plan, and the matches that it consists of."""

import hashlib
from functools import cached_property
from itertools import combinations, permutations
from typing import Any, Literal

import msgspec

from service.domain.catalog import GAMES, AnyGame
from service.domain.chance import Chance, DrawNumber
from service.domain.game import Seat

Clock = Literal["wall", "processor"]
"""What a second of thinking is: one that passed, or one that the player's processor worked for it."""


class BadArena(Exception):  # noqa: N818 - a refusal is an answer, not an error
    """What was asked for can't be played; the message says what to do."""


class Plan(msgspec.Struct, frozen=True, dict=True):
    """Everything that decides how the matches go; with `nodes` they go the same way on every machine."""

    game: str
    players: tuple[str, ...]
    """As they were asked for: `hard`, `random`, `mcts:1000`."""
    options: dict[str, Any]
    """What differs from the game's defaults."""
    seed: int
    opening: int
    """How many plies are played at random before the players choose."""
    seconds: float | None = None
    """For each move; with None each level has its own."""
    nodes: int | None = None
    """Positions for each move; then there is no deadline."""
    turn_limit: int | None = None
    """After how many turns a match is drawn; a seat that moves again continues its turn."""
    clock: Clock = "wall"

    @property
    def rules(self) -> AnyGame:
        """The game."""
        return GAMES[self.game]

    @cached_property
    def chosen(self) -> Any:
        """The game's options in full."""
        return msgspec.convert(self.options, self.rules.options)

    @cached_property
    def seatings(self) -> tuple[tuple[str, ...], ...]:
        """Every way in which players may sit: all that differ, with as many of the players as there are seats.

        Raises `BadArena` for fewer players.
        """
        seats = len(self.rules.seats(self.chosen))
        tables = dict.fromkeys(
            order for group in combinations(self.players, seats) for order in sorted(set(permutations(group)))
        )
        if not tables:
            raise BadArena(f"{self.rules.title} needs {seats} players; --players names {len(self.players)}.")
        return tuple(tables)


class Fixture(msgspec.Struct, frozen=True):
    """One match of a plan."""

    number: int
    seated: tuple[str, ...]
    """The players by seat."""
    opening: int
    """The same for all seatings that share an opening."""

    def chance(self, plan: Plan, use: str) -> Chance:
        """Return the draws for one use: of the match, of its opening, or of a seat's player."""
        place = self.opening if use in {"match", "opening"} else self.number
        text = f"arena {plan.game} {plan.seed} {place} {use}"
        return Chance(hashlib.sha256(text.encode()).digest(), (), DrawNumber(0))

    def chance_of(self, plan: Plan, seat: Seat) -> Chance:
        """Return the draws of the player on a seat."""
        return self.chance(plan, f"seat {seat}")


def fixture(plan: Plan, number: int) -> Fixture:
    """Return match `number`, counted from 0: all seatings of the first opening come first."""
    opening, seating = divmod(number, len(plan.seatings))
    return Fixture(number, plan.seatings[seating], opening)
