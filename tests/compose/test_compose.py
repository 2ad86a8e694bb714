"""The services of the compose file survive what happens to containers: nothing acknowledged is lost or doubled."""

import re
from collections.abc import Callable
from functools import partial

import httpx
import pytest

from tests.compose.conftest import ROOT, Stack, play_at, ready_status, run
from tests.e2e.load import Load
from tests.e2e.stored import StoredRoom

pytestmark = pytest.mark.compose

OURS = ("redis", "api", "worker", "proxy", "backup")


async def survive(stack: Stack, *faults: Callable[[], object], moves: int = 60) -> Load:
    """Play through the proxy while things happen to containers, and compare what was recorded with the store."""
    return await play_at(stack.url, faults, stack.stored_rooms, moves)


def versions(rooms: list[StoredRoom]) -> dict[str, int]:
    """Return where each room stands."""
    return {room.key.name: room.version for room in rooms}


def test_every_container_is_healthy(stack: Stack) -> None:
    """And the proxy has a replica that is ready."""
    for service in OURS:
        found = stack.containers(service)
        assert found
        assert all(map(stack.is_healthy, found))
    assert ready_status(stack.url) == 200


async def test_matches_are_played_through_the_proxy(stack: Stack) -> None:
    """All five games, over sockets and HTTP; the worker begins the next matches."""
    load = await survive(stack)
    assert load.answered >= 60


@pytest.mark.parametrize("service", OURS)
async def test_a_container_that_crashes_loses_nothing(stack: Stack, service: str) -> None:
    """Its processes die by SIGKILL, one container after the other; the engine starts it again."""

    def crash() -> None:
        for container in stack.containers(service):
            stack.crash(container)
            stack.wait_until_healthy()
        stack.wait_until_ready()

    await survive(stack, crash)


@pytest.mark.parametrize("service", OURS)
async def test_a_container_that_is_restarted_loses_nothing(stack: Stack, service: str) -> None:
    """By `docker compose restart`, as an operator would."""

    def restart() -> None:
        stack.compose("restart", service)
        stack.wait_until_healthy()
        stack.wait_until_ready()

    await survive(stack, restart)


async def test_all_containers_that_crash_at_once_lose_nothing(stack: Stack) -> None:
    """Every service of ours, the store included."""

    def crash_all() -> None:
        for service in OURS:
            for container in stack.containers(service):
                run("docker", "exec", container, "sh", "-c", "kill -9 -1", check=False)
        stack.wait_until_ready()
        stack.wait_until_healthy()

    await survive(stack, crash_all)


def test_down_and_up_keep_every_room(stack: Stack) -> None:
    """New containers over the same volumes."""
    before = versions(stack.stored_rooms())
    assert before
    stack.compose("down")
    stack.up()
    stack.wait_until_ready()
    after = versions(stack.stored_rooms())
    assert {name: after.get(name, 0) >= version for name, version in before.items()} == dict.fromkeys(before, True)
    for name in list(before)[:5]:
        assert httpx.get(f"{stack.url}/v1/rooms/{name}", trust_env=False).status_code == 200


async def test_services_are_scaled_while_matches_run(stack: Stack) -> None:
    """Up to three replicas and two workers, and back."""

    def scale(api: int, worker: int) -> None:
        stack.up("--no-recreate", "--scale", f"api={api}", "--scale", f"worker={worker}")
        assert (len(stack.containers("api")), len(stack.containers("worker"))) == (api, worker)
        stack.wait_until_ready()

    await survive(stack, partial(scale, 3, 2), partial(scale, 2, 1))


async def test_a_release_replaces_the_replicas_one_by_one(stack: Stack) -> None:
    """The commands of docs/operating.md, while matches run."""
    documented = (ROOT / "docs/operating.md").read_text().replace("\n", " ")
    assert "docker compose up --detach --no-recreate --scale api=3 --wait" in documented

    def release() -> None:
        stack.compose("build")
        for container in stack.containers("api"):
            stack.compose("up", "--detach", "--no-recreate", "--scale", "api=3", "--wait")
            run("docker", "stop", container)
            assert stack.inspect(container)["State"]["ExitCode"] == 0
            run("docker", "rm", container)
            stack.wait_until_ready()

    await survive(stack, release)
    assert len(stack.containers("api")) == 2


def test_a_backup_goes_back_into_a_new_store(stack: Stack) -> None:
    """The drill of docs/operating.md: a backup, a new volume for the store, restore, and every room is there."""
    documented = (ROOT / "docs/operating.md").read_text()
    assert re.search(r"docker compose run --rm --volume \S*backups:/backups:ro worker turnstream restore", documented)
    stack.compose("exec", "-T", "backup", "turnstream", "backup", "/backups")
    before = versions(stack.stored_rooms())
    files = stack.compose("exec", "-T", "backup", "sh", "-c", "ls /backups/*.ndjson.gz").split()
    newest = max(files)
    stack.compose("exec", "-T", "backup", "turnstream", "restore", "--check", newest)
    stack.compose("down")
    run("docker", "volume", "rm", f"{stack.project}_store")
    stack.compose("up", "--detach", "--wait", "redis")
    volume = f"{stack.project}_backups:/backups:ro"
    stack.compose("run", "--rm", "--volume", volume, "worker", "turnstream", "restore", newest)
    stack.up()
    stack.wait_until_ready()
    after = versions(stack.stored_rooms())
    assert {name: after[name] >= version for name, version in before.items()} == dict.fromkeys(before, True)


READY = """
import urllib.error, urllib.request
try:
    print(urllib.request.urlopen("http://127.0.0.1:8000/health/ready", timeout=5).status)
except urllib.error.HTTPError as refused:
    print(refused.read().decode())
"""


def test_a_store_whose_volume_is_gone_is_noticed_although_everything_is_new(stack: Stack) -> None:
    """Each API process says so by its witness, no backup is made or deleted, and a restore ends it."""
    stack.compose("exec", "-T", "backup", "turnstream", "backup", "/backups")
    before = versions(stack.stored_rooms())
    backups = stack.compose("exec", "-T", "backup", "ls", "/backups").split()
    newest = max(name for name in backups if name.endswith(".ndjson.gz"))
    stack.compose("down")
    run("docker", "volume", "rm", f"{stack.project}_store")
    stack.compose("up", "--detach", check=False)

    def is_noticed() -> bool:
        replicas = stack.containers("api")
        said = [run("docker", "exec", each, "python", "-c", READY, check=False) for each in replicas]
        return len(said) == 2 and all("store_lost_data" in text for text in said)

    stack.wait_until(is_noticed, "both replicas say that the store has lost data")
    assert ready_status(stack.url) == 503
    assert stack.compose("exec", "-T", "backup", "ls", "/backups").split() == backups
    volume = f"{stack.project}_backups:/backups:ro"
    stack.compose("run", "--rm", "--volume", volume, "worker", "turnstream", "restore", f"/backups/{newest}")
    stack.wait_until_ready()
    after = versions(stack.stored_rooms())
    assert {name: after[name] >= version for name, version in before.items()} == dict.fromkeys(before, True)
