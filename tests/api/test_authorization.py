"""Who may do what: every command and every route, for everybody there is. What has no row here fails.

Of three seats of Ternio Ada and Bob hold two, the third was left, and Bob is to move; Eve opened the room and looks on
without a seat, Cyd is a spectator, Gus a guest who is not there. The operator is whoever has the operators' token.
"""

from typing import Any, NamedTuple, get_args

import pytest
from litestar.handlers import HTTPRouteHandler, WebsocketRouteHandler

from service.api.app import OPERATOR_ROUTES, ROUTES
from service.domain.room.model.commands import PlayerCommand
from tests.e2e.client import ApiClient, Player, open_room_socket, open_shared_socket
from tests.e2e.processes import OPERATORS

OK = ""
GUEST, CREATOR, SEATED = "not_a_member", "not_the_creator", "not_seated"
MAIN = ("guest", "spectator", "other", "own", "creator")
ACTORS = (*MAIN, "operator")


class Table(NamedTuple):
    """A room in some situation, and who is who there."""

    room: str
    match: str
    actors: dict[str, Player]


class Row(NamedTuple):
    """A command in a situation: its fields, and with which code each actor is refused, "" for who may."""

    situation: str
    fields: dict[str, Any]
    guest: str
    spectator: str
    other: str
    own: str
    creator: str
    operator: str = "unauthenticated"
    """Their token commands nothing."""


def by_creator(situation: str, fields: dict[str, Any], creator: str = OK) -> Row:
    """Return the row of what only the creator may do."""
    return Row(situation, fields, GUEST, CREATOR, CREATOR, CREATOR, creator)


def by_seats(situation: str, fields: dict[str, Any] | None = None, other: str = OK, own: str = OK) -> Row:
    """Return the row of what only who sits may do."""
    return Row(situation, fields or {}, GUEST, SEATED, other, own, SEATED)


HERE = "already_joined"
COMMANDS: dict[str, Row] = {
    "join": Row("open", {"as": "spectator"}, OK, HERE, HERE, HERE, HERE),
    "leave": Row("playing", {}, GUEST, OK, OK, OK, OK),
    "take_seat": Row("open", {"seat": 2}, GUEST, OK, OK, OK, OK),
    "leave_seat": Row("open", {"seat": 1}, GUEST, "not_your_seat", "not_your_seat", OK, "not_your_seat"),
    "ready": by_seats("open"),
    "unready": Row("playing", {}, GUEST, "not_ready", OK, OK, "not_ready"),
    "assign_seats": by_creator("open", {"seats": [None, None, None]}),
    "add_bot": by_creator("open", {"level": "easy"}),
    "remove_bot": by_creator("open", {"seat": 0}, "not_a_bot"),
    "kick": by_creator("open", {"player": "@spectator"}),
    "mute": by_creator("open", {"player": "@spectator", "on": True}),
    "configure": by_creator("open", {"settings": {"best_of": 3}}),
    "start": by_creator("open", {}, "seats_empty"),
    "close": by_creator("playing", {}),
    "veto_next": by_seats("playing"),
    "play": by_seats("playing", {"move": "@legal"}, other="not_your_turn"),
    "resign": Row("playing", {"seat": 1}, GUEST, "not_your_seat", "not_your_seat", OK, "not_your_seat"),
    "offer_draw": by_seats("playing"),
    "request_takeback": by_seats("playing", own="nothing_to_take_back"),
    "request_restart": by_seats("playing"),
    "request_new": by_seats("playing"),
    "answer": Row("offered", {"offer": 1, "accept": True}, GUEST, "not_asked", OK, "not_asked", "not_asked"),
    "withdraw": Row("offered", {"offer": 1}, GUEST, "not_your_offer", "not_your_offer", OK, "not_your_offer"),
    "claim_abandoned": by_seats("playing", {"seat": 2, "outcome": "win"}),
}

