"""A bot for Turncoat: it weighs each own selection against each of the opponent's and mixes, so it can't be foreseen.

It looks one round ahead, in which selections meet on both boards, and judges the boards by how near they are to the
end. Half of the time it counts on best play against it, the other half on any selection at all or on one that turns
many discs: counting on best play alone, two bots deny each other the end for ever.
"""

from collections.abc import Iterator
from math import exp

from msgspec import Struct

from service.domain.chance import Chance, Draw
from service.domain.game import Budget, Level, Seat
from service.domain.games.turncoat.board import SQUARES, Squares
from service.domain.games.turncoat.engine.forecast import finishing_turns, places, turn_disc
from service.domain.games.turncoat.model import Position, Select, TurncoatMove
from service.domain.games.turncoat.rules import COMMIT, selectable
from service.domain.search.meter import Meter, Spent
from service.domain.search.regret import Mix, equilibrium


class Skill(Struct, frozen=True):
    """What a level sees."""

    choices: int
    """Out of how many selections, drawn by chance for either side, it chooses."""
    weighs: bool = True
    """Whether it thinks of the opponent, and not only of its own board."""


SKILLS: dict[Level, Skill] = {"easy": Skill(3, weighs=False), "medium": Skill(12), "hard": Skill(64)}

HABIT = 0.5
"""How often an opponent is thought to play without much thought."""
ANYTHING = 0.7
"""How often that is any selection at all, and not one that turns many discs of its own."""
ROUNDS = 40
"""Rounds of regret matching; more change little."""
RARELY = 0.05
"""A selection whose share is less than this part of the most frequent one's is not played."""

WON, NEARLY_WON = 1.0, 0.95
HOPES = [0.9 * exp(-white / 5) for white in range(65)]
"""What a board is worth by the number of its white discs; of the last few each counts, of many hardly any."""


class Round(Struct, frozen=True):
    """Both boards at the beginning of a round, as one side sees them."""

    discs: Squares
    own: Squares
    """What shows white on the own board."""
    other: Squares
    last: bool
    """Whether the match ends with this round."""
    fewest_wins: bool
    """Whether it then goes to the board with fewer white discs."""


def choose(position: Position, seat: Seat, chance: Chance, budget: Budget) -> TurncoatMove:
    """Return the move of a bot of this level: a selection, and once one stands the commit."""
    if position.sides[seat].selected:
        return COMMIT
    opponent = Seat(1 - seat)
    draw, skill, now = chance.draw(), SKILLS[budget.level], round_of(position, seat)
    own = draw_some(selectable(position, seat), skill.choices, draw)
    others = draw_some(selectable(position, opponent), skill.choices, draw)
    own.sort(key=lambda at: turn_disc(now.discs, now.own, at).bit_count())
    winning = finishing_turns(now.discs, now.own) if skill.weighs else own[:1]
    at = draw.sample(winning, 1)[0] if winning else choose_by_weight(now, own, others, Meter(budget), draw)
    return Select(at=SQUARES[at])


def round_of(position: Position, seat: Seat) -> Round:
    """Return the round that a position begins, as a seat sees it."""
    options, own, other = position.options, position.sides[seat], position.sides[1 - seat]
    last = position.round == options.round_limit
    return Round(position.discs, own.white, other.white, last, options.at_limit == "fewest_white")


def draw_some(squares: Squares, most: int, draw: Draw) -> list[int]:
    """Return so many of the squares at most, by chance and in an order of chance."""
    found = places(squares)
    return draw.sample(found, min(most, len(found)))


def choose_by_weight(now: Round, own: list[int], others: list[int], meter: Meter, draw: Draw) -> int:
    """Return a selection of the mix that answers the opponent's, or the first where there is no time for more."""
    payoffs: list[list[float]] = []
    try:
        payoffs.extend(rows(now, own, others, meter))
    except Spent:
        own = own[: len(payoffs)] or own[:1]
    if len(own) == 1:
        return own[0]
    mix, _ = equilibrium(payoffs, ROUNDS, habit(now, others), HABIT)
    certain = [float(min(row) == WON) for row in payoffs]
    return own[pick(certain if any(certain) else mix, draw)]


def rows(now: Round, own: list[int], others: list[int], meter: Meter) -> Iterator[list[float]]:
    """Yield, for each own selection, what it is worth against each of the opponent's. Raises `Spent`."""
    theirs = [turn_disc(now.discs, now.other, at) for at in others]
    for at in own:
        mine = turn_disc(now.discs, now.own, at)
        row = []
        for against, their in zip(others, theirs, strict=True):
            meter.tick()
            row.append(worth(now, mine, their, at, against))
        yield row


def worth(now: Round, mine: Squares, their: Squares, at: int, against: int) -> float:
    """Return what a round comes to that left these boards after its first half; 1 is won, -1 lost."""
    if mine and their:
        mine, their = turn_disc(now.discs, mine, against), turn_disc(now.discs, their, at)
    if not mine or not their:
        return float((not mine) - (not their))
    if now.last:
        fewer = (mine.bit_count() < their.bit_count()) - (mine.bit_count() > their.bit_count())
        return float(fewer if now.fewest_wins else 0)
    return lead(now, mine, their)


def lead(now: Round, mine: Squares, their: Squares) -> float:
    """Return how much nearer to its end one board is than the other; 1 is won, -1 lost, 0 even."""
    near, far = bool(finishing_turns(now.discs, mine)), bool(finishing_turns(now.discs, their))
    if near or far:
        return NEARLY_WON * (near - far)
    return HOPES[mine.bit_count()] - HOPES[their.bit_count()]


def accepts_draw(position: Position, seat: Seat, _budget: Budget) -> bool:
    """Return whether a bot agrees to a draw: where its own board is no nearer to the end than the opponent's."""
    now = round_of(position, seat)
    return lead(now, now.own, now.other) <= 0


def habit(now: Round, others: list[int]) -> Mix:
    """Return how an opponent selects who doesn't think much: anything, or what leaves few white discs."""
    left = [turn_disc(now.discs, now.other, at).bit_count() for at in others]
    greed = [exp(min(left) - white) for white in left]
    return [ANYTHING / len(left) + (1 - ANYTHING) * much / sum(greed) for much in greed]


def pick(shares: Mix, draw: Draw) -> int:
    """Return one of the choices, by chance in proportion to the shares of those that aren't rare."""
    most = max(shares)
    weights = [round(share / most * 2**16) if share >= most * RARELY else 0 for share in shares]
    at = draw.below(sum(weights))
    for choice, weight in enumerate(weights):
        at -= weight
        if at < 0:
            return choice
    raise AssertionError("The weights add up to more than was drawn.")
