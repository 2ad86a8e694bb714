"""One match of the arena, from its opening to its record."""

import time
from collections.abc import Callable
from typing import Any

import msgspec

from bench.arena.players import Turn, level_of, player, seconds_of
from bench.arena.schedule import Clock, Fixture, Plan
from service.domain.game import Budget, Event, Move, Outcome, Seat, never, redact

GRACE = 0.1
"""Seconds after its deadline within which a move is in time."""

LONGEST = 20_000
"""The number of plies after which a match is drawn in any case, as the options may allow endless play."""

CLOCKS: dict[Clock, Callable[[], float]] = {"wall": time.monotonic, "processor": time.process_time}


class TimeUsed(msgspec.Struct, frozen=True):
    """The time that one seat used, in seconds of the plan's clock."""

    moves: int = 0
    late: int = 0
    """How many of the moves were made more than `GRACE` after their deadline."""
    total: float = 0.0
    worst: float = 0.0
    """The longest time after a deadline; if all moves were in time, the shortest time before one, negative."""

    def add(self, took: float, allowed: float) -> "TimeUsed":
        """Return the times with one more move."""
        over = took - allowed
        worst = max(self.worst, over) if self.moves else over
        return TimeUsed(self.moves + 1, self.late + (over > GRACE), self.total + took, worst)


class Record(msgspec.Struct, frozen=True):
    """The result of a match; one line of the results."""

    number: int
    seated: tuple[str, ...]
    opening: int
    places: tuple[int, ...]
    reason: str
    plies: int
    turns: int
    thinking: tuple[TimeUsed, ...]


def play(plan: Plan, fixture: Fixture) -> Record:
    """Play a match to its end or to a limit."""
    table = Table(plan, fixture)
    while (outcome := table.outcome()) is None:
        table.ply()
    return Record(
        number=fixture.number,
        seated=fixture.seated,
        opening=fixture.opening,
        places=outcome.places,
        reason=outcome.reason,
        plies=table.plies,
        turns=table.turns,
        thinking=tuple(table.thinking),
    )


class Table:
    """A match in progress."""

    def __init__(self, plan: Plan, fixture: Fixture) -> None:
        """Set up the match."""
        self.plan, self.fixture, self.game = plan, fixture, plan.rules
        self.players = [player(plan.game, asked) for asked in fixture.seated]
        self.state: Any = self.game.start(plan.chosen)
        self.known: list[Any] = [self.state] * len(fixture.seated)
        self.seen: list[list[Event]] = [[] for _ in fixture.seated]
        self.plies = self.turns = 0
        self.thinking = [TimeUsed()] * len(fixture.seated)
        self._chance = fixture.chance(plan, "match")
        self._opening = fixture.chance(plan, "opening")
        self._own = [fixture.chance_of(plan, Seat(seat)) for seat in range(len(fixture.seated))]
        self._apply(self.game.setup(plan.chosen, self._chance))

    def outcome(self) -> Outcome | None:
        """Return how the match ended, or None while it is running."""
        outcome = self.game.outcome(self.state)
        if outcome is None and self.turns == self.plan.turn_limit:
            return Outcome("turn_limit", (1,) * len(self.players))
        if outcome is None and self.plies == LONGEST:
            return Outcome("too_long", (1,) * len(self.players))
        return outcome

    def ply(self) -> None:
        """Make the move of a seat that is to move."""
        awaited = self.game.to_move(self.state)
        seat = awaited[0]
        move = self._random(seat) if self.plies < self.plan.opening else self._choose(seat)
        self._apply(self.game.decide(self.state, seat, move))
        self.plies += 1
        self.turns += self.game.to_move(self.state) != awaited

    def _random(self, seat: Seat) -> Move:
        moves = tuple(self.game.legal_moves(self.state, seat))
        drawn: Move = moves[self._opening.draw().below(len(moves))]
        return drawn

    def _choose(self, seat: Seat) -> Move:
        """Return the move of the seat's player, and record the time that it took."""
        clock, asked = CLOCKS[self.plan.clock], self.fixture.seated[seat]
        allowed = seconds_of(asked) if self.plan.seconds is None else self.plan.seconds
        began = clock()
        late = never if self.plan.nodes else lambda: clock() - began >= allowed
        move = self.players[seat](self._turn(seat, Budget(level_of(asked), self.plan.nodes, late)))
        took = clock() - began
        self.thinking[seat] = self.thinking[seat].add(took, took if self.plan.nodes else allowed)
        return move

    def _turn(self, seat: Seat, budget: Budget) -> Turn:
        return Turn(
            game=self.game,
            options=self.plan.chosen,
            known=self.known[seat],
            events=tuple(self.seen[seat]),
            seat=seat,
            chance=self._own[seat],
            budget=budget,
            detail=self.fixture.seated[seat].partition(":")[2],
        )

    def _apply(self, events: list[Event]) -> None:
        """Apply events, and those that follow, to the full state and to each seat's state."""
        for event in events:
            self.state = self.game.evolve(self.state, event)
            for seat, seen in enumerate(self.seen):
                seen.append(redact(event, Seat(seat)))
                self.known[seat] = self.game.evolve(self.known[seat], seen[-1])
        if self.game.outcome(self.state) is None and (following := self.game.follow(self.state, self._chance)):
            self._apply(following)
