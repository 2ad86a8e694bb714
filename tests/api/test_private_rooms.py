"""Private rooms and rooms without spectators, for every client."""

import time

import pytest

from tests.e2e.client import Player, fresh_name

SESAME, WRONG = "open sesame", "close sesame"


def private(ada: Player, **more: object) -> str:
    """Open a private room."""
    settings = {"visibility": "private", "password": SESAME, "start": "full", **more}
    room: str = ada.open_room("morris", settings=settings).body["room"]
    return room


def test_a_private_room_is_like_no_room_on_every_route(ada: Player, bob: Player, anonymous: Player) -> None:
    """The same bytes, with a token and without, as for a name that nobody has."""
    room, none = private(ada), fresh_name()
    ways = ["", "/events", "/legal-moves", "/board.svg", "/matches", "/feed", "/chat"]
    for player in (bob, anonymous):
        for way in ways:
            accept = {"accept": "text/event-stream"} if way == "/feed" else {}
            hidden, unknown = (player.get(f"/v1/rooms/{name}{way}", accept) for name in (room, none))
            assert (hidden.status, hidden.content) == (404, unknown.content), way
    code = "A" * 22
    for command in (
        *({"type": "leave"}, {"type": "join"}, {"type": "join", "password": "wrong"}, {"type": "start"}),
        *({"type": "join", "invitation": code}, {"type": "decline_invitation", "invitation": code}, {"type": "invite"}),
    ):
        for dry in ("true", "false"):
            answers = [bob.post(f"/v1/rooms/{name}/commands", command, dry_run=dry) for name in (room, none)]
            assert [answer.status for answer in answers] == [404, 404], command
            assert answers[0].content == answers[1].content
    hidden, unknown = (bob.get(f"/v1/rooms/{name}/invitations") for name in (room, none))
    assert (hidden.status, hidden.content) == (404, unknown.content)
    hidden, unknown = (bob.post(f"/v1/rooms/{name}/chat", {"text": "hello"}) for name in (room, none))
    assert (hidden.status, hidden.content) == (404, unknown.content)
    assert bob.command(room, "leave", if_match=1).code == "no_such_room"


def test_a_private_room_is_no_room_for_a_socket_either(ada: Player, bob: Player) -> None:
    """The error names the requested resource and nothing else."""
    for name in (private(ada), fresh_name()):
        with bob.subscribe(name) as feed:
            error = feed.next("error")
            assert (error["problem"]["code"], error["room"]) == ("no_such_room", name)
            reply = feed.command(name, {"type": "join", "password": "wrong"})
            assert reply["problem"]["code"] == "no_such_room"


def test_opening_a_room_with_the_name_of_a_private_one_reveals_nothing(ada: Player, bob: Player) -> None:
    """It gets another name than the requested one, the same each time that its creator repeats the request."""
    name, settings = fresh_name(), {"visibility": "private", "password": SESAME}
    opened = ada.open_room("morris", name=name, settings=settings, key="k")
    room = opened.body["room"]
    assert room.startswith(f"{name}-")
    assert len(room) == len(name) + 9
    assert opened.headers["location"] == f"/v1/rooms/{room}"
    assert opened.body["view"]["title"] == name
    assert ada.open_room("morris", name=name, settings=settings, key="k").body["room"] == room
    assert bob.open_room("morris", name=name).status == 201
    others = [bob.open_room("morris", name=name, settings=settings).body["room"] for _ in range(2)]
    assert len({room, *others}) == 3
    assert len(bob.open_room("morris", name="x" * 40, settings=settings).body["room"]) == 40
    assert bob.command(room, "join", password=SESAME).status == 200


def test_its_matches_are_its_members(ada: Player, bob: Player, cyd: Player) -> None:
    """By their ids too; the lobby never shows it."""
    room = private(ada)
    joined = bob.command(room, "join", password=SESAME)
    assert joined.status == 200
    match = joined.body["view"]["match"]["id"]
    for way in ("", "/export"):
        assert bob.get(f"/v1/matches/{match}{way}").status == 200
        assert cyd.get(f"/v1/matches/{match}{way}").code == "no_such_match"
    listed = [card["room"] for card in ada.get("/v1/rooms", limit=1000).body["rooms"]]
    assert room not in listed
    assert cyd.post(f"/v1/rooms/{room}/commands", {"type": "join", "as": "spectator", "password": SESAME}).status == 200
    assert cyd.get(f"/v1/matches/{match}").status == 200
    ada.command(room, "close")
    assert ada.get(f"/v1/matches/{match}").status == 200
    assert ada.client.guest("Dan").get(f"/v1/matches/{match}").code == "no_such_match"


