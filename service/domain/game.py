"""The contract of a game: first the values, then `Game`, the record of functions that implements one.

A game knows seats and positions, but no rooms, players, clocks or stores. All its functions are pure. Chance is an
argument, and its result is an event, so the events alone lead to the same state on every machine.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Annotated, Any, Generic, Literal, TypeVar, get_args

import msgspec

from service.domain.chance import Chance, DrawNumber
from service.domain.geometry import Geometry
from service.domain.ids import Seat as Seat  # noqa: PLC0414 - games import it from here
from service.domain.presentation import GameTexts, Language, Lesson, Picture


def rank(scores: Sequence[float], dropped: Sequence[int] = ()) -> tuple[int, ...]:
    """Return each seat's place by its score, highest first; tied seats share a place, and the next is left out (1 1 3).

    Seats in `dropped`, in the order in which they dropped out, rank after all others; the first of them is last.
    (Rules: Endings, Dropping out.)
    """
    stayed = [seat for seat in range(len(scores)) if seat not in dropped]
    places = [1 + sum(scores[other] > scores[seat] for other in stayed) for seat in range(len(scores))]
    for order, seat in enumerate(dropped):
        places[seat] = len(scores) - order
    return tuple(places)


def split(winners: Collection[int], seats: int) -> tuple[int | float, ...]:
    """Return by seat its share of a stake of 1, which the winners split equally."""
    share = 1 if len(winners) == 1 else 1 / len(winners)
    return tuple(share if seat in winners else 0 for seat in range(seats))


DropReason = Literal["resigned", "timed_out", "forfeited"]
"""Why a seat dropped out of a running match; also the reason of a result."""


def snake_case(class_name: str) -> str:
    """Return the wire tag of a class: `player_joined` for `PlayerJoined`."""
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in class_name).lstrip("_")


class Move(
    msgspec.Struct, frozen=True, tag=snake_case, tag_field="type", forbid_unknown_fields=True, rename={"from_": "from"}
):
    """What a seat asks of a game. Subclasses are the moves of one game; names of squares may be in either case."""


MOST_TURNS = 1_000_000
"""The highest number of turns that an option may name; no match reaches it."""

TurnLimit = Annotated[int, msgspec.Meta(ge=0, extra_json_schema={"maximum": MOST_TURNS})]
"""A number of turns, 0 for no limit. The type allows more than `MOST_TURNS`, because stored rooms may have more."""


class Event(msgspec.Struct, frozen=True, tag=snake_case, tag_field="type", rename={"from_": "from"}):
    """What happened, in the past tense. Events are stored forever: a changed field needs an upcaster."""


class SeatEvent:
    """Marks an event about the seat in its field `seat`: what the seat did, or what happened to it."""

    __slots__ = ()
    seat: Seat


class ChanceEvent:
    """Marks an event that was decided by chance; its field `draw` is the number of the draw."""

    __slots__ = ()
    draw: DrawNumber


def next_draw(event: Event, number: DrawNumber) -> DrawNumber:
    """Return the number of the next draw after an event; `number` is the one before it."""
    return DrawNumber(event.draw + 1) if isinstance(event, ChanceEvent) else number


class Hidden:
    """Marks an event's field that is hidden from some audiences; such a field has the type `T | UnsetType`.

    `at: Annotated[str | UnsetType, Hidden.FROM_OTHERS] = UNSET` is visible only to the seat in the event's `seat`
    field; `Hidden.FROM_ALL` never leaves the server. `redaction.redact` unsets hidden fields, and unset fields are not
    encoded.
    """

    FROM_OTHERS = msgspec.Meta(extra={"hidden_from": "others"})
    FROM_ALL = msgspec.Meta(extra={"hidden_from": "all"})


class Passed(Event, SeatEvent, frozen=True):
    """A seat was passed over because it had no legal move."""

    seat: Seat


class Dropped(Event, SeatEvent, frozen=True):
    """A seat dropped out of the running match; its pieces stay, and it is passed over from now on."""

    seat: Seat
    reason: DropReason


class Rejected(Exception):  # noqa: N818 - a refusal is an answer, not an error
    """A command or move was rejected because of the rules, the turn or the room's state.

    `code` is stable and listed in the catalogue of codes; `params` are the details that explain the rejection.
    """

    def __init__(self, code: str, **params: object) -> None:
        super().__init__(code)
        self.code = code
        self.params = params


class Outcome(msgspec.Struct, frozen=True):
    """How a match ended: the code of the reason, and by seat the places (1 for a winner) and the scores, if any."""

    reason: str
    places: tuple[int, ...]
    scores: tuple[int | float, ...] | None = None

    @property
    def winners(self) -> tuple[Seat, ...]:
        """All seats with place 1; in a draw all seats."""
        return tuple(Seat(seat) for seat, place in enumerate(self.places) if place == 1)


@cache  # few different arguments occur
def next_seat(seat: Seat, seats: int, dropped: tuple[Seat, ...]) -> Seat:
    """Return the next seat in turn order that has not dropped out; the seat itself if no other one is left.

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
    """The text form of a game's moves and boards, for people to read and for programs to parse."""

    draw: Callable[[Any], str]
    """Returns a view as lines of text: the boards, and anything else that a player needs to see."""
    spell: Callable[[M], str]
    """Returns a move as text without spaces, brackets and semicolons, different from seat names and `DropReason`s."""
    read: Callable[[str], M]
    """Parses a move; names of squares may be in either case. Raises `ValueError`."""
    picture: Callable[[Any], Picture] | None = None
    """Returns a view as marks on the geometry's cells; without this function a picture shows the lines of `draw`."""


