"""The profiles `tls` and `metrics` of the compose file: certificates of three kinds, and alerts that arrive."""

import json
import socket
import ssl
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import httpx
import pytest
import trustme
from cryptography import x509
from cryptography.x509.oid import NameOID
from websockets.sync.client import connect

from tests.compose.conftest import ROOT, Stack, running
from tests.compose.test_compose_webhooks import guest, received, receiver
from tests.deploy.test_proxy import others
from tests.store_server import free_port

pytestmark = pytest.mark.compose

PROMETHEUS = "http://127.0.0.1:9090/api/v1"
DOMAIN = "play.example"

PEBBLE = {
    "pebble": {
        "listenAddress": "0.0.0.0:14000",
        "managementListenAddress": "0.0.0.0:15000",
        "certificate": "/pebble/pebble.pem",
        "privateKey": "/pebble/pebble.key",
        "httpPort": 8080,
        "tlsPort": 8443,
        "ocspResponderURL": "",
        "externalAccountBindingRequired": False,
    }
}
"""A server for ACME that checks domains at the ports at which `tls` listens in its container."""

PEBBLE_IMAGE = (
    "FROM python:3.13-slim\n"
    "RUN apt-get update && apt-get install --yes --no-install-recommends pebble\n"
    'ENTRYPOINT ["pebble", "-config", "/pebble/pebble.json", "-strict"]\n'
)


