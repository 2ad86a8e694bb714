"""Rooms as a kind of stream: the stored form of their events and of their states.

    [format, time, command's index, command's size, match, by, key, fingerprint, event]

Only a command's first event has `key` and `fingerprint`.
"""

from collections.abc import Sequence
from functools import cache
from typing import Any, cast, get_type_hints

import msgspec
from msgspec.structs import replace

from service.domain.catalog import GAMES, AnyGame
from service.domain.chance import DrawNumber
from service.domain.game import DropReason, Event, Seat
from service.domain.ids import Millis, PlayerId, Version
from service.domain.room.due import due_at
from service.domain.room.evolve import evolve
from service.domain.room.model import events as happened
from service.domain.room.model.clock import Clocks
from service.domain.room.model.events import Recorded, Result
from service.domain.room.model.settings import Settings
from service.domain.room.model.state import (
    BotOpponents,
    Layout,
    Match,
    Room,
    SeatedAs,
    SharedPrefixList,
    Table,
    TurnSnapshot,
)
from service.domain.streams import Form, IdempotencyKey, Stored, StreamKind, StreamSnapshots, UnknownEvent
from service.domain.structs import copied
from service.domain.validation import convert


class RoomEnvelope(msgspec.Struct, frozen=True, array_like=True):
    """An entry's JSON array."""

    format: int
    time: Millis
    index: int
    size: int
    match: int | None
    by: PlayerId | None
    key: str | None
    fingerprint: str | None
    event: msgspec.Raw


NAMING = (happened.PlayerJoined, happened.InvitationDeclined)
"""The events with a nickname."""


def pack(recorded: Recorded, size: int, key: IdempotencyKey | None) -> tuple[object, ...]:
    """Return the fields of an envelope after the format."""
    return (
        recorded.time,
        recorded.version - recorded.command,
        size,
        recorded.match,
        recorded.by,
        key and key.value,
        key and key.fingerprint,
        without_name(event) if type(event := recorded.event) in NAMING else event,
    )


def without_name(event: Any) -> Any:
    """Return one of these without the nickname in it if it has a reference to that."""
    return event if event.name_ref is msgspec.UNSET else replace(event, nickname="")


def unpack(version: Version, digest: bytes, envelope: RoomEnvelope, event: Event) -> Stored:
    """Return an event as it was stored."""
    key = None if envelope.key is None else IdempotencyKey(envelope.key, envelope.fingerprint or "")
    command = Version(version - envelope.index)
    recorded = Recorded(version, envelope.time, command, envelope.match, envelope.by, event)
    return Stored(recorded, digest, key, envelope.size)


def with_defaults(event: dict[str, Any]) -> dict[str, Any]:
    """Return the event unchanged: format 2 only added fields, which have defaults."""
    return event


def command_of(stored: Stored) -> Version:
    """Return the version of the first event of the same command."""
    version: Version = stored.recorded.command
    return version


ROOM_EVENTS = Form(
    format=2, upcasters={1: with_defaults}, envelope=RoomEnvelope, pack=pack, unpack=unpack, command=command_of
)


@cache
def events_of(game: str) -> "msgspec.json.Decoder[Event]":
    """Return the decoder for all events in the stream of a room of this game; before it is known, for the first one."""
    if game and game not in GAMES:
        raise UnknownEvent(f"this release has no game {game}")
    return msgspec.json.Decoder(happened.AnyRoomEvent | GAMES[game].event if game else happened.RoomOpened)


def check(game: str, event: Event) -> None:
    """Raise `UnknownEvent` or `msgspec.ValidationError` for a game or options that this release does not know."""
    if not isinstance(event, happened.RoomEvent):
        return
    if isinstance(event, happened.RoomOpened):
        game = event.game
        if game not in GAMES:
            raise UnknownEvent(f"this release has no game {game}")
    if isinstance(event, happened.RoomOpened | happened.MatchStarted):
        msgspec.convert(event.options, GAMES[game].options)
    if isinstance(event, happened.PositionCopied | happened.MatchStarted) and event.position:
        event.position.events_of(GAMES[game])


def game_of(room: Room | None) -> str:
    """Return the game of a room, "" before it was opened."""
    return "" if room is None else room.table.game


class StoredEvent(msgspec.Struct, frozen=True, array_like=True):
    """An event of the match."""

    version: Version
    time: Millis
    command: Version
    match: int | None
    by: PlayerId | None
    event: msgspec.Raw


class StoredTurn(msgspec.Struct, frozen=True, array_like=True):
    """A turn that can be taken back, without the state before it."""

    seat: Seat
    version: Version
    clocks: Clocks
    dropped: dict[Seat, DropReason]
    acting: Seat | None
    last: int
    """The number of events of the latest command before it."""
    before: int  # the number of the match's events before it


class StoredMatch(msgspec.Struct, frozen=True):
    """The room's match: its events, from which its states are computed, and everything else."""

    number: int
    id: str
    first: Version
    started: Millis
    options: dict[str, Any]
    players: tuple[PlayerId | None, ...]
    settings: Settings
    clocks: Clocks
    seed: bytes
    salts: tuple[str, ...]
    rules_version: int
    next_draw: DrawNumber
    next_seed_hash: str | None
    layout: Layout | None
    dropped: dict[Seat, DropReason]
    revealed: tuple[Seat, ...]
    takebacks: int
    acting: Seat | None
    moved: Version
    last: int
    result: Result | None
    ended: Millis | None
    bots: BotOpponents | None
    sat: dict[PlayerId, SeatedAs]
    events: tuple[StoredEvent, ...]  # in games with simultaneous moves, only those of the latest command
    turns: tuple[StoredTurn, ...]
    state: msgspec.Raw  # the game's state in games with simultaneous moves, else null


