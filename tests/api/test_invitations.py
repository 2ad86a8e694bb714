"""Invitations over HTTP and sockets: who makes, reads, accepts and declines them, and what nobody learns by them."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from tests.e2e.client import ApiClient, Json, Player, Response, fresh_name

SECRET = {"visibility": "private", "password": "open sesame", "start": "creator"}
SPECTATOR: Json = {"as": "spectator"}
EVE: Json = {"nickname": "Eve"}


def private(ada: Player, game: str = "ternio", **settings: object) -> str:
    """Open a private room; its name is its title, too."""
    room: str = ada.open_room(game, settings={**SECRET, **settings}).body["room"]
    return room


def invite(player: Player, room: str, **fields: Any) -> str:
    """Make an invitation and return its code."""
    made = player.command(room, "invite", **fields)
    assert made.status == 200, made.body
    code: str = made.body["invitation"]["code"]
    return code


def accept(player: Player, code: str, fields: Json | None = None, key: str | None = None) -> Response:
    """Join by an invitation."""
    return player.post(f"/v1/invitations/{code}", fields or {}, {"idempotency-key": key} if key else None)


def test_its_maker_receives_the_code_and_nobody_else(ada: Player, bob: Player, anonymous: Player) -> None:
    """The event shows that there is an invitation, without its code, its hash and what it was derived from."""
    room = ada.open_room("ternio", settings={"start": "creator"}).body["room"]
    bob.command(room, "join")
    with bob.subscribe(room) as feed:
        feed.until(lambda frame: frame["type"] == "caught_up")
        made = ada.command(room, "invite", uses=3, expires_ms=60_000)
        [received] = feed.update()["events"]
    assert len(made.body["invitation"]["code"]) == 22
    [event] = made.body["events"]
    assert event == received
    shown = {"type", "version", "time", "by", "invitation", "player", "uses", "expires_ms"}
    assert set(event) == shown
    assert (event["invitation"], event["uses"], event["expires_ms"]) == (1, 3, 60_000)
    for reader in (ada, bob, anonymous):
        page = reader.get(f"/v1/rooms/{room}/events", limit=1000)
        assert made.body["invitation"]["code"].encode() not in page.content
        assert [set(each) for each in page.body["events"] if each["type"] == "invitation_made"] == [shown]


def test_a_repeated_command_is_answered_with_the_same_code(ada: Player) -> None:
    """By HTTP and by a socket; a dry run makes none."""
    room = ada.open_room("ternio").body["room"]
    first, again = (ada.command(room, "invite", key="k") for _ in range(2))
    assert first.body["invitation"] == again.body["invitation"]
    assert again.headers["idempotency-replayed"] == "true"
    minimal = ada.post(
        f"/v1/rooms/{room}/commands", {"type": "invite"}, {"idempotency-key": "k", "prefer": "return=minimal"}
    )
    assert minimal.body["invitation"] == first.body["invitation"]
    with ada.subscribe(room) as feed:
        over_socket = feed.command(room, {"type": "invite"}, key="k")
        other = feed.command(room, {"type": "invite"})
    assert over_socket["result"]["invitation"] == first.body["invitation"]
    assert other["result"]["invitation"]["code"] != first.body["invitation"]["code"]
    tried = ada.command(room, "invite", dry_run=True)
    assert (tried.status, "invitation" in tried.body) == (200, False)


def test_reading_it_uses_nothing_up(ada: Player, bob: Player, anonymous: Player) -> None:
    """However often a messenger fetches the link."""
    room = ada.open_room("ternio", settings={"clock": {"type": "per_move", "ms": 5000}}).body["room"]
    code = invite(ada, room)
    for reader in (anonymous, bob) * 3:
        assert reader.get(f"/v1/invitations/{code}").status == 200
        assert anonymous.get(f"/i/{code}").status == 200
    view = bob.get(f"/v1/invitations/{code}").body
    assert (view["host"], view["game"], view["title"], view["room"]) == ("Ada", "ternio", "Ternio", room)
    assert (view["seats"], view["seats_free"], view["seat"], view["uses_left"]) == (3, 2, None, 1)
    assert view["settings"]["clock"] == {"type": "per_move", "ms": 5000}
    assert accept(bob, code).status == 200
    assert accept(anonymous, code, EVE).body["params"] == {"reason": "used_up"}


def test_it_admits_to_a_private_room_without_its_password(ada: Player, bob: Player, anonymous: Player) -> None:
    """A guest gets a token; the reply is that of a command, with the room's name."""
    room = private(ada)
    code = invite(ada, room, uses=2)
    joined = accept(bob, code)
    assert set(joined.body) == {"room", "version", "events", "view"}
    assert joined.etag == f'"{joined.body["view"]["epoch"]}.{joined.body["version"]}"'
    assert joined.body["room"] == room
    assert joined.body["events"][0]["invitation"] == 1
    assert bob.read_room(room).status == 200
    assert accept(anonymous, code).body["pointer"] == "/nickname"
    guest = accept(anonymous, code, EVE | SPECTATOR)
    eve = Player(ada.client, guest.body["token"])
    assert [player["nickname"] for player in eve.read_room(room).body["players"]] == ["Ada", "Bob", "Eve"]


