"""The contract between the house and a game: values first, then the record of functions that is a game.

A game knows seats and positions, never rooms, players, clocks or stores. All its functions are pure; chance comes in
as a `Chance` and leaves as an event, so the events alone give the same state on every machine, for ever.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Generic, Literal, NewType, TypeVar

import msgspec

from service.domain.board_marks import Picture
from service.domain.chance import Chance, DrawNumber
from service.domain.geometry import Geometry

Seat = NewType("Seat", int)
"""A place at the table, numbered from 0 in turn order."""

DropReason = Literal["resigned", "timed_out", "forfeited"]
"""Why a seat left a running match, as a result names it."""


def snake_case(class_name: str) -> str:
    """Return the wire tag of a class: `PlayerJoined` is told as `player_joined`."""
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in class_name).lstrip("_")


class Move(
    msgspec.Struct, frozen=True, tag=snake_case, tag_field="type", forbid_unknown_fields=True, rename={"from_": "from"}
):
    """What is asked of a game by a seat. Subclasses are the moves of one game; squares come in either case."""


class Event(msgspec.Struct, frozen=True, tag=snake_case, tag_field="type", rename={"from_": "from"}):
    """What happened, in the past tense. Stored for ever: a changed field needs an upcaster."""


class SeatEvent:
    """Marks an event about a seat, which its field `seat` names: what the seat did, or what happened to it."""

    __slots__ = ()
    seat: Seat


class ChanceEvent:
    """Marks an event that chance decided; its field `draw` is the number of the draw."""

    __slots__ = ()
    draw: DrawNumber


def next_draw(event: Event, number: DrawNumber) -> DrawNumber:
    """Return the number of the next draw after an event, if it was `number` before."""
    return DrawNumber(event.draw + 1) if isinstance(event, ChanceEvent) else number


class Hidden:
    """Marks on an event's field that not every audience may know; such a field has the type `T | UnsetType`.

    `at: Annotated[str | UnsetType, Hidden.FROM_OTHERS] = UNSET` is known to the seat in the event's `seat` field only;
    `Hidden.FROM_ALL` never leaves the server. `secrecy.redact` unsets what is hidden, and an unset field isn't encoded.
    """

    FROM_OTHERS = msgspec.Meta(extra={"hidden_from": "others"})
    FROM_ALL = msgspec.Meta(extra={"hidden_from": "all"})


class Passed(Event, SeatEvent, frozen=True):
    """A seat that could not move was passed over by the rules."""

    seat: Seat


class Dropped(Event, SeatEvent, frozen=True):
    """A seat left the running match; its pieces stay, and it is passed over from now on."""

    seat: Seat
    reason: DropReason


class Rejected(Exception):  # noqa: N818 - a refusal is an answer, not an error
    """A command or move that the rules, the turn or the room's state refuse.

    `code` is stable and known to the catalogue of codes; `params` are what a client needs to tell its user why.
    """

    def __init__(self, code: str, **params: object) -> None:
        """Refuse with this code."""
        super().__init__(code)
        self.code = code
        self.params = params


class Outcome(msgspec.Struct, frozen=True):
    """How a match ended: the reason's code, and by seat the place (1 for a winner) and the score if one is counted."""

    reason: str
    places: tuple[int, ...]
    scores: tuple[int | float, ...] | None = None

    @property
    def winners(self) -> tuple[Seat, ...]:
        """Every seat with place 1, so all of them in a draw."""
        return tuple(Seat(seat) for seat, place in enumerate(self.places) if place == 1)


def rank(scores: Sequence[float], dropped: Sequence[Seat] = ()) -> tuple[int, ...]:
    """Return each seat's place by its score, highest first; tied seats share a place and leave out the next (1 1 3).

    Seats in `dropped` (in the order in which they left) stand behind all who stayed, the earliest last.
    (Rules: Endings, Dropping out.)
    """
    stayed = [seat for seat in range(len(scores)) if seat not in dropped]
    places = [1 + sum(scores[other] > scores[seat] for other in stayed) for seat in range(len(scores))]
    for order, seat in enumerate(dropped):
        places[seat] = len(scores) - order
    return tuple(places)


def split(winners: Collection[int], seats: int) -> tuple[int | float, ...]:
    """Return by seat the share of a stake of one, which the winners split equally."""
    share = 1 if len(winners) == 1 else 1 / len(winners)
    return tuple(share if seat in winners else 0 for seat in range(seats))


@cache  # there are few seats, and few ways to leave them
def next_seat(seat: Seat, seats: int, dropped: tuple[Seat, ...]) -> Seat:
    """Return the seat after `seat` in the turn order of so many seats, among those who stay; a last one follows itself.

    (Rules: Dropping out.)
    """
    following = (Seat((seat + n) % seats) for n in range(1, seats))
    return next((other for other in following if other not in dropped), seat)


O = TypeVar("O", bound=msgspec.Struct)  # noqa: E741 - options
S = TypeVar("S")  # state
M = TypeVar("M", bound=Move)
E = TypeVar("E", bound=Event)


