"""Exports of long matches: streamed as they are read, and aborted, never shortened, at a damaged event."""

import socket
from pathlib import Path

import httpx
import msgspec
import pytest

from service.domain.game import Seat
from service.domain.ids import Epoch, RoomKey, RoomName
from service.domain.notation.reading import read_export, read_text
from service.domain.notation.sheet import Drop, sheet_of
from service.store.redis.keys import Keys
from service.streams.reader import PAGE
from tests.e2e.client import ApiClient, Json
from tests.e2e.seated_rooms import SeatedRoom, seat_players
from tests.store_server import StoreServer
from tests.waiting import PATIENCE

VISITS = PAGE // 2 + 20


def long_match(client: ApiClient) -> tuple[SeatedRoom, str]:
    """Return a room with seated players in whose match a spectator joined and left often, and the match's id."""
    seated, spectator = seat_players(client, "turncoat", 2), client.guest("Spectator")
    with spectator.subscribe(seated.room) as feed:
        for _ in range(VISITS):
            for command in ({"type": "join", "as": "spectator"}, {"type": "leave"}):
                assert "result" in feed.command(seated.room, command)
    return seated, seated.red.read_room(seated.room).body["match"]["id"]


@pytest.fixture(scope="module")
def played(client: ApiClient) -> tuple[SeatedRoom, str]:
    """Play one long match for all tests of this module."""
    return long_match(client)


def exported(client: ApiClient, match: str, accept: str = "*/*") -> tuple[httpx.Headers, list[bytes]]:
    """Return the headers of an export and its chunks as they arrived."""
    address, headers = f"{client.url}/v1/matches/{match}/export", {"accept": accept}
    with httpx.stream("GET", address, headers=headers, timeout=PATIENCE) as answer:
        assert answer.status_code == 200
        return answer.headers, list(answer.iter_raw())


def test_a_long_match_is_exported_page_by_page(client: ApiClient, played: tuple[SeatedRoom, str]) -> None:
    """Its length is not known before; its events are those of the room's history."""
    seated, match = played
    headers, pieces = exported(client, match)
    assert headers["transfer-encoding"] == "chunked"
    assert headers["content-type"].startswith("application/x-ndjson")
    assert headers["cache-control"] == "private, no-cache"
    lines = b"".join(pieces).splitlines()
    events = [msgspec.json.decode(line) for line in lines]
    assert len(events) > PAGE
    first = events[0]["version"]
    history = f"/v1/rooms/{seated.room}/events"
    pages: list[Json] = []
    while page := seated.red.get(history, since=first - 1 + len(pages), limit=300).body["events"]:
        pages += page
    assert len(pages) == len(events)
    assert [event["version"] for event in events] == list(range(first, first + len(events)))
    assert [event["type"] for event in pages] == [event["type"] for event in events]


def test_the_text_of_a_long_match_is_written_while_it_is_read(
    client: ApiClient, played: tuple[SeatedRoom, str]
) -> None:
    """The heading is first, although the seed and the result in it are known last."""
    seated, match = played
    if seated.red.read_room(seated.room).body["match"]["result"] is None:
        assert seated.red.command(seated.room, "resign").status == 200
    headers, pieces = exported(client, match, "text/plain")
    assert headers["transfer-encoding"] == "chunked"
    assert headers["content-type"] == "text/plain; charset=utf-8"
    assert headers["cache-control"] == "private, no-cache"
    sheet = read_text(b"".join(pieces).decode())
    assert sheet.entries == (Drop(Seat(0), "resigned"),)
    assert sheet == sheet_of(read_export(b"".join(exported(client, match)[1])), ("Player 0", "Player 1"))


def test_a_head_request_has_no_body(client: ApiClient, played: tuple[SeatedRoom, str]) -> None:
    """HEAD works as for every other resource."""
    answer = httpx.head(f"{client.url}/v1/matches/{played[1]}/export", timeout=PATIENCE)
    assert (answer.status_code, answer.content) == (200, b"")


def damaged_exports(client: ApiClient) -> float:
    """Return how many problems with a damaged history the service has counted."""
    lines = client.anonymous().get("/metrics").content.decode().splitlines()
    [count] = [
        line.split()[1] for line in lines if line.startswith('turnstream_problems_total{code="history_damaged"}')
    ]
    return float(count)


def test_an_export_ends_early_and_says_so_where_an_event_is_damaged(
    client: ApiClient, rooms_store: StoreServer, logs: Path
) -> None:
    """The connection is reset before the end; a client sees that the export is incomplete, also one of HTTP/1.0.

    The service logs and counts it, without a traceback.
    """
    seated, match = long_match(client)
    epoch = Epoch(match.split(".")[1])
    stream = Keys(16).stream(RoomKey(RoomName(seated.room), epoch))
    entries = rooms_store.execute("XRANGE", stream, "-", "+")
    rooms_store.execute("DEL", stream)
    for number, (entry_id, fields) in enumerate(entries):
        if number == PAGE + 30:
            fields[1] = fields[1].replace(b"1", b"2", 1)
        rooms_store.execute("XADD", stream, entry_id, *fields)
    before, counted = logs.read_text(), damaged_exports(client)
    with pytest.raises((httpx.RemoteProtocolError, httpx.ReadError)):
        exported(client, match)
    with socket.create_connection(("127.0.0.1", int(client.url.rpartition(":")[2])), timeout=PATIENCE) as old:
        old.sendall(f"GET /v1/matches/{match}/export HTTP/1.0\r\n\r\n".encode())
        with pytest.raises(ConnectionResetError):
            old.makefile("rb").read()
    lines = [msgspec.json.decode(line) for line in logs.read_text().removeprefix(before).splitlines()]
    aborted = [line for line in lines if line["event"] == "export_aborted"]
    assert [(line["match"], line["code"]) for line in aborted] == [(match, "history_damaged")] * 2
    assert not [line for line in lines if "exception" in line]
    assert damaged_exports(client) == counted + 2