ANYONE, TOKEN, ROOM, MATCH, MEMBER, OPERATOR = "anyone", "token", "room", "match", "member", "operator"
READS: dict[str, str] = {
    "POST /v1/players": ANYONE,
    "GET /v1/players/me": TOKEN,
    "GET /v1/games": ANYONE,
    "GET /v1/games/{game}": ANYONE,
    "GET /v1/codes": ANYONE,
    "POST /v1/rooms": ANYONE,
    "GET /v1/rooms": ANYONE,
    "GET /v1/rooms/{room}": ROOM,
    "POST /v1/rooms/{room}/commands": MEMBER,
    "GET /v1/rooms/{room}/events": ROOM,
    "GET /v1/rooms/{room}/legal-moves": ROOM,
    "GET /v1/rooms/{room}/hint": MEMBER,
    "GET /v1/rooms/{room}/board.svg": ROOM,
    "GET /v1/rooms/{room}/chat": ROOM,
    "POST /v1/rooms/{room}/chat": MEMBER,
    "GET /v1/lobby/chat": ANYONE,
    "POST /v1/lobby/chat": TOKEN,
    "GET /v1/rooms/{room}/matches": ROOM,
    "GET /v1/matches/{match_id}": MATCH,
    "GET /v1/matches/{match_id}/export": MATCH,
    "GET /v1/rooms/{room}/feed": ROOM,
    "WS /v1/rooms/{room}/feed": ROOM,
    "WS /v1/feed": ROOM,
    "GET /v1/admin/rooms": OPERATOR,
    "GET /v1/admin/rooms/{room}": OPERATOR,
    "POST /v1/admin/rooms/{room}/close": OPERATOR,
    "POST /v1/admin/players/{player}/mute": OPERATOR,
    "POST /v1/admin/players/{player}/ban": OPERATOR,
    "GET /v1/admin/log": OPERATOR,
    "GET /": ANYONE,
    "GET /r/{room}": ANYONE,
    "GET /games/{game}": ANYONE,
    "GET /web/{name}": ANYONE,
    "GET /web/{folder}/{name}": ANYONE,
    "GET /docs": ANYONE,
    "GET /docs/{name}": ANYONE,
    "GET /admin": ANYONE,
    "GET /openapi.json": ANYONE,
    "GET /asyncapi.json": ANYONE,
    "GET /metrics": ANYONE,
    "GET /health/live": ANYONE,
    "GET /health/ready": ANYONE,
}
"""Whom a route serves: anyone; whoever has a token; who may read the room or the match; only members; only operators.

The operator is served wherever it is for anyone to look, and may read every room and match.
"""

NOT_THE_OPERATORS = {"POST /v1/rooms"}
"""Routes for anyone, with any token but theirs: who opens a room is in it."""


def routes() -> set[str]:
    """Return every route with its method."""
    found = set()
    for handler in (*ROUTES, *OPERATOR_ROUTES):
        methods = ["WS"] if isinstance(handler, WebsocketRouteHandler) else []
        methods = [str(each) for each in handler.http_methods] if isinstance(handler, HTTPRouteHandler) else methods
        for path in getattr(handler, "paths", ()):
            found |= {f"{method} {path.replace(':str}', '}')}" for method in methods}
    return found


def test_every_command_has_its_row() -> None:
    """A new one fails here until somebody has said who may."""
    tags = {kind.__struct_config__.tag for kind in get_args(PlayerCommand)}
    assert tags == COMMANDS.keys()


def test_every_route_has_its_row() -> None:
    """A new one fails here until somebody has said whom it serves."""
    assert routes() == READS.keys()


@pytest.fixture(scope="module")
def actors(client: ApiClient) -> dict[str, Player]:
    """Return everybody."""
    names = {"guest": "Gus", "spectator": "Cyd", "other": "Ada", "own": "Bob", "creator": "Eve"}
    guests = {role: client.guest(name) for role, name in names.items()}
    return {**guests, "operator": Player(client, OPERATORS)}


@pytest.fixture(scope="module")
def tables(client: ApiClient, actors: dict[str, Player]) -> dict[str, Table]:
    """Return a room in each situation."""
    return {name: table(client, actors, name) for name in ("open", "playing", "offered")}


def table(client: ApiClient, actors: dict[str, Player], situation: str, **settings: object) -> Table:
    """Open a room and bring it into a situation."""
    _, cyd, ada, bob, eve = (actors[role] for role in MAIN)
    chosen = {"start": "creator", "grace_ms": 0, **settings}
    room: str = eve.open_room("ternio", seats=[None] * 3, settings=chosen).body["room"]
    secret: dict[str, Any] = {"password": settings["password"]} if "password" in settings else {}
    for player in (ada, bob):
        assert player.command(room, "join", **secret).status == 200
    if settings.get("spectators", True):
        assert cyd.post(f"/v1/rooms/{room}/commands", {"type": "join", "as": "spectator", **secret}).status == 200
    if situation == "open":
        return Table(room, "", actors)
    fay = client.guest("Fay")
    assert fay.command(room, "join", **secret).status == 200
    started = eve.command(room, "start").body["view"]
    fay.command(room, "leave")
    assert ada.play(room, started["match"]["legal_moves"][0]).status == 200
    if situation == "offered":
        assert bob.command(room, "offer_draw").status == 200
    return Table(room, started["match"]["id"], actors)


