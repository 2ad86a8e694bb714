"""A room as its events tell it: the table with who sits there, and the match on it.

A process holds many matches for long. What there are hundreds of never leads back to itself, so Python's collector need
not look at it (`gc=False`).
"""

from collections.abc import Mapping
from functools import cached_property
from typing import Any, Literal

import msgspec

from service.domain.catalog import GAMES, AnyGame
from service.domain.chance import DrawNumber, seed_hash
from service.domain.game import DropReason, Level, Seat
from service.domain.room.model.append_only import Trail
from service.domain.room.model.clock import Clocks
from service.domain.room.model.events import OfferKind, Recorded, Result, Role
from service.domain.room.model.ids import Millis, PlayerId, RoomKey, Version
from service.domain.room.model.settings import Settings

Status = Literal["open", "playing", "finished", "closed"]


class Member(msgspec.Struct, frozen=True):
    """Somebody in the room."""

    nickname: str
    role: Role
    ready: bool = False
    salt: str = ""
    bot: Level | None = None
    """How well it plays if it is a bot of the house, which is always ready; None for players."""
    muted: bool = False
    """Whether the creator has muted them in the chat."""
    program: bool = False
    """Whether the player said that a program plays for them; it is treated like everyone."""

    @property
    def is_ready(self) -> bool:
        """Whether the next match may begin as far as this one is concerned."""
        return self.ready or self.bot is not None


class Offer(msgspec.Struct, frozen=True):
    """Something that a player asks the others at the table for."""

    id: int
    """Its number in the room, from 1."""
    kind: OfferKind
    by: PlayerId
    made: Version = Version(0)
    """The version of its `OfferMade`."""
    accepted: tuple[PlayerId, ...] = ()
    to_version: Version | None = None
    """Of a takeback: the version to whose position the match would return."""
    target: PlayerId | None = None
    """Of a kick: who would be sent away."""
    abandoned: Seat | None = None
    """Of a draw claimed because of an absent player: their seat, whose holder is not asked while away."""

    @property
    def content(self) -> tuple[OfferKind, Version | None, PlayerId | None, Seat | None]:
        """What is asked for, whoever asks."""
        return self.kind, self.to_version, self.target, self.abandoned


class Plan(msgspec.Struct, frozen=True):
    """Options and settings for the matches to come."""

    options: dict[str, Any]
    settings: Settings
    lock: str | None = None


class Series(msgspec.Struct, frozen=True):
    """Matches that are counted together."""

    best_of: int
    number: int = 1
    """Which series of the room it is."""
    played: int = 0
    """How many of its matches counted."""
    points: dict[PlayerId, float] = {}
    """By player: 1 for a win, 0.5 for a shared one; absent for none."""

    @property
    def is_decided(self) -> bool:
        """Whether somebody has more than half of the points, or all its matches were played."""
        return self.played >= self.best_of or any(2 * points > self.best_of for points in self.points.values())


class Held(dict[PlayerId | None, tuple[Seat, ...]]):
    """Seats by who holds them; whoever isn't in here holds none."""

    def __missing__(self, player: PlayerId | None) -> tuple[Seat, ...]:
        """Return no seat."""
        return ()


class Table(msgspec.Struct, frozen=True, dict=True):
    """All of a room but the match; changes seldom, so what is asked of it at every move is worked out once."""

    key: RoomKey
    title: str
    game: str
    options: dict[str, Any]
    settings: Settings
    opened: Millis
    creator: PlayerId
    status: Status
    members: dict[PlayerId, Member]
    """In the order in which they came."""
    seats: tuple[PlayerId | None, ...]
    heard: Millis = Millis(0)
    """When a player last asked for something around the board."""
    start_called: bool = False
    layout_of: str | None = None
    """The match that is to be played once more when the next one begins."""
    lock: str | None = None
    """The salted hash of the password, of a private room."""
    kicked: tuple[PlayerId, ...] = ()
    """Who may not come back."""
    muted: tuple[PlayerId, ...] = ()
    """Who is muted, whether they are here or not."""
    absent: dict[PlayerId, Millis] = {}
    """Who sits and is not there, and since when."""
    left: dict[Seat, Millis] = {}
    """The seats that were left empty, and when."""
    offers: tuple[Offer, ...] = ()
    """Those that are open, oldest first."""
    offers_made: int = 0
    """How many offers have been made here."""
    draw_offered: Version = Version(0)
    """The version of the latest draw offer about which bots are asked; 0 if there was none."""
    plan: Plan | None = None
    """What will hold when the running match is over."""
    series: Series | None = None
    """The series that the latest match belongs to."""
    matches: int = 0
    """How many matches have started here."""
    next_seed: bytes | None = None
    """The seed of the next match; None in a room of an earlier release until it has begun another match."""

    @property
    def next_seed_hash(self) -> str | None:
        """The hash of the next match's seed, None where it is not published (yet)."""
        return None if self.next_seed is None or self.status == "playing" else seed_hash(self.next_seed)

    @cached_property
    def seats_of(self) -> Mapping[PlayerId | None, tuple[Seat, ...]]:
        """The seats that each player holds, none for anybody else."""
        held = Held()
        for seat, holder in enumerate(self.seats):
            if holder is not None:
                held[holder] = (*held[holder], Seat(seat))
        return held

    @cached_property
    def bots(self) -> Mapping[Seat, Level]:
        """The seats that bots of the house hold, and how well each of them plays."""
        return {
            Seat(seat): member.bot
            for seat, holder in enumerate(self.seats)
            if (member := self.members.get(holder or PlayerId(""))) and member.bot
        }


