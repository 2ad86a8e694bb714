"""What the operators' token reads on the ordinary routes: every room as a spectator would see it, and unnoticed."""

from typing import Any

import msgspec
import pytest

from tests.api.test_event_stream import stream
from tests.api.test_secrecy import bare, squares
from tests.e2e.client import ApiClient, Feed, Player, open_shared_socket
from tests.e2e.processes import OPERATORS
from tests.e2e.seated_rooms import SeatedRoom

SESAME: dict[str, Any] = {"visibility": "private", "password": "sesame"}
CLOSED: list[dict[str, Any]] = [SESAME, {**SESAME, "spectators": False}, {"spectators": False}]
"""Settings of rooms that strangers may not read."""


def turncoat(client: ApiClient, settings: dict[str, Any]) -> SeatedRoom:
    """Return two players of Turncoat."""
    red, yellow = client.guest("Red"), client.guest("Yellow")
    room = red.open_room("turncoat", settings={"start": "full", "restart": None, **settings}).body["room"]
    password = {"password": settings["password"]} if "password" in settings else {}
    assert yellow.command(room, "join", **password).status == 200
    return SeatedRoom(room, (red, yellow))


def caught_up(feed: Feed) -> None:
    """Read until the feed has caught up."""
    feed.until(lambda frame: frame["type"] == "caught_up")


@pytest.mark.parametrize("settings", CLOSED)
def test_the_operator_reads_what_strangers_may_not_and_never_a_seats_secret(
    client: ApiClient, operator: Player, anonymous: Player, settings: dict[str, Any]
) -> None:
    """The same bytes for every selection, by every route and feed; the operator reads as a spectator."""
    seated = turncoat(client, settings)
    match = seated.red.read_room(seated.room).body["match"]["id"]
    ways = [f"/v1/rooms/{seated.room}{way}" for way in ("", "/legal-moves", "/matches", "/board.svg", "/chat")]
    ways += [f"/v1/matches/{match}", f"/v1/rooms/{seated.room}/events?since={{0}}", f"/v1/rooms/{seated.room}?at={{1}}"]
    seen = set()
    with operator.subscribe(seated.room) as feed, stream(operator, seated.room) as lines:
        caught_up(feed)
        while next(lines).frame["type"] != "caught_up":
            pass
        for move in squares(seated.red, seated.room)[:3]:
            moved = seated.red.play(seated.room, move).body
            frames = [feed.text().encode(), msgspec.json.encode(next(lines).frame)]
            looks = [operator.get(way.format(moved["version"] - 1, moved["version"])) for way in ways]
            assert {look.status for look in looks} == {200}
            log = operator.get(f"/v1/matches/{match}/export").content.splitlines()[-1]
            seen.add(tuple(map(bare, [*frames, *(look.content for look in looks), log])))
    assert len(seen) == 1
    for way in ways[:4]:
        assert anonymous.get(way).code in {"no_such_room", "members_only"}
    for way in (f"/v1/rooms/{seated.room}", f"/v1/rooms/{seated.room}/events", f"/v1/matches/{match}"):
        assert operator.get(way, seat=0).code == "not_your_seat"
    with operator.subscribe(seated.room, seat=0) as feed:
        assert feed.next("error")["problem"]["code"] == "not_your_seat"


def test_the_operator_is_invisible_to_others(client: ApiClient, operator: Player, anonymous: Player) -> None:
    """Not counted among the players who are present, nor among the spectators."""
    seated = turncoat(client, {})
    with seated.red.subscribe(seated.room) as feed:
        feed.presence(lambda frame: frame["players"][seated.red.id]["online"])
        with operator.subscribe(seated.room) as other, stream(operator, seated.room) as lines:
            caught_up(other)
            while next(lines).frame["type"] != "caught_up":
                pass
            with anonymous.subscribe(seated.room):
                heard = feed.presence(lambda _: True)  # everyone is counted in it who came before the stranger, too
                assert heard["watchers"] == 1
                assert heard["players"].keys() == {seated.red.id, seated.yellow.id}
                assert operator.read_room(seated.room).body["watchers"] == 1
            assert feed.presence(lambda frame: frame["watchers"] != 1)["watchers"] == 0


def test_the_operator_follows_many_rooms_and_chats_in_none(client: ApiClient, operator: Player) -> None:
    """The operator receives the lines that spectators receive."""
    rooms = [turncoat(client, {**settings, "chat": "apart"}) for settings in CLOSED]
    with open_shared_socket(client.url) as feed:
        for seated in rooms:
            feed.send(type="subscribe", room=seated.room, token=OPERATORS)
            caught_up(feed)
    for seated in rooms:
        assert seated.red.post(f"/v1/rooms/{seated.room}/chat", {"text": "hm"}).status == 201
        assert operator.get(f"/v1/rooms/{seated.room}/chat").body["lines"] == []
        assert operator.post(f"/v1/rooms/{seated.room}/chat", {"text": "hm"}).code == "unauthenticated"
    assert operator.post("/v1/lobby/chat", {"text": "hm"}).code == "unauthenticated"


def test_a_private_match_stays_the_operators_to_read(client: ApiClient, operator: Player, anonymous: Player) -> None:
    """When its room has long been closed."""
    seated = turncoat(client, SESAME)
    match = seated.red.read_room(seated.room).body["match"]["id"]
    seated.red.command(seated.room, "resign")
    seated.red.command(seated.room, "close")
    for way, headers in (("", {}), ("/export", {}), ("/export", {"accept": "text/plain"})):
        assert operator.get(f"/v1/matches/{match}{way}", headers).status == 200
        assert anonymous.get(f"/v1/matches/{match}{way}", headers).code == "no_such_match"


@pytest.mark.parametrize("token", [OPERATORS[:-1], OPERATORS + "x", OPERATORS.upper(), "operator", f"{OPERATORS}é"])
def test_a_similar_token_is_not_the_operators(client: ApiClient, token: str) -> None:
    """It is rejected in a header and over a socket."""
    seated, nearly = turncoat(client, SESAME), Player(client, token)
    assert nearly.read_room(seated.room).code == "unauthenticated"
    with nearly.subscribe(seated.room) as feed:
        assert feed.close_code() == 4100