def test_the_command_join_takes_a_code_too(ada: Player, bob: Player) -> None:
    """For clients that know the room."""
    room = private(ada)
    code = invite(ada, room)
    assert bob.command(room, "join", invitation=code[:-1] + "!").code == "no_such_room"
    assert bob.command(room, "join", invitation=code).status == 200


def contents(player: Player, code: str) -> list[bytes]:
    """Return all bytes, headers included, of what somebody with a code can read without joining."""
    requests: list[tuple[str, str, Json | None]] = [
        ("GET", f"/v1/invitations/{code}", None),
        ("GET", f"/i/{code}", None),
        ("HEAD", f"/i/{code}", None),
        ("POST", f"/v1/invitations/{code}", {"as": "player", "seat": 0}),
        ("POST", f"/v1/invitations/{code}", {"seat": 9}),
        ("POST", f"/v1/invitations/{code}", {"nickname": "\u202e"}),
        ("POST", f"/v1/invitations/{code}", {"nickname": "Ada"}),
        ("POST", f"/v1/invitations/{code}/decline", {}),
        ("POST", f"/v1/invitations/{code}/decline", {}),
    ]
    answers = [player.send(method, path, json=body) for method, path, body in requests]
    return [str(dict(answer.headers)).encode() + answer.content for answer in answers]


def test_the_name_of_a_private_room_is_in_no_answer(ada: Player, bob: Player) -> None:
    """Neither its name nor its title, in no byte and no header, open or ended; members see the name."""
    name = fresh_name()
    opened = ada.open_room("ternio", name=f"{name} Night", settings=SECRET).body
    room, epoch = opened["room"], opened["view"]["epoch"]
    code = invite(ada, room, uses=5)
    assert bob.get(f"/v1/invitations/{code}").body["room"] is None
    assert ada.get(f"/v1/invitations/{code}").body["room"] == room
    found = contents(bob, code)
    ada.command(room, "revoke_invitation", invitation=1)
    found += contents(bob, code)
    found += contents(bob, invite(ada, room))
    ada.command(room, "close")
    found += contents(bob, code)
    for answer in found:
        assert name.encode() not in answer.lower()
        assert epoch.encode() not in answer


def test_a_kicked_player_is_refused(ada: Player, bob: Player) -> None:
    """In public and in private rooms."""
    for room in (private(ada), ada.open_room("ternio", settings={"start": "creator"}).body["room"]):
        code = invite(ada, room, uses=5)
        assert accept(bob, code).status == 200
        ada.command(room, "kick", player=bob.id)
        refused = accept(bob, code)
        assert (refused.status, refused.code) == (403, "kicked")


def test_a_member_who_joins_again_uses_nothing_up(ada: Player, bob: Player, cyd: Player) -> None:
    """They are refused as by `join`."""
    room = private(ada)
    code = invite(ada, room, uses=2)
    assert accept(bob, code).status == 200
    for member in (ada, bob):
        assert accept(member, code).code == "already_joined"
    assert bob.get(f"/v1/invitations/{code}").body["uses_left"] == 1
    assert accept(cyd, code).status == 200


def test_a_repeated_acceptance_is_answered_again(ada: Player, bob: Player, anonymous: Player) -> None:
    """Even when that was the last use; a new guest can send no key."""
    code = invite(ada, private(ada))
    first, again = (accept(bob, code, key="k") for _ in range(2))
    assert (first.status, again.status) == (200, 200)
    assert again.body["version"] == first.body["version"]
    assert again.headers["idempotency-replayed"] == "true"
    refused = accept(anonymous, code, EVE, key="k")
    assert refused.code in {"key_not_supported", "invitation_ended"}
    other = invite(ada, private(ada))
    assert accept(anonymous, other, EVE, key="k").code == "key_not_supported"


def test_a_decline_is_shown_to_the_host(ada: Player, bob: Player, anonymous: Player) -> None:
    """On the feed, with the nickname; a player who declined may still come."""
    room = private(ada)
    code = invite(ada, room)
    with ada.subscribe(room) as feed:
        feed.until(lambda frame: frame["type"] == "caught_up")
        assert bob.post(f"/v1/invitations/{code}/decline", {"nickname": "Robert"}).body == {"invitation": 1}
        [declined] = feed.update()["events"]
        assert (declined["type"], declined["invitation"]) == ("invitation_declined", 1)
        assert (declined["player"], declined["nickname"]) == (bob.id, "Robert")
        assert anonymous.post(f"/v1/invitations/{code}/decline", {}).body["pointer"] == "/nickname"
        assert anonymous.post(f"/v1/invitations/{code}/decline", {"nickname": "Eve"}).status == 200
        assert feed.update()["events"][0]["nickname"] == "Eve"
    assert bob.post(f"/v1/invitations/{code}/decline", {}).code == "already_declined"
    assert ada.get(f"/v1/rooms/{room}/invitations").body["invitations"][0]["declined"] == 2
    assert accept(bob, code).status == 200


