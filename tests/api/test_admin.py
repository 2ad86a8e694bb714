"""What operators do over HTTP, and that nobody else can: closed rooms, muted and banned players, and the log of it."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.api.test_secrecy import squares
from tests.e2e.client import ApiClient, Player, Response, connect_to
from tests.e2e.processes import OPERATORS, ApiProcess, run_processes
from tests.e2e.seated_rooms import seat_players
from tests.store_server import StoreServer
from tests.waiting import wait_for

TOKEN = "the operators' token, longer than 32 characters"  # noqa: S105 - not one that guards anything
ROUTES = [
    ("GET", "rooms"),
    ("GET", "rooms/friday-night"),
    ("POST", "rooms/friday-night/close"),
    ("POST", "players/p-nobody/mute"),
    ("POST", "players/p-nobody/ban"),
    ("GET", "log"),
    ("GET", "players?q=anna"),
    ("GET", "players/p-nobody"),
    ("GET", "reports"),
    ("POST", "reports/1-0/close"),
    ("GET", "tokens"),
    ("POST", "tokens"),
    ("DELETE", "tokens/1-0"),
]


@pytest.fixture
def managed(own_server: StoreServer, tmp_path: Path) -> "ApiProcess":
    """Return a service that has operators, not started."""
    return ApiProcess(own_server.url, tmp_path / "log", admin_token=TOKEN)


@pytest.fixture(scope="module")
def unattended(rooms_store: StoreServer, logs: Path) -> Iterator[ApiClient]:
    """Run a service without operators."""
    api = ApiProcess(rooms_store.url, logs)
    with run_processes(api), connect_to(api.url) as client:
        yield client


def operator(client: ApiClient) -> Player:
    """Return an operator."""
    return Player(client, TOKEN)


def admin(client: ApiClient, method: str, path: str, **more: Any) -> Response:
    """Send a request as an operator."""
    return operator(client).send(method, f"/v1/admin/{path}", **more)


@pytest.mark.parametrize(("method", "path"), ROUTES)
def test_without_operators_there_is_nothing_there(unattended: ApiClient, method: str, path: str) -> None:
    """As at any address that doesn't exist; the page likewise. No token reads more than a player's."""
    answer = admin(unattended, method, path, json={"on": True} if method == "POST" else None)
    assert (answer.status, answer.code) == (404, "not_found")
    assert unattended.anonymous().get("/admin").status == 404
    assert operator(unattended).get("/v1/rooms/friday-night").code == "unauthenticated"


def test_only_the_operators_token_opens(client: ApiClient, ada: Player, operator: Player) -> None:
    """Not a player's, not a piece of it, and no page of another origin reads an answer."""
    for method, path in ROUTES:
        for player in (ada, client.anonymous(), Player(client, OPERATORS[:-1])):
            assert player.send(method, f"/v1/admin/{path}", json={}).status == 401
    headers = {"origin": "https://elsewhere.example"}
    answer = operator.get("/v1/admin/rooms", headers)
    assert answer.status == 200
    assert not [name for name in answer.headers if name.startswith("access-control")]
    preflight = {**headers, "access-control-request-method": "GET"}
    leave = operator.send("OPTIONS", "/v1/admin/rooms", preflight)
    assert not [name for name in leave.headers if name.startswith("access-control")]
    page = client.anonymous().get("/admin")
    assert page.status == 200
    assert "default-src 'none'" in page.headers["content-security-policy"]


