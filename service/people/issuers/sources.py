"""Where the keys of an issuer come from, and when they are read again."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

import structlog

from service.people.issuers.keys import Keys, UnreadableKeys

log = structlog.get_logger()

FILE_INTERVAL = 2.0
"""Seconds between two looks whether a file has changed."""

FETCH_AGAIN = 600.0
"""Seconds after which keys are fetched again, so that those that an issuer has withdrawn end here."""

FETCH_INTERVAL = 60.0
"""The least number of seconds between two fetches, whatever ids of keys tokens name."""

RETRY_INTERVAL = 5.0
"""The same as long as there are no keys at all."""

Parse = Callable[[bytes], Keys]


class Fetch(Protocol):
    """Fetches what is at a URL."""

    async def __call__(self, url: str) -> bytes:
        """Return what is at a URL. Raises `OSError`."""

    async def close(self) -> None:
        """Close all connections."""


class KeySource(Protocol):
    """The keys of one issuer."""

    keys: Keys
    """The latest keys that could be read."""

    def is_known(self, kid: str) -> bool:
        """Return whether there are keys with this id; otherwise `refresh` may find them."""

    async def refresh(self) -> None:
        """Read the keys again if it is time for that; old ones stay if they cannot be read."""


class FileSource:
    """Keys in a file, which is read when it has changed."""

    def __init__(self, issuer: str, path: Path, parse: Parse, clock: Callable[[], float]) -> None:
        """Read the file for the first time. Raises `OSError` and `UnreadableKeys`."""
        self._issuer = issuer
        self._path = path
        self._parse = parse
        self._clock = clock
        self._looked_at = clock()
        self._version = self._current_version()
        self.keys = parse(path.read_bytes())

    def _current_version(self) -> tuple[int, int, int]:
        found = self._path.stat()
        return found.st_mtime_ns, found.st_size, found.st_ino

    def is_known(self, kid: str) -> bool:
        """Return whether there are keys with this id, and the file needs no look."""
        return kid in self.keys and self._clock() - self._looked_at < FILE_INTERVAL

    async def refresh(self) -> None:
        """Read the file if it has changed."""
        if self._clock() - self._looked_at < FILE_INTERVAL:
            return
        self._looked_at = self._clock()
        try:
            if (version := self._current_version()) != self._version:
                self.keys = self._parse(self._path.read_bytes())
                self._version = version
        except (OSError, UnreadableKeys) as failure:
            log.warning("issuer_keys_not_read", issuer=self._issuer, error=str(failure))


class UrlSource:
    """Keys at a URL, which are fetched at the first use, regularly, and for an unknown id."""

    def __init__(self, issuer: str, url: str, parse: Parse, fetch: Fetch, clock: Callable[[], float]) -> None:
        """Start without keys; `clock` returns seconds."""
        self._issuer = issuer
        self._url = url
        self._parse = parse
        self._fetch = fetch
        self._clock = clock
        self._fetched_at: float | None = None
        """When the latest fetch began."""
        self._fetching: asyncio.Task[None] | None = None
        self.keys: Keys = {}

    def is_known(self, kid: str) -> bool:
        """Return whether there are keys with this id; begin to fetch them again if they are old."""
        if self._is_due(FETCH_AGAIN) and self.keys:
            self._start()
        return kid in self.keys

    async def refresh(self) -> None:
        """Fetch the keys, unless that was tried less than a minute ago."""
        if self._fetching is None and self._is_due(FETCH_INTERVAL if self.keys else RETRY_INTERVAL):
            self._start()
        if self._fetching is not None:
            await asyncio.shield(self._fetching)

    def _is_due(self, seconds: float) -> bool:
        return self._fetched_at is None or self._clock() - self._fetched_at >= seconds

    def _start(self) -> None:
        if self._fetching is None:
            self._fetched_at = self._clock()
            self._fetching = asyncio.create_task(self._read())
            self._fetching.add_done_callback(self._end)

    def _end(self, fetching: asyncio.Task[None]) -> None:
        self._fetching = None
        if not fetching.cancelled() and (failure := fetching.exception()) is not None:
            log.error("issuer_keys_not_read", issuer=self._issuer, exc_info=failure)

    async def _read(self) -> None:
        try:
            self.keys = self._parse(await self._fetch(self._url))
        except (OSError, UnreadableKeys) as failure:
            log.warning("issuer_keys_not_read", issuer=self._issuer, error=str(failure))


class FixedSource:
    """Keys that do not change."""

    def __init__(self, keys: Keys) -> None:
        self.keys = keys

    def is_known(self, kid: str) -> bool:  # noqa: ARG002 - there are no others
        """Return true: there will be no other keys."""
        return True

    async def refresh(self) -> None:
        """Do nothing."""
