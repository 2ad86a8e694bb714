"""The store started by `redis-start.sh` keeps every room over a restart, with every server program of this machine."""

import asyncio
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from service.programs.embedded_store import server_binary
from service.store.contract import Head, StoreUnavailable
from service.store.redis.store import RedisStore
from tests.store.conftest import append_events, open_room, room
from tests.store_server import free_port
from tests.test_deploy import DEPLOY, environment

FOUND = {path for path in (server_binary(), shutil.which("redis-server"), shutil.which("valkey-server")) if path}
PROGRAMS = sorted({Path(path).resolve() for path in FOUND})
"""Some versions of Redis load the AOF with the rights of the user `default`; put one on the PATH to test it."""
ROOMS = [room(f"room-{number}") for number in range(20)]
USERS = ("store", "api", "worker", "webhooks", "backup")


@contextmanager
def started(folder: Path, program: Path, port: int) -> Iterator[None]:
    """Run the store with its script on a folder, and stop it as the container engine does."""
    for name in ("bin", "data", *(f"secrets/{user}" for user in USERS)):
        (folder / name).mkdir(parents=True, exist_ok=True)
    (folder / "bin/redis-server").unlink(missing_ok=True)
    (folder / "bin/redis-server").symlink_to(program)
    places = {"SECRETS": str(folder / "secrets"), "STORE": str(folder / "data"), "PORT": str(port)}
    settings = {**environment("redis"), **places, "CONFIG": str(DEPLOY / "redis.conf")}
    path = f"{folder / 'bin'}:/usr/bin:/bin"
    with (folder / "log").open("ab") as log:
        command = ["sh", str(DEPLOY / "redis-start.sh")]
        process = subprocess.Popen(command, env={**settings, "PATH": path}, stdout=log, stderr=log)
    try:
        yield
    finally:
        process.terminate()
        process.wait(30)


@contextmanager
def client(folder: Path, port: int) -> Iterator[RedisStore]:
    """Return a client of the store with the API's user."""
    password = (folder / "secrets/api/redis.password").read_text().strip()
    yield RedisStore(f"redis://api:{password}@127.0.0.1:{port}")


async def heads(folder: Path, port: int, *, write: bool = False) -> list[Head | None]:
    """Return the head of each room's stream, after writing two events to each if requested."""
    deadline = time.monotonic() + 30
    while not (folder / "secrets/api/redis.password").exists():
        assert time.monotonic() < deadline
        await asyncio.sleep(0.05)
    with client(folder, port) as store:
        try:
            while True:
                try:
                    await store.time()
                    break
                except StoreUnavailable:
                    assert time.monotonic() < deadline, (folder / "log").read_text()
                    await asyncio.sleep(0.05)
            for key in ROOMS if write else ():
                await append_events(store, key, await open_room(store, key), "joined")
            return await store.heads(ROOMS)
        finally:
            await store.close()


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: str(program.name))
async def test_a_restart_of_the_store_keeps_every_room(tmp_path: Path, program: Path) -> None:
    """Even if the server checks the rights of the user `default` when it loads its file."""
    port = free_port()
    with started(tmp_path, program, port):
        before = await heads(tmp_path, port, write=True)
    assert all(before)
    for _ in range(2):
        with started(tmp_path, program, port):
            assert await heads(tmp_path, port) == before


@pytest.mark.skipif(not PROGRAMS, reason="no server program is installed here")
async def test_the_user_that_loads_the_file_may_run_every_command_and_nobody_can_log_in_as_it(tmp_path: Path) -> None:
    """Redis loads its file as `default`; the nodes of the cluster use the same users."""
    port = free_port()
    with started(tmp_path, PROGRAMS[0], port):
        await heads(tmp_path, port)
    users = (tmp_path / "secrets/store/users.acl").read_text().splitlines()
    [loads] = [line.split()[2:] for line in users if line.startswith("user default ")]
    assert loads == ["off", "resetpass", "~*", "&*", "+@all"]
    assert "users.acl" in (DEPLOY / "cluster-start.sh").read_text()
