"""The stored form of events: one JSON array per entry, whose digest is chained to the one before.

    [format, time, command's index, command's size, match, by, key, fingerprint, event]

Only a command's first event has `key` and `fingerprint`. To change an event, raise `FORMAT` and add an upcaster.
"""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

import msgspec
from msgspec.structs import replace

from service.domain.catalog import GAMES
from service.domain.game import Event
from service.domain.room.model.events import AnyRoomEvent, MatchStarted, PlayerJoined, Recorded, RoomOpened
from service.domain.room.model.ids import Millis, PlayerId, Version
from service.domain.room.model.invitation import InvitationDeclined
from service.store.contract import Entry, Head

FORMAT = 2


def with_defaults(event: dict[str, Any]) -> dict[str, Any]:
    """Return the event unchanged: format 2 only added fields, which have defaults."""
    return event


Upcaster = Callable[[dict[str, Any]], dict[str, Any]]
"""Converts an event of one format to the next one."""

UPCASTERS: dict[int, Upcaster] = {1: with_defaults}
"""Upcasters by the format that they convert."""


class IdempotencyKey(msgspec.Struct, frozen=True):
    """The idempotency key of a command, with the fingerprint of the command's body."""

    value: str
    fingerprint: str


class Stored(msgspec.Struct, frozen=True):
    """An event as read from the store, with its digest and its command."""

    recorded: Recorded
    digest: bytes
    idempotency_key: IdempotencyKey | None
    """Only on the first event of a command with an idempotency key."""
    size: int
    """The number of events of the command."""


class UnknownEvent(Exception):  # noqa: N818 - a finding, not a failure
    """An entry was written by a newer release. This release cannot read it, and never writes to its room."""


class Envelope(msgspec.Struct, frozen=True, array_like=True):
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


def chain_digest(digest: bytes, data: bytes) -> bytes:
    """Return the digest of a stream after one more entry (BLAKE2b, 16 bytes)."""
    return hashlib.blake2b(digest + data, digest_size=16).digest()


def encode_command(
    head: Head, history: Sequence[Recorded], key: IdempotencyKey | None
) -> tuple[list[Stored], tuple[Entry, ...]]:
    """Return the events of one command as stored after `head`, and their entries."""
    digest, size = head.digest, len(history)
    stored, entries = [], []
    for index, recorded in enumerate(history):
        data = encode(recorded, index, size, key)
        digest = chain_digest(digest, data)
        stored.append(Stored(recorded, digest, key, size))
        entries.append(Entry(recorded.version, data, digest))
        key = None  # only the first event has it
    return stored, tuple(entries)


def encode(recorded: Recorded, index: int, size: int, key: IdempotencyKey | None) -> bytes:
    """Return an entry's bytes."""
    return ENCODER.encode(
        (
            FORMAT,
            recorded.time,
            index,
            size,
            recorded.match,
            recorded.by,
            key and key.value,
            key and key.fingerprint,
            without_name(event) if isinstance(event := recorded.event, PlayerJoined | InvitationDeclined) else event,
        )
    )


def without_name(event: PlayerJoined | InvitationDeclined) -> Event:
    """Return an event without the nickname in it if it has a reference to that."""
    return event if event.name_ref is msgspec.UNSET else replace(event, nickname="")


ENCODER = msgspec.json.Encoder()
ENVELOPE = msgspec.json.Decoder(Envelope)
OPENED = msgspec.json.Decoder(RoomOpened)


@cache
def events_of(game: str) -> "msgspec.json.Decoder[Event]":
    """Return the decoder for all events in the stream of a room of this game."""
    return msgspec.json.Decoder(AnyRoomEvent | GAMES[game].event)


def game_of(first: Entry) -> str:
    """Return the game of a stream by its first entry. Raises `UnknownEvent`."""
    envelope = envelope_of(first)
    try:
        game = OPENED.decode(envelope.event).game
    except msgspec.ValidationError as misfit:
        raise UnknownEvent(str(misfit)) from misfit
    if game not in GAMES:
        raise UnknownEvent(f"this release has no game {game}")
    return game


def envelope_of(entry: Entry) -> Envelope:
    """Return the array of an entry. Raises `UnknownEvent`."""
    try:
        return ENVELOPE.decode(entry.data)
    except msgspec.ValidationError as misfit:
        raise UnknownEvent(str(misfit)) from misfit


def decode(game: str, entry: Entry) -> Stored:
    """Return the event of an entry. Raises `UnknownEvent` for one of a newer release."""
    envelope = envelope_of(entry)
    key = None if envelope.key is None else IdempotencyKey(envelope.key, envelope.fingerprint or "")
    recorded = Recorded(
        version=entry.version,
        time=envelope.time,
        command=Version(entry.version - envelope.index),
        match=envelope.match,
        by=envelope.by,
        event=event_of(game, envelope),
    )
    return Stored(recorded, entry.digest, key, envelope.size)


def event_of(game: str, envelope: Envelope) -> Event:
    """Return the event of an entry, converted to this release's format."""
    if envelope.format > FORMAT or game not in GAMES:
        raise UnknownEvent(f"this release cannot read format {envelope.format}, in a room of the game {game}")
    try:
        event = events_of(game).decode(upcast(envelope.event, envelope.format, FORMAT, UPCASTERS))
        if isinstance(event, RoomOpened | MatchStarted):
            msgspec.convert(event.options, GAMES[game].options)
    except msgspec.ValidationError as misfit:
        raise UnknownEvent(str(misfit)) from misfit
    return event


def upcast(event: msgspec.Raw, written: int, current: int, upcasters: Mapping[int, Upcaster]) -> bytes | msgspec.Raw:
    """Return an event's JSON, which was written in one format, in the current one."""
    if written == current:
        return event
    fields = msgspec.json.decode(event)
    for version in range(written, current):
        fields = upcasters[version](fields)
    return msgspec.json.encode(fields)
