"""The outboxes: what streams have for other streams is delivered to the services of those, and then deleted."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import NamedTuple

import msgspec

from service.domain.game import Event
from service.domain.streams import Change, Source
from service.store.contract import Store
from service.store.outbox import OutboxEntry
from service.store.stream_keys import OutboxKey
from service.streams.errors import ServiceError

OUTBOX_PAGE = 256
"""How many entries of an outbox are delivered at a time."""


class Arrival(NamedTuple):
    """An event on its way to a stream, in its stored form."""

    source: Source
    event: msgspec.Raw


Arrivals = Mapping[str, Sequence[Arrival]]
"""The arriving events, by the id of the stream among those of its kind; in order for each source."""

Receiver = Callable[[Arrivals], Awaitable[None]]
"""Appends the arriving events, except those that arrived before."""


class Outboxes:
    """Delivers what is in the outboxes of a store."""

    def __init__(self, store: Store, receivers: Mapping[str, Receiver]) -> None:
        self._outbox = store.outbox
        self._receivers = receivers

    async def drain(self, key: OutboxKey) -> None:
        """Deliver everything in an outbox.

        Raises `StoreUnavailable`, and `ServiceError` (`newer_events`) for events of a newer release.
        """
        while not await self._outbox.settle(key.partition):
            entries = await self._outbox.pending(key.partition, OUTBOX_PAGE)
            by_kind = arrivals_by_kind(entries)
            if unknown := by_kind.keys() - self._receivers.keys():
                raise ServiceError("newer_events", params={"kinds": sorted(unknown)})
            await asyncio.gather(*(self._receivers[kind](arrivals) for kind, arrivals in by_kind.items()))
            if entries:
                await self._outbox.delete(key.partition, entries)


def arrivals_by_kind(entries: Sequence[OutboxEntry]) -> dict[str, dict[str, list[Arrival]]]:
    """Return what is delivered, by the kind and the id of the stream."""
    found: dict[str, dict[str, list[Arrival]]] = {}
    for entry in entries:
        source = Source(entry.source, entry.version)
        for delivery in entry.deliveries:
            found.setdefault(delivery.kind, {}).setdefault(delivery.to, []).append(Arrival(source, delivery.event))
    return found


def changes_of(arrivals: Sequence[Arrival], decoder: "msgspec.json.Decoder[Event]") -> list[Change]:
    """Return what to append for arrivals. Raises `ServiceError` (`newer_events`)."""
    try:
        return [Change(decoder.decode(arrival.event), arrival.source) for arrival in arrivals]
    except msgspec.ValidationError as misfit:
        raise ServiceError("newer_events", params={"event": str(misfit)}) from misfit
