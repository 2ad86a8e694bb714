"""A store that has lost data: what is missing, and the operator's acceptance of the loss."""

import argparse
from collections.abc import Iterable

from service.rooms.access.audit_log import AuditLog, LossAccepted
from service.runtime.settings import Settings
from service.store.contract import Store, StoreLost
from service.store.watch.store_watch import miscounted
from service.store.witness import Loss, WitnessFile, loss

UNKNOWN_LOSS = (
    "TURNSTREAM_WITNESS is not set, so it is unknown what is missing. Set it to the folder of a process that reports "
    "the loss, or pass the id that its log calls `expected` as --expected."
)


async def known_loss(store: Store, settings: Settings) -> Loss | None:
    """Return what is missing by the witness of these settings, without changing it. Raises `OSError`.

    A damaged counter is no loss.
    """
    known = WitnessFile(settings.witness).read() if settings.witness else None
    lost = loss(known, await store.identity.observe())
    return None if lost is None or await miscounted(store, lost) is not None else lost


async def require_no_loss(store: Store, settings: Settings) -> None:
    """Raise `StoreLost` if the store has lost data by the witness of these settings."""
    if (lost := await known_loss(store, settings)) is not None:
        raise StoreLost(str(lost))


async def accept(store: Store, reason: str, expected: Iterable[str], lost: Loss | None) -> None:
    """Let the store replace the expected ones, including itself, and record that in the audit log."""
    new = await store.identity.replace(tuple(expected))
    await AuditLog(store).record(LossAccepted(reason, new.store, new.predecessors, lost.missing() if lost else {}))


async def accept_restored(store: Store, settings: Settings, reason: str, made_from: str) -> None:
    """Let a store into which a backup was restored replace the backup's store and the expected one."""
    lost = await known_loss(store, settings)
    await accept(store, reason, (made_from, *([lost.expected.store] if lost else [])), lost)


def describe_loss(lost: Loss) -> list[str]:
    """Return what is missing, as lines for people."""
    expected, found = lost.expected, lost.found
    which = f"store {expected.store}, found: store {found.store}" if lost.is_other_store else f"store {expected.store}"
    counts = [
        f"  partition {number}: at least {count} of {expected.appended.get(number, 0)} events are missing"
        for number, count in lost.missing().items()
    ]
    return [f"expected: {which}", *counts, str(lost)]


async def accept_known(store: Store, settings: Settings, arguments: argparse.Namespace) -> tuple[int, list[str]]:
    """Accept the loss if that was requested, and return an exit code and the lines to print."""
    lost = await known_loss(store, settings)
    if settings.witness and lost is None and not arguments.expected:
        return 0, ["The store has everything that the witness counts: there is nothing to accept."]
    lines = describe_loss(lost) if lost else [] if arguments.expected else [UNKNOWN_LOSS]
    if not arguments.yes:
        return 1, [*lines, "Nothing was changed. Add --yes to continue with the data that the store has."]
    await accept(store, arguments.reason, (*arguments.expected, *([lost.expected.store] if lost else [])), lost)
    return 0, [*lines, "Accepted. All processes resume within seconds."]
