"""The meter of a search: counts positions and ends the search when its budget is spent."""

from service.domain.game import Budget

NODES_A_LOOK = 256
"""How many positions pass between two looks at the clock."""


class Spent(Exception):  # noqa: N818 - not an error: the search is over
    """The budget is spent; what was found so far counts."""


class Meter:
    """Counts the positions of one search."""

    def __init__(self, budget: Budget) -> None:
        """Begin at 0."""
        self.nodes = 0
        self._most = budget.nodes
        self._late = budget.late

    def tick(self) -> None:
        """Count one position. Raises `Spent`."""
        self.nodes += 1
        if self._most is not None and self.nodes > self._most:
            raise Spent
        if self.nodes % NODES_A_LOOK == 0 and self._late():
            raise Spent
