"""A search for forced wins at Tic-Tac-Rainbow: proof numbers (Allis, 1994), which follow threats a long way down.

A seat is lost that can't act without handing the next one a line (`misere`: without making one), and no seat does so
while it has a choice. In all other things two opponents play together against the searcher.
"""

from collections.abc import Container

from service.domain.games.rainbow.engine.table import Act, Table
from service.domain.games.rainbow.model import Rest
from service.domain.search.meter import Meter, Spent

NEVER = 1 << 40
"""The number of what can't be proved, or disproved, any more."""

STALE = 10
"""How many times farther from a proof an act seems that leads back to a position of the match."""

QUIET_REPLIES, FORCED_REPLIES = 30, 3
"""About how many safe replies there are, and how many to a threat; better guesses only make the search shorter."""


class Node:
    """A position after an act: how many positions below are still to be won, or lost, to prove it won, or lost."""

    __slots__ = ("act", "children", "disproof", "proof")

    def __init__(self, act: Act, proof: int, disproof: int) -> None:
        """Begin without knowing what comes below."""
        self.act = act
        self.proof = proof
        self.disproof = disproof
        self.children: list[Node] = []

    @property
    def solved(self) -> bool:
        """Whether it is known who wins."""
        return self.proof == 0 or self.disproof == 0

    def settle(self, *, won: bool) -> None:
        """Make it a proven win of the searcher, or a proven loss."""
        self.proof, self.disproof = (0, NEVER) if won else (NEVER, 0)

    def weigh(self, *, own_turn: bool) -> None:
        """Work out the numbers from those below; on the own turn one winning act is enough."""
        proofs = [child.proof for child in self.children]
        disproofs = [child.disproof for child in self.children]
        self.proof = min(proofs) if own_turn else min(sum(proofs), NEVER)
        self.disproof = min(sum(disproofs), NEVER) if own_turn else min(disproofs)

    def next_to_look_at(self, *, own_turn: bool) -> "Node":
        """Return the child that bears most on the numbers here."""
        return min(self.children, key=lambda child: child.proof if own_turn else child.disproof)


class Search:
    """A search for the seat to move, which must have no winning act at once."""

    def __init__(self, table: Table, acts: list[Act], stale: Container[Act], meter: Meter) -> None:
        """Begin with these acts to choose from, of which some lead back to a position of the match."""
        self._table = table
        self._me = table.turn
        self._stale = stale
        self._meter = meter
        self._stack: list[tuple[int, Act, Rest]] = []
        self.root = Node(Act(0, 0, 0, 0), 1, 1)
        self.root.children = [self._node_after(act) for act in acts]

    def _node_after(self, act: Act) -> Node:
        """Return the node of an act."""
        self._go(act)
        node = self._new_node(act)
        self._back()
        return node

    def run(self) -> None:
        """Look at positions until the root is solved or the meter has run out.

        Every second one lies below the act that would be played now, so that this one is not refuted at the next turn.
        """
        try:
            while not self.root.solved and any(not child.solved for child in self.root.children):
                self._look([self.root])
                if not (favourite := self.best()).solved:
                    self._look([self.root, favourite])
        except Spent:
            return

    def best(self) -> Node:
        """Return the child that is nearest to a proof and farthest from its disproof."""
        return min(self.root.children, key=self._distance)

    def _distance(self, child: Node) -> float:
        """Return how far a child seems from a proof; 0 is a proof."""
        return child.proof / max(child.disproof, 0.5) * (STALE if child.act in self._stale else 1)

    def _look(self, path: list[Node]) -> None:
        """Expand the position below the end of the path that bears most on it, and weigh all above it anew."""
        for node in path[1:]:
            self._go(node.act)
        while path[-1].children:
            path.append(path[-1].next_to_look_at(own_turn=self._table.turn == self._me))
            self._go(path[-1].act)
        self._expand(path.pop())
        while path:
            self._back()
            path.pop().weigh(own_turn=self._table.turn == self._me)

    def _go(self, act: Act) -> None:
        self._stack.append((self._table.turn, act, self._table.act(act)))

    def _back(self) -> None:
        self._table.undo(*self._stack.pop())

    def _expand(self, node: Node) -> None:
        """Find what comes below a position; without a safe act it is decided."""
        mover = self._table.turn
        node.children = self._safe_acts(mover, self._table.after(mover))
        if node.children:
            node.weigh(own_turn=mover == self._me)
        else:
            node.settle(won=mover != self._me and (self._table.options.misere or self._table.after(mover) == self._me))

    def _safe_acts(self, mover: int, heir: int) -> list[Node]:
        """Return the acts of the seat to move, which can't make a line itself, after which `heir` can't make one."""
        table, found = self._table, list[Node]()
        for act in table.acts(table.usable(mover)):
            self._meter.tick()
            if table.options.misere and table.makes_line(act):
                continue
            self._go(act)
            if table.options.misere or not table.can_line(heir, table.usable(heir)):
                found.append(self._new_node(act))
            self._back()
        return found

    def _new_node(self, act: Act) -> Node:
        """Return the node of an act that was just made, with guesses for its numbers."""
        mover, _, _ = self._stack[-1]
        threatens = not self._table.options.misere and self._table.can_line(mover, self._table.usable(mover))
        replies = FORCED_REPLIES if threatens else QUIET_REPLIES
        return Node(act, replies, 1) if mover == self._me else Node(act, 1, replies)