class Layout(msgspec.Struct, frozen=True):
    """The match that a restarted one takes its layout and its first player from, and what they were drawn from."""

    match: str
    seed: bytes
    salts: tuple[str, ...]


class Turn(msgspec.Struct, frozen=True, gc=False):
    """A seat's turn, and what of the match was otherwise before it: what a takeback returns to."""

    seat: Seat
    version: Version
    """The room's version before the turn's first event."""
    state: Any
    clocks: Clocks
    dropped: dict[Seat, DropReason]
    acting: Seat | None
    last: tuple[Recorded, ...]
    before: int
    """How many of the match's `events` came before it."""


class Match(msgspec.Struct, frozen=True, gc=False):
    """The running match, or the last one while its result lies on the table."""

    number: int
    id: str
    first: Version
    """The version of its `MatchStarted`."""
    started: Millis
    game: AnyGame
    """The rules it is played by."""
    options: Any
    players: tuple[PlayerId | None, ...]
    """Who held the seats when it began."""
    settings: Settings
    """The room's settings when it began, under which it is played."""
    state: Any
    """The game's own state."""
    clocks: Clocks
    seed: bytes
    salts: tuple[str, ...]
    rules_version: int = 1
    """The version of the rules under which it began; under any other it ends (see `playing.outdated`)."""
    next_draw: DrawNumber = DrawNumber(0)
    next_seed_hash: str | None = None
    """The hash of the next match's seed, published when this one ends; None where an earlier release began it."""
    layout: Layout | None = None
    """Of a restarted match, where its layout comes from."""
    dropped: dict[Seat, DropReason] = {}
    """The seats that left it, in that order."""
    acting: Seat | None = None
    """The seat whose turn the latest move belongs to; None once somebody was passed over or chance spoke."""
    events: Trail[Recorded] = msgspec.field(default_factory=Trail)
    """The game's events that led to this position, without those taken back; none where the seats act at the same time.

    The state before each turn is the fold of those before it, so that a snapshot need not hold these states.
    """
    turns: Trail[Turn] = msgspec.field(default_factory=Trail)
    """The turns that can be taken back, oldest first; none where the seats act at the same time (rules: Takeback)."""
    moved: Version = Version(0)
    """When the position last changed, the match began or it ended: offers made before are about something else."""
    last: tuple[Recorded, ...] = ()
    """The game events of the latest command that had any, for drawing."""
    result: Result | None = None
    ended: Millis | None = None


class Room(msgspec.Struct, frozen=True, gc=False):
    """A whole room at one version of its stream."""

    table: Table
    match: Match | None
    version: Version
    time: Millis
    """When its latest event happened."""

    @property
    def game(self) -> AnyGame:
        """The rules played here."""
        return GAMES[self.table.game]

    @property
    def playing(self) -> Match | None:
        """The match that is being played now."""
        return self.match if self.table.status == "playing" else None


def seat_names(table: Table) -> tuple[str, ...]:
    """Return the colours of the seats, under the options of the next match."""
    game = GAMES[table.game]
    return game.seats(msgspec.convert(table.options, game.options))


def all_seated(table: Table) -> bool:
    """Tell whether somebody holds each seat."""
    return all(holder is not None for holder in table.seats)


def all_ready(table: Table) -> bool:
    """Tell whether somebody holds each seat and all of them are ready."""
    return all(holder is not None and table.members[holder].is_ready for holder in table.seats)


def bots_only(table: Table) -> bool:
    """Tell whether bots of the house hold all seats."""
    return len(table.bots) == len(table.seats)


def audience(table: Table, player: PlayerId | None, wanted: Seat | None = None) -> Seat | None:
    """Return the seat whose knowledge a viewer shares; None is the public.

    A holder of one seat sees as that seat; a holder of several says which one; a seat that is not one's own (any more)
    gives the public view.
    """
    own = table.seats_of[player]
    if wanted is not None:
        return wanted if wanted in own else None
    return own[0] if len(own) == 1 else None
