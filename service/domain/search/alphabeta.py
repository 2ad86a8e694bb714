"""Alpha-beta search for two players with iterative deepening, over positions that are encoded as integers."""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Protocol, TypeAlias

from service.domain.search.meter import BudgetSpent, Meter

Packed: TypeAlias = int
"""A position from the point of view of the side to move; a negative number means that this side has lost."""

WIN = 1_000_000
"""The value of a win, from which one is subtracted for each turn until it."""

SURE_WIN = WIN - 1_000
"""A value above this is a win that the search has found; estimates are always far below."""

LATE, LATER = 3, 7
"""The numbers of the turns, the first one is 0, from which on the search is shortened by one turn, and by two."""

QUIET_GAIN = 150
"""The most that a quiet turn is assumed to add to the estimate of a position."""


class Board(Protocol):
    """The game as the search sees it."""

    def turns(self, position: Packed) -> list[Packed]:
        """Return the position after each turn, promising turns first; without a turn the side to move has lost."""

    def noisy_turns(self, position: Packed) -> list[Packed]:
        """Return the positions after the turns that an estimate would misjudge; a sequence of them must be finite."""

    def evaluate(self, position: Packed) -> int:
        """Estimate a position for the side to move."""

    def is_noisy(self, position: Packed, after: Packed) -> bool:
        """Return whether the turn to `after` is one of those that an estimate would misjudge."""

    def remember_cutoff(self, position: Packed, after: Packed, depth: int) -> None:
        """Record that the turn to `after` caused a beta cutoff in a search of this depth."""


class Searching(Protocol):
    """A search from one position to a depth in turns, which counts after the turn to a given position."""

    def rank(self, ranked: list[Packed], depth: int) -> int:
        """Move each position that proves best so far to the front, and return the best value. Raises `BudgetSpent`."""

    def reply(self, after: Packed, depth: int) -> int:
        """Return the value of reaching a position, for the side that does. Raises `BudgetSpent`."""


class Deepening:
    """Iterative deepening: a search is repeated one turn deeper each time, in the order that it found."""

    def __init__(self, search: Searching) -> None:
        self._search = search

    def best(self, choices: Sequence[Packed], deepest: int) -> Packed:
        """Return the best of the positions that one side can reach by a turn.

        Searches at most `deepest` turns, that turn included. Returns the first position if the budget is already spent.
        """
        ranked = list(choices)
        with suppress(BudgetSpent):
            for depth in range(deepest if len(ranked) > 1 else 0):
                best = self._search.rank(ranked, depth)
                if abs(best) > SURE_WIN:
                    break
        return ranked[0]

    def value(self, choices: Sequence[Packed], deepest: int) -> int | None:
        """Return the value of the best of the positions for the side that chooses; None if the budget is already spent.

        Unless a win was found, this is the mean of the last two completed depths, because an estimate favours the
        side that made the last turn.
        """
        ranked, found = list(choices), list[int]()
        with suppress(BudgetSpent):
            for depth in range(deepest):
                found.append(self._search.rank(ranked, depth))
                if abs(found[-1]) > SURE_WIN:
                    return found[-1]
        return sum(found[-2:]) // len(found[-2:]) if found else None

    def compare(self, choices: Sequence[Packed], some: Sequence[Packed], deepest: int) -> tuple[Packed, int, int]:
        """Return the best position, its value, and the value of the best of `some`, all searched equally deep.

        As in `value`, these are means of two depths. They are 0 if the budget is already spent.
        """
        ranked, fewer, found = list(choices), list(some), list[tuple[int, int]]()
        with suppress(BudgetSpent):
            for depth in range(deepest):
                found.append((self._search.rank(ranked, depth), self._search.rank(fewer, depth)))
                if abs(found[-1][0]) > SURE_WIN:
                    return ranked[0], *found[-1]
        last = found[-2:] or [(0, 0)]
        return ranked[0], sum(best for best, _ in last) // len(last), sum(value for _, value in last) // len(last)

    def values(self, choices: Sequence[Packed], deepest: int) -> list[int]:
        """Return the value of each position for the side that can reach it by a turn, searched `deepest` turns deep.

        That turn is included. If the budget runs out, the values of the last positions are missing.
        """
        found: list[int] = []
        with suppress(BudgetSpent):
            found.extend(self._search.reply(after, deepest - 1) for after in choices)
        return found


