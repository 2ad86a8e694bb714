"""Events in their wire form."""

from collections.abc import Iterable
from functools import cache, partial

import msgspec

from service.domain.caching import IdentityCache
from service.domain.game import Event, Seat, hidden_fields, redact
from service.domain.ids import PlayerId, Version, rfc3339
from service.domain.room.model.events import Recorded, RoomEvent


class Place(msgspec.Struct, frozen=True, omit_defaults=True):
    """The first fields of an event in its wire form: its position and time, and whose command caused it."""

    version: Version
    time: str
    match: int | None = None
    by: PlayerId | None = None
    game: str | None = None
    """The game of a game's own event: some types of events have other fields in another game."""


def event_json(recorded: Recorded, seat: Seat | None, game: str) -> bytes:
    """Return an event of a room of this game in its wire form, as `seat` may know it (None: the public)."""
    return open_event(game)(recorded) or encode_event(recorded, redact(recorded.event, seat), game)


def encode_event(recorded: Recorded, event: Event, game: str) -> bytes:
    """Return the wire form of an event; `event` is its redacted form."""
    of_game = None if isinstance(event, RoomEvent) else game
    place = Place(recorded.version, rfc3339(recorded.time), recorded.match, recorded.by, of_game)
    return msgspec.json.encode(place)[:-1] + b"," + msgspec.json.encode(event)[1:]


def public_json(recorded: Recorded, game: str) -> bytes | None:
    """Return the wire form of an event that is completely public, None for any other."""
    return None if hidden_fields(type(recorded.event)) else encode_event(recorded, recorded.event, game)


@cache
def open_event(game: str) -> IdentityCache[Recorded, bytes | None]:
    """Return `public_json` for a game, cached: the bytes are the same for everyone."""
    return IdentityCache(partial(public_json, game=game), size=256)


def events_json(history: Iterable[Recorded], seat: Seat | None, game: str) -> bytes:
    """Return a list of events in their wire form."""
    return b"[" + b",".join([event_json(recorded, seat, game) for recorded in history]) + b"]"


def event_lines(history: Iterable[Recorded], seat: Seat | None, game: str) -> bytes:
    """Return events in their wire form, one per line."""
    return b"".join([event_json(recorded, seat, game) + b"\n" for recorded in history])
