"""A server with weaker settings takes over: production is no longer ready, says why, and recovers by itself."""

import time
from pathlib import Path

from tests.e2e.client import PATIENCE, Door, door_to
from tests.e2e.processes import ApiProcess, started
from tests.store.test_redis import as_user
from tests.store_server import StoreServer

IN_PRODUCTION = {"mode": "production", "origins": "https://play.example", "hosts": "127.0.0.1:*,127.0.0.1,localhost"}


def health_of(door: Door, code: str) -> str:
    """Wait until a process isn't ready for this reason, "" for ready, and return what it says about it."""
    deadline = time.monotonic() + 2 * PATIENCE
    while (answer := door.stranger().gets("/health/ready")).code != code:
        assert time.monotonic() < deadline, answer
        time.sleep(0.05)
    return str(answer.body.get("detail", ""))


def test_a_promoted_server_with_weaker_settings_is_noticed(own_server: StoreServer, tmp_path: Path) -> None:
    """At the next connection; nothing has to be restarted."""
    url = as_user(own_server, "rooms", "~*", "&*", "+@all")
    api = ApiProcess(url, tmp_path / "log", witness=str(tmp_path / "witness"), **IN_PRODUCTION)
    with started(api), door_to(api.url) as door:
        health_of(door, "")
        own_server.order("CONFIG", "SET", "no-appendfsync-on-rewrite", "yes")
        own_server.order("CLIENT", "KILL", "USER", "rooms")
        assert "no-appendfsync-on-rewrite no" in health_of(door, "store_unfit")
        assert "turnstream_store_unfit 1.0" in door.stranger().gets("/metrics").content.decode()
        own_server.order("CONFIG", "SET", "no-appendfsync-on-rewrite", "no")
        health_of(door, "")
        assert "turnstream_store_unfit 0.0" in door.stranger().gets("/metrics").content.decode()
        assert '"event": "store_unfit"' in api.log.read_text()
