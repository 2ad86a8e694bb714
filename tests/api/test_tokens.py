"""Named tokens: what each is for, how it ends, and that its sockets and streams end with it, in every process."""

import asyncio
import re
from typing import Any

import pytest

from service.people.known_tokens import READ_INTERVAL
from tests.api.documents import OPERATIONS
from tests.api.test_player_feed import follow, read_stream, stream
from tests.e2e.client import ApiClient, Json, Player, Response, open_shared_socket
from tests.waiting import wait_for

BAD_TOKEN, OTHER_TOKEN, BANNED = 4100, 4101, 4210
ALL = ["read", "play", "chat", "account", "tournaments"]


def make(player: Player, *scopes: str, **more: object) -> Player:
    """Return the player with a named token of these scopes."""
    made = player.post("/v1/players/me/tokens", {"name": "My bot", "scopes": scopes or ALL, **more})
    assert made.status == 201, made
    return Player(player.client, made.body["token"], player.id)


def id_of(token: Player) -> str:
    """Return the id of a named token."""
    assert token.token is not None
    return token.token.split(".")[2]


def entries(player: Player) -> list[Json]:
    """Return the tokens of a player."""
    listed: list[Json] = player.get("/v1/players/me/tokens").body["tokens"]
    return listed


def revoke(player: Player, token: Player) -> int:
    """Revoke a token and return the status."""
    return player.send("DELETE", f"/v1/players/me/tokens/{id_of(token)}").status


def is_refused(answer: Response, scope: str) -> bool:
    """Return whether a request was refused for want of a scope."""
    return (answer.status, answer.code) == (403, "scope_missing") and answer.body["params"] == {"scope": scope}


def wait_until_refused(player: Player, code: str = "unauthenticated") -> None:
    """Wait until a process refuses a token; every process does so within two seconds of the store's time."""
    wait_for(lambda: player.get("/v1/players/me").code == code)


def test_a_token_is_shown_once_and_listed_without_its_secret(ada: Player) -> None:
    """With its name, its scopes, when it ends, and whether the list was read with it."""
    made = ada.post("/v1/players/me/tokens", {"name": "  My  bot ", "scopes": ["read", "play"], "expires_days": 1}).body
    entry = made["entry"]
    assert entry["name"] == "My bot"
    assert entry["scopes"] == ["read", "play"]
    assert entry["expires"] > entry["made"]
    assert entry["used_on"] is None
    assert entries(ada) == [entry]
    manager = make(ada)
    assert [each["current"] for each in entries(manager)] == [False, True]
    assert made["token"] not in ada.get("/v1/players/me/tokens").content.decode()
    assert made["token"].count(".") == 4


def test_a_token_acts_for_its_player(ada: Player, there: ApiClient) -> None:
    """In every process, also in one that has not seen it before; with `bot` as a declared bot."""
    token = make(ada, "read", "play", "bot")
    me = token.via(there).get("/v1/players/me").body
    assert me["player"] == {"id": ada.id, "nickname": "Ada", "bot": True}
    assert "bot" not in make(ada).get("/v1/players/me").body["player"]