def filled(fields: dict[str, Any], table: Table) -> dict[str, Any]:
    """Return fields with players and moves as they are called in the room."""
    known = {f"@{role}": player.id for role, player in table.actors.items()}
    filled = {name: known.get(value, value) if isinstance(value, str) else value for name, value in fields.items()}
    if filled.get("move") == "@legal":
        filled["move"] = table.actors["own"].read_room(table.room).body["match"]["legal_moves"][0]
    return filled


@pytest.mark.parametrize("role", ACTORS)
@pytest.mark.parametrize("kind", COMMANDS)
def test_a_command_is_for_some_and_not_for_others(tables: dict[str, Table], kind: str, role: str) -> None:
    """Tried without being done, so that every row finds its room as it was."""
    row = COMMANDS[kind]
    table = tables[row.situation]
    answer = table.actors[role].command(table.room, kind, dry_run=True, **filled(row.fields, table))
    assert answer.code == getattr(row, role)
    assert (answer.status == 200) == (answer.code == OK)


@pytest.mark.parametrize("kind", COMMANDS)
def test_the_operators_token_commands_nothing(kinds: dict[str, Table], kind: str) -> None:
    """401 in earnest too, by POST and by a socket, whatever the room; the detail says what to do."""
    row = COMMANDS[kind]
    for table in kinds.values():
        before = table.actors["own"].read_room(table.room).body["version"]
        operator, fields = table.actors["operator"], filled(row.fields, table)
        refused = operator.command(table.room, kind, **fields)
        assert (refused.status, refused.code) == (401, row.operator)
        assert "/v1/players" in refused.body["detail"]
        with operator.subscribe(table.room) as feed:
            reply = feed.command(table.room, {"type": kind, **fields})
            assert reply["problem"] == refused.body
        assert table.actors["own"].read_room(table.room).body["version"] == before


@pytest.mark.parametrize("kind", COMMANDS)
def test_nobody_commands_without_a_token(tables: dict[str, Table], anonymous: Player, kind: str) -> None:
    """401, whatever they ask."""
    row = COMMANDS[kind]
    table = tables[row.situation]
    assert anonymous.command(table.room, kind, **filled(row.fields, table)).status == 401


def asked(player: Player, route: str, table: Table) -> int | str:
    """Return how a route answers: its status, or the code of its refusal."""
    method, path = route.split(" ")
    names = {"match_id": table.match, "game": "ternio", "player": "p-nobody", "folder": "boards"}
    address = path.format(room=table.room, name="ternio.js" if "{folder}" in path else "mark.svg", **names)
    if method == "POST":
        bodies: dict[str, Any] = {
            "/v1/players": {"nickname": "New"},
            "/v1/rooms": {"game": "morris", "nickname": "New"},
            "/v1/rooms/{room}/commands": {"type": "unready"},
            "/v1/admin/rooms/{room}/close": {},
            "/v1/admin/players/{player}/mute": {"on": True},
            "/v1/admin/players/{player}/ban": {"on": True},
        }
        answer = player.post(address, bodies.get(path, {"text": "hello"}))
    elif method == "WS":
        return subscribed(player, path, table)
    elif path.endswith("/feed"):
        answer = player.send("HEAD", address, {"accept": "text/event-stream"})
        return answer.status
    else:
        answer = player.get(address)
    return answer.code or answer.status


def subscribed(player: Player, path: str, table: Table) -> int | str:
    """Return how a socket answers who subscribes to the room: 200 for its feed, or the code of its refusal."""
    with (
        open_shared_socket(player.client.url)
        if path == "/v1/feed"
        else open_room_socket(player.client.url, table.room) as feed
    ):
        feed.send(type="subscribe", room=table.room, **({"token": player.token} if player.token else {}))
        frame = feed.next()
    return 200 if frame["type"] == "subscribed" else str(frame["problem"]["code"])


@pytest.fixture(scope="module")
def kinds(client: ApiClient, actors: dict[str, Player]) -> dict[str, Table]:
    """Return a room of each kind, in the middle of a match."""
    return {
        "public": table(client, actors, "playing"),
        "private": table(client, actors, "playing", visibility="private", password="sesame"),  # noqa: S106 - a test's
        "members": table(client, actors, "playing", spectators=False),
    }


