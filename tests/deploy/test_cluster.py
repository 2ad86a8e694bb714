"""The cluster of the compose file's profile: a script joins the nodes, with the users created by the store's script."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis

from service.programs.embedded_store import server_binary
from tests.deploy.conftest import Site, is_ready
from tests.e2e.client import connect_to
from tests.e2e.seated_rooms import seat_players
from tests.store_server import free_port
from tests.test_deploy import DEPLOY, environment

NODES = ("cluster-1", "cluster-2", "cluster-3")


def node_port() -> int:
    """Return a free port below 55,536, because the nodes also use the port 10,000 above it."""
    return next(port for port in iter(free_port, None) if port < 55_000)


class ClusterSite(Site):
    """The store that creates the secrets, three nodes, and what uses them: an API process and a sender to webhooks."""

    def __init__(self, folder: Path) -> None:
        """Use this folder for volumes and logs."""
        super().__init__(folder)
        self.metrics_ports |= {"cluster-api": free_port(), "cluster-webhooks": free_port()}
        self.ports = dict(zip(NODES, (node_port() for _ in NODES), strict=True))
        for name in NODES:
            (folder / name).mkdir()

    def start_nodes(self) -> None:
        """Start the nodes by their own script; the first one joins all."""
        addresses = [f"127.0.0.1:{port}" for port in self.ports.values()]
        for name, port in self.ports.items():
            folder = {"SECRETS": f"{self.folder}/secrets", "STORE": str(self.folder / name), "PORT": str(port)}
            settings = {**environment(name), **folder, "CONFIG": str(DEPLOY / "redis.conf"), "NAME": "127.0.0.1"}
            others = addresses if name == NODES[0] else []
            self.start(name, ["sh", str(DEPLOY / "cluster-start.sh"), *others], settings)
        for name in NODES:
            self.wait_for(name, lambda name=name: self.is_joined(name))  # type: ignore[misc]  # mypy asks for its type

    def is_joined(self, name: str) -> bool:
        """Return the answer to the health check."""
        with redis.Redis(port=self.ports[name], username="health", password="any") as node:  # noqa: S106 - it has none
            return bool(node.execute_command("CLUSTER INFO")["cluster_state"] == "ok")

    def here(self, service: str, text: str) -> str:
        """Return the local equivalent of an address or a folder in the containers."""
        text = text.replace("@cluster-1:6379", f"@127.0.0.1:{self.ports['cluster-1']}")
        return super().here(service.removeprefix("cluster-"), text)


@pytest.fixture(scope="module")
def site(stores_folder: Path) -> Iterator[ClusterSite]:
    """Run the nodes, an API process, and what sends to webhooks."""
    program, client = server_binary(), shutil.which("redis-cli") or shutil.which("valkey-cli")
    if program is None or client is None:
        pytest.skip("no server program or no redis-cli (apt-get install redis-tools) on this machine")
    site = ClusterSite(stores_folder)
    (site.folder / "bin").mkdir()
    (site.folder / "bin/redis-server").symlink_to(program)
    (site.folder / "bin/redis-cli").symlink_to(client)
    try:
        site.start_store()
        site.start_nodes()
        site.start_service("cluster-api", "cluster-api", site.api_ports[0])
        site.start_service("cluster-webhooks", "cluster-webhooks")
        site.wait_for("cluster-api", lambda: is_ready(f"http://127.0.0.1:{site.api_ports[0]}"))
        yield site
    finally:
        for name in list(reversed(site.running)):
            site.stop(name)


def test_rooms_are_played_on_all_nodes_in_production_mode(site: ClusterSite) -> None:
    """The cluster has the store's users, with the same rights."""
    with connect_to(f"http://127.0.0.1:{site.api_ports[0]}") as client:
        for _ in range(12):
            room, (red, _) = seat_players(client, "morris", 2)
            assert red.play(room, {"type": "place", "at": "a1"}).status == 200
    kept = [node_of(site, name, "api").dbsize() for name in NODES]
    assert min(kept) > 0


def test_webhooks_are_claimed_and_their_state_is_stored(site: ClusterSite) -> None:
    """Those of owners on all nodes; their host is refused here, which is recorded."""
    with connect_to(f"http://127.0.0.1:{site.api_ports[0]}") as client:
        owners = [client.guest(f"Guest {number}") for number in range(6)]
        for owner in owners:
            assert owner.post("/v1/players/me/webhooks", {"url": "https://localhost/"}).status == 201

        def are_tried() -> bool:
            found = [owner.get("/v1/players/me/webhooks").body["webhooks"][0] for owner in owners]
            return all(webhook["challenge"] is not None for webhook in found)

        site.wait_for("cluster-webhooks", are_tried)


def node_of(site: ClusterSite, name: str, user: str) -> "redis.Redis":
    """Return a client of a node as one of the users."""
    file = {"cluster": "store/cluster.password"}.get(user, f"{user}/redis.password")
    password = (site.folder / "secrets" / file).read_text().strip()
    return redis.Redis(port=site.ports[name], username=user, password=password)


def test_strangers_can_run_no_command(site: ClusterSite) -> None:
    """And the users for health checks and for joining nodes can access no key."""
    with pytest.raises(redis.exceptions.AuthenticationError):
        redis.Redis(port=site.ports["cluster-1"]).ping()
    for user in ("api", "worker"):
        with pytest.raises(redis.exceptions.NoPermissionError):
            node_of(site, "cluster-1", user).execute_command("CLUSTER RESET")  # type: ignore[no-untyped-call]  # as redis-py has it
    with pytest.raises(redis.exceptions.NoPermissionError):
        node_of(site, "cluster-1", "cluster").get("{p00}:partitions")


def test_nodes_reconnect_after_all_were_stopped(site: ClusterSite) -> None:
    """Their script creates no second cluster, and their data are there."""
    before = [node_of(site, name, "api").dbsize() for name in NODES]
    assert [site.stop(name) for name in NODES] == [0, 0, 0]
    site.start_nodes()
    assert [node_of(site, name, "api").dbsize() for name in NODES] == before
