"""A server with weaker settings takes over: a process in production is not ready, says why, and recovers by itself."""

from pathlib import Path

from tests.e2e.client import ApiClient, connect_to
from tests.e2e.processes import ApiProcess, run_processes
from tests.store.test_redis import as_user
from tests.store_server import StoreServer
from tests.waiting import wait_for

IN_PRODUCTION = {"mode": "production", "origins": "https://play.example", "hosts": "127.0.0.1:*,127.0.0.1,localhost"}


def wait_for_readiness(client: ApiClient, code: str) -> str:
    """Wait until the readiness check has this code ("" for ready), and return its detail."""
    wait_for(lambda: client.anonymous().get("/health/ready").code == code)
    return str(client.anonymous().get("/health/ready").body.get("detail", ""))


def test_a_promoted_server_with_weaker_settings_is_noticed(own_server: StoreServer, tmp_path: Path) -> None:
    """At the next connection, without a restart; until it is corrected, rooms can be read, but not changed."""
    url = as_user(own_server, "rooms", "~*", "&*", "+@all")
    api = ApiProcess(url, tmp_path / "log", witness=str(tmp_path / "witness"), **IN_PRODUCTION)
    with run_processes(api), connect_to(api.url) as client:
        wait_for_readiness(client, "")
        ada = client.guest("Ada")
        room = ada.open_room("morris").body["room"]
        own_server.execute("CONFIG", "SET", "no-appendfsync-on-rewrite", "yes")
        own_server.execute("CLIENT", "KILL", "USER", "rooms")
        assert "no-appendfsync-on-rewrite no" in wait_for_readiness(client, "store_unfit")
        assert "turnstream_store_unfit 1.0" in client.anonymous().get("/metrics").content.decode()
        assert ada.command(room, "ready").code == ada.open_room("morris").code == "store_unfit"
        assert ada.read_room(room).status == 200
        own_server.execute("CONFIG", "SET", "no-appendfsync-on-rewrite", "no")
        wait_for_readiness(client, "")
        assert ada.command(room, "ready").status == 200
        assert "turnstream_store_unfit 0.0" in client.anonymous().get("/metrics").content.decode()
        assert '"event": "store_unfit"' in api.log.read_text()