def test_the_password_and_its_hash_are_in_no_response(ada: Player, bob: Player) -> None:
    """Not even the creator gets them."""
    room = private(ada)
    bob.command(room, "join", password=SESAME)
    for answer in (ada.read_room(room), ada.get(f"/v1/rooms/{room}/events", limit=1000), bob.read_room(room)):
        assert answer.status == 200
        assert b"scrypt" not in answer.content
        assert SESAME.encode() not in answer.content


def test_a_join_with_a_key_is_answered_again(ada: Player, bob: Player) -> None:
    """The password is no part of what is remembered."""
    room = private(ada)
    first = bob.command(room, "join", password=SESAME, key="k")
    again = bob.command(room, "join", password=SESAME, key="k")
    assert (first.status, again.status) == (200, 200)
    assert again.headers["idempotency-replayed"] == "true"


def test_a_removed_player_receives_nothing_more(ada: Player, bob: Player) -> None:
    """The feed of a player who was removed ends with an error."""
    room = private(ada, start="creator")
    bob.command(room, "join", password=SESAME)
    with bob.subscribe(room) as feed:
        feed.until(lambda frame: frame["type"] == "caught_up")
        ada.command(room, "kick", player=bob.id)
        error = feed.until(lambda frame: frame["type"] == "error")[-1]
        assert error["problem"]["code"] == "no_such_room"
        ada.command(room, "configure", settings={"best_of": 3})
        assert feed.is_silent()
    assert bob.read_room(room).code == "no_such_room"
    assert bob.command(room, "join", password=SESAME).code == "no_such_room"


def test_a_wrong_password_takes_as_long_as_an_unknown_room(ada: Player, bob: Player) -> None:
    """Both hash the password, so that the response time reveals little."""
    room = private(ada)
    times: dict[str, list[float]] = {room: [], fresh_name(): []}
    for _ in range(7):
        for name, took in times.items():
            start = time.perf_counter()
            assert bob.command(name, "join", password=WRONG).status == 404
            took.append(time.perf_counter() - start)
    one, other = (min(took) for took in times.values())
    assert 1 / 3 < one / other < 3


@pytest.mark.parametrize(
    ("settings", "pointer"),
    [
        ({"visibility": "private"}, "/settings/password"),
        ({"password": "sesame"}, "/settings/password"),
        ({"visibility": "private", "password": ""}, "/settings/password"),
        ({"visibility": "private", "password": "short"}, "/settings/password"),
    ],
)
def test_a_private_room_needs_a_password_and_no_other_has_one(ada: Player, settings: object, pointer: str) -> None:
    """Anything else is answered with 422, which names the field."""
    refused = ada.open_room("morris", settings=settings)
    assert (refused.status, refused.body["pointer"]) == (422, pointer)


def test_a_room_without_spectators_is_for_its_members(ada: Player, bob: Player, cyd: Player, anonymous: Player) -> None:
    """Guests read nothing of it, though the lobby shows it; they may join as players."""
    room = ada.open_room("morris", settings={"spectators": False, "start": "full"}).body["room"]
    assert room in [card["room"] for card in ada.get("/v1/rooms", limit=1000).body["rooms"]]
    for player in (cyd, anonymous):
        for way in ("", "/events", "/legal-moves", "/board.svg", "/matches", "/chat"):
            refused = player.get(f"/v1/rooms/{room}{way}")
            assert (refused.status, refused.code) == (403, "members_only"), way
    with cyd.subscribe(room) as feed:
        assert feed.next("error")["problem"]["code"] == "members_only"
    assert cyd.spectate(room).code == "no_spectators"
    match = bob.command(room, "join").body["view"]["match"]["id"]
    assert cyd.get(f"/v1/matches/{match}").code == "members_only"
    assert cyd.get(f"/v1/matches/{match}/export").code == "members_only"


