"""Times in their wire form."""

from datetime import UTC, datetime
from functools import lru_cache

from service.domain.room.model.ids import Millis

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
