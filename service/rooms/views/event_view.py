"""Events in their wire form."""

from collections.abc import Iterable

import msgspec

from service.domain.caching import IdentityCache
from service.domain.game import Event, Seat
from service.domain.redaction import hidden_fields, redact
from service.domain.room.model.events import Recorded
from service.domain.room.model.ids import PlayerId, Version
from service.rooms.views.timestamps import rfc3339


class Place(msgspec.Struct, frozen=True, omit_defaults=True):
    """The first fields of an event in its wire form: its position and time, and whose command caused it."""

    version: Version
    time: str
    match: int | None = None
    by: PlayerId | None = None


def event_json(recorded: Recorded, seat: Seat | None) -> bytes:
    """Return an event in its wire form, as `seat` may know it (None: the public)."""
    return open_event(recorded) or encode_event(recorded, redact(recorded.event, seat))


def encode_event(recorded: Recorded, event: Event) -> bytes:
    """Return the wire form of an event; `event` is its redacted form."""
    place = Place(recorded.version, rfc3339(recorded.time), recorded.match, recorded.by)
    return msgspec.json.encode(place)[:-1] + b"," + msgspec.json.encode(event)[1:]


def public_json(recorded: Recorded) -> bytes | None:
    """Return the wire form of an event that is completely public, None for any other."""
    return None if hidden_fields(type(recorded.event)) else encode_event(recorded, recorded.event)


open_event = IdentityCache(public_json, size=256)
"""`public_json`, cached: the bytes are the same for everyone."""


def events_json(history: Iterable[Recorded], seat: Seat | None) -> bytes:
    """Return a list of events in their wire form."""
    return b"[" + b",".join([event_json(recorded, seat) for recorded in history]) + b"]"


def event_lines(history: Iterable[Recorded], seat: Seat | None) -> bytes:
    """Return events in their wire form, one per line."""
    return b"".join([event_json(recorded, seat) + b"\n" for recorded in history])
