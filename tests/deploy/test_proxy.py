"""What the proxy passes on: clients' addresses behind another proxy, and requests while the store is away."""

import re
import subprocess
from collections.abc import Iterable

import httpx
import msgspec
import pytest

from service.streams.codes import CODES
from tests.deploy.conftest import Site, is_ready
from tests.e2e.client import ApiClient
from tests.e2e.seated_rooms import seat_players
from tests.store_server import free_port
from tests.test_deploy import DEPLOY

IN_FRONT, CONTENT_NETWORK = "127.0.0.9", "192.0.2.1"
"""The addresses of the operator's own proxy, and of one in front of it."""

OPERATORS_PROXY = """
defaults
    mode http
    timeout connect 5s
    timeout client 30s
    timeout server 30s
frontend public
    bind 127.0.0.1:{port}
    option forwardfor
    default_backend turnstream
backend turnstream
    server turnstream 127.0.0.1:{behind} source {address}
"""


@pytest.fixture(scope="module")
def trusting(site: Site) -> str:
    """Run a second instance of the proxy, which trusts the proxies in front of it, and return its URL."""
    port = free_port()
    site.start_proxy("trusting", port, TURNSTREAM_TRUSTED_PROXIES=f"192.0.2.0/24, {IN_FRONT}")
    return f"http://127.0.0.1:{port}"


@pytest.fixture(scope="module")
def public(site: Site, trusting: str) -> str:
    """Run an operator's own proxy in front of it, and return its URL."""
    port, file = free_port(), site.folder / "public.cfg"
    file.write_text(OPERATORS_PROXY.format(port=port, behind=trusting.rpartition(":")[2], address=IN_FRONT))
    site.start("public", ["haproxy", "-db", "-f", str(file)], {})
    site.wait_for("public", lambda: is_ready(f"http://127.0.0.1:{port}"))
    return f"http://127.0.0.1:{port}"


def guess(url: str, address: str, forwarded: Iterable[str]) -> list[int]:
    """Send wrong operator tokens from an address until one is limited, and return the statuses.

    The client writes each of the addresses in `forwarded` into a header.
    """
    statuses = []
    with httpx.Client(transport=httpx.HTTPTransport(local_address=address), timeout=30) as http:
        for each in forwarded:
            headers = {"authorization": "Bearer wrong", "x-forwarded-for": each}
            statuses.append(http.get(f"{url}/v1/admin/log", headers=headers).status_code)
            if statuses[-1] == 429:
                break
    return statuses


def others(beside: str = "") -> list[str]:
    """Return 60 different addresses, more than one address may guess in a few minutes, each with one beside it."""
    return [f"198.51.100.{number}{beside}" for number in range(60)]


def test_two_clients_behind_an_operators_proxy_have_an_allowance_each(public: str) -> None:
    """Whatever they write into the header: the proxy in front adds their addresses."""
    assert guess(public, "127.0.0.2", others())[-1] == 429
    assert guess(public, "127.0.0.3", others())[0] == 401
    assert guess(public, "127.0.0.3", others(f", {CONTENT_NETWORK}"))[-1] == 429


def test_clients_of_a_proxy_before_the_operators_proxy_have_an_allowance_each(trusting: str) -> None:
    """If both are trusted; what is no address counts as the proxy that sent it."""
    assert guess(trusting, IN_FRONT, others(f", {CONTENT_NETWORK}")) == [401] * 60
    assert guess(trusting, IN_FRONT, others(", 203.0.113.9"))[-1] == 429
    assert guess(trusting, IN_FRONT, others(", unknown"))[-1] == 429


def test_a_client_that_is_no_trusted_proxy_cannot_choose_its_address(site: Site, trusting: str) -> None:
    """Without the setting, nobody is trusted."""
    for url, address in ((trusting, "127.0.0.4"), (site.proxy, "127.0.0.5"), (site.proxy, IN_FRONT)):
        assert guess(url, address, others())[-1] == 429


def test_clients_over_tls_have_an_allowance_each(site: Site) -> None:
    """The port for the service `tls` takes the address that it adds, which is the last one."""
    tls = f"http://127.0.0.1:{site.tls_port}"
    assert guess(tls, "127.0.0.6", others()) == [401] * 60
    assert guess(tls, "127.0.0.6", [f"{each}, 203.0.113.7" for each in others()])[-1] == 429


def test_the_proxy_serves_its_own_metrics(site: Site) -> None:
    """On a port that is not published, and nothing else."""
    with httpx.Client(base_url=f"http://127.0.0.1:{site.proxy_metrics_port}") as http:
        assert 'haproxy_backend_active_servers{proxy="api"} 2' in http.get("/metrics").text
        assert http.get("/v1/games").status_code == 404


def wait_until_replicas_are(site: Site, state: str) -> None:
    """Wait until the proxy has logged for both replicas last that they are ready (UP), or that they are not (DOWN)."""

    def are_known() -> bool:
        last = dict(re.findall(r"Server api/(\w+) is (UP|DOWN)", site.running["proxy"].log.read_text()))
        return list(last.values()) == [state] * 2

    site.wait_for("proxy", are_known)


def test_while_the_store_is_away_pages_are_served_and_feeds_stay(site: Site, front: ApiClient) -> None:
    """Everything else is refused by the replicas, not by the proxy; when the store is back, the match continues."""
    room, (red, _) = seat_players(front, "morris", 2)
    with red.subscribe(room) as feed:
        feed.until(lambda frame: frame["type"] == "caught_up")
        site.stop("redis")
        wait_until_replicas_are(site, "DOWN")
        for path in ("/", "/v1/games", f"/r/{room}") * 2:
            assert front.anonymous().get(path).status == 200
        for refused in (red.read_room(room), red.command(room, "resign"), red.open_room("morris")):
            assert (refused.code, refused.body["detail"]) == ("store_unavailable", CODES["store_unavailable"].meaning)
        assert feed.command(room, {"type": "resign"})["problem"]["code"] == "store_unavailable"
        site.start_store()
        wait_until_replicas_are(site, "UP")
        assert feed.command(room, {"type": "play", "move": {"type": "place", "at": "a1"}})["result"]


def test_while_the_store_has_lost_data_the_replicas_say_so_through_the_proxy(site: Site, front: ApiClient) -> None:
    """Reading continues; the health check prints the reason."""
    room, (red, _) = seat_players(front, "morris", 2)
    kept = site.folder / "kept"
    site.stop("redis")
    (site.folder / "store").rename(kept)
    (site.folder / "store").mkdir()
    site.start_store()
    wait_until_replicas_are(site, "DOWN")
    site.wait_for("proxy", lambda: front.anonymous().get("/health/ready").code == "store_lost_data")
    assert red.open_room("morris").code == "store_lost_data"
    assert front.anonymous().get("/v1/rooms").status == 200
    for port in (site.api_ports[0], site.proxy_port):
        done = subprocess.run([DEPLOY / "health.sh", str(port), "/health/ready"], capture_output=True, check=False)
        assert done.returncode == 1
        assert msgspec.json.decode(done.stdout)["code"] == "store_lost_data"
    site.stop("redis")
    (site.folder / "store").rename(site.folder / "empty")
    kept.rename(site.folder / "store")
    site.start_store()
    wait_until_replicas_are(site, "UP")
    assert red.play(room, {"type": "place", "at": "a1"}).status == 200