class Search:
    """One search from one position, with its transposition table."""

    def __init__(self, board: Board, meter: Meter, seen: Iterable[Packed] = (), repetition: int = 0) -> None:
        """Search on this board; for its side, returning to a position in `seen` has the value `repetition`."""
        self._board = board
        self._meter = meter
        self._path = set(seen)
        self._repetition = repetition
        self._table: dict[Packed, tuple[int, int, int, Packed]] = {}

    def rank(self, ranked: list[Packed], depth: int) -> int:
        """Move each position that proves best so far to the front, and return the best value. Raises `BudgetSpent`."""
        best = -WIN
        for after in tuple(ranked):
            value = (
                self._zero_window(after, depth, best, WIN, 0)
                if best > -WIN
                else self._reply(after, depth, -WIN, WIN, 0)
            )
            if value > best:
                best = value
                ranked.remove(after)
                ranked.insert(0, after)
        return best

    def reply(self, after: Packed, depth: int) -> int:
        """Return the value of reaching a position, for the side that does. Raises `BudgetSpent`."""
        return self._reply(after, depth, -WIN, WIN, 0)

    def _reply(self, after: Packed, depth: int, alpha: int, beta: int, ply: int) -> int:
        """Return the value of reaching a position, within the window."""
        if after < 0:
            return WIN - ply
        if after in self._path:
            return -self._repetition if ply & 1 else self._repetition
        if depth > 0:
            return -self._value(after, depth, -beta, -alpha, ply + 1)
        return -self._quiesce(after, -beta, -alpha, ply + 1)

    def _zero_window(self, after: Packed, depth: int, alpha: int, beta: int, ply: int) -> int:
        """Return the value of reaching a position, after a zero-window search for whether it exceeds `alpha` at all."""
        value = self._reply(after, depth, alpha, alpha + 1, ply)
        return self._reply(after, depth, alpha, beta, ply) if alpha < value < beta else value

    def _value(self, position: Packed, depth: int, alpha: int, beta: int, ply: int) -> int:
        """Return the value of a position for the side to move, within the window."""
        self._meter.tick()
        known = self._table.get(position)
        if known is not None and known[0] >= depth:
            low, high = known[1], known[2]
            if low >= beta or low == high:
                return low
            if high <= alpha:
                return high
        turns = self._board.turns(position)
        if not turns:
            return ply - WIN
        if known is not None and known[3] != turns[0]:
            turns.remove(known[3])
            turns.insert(0, known[3])
        self._path.add(position)
        best, after = self._best_turn(position, turns, depth, alpha, beta, ply)
        self._path.discard(position)
        if best >= beta:
            self._board.remember_cutoff(position, after, depth)
        if abs(best) < SURE_WIN:
            low, high = (best if best > alpha else -WIN), (best if best < beta else WIN)
            self._table[position] = depth, low, high, after
        return best

    def _best_turn(
        self, position: Packed, turns: list[Packed], depth: int, alpha: int, beta: int, ply: int
    ) -> tuple[int, Packed]:
        """Return the value of the best turn and the position after it; a value of at least `beta` ends the search.

        Late turns, which are seldom best, are searched less deep unless that shows them to be good, and at the last
        depth quiet turns that can hardly exceed `alpha` are not tried (late move reductions and futility pruning).
        """
        best, chosen = -WIN, turns[0]
        reachable = self._board.evaluate(position) + QUIET_GAIN if depth == 1 else WIN
        for number, after in enumerate(turns):
            less = min((number >= LATE) + (number >= LATER), depth - 1)
            if number == 0:
                value = self._reply(after, depth - 1, alpha, beta, ply)
            elif reachable <= alpha and best > -SURE_WIN and not self._board.is_noisy(position, after):
                value = reachable
            elif less and not self._board.is_noisy(position, after):
                value = self._reply(after, depth - 1 - less, alpha, alpha + 1, ply)
                if value > alpha:
                    value = self._zero_window(after, depth - 1, alpha, beta, ply)
            else:
                value = self._zero_window(after, depth - 1, alpha, beta, ply)
            if value > best:
                best, chosen = value, after
                alpha = max(alpha, best)
                if alpha >= beta:
                    break
        return best, chosen

    def _quiesce(self, position: Packed, alpha: int, beta: int, ply: int) -> int:
        """Return the estimate of a position after all noisy turns have been tried (quiescence search)."""
        self._meter.tick()
        best = self._board.evaluate(position)
        if best >= beta:
            return best
        alpha = max(alpha, best)
        for after in self._board.noisy_turns(position):
            value = WIN - ply if after < 0 else -self._quiesce(after, -beta, -alpha, ply + 1)
            if value > best:
                best = value
                alpha = max(alpha, best)
                if alpha >= beta:
                    break
        return best
