"""Sockets with permessage-deflate (RFC 7692), where the operator allows it: the same frames in fewer bytes."""

import asyncio
import zlib
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from websockets.asyncio.client import connect

from tests.api.test_socket_frames import (
    CLOSE,
    CONTINUATION,
    FINAL,
    PROTOCOL_ERROR,
    TEXT,
    TOO_BIG,
    Wire,
    connection_to,
    framed,
    said,
)
from tests.e2e.client import ApiClient, connect_to
from tests.e2e.processes import ApiProcess, run_processes
from tests.store_server import StoreServer

COMPRESSED = 0x40
OFFER = "sec-websocket-extensions: permessage-deflate"


@pytest.fixture(scope="module")
def compressing(rooms_store: StoreServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ApiClient]:
    """Run an API process that accepts compression."""
    api = ApiProcess(rooms_store.url, tmp_path_factory.mktemp("compressing") / "log", compress_sockets="true")
    with run_processes(api), connect_to(api.url) as client:
        yield client


@pytest.fixture
def wire(compressing: ApiClient) -> Iterator[Wire]:
    """Open a socket that negotiates compression."""
    with connection_to(compressing) as connection:
        opened = Wire(connection)
        assert opened.shake_hands("/v1/feed", OFFER) == 101
        yield opened


def deflated(payload: bytes) -> bytes:
    """Return a message compressed without earlier ones."""
    packer = zlib.compressobj(wbits=-12)
    return (packer.compress(payload) + packer.flush(zlib.Z_SYNC_FLUSH)).removesuffix(b"\x00\x00\xff\xff")


async def followed(client: ApiClient, room: str, token: str | None, compression: str | None) -> tuple[list[Any], Any]:
    """Return the first frames of a room's feed, and what was negotiated."""
    url = f"{client.url.replace('http', 'ws', 1)}/v1/rooms/{room}/feed"
    async with connect(url, compression=compression, proxy=None) as socket:
        await socket.send(msgspec.json.encode({"type": "subscribe", "room": room, "token": token}), text=True)
        frames = [msgspec.json.decode(await socket.recv()) for _ in range(3)]
        assert socket.response is not None
        return frames, socket.response.headers.get("sec-websocket-extensions")


def test_the_frames_are_the_same(compressing: ApiClient, client: ApiClient) -> None:
    """With and without compression, which a client gets only if it offers it and the operator allows it."""
    ada = compressing.guest("Ada")
    room = ada.open_room("morris").body["room"]
    packed, accepted = asyncio.run(followed(compressing, room, ada.token, "deflate"))
    plain, without_offer = asyncio.run(followed(compressing, room, ada.token, None))
    _, not_allowed = asyncio.run(followed(client, room, ada.token, "deflate"))
    assert accepted.startswith("permessage-deflate")
    assert [without_offer, not_allowed] == [None, None]
    assert (
        [frame["type"] for frame in packed]
        == [frame["type"] for frame in plain]
        == ["subscribed", "snapshot", "caught_up"]
    )
    assert packed[0] == plain[0]
    assert packed[1]["view"]["match"] == plain[1]["view"]["match"]


def test_frames_are_compressed_with_those_before(wire: Wire) -> None:
    """The second reply is shorter than the first, which it repeats."""
    sizes = []
    unpacker = zlib.decompressobj(wbits=-12)
    for number in (1, 2):
        wire.send(framed(deflated(said(number)), FINAL | COMPRESSED | TEXT))
        kind, payload = wire.hears()
        assert kind == TEXT
        reply = msgspec.json.decode(unpacker.decompress(payload + b"\x00\x00\xff\xff"))
        assert (reply["type"], reply["id"]) == ("reply", number)
        sizes.append(len(payload))
    assert sizes[1] < sizes[0] / 4


def test_a_message_may_be_plain_or_in_parts(wire: Wire) -> None:
    """Whether to compress is a choice for each message; its first frame says so."""
    unpacker, packed = zlib.decompressobj(wbits=-12), deflated(said(2))
    wire.send(framed(said(1)))
    wire.send(framed(packed[:20], COMPRESSED | TEXT) + framed(packed[20:], FINAL | CONTINUATION))
    wire.send(framed(said(3)[:20], TEXT) + framed(said(3)[20:], FINAL | CONTINUATION))
    for number in (1, 2, 3):
        _, payload = wire.hears()
        assert msgspec.json.decode(unpacker.decompress(payload + b"\x00\x00\xff\xff"))["id"] == number


@pytest.mark.parametrize(
    ("sent", "code"),
    [
        (framed(b"\xff\xff\xff", FINAL | COMPRESSED | TEXT), PROTOCOL_ERROR),
        (framed(deflated(said(1, 70_000)), FINAL | COMPRESSED | TEXT), TOO_BIG),
        (framed(deflated(b"0" * 5_000_000), FINAL | COMPRESSED | TEXT), TOO_BIG),
        (framed(b"", TEXT) + framed(deflated(said(1)), FINAL | COMPRESSED | CONTINUATION), PROTOCOL_ERROR),
        (framed(deflated(b"\xff"), FINAL | COMPRESSED | TEXT), 1007),
    ],
    ids=["not deflated", "too big", "bomb", "marked late", "not UTF-8"],
)
def test_what_cannot_be_decompressed_closes_the_socket(wire: Wire, sent: bytes, code: int) -> None:
    """A message of 64 KiB is the largest, compressed or not."""
    wire.send(sent)
    assert wire.close_code() == code


@pytest.mark.parametrize(
    "offer", ["permessage-deflate; no_such_parameter", "x-webkit-deflate-frame", "permessage-deflate; =", ";;"]
)
def test_an_offer_that_is_not_understood_is_declined(compressing: ApiClient, offer: str) -> None:
    """The socket opens without compression."""
    with connection_to(compressing) as connection:
        wire = Wire(connection)
        assert wire.shake_hands("/v1/feed", f"sec-websocket-extensions: {offer}") == 101
        wire.send(framed(said(1)))
        assert wire.answer() == 1
        wire.send(framed(deflated(said(2)), FINAL | COMPRESSED | TEXT))
        assert wire.close_code() == PROTOCOL_ERROR


def test_a_socket_with_compression_is_closed_as_others_are(wire: Wire) -> None:
    """Control frames are never compressed."""
    wire.send(framed((1000).to_bytes(2, "big"), FINAL | CLOSE))
    assert wire.close_code() == 1000