Level = Literal["easy", "casual", "medium", "skilled", "hard", "expert"]
"""The strength of a bot, the weakest first."""

SECONDS: Mapping[Level, float] = dict(zip(get_args(Level), (0.05, 0.05, 0.2, 0.2, 1.0, 1.0), strict=True))
"""How many seconds a bot may compute a move, by its level."""


def never() -> bool:
    """Return False: the `late` of a budget without a time limit."""
    return False


@dataclass(frozen=True, slots=True)
class Budget:
    """How much a bot may compute for one move."""

    level: Level
    nodes: int | None = None
    """The number of positions that a search may examine; None if only `late` limits it.

    With a number, the same known state and chance lead to the same move on every machine.
    """
    late: Callable[[], bool] = never
    """Called from time to time during a search; once it returns True, the bot returns its best move so far."""


class Evaluation(msgspec.Struct, frozen=True):
    """How a search evaluates a position and what was played there."""

    chances: tuple[float, ...]
    """By seat, the chance to win from 0 to 1; their sum is 1, and a draw is shared."""
    best: Mapping[Seat, Any]
    """The best move of each seat that is to move."""
    lost: Mapping[Seat, float]
    """How much of its chance each seat lost by its move, compared with the best one."""


Evaluated = tuple[tuple[int, ...], tuple[tuple[Seat, str], ...], tuple[tuple[Seat, int], ...]]
"""The same in percent, with moves in notation: the chances, the best moves, and what was lost."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Game(Generic[O, S, M, E]):
    """One game, as a record of pure functions. A new game is a new folder that exports one of these as `GAME`."""

    slug: str
    texts: GameTexts
    """Its texts in English."""
    rules_version: int
    options: type[O]
    """A frozen struct with a default for every field; its annotations define the JSON Schema and the checks."""
    move: Any
    """The move type or union of move types."""
    event: Any
    """The event type or union of event types, with `Passed` and `Dropped` if they occur."""
    geometry: Geometry
    """The geometry of its boards with the default options."""
    seats: Callable[[O], tuple[str, ...]]
    """Returns the seats' colour names in turn order."""
    start: Callable[[O], S]
    """Returns the state before the first event."""
    setup: Callable[[O, Chance], list[E]]
    """Returns the events before the first turn: layouts and first rolls."""
    decide: Callable[[S, Seat, M], list[E]]
    """Returns the events of a move with all its consequences, except chance and reveals. Raises `Rejected`."""
    follow: Callable[[S, Chance], list[E]] = lambda _state, _chance: []
    """Returns the events that follow automatically while no seat is to move: draws of chance and reveals.

    It is called after `setup` and after every `decide`, until a seat is to move or the match is over. A dry run does
    not call it.
    """
    evolve: Callable[[S, E], S]
    """Returns the state after an event, by copying from the event. Defined for every stored event; checks nothing."""
    to_move: Callable[[S], tuple[Seat, ...]]
    """Returns the seats to move: none when the match is over, several when they act at the same time."""
    legal_moves: Callable[[S, Seat], Iterable[M]]
    """Returns exactly the moves that `decide` accepts from this seat now."""
    outcome: Callable[[S], Outcome | None]
    """Returns how the match ended; None while it is running."""
    view: Callable[[S, Seat | None], msgspec.Struct]
    """Returns what a seat may know of the state (None: the public), in its wire form."""
    view_changes: Callable[[S, S], Sequence[tuple[str, Any]]] | None = None
    """Returns where the view of another state of the same match differs from that of a state, and what is there.

    Each place is a path of names, as `points/a1`, in a game without secrets. Without it, the views are compared.
    """
    drop: Callable[[S, Seat, DropReason], list[E]]
    """Returns the events when a seat leaves the match permanently: `Dropped`, and the passes that follow."""
    moves_shown: Callable[[E], Sequence[tuple[Seat, M]]]
    """Returns the moves that an event reveals, in an order in which they can be made; usually one or none.

    Over all events of a match these are its moves as the public may know them afterwards. They are what can be taken
    back, and what the text of a match consists of.
    """
    notation: Notation[M]
    """The text form of its moves and boards."""
    choose: Callable[[S, Seat, Chance, Budget], M] | None = None
    """Returns a bot's move for a seat that is to move; without it the service plays random moves, at level `easy`.

    The state is the fold of the events redacted for this seat, so the bot cannot use what the seat may not know. The
    chance is the bot's own, not the match's.
    """
    bot_ratings: Mapping[Level, int] = field(default_factory=dict)
    """The fixed ratings of its bots with the default options, in points; matches against others are not rated."""
    accepts_draw: Callable[[S, Seat, Budget], bool] | None = None
    """Returns whether a bot on this seat agrees to a draw, whichever seat is to move; without it bots decline draws.

    The state is the same as for `choose`. The same state and number of positions lead to the same answer.
    """
    evaluate: Callable[[S, Mapping[Seat, M], Budget], Evaluation] | None = None
    """Returns how the bots' search evaluates a position of a match that is over, and the moves that were played there.

    Without it, matches of the game are not reviewed. At least one seat is to move, and all that was secret is known.
    """
    quiet_rounds: Callable[[S], int] | None = None
    """Returns for how many rounds, in each of which every seat has a turn, the match may have made no progress.

    After some of them a bot looks whether it is dead, and offers a draw. Not in a game in which it always progresses.
    """
    unrecorded: tuple[type[Event], ...] = ()
    """Events that only prepare the events that reveal the moves: secret selections and their changes.

    The record of a match does not contain them, and a replay from the record may produce others.
    """
    geometry_with: Callable[[O], Geometry] | None = None
    """Returns the geometry with these options, in a game whose options change it."""
    scores: Callable[[S], tuple[int, ...]] | None = None
    """Returns the score of each seat, which is public, in a game that has scores."""
    measure: Callable[[S], tuple[int, ...]] | None = None
    """Returns a number for each seat, by which positions are compared: what the graph of a match shows, if any.

    The numbers are public, and computed without a search.
    """
    stake: bool = False
    """Whether a result's scores are shares of a stake (see `split`), which an agreed draw then splits."""
    simultaneous: bool = False
    """Whether the seats act at the same time; then the public view contains no legal moves."""
    telling_ms: int = 0
    """How many milliseconds clients need to show the last events of a match; the next one begins that much later."""
    lesson: Lesson | None = None
    """The lesson that teaches its rules."""
    translations: tuple[Language, ...] = ()
    """The languages other than English for which its folder has a file of texts."""

    def geometry_of(self, options: O) -> Geometry:
        """Return the geometry of the boards with these options."""
        return self.geometry_with(options) if self.geometry_with else self.geometry

    @property
    def levels(self) -> tuple[Level, ...]:
        """The levels of this game's bots."""
        return get_args(Level) if self.choose else ("easy",)


@cache
def hidden_fields(kind: type[Event]) -> tuple[tuple[str, Literal["others", "all"]], ...]:
    """Return the names of an event type's hidden fields, each with the audience that it is hidden from."""
    found: list[tuple[str, Literal["others", "all"]]] = []
    for each in msgspec.inspect.type_info(kind).fields:  # type: ignore[attr-defined]  # events are structs
        extra = each.type.extra if isinstance(each.type, msgspec.inspect.Metadata) else None
        if extra and "hidden_from" in extra:
            found.append((each.name, extra["hidden_from"]))
    return tuple(found)


def redact(event: Event, seat: Seat | None) -> Event:
    """Return the event as `seat` may know it (None: the public); the same object if nothing is hidden.

    The result for an event never changes with time: a secret is revealed by a later event.
    """
    hidden = hidden_fields(type(event))
    if not hidden:
        return event
    owner = seat is not None and isinstance(event, SeatEvent) and event.seat == seat
    unset = {name: msgspec.UNSET for name, hidden_from in hidden if hidden_from == "all" or not owner}
    return msgspec.structs.replace(event, **unset) if unset else event