def test_the_list_shows_each_member_their_own_codes(ada: Player, bob: Player, cyd: Player) -> None:
    """The creator sees all invitations, but only the codes of their own; those who are not members see none."""
    room = ada.open_room("ternio", settings={"start": "creator"}).body["room"]
    bob.command(room, "join")
    codes = [invite(ada, room), invite(bob, room, uses=3), invite(bob, room, seat=2)]

    def listed(player: Player) -> list[Json]:
        found: list[Json] = player.get(f"/v1/rooms/{room}/invitations").body["invitations"]
        return found

    assert [(each["invitation"], each["code"]) for each in listed(ada)] == [(1, codes[0]), (2, None), (3, None)]
    assert [(each["invitation"], each["code"]) for each in listed(bob)] == [(2, codes[1]), (3, codes[2])]
    assert [each["seat"] for each in listed(bob)] == [None, 2]
    refused = cyd.get(f"/v1/rooms/{room}/invitations")
    assert (refused.status, refused.code) == (403, "not_a_member")
    assert cyd.command(room, "revoke_invitation", invitation=2).code == "not_a_member"
    assert ada.command(room, "revoke_invitation", invitation=2).status == 200
    assert accept(cyd, codes[1]).body["params"] == {"reason": "revoked"}
    ended = {each["invitation"]: (each["ended"], each["code"]) for each in listed(bob)}
    assert ended == {2: ("revoked", None), 3: (None, codes[2])}
    accept(cyd, codes[2])
    assert [each["ended"] for each in listed(bob)] == ["revoked", "used_up"]


@pytest.mark.parametrize("command", ["close", "leave"])
def test_a_closed_room_admits_nobody(ada: Player, bob: Player, command: str) -> None:
    """Nor does another room that is opened with its name."""
    room = ada.open_room("ternio").body["room"]
    code = invite(ada, room)
    ada.command(room, command)
    ada.open_room("ternio", name=room)
    for refused in (bob.get(f"/v1/invitations/{code}"), accept(bob, code)):
        assert (refused.status, refused.code) == (410, "invitation_ended")
        assert refused.body["params"]["reason"] in {"room_closed", "revoked"}


def test_one_use_admits_one_of_many_at_once(ada: Player, client: ApiClient) -> None:
    """Of twenty who join at the same time."""
    code = invite(ada, ada.open_room("ternio", settings={"start": "creator"}).body["room"])
    guests = [client.guest(f"Guest {number}") for number in range(20)]
    with ThreadPoolExecutor(20) as threads:
        answers = list(threads.map(lambda guest: accept(guest, code, SPECTATOR), guests))
    assert sorted(answer.status for answer in answers) == [200] + [410] * 19
    assert {answer.body["params"]["reason"] for answer in answers if answer.status == 410} == {"used_up"}


def test_few_are_open_at_a_time(ada: Player) -> None:
    """Twenty; a revoked one makes room."""
    room = ada.open_room("ternio").body["room"]
    for _ in range(20):
        invite(ada, room)
    refused = ada.command(room, "invite")
    assert (refused.status, refused.code, refused.body["params"]) == (409, "too_many_invitations", {"most": 20})
    ada.command(room, "revoke_invitation", invitation=7)
    invite(ada, room)


HOSTILE = [
    "x",
    "A" * 21,
    "A" * 23,
    "A" * 4000,
    "AAAAAAAAAAAAAAAAAAAAA=",
    "AAAAAAAAAAAAAAAAAAAA%0a",
    "AAAAAAAAAAAAAAAAAAAAA%00",
    "%F0%9F%A6%8A" * 22,
    "%D0%B0" * 22,
    "%FF%FE",
    "..",
    "%2e%2e",
    "*",
    "%7Bp00%7D:invitation:*",
    "%22%3E%3Cscript%3Ealert(1)%3C/script%3E",
    "' OR 1=1 --",
]


@pytest.mark.parametrize("code", HOSTILE)
def test_any_other_text_is_no_code(client: ApiClient, bob: Player, code: str) -> None:
    """404 or 400 for every one; nothing of it is in the page."""
    bob = client.guest("Bob")
    for answer in (bob.get(f"/v1/invitations/{code}"), accept(bob, code)):
        assert answer.status in {400, 404, 405}, answer.content
    page = bob.get(f"/i/{code}")
    assert page.status in {200, 400, 404}
    assert b"script>alert" not in page.content
    assert b"og:" not in page.content


@pytest.mark.parametrize(
    "fields",
    [
        {"uses": 0},
        {"uses": 101},
        {"uses": "1"},
        {"expires_ms": 59_999},
        {"expires_ms": 31 * 86_400_000},
        {"seat": 9},
        {"seat": 1, "uses": 2},
        {"code": "mine"},
    ],
)
def test_what_no_invitation_can_be(ada: Player, fields: dict[str, Any]) -> None:
    """422 for each."""
    room = ada.open_room("ternio").body["room"]
    assert ada.command(room, "invite", **fields).status == 422
