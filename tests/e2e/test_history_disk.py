"""The store's disk becomes full, or its file is truncated; then the store is compared with what clients recorded."""

import asyncio
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.e2e.history import lost_commands
from tests.e2e.installation import Installation, play, play_through, run_installation
from tests.e2e.losses import accept_loss
from tests.e2e.outcomes import record_study
from tests.e2e.study import LARGE, scaled
from tests.store_server import ProgramServer, StoreServer, run_server
from tests.waiting import PATIENCE

DISK = "24m"
"""The size of the disk that becomes full, as an option of `mount`."""

FREE_BYTES = 64 * 1024
"""Bytes that stay free on the disk."""


@contextmanager
def small_disk(folder: Path) -> Iterator[Path]:
    """Mount a small disk; skip where this is not allowed."""
    folder.mkdir()
    result = subprocess.run(
        ("mount", "-t", "tmpfs", "-o", f"size={DISK}", "none", folder),  # noqa: S607 - found on the PATH
        capture_output=True,
        text=True,
        check=False,
    )
    if result.returncode:
        pytest.skip(f"a small disk cannot be mounted: {result.stderr.strip()}")
    try:
        yield folder
    finally:
        subprocess.run(("umount", folder), check=True)  # noqa: S607 - as above


def fill(disk: Path) -> Path:
    """Fill the disk except for a little, and return the file that fills it."""
    ballast = disk / "ballast"
    with ballast.open("wb") as file:
        file.write(bytes(max(0, shutil.disk_usage(disk).free - FREE_BYTES)))
    return ballast


async def fill_disk(installation: Installation) -> None:
    """Fill the disk until the store ends, free the space, and start the store again."""
    store = installation.store
    assert isinstance(store, ProgramServer)
    ballast = await asyncio.to_thread(fill, store.folder.parent)
    await asyncio.to_thread(store.wait, PATIENCE)
    ballast.unlink()
    await asyncio.to_thread(store.start)


@pytest.mark.soak
async def test_nothing_is_lost_when_the_disk_is_full(tmp_path: Path) -> None:
    """The store writes at most half a command, and that one was not acknowledged."""
    with small_disk(tmp_path / "disk") as disk:
        (disk / "store").mkdir()
        with run_server(ProgramServer(folder=disk / "store")) as store:
            async with run_installation(store, tmp_path, apis=2, workers=2) as installation:
                faults = [fill_disk] * scaled(5, 2)
                load = await play_through(installation, faults, LARGE)
    record_study("disk full", len(faults), load)


def aof_of(store: StoreServer) -> Path:
    """Return the current part of the append-only file."""
    if not isinstance(store, ProgramServer):
        pytest.skip("only a server program's files can be truncated")
    return max((store.folder / "appendonlydir").glob("*.incr.aof"))


@pytest.mark.soak
async def test_a_truncated_file_is_always_announced(own_server: StoreServer, tmp_path: Path) -> None:
    """The file is truncated at random offsets while the store is down; subscribers are informed and exact again."""
    chance, cuts = random.Random(13), scaled(20, 3)  # noqa: S311 - places in a file
    log, removed = aof_of(own_server), 0
    witness, accepted = tmp_path / "witness", 0
    service = run_installation(own_server, tmp_path, apis=2, workers=2, witness=str(witness))
    async with service as installation, play(installation, LARGE) as load:
        for number in range(cuts):
            await load.wait_for_acknowledged(load.acknowledged + LARGE.moves // 2)
            size_before = log.stat().st_size
            await load.wait_for_acknowledged(load.acknowledged + LARGE.moves // 2)
            await asyncio.to_thread(own_server.kill)
            offset = chance.randrange(size_before, log.stat().st_size)
            removed += log.stat().st_size - offset
            os.truncate(log, offset)
            await load.record_loss()
            await asyncio.to_thread(own_server.start)
            accepted += await accept_loss(installation, load, witness)
            sys.stdout.write(f"  cut {number + 1} of {cuts}: {load.acknowledged} moves acknowledged\n")
        await load.wait_for_acknowledged(load.acknowledged + LARGE.moves)
    lost = len(lost_commands(load.recording, await installation.stored_rooms()))
    changed = sum(one.reason == "history_changed" for each in load.recording.subscribers for one in each.deliveries)
    assert lost > 0  # otherwise the truncation had no effect
    record_study(
        "truncated append-only file",
        cuts,
        load,
        f"{removed} bytes cut off; {accepted} times writing stopped until the loss was accepted, else it counted as "
        f"the loss of the last moments; {changed} announcements of changed history",
        lost=lost,
    )