READ, PLAY, CHAT, ACCOUNT, TOURNAMENTS = "read", "play", "chat", "account", "tournaments"
NEEDS: dict[tuple[str, str], str] = {
    ("GET", "/v1/players/me"): READ,
    ("GET", "/v1/players/me/events"): READ,
    ("GET", "/v1/players/me/feed"): READ,
    ("GET", "/v1/players/me/seeks"): READ,
    ("GET", "/v1/players/me/challenges"): READ,
    ("GET", "/v1/players/me/challengers"): READ,
    ("GET", "/v1/players/me/blocks"): READ,
    ("GET", "/v1/rooms/{room}/invitations"): READ,
    ("GET", "/v1/rooms/{room}/hint"): READ,
    ("POST", "/v1/rooms/{room}/commands"): PLAY,
    ("POST", "/v1/matches/{match_id}/review"): PLAY,
    ("POST", "/v1/seeks"): PLAY,
    ("POST", "/v1/seeks/{seek}/accept"): PLAY,
    ("DELETE", "/v1/seeks/{seek}"): PLAY,
    ("PUT", "/v1/bots/me"): PLAY,
    ("DELETE", "/v1/bots/me"): PLAY,
    ("POST", "/v1/challenges"): PLAY,
    ("POST", "/v1/challenges/{challenge}/accept"): PLAY,
    ("POST", "/v1/challenges/{challenge}/decline"): PLAY,
    ("POST", "/v1/players/me/challenges/decline"): PLAY,
    ("PUT", "/v1/players/me/challengers"): PLAY,
    ("DELETE", "/v1/challenges/{challenge}"): PLAY,
    ("POST", "/v1/tournaments"): TOURNAMENTS,
    ("POST", "/v1/tournaments/{tournament}/commands"): PLAY,
    ("PUT", "/v1/players/me/blocks/{player}"): PLAY,
    ("POST", "/v1/reports"): PLAY,
    ("DELETE", "/v1/players/me/blocks/{player}"): PLAY,
    ("POST", "/v1/rooms/{room}/chat"): CHAT,
    ("POST", "/v1/lobby/chat"): CHAT,
    ("DELETE", "/v1/players/{player}"): ACCOUNT,
    ("PUT", "/v1/players/me/profile"): ACCOUNT,
    ("GET", "/v1/players/me/tokens"): ACCOUNT,
    ("POST", "/v1/players/me/tokens"): ACCOUNT,
    ("DELETE", "/v1/players/me/tokens"): ACCOUNT,
    ("DELETE", "/v1/players/me/tokens/{token}"): ACCOUNT,
    ("POST", "/v1/players/me/link_codes"): ACCOUNT,
    ("POST", "/v1/players/me/webhooks"): ACCOUNT,
    ("GET", "/v1/players/me/webhooks"): ACCOUNT,
    ("GET", "/v1/players/me/webhooks/{webhook}"): ACCOUNT,
    ("PATCH", "/v1/players/me/webhooks/{webhook}"): ACCOUNT,
    ("DELETE", "/v1/players/me/webhooks/{webhook}"): ACCOUNT,
    ("POST", "/v1/players/me/webhooks/{webhook}/rotate"): ACCOUNT,
    ("POST", "/v1/players/me/webhooks/{webhook}/verify"): ACCOUNT,
    ("POST", "/v1/players/me/webhooks/{webhook}/deliveries/{event}/replay"): ACCOUNT,
    ("POST", "/v1/players/me/recovery_code"): ACCOUNT,
}
"""The scope that each route with a required token needs."""

ALSO: dict[tuple[str, str], str] = {
    ("POST", "/v1/rooms"): PLAY,
    ("POST", "/v1/invitations/{code}"): PLAY,
    ("POST", "/v1/invitations/{code}/decline"): PLAY,
}
"""The scope that a token needs where it can be left out."""

BODIES: dict[tuple[str, str], dict[str, Any]] = {
    ("POST", "/v1/tournaments/{tournament}/commands"): {"json": {"type": "register"}}
}
"""The body of a request on which its scope depends; `test_tournaments.py` has the commands of organisers."""

NAMES = {
    "match_id": "none",
    "seek": "none",
    "challenge": "none",
    "player": "p-nobody",
    "token": "none",
    "code": "none",
    "webhook": "none",
    "event": "1",
    "tournament": "none",
}


def test_every_route_with_a_token_is_listed() -> None:
    """A new one fails here until its scope is."""
    required = {(method.upper(), path) for path, method, each in OPERATIONS if each["security"] == [{"token": []}]}
    assert required == NEEDS.keys()


def test_every_route_needs_its_scope(ada: Player) -> None:
    """A token with all scopes but that one is refused, and one with that scope alone is not."""
    room = ada.open_room("morris").body["room"]
    without = {scope: make(ada, *(each for each in ALL if each != scope)) for scope in ALL}
    alone = {scope: make(ada, scope) for scope in ALL}
    for (method, path), scope in {**NEEDS, **ALSO}.items():
        address = path.format(room=room, **NAMES)
        assert is_refused(without[scope].send(method, address, **BODIES.get((method, path), {})), scope), path
        if not path.endswith("/feed") and (method, path) != ("DELETE", "/v1/players/me/tokens"):
            assert alone[scope].send(method, address).code != "scope_missing", path


def test_a_token_without_read_reads_what_everybody_may(ada: Player, anonymous: Player) -> None:
    """On every route that can be read without a token it gets the same answer; a private room stays one."""
    opened = ada.open_room("morris", seats=["me", "me"], settings={"hot_seat": True}).body
    names = {
        **NAMES,
        "room": opened["room"],
        "match_id": opened["view"]["match"]["id"],
        "player": ada.id,
        "other": "p-b",
    }
    names |= {"game": "morris", "rating_class": "live"}
    assert ada.post(f"/v1/rooms/{names['room']}/chat", {"text": "hello"}).status == 201
    blind = make(ada, *(scope for scope in ALL if scope != READ))
    paths = [path.format(**names) for path, method, each in OPERATIONS if method == "get" and {} in each["security"]]
    assert len(paths) > 15
    answers = {path: (blind.get(path), anonymous.get(path)) for path in paths if not path.endswith("/feed")}
    assert [path for path, (mine, public) in answers.items() if shown(mine) != shown(public)] == []
    seat = f"/v1/rooms/{names['room']}"
    assert (ada.get(seat, seat=0).status, blind.get(seat, seat=0).code) == (200, "not_your_seat")
    private = ada.open_room("morris", settings={"visibility": "private", "password": "sesame"}).body["room"]
    assert (ada.read_room(private).status, blind.read_room(private).code) == (200, "no_such_room")


