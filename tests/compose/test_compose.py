"""The services of the compose file survive faults of containers: no acknowledged command is lost or repeated."""

import asyncio
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest

from service.runtime.settings import release
from tests.compose.conftest import ROOT, Stack, backups, new_backup, play_at, ready_status, run
from tests.compose.test_compose_webhooks import guest
from tests.deploy.test_proxy import guess, others
from tests.e2e.load import Load
from tests.e2e.stored import StoredRoom

pytestmark = pytest.mark.compose

OURS = ("redis", "api", "worker", "proxy", "backup")


async def survive(stack: Stack, *faults: Callable[[], object], rooms: int = 6) -> Load:
    """Play through the proxy while containers fail, and compare the recorded history with the store."""
    return await play_at(stack.url, faults, stack.stored_rooms, moves=60, rooms=rooms)


def test_every_container_is_healthy(stack: Stack) -> None:
    """And the proxy has a replica that is ready."""
    for service in (*OURS, "webhooks"):
        found = stack.containers(service)
        assert found
        assert all(map(stack.is_healthy, found))
    assert ready_status(stack.url) == 200


def test_the_image_has_the_javascript_library(stack: Stack) -> None:
    """The same bytes as in `clients/javascript`."""
    for module in ("client.js", "client/room.js"):
        served = httpx.get(f"{stack.url}/{module}", trust_env=False)
        assert served.content == (ROOT / "clients/javascript" / module).read_bytes()


async def test_matches_are_played_through_the_proxy(stack: Stack) -> None:
    """All five games, over sockets and HTTP; the worker starts the next matches."""
    load = await survive(stack)
    assert load.acknowledged >= 60


@pytest.mark.parametrize("service", OURS)
async def test_a_container_that_crashes_loses_nothing(stack: Stack, service: str) -> None:
    """Its processes are killed, one container after the other; the engine restarts it."""

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
    """Every service, including the store."""

    def crash_all() -> None:
        for service in OURS:
            for container in stack.containers(service):
                run("docker", "exec", container, "sh", "-c", "kill -9 -1", check=False)
        stack.wait_until_ready()
        stack.wait_until_healthy()

    await survive(stack, crash_all)


async def test_down_and_up_lose_nothing(stack: Stack) -> None:
    """New containers with the same volumes."""

    def down_and_up() -> None:
        stack.compose("down")
        stack.up()
        stack.wait_until_ready()

    await survive(stack, down_and_up)


async def test_services_are_scaled_while_matches_run(stack: Stack) -> None:
    """Up to three replicas and two workers, and back."""

    def scale(api: int, worker: int) -> None:
        stack.up("--no-recreate", "--scale", f"api={api}", "--scale", f"worker={worker}")
        assert (len(stack.containers("api")), len(stack.containers("worker"))) == (api, worker)
        stack.wait_until_ready()

    await survive(stack, partial(scale, 3, 2), partial(scale, 2, 1))


def open_room(url: str) -> dict[str, Any]:
    """Open a room, and return the answer."""
    with httpx.Client(base_url=url, trust_env=False) as http:
        headers = {"authorization": f"Bearer {guest(http, 'Ada')}"}
        opened = http.post("/v1/rooms", json={"game": "morris"}, headers=headers)
    answer: dict[str, Any] = opened.json()
    return answer


async def test_a_release_replaces_the_replicas_one_by_one_and_is_rolled_back(stack: Stack) -> None:
    """By docs/operating/upgrade.md with another version, and back without a build; no process has to be killed.

    Fifty matches go on. After the way back, a room in which the newer release has written an event of its own answers
    503, and has what it had.
    """
    opened = await asyncio.to_thread(open_room, stack.url)
    room, epoch = opened["room"], opened["view"]["epoch"]

    def change_newer_event(action: str) -> None:
        program = (ROOT / "tests/compose/newer_event.py").read_text()
        stack.compose("exec", "-T", "worker", "python", "-c", program, action, room, epoch)

    def run_version(version: str) -> None:
        stack.variables["TURNSTREAM_VERSION"] = version
        if version == "next":
            stack.follow_guide("docker compose build", "docs/operating/upgrade.md")
        follow_guide = partial(stack.follow_guide, "--no-recreate --scale api=3")
        assert stack.exit_codes("api", follow_guide) == {"0"}
        running = [stack.releases(service) for service in ("api", "worker", "webhooks", "backup")]
        assert running == [[version, version], [version], [version], [version]]

    def roll_back() -> None:
        change_newer_event("append")
        run_version(release())
        refused = httpx.get(f"{stack.url}/v1/rooms/{room}", trust_env=False)
        assert (refused.status_code, refused.json()["code"]) == (503, "newer_events")
        change_newer_event("take_away")
        found = httpx.get(f"{stack.url}/v1/rooms/{room}", trust_env=False)
        assert found.json()["version"] == opened["version"]

    await survive(stack, partial(run_version, "next"), roll_back, rooms=50)


def test_the_operators_token_is_where_the_guide_says(stack: Stack) -> None:
    """As deploy/README.md prints it."""
    assert "    docker compose exec api cat /run/turnstream/admin.token" in (ROOT / "deploy/README.md").read_text()
    token = stack.compose("exec", "-T", "api", "cat", "/run/turnstream/admin.token").strip()
    headers = {"authorization": f"Bearer {token}"}
    assert httpx.get(f"{stack.url}/v1/admin/rooms", headers=headers, trust_env=False).status_code == 200


