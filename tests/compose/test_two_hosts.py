"""Two hosts: the commands of docs/two-hosts.md; each host is a project of the compose file with its own address."""

import asyncio
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.compose.conftest import ROOT, Stack, documented, ready_status, run
from tests.e2e.study import Size, play

pytestmark = pytest.mark.compose

GUIDE = "docs/two-hosts.md"
MOVES = 60
"""Acknowledged commands between two steps."""


def address_of_a_host(name: str) -> str:
    """Return an address of this machine that containers of every network reach: the gateway of a network of its own."""
    run("docker", "network", "create", name)
    return run("docker", "network", "inspect", "--format", "{{(index .IPAM.Config 0).Gateway}}", name).strip()


class Host(Stack):
    """A host: a project with the file `deploy/two-hosts.yml`."""

    def __init__(self, folder: Path, certificates: Path) -> None:
        """Give the host an address, and these certificates."""
        super().__init__(folder)
        self.address = address_of_a_host(self.project)
        self._files.append(ROOT / "deploy/two-hosts.yml")
        self.variables |= {"TURNSTREAM_THIS_HOST": self.address, "TURNSTREAM_STORE_CERTIFICATES": str(certificates)}

    def set_up(self, primary: "Host", acknowledge: str) -> None:
        """Set which host's store is the primary, and when a command is acknowledged; apply it."""
        self.variables |= {"TURNSTREAM_STORE_HOST": primary.address, "TURNSTREAM_ACKNOWLEDGE": acknowledge}
        run("sh", "-euc", documented("--force-recreate", GUIDE), check=False, **self.environment)
        self.wait_until_healthy()  # on a busy machine a check may fail while others start

    def has_caught_up(self) -> bool:
        """Return whether the store is a replica that has caught up, as the guide asks."""
        return "master_link_status:up" in self.follow_guide("info replication", GUIDE)

    def lose_power(self) -> None:
        """Kill every container at once; none is started again."""
        run("docker", "kill", *run("docker", "ps", "--quiet", "--filter", self._label).split())

    def return_unchanged(self) -> None:
        """Start what was killed."""
        run("docker", "start", *run("docker", "ps", "--all", "--quiet", "--filter", self._label).split())

    @property
    def _label(self) -> str:
        return f"label=com.docker.compose.project={self.project}"

    def remove(self) -> None:
        """Remove the project and its address."""
        super().remove()
        run("docker", "network", "rm", self.project, check=False)


@pytest.fixture(scope="module")
def hosts(engine: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Host, Host]]:  # noqa: ARG001 - only its answer
    """Set up both hosts by the guide; the store of the first one is the primary."""
    if os.geteuid():
        pytest.skip("the guide gives files to the users of the containers, as root")
    folder = tmp_path_factory.mktemp("hosts")
    run("sh", "-euc", f"cd {folder}\n{documented('openssl req -x509', GUIDE)}")
    first, second = (Host(tmp_path_factory.mktemp("host"), folder / "store-certificates") for _ in range(2))
    archive = {"secrets.tar": str(folder / "secrets.tar")}
    try:
        for host in (first, second):
            host.variables |= {"TURNSTREAM_STORE_HOST": first.address, "TURNSTREAM_ACKNOWLEDGE": "local"}
        first.follow_guide("tar -c -C /secrets", GUIDE, **archive)
        second.follow_guide("tar -x -C /secrets", GUIDE, **archive)
        second.wait_until(second.has_caught_up, "the replica has caught up")
        for host in (first, second):
            host.set_up(first, "replicated")
        yield first, second
    finally:
        for host in (first, second):
            host.remove()


def check_that_a_primary_that_returns_takes_no_command(primary: Host, other: Host) -> None:
    """Its replica has become a primary, so it has none; its services wait for one, as their log says."""
    primary.lose_power()
    other.set_up(other, "local")
    primary.return_unchanged()
    primary.wait_until(lambda: "NOREPLICAS" in primary.compose("logs", "--since", "30s", "api"), "the store refuses")
    assert (ready_status(primary.url), ready_status(other.url)) == (503, 200)
    assert httpx.post(f"{primary.url}/v1/players", json={"nickname": "Ada"}, trust_env=False).status_code == 503


async def test_the_second_host_takes_over_without_a_loss_and_the_first_one_returns(hosts: tuple[Host, Host]) -> None:
    """Under live matches: every command that was answered is stored, once. The times of the steps are in the guide."""
    first, second = hosts
    read_store = lambda: asyncio.to_thread(second.stored_rooms)  # noqa: E731 - one call
    async with play([second.url, first.url], read_store, Size(6, 12, MOVES)) as load:
        await load.wait_for_acknowledged(MOVES)
        await asyncio.to_thread(first.lose_power)
        lost = time.monotonic()
        await asyncio.sleep(5)  # somebody notices
        began, before = time.monotonic(), load.acknowledged
        await asyncio.to_thread(second.set_up, second, "local")
        applied = time.monotonic()
        await load.wait_for_acknowledged(before + 1)
        resumed = time.monotonic()
        await load.wait_for_acknowledged(before + MOVES)
        returning = time.monotonic()
        await asyncio.to_thread(first.set_up, second, "local")
        await asyncio.to_thread(first.wait_until, first.has_caught_up, "the replica has caught up")
        back = time.monotonic()
        for host in (second, first):
            await asyncio.to_thread(host.set_up, second, "replicated")
        replicated = time.monotonic()
        await load.wait_for_acknowledged(load.acknowledged + MOVES)
    sys.stdout.write(
        f"promotion: command {applied - began:.1f} s, next answer {resumed - lost:.1f} s after the loss; "
        f"return: caught up after {back - returning:.1f} s, replicated after {replicated - back:.1f} s more; "
        f"{load.acknowledged} commands\n"
    )
    await asyncio.to_thread(check_that_a_primary_that_returns_takes_no_command, second, first)
