"""Seeded random play of any game, as a room plays it, with every position and event recorded."""

import random
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import msgspec

from service.domain.catalog import AnyGame
from service.domain.chance import Chance, DrawNumber
from service.domain.game import Dropped, DropReason, Event, Move, Seat, next_draw
from tests.laws.options import describe

CUT = 300
"""The number of plies after which a match is cut off that need not end, because guards may be off."""

LONGEST = 20_000
"""More plies than random play under the default options can have."""

DROPS: tuple[DropReason, ...] = ("resigned", "timed_out", "forfeited")


class Step(NamedTuple):
    """One call of the rules and its effect: of `setup` and `follow` (no seat), of `decide`, or of `drop` (no move)."""

    before: Any
    seat: Seat | None
    move: Move | None
    events: tuple[Event, ...]
    after: tuple[Any, ...]
    """The state after each of the events."""


class PlayedMatch(NamedTuple):
    """A match from its first event to the position at which it stopped."""

    game: AnyGame
    options: Any
    seed: int
    steps: tuple[Step, ...]
    last: Any
    plies: int

    @property
    def name(self) -> str:
        """The match's game, options and seed, with which it can be played again."""
        return f"{self.game.slug} ({describe(self.options)}), seed {self.seed}"

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The seats of the match."""
        return seats_of(self.game, self.options)

    @property
    def events(self) -> Iterator[tuple[Event, Any]]:
        """Every event with the state after it."""
        return (pair for step in self.steps for pair in zip(step.events, step.after, strict=True))

    @property
    def turns(self) -> tuple[Step, ...]:
        """The steps before which the match waited for a seat."""
        return tuple(step for step in self.steps if step.seat is not None)


def seats_of(game: AnyGame, options: Any) -> tuple[Seat, ...]:
    """Return a match's seats."""
    return tuple(map(Seat, range(len(game.seats(options)))))


def play(game: AnyGame, options: Any, seed: int, longest: int = CUT) -> PlayedMatch:
    """Play at random until the match is over or `longest` plies were made. With an odd seed, seats drop out."""
    match = RunningMatch(game, options, seed)
    match.record(None, None, game.setup(options, match.chance))
    match.follow()
    while match.plies < longest and (moves := match.legal_moves()):
        match.plies += 1
        if match.is_drop_due():
            match.drop()
        else:
            seat, move = match.dice.choice(match.of_one_type(moves))
            match.record(seat, move, game.decide(match.state, seat, move))
        match.follow()
    return PlayedMatch(game, options, seed, tuple(match.steps), match.state, match.plies)


class RunningMatch:
    """A match during random play."""

    def __init__(self, game: AnyGame, options: Any, seed: int) -> None:
        """Start a match with this seed."""
        self.game = game
        self.dice = random.Random(f"{game.slug} {seed}")  # noqa: S311 - seeded play, no secret
        self.seats = seats_of(game, options)
        self.state: Any = game.start(options)
        self.steps: list[Step] = []
        self.plies = 0
        self._seed = self.dice.randbytes(32)
        self._next_draw = DrawNumber(0)
        self._dropped: set[Seat] = set()
        self._drop_one_in = self.dice.choice((8, 80)) if seed % 2 else None

    @property
    def chance(self) -> Chance:
        """The draws that come next, as in a room."""
        return Chance(self._seed, [""] * len(self.seats), self._next_draw)

    def record(self, seat: Seat | None, move: Move | None, events: list[Event]) -> None:
        """Fold events and record the step."""
        before, after = self.state, []
        for event in events:
            self.state = self.game.evolve(self.state, event)
            after.append(self.state)
            self._next_draw = next_draw(event, self._next_draw)
            if isinstance(event, Dropped):
                self._dropped.add(event.seat)
        self.steps.append(Step(before, seat, move, tuple(events), tuple(after)))

    def follow(self) -> None:
        """Apply the events that follow by themselves."""
        while self.game.outcome(self.state) is None and (events := self.game.follow(self.state, self.chance)):
            self.record(None, None, events)

    def legal_moves(self) -> list[tuple[Seat, Move]]:
        """Return every move of every seat."""
        return [(seat, move) for seat in self.seats for move in self.game.legal_moves(self.state, seat)]

    def of_one_type(self, moves: list[tuple[Seat, Move]]) -> list[tuple[Seat, Move]]:
        """Return the moves of one random type, so that a rare type is played as often as one with many squares."""
        kind = self.dice.choice(sorted({type(move) for _, move in moves}, key=lambda kind: kind.__name__))
        return [(seat, move) for seat, move in moves if type(move) is kind]

    def is_drop_due(self) -> bool:
        """Return whether a seat drops out now."""
        return self._drop_one_in is not None and self.dice.randrange(self._drop_one_in) == 0

    def drop(self) -> None:
        """Let a seat drop out that is still in the match."""
        seat = self.dice.choice([seat for seat in self.seats if seat not in self._dropped])
        self.record(seat, None, self.game.drop(self.state, seat, self.dice.choice(DROPS)))


Law = Callable[[PlayedMatch], None]


def send_and_decode(game: AnyGame, event: Event) -> Event:
    """Return an event as a client that receives its JSON decodes it."""
    decoded: Event = msgspec.json.decode(msgspec.json.encode(event), type=game.event)
    return decoded
