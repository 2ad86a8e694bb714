"""The services of the compose file work together: the store's users, the proxy, the worker, the backups."""

import contextlib
import http.client
import re
import signal
import subprocess
import time
from pathlib import Path
from urllib.request import urlopen

import msgspec
import pytest
import redis

from service.rooms.errors import problem
from tests.deploy.conftest import Site, is_ready
from tests.e2e.client import ApiClient, Player
from tests.e2e.seated_rooms import seat_players
from tests.store_server import free_port
from tests.test_deploy import DEPLOY, SERVICES


def test_a_match_is_played_through_the_proxy(site: Site, front: ApiClient) -> None:
    """Over HTTP and over sockets, on both replicas; and the worker begins the next match."""
    room, (red, yellow) = seat_players(front, "morris", 2, settings={"restart": 100})
    with red.subscribe(room) as one, yellow.subscribe(room) as other:
        for feed in (one, other):
            feed.until(lambda frame: frame["type"] == "caught_up")
        assert one.command(room, {"type": "play", "move": {"type": "place", "at": "a1"}})["result"]
        assert other.update()["events"][-1]["at"] == "a1"
        held = [sockets(site.figures[name]) for name in ("api-0", "api-1")]
        assert held == [1, 1]
        red.command(room, "resign")
        other.until(lambda frame: any(event["type"] == "match_started" for event in frame.get("events", [])))


def sockets(port: int) -> int:
    """Return how many sockets an API process holds."""
    with urlopen(f"http://127.0.0.1:{port}/metrics", timeout=5) as answer:
        lines = answer.read().decode().splitlines()
    return int(sum(float(line.split()[1]) for line in lines if line.startswith('turnstream_followers{kind="socket"}')))


@pytest.mark.parametrize("name", ["api", "worker", "backup", "proxy"])
def test_a_health_check_reports_whether_its_service_is_healthy(site: Site, name: str) -> None:
    """By the command of the compose file: 0 where it is, and not 0 where nobody listens."""
    _, program, script, _, path = SERVICES[name]["healthcheck"]["test"]
    port = {"api": site.api_ports[1], "proxy": site.proxy_port, **site.figures}[name]
    for asked, well in ((port, True), (free_port(), False)):
        done = subprocess.run([program, DEPLOY / Path(script).name, str(asked), path], capture_output=True, check=False)
        assert (done.returncode == 0) == well


def test_a_health_check_fails_where_the_answer_says_no(site: Site) -> None:
    """Any status but 200."""
    script = DEPLOY / "health.sh"
    done = subprocess.run([script, str(site.api_ports[0]), "/health/nothing"], capture_output=True, check=False)
    assert done.returncode != 0


def test_a_replica_that_is_stopped_for_five_seconds_stays_in_the_rotation(site: Site) -> None:
    """The proxy waits for an answer that is late, and takes no silence of that length for an end."""
    known = len(site.running["proxy"].log.read_text())
    process = site.running["api-1"].process
    process.send_signal(signal.SIGSTOP)
    try:
        time.sleep(5)
    finally:
        process.send_signal(signal.SIGCONT)
    site.wait_for("api-1", lambda: is_ready(f"http://127.0.0.1:{site.api_ports[1]}"))
    assert "is DOWN" not in site.running["proxy"].log.read_text()[known:]


def test_a_replica_that_leaves_is_out_of_the_rotation_before_it_is_gone(site: Site, front: ApiClient) -> None:
    """While it still sends its sockets elsewhere, over some seconds."""
    known = len(site.running["proxy"].log.read_text())
    room, (red, _) = seat_players(front, "morris", 2)
    with contextlib.ExitStack() as feeds:
        for _ in range(4):
            feeds.enter_context(red.subscribe(room)).until(lambda frame: frame["type"] == "caught_up")
        assert site.stop("api-0") == 0
        assert f"Server api/api{site.api_ports[0]} is DOWN" in site.running["proxy"].log.read_text()[known:]
    site.start_service("api-0", "api", site.api_ports[0])
    site.wait_for("api-0", lambda: is_ready(f"http://127.0.0.1:{site.api_ports[0]}"))


def test_figures_are_not_for_everybody(site: Site) -> None:
    """Each process has its own for monitoring, on a separate port; they cannot be reached over the proxy."""
    for path in ("/metrics", "/metrics/", "//metrics", "/%6detrics", "/./metrics", "/metrics?", "/x/../metrics"):
        assert status_of(site.proxy_port, path) == 404, path
    for port in site.figures.values():
        with urlopen(f"http://127.0.0.1:{port}/metrics", timeout=5) as answer:
            assert b"turnstream_build_info" in answer.read()


def status_of(port: int, path: str) -> int:
    """Return the status of an address that is sent as it is spelled."""
    with contextlib.closing(http.client.HTTPConnection("127.0.0.1", port, timeout=5)) as connection:
        connection.request("GET", path)
        return connection.getresponse().status


