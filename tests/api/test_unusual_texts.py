"""Unusual texts in every field and parameter: refused or compared, never an internal error."""

from pathlib import Path
from urllib.parse import quote

import pytest

from tests.e2e.client import Json, Player, open_shared_socket

ODD = [
    "\u00e4",
    "\u00b2",
    "\u0661",
    "\ufffd",
    "\x00",
    " ",
    "",
    "=",
    "a" * 300,
    "\U0001f469\u200d\U0001f4bb",
    "%",
    "-1",
    "1e9",
    "\u202e",
]

READS = {
    "/v1/rooms": ("cursor", "limit", "game", "status"),
    "/v1/rooms/{room}": ("at", "seat"),
    "/v1/rooms/{room}/events": ("since", "limit", "seat"),
    "/v1/rooms/{room}/legal-moves": ("seat", "at"),
    "/v1/rooms/{room}/board.svg": ("seat", "at"),
    "/v1/rooms/{room}/matches": ("cursor", "limit"),
    "/v1/rooms/{room}/chat": ("cursor", "since", "limit"),
    "/v1/lobby/chat": ("cursor", "since", "limit"),
    "/v1/admin/rooms": ("cursor", "all"),
    "/v1/admin/log": ("after",),
    "/v1/admin/players": ("q", "restricted", "cursor"),
    "/v1/admin/reports": ("after", "closed"),
}
PATHS = (
    "/v1/rooms/{odd}",
    "/v1/rooms/{odd}/events",
    "/v1/matches/{odd}",
    "/v1/matches/{room}.{odd}.1",
    "/v1/matches/{room}.aaaa.{odd}",
    "/v1/games/{odd}",
    "/docs/{odd}",
    "/static/{odd}/web/{odd}",
    "/static/any/web/{odd}/{odd}",
    "/v1/admin/rooms/{odd}:{odd}",
    "/v1/admin/players/{odd}",
)
HEADERS = ("if-match", "if-none-match", "accept", "accept-language", "x-request-id", "traceparent", "authorization")


@pytest.fixture
def room(ada: Player) -> str:
    """Return a room."""
    return str(ada.open_room("morris").body["room"])


@pytest.mark.parametrize("odd", ODD)
def test_an_odd_text_in_an_address_or_a_header_is_no_fault(
    operator: Player, ada: Player, room: str, odd: str, logs: Path
) -> None:
    """Every parameter of every read, every path, and the headers that are looked at."""
    before = logs.read_text()
    for path, names in READS.items():
        for name in names:
            reader = operator if "admin" in path else ada
            assert reader.get(path.format(room=room), **{name: odd}).status < 500, (path, name)
    for path in PATHS:
        odd_part = quote(odd, safe="")
        assert operator.get(path.format(room=room, odd=odd_part)).status < 500, path
    for name in HEADERS:
        if odd.strip("\x00 ") and all(ord(letter) < 256 for letter in odd):  # else it can't be sent
            assert (
                ada.get(f"/v1/rooms/{room}", {name: f"Bearer {odd}" if name == "authorization" else odd}).status < 500
            )
            assert ada.post(f"/v1/rooms/{room}/commands", {"type": "ready"}, {name: odd}).status < 500
    assert logs.read_text() == before


@pytest.mark.parametrize("odd", ODD)
def test_an_odd_text_in_a_frame_is_no_fault(ada: Player, room: str, odd: str, logs: Path) -> None:
    """In each of its fields; a mark of another history is answered by one snapshot."""
    before, odd = logs.read_text(), odd[:64]
    frames: list[Json] = [
        {"type": "subscribe", "room": odd},
        {"type": "subscribe", "lobby": True, "game": odd[:40]},
        {"type": "unsubscribe", "room": odd},
        {"type": "command", "id": odd, "room": odd, "command": {"type": "ready"}},
        {"type": "command", "id": 1, "room": room, "key": odd or "k", "command": {"type": "ready", "salt": odd}},
        {"type": "command", "id": 2, "room": room, "command": {"type": odd}},
        {
            "type": "command",
            "id": 3,
            "room": room,
            "command": {"type": "join", "nickname": odd, "password": odd or "p"},
        },
        {"type": "command", "id": 4, "room": room, "command": {"type": "kick", "player": odd}},
    ]
    with open_shared_socket(ada.client.url) as feed:
        feed.send(type="subscribe", room=room, token=ada.token, since=1, mark=odd)
        seen = feed.until(lambda frame: frame["type"] == "caught_up")
        assert [frame.get("reason") for frame in seen if frame["type"] == "snapshot"] == ["history_changed"]
        for frame in frames:
            feed.send(**frame)
        feed.send(type="ping")
        received = feed.until(lambda frame: frame["type"] == "pong")
    problems = [frame["problem"] for frame in received if "problem" in frame]
    assert "internal" not in {problem["code"] for problem in problems}
    with open_shared_socket(ada.client.url) as feed:
        feed.send(type="subscribe", room=room, token=odd)
        assert feed.close_code() == 4100
    assert logs.read_text() == before
