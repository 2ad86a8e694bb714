"""Webhooks over HTTP: owners register endpoints, which get their events with signatures."""

from pathlib import Path

import msgspec
import pytest

from tests.api.limit_coverage import reaches
from tests.api.test_limits import is_limited, limited
from tests.api.test_tokens import make
from tests.e2e.client import ApiClient, Json, Player
from tests.e2e.endpoint import Endpoint, run_endpoint

MINE, OPERATORS = "/v1/players/me/webhooks", "/v1/admin/webhooks"
URL = "https://hooks.example/in"


def register(player: Player, endpoint: Endpoint, path: str = MINE, *events: str) -> Json:
    """Register an endpoint, and return the webhook and its secret once the endpoint has echoed its challenge."""
    made = player.post(path, {"url": endpoint.url, "events": events})
    assert made.status == 201
    assert made.body["webhook"]["status"] == "unverified"
    challenge = endpoint.next()
    assert challenge.json["type"] == "webhook_challenge"
    assert challenge.is_signed_with(made.body["secret"])
    while read(player, made.body, path)["webhook"]["status"] != "active":
        pass
    body: Json = made.body
    return body


def read(player: Player, made: Json, path: str = MINE) -> Json:
    """Return a webhook with its log."""
    details: Json = player.get(f"{path}/{made['webhook']['id']}").body
    return details


def whole_log(operator: Player) -> list[Json]:
    """Return all entries of the audit log."""
    entries: list[Json] = []
    after: str | None = ""
    while after is not None:
        page = operator.get("/v1/admin/log", **({"after": after} if after else {})).body
        entries, after = [*entries, *page["entries"]], page["next"]
    return entries


def start_match(ada: Player, bob: Player) -> str:
    """Start a match, and return the name of its room."""
    room: str = ada.open_room("morris", settings={"start": "full"}).body["room"]
    assert bob.command(room, "join").status == 200
    return room


def test_an_endpoint_gets_the_events_of_its_player(ada: Player, bob: Player) -> None:
    """As in the feed, each with a valid signature; the log has them, and can send one again."""
    with run_endpoint() as endpoint:
        made = register(ada, endpoint)
        room = start_match(ada, bob)
        began, turn = endpoint.next(), endpoint.next()
        assert began.is_signed_with(made["secret"])
        assert turn.is_signed_with(made["secret"])
        feed = ada.get("/v1/players/me/events").body["events"]
        assert [began.json["data"], turn.json["data"]] == feed
        assert (began.json["type"], began.json["data"]["room"]) == ("match_began", room)
        while len(read(ada, made)["deliveries"]) < 2:
            pass
        latest, first = read(ada, made)["deliveries"]
        assert (first["id"], first["event_type"], first["last"]["status"]) == (began.id, "match_began", 200)
        assert latest["event"] == turn.json["data"]["version"]
        again = ada.post(f"{MINE}/{made['webhook']['id']}/deliveries/{first['event']}/replay", {})
        assert again.status == 202
        repeated = endpoint.next()
        assert (repeated.id, repeated.body) == (began.id, began.body)


def test_a_rotated_secret_and_the_one_before_sign(ada: Player, bob: Player) -> None:
    """A secret is shown when it is made, and never again."""
    with run_endpoint() as endpoint:
        made = register(ada, endpoint, MINE, "match_began")
        rotated = ada.post(f"{MINE}/{made['webhook']['id']}/rotate", {})
        assert rotated.status == 200
        assert rotated.body["secret"] != made["secret"]
        assert rotated.body["webhook"]["previous_secret_until"] is not None
        start_match(ada, bob)
        assert endpoint.next().is_signed_with(made["secret"], rotated.body["secret"])
        shown = msgspec.json.encode([ada.get(MINE).body, read(ada, made)])
        assert b"whsec_" not in shown


def test_the_operator_gets_the_matches_of_all(operator: Player, ada: Player, bob: Player) -> None:
    """From another list, which players cannot read."""
    with run_endpoint() as endpoint:
        made = register(operator, endpoint, OPERATORS, "match_began")
        room = start_match(ada, bob)
        while (began := endpoint.next().json["data"])["room"] != room:  # matches of other tests
            pass
        assert (began["game"], began["seats"]) == ("morris", [0, 1])
        assert ada.get(f"{MINE}/{made['webhook']['id']}").code == "no_such_webhook"
        assert operator.send("DELETE", f"{OPERATORS}/{made['webhook']['id']}").status == 204
        actions = [entry["deed"] for entry in whole_log(operator) if entry["deed"]["type"] == "operator_webhook"]
        own = [(each["action"], each["host"]) for each in actions if each["webhook"] == made["webhook"]["id"]]
        assert own == [("added", "127.0.0.1"), ("removed", "127.0.0.1")]