def test_a_room_is_found_inspected_and_closed(managed: ApiProcess) -> None:
    """Also one that the lobby doesn't show; hidden information stays hidden; the log has the reason of the closure."""
    with run_processes(managed), connect_to(managed.url) as client:
        room, (red, _) = seat_players(client, "turncoat", 2, settings={"visibility": "unlisted"})
        move = squares(red, room)[0]
        assert red.play(room, move).status == 200
        [found] = admin(client, "GET", "rooms").body["rooms"]
        assert (found["room"], found["status"], red.id in found["seats"]) == (room, "playing", True)
        looked = admin(client, "GET", f"rooms/{room}")
        assert looked.body == found
        assert f'"{move["at"]}"'.encode() not in looked.content
        assert admin(client, "POST", f"rooms/{room}/close", json={"reason": "spam"}).status == 200
        assert red.play(room, {"type": "commit"}).code in {"room_closed", "no_such_room"}
        assert admin(client, "GET", f"rooms/{room}:{found['epoch']}").body["status"] == "closed"
        assert admin(client, "POST", f"rooms/{room}:{found['epoch']}/close", json={}).code == "room_closed"
        assert admin(client, "GET", "rooms").body == {"rooms": [], "next": None}
        assert len(admin(client, "GET", "rooms?all=true").body["rooms"]) == 1
        [entry] = admin(client, "GET", "log").body["entries"]
        shut = {"type": "room_shut", "room": room, "epoch": found["epoch"]}
        assert entry["deed"] == {**shut, "reason": "spam", "by": "admin"}


def test_a_banned_player_is_refused_by_every_process_and_may_come_back(
    managed: ApiProcess, own_server: StoreServer, tmp_path: Path
) -> None:
    """By commands, sockets that were open, new ones, and joins; reading stays possible for anybody."""
    other = ApiProcess(own_server.url, tmp_path / "other")
    with run_processes(managed, other), connect_to(managed.url) as client, connect_to(other.url) as there:
        room, (red, yellow) = seat_players(client, "morris", 2)
        with red.subscribe(room) as feed:
            feed.until(lambda frame: frame["type"] == "caught_up")
            assert admin(client, "POST", f"players/{red.id}/ban", json={"on": True}).status == 200
            assert feed.close_code() == 4210
        assert red.command(room, "resign").code == "banned"
        assert red.open_room("morris").code == "banned"
        with red.subscribe(room) as feed:
            assert feed.close_code() == 4210
        wait_for_code(red.via(there), "banned")
        assert yellow.read_room(room).status == 200
        assert client.anonymous().read_room(room).status == 200
        assert admin(client, "POST", f"players/{red.id}/ban", json={"on": False}).status == 200
        assert red.command(room, "resign").status == 200
        wait_for_code(red.via(there), "")


def wait_for_code(player: Player, code: str) -> None:
    """Wait until a process knows whether a player is banned."""
    wait_for(lambda: player.get("/v1/players/me").code == code)


def test_a_muted_player_plays_on_and_does_not_chat(managed: ApiProcess) -> None:
    """Neither in rooms nor in the lobby, even after a restart of the service."""
    with run_processes(managed), connect_to(managed.url) as client:
        room, (red, yellow) = seat_players(client, "morris", 2)
        admin(client, "POST", f"players/{red.id}/mute", json={"on": True, "reason": "shouting"})
        for path in (f"/v1/rooms/{room}/chat", "/v1/lobby/chat"):
            assert red.post(path, {"text": "hello"}).code == "muted_by_operator"
            assert yellow.post(path, {"text": "hello"}).status == 201
        managed.stop()
        managed.start()
        assert red.post("/v1/lobby/chat", {"text": "hello"}).code == "muted_by_operator"
        assert red.play(room, {"type": "place", "at": "a1"}).status == 200


