"""The meter of a search: counts positions, and ends the search when its budget is spent."""

from service.domain.game import Budget

NODES_PER_CLOCK_CHECK = 256
"""How many positions are counted between two checks of the clock."""


class BudgetSpent(Exception):  # noqa: N818 - not an error: the search is over
    """The budget of a search is spent; the best result so far is the answer."""


class Meter:
    """Counts the positions of one search."""

    def __init__(self, budget: Budget) -> None:
        """Begin at 0."""
        self.nodes = 0
        self._most = budget.nodes
        self._late = budget.late

    def tick(self) -> None:
        """Count one position. Raises `BudgetSpent`."""
        self.nodes += 1
        if self._most is not None and self.nodes > self._most:
            raise BudgetSpent
        if self.nodes % NODES_PER_CLOCK_CHECK == 0 and self._late():
            raise BudgetSpent
