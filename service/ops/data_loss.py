"""A store that has lost data: what is missing, and an operator's word that this is accepted."""

import argparse
from collections.abc import Iterable

from service.rooms.access.audit_log import AuditLog, LossAccepted
from service.settings import Settings
from service.store.contract import Store, StoreLost
from service.store.witness import Loss, loss
from service.store.witness_file import WitnessFile

NOT_KNOWN = (
    "TURNSTREAM_WITNESS is not set, so it is not known here what is missing. Name the folder of a process that reports "
    "the loss, or give the id that its log calls `expected` as --expected."
)


async def known_loss(store: Store, settings: Settings) -> Loss | None:
    """Return what the witness of these settings misses, without changing it. Raises `OSError` for a damaged one."""
    known = WitnessFile(settings.witness).read() if settings.witness else None
    return loss(known, await store.identity.observe())


async def refuse_lost(store: Store, settings: Settings) -> None:
    """Raise `StoreLost` where the store has lost data that the witness of these settings remembers."""
    if (lost := await known_loss(store, settings)) is not None:
        raise StoreLost(str(lost))


async def accept(store: Store, reason: str, expected: Iterable[str], lost: Loss | None) -> None:
    """Let the store replace those that are expected, itself among them, and write that into the operators' log."""
    new = await store.identity.replace(tuple(expected))
    await AuditLog(store).record(LossAccepted(reason, new.store, new.predecessors, lost.missing() if lost else {}))


async def accept_restored(store: Store, settings: Settings, reason: str, made_from: str) -> None:
    """Let a store that a backup was read into replace the one that the backup was made from, and the one expected."""
    lost = await known_loss(store, settings)
    await accept(store, reason, (made_from, *([lost.expected.store] if lost else [])), lost)


def shown(lost: Loss) -> list[str]:
    """Return what is missing, in lines for people."""
    expected, found = lost.expected, lost.found
    which = f"store {expected.store}, found: store {found.store}" if lost.is_other_store else f"store {expected.store}"
    counts = [
        f"  partition {number}: at least {count} of {expected.appended.get(number, 0)} events are missing"
        for number, count in lost.missing().items()
    ]
    return [f"expected: {which}", *counts, str(lost)]


async def accept_known(store: Store, settings: Settings, asked: argparse.Namespace) -> tuple[int, list[str]]:
    """Accept what is missing if that was asked for; return an exit code and what to say."""
    lost = await known_loss(store, settings)
    if settings.witness and lost is None and not asked.expected:
        return 0, ["The store has everything that the witness remembers: there is nothing to accept."]
    lines = shown(lost) if lost else [] if asked.expected else [NOT_KNOWN]
    if not asked.yes:
        return 1, [*lines, "Nothing was changed. Add --yes to go on with what the store has."]
    await accept(store, asked.reason, (*asked.expected, *([lost.expected.store] if lost else [])), lost)
    return 0, [*lines, "Accepted. All processes resume within seconds."]
