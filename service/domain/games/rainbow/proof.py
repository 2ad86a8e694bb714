"""A search for forced wins in Tic-Tac-Rainbow: proof-number search (Allis, 1994), which follows threats far ahead.

A seat has lost if every act gives the next seat a line (`misere`: makes a line); no seat does so while it has another
act. In all other respects two opponents are assumed to cooperate against the searching seat.
"""

from collections.abc import Container

from service.domain.games.rainbow.model import Rest
from service.domain.games.rainbow.table import Act, Table
from service.domain.search.meter import BudgetSpent, Meter

IMPOSSIBLE = 1 << 40
"""The number of a node that can no longer be proved, or disproved."""

STALE = 10
"""The factor by which an act that leads back to an earlier position of the match seems farther from a proof."""

QUIET_REPLIES, FORCED_REPLIES = 30, 3
"""Typical numbers of safe replies, without and with a threat; better estimates only make the search shorter."""


class Node:
    """A position after an act, with its proof number and its disproof number."""

    __slots__ = ("act", "children", "disproof", "proof")

    def __init__(self, act: Act, proof: int, disproof: int) -> None:
        """Start as a leaf."""
        self.act = act
        self.proof = proof
        self.disproof = disproof
        self.children: list[Node] = []

    @property
    def solved(self) -> bool:
        """Whether it is proved who wins."""
        return self.proof == 0 or self.disproof == 0

    def mark_solved(self, *, won: bool) -> None:
        """Mark the node as a proved win or loss of the searching seat."""
        self.proof, self.disproof = (0, IMPOSSIBLE) if won else (IMPOSSIBLE, 0)

    def update(self, *, own_turn: bool) -> None:
        """Update the numbers from the children; on the searching seat's turn one winning act is sufficient."""
        proofs = [child.proof for child in self.children]
        disproofs = [child.disproof for child in self.children]
        self.proof = min(proofs) if own_turn else min(sum(proofs), IMPOSSIBLE)
        self.disproof = min(sum(disproofs), IMPOSSIBLE) if own_turn else min(disproofs)

    def most_proving_child(self, *, own_turn: bool) -> "Node":
        """Return the most-proving child."""
        return min(self.children, key=lambda child: child.proof if own_turn else child.disproof)


class Search:
    """A search for the seat to move, which must not have an act that wins immediately."""

    def __init__(self, table: Table, acts: list[Act], stale: Container[Act], meter: Meter) -> None:
        """Acts in `stale` lead back to an earlier position of the match."""
        self._table = table
        self._me = table.turn
        self._stale = stale
        self._meter = meter
        self._stack: list[tuple[int, Act, Rest]] = []
        self.root = Node(Act(0, 0, 0, 0), 1, 1)
        self.root.children = [self._node_after(act) for act in acts]

    def _node_after(self, act: Act) -> Node:
        """Return the node of an act."""
        self._descend(act)
        node = self._new_node(act)
        self._ascend()
        return node

    def run(self) -> None:
        """Expand positions until the root is solved or the budget is spent.

        Every second one is below the act that is currently best, to check that it is not refuted at the next turn.
        """
        try:
            while not self.root.solved and any(not child.solved for child in self.root.children):
                self._expand_below([self.root])
                if not (favourite := self.best()).solved:
                    self._expand_below([self.root, favourite])
        except BudgetSpent:
            return

    def best(self) -> Node:
        """Return the child that is closest to a proof and farthest from a disproof."""
        return min(self.root.children, key=self._distance)

    def _distance(self, child: Node) -> float:
        """Return the estimated distance of a child from a proof; 0 is a proof."""
        return child.proof / max(child.disproof, 0.5) * (STALE if child.act in self._stale else 1)

    def _expand_below(self, path: list[Node]) -> None:
        """Expand the most-proving position below the end of the path, and update all nodes above it."""
        for node in path[1:]:
            self._descend(node.act)
        while path[-1].children:
            path.append(path[-1].most_proving_child(own_turn=self._table.turn == self._me))
            self._descend(path[-1].act)
        self._expand(path.pop())
        while path:
            self._ascend()
            path.pop().update(own_turn=self._table.turn == self._me)

    def _descend(self, act: Act) -> None:
        self._stack.append((self._table.turn, act, self._table.act(act)))

    def _ascend(self) -> None:
        self._table.undo(*self._stack.pop())

    def _expand(self, node: Node) -> None:
        """Add the children of a position; a position without a safe act is solved."""
        mover = self._table.turn
        node.children = self._safe_acts(mover, self._table.after(mover))
        if node.children:
            node.update(own_turn=mover == self._me)
        else:
            node.mark_solved(
                won=mover != self._me and (self._table.options.misere or self._table.after(mover) == self._me)
            )

    def _safe_acts(self, mover: int, next_seat: int) -> list[Node]:
        """Return the acts of a seat that cannot make a line itself, after which `next_seat` cannot make one either."""
        table, found = self._table, list[Node]()
        for act in table.acts(table.usable(mover)):
            self._meter.tick()
            if table.options.misere and table.makes_line(act):
                continue
            self._descend(act)
            if table.options.misere or not table.can_line(next_seat, table.usable(next_seat)):
                found.append(self._new_node(act))
            self._ascend()
        return found

    def _new_node(self, act: Act) -> Node:
        """Return the node of an act that was just made, with estimated numbers."""
        mover, _, _ = self._stack[-1]
        threatens = not self._table.options.misere and self._table.can_line(mover, self._table.usable(mover))
        replies = FORCED_REPLIES if threatens else QUIET_REPLIES
        return Node(act, replies, 1) if mover == self._me else Node(act, 1, replies)
