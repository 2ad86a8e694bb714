"""What a store is compared with: its id and how much was ever appended to it, remembered outside the store."""

from collections import deque
from collections.abc import Mapping, Sequence
from typing import Protocol

import msgspec

LAG = 2.0
"""Seconds for which entries must have been in the store before a witness remembers them.

A failover of a replicated store, and a power cut under `appendfsync everysec`, lose the last second or so. That is
reported and does not stop the service; whatever is older must not be missing.
"""

PREDECESSORS_KEPT = 100


class Observation(msgspec.Struct, frozen=True):
    """What a store says of itself: its id, the ids that it replaces, and the entries ever appended by partition.

    A partition whose node did not answer is absent.
    """

    store: str
    predecessors: tuple[str, ...] = ()
    appended: dict[int, int] = {}


class Identity(Protocol):
    """Which store this is, and how much was ever appended to it. Every method may raise `StoreUnavailable`."""

    def admit_writes(self) -> None:
        """Raise `StoreLost` where the store is known to have lost data."""

    async def observe(self) -> Observation:
        """Return what the store says of itself; a store without an id gets one."""

    async def replace(self, predecessors: Sequence[str]) -> Observation:
        """Give the store a new id, which replaces the present one and the given ones: who knows those accepts it."""


class Witness(msgspec.Struct, frozen=True):
    """What is remembered of a store."""

    store: str
    appended: dict[int, int] = {}
    """Entries ever appended, by partition."""

    def raised_to(self, appended: Mapping[int, int]) -> "Witness":
        """Return this witness with each counter at least as high as the given one."""
        counters = {number: max(count, self.appended.get(number, 0)) for number, count in appended.items()}
        return Witness(self.store, {**self.appended, **counters})


class Loss(msgspec.Struct, frozen=True):
    """A store that has not what its witness remembers."""

    expected: Witness
    found: Observation

    @property
    def is_other_store(self) -> bool:
        """Whether the store is not the one that the witness knows."""
        return self.expected.store != self.found.store

    def missing(self) -> dict[int, int]:
        """Return at least how many entries are missing, by partition.

        The counters of another store count other entries, so all that the witness remembers is missing there.
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
    """Return by how much each counter that was found is lower than expected, where it is."""
    lower = {number: expected.get(number, 0) - count for number, count in sorted(found.items())}
    return {number: count for number, count in lower.items() if count > 0}


def loss(known: Witness | None, seen: Observation) -> Loss | None:
    """Return what a store has lost since it was known, None where nothing or where an operator accepted it."""
    if known is None or known.store in seen.predecessors:
        return None
    found = Loss(known, seen)
    return found if found.is_other_store or found.missing() else None


class WitnessKeeper(Protocol):
    """Where a witness is kept."""

    def compare(self, seen: Observation, settled: Mapping[int, int]) -> Loss | None:
        """Return what the store has lost; where it has lost nothing, remember its id and the `settled` counters.

        Raises `OSError` where the witness can't be kept.
        """


class MemoryWitness:
    """A witness that this process forgets when it ends."""

    def __init__(self) -> None:
        """Know no store yet."""
        self._known: Witness | None = None

    def compare(self, seen: Observation, settled: Mapping[int, int]) -> Loss | None:
        """Return what the store has lost, else remember it."""
        if (found := loss(self._known, seen)) is not None:
            return found
        self._known = remembered(self._known, seen, settled)
        return None


def remembered(known: Witness | None, seen: Observation, settled: Mapping[int, int]) -> Witness:
    """Return what is to be remembered of a store that has lost nothing. A new store begins without counters."""
    if known is None or known.store != seen.store:
        return Witness(seen.store)
    return known.raised_to(settled)


class RecentObservations:
    """The latest observations of a store: which counters may be remembered, and whether the latest entries are lost."""

    def __init__(self) -> None:
        """Begin without observations."""
        self._seen: deque[tuple[float, Observation]] = deque()

    def settled(self, now: float) -> dict[int, int]:
        """Return the counters of the latest observation that is old enough, none where there is no such one."""
        old = [seen for moment, seen in self._seen if moment <= now - LAG]
        return old[-1].appended if old else {}

    def add(self, now: float, seen: Observation) -> dict[int, int]:
        """Add an observation and return how many of the latest entries the store has lost since the one before."""
        before = self._seen[-1][1] if self._seen else seen
        lost = missing(before.appended, seen.appended) if before.store == seen.store else {}
        if lost or before.store != seen.store:
            self._seen.clear()
        while len(self._seen) > 1 and self._seen[1][0] <= now - LAG:
            self._seen.popleft()
        self._seen.append((now, seen))
        return lost