@dataclass(frozen=True, slots=True, kw_only=True)
class Notation(Generic[M]):
    """How a game is written as text, for people to read and for programs to read back."""

    draw: Callable[[Any], str]
    """A view as lines of text: the boards, and whatever else a player looks at."""
    spell: Callable[[M], str]
    """A move in a few characters, without spaces, brackets and semicolons; never a seat's name or a `DropReason`."""
    read: Callable[[str], M]
    """The move that a text spells, its squares in either case. Raises `ValueError`."""
    picture: Callable[[Any], Picture] | None = None
    """A view as marks on the geometry's cells; without it a picture shows the lines of `draw`."""


Level = Literal["easy", "medium", "hard"]
"""How well a bot plays."""

SECONDS: Mapping[Level, float] = {"easy": 0.05, "medium": 0.2, "hard": 1.0}
"""How long a bot may think about a move, by its level."""


def never() -> bool:
    """Answer that there is time left: the clock of whoever counts positions only."""
    return False


@dataclass(frozen=True, slots=True)
class Budget:
    """How long a bot may think about one move."""

    level: Level
    nodes: int | None = None
    """At most so many positions are looked at; with None only `late` ends the search.

    The same known state, chance and number give the same move on every machine.
    """
    late: Callable[[], bool] = never
    """Asked now and then during a search; once it is true, the bot answers with the best move found so far."""


def nothing_follows(_state: object, _chance: Chance) -> list[Any]:
    """Add nothing: the `follow` of a game without chance after the start and without secrets."""
    return []


@dataclass(frozen=True, slots=True, kw_only=True)
class Game(Generic[O, S, M, E]):
    """One game, as a record of pure functions. To add a game is to add a folder that exports one of these as `GAME`."""

    slug: str
    title: str
    rules: str
    """The rules in our own words, as Markdown; the docstring of the game's package."""
    rules_version: int
    options: type[O]
    """A frozen struct with a default for every field; JSON Schema and checks come from its annotations."""
    move: Any
    """The move type or union of move types."""
    event: Any
    """The event type or union of event types, `Passed` and `Dropped` among them where they occur."""
    geometry: Geometry
    seats: Callable[[O], tuple[str, ...]]
    """The seats' colour names in turn order."""
    start: Callable[[O], S]
    """The state before the first event."""
    setup: Callable[[O, Chance], list[E]]
    """What lies on the table before the first turn: layouts and first rolls, as events."""
    decide: Callable[[S, Seat, M], list[E]]
    """Judge a move and work out all its consequences; raises `Rejected`. Without chance and without uncovering."""
    follow: Callable[[S, Chance], list[E]] = nothing_follows
    """What happens by itself at this position because of chance or uncovered secrets; empty at most positions.

    The house calls it after `setup` and after every `decide`, again until it is empty. A dry run never does.
    """
    evolve: Callable[[S, E], S]
    """Copy an event into the state. Total for events of this game in their order; never judges."""
    to_move: Callable[[S], tuple[Seat, ...]]
    """The seats that are awaited: empty when the match is over, several when they act at the same time."""
    legal_moves: Callable[[S, Seat], Iterable[M]]
    """Every move that `decide` accepts from this seat now, and no other."""
    outcome: Callable[[S], Outcome | None]
    """How the match ended, or None while it goes on."""
    view: Callable[[S, Seat | None], msgspec.Struct]
    """What a seat (or the public, None) may know of the state, as it stands on the wire."""
    drop: Callable[[S, Seat, DropReason], list[E]]
    """What happens when a seat leaves the match for good; `[Dropped, ...]` and the passes that follow."""
    moves_shown: Callable[[E], Sequence[tuple[Seat, M]]]
    """The moves that an event shows to have been made, in an order in which they can be made; most show one or none.

    Over all events of a match they are its moves as the public may know them afterwards: what can be taken back, and
    what a match's text consists of.
    """
    notation: Notation[M]
    """How its moves and boards are written as text."""
    choose: Callable[[S, Seat, Chance, Budget], M] | None = None
    """A bot's move at a level, for a seat that is to move; without it the house plays any legal move, as `easy`.

    The state is the fold of the events redacted for this seat: what the bot isn't told, it can't use. The chance is the
    bot's own, never the match's.
    """
    accepts_draw: Callable[[S, Seat, Budget], bool] | None = None
    """Whether a bot on this seat agrees to a draw now, whichever seat is to move; without it bots decline every draw.

    It is given the same state as `choose`, and the same state and number of positions give the same answer.
    """
    unrecorded: tuple[type[Event], ...] = ()
    """Events that only prepare others, which show the moves: secret ones, and changes of mind.

    No record of a match has them, and a match that is played again from its record may have others.
    """
    scores: Callable[[S], tuple[int, ...]] | None = None
    """The score of each seat, which everybody may know, in a game that counts one."""
    stake: bool = False
    """Whether a result's scores are shares of a stake (see `split`), so that a draw which the house tells splits it."""
    simultaneous: bool = False
    """Whether the seats act at the same time; then each seat is offered its own legal moves only."""
    endings: Mapping[str, str] = field(default_factory=dict)
    """The reasons of its outcomes, beyond the `DropReason` of a last seat left, each with its meaning for people."""
    refusals: Mapping[str, str] = field(default_factory=dict)
    """The codes that `decide` refuses with, beyond `not_your_turn`, each with its meaning for people."""

    @property
    def levels(self) -> tuple[Level, ...]:
        """The levels at which bots play this game."""
        return ("easy", "medium", "hard") if self.choose else ("easy",)
