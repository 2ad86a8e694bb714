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

from service.streams.errors import problem
from tests.deploy.conftest import Site, is_ready
from tests.e2e.client import ApiClient, Player
from tests.e2e.seated_rooms import seat_players
from tests.store_server import free_port
from tests.test_deploy import DEPLOY, SERVICES
from tests.waiting import PATIENCE, wait_for


def test_a_match_is_played_through_the_proxy(site: Site, front: ApiClient) -> None:
    """Over HTTP and over sockets, on both replicas; the worker starts the next match."""
    room, (red, yellow) = seat_players(front, "morris", 2, settings={"restart": 100})
    with red.subscribe(room) as one, yellow.subscribe(room) as other:
        for feed in (one, other):
            feed.until(lambda frame: frame["type"] == "caught_up")
        assert one.command(room, {"type": "play", "move": {"type": "place", "at": "a1"}})["result"]
        assert other.update()["events"][-1]["at"] == "a1"
        held = [sockets(site.metrics_ports[name]) for name in ("api-0", "api-1")]
        assert held == [1, 1]
        red.command(room, "resign")
        other.until(lambda frame: any(event["type"] == "match_started" for event in frame.get("events", [])))


def sockets(port: int) -> int:
    """Return the number of sockets of an API process."""
    with urlopen(f"http://127.0.0.1:{port}/metrics", timeout=PATIENCE) as answer:
        lines = answer.read().decode().splitlines()
    return int(sum(float(line.split()[1]) for line in lines if line.startswith('turnstream_followers{kind="socket"}')))


@pytest.mark.parametrize("name", ["api", "worker", "webhooks", "backup", "proxy"])
def test_a_health_check_reports_whether_its_service_is_healthy(site: Site, name: str) -> None:
    """With the command of the compose file: 0 if it is, otherwise not 0."""
    _, program, script, _, path = SERVICES[name]["healthcheck"]["test"]
    port = {"api": site.api_ports[1], "proxy": site.proxy_port, **site.metrics_ports}[name]
    for asked, well in ((port, True), (free_port(), False)):
        done = subprocess.run([program, DEPLOY / Path(script).name, str(asked), path], capture_output=True, check=False)
        assert (done.returncode == 0) == well


def test_a_health_check_fails_for_other_statuses(site: Site) -> None:
    """Any status but 200."""
    script = DEPLOY / "health.sh"
    done = subprocess.run([script, str(site.api_ports[0]), "/health/nothing"], capture_output=True, check=False)
    assert done.returncode != 0


def test_a_replica_that_is_stopped_for_five_seconds_stays_in_the_rotation(site: Site) -> None:
    """The proxy waits for late answers, and tolerates a silence of this length."""
    known = len(site.running["proxy"].log.read_text())
    process = site.running["api-1"].process
    process.send_signal(signal.SIGSTOP)
    try:
        time.sleep(5)
    finally:
        process.send_signal(signal.SIGCONT)
    site.wait_for("api-1", lambda: is_ready(f"http://127.0.0.1:{site.api_ports[1]}"))
    assert "is DOWN" not in site.running["proxy"].log.read_text()[known:]


def test_a_replica_that_shuts_down_leaves_the_rotation_before_it_exits(site: Site, front: ApiClient) -> None:
    """While it still closes its sockets, over some seconds."""
    known = len(site.running["proxy"].log.read_text())
    room, (red, _) = seat_players(front, "morris", 2)
    with contextlib.ExitStack() as feeds:
        for _ in range(4):
            feeds.enter_context(red.subscribe(room)).until(lambda frame: frame["type"] == "caught_up")
        assert site.stop("api-0") == 0
        assert f"Server api/api{site.api_ports[0]} is DOWN" in site.running["proxy"].log.read_text()[known:]
    site.start_service("api-0", "api", site.api_ports[0])
    site.wait_for("api-0", lambda: is_ready(f"http://127.0.0.1:{site.api_ports[0]}"))


def test_metrics_are_not_public(site: Site) -> None:
    """Each process serves its metrics on a separate port, which cannot be reached through the proxy."""
    for path in ("/metrics", "/metrics/", "//metrics", "/%6detrics", "/./metrics", "/metrics?", "/x/../metrics"):
        assert status_of(site.proxy_port, path) == 404, path
    for port in site.metrics_ports.values():
        with urlopen(f"http://127.0.0.1:{port}/metrics", timeout=PATIENCE) as answer:
            assert b"turnstream_build_info" in answer.read()


