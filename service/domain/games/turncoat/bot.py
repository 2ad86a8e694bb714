"""Turncoat's bot: it evaluates its selections against the opponent's, and plays a mixed strategy.

It searches one round deep and evaluates each board by how close it is to all black. It assumes in half of the cases
that the opponent plays optimally, and in the other half that the opponent selects at random or turns many discs. If two
bots both assumed optimal play only, they would prevent each other from finishing for ever.
"""

from collections.abc import Iterator, Mapping
from math import exp

from msgspec import Struct

from service.domain.chance import Chance, Draw
from service.domain.game import Budget, Evaluation, Level, Seat
from service.domain.games.turncoat.board import BIT, SQUARES, WALKS, Squares, union
from service.domain.games.turncoat.model import SEATS, Position, Select, TurncoatMove
from service.domain.games.turncoat.rules import COMMIT, selectable
from service.domain.search.meter import BudgetSpent, Meter
from service.domain.search.regret import Mix, average, equilibrium

AT = range(64)
"""The squares by their index in `SQUARES`, as in this module and in the bot."""

MOST_TURNED = 20
"""The most discs that one turn can turn: in the middle of the board, the selected one and 19 trapped ones."""


def rays(at: int, *, up: bool) -> tuple[Squares, ...]:
    """Return the walks from a square along which the bits rise (or fall), as sets; only those that can trap discs."""
    walks = [walk for walk in WALKS[SQUARES[at]] if len(walk) > 1]
    return tuple(union(walk) for walk in walks if (BIT[walk[0]] > BIT[SQUARES[at]]) == up)


RISING = tuple(rays(at, up=True) for at in AT)
FALLING = tuple(rays(at, up=False) for at in AT)
REACH = tuple(union((SQUARES[at], *(square for walk in WALKS[SQUARES[at]] for square in walk))) for at in AT)
"""By square, the square itself and all squares in its row, column and diagonals."""


def turn_disc(discs: Squares, white: Squares, at: int) -> Squares:
    """Return the white squares of a board after the disc on a square and the discs that it traps were turned."""
    bit = 1 << at
    if white & bit:
        return white & ~(bit | find_trapped(at, discs & ~white, white))
    return white | bit | find_trapped(at, white, discs & ~white)


def find_trapped(at: int, new: Squares, other: Squares) -> Squares:
    """Return what a disc that was just turned traps; `new` has the squares of its new colour, `other` the others."""
    found, ends = 0, ~other
    for ray in RISING[at]:
        end = ray & ends
        end &= -end
        if end & new:
            found |= ray & (end - 1)
    for ray in FALLING[at]:
        end = ray & ends
        if end and (end := 1 << (end.bit_length() - 1)) & new:
            found |= ray & -end & ~end
    return found


def finishing_turns(discs: Squares, white: Squares) -> list[int]:
    """Return the squares of the discs whose turn makes the board all black."""
    if white.bit_count() > MOST_TURNED:
        return []
    within, rest = white, white
    while rest and within:
        lowest = rest & -rest
        within &= REACH[lowest.bit_length() - 1]
        rest ^= lowest
    return [at for at in places(within) if not turn_disc(discs, white, at)]


def places(squares: Squares) -> list[int]:
    """Return the indices of a set's squares, a1 first."""
    found = []
    while squares:
        lowest = squares & -squares
        found.append(lowest.bit_length() - 1)
        squares ^= lowest
    return found


class Skill(Struct, frozen=True):
    """The strength of a level."""

    choices: int
    """How many random selections it considers for each side."""
    weighs: bool = True
    """Whether it considers the opponent's selections, not only its own board."""
    blur: int = 0
    """The range of the random error of each own board's value, in discs."""
    habit: float = 1.0
    """The probability with which the opponent is assumed to follow a habit and not to play optimally."""


SKILLS: Mapping[Level, Skill] = {
    "easy": Skill(64, weighs=False, blur=7),
    "casual": Skill(64, weighs=False, blur=2),
    "medium": Skill(14),
    "skilled": Skill(32),
    "hard": Skill(56, habit=0.9),
    "expert": Skill(64, habit=0.5),
}
RANDOM_SHARE = 0.7
"""The share of random selections in that habit; the others turn many discs of the opponent's board."""
ROUNDS = 40
"""The number of rounds of regret matching; more rounds change the result little."""
RARE = 0.05
"""A selection is not played if its probability is less than this fraction of the most probable one's."""

WON, NEARLY_WON = 1.0, 0.95
BOARD_VALUES = [0.9 * exp(-white / 5) for white in range(65)]
"""The value of a board by its number of white discs; differences matter most when few are left."""


class Round(Struct, frozen=True):
    """Both boards at the beginning of a round, from the point of view of one side."""

    discs: Squares
    own: Squares
    """The white squares of the side's own board."""
    other: Squares
    last: bool
    """Whether the match ends with this round."""
    fewest_wins: bool
    """Whether the board with fewer white discs wins in that case."""


def choose(position: Position, seat: Seat, chance: Chance, budget: Budget) -> TurncoatMove:
    """Return the bot's move: a selection, or a commit after it has selected."""
    if position.sides[seat].selected:
        return COMMIT
    opponent = Seat(1 - seat)
    draw, skill, now = chance.draw(), SKILLS[budget.level], round_of(position, seat)
    own = draw_some(selectable(position, seat), skill.choices, draw)
    others = draw_some(selectable(position, opponent), skill.choices, draw)
    own.sort(key=lambda at: turn_disc(now.discs, now.own, at).bit_count() + (skill.blur and draw.below(skill.blur)))
    winning = finishing_turns(now.discs, now.own) if skill.weighs else own[:1]
    share = max(skill.habit, position.round / (position.options.round_limit or 60))
    at = draw.sample(winning, 1)[0] if winning else choose_by_weight(now, own, others, share, Meter(budget), draw)
    return Select(at=SQUARES[at])