def test_a_replica_that_leaves_or_dies_is_not_missed(site: Site, front: ApiClient) -> None:
    """Requests go to the other one, and its exit code is 0."""
    ada = front.guest("Ada")
    assert site.stop("api-0") == 0
    for _ in range(20):
        assert ada.get("/v1/players/me").status == 200
    site.start_service("api-0", "api", site.api_ports[0])


def test_without_a_ready_replica_clients_get_the_time_of_a_retry(site: Site, front: ApiClient) -> None:
    """By the proxy, in the API's own words: nothing was sent to anybody."""
    site.wait_for("api-0", lambda: is_ready(f"http://127.0.0.1:{site.api_ports[0]}"))
    for number in (0, 1):
        assert site.stop(f"api-{number}") == 0
    answer = front.anonymous().get("/v1/games")
    assert (answer.status, answer.headers["retry-after"]) == (503, "1")
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.body == msgspec.to_builtins(problem("store_unavailable", answer.body["detail"]))
    for number, port in enumerate(site.api_ports):
        site.start_service(f"api-{number}", "api", port)
    site.wait_for("proxy", lambda: is_ready(site.proxy))


def test_operators_come_in_with_the_token_that_was_made(site: Site, front: ApiClient) -> None:
    """It is in a file of the API."""
    token = (site.folder / "secrets/api/admin.token").read_text().strip()
    assert Player(front, token).get("/v1/admin/log").status == 200
    assert front.anonymous().get("/v1/admin/log").status == 401


def test_a_backup_is_made_at_once_and_its_age_is_exposed(site: Site) -> None:
    """With the free space of both disks."""
    deadline = time.monotonic() + 20
    while not list((site.folder / "backups").glob("*.json")):
        assert time.monotonic() < deadline
        time.sleep(0.1)
    time.sleep(0.2)
    with urlopen(f"http://127.0.0.1:{site.figures['backup']}/metrics", timeout=5) as answer:
        text = answer.read().decode()
    assert re.search(r"^turnstream_backup_time_seconds{[^}]*} 1\.\d+e\+09$", text, re.MULTILINE)
    assert text.count("turnstream_disk_free_bytes{") == 2


@pytest.mark.parametrize("user", ["api", "worker"])
@pytest.mark.parametrize(
    "command", ["FLUSHALL", "SHUTDOWN", "CONFIG SET appendonly no", "ACL LIST", "SET other 1", "MONITOR"]
)
def test_a_service_may_do_nothing_dangerous_to_the_store(site: Site, user: str, command: str) -> None:
    """Nor access keys of other programs."""
    with pytest.raises(redis.exceptions.NoPermissionError):
        site.store(user).execute_command(*command.split())  # type: ignore[no-untyped-call]  # redis-py doesn't say


def test_the_backup_service_may_only_read(site: Site) -> None:
    """And strangers may not even ask."""
    backup = site.store("backup")
    assert backup.get("{p00}:partitions") == b"16"
    for command in ("SET {p00}:name:x 1", "DEL {p00}:partitions", "XADD {p00}:audit * l 1", "EVAL return(1) 0"):
        with pytest.raises(redis.exceptions.NoPermissionError):
            backup.execute_command(*command.split())  # type: ignore[no-untyped-call]  # redis-py doesn't say
    with pytest.raises(redis.RedisError):
        redis.Redis(port=site.store_port).get("{p00}:partitions")


def test_secrets_are_made_once_and_readable_in_their_own_place_only(site: Site) -> None:
    """A second start of the store keeps them."""
    folder = site.folder / "secrets"
    made = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    names = {str(path.relative_to(folder)) for path in made}
    assert {"api/admin.token", "api/redis.password", "worker/signing.key", "backup/redis.password"} <= names
    assert "worker/admin.token" not in names
    assert len({made[folder / name / "redis.password"] for name in ("api", "worker", "backup")}) == 3
    assert site.stop("redis") == 0
    site.start_store()
    assert {path: path.read_bytes() for path in made} == made


def test_a_second_signing_key_is_handed_on(site: Site) -> None:
    """By the store's next start, to everyone, below the first one."""
    kept = site.folder / "secrets/store/signing.key"
    old, new = kept.read_text(), "f" * 64
    kept.write_text(f"{old}\n{new}")
    assert site.stop("redis") == 0
    site.start_store()
    for name in ("api", "worker", "backup"):
        assert (site.folder / "secrets" / name / "signing.key").read_text().split() == [old, new]
    kept.write_text(old)


def test_no_secret_reaches_a_log(site: Site) -> None:
    """Neither a password nor a key nor a token, in any service's."""
    secrets = [path.read_text().strip() for path in (site.folder / "secrets/store").iterdir() if path.suffix != ".acl"]
    assert len(secrets) == 6
    for running in site.running.values():
        log = Path(running.log).read_text()
        assert not [secret for secret in secrets if secret in log]
