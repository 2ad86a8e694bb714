"""The metrics, all in one place: what is counted, in which units, and by what. Served at `/metrics`.

A count by room or by player would grow for ever and tell who plays, so no label ever names one.
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol
from weakref import WeakSet

from prometheus_client import REGISTRY, Counter, Gauge, Info, generate_latest

from service.telemetry.counters import Counts
from service.telemetry.histograms import Seconds

MEDIA_TYPE = "text/plain; version=0.0.4"
"""Without the character set, which is named in every answer that is a text."""

QUICK = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5)
"""Bounds in seconds for what should take no time."""
LATE = (0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 300)
"""Bounds in seconds for what waits for somebody."""

BUILD = Info("turnstream_build", "Which release runs.")
COMMANDS = Counts("turnstream_commands", "Commands to rooms, by what they ask and how it went.", ("type", "result"))
COMMAND_SECONDS = Seconds("turnstream_command_seconds", "From a command's check to its answer.", bounds=QUICK)
APPEND_SECONDS = Seconds("turnstream_append_seconds", "From an append's sending to the store's answer.", bounds=QUICK)
CONFLICTS = Counter("turnstream_conflicts", "Appends that another process's were faster than.")
PROBLEMS = Counter("turnstream_problems", "Refusals and failures as clients were told, by their code.", ("code",))
for alarming in ("store_full", "internal", "history_damaged", "newer_events"):
    PROBLEMS.labels(alarming)  # there from the start: what appears with a 1 has not increased for whoever watches it
BAD_SNAPSHOTS = Counter("turnstream_bad_snapshots", "Snapshots that were deleted because their MAC did not fit.")
PASSWORDS = Counter("turnstream_passwords", "Passwords, by whether they were hashed, dropped or refused.", ("result",))
SCRUBBED_ROOMS = Counter("turnstream_scrubbed_rooms", "Rooms that the daily check of all rooms has read.")
DAMAGED_ROOMS = Gauge("turnstream_damaged_rooms", "Rooms that it found damaged when it last read them.")
RESUMES = Counter("turnstream_resumes", "Readers that came back with a place, by what they got.", ("got",))
FOLLOWERS = Gauge("turnstream_followers", "Who follows rooms now, by socket or stream.", ("kind",))
QUEUED_FRAMES = Gauge("turnstream_queued_frames", "Frames that wait for slow readers.")
LONGEST_QUEUE = Gauge("turnstream_longest_queue", "Frames that wait for the slowest reader.")
SLOW_READERS = Counter("turnstream_slow_readers", "Readers that were moved on to a snapshot, being too slow.")
SLOW_CLOSES = Counter("turnstream_slow_closes", "Readers that were closed because they stayed too slow.")
STORE_QUEUE = Gauge("turnstream_store_queue", "Commands to the store that are sent or wait and have no answer yet.")
STORE_SECONDS = Seconds("turnstream_store_seconds", "A round trip to the store, looked at regularly.", bounds=QUICK)
STORE_BREAKS = Counter("turnstream_store_breaks", "Connections to the store that ended or could not be made.")
CLOCK_CORRECTION = Gauge("turnstream_clock_correction_seconds", "Added to the store's clock, which was set meanwhile.")
STORE_MEMORY = Gauge("turnstream_store_memory_bytes", "Memory that the store uses, by node.", ("node",))
STORE_MEMORY_LIMIT = Gauge("turnstream_store_memory_limit_bytes", "The store's maxmemory, 0 for none.", ("node",))
STORE_FILE = Gauge("turnstream_store_file_bytes", "The size of the store's append-only file, by node.", ("node",))
STORE_WRITES = Gauge("turnstream_store_writes_ok", "1 while the store can write its file, by node.", ("node",))
STORE_LOST = Gauge("turnstream_store_lost", "1 while the store has lost data and nothing is written to it.")
STORE_UNFIT = Gauge("turnstream_store_unfit", "1 while the store's settings don't do for this process.")
STORE_TAIL_LOST = Counter("turnstream_store_tail_lost", "Entries of the last moments that the store has lost.")
STORE_REPLICAS = Gauge("turnstream_store_replicas", "Replicas that are connected, by node.", ("node",))
DISK_FREE = Gauge("turnstream_disk_free_bytes", "Free space beside the backups and the store's files.", ("folder",))
BACKUP_TIME = Gauge("turnstream_backup_time_seconds", "When the latest backup was done, since 1970.", ("folder",))
BACKUP_FAILURES = Gauge("turnstream_backup_failures", "Attempts at a backup that failed in a row.", ("folder",))
BACKUP_DAMAGED = Gauge("turnstream_backup_damaged", "Damaged rooms that the latest backup lacks.", ("folder",))
BACKUP_COMMAND_FAILURES = Gauge(
    "turnstream_backup_command_failures", "Backups in a row whose command (--then) failed.", ("folder",)
)
DUE_LATENESS = Seconds("turnstream_due_lateness_seconds", "How late what was due was done.", bounds=LATE)
EVENT_AGE = Seconds("turnstream_event_age_seconds", "The age of events when they are handed to readers.", bounds=QUICK)
TASKS = Gauge("turnstream_tasks", "Tasks of the event loop.")
LOOP_LAG = Seconds("turnstream_loop_lag_seconds", "How late the event loop is for its turns.", bounds=QUICK)
ROOMS_IN_MEMORY = Gauge("turnstream_rooms_in_memory", "Rooms that are held folded.")


class Queue(Protocol):
    """Something that may hold up what others wait for."""

    def depth(self) -> int:
        """Return how many things wait."""


READERS: "WeakSet[Queue]" = WeakSet()
"""The queues of all readers."""
STORE_LINKS: "WeakSet[Queue]" = WeakSet()
"""The connections to the store."""


def depths(queues: "WeakSet[Queue]") -> list[int]:
    """Return how many things wait in each queue; any thread may ask while another one adds queues."""
    while True:
        try:
            return [queue.depth() for queue in list(queues)]
        except RuntimeError:  # a queue was added meanwhile
            continue


QUEUED_FRAMES.set_function(lambda: sum(depths(READERS)))
LONGEST_QUEUE.set_function(lambda: max(depths(READERS), default=0))
STORE_QUEUE.set_function(lambda: sum(depths(STORE_LINKS)))


@contextmanager
def following(kind: str) -> Iterator[None]:
    """Count somebody who follows for as long as this lasts."""
    FOLLOWERS.labels(kind).inc()
    try:
        yield
    finally:
        FOLLOWERS.labels(kind).dec()


def since(began: float) -> float:
    """Return the seconds since a moment of `time.perf_counter`."""
    return time.perf_counter() - began


def text() -> bytes:
    """Return all metrics as Prometheus reads them."""
    return generate_latest(REGISTRY)
