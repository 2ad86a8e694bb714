"""The state of a room: its table, which is everything but the match, and the match.

Structs of which a process keeps hundreds have no reference cycles, so the garbage collector ignores them (`gc=False`).
To a list of them an item can be added without copying the others.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, Generic, Literal, TypeVar, overload

import msgspec

from service.domain.catalog import GAMES, AnyGame
from service.domain.chance import DrawNumber, seed_hash
from service.domain.game import DropReason, Level, Seat
from service.domain.ids import Millis, NameRef, PlayerId, RoomKey, Version
from service.domain.room.model.clock import Clocks
from service.domain.room.model.events import BotKind, Invitation, OfferKind, Recorded, Result, Role
from service.domain.room.model.settings import CopiedPosition, Series, Settings, TournamentTable

T = TypeVar("T")


class SharedPrefixList(Sequence[T], Generic[T]):
    """An immutable list: appending returns a longer one that shares its items with this one.

    Lists that grew from each other share one Python list; each knows how many of its items are its own. If another
    item has already been appended to the same list, as after a dry run, the items up to there are copied.
    """

    __slots__ = ("_items", "_length")

    def __init__(self, items: list[T] | None = None, length: int = 0) -> None:
        """Hold the first `length` of these items; nobody else may change them."""
        self._items: list[T] = [] if items is None else items
        self._length = length

    def append(self, item: T) -> "SharedPrefixList[T]":
        """Return the list with one more item; this one does not change."""
        items, length = self._items, self._length
        if len(items) != length:
            items = items[:length]
        items.append(item)
        return SharedPrefixList(items, length + 1)

    def truncate(self, length: int) -> "SharedPrefixList[T]":
        """Return the first `length` items; this one does not change."""
        return SharedPrefixList(self._items, min(length, self._length))

    def __len__(self) -> int:
        """Return the number of items."""
        return self._length

    def __iter__(self) -> Iterator[T]:
        """Iterate from the first item to the last."""
        return iter(self._own())

    def __reversed__(self) -> Iterator[T]:
        """Iterate from the last item to the first."""
        return reversed(self._own())

    @overload
    def __getitem__(self, index: int) -> T: ...

    @overload
    def __getitem__(self, index: slice) -> list[T]: ...

    def __getitem__(self, index: int | slice) -> T | list[T]:
        """Return one item, or several as a Python list."""
        return self._own()[index]

    def __eq__(self, other: object) -> bool:
        """Return whether both lists have equal items."""
        return self._own() == other._own() if isinstance(other, SharedPrefixList) else NotImplemented

    __hash__ = None  # type: ignore[assignment]  # not hashable, like a Python list

    def _own(self) -> list[T]:
        return self._items if len(self._items) == self._length else self._items[: self._length]


Status = Literal["open", "playing", "finished", "closed"]


class SeatedAs(msgspec.Struct, frozen=True, gc=False):
    """The nickname with which a player sat in a match."""

    nickname: str
    """As it is stored: empty with a reference."""
    name_ref: NameRef | None = None
    program: bool = False
    """Whether the player was declared a bot."""


class BotOpponents(msgspec.Struct, frozen=True, gc=False):
    """The bots of the service in a match, and what decides later whether it counts for the rating of a person."""

    levels: tuple[Level | None, ...]
    """By seat, the level of the bot that held it when the match began; None for a person."""
    moved: tuple[Seat, ...] = ()
    """The seats that had moved before a turn was taken back."""
    given_up: bool = False
    """Whether, after two seats had moved, a person removed a bot, or left their seat and somebody else took it."""


class Member(msgspec.Struct, frozen=True):
    """A member of the room."""

    nickname: str
    role: Role
    ready: bool = False
    salt: str = ""
    bot: Level | None = None
    """The level of a bot of the service, which is always ready; None for players."""
    muted: bool = False
    """Whether the creator has muted this member in the chat."""
    program: bool = False
    """Whether the player declared that a program plays for them; it makes no difference to the rules."""
    name_ref: NameRef | msgspec.UnsetType = msgspec.UNSET

    @property
    def kind(self) -> BotKind | None:
        """The kind of the bot; None for people."""
        return "external" if self.program else self.bot

    @property
    def is_ready(self) -> bool:
        """Whether this member is ready for the next match."""
        return self.ready or self.bot is not None


class Offer(msgspec.Struct, frozen=True):
    """Something that a player proposes to the other players."""

    id: int
    """Its number in the room, from 1."""
    kind: OfferKind
    by: PlayerId
    made: Version = Version(0)
    """The version of its `OfferMade`."""
    accepted: tuple[PlayerId, ...] = ()
    to_version: Version | None = None
    """For a takeback: the version to whose position the match would return."""
    target: PlayerId | None = None
    """For a kick: who would be removed."""
    abandoned: Seat | None = None
    """For a draw claimed against an absent player: their seat, whose holder is asked only when present again."""

    @property
    def content(self) -> tuple[OfferKind, Version | None, PlayerId | None, Seat | None]:
        """What is proposed, without who proposes it."""
        return self.kind, self.to_version, self.target, self.abandoned


class Plan(msgspec.Struct, frozen=True):
    """Options and settings from the next match on."""

    options: dict[str, Any]
    settings: Settings
    lock: str | None = None


class SeatsByPlayer(dict[PlayerId | None, tuple[Seat, ...]]):
    """The seats of each player; no seats for a player who is not in it."""

    def __missing__(self, player: PlayerId | None) -> tuple[Seat, ...]:
        """Return no seats."""
        return ()


class Table(msgspec.Struct, frozen=True, dict=True):
    """Everything in a room except the match; it rarely changes, so values needed for every move are computed once."""

    key: RoomKey
    title: str
    game: str
    options: dict[str, Any]
    settings: Settings
    opened: Millis
    creator: PlayerId
    status: Status
    members: dict[PlayerId, Member]
    """In the order in which they joined."""
    seats: tuple[PlayerId | None, ...]
    heard: Millis = Millis(0)
    """The time of the latest command of a player other than a move."""
    start_called: bool = False
    layout_of: str | None = None
    """The id of the match that the next one repeats."""
    lock: str | None = None
    """The salted hash of a private room's password."""
    kicked: tuple[PlayerId, ...] = ()
    """Players who cannot join again."""
    muted: tuple[PlayerId, ...] = ()
    """Muted players, whether they are members now or not."""
    absent: dict[PlayerId, Millis] = {}
    """Seated players who are absent, and since when."""
    left: dict[Seat, Millis] = {}
    """The empty seats, and since when."""
    offers: tuple[Offer, ...] = ()
    """The open offers, oldest first."""
    offers_made: int = 0
    """How many offers have been made here."""
    draw_offered: Version = Version(0)
    """The version of the latest draw offer that bots had to answer; 0 if there was none."""
    plan: Plan | None = None
    """What applies after the running match."""
    series: Series | None = None
    """The series that the latest match belongs to."""
    invitations: tuple[Invitation, ...] = ()
    """The open invitations and the latest ended ones, oldest first."""
    invitations_made: int = 0
    matches: int = 0
    """How many matches have started in this room."""
    next_seed: bytes | None = None
    """The seed of the next match; None in a room of an earlier release until it has started another match."""
    tournament: TournamentTable | None = None
    """The table of a tournament that the room is for."""
    position: CopiedPosition | None = None
    """The position at which its matches begin if they have the same options and are not rated."""
    others_entered: bool = False
    """Whether a player other than the creator has ever entered; bots of the service do not count."""

    @property
    def next_seed_hash(self) -> str | None:
        """The hash of the next match's seed; None if it is not published, or not yet."""
        return None if self.next_seed is None or self.status == "playing" else seed_hash(self.next_seed)

    @cached_property
    def seats_of(self) -> Mapping[PlayerId | None, tuple[Seat, ...]]:
        """The seats of each player."""
        held = SeatsByPlayer()
        for seat, holder in enumerate(self.seats):
            if holder is not None:
                held[holder] = (*held[holder], Seat(seat))
        return held

    @cached_property
    def persons(self) -> Sequence[PlayerId]:
        """The seated players that are not bots of the service."""
        holders = dict.fromkeys(holder for holder in self.seats if holder in self.members)
        return tuple([holder for holder in holders if holder and self.members[holder].bot is None])

    @cached_property
    def turn_deliveries(self) -> dict[Any, bytes]:
        """What was delivered when some seats were to move after others: it is the same again during a match."""
        return {}

    @cached_property
    def bots(self) -> Mapping[Seat, Level]:
        """The seats that bots of the service hold, with the bots' levels."""
        return {
            Seat(seat): member.bot
            for seat, holder in enumerate(self.seats)
            if (member := self.members.get(holder or PlayerId(""))) and member.bot
        }