@pytest.mark.parametrize(
    ("method", "path", "more", "status"),
    [
        ("GET", "rooms?cursor=nonsense", {}, 422),
        ("GET", "rooms?cursor=9:0", {}, 422),
        ("GET", "log?after=nonsense", {}, 422),
        ("GET", "rooms/nowhere", {}, 404),
        ("GET", "rooms/a:b:c", {}, 404),
        ("GET", "rooms/%20", {}, 422),
        ("POST", "players/p-nobody/ban", {"json": {"on": "perhaps"}}, 422),
        ("POST", "players/p-nobody/ban", {"json": {"on": True}}, 404),
        ("POST", "players/p-nobody/mute", {"json": {"on": False}}, 404),
        ("GET", "players/p-nobody", {}, 404),
        ("GET", "players?cursor=nonsense", {}, 422),
        ("GET", "reports?after=nonsense", {}, 422),
        ("POST", "reports/1-0/close", {"json": {}}, 404),
        ("POST", "reports/nonsense/close", {"json": {}}, 422),
        ("POST", "tokens", {"json": {"name": "admin"}}, 422),
        ("POST", "tokens", {"json": {"name": "\u202e"}}, 422),
        ("DELETE", "tokens/1-0", {}, 404),
        ("POST", "players/p-nobody/ban", {"content": b"{"}, 415),
    ],
)
def test_nonsense_is_refused(operator: Player, method: str, path: str, more: dict[str, Any], status: int) -> None:
    """An operator's route rejects an invalid request in the same way as every other route."""
    assert operator.send(method, f"/v1/admin/{path}", **more).status == status


def moderated(client: ApiClient, player: Player, what: str, reason: str, by: Player | None = None) -> None:
    """Mute or ban a player as an operator."""
    body = {"on": True, "reason": reason}
    assert (by or operator(client)).post(f"/v1/admin/players/{player.id}/{what}", body).status == 200


def test_players_are_found_by_id_and_by_what_their_names_look_like(managed: ApiProcess) -> None:
    """Also by a part of an earlier nickname, without differences of case."""
    with run_processes(managed), connect_to(managed.url) as client:
        anna, ben = client.guest("Anna Livia"), client.guest("Ben")
        room = anna.open_room("morris").body["room"]
        assert ben.command(room, "join", nickname="Leopold").status == 200
        other = ben.open_room("morris").body["room"]
        for query, found in [("livia", anna), ("\u0410NN\u0410", anna), ("leop", ben), ("BEN", ben), (ben.id, ben)]:
            page = operator(client).get("/v1/admin/players", q=query).body
            assert ([each["player"] for each in page["players"]], page["next"]) == ([found.id], None), query
        assert set(admin(client, "GET", f"players/{ben.id}").body["nicknames"]) == {"Ben", "Leopold"}
        assert admin(client, "GET", "players?q=bloom").body == {"players": [], "next": None}
        client.guest("Molly")  # who has not shown the name to anybody
        everybody = {each["player"] for each in admin(client, "GET", "players").body["players"]}
        assert everybody == {anna.id, ben.id}
        assert ben.command(other, "leave").status == 200


def test_mutes_and_bans_are_listed_and_end(managed: ApiProcess) -> None:
    """With when, why and by whom; after a restart as before."""
    with run_processes(managed), connect_to(managed.url) as client:
        _, (red, yellow) = seat_players(client, "morris", 2)
        moderated(client, red, "ban", "cheats")
        moderated(client, yellow, "mute", "shouts")
        managed.stop()
        managed.start()
        listed = admin(client, "GET", "players?restricted=true").body["players"]
        entries = admin(client, "GET", "log").body["entries"]
        times = [{"since": each["time"], "reason": each["deed"]["reason"], "by": "admin"} for each in entries]
        assert [(each["player"], each["banned"], each["muted"]) for each in listed] == [
            (red.id, times[0], None),
            (yellow.id, None, times[1]),
        ]
        assert listed[0]["nicknames"] == ["Player 0"]
        assert admin(client, "GET", f"players/{red.id}").body == listed[0]
        for player, what in ((red, "ban"), (yellow, "mute")):
            assert admin(client, "POST", f"players/{player.id}/{what}", json={"on": False}).status == 200
        assert admin(client, "GET", "players?restricted=true").body["players"] == []
        assert red.get("/v1/players/me").status == 200


