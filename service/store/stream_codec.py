"""The stored form of the events of streams other than rooms: one JSON array per entry, digests chained as in rooms.

    [format, time, source as its stream and version or null, event]

To change an event, raise `FORMAT` and add an upcaster.
"""

from collections.abc import Sequence
from functools import cache
from typing import Any

import msgspec

from service.domain.game import Event
from service.domain.room.model.ids import Millis
from service.domain.streams import Record, Source
from service.store.codec import UnknownEvent, Upcaster, chain_digest, upcast
from service.store.contract import Entry, Head

FORMAT = 1

UPCASTERS: dict[int, Upcaster] = {}
"""Upcasters by the format that they convert."""


class Envelope(msgspec.Struct, frozen=True, array_like=True):
    """An entry's JSON array."""

    format: int
    time: Millis
    source: Source | None
    event: msgspec.Raw


ENCODER = msgspec.json.Encoder()
ENVELOPE = msgspec.json.Decoder(Envelope)


def encode_records(head: Head, records: Sequence[Record]) -> tuple[Entry, ...]:
    """Return the entries of one command's records, which follow `head`."""
    digest, entries = head.digest, []
    for record in records:
        data = ENCODER.encode((FORMAT, record.time, record.source, record.event))
        digest = chain_digest(digest, data)
        entries.append(Entry(record.version, data, digest))
    return tuple(entries)


@cache
def decoder_of(event: Any) -> "msgspec.json.Decoder[Event]":
    """Return the decoder for a union of events."""
    return msgspec.json.Decoder(event)


def decode_record(event: Any, entry: Entry) -> Record:
    """Return the record of an entry; `event` is the union of the stream's events.

    Raises `UnknownEvent` for an event of a newer release.
    """
    try:
        envelope = ENVELOPE.decode(entry.data)
    except msgspec.ValidationError as misfit:
        raise UnknownEvent(str(misfit)) from misfit
    return Record(entry.version, envelope.time, decode_event(event, envelope.format, envelope.event), envelope.source)


def decode_event(event: Any, written: int, data: msgspec.Raw) -> Event:
    """Return an event that was written in one of the formats; `event` is the union of the stream's events.

    Raises `UnknownEvent` for an event of a newer release.
    """
    if written > FORMAT:
        raise UnknownEvent(f"this release cannot read format {written}")
    try:
        return decoder_of(event).decode(upcast(data, written, FORMAT, UPCASTERS))
    except msgspec.ValidationError as misfit:
        raise UnknownEvent(str(misfit)) from misfit