@pytest.fixture(scope="module")
def published(engine: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:  # noqa: ARG001 - only its answer
    """Run the services of the compose file with TLS and metrics on free ports."""
    folder = tmp_path_factory.mktemp("published")
    stack = Stack(folder, "tls", "metrics")
    stack.variables |= {
        "TURNSTREAM_HTTP_PORT": str(free_port()),
        "TURNSTREAM_HTTPS_PORT": str(free_port()),
        "TURNSTREAM_CERTIFICATES": str(folder),
        "TURNSTREAM_ALERTS": "http://receiver:8080/in",
    }
    folder.chmod(0o755)
    with running(stack) as stack:
        yield stack


def port(stack: Stack) -> int:
    """Return the port for HTTPS."""
    return int(stack.variables["TURNSTREAM_HTTPS_PORT"])


def certificate(stack: Stack, trusted: ssl.SSLContext, domain: str) -> x509.Certificate | None:
    """Return the certificate for a domain, None if there is no trusted one."""
    try:
        with (
            socket.create_connection(("127.0.0.1", port(stack)), 10) as raw,
            trusted.wrap_socket(raw, server_hostname=domain) as secured,
        ):
            return x509.load_der_x509_certificate(secured.getpeercert(binary_form=True) or b"")
    except OSError:
        return None


def self_signed_root(stack: Stack) -> ssl.SSLContext:
    """Trust the root that the service has created."""
    root = stack.compose("exec", "-T", "tls", "cat", "/data/caddy/pki/authorities/local/root.crt")
    return ssl.create_default_context(cadata=root)


def test_a_first_look_has_a_self_signed_certificate(published: Stack) -> None:
    """HTTP/2 for pages, sockets for feeds, HSTS, and a redirect from HTTP."""
    trusted = self_signed_root(published)
    url = f"https://localhost:{port(published)}"
    with httpx.Client(verify=trusted, trust_env=False, base_url=url) as http:
        page = http.get("/")
        assert (page.status_code, page.headers["strict-transport-security"]) == (200, "max-age=31536000")
        token = guest(http, "Ada")
        headers = {"authorization": f"Bearer {token}"}
        room = http.post("/v1/rooms", json={"game": "morris"}, headers=headers).json()["room"]
        plain = httpx.get(
            f"http://localhost:{published.variables['TURNSTREAM_HTTP_PORT']}/r/{room}?a=b", trust_env=False
        )
        assert (plain.status_code, plain.headers["location"]) == (308, f"{url}/r/{room}?a=b")
    feed = f"wss://localhost:{port(published)}/v1/rooms/{room}/feed"
    with connect(feed, ssl=trusted, proxy=None, additional_headers={"Origin": "https://localhost"}) as connection:
        connection.send(json.dumps({"type": "subscribe", "room": room}))
        assert json.loads(connection.recv(10))["type"] == "subscribed"
    trusted.set_alpn_protocols(["h2", "http/1.1"])
    with (
        socket.create_connection(("127.0.0.1", port(published)), 10) as raw,
        trusted.wrap_socket(raw, server_hostname="localhost") as secured,
    ):
        assert secured.selected_alpn_protocol() == "h2"


def test_a_client_over_tls_cannot_choose_its_address(published: Stack) -> None:
    """Caddy adds the address of the connection and drops what the client writes."""
    statuses = []
    with httpx.Client(verify=self_signed_root(published), trust_env=False, timeout=30) as http:
        for each in others():
            headers = {"authorization": "Bearer wrong", "x-forwarded-for": each}
            statuses.append(http.get(f"https://localhost:{port(published)}/v1/admin/log", headers=headers).status_code)
    assert statuses[-1] == 429


def test_feeds_over_tls_survive_a_restart_of_the_proxy(published: Stack) -> None:
    """A request that comes meanwhile waits, and gets an answer."""
    with httpx.Client(verify=self_signed_root(published), trust_env=False, timeout=30) as http:
        published.compose("restart", "proxy")
        assert http.get(f"https://localhost:{port(published)}/v1/games").status_code == 200
    published.wait_until_healthy()


def test_after_a_fresh_start_every_target_is_scraped_and_no_alert_is_pending(published: Stack) -> None:
    """Not even for a moment that ends by itself."""
    jobs = {"turnstream-api", "turnstream-worker", "turnstream-webhooks", "turnstream-backup", "turnstream-proxy"}

    def are_up() -> bool:
        found = httpx.get(f"{PROMETHEUS}/targets", trust_env=False).json()["data"]["activeTargets"]
        return {each["labels"]["job"] for each in found if each["health"] == "up"} == jobs

    published.wait_until(are_up, "Prometheus scrapes every kind of process")
    time.sleep(60)  # four evaluations of the rules
    assert alerts() == {}


def test_every_panel_of_the_dashboard_can_be_drawn(published: Stack) -> None:  # noqa: ARG001 - only that it runs
    """Prometheus answers each of its queries; those of what is always measured with figures."""
    panels = json.loads((ROOT / "deploy/metrics/dashboard.json").read_text())["panels"]
    queries = [target["expr"].replace("$__rate_interval", "1m") for panel in panels for target in panel["targets"]]
    with httpx.Client(base_url=PROMETHEUS, trust_env=False) as prometheus:
        answers = [prometheus.get("/query", params={"query": query}).json() for query in queries]
    refused = [query for query, answer in zip(queries, answers, strict=True) if answer["status"] != "success"]
    assert refused == []
    assert sum(bool(answer["data"]["result"]) for answer in answers) > len(queries) / 2


def alerts() -> dict[str, str]:
    """Return the states of the alerts by name."""
    found = httpx.get(f"{PROMETHEUS}/alerts", trust_env=False).json()["data"]["alerts"]
    return {each["labels"]["alertname"]: each["state"] for each in found}


def test_an_alert_reaches_the_operators_webhook(published: Stack) -> None:
    """The worker is stopped: within four minutes its absence arrives, and its end once it is back."""
    with receiver(published) as container:

        def has(status: str) -> bool:
            messages = [json.loads(message.body) for message in received(container)]
            return any(
                alert["labels"].get("job") == "turnstream-worker" and alert["status"] == status
                for message in messages
                for alert in message["alerts"]
            )

        published.compose("stop", "worker")
        published.wait_until(lambda: alerts().get("NobodyThere") == "pending", "the alert is pending")
        published.wait_until(lambda: alerts().get("NobodyThere") == "firing", "the alert fires")
        published.wait_until(partial(has, "firing"), "the alert arrives")
        published.compose("start", "worker")
        published.wait_until(partial(has, "resolved"), "its end arrives")


def test_the_operators_own_certificate_is_served(published: Stack, tmp_path: Path) -> None:
    """From the two files that the guide names."""
    authority = trustme.CA()
    own = authority.issue_cert(DOMAIN)
    folder = Path(published.variables["TURNSTREAM_CERTIFICATES"])
    own.private_key_pem.write_to_path(folder / "privkey.pem")
    (folder / "fullchain.pem").write_bytes(b"".join(blob.bytes() for blob in own.cert_chain_pems))
    for file in folder.glob("*.pem"):
        file.chmod(0o644)
    authority.cert_pem.write_to_path(tmp_path / "ca.pem")
    trusted = ssl.create_default_context(cafile=tmp_path / "ca.pem")
    published.variables |= {"TURNSTREAM_CERTIFICATE": "files", "TURNSTREAM_DOMAIN": DOMAIN}
    published.up("tls")
    assert certificate(published, trusted, DOMAIN) is not None


def test_a_certificate_is_requested_by_acme(published: Stack) -> None:
    """From Pebble, which checks the domain by HTTP like a public authority."""
    folder = Path(published.variables["TURNSTREAM_CERTIFICATES"])
    authority = trustme.CA()
    served = authority.issue_cert("pebble")
    served.private_key_pem.write_to_path(folder / "pebble.key")
    served.cert_chain_pems[0].write_to_path(folder / "pebble.pem")
    authority.cert_pem.write_to_path(folder / "acme-root.pem")
    (folder / "pebble.json").write_text(json.dumps(PEBBLE))
    for file in folder.glob("*.*"):
        file.chmod(0o644)
    pebble = {
        "build": {"context": str(folder), "dockerfile_inline": PEBBLE_IMAGE},
        "environment": {"PEBBLE_VA_NOSLEEP": "1"},
        "volumes": [f"{folder}:/pebble:ro"],
        "networks": ["outside"],
    }
    aliases = {"front": {}, "outside": {"aliases": [DOMAIN]}}
    published.add_file({"services": {"pebble": pebble, "tls": {"networks": aliases}}})
    published.variables |= {
        "TURNSTREAM_CERTIFICATE": "acme",
        "TURNSTREAM_ACME_URL": "https://pebble:14000/dir",
        "TURNSTREAM_ACME_ROOTS": "/certificates/acme-root.pem",
    }
    published.compose("up", "--detach", "--build", "pebble")
    published.up("tls")
    anybody = ssl.create_default_context()
    anybody.check_hostname = False
    anybody.verify_mode = ssl.CERT_NONE

    def is_issued() -> bool:
        found = certificate(published, anybody, DOMAIN)
        issuers = found.issuer.get_attributes_for_oid(NameOID.COMMON_NAME) if found else []
        return any(str(each.value).startswith("Pebble") for each in issuers)

    published.wait_until(is_issued, "Pebble has issued a certificate")