def status_of(port: int, path: str) -> int:
    """Return the status of a path that is sent exactly as spelled."""
    with contextlib.closing(http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)) as connection:
        connection.request("GET", path)
        return connection.getresponse().status


def test_a_replica_that_exits_or_dies_is_replaced_by_the_other(site: Site, front: ApiClient) -> None:
    """Requests go to the other one; after a shutdown the exit code is 0."""
    ada = front.guest("Ada")
    assert site.stop("api-0") == 0
    for _ in range(20):
        assert ada.get("/v1/players/me").status == 200
    site.start_service("api-0", "api", site.api_ports[0])


def test_without_a_ready_replica_clients_get_503_with_retry_after(site: Site, front: ApiClient) -> None:
    """From the proxy, in the API's format: nothing was sent to a replica."""
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


def test_operators_use_the_generated_token(site: Site, front: ApiClient) -> None:
    """It is in a file of the API."""
    token = (site.folder / "secrets/api/admin.token").read_text().strip()
    assert Player(front, token).get("/v1/admin/log").status == 200
    assert front.anonymous().get("/v1/admin/log").status == 401


def test_a_backup_is_made_at_once_and_its_age_is_exposed(site: Site) -> None:
    """And the free space of both disks."""
    wait_for(lambda: list((site.folder / "backups").glob("*.json")))
    time.sleep(0.2)
    with urlopen(f"http://127.0.0.1:{site.metrics_ports['backup']}/metrics", timeout=PATIENCE) as answer:
        text = answer.read().decode()
    assert re.search(r"^turnstream_backup_time_seconds{[^}]*} 1\.\d+e\+09$", text, re.MULTILINE)
    assert text.count("turnstream_disk_free_bytes{") == 2


@pytest.mark.parametrize("user", ["api", "worker", "webhooks"])
@pytest.mark.parametrize(
    "command", ["FLUSHALL", "SHUTDOWN", "CONFIG SET appendonly no", "ACL LIST", "SET other 1", "MONITOR"]
)
def test_a_service_may_do_nothing_dangerous_to_the_store(site: Site, user: str, command: str) -> None:
    """Nor access keys of other programs."""
    with pytest.raises(redis.exceptions.NoPermissionError):
        site.store(user).execute_command(*command.split())  # type: ignore[no-untyped-call]  # redis-py doesn't say


def test_the_backup_service_may_only_read(site: Site) -> None:
    """And strangers can run no command."""
    backup = site.store("backup")
    assert backup.get("{p00}:partitions") == b"16"
    for command in ("SET {p00}:name:x 1", "DEL {p00}:partitions", "XADD {p00}:audit * l 1", "EVAL return(1) 0"):
        with pytest.raises(redis.exceptions.NoPermissionError):
            backup.execute_command(*command.split())  # type: ignore[no-untyped-call]  # redis-py doesn't say
    with pytest.raises(redis.RedisError):
        redis.Redis(port=site.store_port).get("{p00}:partitions")


def test_secrets_are_created_once_and_readable_by_their_service_only(site: Site) -> None:
    """A second start of the store does not change them."""
    folder = site.folder / "secrets"
    made = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    names = {str(path.relative_to(folder)) for path in made}
    assert {"api/admin.token", "api/redis.password", "worker/signing.key", "backup/redis.password"} <= names
    assert "worker/admin.token" not in names
    assert len({made[folder / name / "redis.password"] for name in ("api", "worker", "webhooks", "backup")}) == 4
    assert site.stop("redis") == 0
    site.start_store()
    assert {path: path.read_bytes() for path in made} == made


def test_a_second_signing_key_is_passed_on(site: Site) -> None:
    """At the store's next start, to all services, after the first one."""
    kept = site.folder / "secrets/store/signing.key"
    old, new = kept.read_text(), "f" * 64
    kept.write_text(f"{old}\n{new}")
    assert site.stop("redis") == 0
    site.start_store()
    for name in ("api", "worker", "webhooks", "backup"):
        assert (site.folder / "secrets" / name / "signing.key").read_text().split() == [old, new]
    kept.write_text(old)


def test_no_secret_reaches_a_log(site: Site) -> None:
    """Neither a password nor a key nor a token, in any log."""
    secrets = [path.read_text().strip() for path in (site.folder / "secrets/store").iterdir() if path.suffix != ".acl"]
    assert len(secrets) == 8
    for running in site.running.values():
        log = Path(running.log).read_text()
        assert not [secret for secret in secrets if secret in log]
