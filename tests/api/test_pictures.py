"""`board.svg` over HTTP: served like every other look at a room, under a policy that lets it do nothing."""

from xml.etree import ElementTree as ET

import pytest

from tests.e2e.client import Answer, Door, Player
from tests.e2e.tables import Table, seated

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def table(door: Door) -> Table:
    """Return two players of Turncoat."""
    return seated(door, "turncoat", 2, settings={"restart": None})


def pictured(player: Player, room: str, **query: int) -> Answer:
    """Fetch a picture."""
    return player.gets(f"/v1/rooms/{room}/board.svg", {"accept": "image/svg+xml"}, **query)


def words(answer: Answer) -> list[str]:
    """Return the picture's lines of text."""
    return [line.text or "" for line in ET.fromstring(answer.content).iter(f"{SVG}text")]  # noqa: S314 - our own picture


def test_a_picture_is_served_as_one_and_may_do_nothing(table: Table, stranger: Player) -> None:
    """Its type, its policy, and whatever a browser's image asks for."""
    answer = pictured(stranger, table.room)
    assert (answer.status, answer.headers["content-type"]) == (200, "image/svg+xml")
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["content-security-policy"].startswith("default-src 'none'")
    assert "Red and yellow to move" in words(answer)
    browser = {"accept": "image/avif,image/webp,image/png,image/svg+xml,image/*;q=0.8,*/*;q=0.5"}
    assert stranger.gets(f"/v1/rooms/{table.room}/board.svg", browser).content == answer.content


def test_a_picture_has_the_tag_of_the_room_and_is_304_while_that_is_unchanged(table: Table) -> None:
    """The same tag as the room's own."""
    tag = pictured(table.red, table.room).etag
    assert tag == table.red.sees(table.room).etag
    address = f"/v1/rooms/{table.room}/board.svg"
    same = table.red.gets(address, {"if-none-match": tag})
    assert (same.status, same.content, same.etag) == (304, b"", tag)
    table.red.plays(table.room, table.red.gets(f"/v1/rooms/{table.room}/legal-moves").body["legal_moves"][0])
    assert table.red.gets(address, {"if-none-match": tag}).status == 200


def test_a_picture_looks_back_and_shows_a_seat_its_own_selection(table: Table, stranger: Player) -> None:
    """To nobody else, and not before it was made."""
    before = table.red.sees(table.room).body["version"]
    move = table.red.gets(f"/v1/rooms/{table.room}/legal-moves").body["legal_moves"][0]
    table.red.plays(table.room, move)
    assert b"dasharray" in pictured(table.red, table.room).content
    for reader in (table.yellow, stranger):
        assert b"dasharray" not in pictured(reader, table.room).content
    assert b"dasharray" not in pictured(table.red, table.room, at=before).content
    assert f"version {before}" in words(pictured(table.red, table.room, at=before))


def test_a_picture_that_is_not_there_is_refused_like_the_room(table: Table) -> None:
    """Another's seat, a version to come, a room that nobody opened, another type."""
    assert (pictured(table.red, table.room, seat=1).status, pictured(table.red, table.room, at=9999).status) == (
        403,
        404,
    )
    assert pictured(table.red, "no-such-room-here").status == 404
    assert table.red.gets(f"/v1/rooms/{table.room}/board.svg", {"accept": "image/png"}).status == 406
