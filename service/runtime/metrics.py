"""All metrics, served at `/metrics`.

No label names a room or a player: such metrics would grow without limit and reveal who plays.
"""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import accumulate
from typing import Protocol
from weakref import WeakSet

from prometheus_client import REGISTRY, Counter, Gauge, Info, disable_created_metrics, generate_latest
from prometheus_client.core import CounterMetricFamily, HistogramMetricFamily
from prometheus_client.registry import Collector
from prometheus_client.utils import floatToGoString

disable_created_metrics()  # type: ignore[no-untyped-call]  # a series per counter that nobody reads


class LabelledCounter(Collector):
    """A counter with labels, incremented by the event loop's thread only and read by any thread."""

    def __init__(self, name: str, documentation: str, labels: tuple[str, ...]) -> None:
        """Register under this name, with one value per combination of labels that occurs."""
        self._name = name
        self._documentation = documentation
        self._labelnames = labels
        self.counts: defaultdict[tuple[str, ...], int] = defaultdict(int)
        """The values, for what is counted too often to call `count`."""
        REGISTRY.register(self)

    def count(self, *labels: str) -> None:
        """Increment the counter."""
        self.counts[labels] += 1

    def collect(self) -> Iterator[CounterMetricFamily]:
        """Yield the values for Prometheus."""
        family = CounterMetricFamily(self._name, self._documentation, labels=self._labelnames)
        for labels, number in list(self.counts.items()):
            family.add_metric(labels, number)
        yield family


class SecondsHistogram(Collector):
    """A histogram of durations, observed by the event loop's thread only and read by any thread.

    The library's own histogram takes a lock twice per observation, and a move has several.
    """

    def __init__(self, name: str, documentation: str, bounds: tuple[float, ...]) -> None:
        """Register under this name with these upper bounds in seconds, ascending."""
        self._name = name
        self._documentation = documentation
        self._bounds = bounds
        self._counts = [0] * (len(bounds) + 1)
        self._sum = 0.0
        REGISTRY.register(self)

    def observe(self, seconds: float) -> None:
        """Count a duration."""
        self._counts[bisect_left(self._bounds, seconds)] += 1
        self._sum += seconds

    def collect(self) -> Iterator[HistogramMetricFamily]:
        """Yield the histogram for Prometheus, in which each bucket includes all lower ones."""
        bounds = [floatToGoString(bound) for bound in (*self._bounds, float("inf"))]  # type: ignore[no-untyped-call]  # not typed in the library
        buckets = list(zip(bounds, accumulate(self._counts), strict=True))
        family = HistogramMetricFamily(self._name, self._documentation)
        family.add_metric([], buckets, self._sum)
        yield family


MEDIA_TYPE = "text/plain; version=0.0.4"
"""Without a charset, which Litestar adds to every text response."""

SHORT_BOUNDS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5)
"""Bounds in seconds for short operations."""
LONG_BOUNDS = (0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 300)
"""Bounds in seconds for delays."""

BUILD = Info("turnstream_build", "The release that is running.")
COMMANDS = LabelledCounter("turnstream_commands", "Commands, by type and result.", ("type", "result"))
COMMAND_SECONDS = SecondsHistogram("turnstream_command_seconds", "Time to process a command.", bounds=SHORT_BOUNDS)
APPEND_SECONDS = SecondsHistogram(
    "turnstream_append_seconds", "Time of an append in the store, including the network.", bounds=SHORT_BOUNDS
)
CONFLICTS = Counter("turnstream_conflicts", "Appends that were retried because another process changed the room.")
PROBLEMS = Counter("turnstream_problems", "Problems sent to clients, by code.", ("code",))
for alarming in ("store_full", "internal", "history_damaged", "newer_events"):
    PROBLEMS.labels(alarming)  # present from the start, so that an alert sees the first increase
BAD_SNAPSHOTS = Counter("turnstream_bad_snapshots", "Snapshots deleted because of a wrong MAC.")
PASSWORDS = Counter("turnstream_passwords", "Passwords, by result: hashed, dropped or refused.", ("result",))
SCRUBBED_ROOMS = Counter("turnstream_scrubbed_rooms", "Rooms read by the daily check of all rooms.")
DAMAGED_ROOMS = Gauge("turnstream_damaged_rooms", "Damaged rooms found by the last daily check.")
DAMAGED_VALUES = Counter(
    "turnstream_damaged_values",
    "Nicknames and derived values read with a wrong MAC or without one, by kind.",
    ("kind",),
)
for kind in ("names", "standings", "points", "results", "notable"):
    DAMAGED_VALUES.labels(kind)  # as above