def test_players_report_others_and_operators_close_reports(managed: ApiProcess) -> None:
    """Once an hour the same player, never oneself and nobody unknown; who closed it, and why, is in the audit log."""
    with run_processes(managed), connect_to(managed.url) as client:
        room, (red, yellow) = seat_players(client, "morris", 2)
        report = {"player": yellow.id, "reason": " insults\n me ", "room": room.upper()}
        assert [red.post("/v1/reports", report).status for _ in range(2)] == [204, 204]
        assert yellow.post("/v1/reports", {"player": red.id, "reason": "slow"}).status == 204
        assert red.post("/v1/reports", {"player": red.id, "reason": "me"}).code == "own_report"
        assert red.post("/v1/reports", {"player": "p-nobody", "reason": "who"}).code == "unknown_player"
        assert red.post("/v1/reports", {"player": yellow.id, "reason": "\u202e"}).code == "unfit"
        queue = admin(client, "GET", "reports").body
        first, second = queue["reports"]
        what = {"by": red.id, "player": yellow.id, "reason": "insults me", "room": room, "closed": False}
        assert first == {**what, "id": first["id"], "time": first["time"]}
        assert queue["nicknames"] == {red.id: ["Player 0"], yellow.id: ["Player 1"]}
        assert admin(client, "GET", f"reports?after={first['id']}").body["reports"] == [second]
        closed = admin(client, "POST", f"reports/{first['id']}/close", json={"reason": "warned"})
        deed = {"type": "report_closed", "report": first["id"], "player": yellow.id, "reason": "warned", "by": "admin"}
        assert closed.body["deed"] == deed
        assert admin(client, "GET", "reports").body["reports"] == [second]
        assert admin(client, "GET", "reports?closed=true").body["reports"] == [{**first, "closed": True}, second]


def test_an_operator_acts_under_a_name_until_the_token_is_revoked(
    managed: ApiProcess, own_server: StoreServer, tmp_path: Path
) -> None:
    """In every process, also after a restart; a token with a name makes no others, and its sockets are closed."""
    other = ApiProcess(own_server.url, tmp_path / "other", admin_token=TOKEN)
    with run_processes(managed, other), connect_to(managed.url) as client, connect_to(other.url) as there:
        room, (red, _) = seat_players(client, "morris", 2, settings={"spectators": False})
        made = admin(client, "POST", "tokens", json={"name": " Grace "})
        assert (made.status, made.body["name"]) == (201, "Grace")
        assert admin(client, "POST", "tokens", json={"name": "Grace"}).code == "unfit"
        grace = Player(client, made.body["token"])
        moderated(client, red, "mute", "shouts", grace)
        assert admin(client, "GET", "log").body["entries"][-1]["deed"]["by"] == "Grace"
        for method, path in (("GET", "tokens"), ("POST", "tokens"), ("DELETE", f"tokens/{made.body['id']}")):
            body = {"name": "Another"} if method == "POST" else None
            assert grace.send(method, f"/v1/admin/{path}", json=body).code == "admin_only"
        managed.stop()
        managed.start()
        wait_for(lambda: grace.via(there).get("/v1/admin/rooms").status == 200)
        assert grace.read_room(room).status == 200
        [listed] = admin(client, "GET", "tokens").body["tokens"]
        assert listed == {name: made.body[name] for name in ("id", "name", "made")}
        with grace.subscribe(room) as feed:
            feed.until(lambda frame: frame["type"] == "caught_up")
            assert admin(client, "DELETE", f"tokens/{listed['id']}").status == 204
            assert feed.close_code() == 4100
        assert (grace.get("/v1/admin/log").status, grace.read_room(room).code) == (401, "unauthenticated")
        wait_for(lambda: grace.via(there).get("/v1/admin/rooms").status == 401)
        assert admin(client, "GET", "tokens").body == {"tokens": []}
        assert [each["deed"]["type"] for each in admin(client, "GET", "log").body["entries"]][-1] == "operator_revoked"
        forged = Player(client, made.body["token"][:-1] + ("A" if made.body["token"][-1] != "A" else "B"))
        assert forged.get("/v1/admin/log").status == 401
