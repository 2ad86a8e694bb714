"""The store's disk fills up, and its append-only file loses its end; then it is held against what clients recorded."""

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
from tests.e2e.losses import accept_loss
from tests.e2e.outcomes import note
from tests.e2e.site import Site, playing, running, survive
from tests.e2e.study import LARGE, WITHIN, scaled
from tests.store_server import ProgramServer, StoreServer
from tests.store_server import running as running_store

DISK = "24m"
"""The size of the disk that fills up, as `mount` has it."""

ROOM_LEFT = 64 * 1024
"""Bytes that are left on the disk when it has been filled up."""


@contextmanager
def small_disk(folder: Path) -> Iterator[Path]:
    """Mount a small disk; skip where this may not be done."""
    folder.mkdir()
    made = subprocess.run(
        ("mount", "-t", "tmpfs", "-o", f"size={DISK}", "none", folder),  # noqa: S607 - found on the PATH
        capture_output=True,
        text=True,
        check=False,
    )
    if made.returncode:
        pytest.skip(f"a small disk cannot be mounted here: {made.stderr.strip()}")
    try:
        yield folder
    finally:
        subprocess.run(("umount", folder), check=True)  # noqa: S607 - as above


def fill(disk: Path) -> Path:
    """Fill a disk up but for a little, and return the file that does it."""
    ballast = disk / "ballast"
    with ballast.open("wb") as file:
        file.write(bytes(max(0, shutil.disk_usage(disk).free - ROOM_LEFT)))
    return ballast


async def disk_full(site: Site) -> None:
    """Fill the disk until the store ends rather than lose something, make room, and start it again."""
    store = site.store
    assert isinstance(store, ProgramServer)
    ballast = await asyncio.to_thread(fill, store.folder.parent)
    await asyncio.to_thread(store.wait, WITHIN)
    ballast.unlink()
    await asyncio.to_thread(store.start)


@pytest.mark.soak
async def test_nothing_is_lost_when_the_disk_is_full(tmp_path: Path) -> None:
    """The store writes half a command at most, and that one was not acknowledged."""
    with small_disk(tmp_path / "disk") as disk:
        (disk / "store").mkdir()
        with running_store(ProgramServer(folder=disk / "store")) as store:
            async with running(store, tmp_path, apis=2, workers=2) as site:
                faults = [disk_full] * scaled(5, 2)
                load = await survive(site, faults, LARGE)
    note("disk full", len(faults), load)


def log_of(store: StoreServer) -> Path:
    """Return the part of the append-only file that is written to."""
    if not isinstance(store, ProgramServer):
        pytest.skip("only a server program's files can be cut")
    return max((store.folder / "appendonlydir").glob("*.incr.aof"))


@pytest.mark.soak
async def test_no_loss_of_the_end_of_the_file_is_silent(own_server: StoreServer, tmp_path: Path) -> None:
    """The file is cut at random places while the store is down; subscribers are told, and all is exact again."""
    chance, cuts = random.Random(13), scaled(20, 3)  # noqa: S311 - places in a file
    log, taken = log_of(own_server), 0
    witness, noticed = tmp_path / "witness", 0
    service = running(own_server, tmp_path, apis=2, workers=2, witness=str(witness))
    async with service as site, playing(site, LARGE) as load:
        for number in range(cuts):
            await load.reach(load.answered + LARGE.moves // 2, WITHIN)
            kept = log.stat().st_size
            await load.reach(load.answered + LARGE.moves // 2, WITHIN)
            await asyncio.to_thread(own_server.kill)
            place = chance.randrange(kept, log.stat().st_size)
            taken += log.stat().st_size - place
            os.truncate(log, place)
            await load.note_loss()
            await asyncio.to_thread(own_server.start)
            noticed += await accept_loss(site, load, witness)
            sys.stdout.write(f"  cut {number + 1} of {cuts}: {load.answered} moves answered\n")
        await load.reach(load.answered + LARGE.moves, WITHIN)
    lost = len(lost_commands(load.recording, await site.stored_rooms()))
    changed = sum(one.reason == "history_changed" for each in load.recording.subscribers for one in each.deliveries)
    assert lost > 0  # otherwise the cuts took nothing
    note(
        "truncated append-only file",
        cuts,
        load,
        f"{taken} bytes cut off; {noticed} times writing stopped until the loss was accepted, else it counted as the "
        f"loss of the last moments; {changed} announcements of changed history",
        lost=lost,
    )
