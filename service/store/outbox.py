"""The contract of the outboxes: what a stream's append leaves for workers to deliver to other streams.

A stream and the streams to which its events are delivered are in different partitions, which no script can write
together. So each append writes its deliveries to the outbox of its own partition, in the same atomic step, and makes
that outbox due. A worker delivers them in order, and deletes them afterwards. A delivery is repeated if the worker is
killed in between; its source and version show the receiving stream that it already has it.
"""

from collections.abc import Sequence
from typing import Protocol

import msgspec

from service.domain.ids import Version
from service.store.stream_keys import PLAYER


class Delivery(msgspec.Struct, frozen=True, array_like=True):
    """An event for another stream (encoded)."""

    to: str
    """The id of that stream among those of its kind."""
    event: msgspec.Raw
    kind: str = PLAYER


class OutboxEntry(msgspec.Struct, frozen=True):
    """The deliveries of one append, in an outbox."""

    id: str
    """Its id in the outbox; later entries have greater ids."""
    source: str
    """The stream that was appended to: for a room `<name>:<epoch>`."""
    version: Version
    """The version of the last event of that append. The deliveries of a source have increasing versions."""
    deliveries: tuple[Delivery, ...]


DELIVERIES = msgspec.json.Decoder(tuple[Delivery, ...])
ENCODER = msgspec.json.Encoder()
"""Encodes the deliveries of one append, of which there is at least one: tuples of the fields of `Delivery`."""


class Outbox(Protocol):
    """The outboxes of all partitions. Every method may raise `StoreUnavailable`."""

    async def pending(self, partition: int, limit: int) -> list[OutboxEntry]:
        """Return the oldest entries of a partition's outbox."""

    async def delete(self, partition: int, entries: Sequence[OutboxEntry]) -> None:
        """Delete entries that were delivered."""

    async def settle(self, partition: int) -> bool:
        """Remove a partition's outbox from the due set if it is empty. Return whether it was empty."""
