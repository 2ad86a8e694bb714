"""A move at a level in a game of three colours: how deep it looks, and how often it doesn't look at all."""

from collections.abc import Mapping

from msgspec import Struct

from service.domain.boards.captures import Cells, Owned, each
from service.domain.chance import Chance
from service.domain.game import Budget, Level
from service.domain.search.meter import Meter
from service.domain.search.paranoid import TO_THE_END, Search
from service.domain.search.weighing import Scale


class Strength(Struct, frozen=True):
    """What a level may do: how many plies it looks ahead, and how many moves in a hundred are drawn blindly."""

    plies: int
    blind: int


STRENGTHS: Mapping[Level, Strength] = {
    "easy": Strength(plies=1, blind=90),
    "medium": Strength(plies=2, blind=0),
    "hard": Strength(plies=TO_THE_END, blind=0),
}


def chosen(scale: Scale, owned: Owned, seat: int, chance: Chance, budget: Budget) -> Cells:
    """Return the cell that the seat, whose turn it is, takes at this level. One draw decides between equals."""
    node, strength, draw = scale.grid.node(owned, seat), STRENGTHS[budget.level], chance.draw()
    blind = draw.below(100) < strength.blind
    moves = tuple(each(node.reach[seat]))
    moves = tuple(draw.sample(moves, len(moves)))
    if blind or len(moves) == 1:
        return moves[0]
    return Search(scale, seat, Meter(budget)).best(node, moves, strength.plies)


def accepts_draw(scale: Scale, owned: Owned, turn: int, seat: int, budget: Budget) -> bool:
    """Return whether the seat agrees to a draw at this level: where it expects no more than a tie of all who stay.

    It expects the worst: that the other seats stand together against it. Without time to look at all it declines.
    """
    search = Search(scale, seat, Meter(budget))
    value = search.value(scale.grid.node(owned, turn), STRENGTHS[budget.level].plies)
    return value is not None and (value <= 0 or value == search.drawn)