def test_clients_behind_an_operators_proxy_have_an_allowance_each(stack: Stack) -> None:
    """Once the proxy is trusted, which on this machine connects from the gateway of the network `front`."""
    me = "127.0.0.1"
    assert guess(stack.url, me, others())[-1] == 429
    form = "{{(index .IPAM.Config 0).Gateway}}"
    assert f"    docker network inspect --format '{form}' turnstream_front" in (ROOT / "deploy/README.md").read_text()
    gateway = run("docker", "network", "inspect", "--format", form, f"{stack.project}_front").strip()
    stack.variables["TURNSTREAM_TRUSTED_PROXIES"] = f"{gateway},192.0.2.0/24"
    stack.up("--no-deps", "proxy")
    assert guess(stack.url, me, others()) == [401] * 60
    assert guess(stack.url, me, [f"{each}, 203.0.113.1" for each in others()])[-1] == 429
    assert guess(stack.url, me, ["203.0.113.1, 203.0.113.2"]) == [401]


async def test_a_backup_is_restored_into_a_new_store(stack: Stack) -> None:
    """The drill of docs/operating/back-up.md: a new volume for the store, and every acknowledged command is there."""

    def restored() -> list[StoredRoom]:
        newest = new_backup(stack)
        stack.compose("exec", "-T", "backup", "turnstream", "restore", "--check", f"/backups/{newest}")
        stack.follow_guide("docker volume rm turnstream_store", FILE=newest)
        stack.wait_until_ready()
        return stack.stored_rooms()

    await play_at(stack.url, (), restored, moves=120)


async def test_a_backup_is_restored_on_another_machine(stack: Stack, tmp_path: Path) -> None:
    """Another project with the secrets of this one, by the commands of docs/operating/back-up.md."""
    other = Stack(tmp_path)
    archives = {name: str(tmp_path / name) for name in ("secrets.tar", "backups.tar")}

    def moved() -> list[StoredRoom]:
        newest = new_backup(stack)
        stack.follow_guide("tar -c -C / backups", **archives)
        other.follow_guide("tar -x -C / <", **archives, FILE=newest)
        other.wait_until_ready()
        token = ("exec", "-T", "api", "cat", "/run/turnstream/admin.token")
        assert other.compose(*token) == stack.compose(*token)
        return other.stored_rooms()

    try:
        await play_at(stack.url, (), moved, moves=60)
    finally:
        other.remove()


READY = """
import urllib.error, urllib.request
try:
    print(urllib.request.urlopen("http://127.0.0.1:8000/health/ready", timeout=5).status)
except urllib.error.HTTPError as refused:
    print(refused.read().decode())
"""


def lose_store(stack: Stack) -> None:
    """Restart everything with an empty volume for the store, and wait until each API process has detected it."""
    stack.compose("down")
    run("docker", "volume", "rm", f"{stack.project}_store")
    stack.compose("up", "--detach", check=False)

    def is_noticed() -> bool:
        replicas = stack.containers("api")
        said = [run("docker", "exec", each, "python", "-c", READY, check=False) for each in replicas]
        return len(said) == 2 and all("store_lost_data" in text for text in said)

    stack.wait_until(is_noticed, "both replicas say that the store has lost data")
    assert ready_status(stack.url) == 503


async def test_a_store_with_a_lost_volume_is_detected_after_a_complete_restart(stack: Stack) -> None:
    """Each API process detects it by its witness, no backup is made or deleted, and a restore ends it."""

    def lost_and_restored() -> list[StoredRoom]:
        newest = new_backup(stack)
        before = backups(stack)
        lose_store(stack)
        assert backups(stack) == before
        volume = f"{stack.project}_backups:/backups:ro"
        stack.compose("run", "--rm", "--volume", volume, "worker", "turnstream", "restore", f"/backups/{newest}")
        stack.wait_until_ready()
        return stack.stored_rooms()

    await play_at(stack.url, (), lost_and_restored, moves=60)


def check_what_is_served(stack: Stack) -> None:
    """Check that replicas without a sound store serve what they can through the proxy, and that `up` says why."""
    with httpx.Client(base_url=stack.url, trust_env=False, timeout=30) as http:
        assert [http.get(path).status_code for path in ("/", "/v1/games", "/v1/rooms")] == [200] * 3
        guest = http.post("/v1/players", json={"nickname": "Ada"}).json()["token"]
        refused = http.post("/v1/rooms", json={"game": "morris"}, headers={"authorization": f"Bearer {guest}"})
        assert (refused.status_code, refused.json()["code"]) == (503, "store_lost_data")
    assert "is unhealthy" in run(
        "sh", "-c", "docker compose up --detach --wait 2>&1 || true", check=True, **stack.environment
    )
    assert "store_lost_data" in stack.follow_guide("State.Health.Log")


async def test_a_loss_can_be_accepted(stack: Stack) -> None:
    """With the command of docs/operating/failures.md; then matches are played in the empty store."""
    lose_store(stack)
    await asyncio.to_thread(check_what_is_served, stack)
    stack.follow_guide("turnstream accept-loss --yes", WHY="tested")
    stack.wait_until_ready()
    await survive(stack)
