"""Times in their wire form, and the outages of the service."""

from datetime import UTC, datetime
from functools import cache, lru_cache
from typing import Any, NamedTuple

import msgspec

from service.domain.ids import Millis

SECOND = 1000
DAY = 86_400 * SECOND

SILENCE = Millis(2_000)
"""Milliseconds without a heartbeat of any worker that count as an outage; workers send several in that time."""

MILLIS = tuple(f".{millis:03d}Z" for millis in range(1000))
"""The end of a time, by its milliseconds."""


@lru_cache(maxsize=4096)
def whole_second(second: int) -> str:
    """Return a time in UTC to the second, without the zone."""
    return datetime.fromtimestamp(second, UTC).strftime("%Y-%m-%dT%H:%M:%S")


@lru_cache(maxsize=4096)
def rfc3339(moment: Millis) -> str:
    """Return a time in UTC as RFC 3339 with milliseconds."""
    second, millis = divmod(moment, 1000)
    return whole_second(second) + MILLIS[millis]


def wire_form(value: msgspec.Struct) -> Any:
    """Return a struct with every `Moment` in it as RFC 3339, to be encoded; the same object if it has none."""
    fields = time_fields(type(value))
    if not fields:
        return value
    sent = {
        name: rfc3339(getattr(value, name)) if is_time else wire_form(getattr(value, name)) for name, is_time in fields
    }
    return msgspec.structs.replace(value, **sent)


@cache
def time_fields(kind: type[msgspec.Struct]) -> tuple[tuple[str, bool], ...]:
    """Return the fields of a struct that are a `Moment`, or else a struct with one."""
    found = []
    for field in msgspec.inspect.type_info(kind).fields:  # type: ignore[attr-defined]  # of a struct
        match field.type:
            case msgspec.inspect.Metadata(extra={"is_time": True}):
                found.append((field.name, True))
            case msgspec.inspect.StructType(cls=cls) if time_fields(cls):
                found.append((field.name, False))
    return tuple(found)


class Outage(NamedTuple):
    """A period in which no worker ran, or none reached the store."""

    since: Millis
    until: Millis


class Pulse(NamedTuple):
    """The workers' latest heartbeat, None before the first one, and the known outages."""

    beat: Millis | None = None
    outages: tuple[Outage, ...] = ()
