"""Earlier states of streams that keep all of their events: from memory, from a snapshot, or folded from the events."""

from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, Generic, TypeVar

from service.domain.ids import Version
from service.domain.streams import State
from service.store.contract import Trimmed
from service.streams.errors import ServiceError
from service.streams.loaded import LoadedStream
from service.streams.reader import PAGE, damaged
from service.streams.repository import StreamRepository
from service.streams.snapshots import pack

T = TypeVar("T")

POSITIONS = 64
"""The number of recently requested positions that are kept in memory."""

NEAR = 64
"""A kept position is used for versions up to this many events after it, as when a client steps through a match."""


class StreamHistory(Generic[State]):
    """Reads earlier states. Methods raise `ServiceError` (`history_damaged`, `newer_events`, `trimmed`)."""

    def __init__(self, repository: StreamRepository[State]) -> None:
        """Read streams of a repository."""
        self._repository = repository
        self._reader = repository.reader
        self._positions: OrderedDict[tuple[LoadedStream[State], int, Version], LoadedStream[State]] = OrderedDict()
        """By the stream, its generation, and the version."""

    async def at(self, live: LoadedStream[State], version: Version) -> State:
        """Return the state at a version. Raises `ServiceError` (`no_such_version`) in addition."""
        if version == live.head.version:
            return live.state
        if not 1 <= version <= live.head.version:
            raise ServiceError("no_such_version", version=live.head.version)
        near = self._near(live, version)
        if near is not None and near.head.version == version:
            return near.state
        there = await self.proven(live, lambda: self._folded_to(live, version, near))
        self._positions[live, live.generation, version] = there
        if len(self._positions) > POSITIONS:
            self._positions.popitem(last=False)
        return there.state

    def _near(self, live: LoadedStream[State], version: Version) -> LoadedStream[State] | None:
        """Return the closest kept position at or shortly before a version."""
        versions = [at for room, generation, at in self._positions if room is live and generation == live.generation]
        closest = max((at for at in versions if version - NEAR <= at <= version), default=None)
        if closest is None:
            return None
        self._positions.move_to_end((live, live.generation, closest))
        return self._positions[live, live.generation, closest]

    async def _folded_to(
        self, live: LoadedStream[State], version: Version, near: LoadedStream[State] | None
    ) -> LoadedStream[State]:
        """Return the stream at a version, folded from a position shortly before it if one is known. Raises `Trimmed`.

        Snapshots on the way are stored, for the next request.
        """
        there = self._repository.new(live.key)
        start = near or await self._reader.snapshot(live.key, version)
        if start is not None:
            there.replace_with(start)
        there.idempotency, there.signed = None, live.signed
        while there.head.version < version:
            limit = min(PAGE, version - there.head.version)
            for entry in await self._reader.page(live, there.head, limit):
                stored = await self._reader.fold_next(there, entry)
                if there.wants_snapshot() and live.kind.form.ends_command(stored):
                    there.snapshot = there.head.version
                    await self._repository.save_snapshot(there, pack(self._repository.store.signer, there))
        if not there.head.version:
            raise damaged(live.key, "there is no first event")
        there.recent.clear()
        return there

    async def history(self, live: LoadedStream[State], after: Version, limit: int | None = None) -> list[Any]:
        """Return up to `limit` events after a version."""
        if (at_hand := live.since(after)) is not None:
            return [stored.recorded for stored in at_hand[:limit]]
        last = live.head.version if limit is None else Version(min(live.head.version, after + limit))
        return [recorded async for page in self.pages(live, after, last) for recorded in page]

    async def pages(self, live: LoadedStream[State], after: Version, last: Version) -> AsyncIterator[list[Any]]:
        """Yield the events after a version up to another one, page by page."""
        while after < last:
            page = await self.proven(live, lambda after=after: self._reader.next_page(live, after, last))  # type: ignore[misc]  # mypy knows no default of a lambda
            yield [stored.recorded for stored in page]
            after = page[-1].recorded.version

    async def proven(self, live: LoadedStream[State], read: Callable[[], Awaitable[T]]) -> T:
        """Return the result of a read; read again if the history was replaced meanwhile."""
        generation = live.generation
        try:
            return await read()
        except Trimmed:
            raise ServiceError("trimmed", version=live.head.version) from None
        except ServiceError:
            await self._repository.refresh(live)
            if live.generation == generation:
                raise
        return await read()