class Layout(msgspec.Struct, frozen=True):
    """The match whose layout and first player a restarted match repeats, and what they were drawn from."""

    match: str
    seed: bytes
    salts: tuple[str, ...]


class TurnSnapshot(msgspec.Struct, frozen=True, gc=False):
    """A seat's turn, and the match's state before it, to which a takeback returns."""

    seat: Seat
    version: Version
    """The room's version before the turn's first event."""
    state: Any
    clocks: Clocks
    dropped: dict[Seat, DropReason]
    acting: Seat | None
    last: tuple[Recorded, ...]
    before: int
    """How many of the match's `events` precede it."""


class Match(msgspec.Struct, frozen=True, gc=False):
    """The running match, or the latest one until the next one starts."""

    number: int
    id: str
    first: Version
    """The version of its `MatchStarted`."""
    started: Millis
    game: AnyGame
    options: Any
    players: tuple[PlayerId | None, ...]
    """The holders of the seats when it started."""
    settings: Settings
    """The room's settings when it started, which apply to it until it ends."""
    state: Any
    to_move: tuple[Seat, ...]
    """The seats that are to move in this state."""
    clocks: Clocks
    seed: bytes
    salts: tuple[str, ...]
    rules_version: int = 1
    """The version of the rules under which it started; under any other it ends (see `Room.is_outdated`)."""
    next_draw: DrawNumber = DrawNumber(0)
    next_seed_hash: str | None = None
    """The hash of the next match's seed, published when this one ends; None if an earlier release started it."""
    layout: Layout | None = None
    """For a restarted match, where its layout comes from; for one from a position, the match that had it."""
    dropped: dict[Seat, DropReason] = {}
    """The seats that dropped out, in this order."""
    revealed: tuple[Seat, ...] = ()
    """In simultaneous games, the seats of which a move was revealed."""
    takebacks: int = 0
    """How many turns were taken back."""
    bots: BotOpponents | None = None
    """The bots of the service in it; None without one."""
    sat: dict[PlayerId, SeatedAs] = {}
    """All who have had a seat in it so far, including those who left, with their nicknames when they first sat."""
    acting: Seat | None = None
    """The seat whose turn the latest move belongs to; None after a pass or a draw of chance."""
    events: SharedPrefixList[Recorded] = msgspec.field(default_factory=SharedPrefixList)
    """The game's events that led to this position, without those taken back; none in simultaneous games.

    The state before each turn is the fold of the events before it, so a snapshot does not have to store these states.
    """
    turns: SharedPrefixList[TurnSnapshot] = msgspec.field(default_factory=SharedPrefixList)
    """The turns that can be taken back, oldest first; none in simultaneous games (rules: Takeback)."""
    moved: Version = Version(0)
    """The version at which the position last changed, or the match started or ended; it outdates earlier offers."""
    last: tuple[Recorded, ...] = ()
    """The game's events of the latest command that had any, for pictures."""
    result: Result | None = None
    ended: Millis | None = None

    @property
    def programs(self) -> tuple[Seat, ...]:
        """The seats whose holders, when it started, were declared bots."""
        sat = [self.sat.get(player) if player else None for player in self.players]
        return tuple([Seat(seat) for seat, holder in enumerate(sat) if holder is not None and holder.program])

    @property
    def moved_seats(self) -> set[Seat]:
        """The seats that have moved, in a match with bots also if that was taken back; only revealed moves count."""
        seats = self.revealed if self.game.simultaneous else [turn.seat for turn in self.turns]
        return {*seats, *(() if self.bots is None else self.bots.moved)}