def round_of(position: Position, seat: Seat) -> Round:
    """Return the round that begins at a position, from the point of view of a seat."""
    options, own, other = position.options, position.sides[seat], position.sides[1 - seat]
    last = position.round == options.round_limit
    return Round(position.discs, own.white, other.white, last, options.at_limit == "fewest_white")


def draw_some(squares: Squares, most: int, draw: Draw) -> list[int]:
    """Return at most `most` of the squares, drawn at random and in random order."""
    found = places(squares)
    return draw.sample(found, min(most, len(found)))


def choose_by_weight(now: Round, own: list[int], others: list[int], share: float, meter: Meter, draw: Draw) -> int:
    """Return a selection drawn from the mixed strategy; the first selection if the budget is already spent."""
    payoffs: list[list[float]] = []
    try:
        payoffs.extend(rows(now, own, others, meter))
    except BudgetSpent:
        own = own[: len(payoffs)] or own[:1]
    if len(own) == 1:
        return own[0]
    mix, _ = equilibrium(payoffs, ROUNDS, habit(now, others), share)
    certain = [float(min(row) == WON) for row in payoffs]
    return own[pick(certain if any(certain) else mix, draw)]


def rows(now: Round, own: list[int], others: list[int], meter: Meter) -> Iterator[list[float]]:
    """Yield for each own selection its values against the opponent's selections. Raises `BudgetSpent`."""
    theirs = [turn_disc(now.discs, now.other, at) for at in others]
    for at in own:
        mine = turn_disc(now.discs, now.own, at)
        row = []
        for against, their in zip(others, theirs, strict=True):
            meter.tick()
            row.append(round_value(now, mine, their, at, against))
        yield row


def round_value(now: Round, mine: Squares, their: Squares, at: int, against: int) -> float:
    """Return the value of a round whose first half led to these boards; 1 is a win, -1 a loss."""
    if mine and their:
        mine, their = turn_disc(now.discs, mine, against), turn_disc(now.discs, their, at)
    if not mine or not their:
        return float((not mine) - (not their))
    if now.last:
        fewer = (mine.bit_count() < their.bit_count()) - (mine.bit_count() > their.bit_count())
        return float(fewer if now.fewest_wins else 0)
    return lead(now, mine, their)


def lead(now: Round, mine: Squares, their: Squares) -> float:
    """Return the value of two boards by how close each is to all black; 1 is a win, -1 a loss, 0 is equal."""
    near, far = bool(finishing_turns(now.discs, mine)), bool(finishing_turns(now.discs, their))
    if near or far:
        return NEARLY_WON * (near - far)
    return BOARD_VALUES[mine.bit_count()] - BOARD_VALUES[their.bit_count()]


BEHIND = 0.1
"""By how much a board that is clearly behind is less close to all black; most matches turn again from less."""


def accepts_draw(position: Position, seat: Seat, _budget: Budget) -> bool:
    """Return whether the bot agrees to a draw: after a fifth of the rounds, if its board is clearly behind.

    In the last sixth of the rounds, where matches are seldom decided, it is enough that its board is not ahead.
    """
    now, rounds = round_of(position, seat), position.options.round_limit or 60
    return position.round > rounds // 5 and lead(now, now.own, now.other) <= (
        0 if position.round > rounds * 5 // 6 else -BEHIND
    )


def evaluate_position(position: Position, played: Mapping[Seat, TurncoatMove], budget: Budget) -> Evaluation:
    """Return the chances if both sides play well from here on, and what each selection cost against such play."""
    now, choices = round_of(position, Seat(0)), [places(selectable(position, seat)) for seat in SEATS]
    payoffs = list(rows(now, choices[0], choices[1], Meter(Budget(budget.level))))
    mixes = equilibrium(payoffs, ROUNDS)
    gains = (
        [average(row, mixes[1]) for row in payoffs],
        [-average(column, mixes[0]) for column in zip(*payoffs, strict=True)],
    )
    chance = (1 + average(gains[0], mixes[0])) / 2
    best = {seat: Select(at=SQUARES[max(zip(gains[seat], choices[seat], strict=True))[1]]) for seat in SEATS}
    lost = {
        seat: (max(gains[seat]) - gains[seat][choices[seat].index(SQUARES.index(move.at.lower()))]) / 2
        for seat, move in played.items()
        if isinstance(move, Select)
    }
    return Evaluation((chance, 1 - chance), best, lost)


def habit(now: Round, others: list[int]) -> Mix:
    """Return the strategy of the opponent's habit: random selections, or those that leave few white discs."""
    left = [turn_disc(now.discs, now.other, at).bit_count() for at in others]
    greed = [exp(min(left) - white) for white in left]
    return [RANDOM_SHARE / len(left) + (1 - RANDOM_SHARE) * much / sum(greed) for much in greed]


def pick(shares: Mix, draw: Draw) -> int:
    """Return a random choice, in proportion to the probabilities of those that are not rare."""
    most = max(shares)
    weights = [round(share / most * 2**16) if share >= most * RARE else 0 for share in shares]
    at = draw.below(sum(weights))
    for choice, weight in enumerate(weights):
        at -= weight
        if at < 0:
            return choice
    raise AssertionError("The sum of the weights is greater than the number drawn.")