def shown(answer: Response) -> tuple[int, bytes]:
    """Return the status and the content of an answer without the time."""
    return answer.status, re.sub(rb'"server_time":"[^"]+"', b"", answer.content)


def test_a_line_of_chat_that_is_a_command_needs_both_scopes(ada: Player) -> None:
    """`/ready` in a room's chat also makes its sender ready."""
    room = ada.open_room("morris").body["room"]
    chat = make(ada, "chat")
    assert is_refused(chat.post(f"/v1/rooms/{room}/chat", {"text": "/ready"}), "play")
    assert make(ada, "chat", "play").post(f"/v1/rooms/{room}/chat", {"text": "/ready"}).status == 201


def test_a_socket_has_the_scopes_of_its_token(ada: Player) -> None:
    """The same for commands and subscriptions."""
    room = ada.open_room("morris").body["room"]
    with make(ada, "read").subscribe(room) as feed:
        feed.until(lambda frame: frame["type"] == "caught_up")
        assert feed.command(room, {"type": "unready"})["problem"]["params"] == {"scope": "play"}
    with make(ada, "play").subscribe(room) as feed:
        feed.until(lambda frame: frame["type"] == "caught_up")
        assert feed.command(room, {"type": "ready"})["result"]["events"] != []
    with open_shared_socket(ada.client.url) as feed:
        feed.send(type="subscribe", me=True, token=make(ada, "play").token)
        assert feed.next("error")["problem"]["params"] == {"scope": "read"}


def test_another_token_of_the_player_replaces_that_of_a_socket(ada: Player) -> None:
    """Before it expires, for example; but not one with fewer scopes, or of another player."""
    room = ada.open_room("morris").body["room"]
    first, second, fewer = make(ada, "read"), make(ada, "read", "play"), make(ada, "chat")
    with first.subscribe(room) as feed:
        feed.until(lambda frame: frame["type"] == "caught_up")
        feed.send(type="subscribe", room=room, token=second.token)
        feed.until(lambda frame: frame["type"] == "caught_up")
        assert feed.command(room, {"type": "ready"})["result"]["events"] != []
        assert revoke(ada, first) == 204
        assert feed.command(room, {"type": "unready"})["result"]["events"] != []
        feed.send(type="subscribe", room=room, token=fewer.token)
        assert feed.close_code() == OTHER_TOKEN


def test_a_revoked_token_is_refused_everywhere(ada: Player, there: ApiClient) -> None:
    """Its sockets and streams are closed with it, in this process and another; others of the player stay open."""
    token, other = make(ada), make(ada)
    room = ada.open_room("morris").body["room"]
    remote = token.via(there)
    with (
        token.subscribe(room) as here_feed,
        remote.subscribe(room) as there_feed,
        follow(remote) as own_feed,
        stream(remote) as response,
        other.via(there).subscribe(room) as kept_feed,
    ):
        frames = read_stream(response)
        assert next(frames)[1]["type"] == "player_subscribed"
        for feed in (here_feed, there_feed, kept_feed):
            feed.until(lambda frame: frame["type"] == "caught_up")
        assert revoke(ada, token) == 204
        assert {feed.close_code() for feed in (here_feed, there_feed, own_feed)} == {BAD_TOKEN}
        last = [frame for _, frame in frames][-1]
        assert (last["type"], last["problem"]["code"]) == ("error", "unauthenticated")
        assert kept_feed.command(room, {"type": "ready"})["result"]["events"] != []
    wait_until_refused(remote)
    assert token.get("/v1/players/me").code == "unauthenticated"
    assert revoke(ada, token) == 404
    with token.subscribe(room) as feed:
        assert feed.close_code() == BAD_TOKEN


