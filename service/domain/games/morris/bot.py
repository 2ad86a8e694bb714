"""The bot of Nine Men's Morris: an alpha-beta search over complete turns."""

from collections.abc import Mapping, Sequence
from math import exp

import msgspec

from service.domain.chance import Chance
from service.domain.game import Budget, Evaluation, Level, Seat
from service.domain.games.morris.endings import are_solved, turns_left
from service.domain.games.morris.evaluation import evaluate, pack_tables
from service.domain.games.morris.model import OPPONENT, MorrisMove, Place, Position, Remove, Shift
from service.domain.games.morris.rules import removable
from service.domain.games.morris.turns import ALL, NAME_OF, OTHER, TO_PLACE, Packed, Turns, points_of, translate
from service.domain.search.alphabeta import SURE_WIN, WIN, Deepening, Search
from service.domain.search.meter import Meter

try:
    from service.domain.games.morris.compiled import Search as CompiledSearch
except ImportError:  # there was no compiler for it
    CompiledSearch = None  # type: ignore[assignment, misc]  # a type that may be missing


class Skill(msgspec.Struct, frozen=True):
    """The strength of a level."""

    deepest: int
    """The maximum search depth in turns, including the bot's own turn."""
    blur: int = 0
    """The range of the random error of each turn's value."""
    solved: bool = False
    """Whether it plays solved endings by their tables."""


SKILLS: Mapping[Level, Skill] = {
    "easy": Skill(1, blur=500),
    "casual": Skill(2, blur=400),
    "medium": Skill(2, blur=180),
    "skilled": Skill(3, blur=50),
    "hard": Skill(5),
    "expert": Skill(60, solved=True),
}


class Board(Turns):
    """The game as the search sees it."""

    def evaluate(self, position: Packed) -> int:
        """Return the estimate of a position for the side to move."""
        return evaluate(position)


REPETITION = -25
"""The value of a repetition for a bot that chooses: it plays on if its chance is above 45 %."""


def new_search(board: Board, budget: Budget, seen: list[Packed], repetition: int = 0) -> Deepening:
    """Return a search, the compiled one if there is one, in which returning to a position in `seen` has a value."""
    meter = Meter(budget)
    if CompiledSearch is None:
        return Deepening(Search(board, meter, seen, repetition))
    rules = board.options
    search = CompiledSearch(
        meter.allow,
        pack_tables(),
        seen,
        repetition,
        one_flies=rules.flying != "off",
        both_fly=rules.flying == "both",
        double_mill=rules.double_mill == "two",
        removes_all=rules.all_in_mills not in {"none", "three"},
        removes_of_three=rules.all_in_mills == "three",
    )
    return Deepening(search)


def choose(state: Position, seat: Seat, chance: Chance, budget: Budget) -> MorrisMove:
    """Return the bot's move; a removal is searched again when it is due."""
    board, skill, draw = Board(state.options), SKILLS[budget.level], chance.draw()
    turns = turns_at(board, state, seat)
    turns = draw.sample(turns, len(turns))
    if skill.solved and are_solved(turns, state.options):
        return move_to(best_solved(board, turns, seen_before(state)), state, seat)
    search = new_search(board, budget, seen_before(state), REPETITION)
    if not skill.blur:
        return move_to(search.best(turns, skill.deepest), state, seat)
    blurred = [value + draw.below(skill.blur) for value in search.values(turns, skill.deepest)]
    return move_to(turns[blurred.index(max(blurred))] if blurred else turns[0], state, seat)


def best_solved(board: Board, turns: Sequence[Packed], seen: Sequence[Packed]) -> Packed:
    """Return the turn that wins soonest, or else one that draws, or else the one that loses latest.

    Of those that draw it is one after which the fewest replies keep the draw.
    """

    def worth(after: Packed) -> tuple[int, int]:
        value = value_after(after, seen)
        replies = () if value else board.turns(after)
        return value, -sum(1 for reply in replies if not value_after(reply, seen))

    return max(turns, key=worth)


