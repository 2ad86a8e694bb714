"""Snapshots: the state of a room at a version, with a MAC, and with a fingerprint of its format.

    <format> <game> <fingerprint of the stored types> <digest> <MAC> <the room as JSON>

A snapshot of another format, of other types or with an unknown key is ignored, and the room is folded from its events.
A snapshot whose MAC does not match was changed: it is deleted, counted and logged, and ignored as well.
"""

from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from typing import Any, get_type_hints

import msgspec
import structlog
from msgspec.structs import replace

from service.domain.catalog import GAMES, AnyGame
from service.domain.chance import DrawNumber
from service.domain.game import DropReason, Seat
from service.domain.room.model.bot_opponents import BotOpponents
from service.domain.room.model.clock import Clocks
from service.domain.room.model.events import Recorded, Result
from service.domain.room.model.ids import Millis, PlayerId, RoomKey, Version
from service.domain.room.model.settings import Settings
from service.domain.room.model.shared_prefix_list import SharedPrefixList
from service.domain.room.model.state import Layout, Match, Room, Table, TurnSnapshot
from service.domain.validation import convert
from service.rooms.loading.idempotency import IdempotencyRecords
from service.rooms.loading.nicknames import name_room, nameless
from service.rooms.loading.type_fingerprints import fingerprint
from service.store.codec import events_of
from service.store.contract import Head, Snapshot, Store, StoreUnavailable
from service.store.signing import IDEMPOTENCY, SNAPSHOT, Signer
from service.telemetry import metrics

log = structlog.get_logger()

FORMAT = b"3"
"""Raise this when the fold of the same events gives another room, or other idempotency records."""


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
    events: tuple[StoredEvent, ...]  # in games with simultaneous moves, only those of the latest command
    turns: tuple[StoredTurn, ...]
    state: msgspec.Raw  # the game's state in games with simultaneous moves, else null


class StoredRoom(msgspec.Struct, frozen=True):
    """A whole room."""

    table: Table
    match: StoredMatch | None
    version: Version
    time: Millis
    signed: Version | None
    """The first version with a MAC."""


class Restored(msgspec.Struct, frozen=True):
    """The content of a snapshot: the room, its head, and the first version with a MAC."""

    room: Room
    head: Head
    signed: Version | None
    idempotency: IdempotencyRecords | None
    """None unless it is the room's latest snapshot."""


ALIKE = tuple(
    name for name in StoredMatch.__struct_fields__ if name not in {"options", "last", "events", "turns", "state"}
)
"""The fields of a match that are stored unchanged."""

NULL = msgspec.Raw(b"null")
ENCODER = msgspec.json.Encoder()
ROOM = msgspec.json.Decoder(StoredRoom)


class BadSnapshot(Exception):  # noqa: N818 - what was found
    """A snapshot that was changed, or not written by this installation. The message says what is wrong with it."""


def pack(
    signer: Signer, room: Room, digest: bytes, signed: Version | None, idempotency: IdempotencyRecords | None
) -> Snapshot:
    """Return the snapshot of a room; only one with idempotency records can be used to load the room."""
    key = room.table.key
    match = stored_match(room.match) if room.match else None
    body = ENCODER.encode(StoredRoom(nameless(room.table), match, room.version, room.time, signed))
    kind = b"%b %b %b" % (FORMAT, room.table.game.encode(), types_of(room.table.game))
    mac = signer.sign(SNAPSHOT, key, room.version, kind, digest, body)
    data = b"%b %b %b %b" % (kind, digest.hex().encode(), mac.hex().encode(), body)
    return Snapshot(room.version, data, pack_records(signer, key, Head(room.version, digest), idempotency))


def pack_records(signer: Signer, key: RoomKey, head: Head, idempotency: IdempotencyRecords | None) -> bytes:
    """Return idempotency records in their stored form, b"" for None."""
    if idempotency is None:
        return b""
    saved = idempotency.saved()
    mac = signer.sign(IDEMPOTENCY, key, head.version, FORMAT, head.digest, saved)
    return b"%b %b %b" % (FORMAT, mac.hex().encode(), saved)


