"""What the operators' token reads on the ordinary routes: every room as a spectator would see it, and unnoticed."""

from typing import Any

import msgspec
import pytest

from tests.api.test_event_stream import stream
from tests.api.test_secrecy import bare, squares
from tests.e2e.client import Door, Feed, Player, socket_to_all
from tests.e2e.processes import OPERATORS
from tests.e2e.tables import Table

SESAME: dict[str, Any] = {"visibility": "private", "password": "sesame"}
CLOSED: list[dict[str, Any]] = [SESAME, {**SESAME, "spectators": False}, {"spectators": False}]
"""Settings of rooms that strangers may not read."""


def turncoat(door: Door, settings: dict[str, Any]) -> Table:
    """Return two players of Turncoat."""
    red, yellow = door.guest("Red"), door.guest("Yellow")
    room = red.opens("turncoat", settings={"start": "full", "restart": None, **settings}).body["room"]
    password = {"password": settings["password"]} if "password" in settings else {}
    assert yellow.asks(room, "join", **password).status == 200
    return Table(room, (red, yellow))


def caught_up(feed: Feed) -> None:
    """Read on until the feed is level."""
    feed.until(lambda frame: frame["type"] == "caught_up")


@pytest.mark.parametrize("settings", CLOSED)
def test_the_operator_reads_what_strangers_may_not_and_never_a_seats_secret(
    door: Door, operator: Player, stranger: Player, settings: dict[str, Any]
) -> None:
    """The same bytes whatever was selected, by every route and feed; no seat is the operator's to look from."""
    table = turncoat(door, settings)
    match = table.red.sees(table.room).body["match"]["id"]
    ways = [f"/v1/rooms/{table.room}{way}" for way in ("", "/legal-moves", "/matches", "/board.svg", "/chat")]
    ways += [f"/v1/matches/{match}", f"/v1/rooms/{table.room}/events?since={{0}}", f"/v1/rooms/{table.room}?at={{1}}"]
    seen = set()
    with operator.follows(table.room) as feed, stream(operator, table.room) as lines:
        caught_up(feed)
        while next(lines).frame["type"] != "caught_up":
            pass
        for move in squares(table.red, table.room)[:3]:
            moved = table.red.plays(table.room, move).body
            told = [feed.text().encode(), msgspec.json.encode(next(lines).frame)]
            looks = [operator.gets(way.format(moved["version"] - 1, moved["version"])) for way in ways]
            assert {look.status for look in looks} == {200}
            log = operator.gets(f"/v1/matches/{match}/export").content.splitlines()[-1]
            seen.add(tuple(map(bare, [*told, *(look.content for look in looks), log])))
    assert len(seen) == 1
    for way in ways[:4]:
        assert stranger.gets(way).code in {"no_such_room", "members_only"}
    for way in (f"/v1/rooms/{table.room}", f"/v1/rooms/{table.room}/events", f"/v1/matches/{match}"):
        assert operator.gets(way, seat=0).code == "not_your_seat"
    with operator.follows(table.room, seat=0) as feed:
        assert feed.next("error")["problem"]["code"] == "not_your_seat"


def test_nobody_notices_the_operator(door: Door, operator: Player, stranger: Player) -> None:
    """Neither as somebody present nor as one more who looks on."""
    table = turncoat(door, {})
    with table.red.follows(table.room) as feed:
        feed.presence(lambda frame: frame["players"][table.red.id]["online"])
        with operator.follows(table.room) as other, stream(operator, table.room) as lines:
            caught_up(other)
            while next(lines).frame["type"] != "caught_up":
                pass
            with stranger.follows(table.room):
                heard = feed.presence(lambda _: True)  # everyone is counted in it who came before the stranger, too
                assert heard["watchers"] == 1
                assert heard["players"].keys() == {table.red.id, table.yellow.id}
                assert operator.sees(table.room).body["watchers"] == 1
            assert feed.presence(lambda frame: frame["watchers"] != 1)["watchers"] == 0


def test_the_operator_follows_many_rooms_and_chats_in_none(door: Door, operator: Player) -> None:
    """Whatever players and spectators say apart, the operator hears what spectators hear."""
    tables = [turncoat(door, {**settings, "chat": "apart"}) for settings in CLOSED]
    with socket_to_all(door.url) as feed:
        for table in tables:
            feed.sends(type="subscribe", room=table.room, token=OPERATORS)
            caught_up(feed)
    for table in tables:
        assert table.red.posts(f"/v1/rooms/{table.room}/chat", {"text": "hm"}).status == 201
        assert operator.gets(f"/v1/rooms/{table.room}/chat").body["lines"] == []
        assert operator.posts(f"/v1/rooms/{table.room}/chat", {"text": "hm"}).code == "unauthenticated"
    assert operator.posts("/v1/lobby/chat", {"text": "hm"}).code == "unauthenticated"


def test_a_private_match_stays_the_operators_to_read(door: Door, operator: Player, stranger: Player) -> None:
    """When its room has long been closed."""
    table = turncoat(door, SESAME)
    match = table.red.sees(table.room).body["match"]["id"]
    table.red.asks(table.room, "resign")
    table.red.asks(table.room, "close")
    for way, headers in (("", {}), ("/export", {}), ("/export", {"accept": "text/plain"})):
        assert operator.gets(f"/v1/matches/{match}{way}", headers).status == 200
        assert stranger.gets(f"/v1/matches/{match}{way}", headers).code == "no_such_match"


@pytest.mark.parametrize("token", [OPERATORS[:-1], OPERATORS + "x", OPERATORS.upper(), "operator", f"{OPERATORS}é"])
def test_what_is_nearly_the_operators_token_is_none(door: Door, token: str) -> None:
    """By header as by socket."""
    table, nearly = turncoat(door, SESAME), Player(door, token)
    assert nearly.sees(table.room).code == "unauthenticated"
    with nearly.follows(table.room) as feed:
        assert feed.close_code() == 4100
