"""The meter of a search: counts positions, and ends the search when its budget is spent."""

from service.domain.game import Budget

NODES_PER_CLOCK_CHECK = 256
"""How many positions are counted between two checks of the clock."""


class BudgetSpent(Exception):  # noqa: N818 - not an error: the search is over
    """The budget of a search is spent; the best result so far is the answer."""


class Meter:
    """Counts the positions of one search."""

    def __init__(self, budget: Budget, most: int | None = None) -> None:
        """Begin at 0; the search ends after `most` positions, or before if the budget allows fewer."""
        self._allowed = self._left = 0
        self._most = min((nodes for nodes in (most, budget.nodes) if nodes is not None), default=None)
        self._late = budget.late

    @property
    def nodes(self) -> int:
        """How many positions were counted."""
        return self._allowed - self._left

    def tick(self) -> None:
        """Count one position. Raises `BudgetSpent`."""
        if not self._left:
            self._left = self.allow()
        self._left -= 1

    def allow(self) -> int:
        """Return how many positions may be counted until the next call. Raises `BudgetSpent`."""
        allowed = NODES_PER_CLOCK_CHECK
        if self._most is not None:
            allowed = min(allowed, self._most - self._allowed)
        if allowed <= 0 or (self._allowed and self._late()):
            raise BudgetSpent
        self._allowed += allowed
        return allowed
