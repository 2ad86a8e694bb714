"""One host without containers: the commands of docs/systemd.md, in a container that runs nothing but systemd."""

import re
import secrets
import subprocess
from collections.abc import Iterator
from functools import partial

import pytest

from tests.compose.conftest import ROOT, run
from tests.waiting import wait_for

pytestmark = pytest.mark.compose

GUIDE = (ROOT / "docs/systemd.md").read_text()
UNITS = ("store", "api@1", "api@2", "worker", "webhooks", "backup")
EMPTY_HOST = """
FROM python:3.13-slim
RUN apt-get update -qq && apt-get install -qq -y --no-install-recommends systemd dbus
ENV container=docker
STOPSIGNAL SIGRTMIN+3
CMD ["sh", "-c", "mount --make-rshared / && exec /lib/systemd/systemd"]
"""
"""Mounts are shared as on a machine; otherwise no unit sees its secrets."""

DOMAIN = "sed -i s/play.example/127.0.0.1/ /etc/turnstream/turnstream.env"
SITE = """
sed s,play.example,http://127.0.0.1, deploy/systemd/Caddyfile > /etc/caddy/Caddyfile
systemctl reload caddy
"""
"""What the operator writes; no certificate is requested for an address."""


def blocks(heading: str) -> list[str]:
    """Return the blocks of commands below a heading of the guide."""
    section = GUIDE.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    return re.findall(r"\n\n((?: {4,}.+\n)+)", section)


def with_input(text: str, *command: str) -> "subprocess.CompletedProcess[str]":
    """Run a program that reads a text."""
    return subprocess.run(command, input=text, capture_output=True, text=True, check=False)


class Host:
    """A container that runs systemd, with a copy of the repository."""

    def __init__(self, container: str) -> None:
        """Use a running container."""
        self._container = container

    def shell(self, script: str) -> str:
        """Run commands as root, and return their output. Fails with it."""
        done = with_input(script, "docker", "exec", "--interactive", "--workdir", "/src", self._container, "sh", "-eu")
        if done.returncode:
            journal = run(
                "docker", "exec", self._container, "journalctl", "--no-pager", "--unit", "turnstream-*", check=False
            )
            pytest.fail(f"{script}\n{journal[-4000:]}\n{done.stdout[-2000:]}\n{done.stderr[-4000:]}")
        return done.stdout

    def state(self, unit: str, name: str = "ActiveState") -> str:
        """Return a property of a unit."""
        return self.shell(f"systemctl show --value --property {name} turnstream-{unit}").strip()

    def status(self, port: int, path: str = "/health/ready") -> str:
        """Return the status of an answer, 000 without one."""
        return self.shell(
            f"curl --silent --output /dev/null --write-out '%{{http_code}}' localhost:{port}{path} || true"
        )


@pytest.fixture(scope="module")
def host(engine: None) -> Iterator[Host]:  # noqa: ARG001 - only its answer
    """Run the commands of the guide on an empty host."""
    name = f"turnstream-systemd-{secrets.token_hex(3)}"
    built = with_input(EMPTY_HOST, "docker", "build", "--quiet", "--tag", name, "-")
    assert built.returncode == 0, built.stderr
    try:
        run("docker", "run", "--detach", "--privileged", "--cgroupns", "private", "--name", name, *FOLDERS, name)
        run("sh", "-euc", f"git ls-files -z {FILES} | tar -T - --null -c | docker exec -i {name} tar -C /src -x")
        found = Host(name)
        wait_for(lambda: found.shell("systemctl is-system-running || true").strip() in {"running", "degraded"})
        installing, starting, *_ = blocks("Install")
        found.shell(f"export DEBIAN_FRONTEND=noninteractive\napt-get update -qq\n{installing}")
        found.shell(f"{DOMAIN}\n{starting}\n{SITE}")
        yield found
    finally:
        run("docker", "rm", "--force", "--volumes", name)
        run("docker", "rmi", "--force", name)


FOLDERS = ("--tmpfs", "/run", "--tmpfs", "/tmp:exec", "--tmpfs", "/src")  # noqa: S108 - the container's own
FILES = "pyproject.toml README.md LICENSE service openapi clients/javascript deploy"


def test_every_unit_runs(host: Host) -> None:
    """Without a restart, and each with the exposure that the guide names."""
    for unit in UNITS:
        assert (host.state(unit), host.state(unit, "NRestarts")) == ("active", "0")
        rated = host.shell(f"systemd-analyze security --no-pager turnstream-{unit} | tail -1")
        assert float(re.findall(r"service: ([\d.]+)", rated)[0]) <= 1.2
    assert {host.status(port) for port in (8001, 8002)} == {"200"}
    assert {host.status(port, "/health/live") for port in (9101, 9102, 9111, 9112, 9113)} == {"200"}


def test_matches_are_played_and_listed(host: Host) -> None:
    """Through Caddy; the verb has the commands of the guide, and a backup was made at the start."""
    host.shell("/opt/turnstream/bin/turnstream demo --url http://127.0.0.1")
    [listing] = blocks("The units")
    assert len(host.shell(listing).splitlines()) >= 5
    assert host.shell("ls /var/lib/turnstream-backup/backups").count(".gz\n") == 1
    [_, _, token] = blocks("Install")
    assert len(host.shell(token).strip()) == 64


def test_another_api_process_is_added(host: Host) -> None:
    """By the command of the guide; the target starts it from then on."""
    host.shell(re.findall(r"API processes:\*\* `([^`]*)`", GUIDE)[0])
    wait_for(partial(is_ready, host, 8003))
    assert "turnstream-api@3.service" in host.shell("systemctl show --value --property Wants turnstream.target")


@pytest.mark.parametrize("unit", UNITS)
def test_a_process_that_is_killed_is_started_again(host: Host, unit: str) -> None:
    """By systemd, with its secrets; both API processes are ready afterwards."""
    host.shell(f"systemctl kill --signal KILL turnstream-{unit}")
    wait_for(lambda: host.state(unit, "NRestarts") == "1" and host.state(unit) == "active")
    for port in (8001, 8002):
        wait_for(partial(is_ready, host, port))


def is_ready(host: Host, port: int) -> bool:
    """Return whether an API process is ready."""
    return host.status(port) == "200"


def test_an_update_restarts_each_process(host: Host) -> None:
    """And the service is ready afterwards."""
    before = {unit: host.state(unit, "ExecMainPID") for unit in UNITS}
    [update] = blocks("Update")
    host.shell(update)
    assert [unit for unit in UNITS if host.state(unit, "ExecMainPID") == before[unit]] == ["store"]
    for port in (8001, 8002):
        wait_for(partial(is_ready, host, port))