MOVED = 2
"""How many seats must have moved; a match that ended before that was aborted."""


class Room(msgspec.Struct, frozen=True, gc=False):
    """A room at one version of its stream."""

    table: Table
    match: Match | None
    version: Version
    time: Millis

    @property
    def game(self) -> AnyGame:
        """The room's game."""
        return GAMES[self.table.game]

    @property
    def playing(self) -> Match | None:
        """The running match, if there is one."""
        return self.match if self.table.status == "playing" else None

    @property
    def is_outdated(self) -> bool:
        """Whether the running match began under a version of its game's rules that this release does not have."""
        match = self.match
        if match is None or self.table.status != "playing":
            return False
        return match.rules_version != match.game.rules_version


def seat_names(table: Table) -> tuple[str, ...]:
    """Return the seats' names under the options of the next match."""
    game = GAMES[table.game]
    return game.seats(msgspec.convert(table.options, game.options))


def all_seated(table: Table) -> bool:
    """Return whether every seat is taken."""
    return all(holder is not None for holder in table.seats)


def bots_only(table: Table) -> bool:
    """Return whether bots of the service hold all seats."""
    return len(table.bots) == len(table.seats)


def audience(table: Table, player: PlayerId | None, wanted: Seat | None = None) -> Seat | None:
    """Return the seat whose knowledge a viewer may have; None for the public.

    A player with several seats names one of them in `wanted`. A viewer who names another seat gets the public view.
    """
    own = table.seats_of[player]
    if wanted is not None:
        return wanted if wanted in own else None
    return own[0] if len(own) == 1 else None
