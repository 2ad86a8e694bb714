"""A server with weaker settings takes over: a process in production is not ready, says why, and recovers by itself."""

import time
from pathlib import Path

from tests.e2e.client import PATIENCE, ApiClient, connect_to
from tests.e2e.processes import ApiProcess, run_processes
from tests.store.test_redis import as_user
from tests.store_server import StoreServer

IN_PRODUCTION = {"mode": "production", "origins": "https://play.example", "hosts": "127.0.0.1:*,127.0.0.1,localhost"}


def wait_for_readiness(client: ApiClient, code: str) -> str:
    """Wait until the readiness check has this code ("" for ready), and return its detail."""
    deadline = time.monotonic() + 2 * PATIENCE
    while (response := client.anonymous().get("/health/ready")).code != code:
        assert time.monotonic() < deadline, response
        time.sleep(0.05)
    return str(response.body.get("detail", ""))


def test_a_promoted_server_with_weaker_settings_is_noticed(own_server: StoreServer, tmp_path: Path) -> None:
    """At the next connection, without a restart."""
    url = as_user(own_server, "rooms", "~*", "&*", "+@all")
    api = ApiProcess(url, tmp_path / "log", witness=str(tmp_path / "witness"), **IN_PRODUCTION)
    with run_processes(api), connect_to(api.url) as client:
        wait_for_readiness(client, "")
        own_server.execute("CONFIG", "SET", "no-appendfsync-on-rewrite", "yes")
        own_server.execute("CLIENT", "KILL", "USER", "rooms")
        assert "no-appendfsync-on-rewrite no" in wait_for_readiness(client, "store_unfit")
        assert "turnstream_store_unfit 1.0" in client.anonymous().get("/metrics").content.decode()
        own_server.execute("CONFIG", "SET", "no-appendfsync-on-rewrite", "no")
        wait_for_readiness(client, "")
        assert "turnstream_store_unfit 0.0" in client.anonymous().get("/metrics").content.decode()
        assert '"event": "store_unfit"' in api.log.read_text()