def test_signing_out_everywhere_else_keeps_the_token_of_the_request(ada: Player, there: ApiClient) -> None:
    """With a named token, the guest token ends as well, in every process."""
    named, other = make(ada), make(ada)
    assert READ_INTERVAL < 2
    room = ada.open_room("morris").body["room"]
    with ada.via(there).subscribe(room) as feed, other.via(there).subscribe(room) as other_feed:
        for each in (feed, other_feed):
            each.until(lambda frame: frame["type"] == "caught_up")
        assert named.send("DELETE", "/v1/players/me/tokens").status == 204
        assert feed.close_code() == other_feed.close_code() == BAD_TOKEN
    for gone in (ada, other):
        assert gone.get("/v1/players/me").code == "unauthenticated"
        wait_until_refused(gone.via(there))
    assert named.via(there).get("/v1/players/me").status == 200
    assert [entry["current"] for entry in entries(named)] == [True]


def test_signing_out_with_the_guest_token_revokes_all_named_ones(ada: Player) -> None:
    """The guest token stays valid; it can be done again."""
    token = make(ada)
    for _ in range(2):
        assert ada.send("DELETE", "/v1/players/me/tokens").status == 204
    assert token.get("/v1/players/me").code == "unauthenticated"
    assert entries(ada) == []


def test_the_day_of_the_last_use_is_shown(ada: Player) -> None:
    """Written in the background, once per day."""
    token = make(ada)
    assert token.get("/v1/players/me").status == 200
    used = wait_for(lambda: entries(ada)[0]["used_on"])
    assert used == ada.read_room(ada.open_room("morris").body["room"]).body["server_time"][:10]


def test_a_player_has_at_most_twenty_tokens(ada: Player) -> None:
    """Revoking one makes place for another."""
    tokens = [make(ada, "read") for _ in range(20)]
    refused = ada.post("/v1/players/me/tokens", {"name": "One more", "scopes": ["read"]})
    assert (refused.status, refused.code) == (429, "too_many_tokens")
    assert revoke(ada, tokens[0]) == 204
    make(ada, "read")
    assert len(entries(ada)) == 20


@pytest.mark.parametrize(
    "body",
    [
        {"name": "x", "scopes": []},
        {"name": "x", "scopes": ["everything"]},
        {"name": "", "scopes": ["read"]},
        {"name": "\u202e", "scopes": ["read"]},
        {"name": "x" * 41, "scopes": ["read"]},
        {"name": "x", "scopes": ["read"], "expires_days": 0},
        {"name": "x", "scopes": ["read"], "player": "p-somebody"},
    ],
)
def test_invalid_requests_for_tokens_are_refused(ada: Player, body: Json) -> None:
    """With 422."""
    assert ada.post("/v1/players/me/tokens", body).status == 422


def test_forged_tokens_are_refused(ada: Player, bob: Player) -> None:
    """Another player, another id, another signature, or half of a token."""
    token = make(ada).token or ""
    kind, _, number, nickname, signature = token.split(".")
    forged = [
        f"{kind}.{bob.id}.{number}.{nickname}.{signature}",
        f"{kind}.{ada.id}.other.{nickname}.{signature}",
        f"{kind}.{ada.id}.{number}.{nickname}.{signature[:-1]}",
        f"t1.{ada.id}.{nickname}.{signature}",
        f"{kind}.{ada.id}",
        "n1....",
    ]
    for text in forged:
        assert Player(ada.client, text).get("/v1/players/me").code == "unauthenticated"


def test_a_banned_player_is_disconnected_everywhere(ada: Player, operator: Player, there: ApiClient) -> None:
    """Open sockets with 4210 and streams, with any token."""
    token = make(ada)
    assert ada.post("/v1/lobby/chat", {"text": "Buy this"}).status == 201
    with (
        follow(ada.via(there)) as guest_feed,
        follow(token) as named_feed,
        stream(ada.via(there)) as response,
    ):
        frames = read_stream(response)
        assert next(frames)[1]["type"] == "player_subscribed"
        assert operator.post(f"/v1/admin/players/{ada.id}/ban", {"on": True, "reason": "spam"}).status == 200
        assert guest_feed.close_code() == named_feed.close_code() == BANNED
        assert [frame for _, frame in frames][-1]["problem"]["code"] == "banned"
    assert token.get("/v1/players/me").code == "banned"


async def test_concurrent_requests_never_make_too_many(ada: Player) -> None:
    """The list has those that succeeded, at most twenty."""
    requests = [
        asyncio.to_thread(ada.post, "/v1/players/me/tokens", {"name": f"{number}", "scopes": ["read"]})
        for number in range(24)
    ]
    answers = await asyncio.gather(*requests)
    assert len([each for each in answers if each.status == 201]) <= 20
    assert len(entries(ada)) == len([each for each in answers if each.status == 201])