def test_kicked_from_a_public_room(ada: Player, bob: Player, cyd: Player) -> None:
    """Before a match by the creator alone, later with the others' agreement; they may watch, but not join again."""
    room = ada.open_room("ternio", settings={"start": "full"}).body["room"]
    bob.command(room, "join")
    dan = ada.client.guest("Dan")
    dan.spectate(room)
    assert bob.command(room, "kick", player=dan.id).code == "not_the_creator"
    assert ada.command(room, "kick", player=dan.id).body["events"][-1]["type"] == "player_kicked"
    assert dan.command(room, "join").code == "kicked"
    assert dan.read_room(room).status == 200
    cyd.command(room, "join")
    offer = ada.command(room, "kick", player=bob.id).body["view"]["offers"][0]
    assert (offer["type"], offer["player"], offer["awaits"]) == ("kick", bob.id, [cyd.id])
    gone = cyd.command(room, "answer", offer=offer["id"], accept=True).body["view"]
    assert [seat["player"] for seat in gone["seats"]] == [ada.id, None, cyd.id]


def test_a_member_is_muted_for_all_to_see(ada: Player, bob: Player) -> None:
    """The view has a flag for it."""
    room = ada.open_room("ternio").body["room"]
    bob.command(room, "join")
    assert bob.command(room, "mute", player=ada.id, on=True).code == "not_the_creator"
    muted = ada.command(room, "mute", player=bob.id, on=True).body["view"]
    assert [player["muted"] for player in muted["players"]] == [False, True]
    assert ada.command(room, "mute", player=bob.id, on=True).code == "already_so"


def test_a_match_for_members_stays_theirs_when_the_room_is_opened(
    ada: Player, bob: Player, cyd: Player, anonymous: Player, operator: Player
) -> None:
    """The settings that applied to the match decide, and not those of the room now."""
    settings = {"spectators": False, "start": "full", "restart": None}
    room = ada.open_room("morris", settings=settings).body["room"]
    hidden = bob.command(room, "join").body["view"]["match"]["id"]
    assert bob.command(room, "resign").status == 200
    assert ada.command(room, "configure", settings={"spectators": True}).status == 200
    assert bob.command(room, "request_new").status == 200
    offer = ada.get(f"/v1/rooms/{room}").body["offers"][0]["id"]
    view = ada.command(room, "answer", offer=offer, accept=True).body["view"]
    public = view["match"]["id"]
    assert ada.command(room, "resign").status == 200
    assert bob.command(room, "leave").status == 200
    ways = ["", "/export", "/analysis", "/ratings"]
    for other in (cyd, anonymous):
        for way in ways:
            refused = other.get(f"/v1/matches/{hidden}{way}")
            assert (refused.status, refused.code) == (404, "no_such_match"), way
            assert other.get(f"/v1/matches/{public}{way}").status == 200, way
        assert [match["id"] for match in other.get(f"/v1/rooms/{room}/matches").body["matches"]] == [public]
    for reader in (ada, bob, operator):
        assert [reader.get(f"/v1/matches/{hidden}{way}").status for way in ways] == [200] * len(ways)
        assert [match["id"] for match in reader.get(f"/v1/rooms/{room}/matches").body["matches"]] == [public, hidden]


@pytest.mark.parametrize(
    ("settings", "room_refusal", "match_refusal"),
    [
        ({"spectators": False}, "members_only", "members_only"),
        ({"visibility": "private", "password": "sesame-1"}, "no_such_room", "no_such_match"),
    ],
)
def test_who_has_played_a_match_reads_it_after_leaving_the_room(
    ada: Player, bob: Player, cyd: Player, settings: dict[str, object], room_refusal: str, match_refusal: str
) -> None:
    """The match, once it has ended, and nothing else of the room."""
    room = ada.open_room("morris", settings={**settings, "restart": None}).body["room"]
    bob.command(room, "join", password=settings.get("password"))
    ada.command(room, "ready")
    match = bob.command(room, "ready").body["view"]["match"]["id"]
    assert bob.command(room, "leave").status == 200
    assert bob.get(f"/v1/matches/{match}").code == match_refusal  # it is being played
    assert ada.command(room, "resign").status == 200
    cyd.command(room, "join", password=settings.get("password"))
    ada.command(room, "ready")
    later = cyd.command(room, "ready").body["view"]["match"]["id"]
    assert later != match
    assert ada.command(room, "resign").status == 200
    for way in ("", "/export", "/analysis", "/ratings"):
        assert bob.get(f"/v1/matches/{match}{way}").status == 200, way
        assert bob.get(f"/v1/matches/{later}{way}").code == match_refusal, way
        assert ada.client.guest("Dan").get(f"/v1/matches/{match}{way}").code == match_refusal, way
    for way in ("", "/events", "/board.svg", "/matches", "/chat"):
        assert bob.get(f"/v1/rooms/{room}{way}").code == room_refusal, way