class StoredRoom(msgspec.Struct, frozen=True):
    """A whole room."""

    table: Table
    match: StoredMatch | None
    version: Version
    time: Millis


NULL = msgspec.Raw(b"null")
ENCODER = msgspec.json.Encoder()


def stored_room(room: Room) -> StoredRoom:
    """Return the stored form of a room, without the nicknames to which it has references."""
    match = stored_match(room.match) if room.match else None
    return StoredRoom(nameless(room.table), match, room.version, room.time)


def nameless(table: Table) -> Table:
    """Return a table without the nicknames to which it has references."""
    members = {
        player: member if member.name_ref is msgspec.UNSET else replace(member, nickname="")
        for player, member in table.members.items()
    }
    return replace(table, members=members)


def room_of(stored: StoredRoom) -> Room:
    """Return a room from its stored form."""
    match = match_of(GAMES[stored.table.game], stored.match) if stored.match else None
    return Room(stored.table, match, stored.version, stored.time)


def parts_of(stored: StoredRoom) -> tuple[Any, ...]:
    """Return what determines the stored form besides `StoredRoom`: the types of the game, and its rules' version.

    Raises `LookupError` for an unknown game.
    """
    rules = GAMES[stored.table.game]
    return rules.options, rules.event, state_type(rules.slug), f"{rules.slug} {rules.rules_version}"


@cache
def state_type(game: str) -> Any:
    """Return the type of a game's state if it is stored, None if it is computed from the events."""
    rules = GAMES[game]
    return get_type_hints(rules.start)["return"] if rules.simultaneous else None


def stored_match(match: Match) -> StoredMatch:
    """Return the stored form of a match."""
    game = match.game
    return copied(
        StoredMatch,
        match,
        options=msgspec.to_builtins(match.options),
        last=len(match.last),
        events=tuple([stored_event(recorded) for recorded in (match.last if game.simultaneous else match.events)]),
        turns=tuple([stored_turn(turn) for turn in match.turns]),
        state=msgspec.Raw(ENCODER.encode(match.state)) if game.simultaneous else NULL,
    )


def stored_event(recorded: Recorded) -> StoredEvent:
    """Return the stored form of an event."""
    event = msgspec.Raw(ENCODER.encode(recorded.event))
    return StoredEvent(recorded.version, recorded.time, recorded.command, recorded.match, recorded.by, event)


def stored_turn(turn: TurnSnapshot) -> StoredTurn:
    """Return the stored form of a turn."""
    return StoredTurn(turn.seat, turn.version, turn.clocks, turn.dropped, turn.acting, len(turn.last), turn.before)


def match_of(game: AnyGame, stored: StoredMatch) -> Match:
    """Return a match from its stored form."""
    options: msgspec.Struct = convert(stored.options, game.options)
    events = [recorded_of(game, each) for each in stored.events]
    if game.simultaneous:
        states = [msgspec.json.decode(stored.state, type=state_type(game.slug))]
    else:
        states = states_of(game, options, events)
    return copied(
        Match,
        stored,
        game=game,
        options=options,
        state=states[-1],
        to_move=game.to_move(states[-1]),
        events=SharedPrefixList() if game.simultaneous else SharedPrefixList(events, len(events)),
        turns=SharedPrefixList([turn_of(turn, states, events) for turn in stored.turns], len(stored.turns)),
        last=tuple(events[len(events) - stored.last :]),
    )


def states_of(game: AnyGame, options: msgspec.Struct, events: Sequence[Recorded]) -> list[Any]:
    """Return the state before each event, and the state after the last one."""
    states = [game.start(options)]
    for recorded in events:
        states.append(game.evolve(states[-1], recorded.event))
    return states


def turn_of(stored: StoredTurn, states: Sequence[Any], events: Sequence[Recorded]) -> TurnSnapshot:
    """Return a turn with the state before it."""
    before = stored.before
    last = tuple(events[before - stored.last : before])
    state = states[before]
    return TurnSnapshot(stored.seat, stored.version, state, stored.clocks, stored.dropped, stored.acting, last, before)


def recorded_of(game: AnyGame, stored: StoredEvent) -> Recorded:
    """Return an event from its stored form."""
    event = events_of(game.slug).decode(stored.event)
    return Recorded(stored.version, stored.time, stored.command, stored.match, stored.by, event)


RECENT = 64
"""How many events are kept in memory for clients that reconnect; older ones are read from the store.

With many more, every move takes longer, because the event that it evicts is no longer in the CPU's caches.
"""

SNAPSHOT_EVERY = 500

ROOMS: StreamKind[Room] = StreamKind(
    event=happened.AnyRoomEvent,
    start=lambda _: cast("Room", None),
    evolve=evolve,
    variant=game_of,
    decoder_of=events_of,
    check=check,
    form=ROOM_EVENTS,
    snapshots=StreamSnapshots(
        StoredRoom,
        stored_room,
        room_of,
        size=lambda _: 0,
        least=SNAPSHOT_EVERY,
        parts=parts_of,
        after=(happened.MatchStarted,),
        keeps_earlier=True,
    ),
    due=due_at,
    has_idempotency=True,
    recent=RECENT,
    absent="no_such_room",
    was_unsigned=True,
)
"""The streams of rooms, one for each room that was ever opened; without a state until its first event."""
