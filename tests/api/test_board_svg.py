"""`board.svg` over HTTP: served like every other read of a room, under a policy that permits nothing."""

from xml.etree import ElementTree as ET

import pytest

from tests.e2e.client import ApiClient, Player, Response
from tests.e2e.seated_rooms import SeatedRoom, seat_players

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def seated(client: ApiClient) -> SeatedRoom:
    """Return two players of Turncoat."""
    return seat_players(client, "turncoat", 2, settings={"restart": None})


def pictured(player: Player, room: str, **query: int) -> Response:
    """Fetch a picture."""
    return player.get(f"/v1/rooms/{room}/board.svg", {"accept": "image/svg+xml"}, **query)


def words(answer: Response) -> list[str]:
    """Return the picture's lines of text."""
    return [line.text or "" for line in ET.fromstring(answer.content).iter(f"{SVG}text")]  # noqa: S314 - our own picture


def test_a_picture_is_served_as_one_and_may_do_nothing(seated: SeatedRoom, anonymous: Player) -> None:
    """Its type, its policy, and the requests that a browser sends for an image."""
    answer = pictured(anonymous, seated.room)
    assert (answer.status, answer.headers["content-type"]) == (200, "image/svg+xml")
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["content-security-policy"].startswith("default-src 'none'")
    assert "Red and yellow to move" in words(answer)
    browser = {"accept": "image/avif,image/webp,image/png,image/svg+xml,image/*;q=0.8,*/*;q=0.5"}
    assert anonymous.get(f"/v1/rooms/{seated.room}/board.svg", browser).content == answer.content


def test_a_picture_has_the_tag_of_the_room_and_is_304_while_that_is_unchanged(seated: SeatedRoom) -> None:
    """The same tag as the room's own."""
    tag = pictured(seated.red, seated.room).etag
    assert tag == seated.red.read_room(seated.room).etag
    address = f"/v1/rooms/{seated.room}/board.svg"
    same = seated.red.get(address, {"if-none-match": tag})
    assert (same.status, same.content, same.etag) == (304, b"", tag)
    seated.red.play(seated.room, seated.red.get(f"/v1/rooms/{seated.room}/legal-moves").body["legal_moves"][0])
    assert seated.red.get(address, {"if-none-match": tag}).status == 200


def test_a_picture_looks_back_and_shows_a_seat_its_own_selection(seated: SeatedRoom, anonymous: Player) -> None:
    """To nobody else, and not before it was made."""
    before = seated.red.read_room(seated.room).body["version"]
    move = seated.red.get(f"/v1/rooms/{seated.room}/legal-moves").body["legal_moves"][0]
    seated.red.play(seated.room, move)
    assert b"dasharray" in pictured(seated.red, seated.room).content
    for reader in (seated.yellow, anonymous):
        assert b"dasharray" not in pictured(reader, seated.room).content
    assert b"dasharray" not in pictured(seated.red, seated.room, at=before).content
    assert f"version {before}" in words(pictured(seated.red, seated.room, at=before))


def test_a_picture_that_is_not_there_is_refused_like_the_room(seated: SeatedRoom) -> None:
    """Another's seat, a version to come, a room that nobody opened, another type."""
    assert (pictured(seated.red, seated.room, seat=1).status, pictured(seated.red, seated.room, at=9999).status) == (
        403,
        404,
    )
    assert pictured(seated.red, "no-such-room-here").status == 404
    assert seated.red.get(f"/v1/rooms/{seated.room}/board.svg", {"accept": "image/png"}).status == 406
