"""Events as they stand on the wire."""

from collections.abc import Iterable

import msgspec

from service.domain.caching import IdentityCache
from service.domain.game import Event, Seat
from service.domain.redaction import hidden_fields, redact
from service.domain.room.model.events import Recorded
from service.domain.room.model.ids import PlayerId, Version
from service.rooms.views.timestamps import rfc3339


class Place(msgspec.Struct, frozen=True, omit_defaults=True):
    """Where and when an event stands, and who commanded it: what the wire tells of it first."""

    version: Version
    time: str
    match: int | None = None
    by: PlayerId | None = None


def event_json(recorded: Recorded, seat: Seat | None) -> bytes:
    """Return an event on the wire as `seat` (or the public) may know it."""
    return open_event(recorded) or written(recorded, redact(recorded.event, seat))


def written(recorded: Recorded, event: Event) -> bytes:
    """Return an event on the wire, with where and when it stands."""
    place = Place(recorded.version, rfc3339(recorded.time), recorded.match, recorded.by)
    return msgspec.json.encode(place)[:-1] + b"," + msgspec.json.encode(event)[1:]


def written_to_all(recorded: Recorded) -> bytes | None:
    """Return an event on the wire, None for one of which not everyone may know everything."""
    return None if hidden_fields(type(recorded.event)) else written(recorded, recorded.event)


open_event = IdentityCache(written_to_all, size=256)
"""The same bytes for everyone, worked out once."""


def events_json(history: Iterable[Recorded], seat: Seat | None) -> bytes:
    """Return a list of events on the wire."""
    return b"[" + b",".join([event_json(recorded, seat) for recorded in history]) + b"]"


def event_lines(history: Iterable[Recorded], seat: Seat | None) -> bytes:
    """Return events on the wire as one line each."""
    return b"".join([event_json(recorded, seat) + b"\n" for recorded in history])
