"""The stored form of events: one JSON array per entry, whose digest is chained to the one before.

[format, the fields of the kind's envelope ..., event]
"""

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from service.domain.game import Event
from service.domain.streams import IdempotencyKey, Stored, StreamKind, UnknownEvent, Upcaster
from service.store.contract import Entry, Head

ENCODER = msgspec.json.Encoder()


def chain_digest(digest: bytes, data: bytes) -> bytes:
    """Return the digest of a stream after one more entry (BLAKE2b, 16 bytes)."""
    return hashlib.blake2b(digest + data, digest_size=16).digest()


def encode_command(
    kind: StreamKind[Any], head: Head, records: Sequence[Any], key: IdempotencyKey | None = None
) -> tuple[list[Stored], tuple[Entry, ...]]:
    """Return the records of one command as stored after `head`, and their entries."""
    form, digest, size = kind.form, head.digest, len(records)
    stored, entries = [], []
    for record in records:
        data = ENCODER.encode((form.format, *form.pack(record, size, key)))
        digest = chain_digest(digest, data)
        stored.append(Stored(record, digest, key, size))
        entries.append(Entry(record.version, data, digest))
        key = None  # only the first event has it
    return stored, tuple(entries)


def decode(kind: StreamKind[Any], variant: str, entry: Entry) -> Stored:
    """Return the event of an entry in a stream of a kind and variant.

    Raises `UnknownEvent` for an event of a newer release.
    """
    try:
        envelope = kind.form.decoder.decode(entry.data)
    except msgspec.ValidationError as misfit:
        raise UnknownEvent(str(misfit)) from misfit
    event = decode_event(kind, variant, envelope.format, envelope.event)
    return kind.form.unpack(entry.version, entry.digest, envelope, event)


def decode_event(kind: StreamKind[Any], variant: str, written: int, data: msgspec.Raw) -> Event:
    """Return an event that was written in one of the formats, in this release's format. Raises `UnknownEvent`."""
    if written > kind.form.format:
        raise UnknownEvent(f"this release cannot read format {written}")
    decoder = kind.decoder if kind.decoder_of is None else kind.decoder_of(variant)
    try:
        event = decoder.decode(upcast(data, written, kind.form.format, kind.form.upcasters))
        if kind.check is not None:
            kind.check(variant, event)
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
