"""A witness: a store's id and counters of appended entries, kept outside the store and compared with it.

It can be a file, which several processes of one machine may share.
"""

import fcntl
import os
import secrets
from collections import deque
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

import msgspec

LAG = 2.0
"""Seconds for which entries must have been in the store before a witness counts them.

A failover of a replicated store, or a power cut with `appendfsync everysec`, loses about the last second. That is
reported and does not stop the service. Older entries must not be missing.
"""

PREDECESSORS_KEPT = 100
ID_BYTES = 12


class Observation(msgspec.Struct, frozen=True):
    """A store's id, the ids that it replaces, and the number of entries ever appended, by partition.

    Partitions whose node did not answer are missing.
    """

    store: str
    predecessors: tuple[str, ...] = ()
    appended: dict[int, int] = {}
    unreadable: tuple[int, ...] = ()
    """The partitions with a counter that is not a number; they are missing above."""

    def without(self, partitions: Collection[int]) -> "Observation":
        """Return the observation without the counters of some partitions."""
        kept = {number: count for number, count in self.appended.items() if number not in partitions}
        return Observation(self.store, self.predecessors, kept)


class StoreId(msgspec.Struct, frozen=True):
    """The store's id and the ids that it replaces, as stored."""

    id: str
    predecessors: tuple[str, ...] = ()


def new_store_id() -> str:
    """Return a new random id."""
    return secrets.token_hex(ID_BYTES)


def successor(seen: Observation, predecessors: Sequence[str]) -> StoreId:
    """Return a new id for a store. It replaces the current id and the given ones."""
    replaced = dict.fromkeys((*seen.predecessors, *filter(None, predecessors), seen.store))
    return StoreId(new_store_id(), tuple(replaced)[-PREDECESSORS_KEPT:])


class Identity(Protocol):
    """The store's id, and how much was ever appended to it. Every method may raise `StoreUnavailable`."""

    def admit_writes(self) -> None:
        """Raise `StoreLost` if the store is known to have lost data, `StoreFull` if it is full."""

    def admit_rooms(self) -> None:
        """Raise the same, and `StoreFull` also while the store's memory is too short for new rooms."""

    async def observe(self) -> Observation:
        """Return the store's id and counters. A store without an id gets one."""

    async def count(self, partition: int) -> int:
        """Return how many entries were appended to the streams that a partition has, by their heads.

        Its counter is never lower; it is higher if an operator has deleted streams.
        """

    async def correct(self, partition: int, count: int) -> None:
        """Replace the counter of a partition."""

    async def replace(self, predecessors: Sequence[str]) -> Observation:
        """Give the store a new id, which replaces the current id and the given ones. Witnesses of those accept it."""


class Witness(msgspec.Struct, frozen=True):
    """What is known of a store."""

    store: str
    appended: dict[int, int] = {}
    """Entries ever appended, by partition."""


class Loss(msgspec.Struct, frozen=True):
    """A store that lacks what its witness knows."""

    expected: Witness
    found: Observation

    @property
    def is_other_store(self) -> bool:
        """Whether it is not the store that the witness knows."""
        return self.expected.store != self.found.store

    def missing(self) -> dict[int, int]:
        """Return the least number of missing entries, by partition.

        Another store's counters count other entries, so there all entries that the witness knows are missing.
        """
        if self.is_other_store:
            return {number: count for number, count in sorted(self.expected.appended.items()) if count}
        return missing(self.expected.appended, self.found.appended)

    def __str__(self) -> str:
        lost = self.missing()
        what = f"at least {sum(lost.values())} events in {len(lost)} partitions are missing"
        where = "The store is not the one that was used before" if self.is_other_store else "The store has lost events"
        return f"{where}: {what}. Nothing is written until an operator restores a backup or accepts the loss."


def missing(expected: Mapping[int, int], found: Mapping[int, int]) -> dict[int, int]:
    """Return by how much the counters that were found are lower than expected; only those that are lower."""
    lower = {number: expected.get(number, 0) - count for number, count in sorted(found.items())}
    return {number: count for number, count in lower.items() if count > 0}