def unpacked(signer: Signer, key: RoomKey, snapshot: Snapshot) -> Restored | None:
    """Return the content of a snapshot, None if it is not one of this release. Raises `BadSnapshot`."""
    form, game, types, rest = (*snapshot.data.split(b" ", 3), b"", b"", b"")[:4]
    if form != FORMAT or game.decode(errors="replace") not in GAMES or types != types_of(game.decode()):
        return None
    try:
        digest, mac, body = rest.split(b" ", 2)
        head = Head(snapshot.version, bytes.fromhex(digest.decode()))
        fits = signer.check(
            bytes.fromhex(mac.decode()), SNAPSHOT, key, head.version, b" ".join((form, game, types)), head.digest, body
        )
    except ValueError as fault:
        raise BadSnapshot(f"it cannot be read: {fault}") from None
    if fits is None:
        return None
    if not fits:
        raise BadSnapshot("its MAC does not match")
    stored = ROOM.decode(body)
    match = match_of(GAMES[stored.table.game], stored.match) if stored.match else None
    room = Room(stored.table, match, stored.version, stored.time)
    return Restored(room, head, stored.signed, unpack_records(signer, key, head, snapshot.idempotency))


def unpack_records(signer: Signer, key: RoomKey, head: Head, kept: bytes) -> IdempotencyRecords | None:
    """Return the idempotency records of a snapshot, None if it has none. Raises `BadSnapshot`."""
    if not kept:
        return None
    try:
        form, mac, saved = kept.split(b" ", 2)
        fits = signer.check(bytes.fromhex(mac.decode()), IDEMPOTENCY, key, head.version, form, head.digest, saved)
    except ValueError as fault:
        raise BadSnapshot(f"its idempotency records cannot be read: {fault}") from None
    if not fits:
        raise BadSnapshot("the MAC of its idempotency records does not match")
    return IdempotencyRecords(saved)


@cache
def types_of(game: str) -> bytes:
    """Return the fingerprint of all types in a snapshot of a room of this game, and of the version of its rules."""
    rules = GAMES[game]
    return fingerprint(StoredRoom, rules.options, rules.event, state_type(game), salt=str(rules.rules_version))


@cache
def state_type(game: str) -> Any:
    """Return the type of a game's state if it is stored, None if it is computed from the events."""
    rules = GAMES[game]
    return get_type_hints(rules.start)["return"] if rules.simultaneous else None


def stored_match(match: Match) -> StoredMatch:
    """Return the stored form of a match."""
    game = match.game
    return StoredMatch(
        **{name: getattr(match, name) for name in ALIKE},
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
    return Match(
        **{name: getattr(stored, name) for name in ALIKE},
        game=game,
        options=options,
        state=states[-1],
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


async def drop_bad(store: Store, key: RoomKey) -> None:
    """Delete all bad snapshots of a room."""
    snapshot = await store.snapshot(key)
    while snapshot is not None:
        version = snapshot.version
        try:
            unpacked(store.signer, key, snapshot)
        except BadSnapshot as bad:
            await drop(store, key, version, bad)
        snapshot = await store.snapshot(key, Version(version - 1))


async def drop(store: Store, key: RoomKey, version: Version, bad: BadSnapshot) -> None:
    """Delete a bad snapshot, count it, and log the reason; if the store cannot delete it now, it is only ignored."""
    metrics.BAD_SNAPSHOTS.inc()
    log.error("snapshot_dropped", room=key.name, epoch=key.epoch, version=version, why=str(bad))
    with suppress(StoreUnavailable):
        await store.drop_snapshot(key, version)


async def newest(store: Store, key: RoomKey, at: Version | None = None) -> Restored | None:
    """Return the content of the newest valid snapshot (up to a version), and delete bad ones."""
    while (snapshot := await store.snapshot(key, at)) is not None:
        try:
            if (restored := unpacked(store.signer, key, snapshot)) is not None:
                return replace(restored, room=await name_room(store.player_names, restored.room))
        except BadSnapshot as bad:
            await drop(store, key, snapshot.version, bad)
        at = Version(snapshot.version - 1)
    return None
