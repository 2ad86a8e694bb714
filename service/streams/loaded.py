"""A stream in the memory of a process."""

import asyncio
from typing import Generic

import msgspec

from service.domain.room.model.ids import Millis, Version
from service.domain.streams import Record, State, StreamKind, Summary
from service.store.contract import NOT_BEGUN, Entry, Head
from service.store.stream_codec import decode_record
from service.store.stream_keys import KindKey


class SummaryPosition(msgspec.Struct, frozen=True):
    """Where a summary is, and the time of the event before it."""

    version: Version
    until: Millis


class LoadedStream(Generic[State]):
    """One stream in memory. A writer holds `lock` from load to fold, so that events are applied in order."""

    def __init__(self, kind: StreamKind[State], key: KindKey) -> None:
        """Start before the first event."""
        self.kind = kind
        self.key = key
        self.state = kind.start(key.id)
        self.head = NOT_BEGUN
        self.first = Version(1)
        """The version of the oldest event that is stored."""
        self.time = Millis(0)
        """The time of the latest event."""
        self.summaries: tuple[SummaryPosition, ...] = ()
        """The summaries that are stored, oldest first."""
        self.snapshot = Version(0)
        """The version of the latest snapshot that is known here, 0 if there is none."""
        self.unsummarised_since: Millis | None = None
        """The time of the first event after the latest summary, None if there is none."""
        self.lock = asyncio.Lock()
        self.notified_version = Version(0)
        """The latest version in a notification."""
        self.missed_notifications = 0
        """How often notifications may have been lost since the last sync."""

    def apply(self, record: Record, digest: bytes) -> None:
        """Fold one more event."""
        self.state = self.kind.evolve(self.state, record)
        self.head = Head(record.version, digest)
        self.time = record.time
        if isinstance(record.event, Summary):
            self.summaries = (*self.summaries, SummaryPosition(record.version, record.event.until))
            self.unsummarised_since = None
        elif self.unsummarised_since is None:
            self.unsummarised_since = record.time

    def replace_with(self, fresh: "LoadedStream[State]") -> None:
        """Replace everything with a stream that was loaded again."""
        self.state, self.head, self.first, self.time = fresh.state, fresh.head, fresh.first, fresh.time
        self.snapshot = fresh.snapshot
        self.summaries, self.unsummarised_since = fresh.summaries, fresh.unsummarised_since

    def trim(self, version: Version) -> None:
        """Drop everything before a version."""
        self.first = max(self.first, version)
        self.summaries = tuple(summary for summary in self.summaries if summary.version >= version)

    def decode(self, entry: Entry) -> Record:
        """Return the record of an entry. Raises `UnknownEvent` for an event of a newer release."""
        return decode_record(self.kind.event, entry)
