"""A stream in the memory of a process; of some kinds, with the results of recent commands."""

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from itertools import islice
from math import inf
from typing import Generic, NamedTuple

import msgspec

from service.domain.ids import Millis, PlayerId, Version
from service.domain.streams import State, Stored, StreamKind, Summary
from service.store.contract import NOT_BEGUN, Head
from service.store.stream_keys import StreamKey

KEPT = 256
"""The minimum number of keys of a player that a stream remembers."""

KEPT_FOR = Millis(120_000)
"""The minimum time for which a stream remembers a key.

A request can wait in a suspended process while its sender repeats it elsewhere and continues. When the process
resumes, it must still recognize the request, however many commands the player has sent meanwhile.
"""

MOST_KEPT = 8_192
"""The maximum number of keys of a player that a stream remembers."""


class IdempotencyRecord(NamedTuple):
    """The result of a command with a key: its body's fingerprint, the versions of its events, and its time."""

    fingerprint: str
    first: Version
    last: Version
    time: Millis


ENCODER = msgspec.json.Encoder()
RECORD = msgspec.json.Decoder(IdempotencyRecord)
SAVED = msgspec.json.Decoder(dict[PlayerId, dict[str, msgspec.Raw]])


def forget(records: dict[str, bytes], before: Millis) -> None:
    """Remove a player's records from before a time, and those beyond the maximum, but none of the latest 256."""
    left = len(records)
    forgotten: list[str] = []
    for key, record in islice(records.items(), max(0, left - KEPT)):
        if left <= MOST_KEPT and RECORD.decode(record).time >= before:
            break
        forgotten.append(key)
        left -= 1
    for key in forgotten:
        del records[key]


class IdempotencyRecords:
    """The recent keys of each player in a stream, folded from the stream, oldest first.

    Each record is kept as a snapshot stores it, in JSON, which takes half the memory of a tuple: there are thousands,
    and few of them are ever needed.
    """

    def __init__(self, saved: bytes = b"") -> None:
        """Start empty, or with the records of a snapshot."""
        by_player = SAVED.decode(saved) if saved else {}
        self._by_player = {
            player: {key: bytes(record) for key, record in records.items()} for player, records in by_player.items()
        }

    def add(self, stored: Stored) -> None:
        """Add a record for the command that begins with this event, if it has a key."""
        key, recorded = stored.idempotency_key, stored.recorded
        if key is None or recorded.by is None:
            return
        records = self._by_player.setdefault(recorded.by, {})
        last = Version(recorded.version + stored.size - 1)
        record = IdempotencyRecord(key.fingerprint, recorded.version, last, recorded.time)
        records[key.value] = ENCODER.encode(record)
        forget(records, Millis(recorded.time - KEPT_FOR))

    def get(self, player: PlayerId | None, key: str) -> IdempotencyRecord | None:
        """Return the record of a player's command with this key, None if there is none."""
        record = None if player is None else self._by_player.get(player, {}).get(key)
        return None if record is None else RECORD.decode(record)

    def saved(self) -> bytes:
        """Return the records as a snapshot stores them."""
        return ENCODER.encode(
            {
                player: {key: msgspec.Raw(record) for key, record in records.items()}
                for player, records in self._by_player.items()
            }
        )


SNAPSHOT_EVERY = 256
"""After how many events another snapshot is stored at the earliest, unless the kind has a number of its own."""


class SummaryPosition(msgspec.Struct, frozen=True):
    """Where a summary is, and the time of the event before it."""

    version: Version
    until: Millis


class News(NamedTuple):
    """What notifications have announced: a version, and how often some may have been lost."""

    version: Version
    missed: int


