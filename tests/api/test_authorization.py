"""Authorization: every command and every route, for every role. A command or route without a row fails.

Of three seats of Ternio Ada and Bob hold two, the third was left, and Bob is to move; Eve opened the room and watches
without a seat, Cyd is a spectator, Gus a guest outside the room. The operator has the operators' token.
"""

from itertools import count
from typing import Any, NamedTuple, get_args

import pytest
from litestar.handlers import HTTPRouteHandler, WebsocketRouteHandler

from service.api.app import OPERATOR_ROUTES, ROUTES
from service.domain.room.model.commands import PlayerCommand
from tests.api.tournaments import new_tournament, tournament_request
from tests.e2e.client import ApiClient, Player, open_room_socket, open_shared_socket
from tests.e2e.processes import OPERATORS

OK = ""
GUEST, CREATOR, SEATED = "not_a_member", "not_the_creator", "not_seated"
MAIN = ("guest", "spectator", "other", "own", "creator")
ACTORS = (*MAIN, "operator")


class RoomInSituation(NamedTuple):
    """A room in some situation, with its match and the player of each role."""

    room: str
    match: str
    actors: dict[str, Player]
    code: str = "none"
    """The code of an invitation that "own" has made, in an open room."""


class Row(NamedTuple):
    """A command in a situation: its fields, and the code of each role's refusal, "" for a permitted role."""

    situation: str
    fields: dict[str, Any]
    guest: str
    spectator: str
    other: str
    own: str
    creator: str
    operator: str = "unauthenticated"
    """Their token permits no command."""


def by_creator(situation: str, fields: dict[str, Any], creator: str = OK) -> Row:
    """Return the row of a command that only the creator may send."""
    return Row(situation, fields, GUEST, CREATOR, CREATOR, CREATOR, creator)


def by_seats(situation: str, fields: dict[str, Any] | None = None, other: str = OK, own: str = OK) -> Row:
    """Return the row of a command that only seated players may send."""
    return Row(situation, fields or {}, GUEST, SEATED, other, own, SEATED)


