"""Clients that disconnect, become silent or send invalid data cause at most one log line, and no traceback."""

import json
import socket
import struct
from collections.abc import Callable, Iterator

import pytest

from tests.api.test_socket_frames import FINAL, TEXT, UPGRADE, Wire, framed, said
from tests.e2e.client import ApiClient, connect_to
from tests.e2e.processes import ApiProcess, run_processes
from tests.store_server import StoreServer
from tests.waiting import PATIENCE

TOO_SLOW, NOT_UTF8 = 4000, 1007
STREAM = b"GET /v1/rooms/%b/feed HTTP/1.1\r\nhost: x\r\naccept: text/event-stream\r\n\r\n"
POST = (
    b"POST /v1/rooms/%b/commands HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 90\r\n\r\n{"
)


@pytest.fixture(scope="module")
def process(rooms_store: StoreServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ApiProcess]:
    """Run a process with a log of its own that pings its sockets often."""
    log = tmp_path_factory.mktemp("rude") / "log"
    api = ApiProcess(rooms_store.url, log, module="tests.e2e.small_send_buffer", test_ping="0.3", log_level="info")
    with run_processes(api):
        yield api


@pytest.fixture
def way_in(process: ApiProcess) -> Iterator[ApiClient]:
    """Return the way to it."""
    with connect_to(process.url) as client:
        yield client


def connected(process: ApiProcess) -> socket.socket:
    """Return a connection."""
    return socket.create_connection(("127.0.0.1", process.port), timeout=PATIENCE)


def reset(connection: socket.socket) -> None:
    """Hang up without a word, as a phone does that leaves the network."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()


def lines_after(process: ApiProcess, before: int) -> list[str]:
    """Return what was logged since, each line read as JSON, none with a traceback."""
    text = process.log.read_text()[before:]
    assert "Traceback" not in text
    lines = text.splitlines()
    assert all(json.loads(line)["event"] for line in lines)
    return lines


def test_a_text_that_is_not_utf8_logs_one_line_at_most(process: ApiProcess) -> None:
    """The text is sent in one frame, and in several."""
    for pieces in ([framed(b"\xff\xfe")], [framed(b"{\xc3", TEXT), framed(b"(}", FINAL)]):
        before = len(process.log.read_text())
        with connected(process) as connection:
            wire = Wire(connection)
            assert wire.shake_hands("/v1/feed") == 101
            for piece in pieces:
                wire.send(piece)
            assert wire.close_code() == NOT_UTF8
            wire.rest()
        assert len(lines_after(process, before)) <= 1


def test_a_socket_that_answers_no_ping_is_closed_and_logs_one_line_at_most(process: ApiProcess) -> None:
    """The close code asks the client to resume."""
    before = len(process.log.read_text())
    with connected(process) as connection:
        wire = Wire(connection)
        assert wire.shake_hands("/v1/feed") == 101
        wire.send(framed(said(1)))
        assert wire.answer() == 1
        kind, _ = wire.hears()
        assert kind == 9
        assert wire.close_code() == TOO_SLOW
        wire.rest()
    assert len(lines_after(process, before)) <= 1


HANG_UPS: dict[str, Callable[[bytes], list[bytes]]] = {
    "in the handshake": lambda _: [UPGRADE[:60]],
    "behind the handshake": lambda _: [UPGRADE],
    "in a frame": lambda _: [UPGRADE, framed(said(1))[:9]],
    "before its answers": lambda _: [UPGRADE, framed(said(1)) * 50],
    "as a subscriber": lambda room: [UPGRADE, framed(b'{"type":"subscribe","room":"%b"}' % room)],
    "as the reader of a stream": lambda room: [STREAM % room],
    "in a body": lambda room: [POST % room],
    "before an answer": lambda room: [b"GET /v1/rooms/%b/events HTTP/1.1\r\nhost: x\r\n\r\n" % room],
}


@pytest.mark.parametrize("way", HANG_UPS)
def test_a_disconnected_client_causes_one_log_line_at_most(process: ApiProcess, way_in: ApiClient, way: str) -> None:
    """Wherever it is in the conversation, and while others write to the room."""
    ada = way_in.guest("Ada")
    room = ada.open_room("morris").body["room"]
    before = len(process.log.read_text())
    connection = connected(process)
    pieces = HANG_UPS[way](room.encode())
    connection.sendall(pieces[0])
    if len(pieces) > 1 or way == "as the reader of a stream":
        connection.recv(1000)
    for piece in pieces[1:]:
        connection.sendall(piece)
    reset(connection)
    for kind in ("ready", "unready") * 10:
        assert ada.command(room, kind).status == 200
    assert len(lines_after(process, before)) <= 1
