"""Compression: of JSON and files above a kilobyte, never of commands, streams and answers with a token."""

from typing import Any

import pytest

from service.api.app import ROUTES
from service.api.http.parameters import CONTENT_TAG, UNCOMPRESSED, Parameter
from service.api.http.responses import content_of
from tests.e2e.client import ApiClient, Player

PLAIN = {"accept-encoding": "identity"}
GZIP = {"accept-encoding": "gzip, deflate, br"}


@pytest.mark.parametrize(
    "path",
    ["/v1/games", "/v1/games/morris", "/v1/codes", "/openapi.json", "/client.js", "/static/any/web/style/page.css"],
)
def test_json_and_files_are_compressed(anonymous: Player, path: str) -> None:
    """For a client that accepts that; the content and its weak tag are the same."""
    plain, packed = anonymous.get(path, PLAIN), anonymous.get(path, GZIP)
    refused = anonymous.get(path, {"accept-encoding": "deflate, gzip;q=0"})
    assert ["content-encoding" in answer.headers for answer in (plain, refused)] == [False, False]
    assert packed.headers["content-encoding"] == "gzip"
    known = anonymous.get(path, {**GZIP, "if-none-match": packed.etag})
    assert known.status == 304
    for answer in (plain, packed, refused, known):
        assert "Accept-Encoding" in answer.headers["vary"]
        assert answer.etag == packed.etag
    assert packed.content == plain.content
    assert int(packed.headers["content-length"]) < len(plain.content) / 2


@pytest.mark.parametrize(
    "path", ["/openapi.json", "/asyncapi.json", "/docs/docs.js", "/v1/codes", "/static/any/web/app.js"]
)
def test_constant_content_is_compressed_once(client: ApiClient, path: str) -> None:
    """All responses have the same bytes: what is compressed for a response has the time at which that was done."""
    plain = client.anonymous().get(path, PLAIN).content
    with client.http.stream("GET", path, headers=GZIP) as response:
        assert b"".join(response.iter_raw()) == content_of(plain).packed


def test_what_is_compressed_once_is_not_compressed_again_for_a_response() -> None:
    """This applies to all routes with content that is the same for everyone."""
    documented = {path: handler for handler in ROUTES for path in handler.paths}
    constant = {path: each for path, each in documented.items() if CONTENT_TAG in parameters_of(each)}
    assert len(constant) > 20
    assert [path for path, each in constant.items() if not each.opt[UNCOMPRESSED]] == []


def parameters_of(handler: Any) -> tuple[Parameter[Any], ...]:
    """Return the documented parameters of a route, none for a socket."""
    return handler.opt["docs"].parameters if "docs" in handler.opt else ()


def test_content_that_compression_does_not_shorten_is_sent_as_it_is(anonymous: Player) -> None:
    """A picture is compressed already."""
    picture = anonymous.get("/static/any/web/install/icon-192.png", GZIP)
    assert (picture.status, "content-encoding" in picture.headers) == (200, False)


def test_a_view_is_compressed_and_a_short_answer_is_not(ada: Player) -> None:
    """Responses of more than a kilobyte are compressed."""
    room = ada.open_room("morris").body["room"]
    assert ada.get(f"/v1/rooms/{room}", GZIP).headers["content-encoding"] == "gzip"
    assert "content-encoding" not in ada.get("/health/live", GZIP).headers


def test_commands_and_answers_with_a_token_are_not_compressed(anonymous: Player, ada: Player) -> None:
    """The length of a compressed response would reveal its content."""
    opened = anonymous.post("/v1/rooms", {"game": "morris", "nickname": "Zoe"}, GZIP)
    assert len(opened.content) > 1024
    room = opened.body["room"]
    path = f"/v1/rooms/{room}/commands"
    joined = ada.post(path, {"type": "join"}, GZIP)
    slowly = ada.post(f"{path}?dry_run=true", {"type": "ready"}, GZIP)
    assert min(len(joined.content), len(slowly.content)) > 1024
    guest = anonymous.post("/v1/players", {"nickname": "Zoe" * 8}, GZIP)
    assert ["content-encoding" in answer.headers for answer in (opened, joined, slowly, guest)] == [False] * 4


def test_streams_are_not_compressed(ada: Player) -> None:
    """Each frame of a stream is sent at once."""
    room = ada.open_room("morris").body["room"]
    head = ada.send("HEAD", f"/v1/rooms/{room}/feed", {"accept": "text/event-stream", **GZIP})
    assert (head.status, "content-encoding" in head.headers) == (200, False)