ALREADY_JOINED = "already_joined"
COMMANDS: dict[str, Row] = {
    "join": Row("open", {"as": "spectator"}, OK, ALREADY_JOINED, ALREADY_JOINED, ALREADY_JOINED, ALREADY_JOINED),
    "leave": Row("playing", {}, GUEST, OK, OK, OK, OK),
    "take_seat": Row("open", {"seat": 2}, GUEST, OK, OK, OK, OK),
    "leave_seat": Row("open", {"seat": 1}, GUEST, "not_your_seat", "not_your_seat", OK, "not_your_seat"),
    "ready": by_seats("open"),
    "unready": Row("playing", {}, GUEST, "not_ready", OK, OK, "not_ready"),
    "assign_seats": by_creator("open", {"seats": [None, None, None]}),
    "add_bot": by_creator("open", {"level": "easy"}),
    "remove_bot": by_creator("open", {"seat": 0}, "not_a_bot"),
    "invite": Row("open", {}, GUEST, OK, OK, OK, OK),
    "revoke_invitation": Row("open", {"invitation": 1}, GUEST, "not_your_invitation", "not_your_invitation", OK, OK),
    "decline_invitation": Row(
        "open", {"invitation": "@code"}, OK, ALREADY_JOINED, ALREADY_JOINED, ALREADY_JOINED, ALREADY_JOINED
    ),
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

ANYONE, TOKEN, ROOM, MATCH, OVER, MEMBER, OPERATOR = "anyone", "token", "room", "match", "over", "member", "operator"
READS: dict[str, str] = {
    "POST /v1/players": ANYONE,
    "GET /v1/players/me": TOKEN,
    "GET /v1/players/me/events": TOKEN,
    "GET /v1/players/me/feed": TOKEN,
    "GET /v1/players/me/seeks": TOKEN,
    "POST /v1/players/me/tokens": TOKEN,
    "GET /v1/players/me/tokens": TOKEN,
    "DELETE /v1/players/me/tokens": TOKEN,
    "DELETE /v1/players/me/tokens/{token}": TOKEN,
    "DELETE /v1/players/{player}": TOKEN,
    "GET /v1/players/me/blocks": TOKEN,
    "PUT /v1/players/me/blocks/{player}": TOKEN,
    "POST /v1/reports": TOKEN,
    "DELETE /v1/players/me/blocks/{player}": TOKEN,
    "POST /v1/players/me/webhooks": TOKEN,
    "GET /v1/players/me/webhooks": TOKEN,
    "GET /v1/players/me/webhooks/{webhook}": TOKEN,
    "PATCH /v1/players/me/webhooks/{webhook}": TOKEN,
    "DELETE /v1/players/me/webhooks/{webhook}": TOKEN,
    "POST /v1/players/me/webhooks/{webhook}/rotate": TOKEN,
    "POST /v1/players/me/webhooks/{webhook}/verify": TOKEN,
    "POST /v1/players/me/webhooks/{webhook}/deliveries/{event}/replay": TOKEN,
    "POST /v1/players/me/link_codes": TOKEN,
    "POST /v1/players/me/recovery_code": TOKEN,
    "POST /v1/link_codes": ANYONE,
    "POST /v1/recovery": ANYONE,
    "GET /v1/seeks": ANYONE,
    "POST /v1/seeks": TOKEN,
    "POST /v1/seeks/{seek}/accept": TOKEN,
    "DELETE /v1/seeks/{seek}": TOKEN,
    "GET /v1/players/me/challenges": TOKEN,
    "GET /v1/bots": ANYONE,
    "PUT /v1/bots/me": TOKEN,
    "DELETE /v1/bots/me": TOKEN,
    "POST /v1/challenges": TOKEN,
    "POST /v1/challenges/{challenge}/accept": TOKEN,
    "POST /v1/challenges/{challenge}/decline": TOKEN,
    "DELETE /v1/challenges/{challenge}": TOKEN,
    "POST /v1/players/me/challenges/decline": TOKEN,
    "GET /v1/players/me/challengers": TOKEN,
    "PUT /v1/players/me/challengers": TOKEN,
    "GET /v1/tv": ANYONE,
    "POST /v1/tournaments": TOKEN,
    "GET /v1/tournaments": ANYONE,
    "GET /v1/tournaments/{tournament}": ANYONE,
    "GET /v1/tournaments/{tournament}/standings": ANYONE,
    "GET /v1/tournaments/{tournament}/tables": ANYONE,
    "POST /v1/tournaments/{tournament}/commands": TOKEN,
    "GET /v1/ratings": ANYONE,
    "GET /v1/ratings/{game}/{rating_class}": ANYONE,
    "GET /v1/ratings/{game}/{rating_class}/entries": ANYONE,
    "GET /v1/players/{player}/ratings": ANYONE,
    "GET /v1/players/{player}": ANYONE,
    "GET /v1/players/{player}/matches": ANYONE,
    "GET /v1/players/{player}/against/{other}": ANYONE,
    "GET /v1/players/{player}/ratings/{game}/{rating_class}": ANYONE,
    "PUT /v1/players/me/profile": TOKEN,
    "GET /v1/games": ANYONE,
    "GET /v1/games/{game}": ANYONE,
    "GET /v1/codes": ANYONE,
    "POST /v1/rooms": ANYONE,
    "GET /v1/rooms": ANYONE,
    "GET /v1/rooms/{room}": ROOM,
    "POST /v1/rooms/{room}/commands": MEMBER,
    "GET /v1/rooms/{room}/invitations": MEMBER,
    "GET /v1/invitations/{code}": ANYONE,
    "GET /v1/invitations/{code}/qr.svg": ANYONE,
    "POST /v1/invitations/{code}": ANYONE,
    "POST /v1/invitations/{code}/decline": ANYONE,
    "GET /v1/rooms/{room}/events": ROOM,
    "GET /v1/rooms/{room}/legal-moves": ROOM,
    "GET /v1/rooms/{room}/hint": MEMBER,
    "GET /v1/rooms/{room}/board.svg": ROOM,
    "GET /v1/rooms/{room}/chat": ROOM,
    "POST /v1/rooms/{room}/chat": MEMBER,
    "GET /v1/chat": ANYONE,
    "GET /v1/lobby/chat": ANYONE,
    "POST /v1/lobby/chat": TOKEN,
    "GET /v1/rooms/{room}/matches": ROOM,
    "GET /v1/matches/notable": ANYONE,
    "GET /v1/matches/{match_id}": MATCH,
    "GET /v1/matches/{match_id}/export": MATCH,
    "GET /v1/matches/{match_id}/ratings": MATCH,
    "GET /v1/matches/{match_id}/analysis": OVER,
    "POST /v1/matches/{match_id}/review": OVER,
    "GET /v1/rooms/{room}/feed": ROOM,
    "WS /v1/rooms/{room}/feed": ROOM,
    "WS /v1/feed": ROOM,
    "GET /v1/admin/rooms": OPERATOR,
    "GET /v1/admin/rooms/{room}": OPERATOR,
    "POST /v1/admin/rooms/{room}/close": OPERATOR,
    "POST /v1/admin/players/{player}/mute": OPERATOR,
    "POST /v1/admin/players/{player}/ban": OPERATOR,
    "GET /v1/admin/log": OPERATOR,
    "GET /v1/admin/players": OPERATOR,
    "GET /v1/admin/players/{player}": OPERATOR,
    "GET /v1/admin/reports": OPERATOR,
    "POST /v1/admin/reports/{report}/close": OPERATOR,
    "POST /v1/admin/tokens": OPERATOR,
    "GET /v1/admin/tokens": OPERATOR,
    "DELETE /v1/admin/tokens/{token}": OPERATOR,
    "POST /v1/admin/webhooks": OPERATOR,
    "GET /v1/admin/webhooks": OPERATOR,
    "GET /v1/admin/webhooks/{webhook}": OPERATOR,
    "PATCH /v1/admin/webhooks/{webhook}": OPERATOR,
    "DELETE /v1/admin/webhooks/{webhook}": OPERATOR,
    "POST /v1/admin/webhooks/{webhook}/rotate": OPERATOR,
    "POST /v1/admin/webhooks/{webhook}/verify": OPERATOR,
    "POST /v1/admin/webhooks/{webhook}/deliveries/{event}/replay": OPERATOR,
    "GET /v1/admin/openapi.json": OPERATOR,
    "GET /": ANYONE,
    "GET /r/{room}": ANYONE,
    "GET /r/{room}/match/{number}": ANYONE,
    "GET /m/{match_id}": ANYONE,
    "GET /i/{code}": ANYONE,
    "GET /games/{game}": ANYONE,
    "GET /learn/{game}": ANYONE,
    "GET /devices": ANYONE,
    "GET /tournaments": ANYONE,
    "GET /tournaments/{tournament}": ANYONE,
    "GET /ratings": ANYONE,
    "GET /players/{player}": ANYONE,
    "GET /tv": ANYONE,
    "GET /tv/{channel}": ANYONE,
    "GET /ratings/{game}/{rating_class}": ANYONE,
    "GET /static/{release_name}/{place}/{name}": ANYONE,
    "GET /static/{release_name}/{place}/{folder}/{name}": ANYONE,
    "GET /worker.js": ANYONE,
    "GET /client.js": ANYONE,
    "GET /client/{name}": ANYONE,
    "GET /docs": ANYONE,
    "GET /docs/{name}": ANYONE,
    "GET /guide": ANYONE,
    "GET /guide/{name}": ANYONE,
    "GET /guide/{folder}/{name}": ANYONE,
    "GET /admin": ANYONE,
    "GET /openapi.json": ANYONE,
    "GET /asyncapi.json": ANYONE,
    "GET /metrics": ANYONE,
    "GET /health/live": ANYONE,
    "GET /health/ready": ANYONE,
}
"""Whom a route serves: anyone; clients with a token; readers of the room or the match; readers of a match that is over;
only members; only operators.

The operator may read every room and match, and is served where anyone is.
"""

NOT_THE_OPERATORS = {"POST /v1/rooms", "POST /v1/invitations/{code}", "POST /v1/invitations/{code}/decline"}
"""Routes for anyone, with any token but theirs: who opens a room is in it, and so is who accepts an invitation."""

ALSO_THE_OPERATORS = {"POST /v1/tournaments": 201}
"""Routes for players that operators can use as well, with their status."""

CREATED = {"POST /v1/players", "POST /v1/rooms", "POST /v1/link_codes", "POST /v1/recovery"}
"""Routes for anyone that answer with 201."""


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
    """A new one fails here until its permissions are listed."""
    tags = {kind.__struct_config__.tag for kind in get_args(PlayerCommand)}
    assert tags == COMMANDS.keys()


def test_every_route_has_its_row() -> None:
    """A new one fails here until its audience is listed."""
    assert routes() == READS.keys()


@pytest.fixture(scope="module")
def actors(client: ApiClient) -> dict[str, Player]:
    """Return everybody."""
    names = {"guest": "Gus", "spectator": "Cyd", "other": "Ada", "own": "Bob", "creator": "Eve"}
    guests = {role: client.guest(name) for role, name in names.items()}
    return {**guests, "operator": Player(client, OPERATORS)}


@pytest.fixture(scope="module")
def tables(client: ApiClient, actors: dict[str, Player]) -> dict[str, RoomInSituation]:
    """Return a room in each situation."""
    return {name: open_in_situation(client, actors, name) for name in ("open", "playing", "offered")}


def open_in_situation(
    client: ApiClient, actors: dict[str, Player], situation: str, **settings: object
) -> RoomInSituation:
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
        code = bob.command(room, "invite").body["invitation"]["code"]
        return RoomInSituation(room, "", actors, code)
    fay = client.guest("Fay")
    assert fay.command(room, "join", **secret).status == 200
    started = eve.command(room, "start").body["view"]
    fay.command(room, "leave")
    assert ada.play(room, started["match"]["legal_moves"][0]).status == 200
    if situation == "offered":
        assert bob.command(room, "offer_draw").status == 200
    return RoomInSituation(room, started["match"]["id"], actors)


def filled(fields: dict[str, Any], opened: RoomInSituation) -> dict[str, Any]:
    """Return fields with players and moves as they are called in the room."""
    known = {"@code": opened.code} | {f"@{role}": player.id for role, player in opened.actors.items()}
    filled = {name: known.get(value, value) if isinstance(value, str) else value for name, value in fields.items()}
    if filled.get("move") == "@legal":
        filled["move"] = opened.actors["own"].read_room(opened.room).body["match"]["legal_moves"][0]
    return filled


@pytest.mark.parametrize("role", ACTORS)
@pytest.mark.parametrize("kind", COMMANDS)
def test_a_command_is_for_some_and_not_for_others(tables: dict[str, RoomInSituation], kind: str, role: str) -> None:
    """Tried without being done, so that every row finds its room as it was."""
    row = COMMANDS[kind]
    opened = tables[row.situation]
    answer = opened.actors[role].command(opened.room, kind, dry_run=True, **filled(row.fields, opened))
    assert answer.code == getattr(row, role)
    assert (answer.status == 200) == (answer.code == OK)


@pytest.mark.parametrize("kind", COMMANDS)
def test_the_operators_token_commands_nothing(kinds: dict[str, RoomInSituation], kind: str) -> None:
    """401 in earnest too, by POST and by a socket, whatever the room; the detail says what to do."""
    row = COMMANDS[kind]
    for opened in kinds.values():
        before = opened.actors["own"].read_room(opened.room).body["version"]
        operator, fields = opened.actors["operator"], filled(row.fields, opened)
        refused = operator.command(opened.room, kind, **fields)
        assert (refused.status, refused.code) == (401, row.operator)
        assert "/v1/players" in refused.body["detail"]
        with operator.subscribe(opened.room) as feed:
            reply = feed.command(opened.room, {"type": kind, **fields})
            assert reply["problem"] == refused.body
        assert opened.actors["own"].read_room(opened.room).body["version"] == before


@pytest.mark.parametrize("kind", COMMANDS)
def test_a_command_needs_a_token(tables: dict[str, RoomInSituation], anonymous: Player, kind: str) -> None:
    """Every command without a token is answered with 401."""
    row = COMMANDS[kind]
    opened = tables[row.situation]
    assert anonymous.command(opened.room, kind, **filled(row.fields, opened)).status == 401


def new_code(opened: RoomInSituation) -> str:
    """Return the code of an invitation that nobody has used, to another room."""
    creator = opened.actors["creator"]
    code: str = creator.command(creator.open_room("morris").body["room"], "invite").body["invitation"]["code"]
    return code


def client_of_another(player: Player) -> Player:
    """Return another guest in place of one; who has no token, or the operator's, stays."""
    return player.client.guest("Another") if player.id else player


def as_bot(player: Player) -> Player:
    """Return a bot's player in place of a guest; who has no token, or the operator's, stays."""
    if not player.id:
        return player
    made = player.client.anonymous().post("/v1/players", {"nickname": "New", "bot": True}).body
    return Player(player.client, made["token"])


def new_token(player: Player) -> str:
    """Return the id of a new token of a player, "none" if they cannot make one."""
    made = player.post("/v1/players/me/tokens", {"name": "My bot", "scopes": ["play"]})
    return str(made.body["entry"]["id"]) if made.status == 201 else "none"


def moderated(operator: Player, opened: RoomInSituation, path: str) -> dict[str, str]:
    """Return what the paths of moderation name: a new guest who has opened a room, a report about them, a token."""
    if not path.startswith("/v1/admin/"):
        return {}
    new = operator.client.guest("New")
    assert new.open_room("morris").status == 201
    found = {"player": new.id}
    if "{report}" in path:
        reporter = Player(operator.client, opened.actors["guest"].token)
        assert reporter.post("/v1/reports", {"player": new.id, "reason": "insults"}).status == 204
        queue = Player(operator.client, OPERATORS).get("/v1/admin/reports").body["reports"]
        found["report"] = queue[-1]["id"]
    if "{token}" in path:
        made = operator.post("/v1/admin/tokens", {"name": f"Operator {next(UNUSED_NAMES)}"})
        found["token"] = str(made.body.get("id", "none"))
    return found


def new_webhook(player: Player, path: str) -> str:
    """Return the id of a new webhook of a player or of the operator, the only one; "none" if they cannot make one."""
    webhooks = path.partition("/{webhook}")[0]
    for known in player.get(webhooks).body.get("webhooks", ()):
        player.send("DELETE", f"{webhooks}/{known['id']}")
    made = player.post(webhooks, {"url": "https://hooks.example/"})
    return str(made.body["webhook"]["id"]) if made.status == 201 else "none"


def code_of(opened: RoomInSituation, kind: str) -> str:
    """Return a code that lets a new guest in."""
    return str(opened.actors["guest"].client.guest("New").post(f"/v1/players/me/{kind}", {}).body["code"])


def new_challenge(player: Player, method: str) -> str:
    """Return a challenge that a player can withdraw, or else accept or decline."""
    maker, asked = (player, "p-nobody") if method == "DELETE" else (player.client.guest("New"), player.id)
    made = maker.post("/v1/challenges", {"game": "morris", "opponents": [asked]})
    return str(made.body.get("id", "none"))


def new_seek(player: Player, method: str) -> str:
    """Return a seek that a player can withdraw, or else accept, after which it waits for a third player."""
    maker = player if method == "DELETE" else player.client.guest("New")
    clock = {"type": "per_move", "ms": next(UNUSED_CLOCKS)}
    return str(maker.post("/v1/seeks", {"game": "ternio", "clock": clock}).body.get("id", "none"))


UNUSED_CLOCKS = count(70_000)
UNUSED_NAMES = count()

SETTINGS = {
    "PUT /v1/players/me/profile": {"hidden": False},
    "PUT /v1/players/me/challengers": {"challengers": "everybody"},
}
"""The bodies of the routes by which players change settings."""


def response_to(player: Player, route: str, opened: RoomInSituation) -> int | str:
    """Return the status of a route's response, or the code of its refusal."""
    method, path = route.split(" ")
    names = {"match_id": opened.match, "number": 1, "game": "ternio", "player": "p-nobody", "rating_class": "blitz"}
    names |= {"other": "p-other", "channel": "best"}
    static = {"release_name": "any", "place": "web", "folder": "_static" if "/guide/" in path else "lobby"}
    files = {
        "/static/{release_name}/{place}/{name}": "mark.svg",
        "/static/{release_name}/{place}/{folder}/{name}": "lobby_page.js",
        "/client/{name}": "room.js",
        "/guide/{name}": "index.html",
        "/guide/{folder}/{name}": "guide.css",
    }
    code = new_code(opened) if "{code}" in path else ""
    seek = new_seek(player, method) if "{seek}" in path else ""
    token = new_token(player) if path == "/v1/players/me/tokens/{token}" else ""
    challenge = new_challenge(player, method) if "{challenge}" in path else ""
    webhook = new_webhook(player, path) if "/webhooks" in path else ""
    names["tournament"] = new_tournament(opened.actors["guest"].client.guest("New")) if "{tournament}" in path else ""
    names |= {"seek": seek, "token": token, "challenge": challenge, "webhook": webhook, "event": 1_000_000}
    names |= moderated(player, opened, path)
    address = path.format(room=opened.room, code=code, name=files.get(path, "docs.html"), **names, **static)
    if method == "POST":
        bodies: dict[str, Any] = {
            "/v1/players": {"nickname": "New"},
            "/v1/rooms": {"game": "morris", "nickname": "New"},
            "/v1/seeks": {"game": "turncoat", "seat": 0},
            "/v1/players/me/webhooks": {"url": "https://hooks.example/"},
            "/v1/admin/webhooks": {"url": "https://hooks.example/"},
            "/v1/players/me/tokens": {"name": "My bot", "scopes": ["play"]},
            "/v1/players/me/link_codes": {},
            "/v1/players/me/recovery_code": {},
            "/v1/link_codes": {"code": code_of(opened, "link_codes")} if path == "/v1/link_codes" else {},
            "/v1/recovery": {"code": code_of(opened, "recovery_code")} if path == "/v1/recovery" else {},
            "/v1/challenges": {"game": "morris", "opponents": [{"bot": "easy"}]},
            "/v1/challenges/{challenge}/decline": {},
            "/v1/players/me/challenges/decline": {},
            "/v1/tournaments": tournament_request(),
            "/v1/tournaments/{tournament}/commands": {"type": "register"},
            "/v1/rooms/{room}/commands": {"type": "unready"},
            "/v1/invitations/{code}": {"as": "spectator", "nickname": "New"},
            "/v1/invitations/{code}/decline": {"nickname": "New"},
            "/v1/admin/rooms/{room}/close": {},
            "/v1/admin/players/{player}/mute": {"on": True},
            "/v1/admin/players/{player}/ban": {"on": True},
            "/v1/admin/reports/{report}/close": {},
            "/v1/admin/tokens": {"name": f"Operator {next(UNUSED_NAMES)}"},
            "/v1/reports": {"player": opened.actors["creator"].id, "reason": "insults"},
        }
        answer = player.post(address, bodies.get(path, {"text": "hello"}))
    elif route in SETTINGS:
        answer = player.send(method, address, json=SETTINGS[route])
    elif method == "PUT" and path.endswith("/blocks/{player}"):
        answer = player.send(method, address)
    elif method == "PUT":
        answer = as_bot(player).send(method, address, json={"games": ["morris"]})
    elif route == "DELETE /v1/players/{player}":
        somebody = client_of_another(player)
        answer = somebody.send("DELETE", f"/v1/players/{somebody.id or 'p-nobody'}")
    elif method == "DELETE":
        answer = player.send(method, address)
    elif method == "PATCH":
        answer = player.send(method, address, json={"events": ["match_began"]})
    elif method == "WS":
        return subscription_result(player, path, opened)
    elif path.endswith("/feed"):
        answer = player.send("HEAD", address, {"accept": "text/event-stream"})
        return "unauthenticated" if answer.status == 401 else answer.status
    else:
        answer = player.get(address)
    return answer.code or answer.status


def subscription_result(player: Player, path: str, opened: RoomInSituation) -> int | str:
    """Return the result of a subscription to the room over a socket: 200, or the code of its refusal."""
    with (
        open_shared_socket(player.client.url)
        if path == "/v1/feed"
        else open_room_socket(player.client.url, opened.room) as feed
    ):
        feed.send(type="subscribe", room=opened.room, **({"token": player.token} if player.token else {}))
        frame = feed.next()
    return 200 if frame["type"] == "subscribed" else str(frame["problem"]["code"])


@pytest.fixture(scope="module")
def kinds(client: ApiClient, actors: dict[str, Player]) -> dict[str, RoomInSituation]:
    """Return a room of each kind, in the middle of a match."""
    return {
        "public": open_in_situation(client, actors, "playing"),
        "private": open_in_situation(client, actors, "playing", visibility="private", password="sesame"),  # noqa: S106 - a test's
        "members": open_in_situation(client, actors, "playing", spectators=False),
    }


RESULTS_OF_GUESTS = {
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
def test_a_room_is_read_by_those_who_may(
    kinds: dict[str, RoomInSituation], anonymous: Player, route: str, kind: str
) -> None:
    """By its members always, by others as the room is set; with a token and without."""
    opened, whom = kinds[kind], READS[route]
    expected = RESULTS_OF_GUESTS[kind, whom]
    if route == "GET /v1/rooms/{room}/feed":
        expected = STATUS.get(str(expected), expected)
    for reader in (anonymous, opened.actors["guest"]):
        assert response_to(reader, route, opened) == expected
    for member in ("other", "own", "creator", "operator"):
        assert response_to(opened.actors[member], route, opened) == 200


@pytest.mark.parametrize("route", [route for route, whom in READS.items() if whom == OVER])
@pytest.mark.parametrize("kind", ["public", "private", "members"])
def test_a_match_that_is_over_is_read_by_those_who_may(
    kinds: dict[str, RoomInSituation], client: ApiClient, anonymous: Player, route: str, kind: str
) -> None:
    """While it is played it is refused to those who may read it, and hidden from all others as ever."""
    opened = kinds[kind]
    refused = RESULTS_OF_GUESTS[kind, MATCH]
    private: dict[str, object] = {"visibility": "private", "password": "sesame"}
    settings = {"public": {}, "private": private, "members": dict[str, object](spectators=False)}
    over = open_in_situation(client, opened.actors, "playing", **settings[kind])
    assert opened.actors["creator"].command(over.room, "close").status == 200
    players = [opened.actors[name] for name in ("guest", "other", "own", "creator")]
    others = () if route.startswith("POST") else (anonymous, opened.actors["operator"])  # without a player's token
    for reader in (*others[:1], players[0]):
        assert response_to(reader, route, opened) == ("not_over" if refused == 200 else refused)
        assert response_to(reader, route, over) == refused
    for member in (*players[1:], *others[1:]):
        assert response_to(member, route, opened) == "not_over"
        assert response_to(member, route, over) == 200


@pytest.mark.parametrize("route", [route for route, whom in READS.items() if whom == MEMBER])
@pytest.mark.parametrize("kind", ["public", "private", "members"])
def test_only_members_use_a_room(kinds: dict[str, RoomInSituation], anonymous: Player, route: str, kind: str) -> None:
    """A guest is refused as no member, or as if there was no such room."""
    opened = kinds[kind]
    assert response_to(anonymous, route, opened) == "unauthenticated"
    refused = {"public": {"not_a_member"}, "private": {"no_such_room"}, "members": {"not_a_member", "members_only"}}
    assert response_to(opened.actors["guest"], route, opened) in refused[kind]
    assert response_to(opened.actors["operator"], route, opened) == "unauthenticated"


NO_EVENT = {route: "no_such_event" for route in READS if route.endswith("/replay")}
"""Routes that are refused at last, because nothing has happened that could be sent again."""


@pytest.mark.parametrize("route", [route for route, whom in READS.items() if whom in {ANYONE, TOKEN}])
def test_other_routes_serve_anyone_or_anyone_with_a_token(
    kinds: dict[str, RoomInSituation], anonymous: Player, route: str
) -> None:
    """401 without a token where one is needed."""
    opened = kinds["public"]
    without = response_to(anonymous, route, opened)
    assert without == ("unauthenticated" if READS[route] == TOKEN else 201 if route in CREATED else 200)
    assert response_to(opened.actors["guest"], route, opened) in {200, 201, 202, 204, NO_EVENT.get(route)}
    refused = (READS[route] == TOKEN or route in NOT_THE_OPERATORS) and route not in ALSO_THE_OPERATORS
    if route in ALSO_THE_OPERATORS:
        without = ALSO_THE_OPERATORS[route]
    assert response_to(opened.actors["operator"], route, opened) == ("unauthenticated" if refused else without)


@pytest.mark.parametrize("route", [route for route, whom in READS.items() if whom == OPERATOR])
def test_operator_routes_serve_operators_only(kinds: dict[str, RoomInSituation], anonymous: Player, route: str) -> None:
    """401 for every other role, even for a room of their own."""
    actors = kinds["public"].actors
    opened = kinds["public"]._replace(room=actors["creator"].open_room("morris").body["room"])
    for other in (anonymous, *(actors[role] for role in MAIN)):
        assert response_to(other, route, opened) == "unauthenticated"
    assert response_to(actors["operator"], route, opened) in {200, 201, 202, 204, NO_EVENT.get(route)}


@pytest.mark.parametrize("path", ["", "/events", "/legal-moves", "/board.svg", "/feed"])
@pytest.mark.parametrize("role", ["stranger", *ACTORS])
def test_a_seats_view_is_its_holders(
    kinds: dict[str, RoomInSituation], anonymous: Player, path: str, role: str
) -> None:
    """`seat` other than an own one is 403 on every route."""
    opened = kinds["public"]
    reader = anonymous if role == "stranger" else opened.actors[role]
    headers = {"accept": "text/event-stream"} if path == "/feed" else {}
    method = "HEAD" if path == "/feed" else "GET"
    answer = reader.send(method, f"/v1/rooms/{opened.room}{path}", headers, params={"seat": 1})
    assert answer.status == (200 if role == "own" else 403)


@pytest.mark.parametrize("path", ["", "/export"])
@pytest.mark.parametrize("role", ["stranger", *ACTORS])
def test_a_seats_view_of_a_match_is_its_holders(
    kinds: dict[str, RoomInSituation], anonymous: Player, path: str, role: str
) -> None:
    """The same under the match's own id."""
    opened = kinds["public"]
    reader = anonymous if role == "stranger" else opened.actors[role]
    answer = reader.get(f"/v1/matches/{opened.match}{path}", seat=1)
    assert answer.status == (200 if role == "own" else 403)
