"""The methods of a route: HEAD like GET without a body, and OPTIONS with all of them."""

import pytest

from service.api.app import ROUTES
from service.api.http.headers import methods_by_path
from tests.e2e.client import Player

PAGES = ["/v1/games", "/v1/rooms", "/v1/codes", "/openapi.json", "/docs", "/health/live", "/v1/rooms/no-such-room"]


@pytest.mark.parametrize("path", PAGES)
def test_head_is_get_without_a_body(anonymous: Player, path: str) -> None:
    """The same status and headers, the length of the body included."""
    whole, head = anonymous.get(path), anonymous.send("HEAD", path)
    assert (head.status, head.content) == (whole.status, b"")
    assert head.headers["content-type"] == whole.headers["content-type"]
    assert head.headers.get("content-length") == whole.headers.get("content-length")


def test_head_of_a_room_has_its_etag(ada: Player) -> None:
    """If the room has not changed, the response is 304."""
    room = ada.open_room("morris").body["room"]
    head = ada.send("HEAD", f"/v1/rooms/{room}")
    assert head.etag == ada.read_room(room).etag
    assert ada.send("HEAD", f"/v1/rooms/{room}", {"if-none-match": head.etag}).status == 304


def test_head_of_a_feed_ends(ada: Player) -> None:
    """The response to HEAD ends, although the stream itself does not."""
    room = ada.open_room("morris").body["room"]
    head = ada.send("HEAD", f"/v1/rooms/{room}/feed", {"accept": "text/event-stream"})
    assert (head.status, head.headers["content-type"].split(";")[0]) == (200, "text/event-stream")


@pytest.mark.parametrize(
    ("path", "allowed"),
    [
        ("/v1/rooms", "GET, HEAD, OPTIONS, POST"),
        ("/v1/rooms/friday", "GET, HEAD, OPTIONS"),
        ("/v1/rooms/friday/commands", "OPTIONS, POST"),
        ("/v1/rooms/friday/chat", "GET, HEAD, OPTIONS, POST"),
        ("/v1/players", "OPTIONS, POST"),
        ("/v1/admin/rooms", "GET, HEAD, OPTIONS"),
    ],
)
def test_options_names_every_method(anonymous: Player, path: str, allowed: str) -> None:
    """As the refusal of another method does."""
    assert anonymous.send("OPTIONS", path).headers["allow"] == allowed
    refused = anonymous.send("DELETE", path)
    assert (refused.status, refused.headers["allow"]) == (405, allowed)


def test_every_address_says_its_methods() -> None:
    """None has another one than those of its routes."""
    assert all("OPTIONS" in methods for methods in methods_by_path(ROUTES).values())
    assert methods_by_path(ROUTES)["/v1/rooms"] == "GET, HEAD, OPTIONS, POST"
