"""Moments as the wire has them."""

from datetime import UTC, datetime
from functools import lru_cache

from service.domain.room.model.ids import Millis

MILLIS = tuple(f".{millis:03d}Z" for millis in range(1000))
"""How a moment ends, by its milliseconds."""


@lru_cache(maxsize=4096)
def whole_second(second: int) -> str:
    """Return the seconds' part of a moment in UTC, without the zone."""
    return datetime.fromtimestamp(second, UTC).strftime("%Y-%m-%dT%H:%M:%S")


@lru_cache(maxsize=4096)
def rfc3339(moment: Millis) -> str:
    """Return a moment in UTC as RFC 3339 with milliseconds."""
    second, millis = divmod(moment, 1000)
    return whole_second(second) + MILLIS[millis]
