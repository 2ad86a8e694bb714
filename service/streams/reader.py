"""Reading of the events that streams still have, each checked against the digests of the stream."""

from collections.abc import Sequence
from typing import Any

from service.domain.room.model.ids import Version
from service.domain.streams import Record
from service.store.contract import NOT_BEGUN, Entry, Head, Trimmed
from service.store.integrity import BrokenHistory, head_after
from service.streams.loaded import LoadedStream
from service.streams.repository import StreamRepository, damaged


class StreamReader:
    """Reads streams that this process has loaded."""

    def __init__(self, repository: StreamRepository[Any]) -> None:
        """Take the streams."""
        self._repository = repository
        self._store = repository.store

    async def read(self, stream: LoadedStream[Any], after: Version) -> list[Record]:
        """Return the events after a version, up to the one that this process has.

        Raises `ServiceError` (`history_damaged`, `newer_events`), and `Trimmed` if some of them were deleted.
        """
        head, last = await self._head_at(stream, after), stream.head
        entries = await self._store.read(stream.key, after, last.version - after) if last.version > after else []
        try:
            head = head_after(head, entries)
        except BrokenHistory as broken:
            raise damaged(stream.key, broken) from None
        if head != last:
            raise damaged(stream.key, f"version {last.version} differs from the one in this process")
        return [self._repository.decoded(stream, entry) for entry in entries]

    async def page(self, stream: LoadedStream[Any], after: Version, limit: int) -> list[Record]:
        """Return at most `limit` of the events after a version; otherwise like `read`."""
        head, last = await self._head_at(stream, after), stream.head
        entries = await self._store.read(stream.key, after, min(limit, last.version - after))
        return self._checked(stream, head, entries)

    def _checked(self, stream: LoadedStream[Any], head: Head, entries: Sequence[Entry]) -> list[Record]:
        """Return the events of entries that follow `head`."""
        try:
            head_after(head, entries)
        except BrokenHistory as broken:
            raise damaged(stream.key, broken) from None
        return [self._repository.decoded(stream, entry) for entry in entries]

    async def digest_at(self, stream: LoadedStream[Any], version: Version) -> bytes:
        """Return the digest at a version, as stored. Raises `Trimmed`."""
        return (await self._head_at(stream, version)).digest

    async def _head_at(self, stream: LoadedStream[Any], version: Version) -> Head:
        if version == 0:
            if stream.first > 1:
                raise Trimmed(version)
            return NOT_BEGUN
        if version == stream.head.version:
            return stream.head
        found: list[Entry] = await self._store.read(stream.key, Version(version - 1), 1)
        if not found:
            raise damaged(stream.key, f"version {version} is missing")
        return Head(version, found[0].digest)
