"""Which commands pass to a store that is full, unfit, has lost data, or was not compared since it was connected."""

from collections.abc import Callable
from pathlib import Path

import pytest

from service.store.contract import StoreFull, StoreLost, StoreUnavailable, StoreUnfit
from service.store.free_space import FULL_MARK
from service.store.witness import Loss, Observation, Witness
from service.store.write_guard import FreeSpace, Requires, WriteGuard


def full(folder: Path) -> WriteGuard:
    """Return the guard of a store whose disk is full."""
    (folder / FULL_MARK).touch()
    return WriteGuard(space=FreeSpace(folder))


def lost(_folder: Path) -> WriteGuard:
    """Return the guard of a store that has lost an event."""
    guard = WriteGuard()
    guard.lost = Loss(Witness("store", {7: 2}), Observation("store", appended={7: 1}))
    return guard


def unfit(_folder: Path) -> WriteGuard:
    """Return the guard of a store whose settings are not suitable."""
    guard = WriteGuard()
    guard.unfit = "set appendonly yes"
    return guard


def not_compared(_folder: Path) -> WriteGuard:
    """Return the guard of a store one of whose partitions was not compared."""
    guard = WriteGuard([6, 7])
    guard.clear([6])
    return guard


@pytest.mark.parametrize(
    ("state", "least", "refusal"),
    [
        (full, Requires.SPACE, StoreFull),
        (lost, Requires.SOUND, StoreLost),
        (unfit, Requires.SOUND, StoreUnfit),
        (not_compared, Requires.COMPARED, StoreUnavailable),
    ],
)
@pytest.mark.parametrize("requires", Requires)
def test_a_command_passes_unless_it_requires_what_the_store_lacks(
    tmp_path: Path, state: Callable[[Path], WriteGuard], least: Requires, refusal: type[Exception], requires: Requires
) -> None:
    """Reads always pass."""
    guard = state(tmp_path)
    if requires < least:
        guard.admit(requires, 7)
    else:
        with pytest.raises(refusal):
            guard.admit(requires, 7)


def test_a_compared_partition_passes_although_another_was_not_compared(tmp_path: Path) -> None:
    """Partitions are compared one by one."""
    not_compared(tmp_path).admit(Requires.COMPARED, 6)
