"""URLs of stores, the first commands of a connection, and TLS with a certificate made for the test."""

import asyncio
import shutil
import ssl
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from service.store.contract import StoreUnavailable
from service.store.redis.client import connection
from service.store.redis.client.address import Address, TlsOptions, address_of
from service.store.redis.client.pipeline import Pipeline
from tests.waiting import PATIENCE


@pytest.mark.parametrize(
    ("url", "address"),
    [
        ("redis://", Address()),
        ("redis://store", Address(host="store")),
        ("redis://[::1]:7000", Address(host="::1", port=7000)),
        ("redis://user:secret@store:7000/3", Address("store", 7000, login=("user", "secret"), database=3)),
        ("redis://:a%2Fb%40c@store/", Address("store", login=("a/b@c",))),
        ("redis://user@store/1?db=2", Address("store", login=("user", ""), database=2)),
        ("unix:///run/a%20store.sock", Address(socket="/run/a store.sock")),
        (
            "unix://user:secret@/run/store.sock?db=2",
            Address(socket="/run/store.sock", login=("user", "secret"), database=2),
        ),
        ("rediss://:secret@store", Address("store", tls=TlsOptions(), login=("secret",))),
        (
            "rediss://store/1?ssl_cert_reqs=none&ssl_check_hostname=false",
            Address("store", tls=TlsOptions(ssl_cert_reqs="none", ssl_check_hostname=False), database=1),
        ),
    ],
)
def test_a_url_names_an_address(url: str, address: Address) -> None:
    """TCP, TLS and a Unix socket, with a password or a user, a database and options."""
    assert address_of(url) == address


@pytest.mark.parametrize(
    "url",
    [
        "",
        "store:6379",
        "http://store",
        "unix://",
        "redis://store:port",
        "redis://store/name",
        "redis://store?db=x",
        "redis://store?db=",
        "redis://store?db=-1",
        "redis://store?no_such_option=1",
        "redis://store?ssl_check_hostname=false",
        "unix:///run/store.sock?ssl_cert_reqs=none",
        "rediss://store?ssl_cert_reqs=perhaps",
        "rediss://store?ssl_ca_certs=/nowhere/ca.pem",
    ],
)
def test_an_invalid_url_is_a_value_error(url: str) -> None:
    """At the start, not at the first call."""
    with pytest.raises(ValueError, match=r".+"):
        address_of(url)


NAME = b"*3\r\n$6\r\nCLIENT\r\n$7\r\nSETNAME\r\n$10\r\nturnstream\r\n"


@pytest.mark.parametrize(
    ("address", "greeting"),
    [
        (Address(), [NAME]),
        (Address(login=("secret",)), [b"*2\r\n$4\r\nAUTH\r\n$6\r\nsecret\r\n", NAME]),
        (Address(login=("api", "")), [b"*3\r\n$4\r\nAUTH\r\n$3\r\napi\r\n$0\r\n\r\n", NAME]),
        (
            Address(login=("api", "secret"), database=3),
            [b"*3\r\n$4\r\nAUTH\r\n$3\r\napi\r\n$6\r\nsecret\r\n", NAME, b"*2\r\n$6\r\nSELECT\r\n$1\r\n3\r\n"],
        ),
    ],
)
def test_a_connection_logs_in_names_itself_and_chooses_its_database(address: Address, greeting: list[bytes]) -> None:
    """This is the order, because a server executes nothing else before the login."""
    assert address.greeting() == greeting


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a certificate for `localhost` that signs itself, with its key in the same file."""
    if (openssl := shutil.which("openssl")) is None:
        pytest.skip("no openssl to make a certificate with")
    file = tmp_path_factory.mktemp("tls") / "localhost.pem"
    name = ("-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost")
    arguments = (
        "req",
        "-x509",
        "-newkey",
        "rsa:2048",
        "-nodes",
        "-days",
        "1",
        *name,
        "-keyout",
        file,
        "-out",
        "/dev/stdout",
    )
    made = subprocess.run([openssl, *arguments], check=True, capture_output=True)
    with file.open("ab") as both:
        both.write(made.stdout)
    return file


async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Answer every command with OK."""
    while received := await reader.read(1000):
        writer.write(b"+OK\r\n" * received.count(b"*"))
    writer.close()


@asynccontextmanager
async def tls_server(certificate: Path, *, requires_certificate: bool = False) -> AsyncIterator[int]:
    """Run a server that answers every command with OK, over TLS, and return its port."""
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH, cafile=str(certificate))
    context.load_cert_chain(certificate)
    context.verify_mode = ssl.CERT_REQUIRED if requires_certificate else ssl.CERT_NONE
    async with await asyncio.start_server(answer, "127.0.0.1", 0, ssl=context) as server:
        yield server.sockets[0].getsockname()[1]


@pytest.fixture(autouse=True)
def any_speed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait longer for a handshake, whose two ends share a thread here, than a service does."""
    monkeypatch.setattr(connection, "CONNECT_PATIENCE", PATIENCE)


async def pinged(url: str) -> object:
    """Return what the server at a URL answers to a PING."""
    pipeline = Pipeline(address_of(url))
    try:
        return await pipeline.send(b"PING")
    finally:
        await pipeline.close()


@pytest.mark.parametrize(
    ("host", "options"),
    [
        ("localhost", "ssl_ca_certs={certificate}"),
        ("127.0.0.1", "ssl_ca_certs={certificate}&ssl_check_hostname=false"),
        ("127.0.0.1", "ssl_cert_reqs=none"),
    ],
)
async def test_a_server_with_a_valid_certificate_is_used(certificate: Path, host: str, options: str) -> None:
    """The options of the URL decide which certificates are valid."""
    async with tls_server(certificate) as port:
        assert await pinged(f"rediss://{host}:{port}?{options.format(certificate=certificate)}") == b"OK"


@pytest.mark.parametrize(("host", "options"), [("localhost", ""), ("127.0.0.1", "ssl_ca_certs={certificate}")])
async def test_a_server_without_a_valid_certificate_gets_no_password(
    certificate: Path, host: str, options: str
) -> None:
    """A certificate that no trusted authority signed, or that names another host."""
    async with tls_server(certificate) as port:
        with pytest.raises(StoreUnavailable, match="CERTIFICATE_VERIFY_FAILED"):
            await pinged(f"rediss://:secret@{host}:{port}?{options.format(certificate=certificate)}")


async def test_a_server_may_require_a_certificate(certificate: Path) -> None:
    """The URL's options name the client's certificate; without them the server closes the connection."""
    async with tls_server(certificate, requires_certificate=True) as port:
        url = f"rediss://localhost:{port}?ssl_ca_certs={certificate}"
        assert await pinged(f"{url}&ssl_certfile={certificate}") == b"OK"
        with pytest.raises(StoreUnavailable):
            await pinged(url)