def test_a_webhook_is_changed_and_deleted(ada: Player, bob: Player) -> None:
    """By its owner only; another URL has to be verified."""
    with run_endpoint() as endpoint:
        made = register(ada, endpoint)
        path = f"{MINE}/{made['webhook']['id']}"
        changed = ada.send("PATCH", path, json={"events": ["turn_began", "turn_began"]})
        assert (changed.status, changed.body["status"], changed.body["events"]) == (200, "active", ["turn_began"])
        assert ada.send("PATCH", path, json={"url": f"{endpoint.url}/new"}).body["status"] == "unverified"
        assert endpoint.next().json["type"] == "webhook_challenge"
    for method, place in (("GET", ""), ("DELETE", ""), ("POST", "/rotate"), ("POST", "/verify")):
        assert bob.send(method, path + place).code == "no_such_webhook"
    assert [each["id"] for each in ada.get(MINE).body["webhooks"]] == [made["webhook"]["id"]]
    assert ada.send("DELETE", path).status == 204
    assert ada.get(MINE).body == {"webhooks": []}
    assert ada.send("DELETE", path).code == "no_such_webhook"


@pytest.mark.parametrize(
    ("fields", "pointer"),
    [
        ({}, ""),
        ({"url": 1}, "/url"),
        ({"url": ""}, "/url"),
        ({"url": "ftp://hooks.example/"}, "/url"),
        ({"url": "https://user:secret@hooks.example/"}, "/url"),
        ({"url": "https://hooks.example/#here"}, "/url"),
        ({"url": "https://hooks.example/" + "x" * 500}, "/url"),
        ({"url": URL, "events": ["everything"]}, "/events/0"),
        ({"url": URL, "events": ["turn_began"] * 31}, "/events"),
        ({"url": URL, "secret": "mine"}, "/secret"),
    ],
)
def test_a_webhook_that_makes_no_sense_is_refused(ada: Player, fields: Json, pointer: str) -> None:
    """With the place of the fault."""
    refused = ada.post(MINE, fields)
    assert (refused.status, refused.code, refused.body.get("pointer", "")) == (422, "unfit", pointer)
    assert ada.get(MINE).body == {"webhooks": []}


def test_other_refusals(ada: Player, operator: Player) -> None:
    """Too many webhooks, replays of what does not exist, a token without the scope, types that only players get."""
    first = ada.post(MINE, {"url": URL}).body["webhook"]["id"]
    replay = f"{MINE}/{first}/deliveries"
    assert ada.post(f"{replay}/1/replay", {}).code == "no_such_event"
    assert ada.post(f"{MINE}/none/deliveries/1/replay", {}).code == "no_such_webhook"
    for number in ("0", "-1", "x", "9" * 30, "\u0663"):
        assert ada.post(f"{replay}/{number}/replay", {}).code == "unfit"
    assert ada.post(MINE, {"url": URL}, {"idempotency-key": "k"}).code == "key_not_supported"
    assert [ada.post(MINE, {"url": URL}).status for _ in range(2)] == [201, 201]
    assert ada.post(MINE, {"url": URL}).code == "too_many_webhooks"
    assert make(ada, "read", "play").get(MINE).code == "scope_missing"
    assert operator.post(OPERATORS, {"url": URL, "events": ["turn_began"]}).code == "unfit"
    assert operator.get(MINE).code == "unauthenticated"


@reaches(limit_webhooks="rate_limited")
def test_challenges_are_limited(store_and_log: tuple[str, Path]) -> None:
    """By address, so that many guests cannot have many requests sent to one host."""
    with limited(store_and_log, webhooks="4") as client:
        guest(client).post(MINE, {"url": URL})
        made, ada = guest(client).post(MINE, {"url": URL}), guest(client)
        path = f"{MINE}/{made.body['webhook']['id']}"
        mine = f"{MINE}/{ada.post(MINE, {'url': URL}).body['webhook']['id']}"
        assert ada.send("PATCH", mine, json={"events": ["turn_began"]}).status == 200
        assert ada.send("PATCH", mine, json={"url": f"{URL}/new"}).status == 200
        assert is_limited(ada.post(f"{mine}/verify", {}), "rate_limited")
        assert is_limited(guest(client).post(MINE, {"url": URL}), "rate_limited")
        assert guest(client).get(path).code == "no_such_webhook"
        assert ada.get(mine).status == 200


def guest(client: ApiClient) -> Player:
    """Return a new guest."""
    return client.guest("Ada")