STREAM_EVENTS = LabelledCounter(
    "turnstream_stream_events",
    "Events appended to streams other than rooms, by kind of stream and type: tokens, blocks, seeks, challenges, ...",
    ("stream", "event"),
)
TOKENS_REFUSED = LabelledCounter("turnstream_tokens_refused", "Tokens that were not accepted, by reason.", ("reason",))
DELIVERIES = Counter("turnstream_deliveries", "Events delivered to players, by result.", ("result",))
RATED_MATCHES = Counter("turnstream_rated_matches", "Matches rated, by rating list.", ("list",))
WEBHOOK_REQUESTS = Counter(
    "turnstream_webhook_requests",
    "Requests to endpoints of webhooks, by kind (challenge, event, replay) and result.",
    ("kind", "result"),
)
WEBHOOK_SECONDS = SecondsHistogram(
    "turnstream_webhook_seconds", "Time of a request to an endpoint of a webhook.", bounds=LONG_BOUNDS
)
HTTP_REQUESTS = LabelledCounter(
    "turnstream_http_requests",
    "Answers over HTTP, by route, method and class of status; `other` is no route.",
    ("route", "method", "status"),
)
RESUMES = Counter("turnstream_resumes", "Subscribers that resumed, by what they received.", ("got",))
CONNECTIONS = Gauge("turnstream_followers", "Open sockets and streams.", ("kind",))
QUEUED_FRAMES = Gauge("turnstream_queued_frames", "Frames queued for all subscribers.")
LONGEST_QUEUE = Gauge("turnstream_longest_queue", "Frames queued for the slowest subscriber.")
SLOW_READERS = Counter(
    "turnstream_slow_readers", "Slow subscribers that were sent a snapshot instead of queued frames."
)
SLOW_CLOSES = Counter("turnstream_slow_closes", "Subscribers disconnected because they remained too slow.")
STORE_QUEUE = Gauge("turnstream_store_queue", "Commands to the store that have no reply yet.")
STORE_SECONDS = SecondsHistogram(
    "turnstream_store_seconds", "Round-trip time to the store, measured regularly.", bounds=SHORT_BOUNDS
)
STORE_BREAKS = Counter("turnstream_store_breaks", "Connections to the store that were lost or failed.")
CLOCK_CORRECTION = Gauge(
    "turnstream_clock_correction_seconds", "Seconds added to the store's clock because it was adjusted."
)
STORE_MEMORY = Gauge("turnstream_store_memory_bytes", "Memory that the store uses, by node.", ("node",))
STORE_MEMORY_LIMIT = Gauge("turnstream_store_memory_limit_bytes", "The store's maxmemory, 0 for none.", ("node",))
ROOMS_REFUSED = Gauge("turnstream_rooms_refused", "1 while new rooms are refused because the store's memory is short.")
STORE_FILE = Gauge("turnstream_store_file_bytes", "The size of the store's append-only file, by node.", ("node",))
STORE_WRITES = Gauge("turnstream_store_writes_ok", "1 while the store can write its file, by node.", ("node",))
STORE_LOST = Gauge("turnstream_store_lost", "1 while the store has lost data and refuses writes.")
COUNTERS_DAMAGED = Gauge(
    "turnstream_counters_damaged", "Partitions that are read-only because their counter is damaged."
)
STORE_UNFIT = Gauge("turnstream_store_unfit", "1 while the store's configuration is not suitable.")
STORE_TAIL_LOST = Counter("turnstream_store_tail_lost", "Recent entries that the store has lost.")
STORE_REPLICAS = Gauge("turnstream_store_replicas", "Replicas that are connected, by node.", ("node",))
DISK_FREE = Gauge("turnstream_disk_free_bytes", "Free disk space at the backups and the store's files.", ("folder",))
BACKUP_TIME = Gauge("turnstream_backup_time_seconds", "Unix time of the latest backup.", ("folder",))
BACKUP_FAILURES = Gauge("turnstream_backup_failures", "Consecutive failed backups.", ("folder",))
BACKUP_DAMAGED = Gauge("turnstream_backup_damaged", "Damaged rooms missing from the latest backup.", ("folder",))
BACKUP_COMMAND_FAILURES = Gauge(
    "turnstream_backup_command_failures", "Consecutive failures of the command after a backup (--then).", ("folder",)
)
DUE_LATENESS = SecondsHistogram("turnstream_due_lateness_seconds", "Delay of scheduled actions.", bounds=LONG_BOUNDS)
EVENT_AGE = SecondsHistogram(
    "turnstream_event_age_seconds", "Age of events when they are queued for subscribers.", bounds=SHORT_BOUNDS
)
TASKS = Gauge("turnstream_tasks", "Tasks of the event loop.")
LOOP_LAG = SecondsHistogram("turnstream_loop_lag_seconds", "Delay of the event loop.", bounds=SHORT_BOUNDS)
ROOMS_IN_MEMORY = Gauge("turnstream_rooms_in_memory", "Rooms in memory.")


class Queue(Protocol):
    """A queue whose length is measured."""

    def depth(self) -> int:
        """Return the queue's length."""


SUBSCRIBER_QUEUES: "WeakSet[Queue]" = WeakSet()
"""The send queues of all subscribers."""
STORE_QUEUES: "WeakSet[Queue]" = WeakSet()
"""The queues of the connections to the store."""


def queue_depths(queues: "WeakSet[Queue]") -> list[int]:
    """Return the length of each queue; thread-safe."""
    while True:
        try:
            return [queue.depth() for queue in list(queues)]
        except RuntimeError:  # a queue was added meanwhile
            continue


QUEUED_FRAMES.set_function(lambda: sum(queue_depths(SUBSCRIBER_QUEUES)))
LONGEST_QUEUE.set_function(lambda: max(queue_depths(SUBSCRIBER_QUEUES), default=0))
STORE_QUEUE.set_function(lambda: sum(queue_depths(STORE_QUEUES)))


@contextmanager
def count_subscriber(kind: str) -> Iterator[None]:
    """Count a socket or stream while the context lasts."""
    CONNECTIONS.labels(kind).inc()
    try:
        yield
    finally:
        CONNECTIONS.labels(kind).dec()


def text() -> bytes:
    """Return all metrics in the Prometheus text format."""
    return generate_latest(REGISTRY)