def value_after(after: Packed, seen: Sequence[Packed]) -> int:
    """Return the value of a turn to a solved position, like the search; one that was there twice is a draw."""
    if after < 0:
        return WIN
    turns = turns_left(after)
    if turns is None or seen.count(after) > 1:
        return 0
    return turns - WIN if turns % 2 else WIN - turns


BEHIND, QUIET = 60, 20
"""By how much a bot is behind that agrees to a draw, unless so many turns have been quiet."""


def accepts_draw(state: Position, seat: Seat, budget: Budget) -> bool:
    """Return whether the bot agrees to a draw: all men placed, if it is behind, or has no advantage for long.

    Where the result is known, one that does not win agrees. Without time it declines.
    """
    if any(state.hand):
        return False
    board, seen = Board(state.options), seen_before(state)
    turns = turns_at(board, state, state.mover)
    value, behind = None, 0 if state.quiet >= QUIET else BEHIND
    if are_solved(turns, state.options):
        behind = 0
        value = max(value_after(after, seen) for after in turns)
    else:
        value = new_search(board, budget, seen).value(turns, SKILLS[budget.level].deepest)
    return value is not None and (value if state.mover == seat else -value) <= -behind


ODDS = 120
"""The advantage by which the odds of a win grow by the factor e, in the unit of all values."""


def evaluate_position(state: Position, played: Mapping[Seat, MorrisMove], budget: Budget) -> Evaluation:
    """Return the chances of both sides by their advantage in a search, and what the move that was played cost."""
    seat, board, seen = state.mover, Board(state.options), seen_before(state)
    turns = turns_at(board, state, seat)
    did = [after for after in turns if move_to(after, state, seat) == played.get(seat)] or turns
    if are_solved(turns, state.options):
        best = best_solved(board, turns, seen)
        value, kept = value_after(best, seen), max(value_after(after, seen) for after in did)
    else:
        best, value, kept = new_search(board, budget, seen).compare(turns, did, SKILLS["expert"].deepest)
    chance = winning_chance(value)
    lost = {each: max(0.0, chance - winning_chance(kept)) for each in played}
    return Evaluation(
        (chance, 1 - chance) if seat == 0 else (1 - chance, chance), {seat: move_to(best, state, seat)}, lost
    )


def winning_chance(value: float) -> float:
    """Return the chance to win with a value, a draw counting one half."""
    return float(value > 0) if abs(value) > SURE_WIN else 1 / (1 + exp(-value / ODDS))


def position_of(state: Position, seat: Seat) -> Packed:
    """Return the encoded position from the point of view of a seat."""
    mine, other = translate(state.men[seat]), translate(state.men[OPPONENT[seat]])
    return mine | other << OTHER | sum(state.hand) << TO_PLACE


def turns_at(board: Turns, state: Position, seat: Seat) -> list[Packed]:
    """Return the positions that the seat can reach by the rest of its turn."""
    position = position_of(state, seat)
    if not state.removals_owed:
        return board.turns(position)
    targets = translate(removable(state, OPPONENT[seat]))
    return board.removals(position & ALL, position >> OTHER & ALL, sum(state.hand), targets, state.removals_owed)


def seen_before(state: Position) -> list[Packed]:
    """Return the positions that would be repetitions, each from the point of view of its side to move."""
    found: list[Packed] = []
    for packed in () if any(state.hand) else state.seen:
        men = translate(packed >> 25), translate(packed >> 1 & ALL)
        mover = packed & 1
        found.append(men[mover] | men[1 - mover] << OTHER)
    return found


def move_to(after: Packed, state: Position, seat: Seat) -> MorrisMove:
    """Return the first move of the turn that leads to a position."""
    after = ~after if after < 0 else after
    mine, other = translate(state.men[seat]), translate(state.men[OPPONENT[seat]])
    if state.removals_owed:
        gone = (other ^ after & ALL) & translate(removable(state, OPPONENT[seat]))
        return Remove(NAME_OF[points_of(gone)[0]])
    changed = mine ^ after >> OTHER & ALL
    if changed & mine:
        return Shift(NAME_OF[changed & mine], NAME_OF[changed & ~mine])
    return Place(NAME_OF[changed])