class LoadedStream(Generic[State]):
    """One stream in memory. A writer holds `lock` from load to fold, so that events are applied in order."""

    def __init__(self, kind: StreamKind[State], key: StreamKey) -> None:
        """Start before the first event."""
        self.kind = kind
        self.key = key
        self.state = kind.start(key.name)
        self.head = NOT_BEGUN
        self.time = Millis(0)
        """The time of the latest event."""
        self.signed: Version | None = None
        """The first version with a MAC, None if there is none."""
        self.generation = 0
        """How often the history was replaced."""
        self.snapshot = Version(0)
        """The version of the latest snapshot that is known here, 0 if there is none."""
        self.recent: deque[Stored] = deque(maxlen=kind.recent)
        """The latest events, if the kind keeps them in memory."""
        self.idempotency = IdempotencyRecords() if kind.has_idempotency else None
        """The records of recent commands; None if the kind has none."""
        self.first = Version(1)
        """The version of the oldest event that is stored, if streams of the kind are trimmed."""
        self.summaries: tuple[SummaryPosition, ...] = ()
        """The summaries that are stored, oldest first."""
        self.unsummarised_since: Millis | None = None
        """The time of the first event after the latest summary, None if there is none."""
        self.lock = asyncio.Lock()
        self.notified_version = Version(0)
        """The latest version in a notification."""
        self.missed_notifications = 0
        """How often notifications may have been lost."""
        self.missed_and_read = 0
        """How often they had been when the stream was last compared with the store."""
        self.has_news = False
        """Whether events may be missing according to notifications."""
        self.confirmed = -inf
        """When the store had nothing more, by the clock of the event loop; -inf if that is not known."""
        self._due: tuple[State, Millis | None] | None = None

    @property
    def due(self) -> Millis | None:
        """When a worker has to act next, None if never."""
        return self.due_in(self.state)

    def due_in(self, state: State) -> Millis | None:
        """Return when a worker has to act in a state, which is computed once."""
        known = self._due
        if known is None or known[0] is not state:
            known = self._due = state, self.kind.due(state)
        return known[1]

    @property
    def news(self) -> News:
        """What notifications have announced until now, read or not."""
        return News(self.notified_version, self.missed_notifications)

    def announce(self, read: Callable[["LoadedStream[State]"], None], _: StreamKey, version: Version) -> None:
        """Handle a notification of a new version, 0 if some may have been lost; `read` is called if it is news.

        Who holds the lock reads the news, too.
        """
        if 0 < version <= self.head.version:
            return
        self.notified_version = max(self.notified_version, version)
        self.missed_notifications += not version
        self.has_news = True
        if not self.lock.locked():
            read(self)

    def _settle_news(self) -> None:
        is_missed = self.missed_notifications > self.missed_and_read
        self.has_news = is_missed or self.notified_version > self.head.version

    def confirm(self, asked: float, news: News) -> None:
        """Record that this is all that the store had when it was asked, after `news` had arrived."""
        self.confirmed = max(self.confirmed, asked)
        self.missed_and_read = max(self.missed_and_read, news.missed)
        if self.notified_version == news.version:  # otherwise a version that the store has lost would stay news
            self.notified_version = min(news.version, self.head.version)
        self._settle_news()

    def apply(self, stored: Stored) -> None:
        """Fold one more event."""
        self.advance((stored,), self.kind.evolve(self.state, stored.recorded))

    def advance(self, history: Sequence[Stored], state: State) -> None:
        """Append one or more events, after which the stream has this state."""
        last, kind = history[-1], self.kind
        self.state = state
        self.head = Head(last.recorded.version, last.digest)
        self.time = last.recorded.time
        if self.has_news:
            self._settle_news()
        if kind.recent:
            self.recent.extend(history)
        if self.idempotency is not None:
            for stored in history:
                if stored.idempotency_key is not None:
                    self.idempotency.add(stored)
        if kind.snapshots is None:
            for stored in history:
                self._note_summary(stored)

    def _note_summary(self, stored: Stored) -> None:
        event = stored.recorded.event
        if isinstance(event, Summary):
            self.summaries = (*self.summaries, SummaryPosition(stored.recorded.version, event.until))
            self.unsummarised_since = None
        elif self.unsummarised_since is None:
            self.unsummarised_since = stored.recorded.time

    def wants_snapshot(self, history: Sequence[Stored] = ()) -> bool:
        """Return whether a snapshot is worth its cost after these events: after some of them, or after many."""
        form, behind = self.kind.snapshots, self.head.version - self.snapshot
        if form is None:
            return False
        for stored in history:
            if type(stored.recorded.event) in form.after:
                return True
        return behind >= (form.least or SNAPSHOT_EVERY) and behind >= form.size(self.state)

    def replace_with(self, fresh: "LoadedStream[State]") -> None:
        """Replace everything with a stream that was loaded again."""
        self.state, self.head, self.first, self.time = fresh.state, fresh.head, fresh.first, fresh.time
        self.snapshot, self.signed, self.recent = fresh.snapshot, fresh.signed, fresh.recent
        self.summaries, self.unsummarised_since = fresh.summaries, fresh.unsummarised_since
        self.idempotency = fresh.idempotency
        self.generation += 1
        self._settle_news()

    def trim(self, version: Version) -> None:
        """Drop everything before a version."""
        self.first = max(self.first, version)
        self.summaries = tuple(summary for summary in self.summaries if summary.version >= version)

    def since(self, version: Version) -> list[Stored] | None:
        """Return the events after a version if all of them are in memory, else None."""
        missed = self.head.version - version
        if missed < 0 or missed > len(self.recent):
            return None
        return list(self.recent)[len(self.recent) - missed :]