def loss(known: Witness | None, seen: Observation) -> Loss | None:
    """Return what a store has lost, None if nothing is lost or an operator accepted the loss."""
    if known is None or known.store in seen.predecessors:
        return None
    found = Loss(known, seen)
    return found if found.is_other_store or found.missing() else None


class WitnessKeeper(Protocol):
    """Stores a witness."""

    def compare(self, seen: Observation, settled: Mapping[int, int]) -> Loss | None:
        """Return what the store has lost. If nothing, keep its id and the `settled` counters.

        Raises `OSError` if the witness cannot be kept.
        """


class MemoryWitness:
    """A witness in memory, which ends with the process."""

    def __init__(self) -> None:
        """Start without a known store."""
        self._known: Witness | None = None

    def compare(self, seen: Observation, settled: Mapping[int, int]) -> Loss | None:
        """Return what the store has lost. If nothing, keep its id and the `settled` counters."""
        if (found := loss(self._known, seen)) is not None:
            return found
        self._known = updated_witness(self._known, seen, settled)
        return None


def updated_witness(known: Witness | None, seen: Observation, settled: Mapping[int, int]) -> Witness:
    """Return the new witness of a store that has lost nothing. A new store begins without counters."""
    if known is None or known.store != seen.store:
        return Witness(seen.store)
    counters = {number: max(count, known.appended.get(number, 0)) for number, count in settled.items()}
    return Witness(known.store, {**known.appended, **counters})


class RecentObservations:
    """The latest observations of a store: they show which counters are settled, and which recent entries were lost."""

    def __init__(self) -> None:
        """Begin without observations."""
        self._seen: deque[tuple[float, Observation]] = deque()

    def settled(self, now: float) -> dict[int, int]:
        """Return the counters of the latest observation that is at least `LAG` old, {} if there is none."""
        old = [seen for moment, seen in self._seen if moment <= now - LAG]
        return old[-1].appended if old else {}

    def add(self, now: float, seen: Observation) -> dict[int, int]:
        """Add an observation. Return how many entries were lost since the one before, by partition."""
        before = self._seen[-1][1] if self._seen else seen
        lost = missing(before.appended, seen.appended) if before.store == seen.store else {}
        if lost or before.store != seen.store:
            self._seen.clear()
        while len(self._seen) > 1 and self._seen[1][0] <= now - LAG:
            self._seen.popleft()
        self._seen.append((now, seen))
        return lost


NAME = "witness.json"


class WitnessFile:
    """A witness that outlives processes and the store. Every method may raise `OSError`."""

    def __init__(self, folder: Path) -> None:
        """Keep the file in this folder, which is created if it is missing. It must not be the store's own folder."""
        self.path = folder / NAME

    def read(self) -> Witness | None:
        """Return the witness, None if no store is known yet. Raises `OSError` also for a damaged file."""
        try:
            return msgspec.json.decode(self.path.read_bytes(), type=Witness)
        except FileNotFoundError:
            return None
        except msgspec.DecodeError as fault:
            raise OSError(f"{self.path} is damaged ({fault}): delete it if the store is known to be complete") from None

    def compare(self, seen: Observation, settled: Mapping[int, int]) -> Loss | None:
        """Return what the store has lost. If nothing, keep its id and the `settled` counters."""
        with self._locked():
            known = self.read()
            if (found := loss(known, seen)) is not None:
                return found
            raised = updated_witness(known, seen, settled)
            if raised != known:
                self._write(raised)
        return None

    @contextmanager
    def _locked(self) -> Iterator[None]:
        self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with self.path.with_suffix(".lock").open("a") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    def _write(self, witness: Witness) -> None:
        """Replace the file atomically, and wait until it is on the disk."""
        part = self.path.with_suffix(".new")
        with part.open("wb") as file:
            file.write(msgspec.json.format(msgspec.json.encode(witness)) + b"\n")
            file.flush()
            os.fsync(file.fileno())
        part.replace(self.path)
        folder = os.open(self.path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
