"""Seeded random play of any game, as the house plays it, with every position and event kept."""

import random
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import msgspec

from service.domain.catalog import AnyGame
from service.domain.chance import Chance, DrawNumber
from service.domain.game import Dropped, DropReason, Event, Move, Seat, next_draw
from tests.laws.options import named

CUT = 300
"""After how many plies a match is cut off that need not end, as guards may be switched off."""

LONGEST = 20_000
"""How many plies of random play no match under the default options takes."""

DROPS: tuple[DropReason, ...] = ("resigned", "timed_out", "forfeited")


class Step(NamedTuple):
    """What one call of the rules led to: of `setup` and `follow` (no seat), of `decide`, or of `drop` (no move)."""

    before: Any
    seat: Seat | None
    move: Move | None
    events: tuple[Event, ...]
    after: tuple[Any, ...]
    """The state after each of the events."""


class Played(NamedTuple):
    """A match from its first event on, and where it stopped."""

    game: AnyGame
    options: Any
    seed: int
    steps: tuple[Step, ...]
    last: Any
    plies: int

    @property
    def name(self) -> str:
        """Say which match this is, so that it can be played again."""
        return f"{self.game.slug} ({named(self.options)}), seed {self.seed}"

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The seats of the match."""
        return seats_of(self.game, self.options)

    @property
    def events(self) -> Iterator[tuple[Event, Any]]:
        """Every event with the state after it."""
        return (told for step in self.steps for told in zip(step.events, step.after, strict=True))

    @property
    def turns(self) -> tuple[Step, ...]:
        """The steps at whose beginning the match waited for a seat."""
        return tuple(step for step in self.steps if step.seat is not None)


def seats_of(game: AnyGame, options: Any) -> tuple[Seat, ...]:
    """Return a match's seats."""
    return tuple(map(Seat, range(len(game.seats(options)))))


def play(game: AnyGame, options: Any, seed: int, longest: int = CUT) -> Played:
    """Play at random until the match is over or `longest` plies were made. Seats drop out where the seed is odd."""
    table = Table(game, options, seed)
    table.tell(None, None, game.setup(options, table.chance))
    table.follow()
    while table.plies < longest and (moves := table.legal_moves()):
        table.plies += 1
        if table.drops_now():
            table.drop()
        else:
            seat, move = table.dice.choice(table.of_one_kind(moves))
            table.tell(seat, move, game.decide(table.state, seat, move))
        table.follow()
    return Played(game, options, seed, tuple(table.steps), table.state, table.plies)


class Table:
    """A match that goes on."""

    def __init__(self, game: AnyGame, options: Any, seed: int) -> None:
        """Sit down with these dice."""
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
        """The draws that are still to come, as a room gives them."""
        return Chance(self._seed, [""] * len(self.seats), self._next_draw)

    def tell(self, seat: Seat | None, move: Move | None, events: list[Event]) -> None:
        """Fold what happened."""
        before, after = self.state, []
        for event in events:
            self.state = self.game.evolve(self.state, event)
            after.append(self.state)
            self._next_draw = next_draw(event, self._next_draw)
            if isinstance(event, Dropped):
                self._dropped.add(event.seat)
        self.steps.append(Step(before, seat, move, tuple(events), tuple(after)))

    def follow(self) -> None:
        """Let happen what happens by itself."""
        while self.game.outcome(self.state) is None and (events := self.game.follow(self.state, self.chance)):
            self.tell(None, None, events)

    def legal_moves(self) -> list[tuple[Seat, Move]]:
        """Return every move of every seat."""
        return [(seat, move) for seat in self.seats for move in self.game.legal_moves(self.state, seat)]

    def of_one_kind(self, moves: list[tuple[Seat, Move]]) -> list[tuple[Seat, Move]]:
        """Return the moves of one type, so that a rare type is played as often as one with many squares."""
        kind = self.dice.choice(sorted({type(move) for _, move in moves}, key=lambda kind: kind.__name__))
        return [(seat, move) for seat, move in moves if type(move) is kind]

    def drops_now(self) -> bool:
        """Tell whether a seat leaves at this moment."""
        return self._drop_one_in is not None and self.dice.randrange(self._drop_one_in) == 0

    def drop(self) -> None:
        """Let a seat leave that is still there."""
        seat = self.dice.choice([seat for seat in self.seats if seat not in self._dropped])
        self.tell(seat, None, self.game.drop(self.state, seat, self.dice.choice(DROPS)))


Law = Callable[[Played], None]


def wire(game: AnyGame, event: Event) -> Event:
    """Return an event as whoever receives its JSON decodes it."""
    decoded: Event = msgspec.json.decode(msgspec.json.encode(event), type=game.event)
    return decoded
