"""The bot of Nine Men's Morris: an alpha-beta search over whole turns."""

from collections.abc import Mapping

import msgspec

from service.domain.chance import Chance
from service.domain.game import Budget, Level, Seat
from service.domain.games.morris.engine.turns import ALL, NAMED, OTHER, TO_PLACE, Packed, Turns, points_of, translate
from service.domain.games.morris.engine.worth import worth
from service.domain.games.morris.model import OPPONENT, MorrisMove, Place, Position, Remove, Shift
from service.domain.games.morris.rules import removable
from service.domain.search.alphabeta import Search
from service.domain.search.meter import Meter


class Skill(msgspec.Struct, frozen=True):
    """How a level plays."""

    deepest: int
    """How many turns it looks ahead at most, its own first one included."""
    blur: int = 0
    """How far apart its estimates of equal turns can be, in hundredths of a man."""


SKILLS: Mapping[Level, Skill] = {"easy": Skill(1, blur=300), "medium": Skill(4), "hard": Skill(60)}


class Board(Turns):
    """The game as the search sees it."""

    def worth(self, position: Packed) -> int:
        """Estimate a position for the side to move."""
        return worth(position)


def choose(state: Position, seat: Seat, chance: Chance, budget: Budget) -> MorrisMove:
    """Return the move that a bot plays; a removal is thought of anew when it is due."""
    board, skill, draw = Board(state.options), SKILLS[budget.level], chance.draw()
    turns = turns_at(board, state, seat)
    turns = draw.sample(turns, len(turns))
    search = Search(board, Meter(budget), seen_before(state))
    if not skill.blur:
        return move_to(search.best(turns, skill.deepest), state, seat)
    blurred = [value + draw.below(skill.blur) for value in search.values(turns, skill.deepest)]
    return move_to(turns[blurred.index(max(blurred))] if blurred else turns[0], state, seat)


EVEN = 60
"""A lead up to this, in hundredths of a man, counts as none: less than a man, and more than the first turn gives."""


def accepts_draw(state: Position, seat: Seat, budget: Budget) -> bool:
    """Return whether a bot agrees to a draw: where it finds no lead of its own; without time to look it declines."""
    board = Board(state.options)
    search = Search(board, Meter(budget), seen_before(state))
    value = search.value(turns_at(board, state, state.mover), SKILLS[budget.level].deepest)
    if value is None:
        return False
    return (value if state.mover == seat else -value) <= EVEN


def position_of(state: Position, seat: Seat) -> Packed:
    """Return the position as a seat tells it."""
    mine, other = translate(state.men[seat]), translate(state.men[OPPONENT[seat]])
    return mine | other << OTHER | sum(state.hand) << TO_PLACE


def turns_at(board: Turns, state: Position, seat: Seat) -> list[Packed]:
    """Return where the rest of the seat's turn can lead."""
    position = position_of(state, seat)
    if not state.removals_owed:
        return board.all(position)
    targets = translate(removable(state, OPPONENT[seat]))
    return board.removals(position & ALL, position >> OTHER & ALL, sum(state.hand), targets, state.removals_owed)


def seen_before(state: Position) -> list[Packed]:
    """Return the positions that would be repetitions, each as its side to move sees it."""
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
        return Remove(NAMED[points_of(gone)[0]])
    changed = mine ^ after >> OTHER & ALL
    if changed & mine:
        return Shift(NAMED[changed & mine], NAMED[changed & ~mine])
    return Place(NAMED[changed])