STRANGERS = {
    ("public", ROOM): 200,
    ("public", MATCH): 200,
    ("private", ROOM): "no_such_room",
    ("private", MATCH): "no_such_match",
    ("members", ROOM): "members_only",
    ("members", MATCH): "members_only",
}
STATUS = {"no_such_room": 404, "members_only": 403}


@pytest.mark.parametrize("route", [route for route, whom in READS.items() if whom in {ROOM, MATCH}])
@pytest.mark.parametrize("kind", ["public", "private", "members"])
def test_a_room_is_read_by_those_who_may(kinds: dict[str, Table], anonymous: Player, route: str, kind: str) -> None:
    """By its members always, by others as the room is set; with a token and without."""
    table, whom = kinds[kind], READS[route]
    expected = STRANGERS[kind, whom]
    if route == "GET /v1/rooms/{room}/feed":
        expected = STATUS.get(str(expected), expected)
    for reader in (anonymous, table.actors["guest"]):
        assert asked(reader, route, table) == expected
    for member in ("other", "own", "creator", "operator"):
        assert asked(table.actors[member], route, table) == 200


@pytest.mark.parametrize("route", [route for route, whom in READS.items() if whom == MEMBER])
@pytest.mark.parametrize("kind", ["public", "private", "members"])
def test_only_members_speak_in_a_room(kinds: dict[str, Table], anonymous: Player, route: str, kind: str) -> None:
    """A guest is told that they are none, or that there is no such room."""
    table = kinds[kind]
    assert asked(anonymous, route, table) == "unauthenticated"
    refused = {"public": {"not_a_member"}, "private": {"no_such_room"}, "members": {"not_a_member", "members_only"}}
    assert asked(table.actors["guest"], route, table) in refused[kind]
    assert asked(table.actors["operator"], route, table) == "unauthenticated"


@pytest.mark.parametrize("route", [route for route, whom in READS.items() if whom in {ANYONE, TOKEN}])
def test_what_is_no_rooms_is_for_anyone_or_for_whoever_has_a_token(
    kinds: dict[str, Table], anonymous: Player, route: str
) -> None:
    """401 without one where it is needed."""
    table = kinds["public"]
    without = asked(anonymous, route, table)
    assert without == ("unauthenticated" if READS[route] == TOKEN else 201 if route.startswith("POST") else 200)
    assert asked(table.actors["guest"], route, table) in {200, 201}
    refused = READS[route] == TOKEN or route in NOT_THE_OPERATORS
    assert asked(table.actors["operator"], route, table) == ("unauthenticated" if refused else without)


@pytest.mark.parametrize("route", [route for route, whom in READS.items() if whom == OPERATOR])
def test_what_is_the_operators_is_nobody_elses(kinds: dict[str, Table], anonymous: Player, route: str) -> None:
    """401 for everyone there is, even for a room of their own."""
    actors = kinds["public"].actors
    table = kinds["public"]._replace(room=actors["creator"].open_room("morris").body["room"])
    for other in (anonymous, *(actors[role] for role in MAIN)):
        assert asked(other, route, table) == "unauthenticated"
    assert asked(actors["operator"], route, table) == 200


@pytest.mark.parametrize("path", ["", "/events", "/legal-moves", "/board.svg", "/feed"])
@pytest.mark.parametrize("role", ["stranger", *ACTORS])
def test_a_seats_view_is_its_holders(kinds: dict[str, Table], anonymous: Player, path: str, role: str) -> None:
    """`seat` other than an own one is 403 on every route."""
    table = kinds["public"]
    reader = anonymous if role == "stranger" else table.actors[role]
    headers = {"accept": "text/event-stream"} if path == "/feed" else {}
    method = "HEAD" if path == "/feed" else "GET"
    answer = reader.send(method, f"/v1/rooms/{table.room}{path}", headers, params={"seat": 1})
    assert answer.status == (200 if role == "own" else 403)


@pytest.mark.parametrize("path", ["", "/export"])
@pytest.mark.parametrize("role", ["stranger", *ACTORS])
def test_a_seats_view_of_a_match_is_its_holders(
    kinds: dict[str, Table], anonymous: Player, path: str, role: str
) -> None:
    """The same under the match's own id."""
    table = kinds["public"]
    reader = anonymous if role == "stranger" else table.actors[role]
    answer = reader.get(f"/v1/matches/{table.match}{path}", seat=1)
    assert answer.status == (200 if role == "own" else 403)
