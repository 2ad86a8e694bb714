"""Alpha-beta search for two players over positions that are numbers, deeper and deeper until the budget is spent."""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Protocol, TypeAlias

from service.domain.search.meter import Meter, Spent

Packed: TypeAlias = int
"""A position as the side to move sees it; a negative number is one in which that side has lost."""

WIN = 1_000_000
"""What a win is worth, less one for each turn until it comes."""

SURE = WIN - 1_000
"""What is worth more is a win that was found, not an estimate; estimates stay well below."""


class Board(Protocol):
    """The game as the search sees it."""

    def all(self, position: Packed) -> list[Packed]:
        """Return where each turn leads, promising ones first; without a turn the side to move has lost."""

    def loud(self, position: Packed) -> list[Packed]:
        """Return where those turns lead after which an estimate would be wrong; these must come to an end."""

    def worth(self, position: Packed) -> int:
        """Estimate a position for the side to move."""

    def note(self, position: Packed, after: Packed, depth: int) -> None:
        """Learn that a turn was too good for the other side, in a search of this depth."""


class Search:
    """One search from one position; what it finds is kept until the answer is given."""

    def __init__(self, board: Board, meter: Meter, seen: Iterable[Packed] = ()) -> None:
        """Search on this board; positions in `seen` were there before and count as a draw when they come again."""
        self._board = board
        self._meter = meter
        self._path = set(seen)
        self._table: dict[Packed, tuple[int, int, int, Packed]] = {}

    def best(self, choices: Sequence[Packed], deepest: int) -> Packed:
        """Return the best of the positions that one side can come to, judged at most so many turns deep, with this one.

        It is the first one if there was no time at all.
        """
        ranked = list(choices)
        with suppress(Spent):
            for depth in range(deepest if len(ranked) > 1 else 0):
                best = self._first_of(ranked, depth)
                if abs(best) > SURE:
                    break
        return ranked[0]

    def value(self, choices: Sequence[Packed], deepest: int) -> int | None:
        """Return what the best of the positions is worth to the side that chooses, None if there was no time to look.

        Unless a win was found it is the mean of the last two depths searched in full: an estimate favours whichever
        side had the last turn.
        """
        ranked, found = list(choices), list[int]()
        with suppress(Spent):
            for depth in range(deepest):
                found.append(self._first_of(ranked, depth))
                if abs(found[-1]) > SURE:
                    return found[-1]
        return sum(found[-2:]) // len(found[-2:]) if found else None

    def values(self, choices: Sequence[Packed], deepest: int) -> list[int]:
        """Return what each position is worth to the side that can come to it, so many turns deep with this one.

        The last ones are missing if the budget was spent before.
        """
        found: list[int] = []
        with suppress(Spent):
            found.extend(self._reply(after, deepest - 1, -WIN, WIN, 0) for after in choices)
        return found

    def _first_of(self, ranked: list[Packed], depth: int) -> int:
        """Put the best position first, again and again as better ones are found; returns its value."""
        best = -WIN
        for after in tuple(ranked):
            value = self._better(after, depth, best, WIN, 0) if best > -WIN else self._reply(after, depth, -WIN, WIN, 0)
            if value > best:
                best = value
                ranked.remove(after)
                ranked.insert(0, after)
        return best

    def _reply(self, after: Packed, depth: int, alpha: int, beta: int, ply: int) -> int:
        """Return what coming to a position is worth, between the bounds."""
        if after < 0:
            return WIN - ply
        if after in self._path:
            return 0
        if depth > 0:
            return -self._value(after, depth, -beta, -alpha, ply + 1)
        return -self._calm(after, -beta, -alpha, ply + 1)

    def _better(self, after: Packed, depth: int, alpha: int, beta: int, ply: int) -> int:
        """Return what coming to a position is worth, asking first whether it is better than `alpha` at all."""
        value = self._reply(after, depth, alpha, alpha + 1, ply)
        return self._reply(after, depth, alpha, beta, ply) if alpha < value < beta else value

    def _value(self, position: Packed, depth: int, alpha: int, beta: int, ply: int) -> int:
        """Return what a position is worth to the side to move, between the bounds."""
        self._meter.tick()
        known = self._table.get(position)
        if known is not None and known[0] >= depth:
            low, high = known[1], known[2]
            if low >= beta or low == high:
                return low
            if high <= alpha:
                return high
        turns = self._board.all(position)
        if not turns:
            return ply - WIN
        if known is not None and known[3] != turns[0]:
            turns.remove(known[3])
            turns.insert(0, known[3])
        self._path.add(position)
        best, after = self._best_turn(turns, depth, alpha, beta, ply)
        self._path.discard(position)
        if best >= beta:
            self._board.note(position, after, depth)
        if abs(best) < SURE:
            low, high = (best if best > alpha else -WIN), (best if best < beta else WIN)
            self._table[position] = depth, low, high, after
        return best

    def _best_turn(self, turns: list[Packed], depth: int, alpha: int, beta: int, ply: int) -> tuple[int, Packed]:
        """Return the value of the best turn and where it leads; the first one that is too good ends it."""
        best, chosen = -WIN, turns[0]
        for number, after in enumerate(turns):
            if number == 0:
                value = self._reply(after, depth - 1, alpha, beta, ply)
            else:
                value = self._better(after, depth - 1, alpha, beta, ply)
            if value > best:
                best, chosen = value, after
                alpha = max(alpha, best)
                if alpha >= beta:
                    break
        return best, chosen

    def _calm(self, position: Packed, alpha: int, beta: int, ply: int) -> int:
        """Estimate a position after the loud turns that are still in it."""
        self._meter.tick()
        best = self._board.worth(position)
        if best >= beta:
            return best
        alpha = max(alpha, best)
        for after in self._board.loud(position):
            value = WIN - ply if after < 0 else -self._calm(after, -beta, -alpha, ply + 1)
            if value > best:
                best = value
                alpha = max(alpha, best)
                if alpha >= beta:
                    break
        return best
