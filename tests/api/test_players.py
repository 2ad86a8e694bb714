"""Guests: at once, without e-mail, known by a signed token."""

import pytest

from tests.e2e.client import ApiClient, Player


def test_a_program_says_that_it_is_one(anonymous: Player, client: ApiClient) -> None:
    """Its token has that too, and every room that it joins."""
    created = anonymous.post("/v1/players", {"nickname": "Deep Thought", "bot": True})
    assert created.body["player"]["bot"] is True
    program = Player(client, created.body["token"], created.body["player"]["id"])
    view = program.open_room("morris").body["view"]
    assert [(player["nickname"], player["bot"]) for player in view["players"]] == [("Deep Thought", "external")]
    assert view["seats"][0]["bot"] is None


def test_a_nickname_is_enough_to_play(anonymous: Player) -> None:
    """201 with the player and the token that speaks for them."""
    created = anonymous.post("/v1/players", {"nickname": "  Ada\u2003  Lovelace "})
    assert created.status == 201
    assert set(created.body) == {"player", "token"}
    assert set(created.body["player"]) == {"id", "nickname"}
    assert created.body["player"]["nickname"] == "Ada Lovelace"
    me = anonymous.get("/v1/players/me", {"authorization": f"bearer {created.body['token']}"})
    assert me.body == {"player": created.body["player"], "rooms": []}


@pytest.mark.parametrize(
    "nickname", ["", " ", "\u200b", "\u115f", "a\u202eb", "a\tb", "a\u0000b", "x" * 25, "\ufb01" * 13, "\u2066A\u2069"]
)
def test_a_nickname_has_1_to_24_characters_that_can_be_seen(anonymous: Player, nickname: str) -> None:
    """Counted after normalisation, in which one ligature becomes two letters."""
    refused = anonymous.post("/v1/players", {"nickname": nickname})
    assert refused.status == 422
    assert refused.code in {"bad_nickname", "unfit"}


@pytest.mark.parametrize(
    ("nickname", "words"),
    [
        ("An\u200dna", "joiner (U+200D)"),
        ("An\u200bna", "invisible"),
        ("x" * 25, "1 to 24 characters"),
        ("P\u0430ul", "scripts"),
        ("0perator", "service"),
    ],
    ids=ascii,
)
def test_a_refused_nickname_says_what_is_wrong(anonymous: Player, nickname: str, words: str) -> None:
    """In the detail, for people; the params have the reason for programs."""
    refused = anonymous.post("/v1/players", {"nickname": nickname})
    assert (refused.status, refused.code) == (422, "bad_nickname")
    assert words in refused.body["detail"]
    assert refused.body["params"]["reason"]


def test_a_nickname_of_24_characters_after_normalisation_is_accepted(anonymous: Player) -> None:
    """Twelve ligatures are normalised to 24 letters."""
    assert anonymous.post("/v1/players", {"nickname": "\ufb01" * 12}).body["player"]["nickname"] == "fi" * 12


def test_me_lists_my_rooms_and_where_it_is_my_turn(ada: Player, bob: Player) -> None:
    """The rooms are in the order in which the player entered them."""
    first, second = (
        ada.open_room("morris").body["room"],
        bob.open_room("morris", settings={"start": "full"}).body["room"],
    )
    ada.command(second, "join")
    assert [(room["room"], room["my_turn"]) for room in ada.get("/v1/players/me").body["rooms"]] == [
        (first, False),
        (second, False),
    ]
    bob.play(second, {"type": "place", "at": "a1"})
    mine = ada.get("/v1/players/me").body["rooms"][1]
    assert [player["id"] for player in mine["seated"]] == [bob.id, ada.id]
    assert (mine["room"], mine["my_turn"], mine["status"], mine["game"]) == (second, True, "playing", "morris")
    ada.command(second, "leave")
    assert [room["room"] for room in ada.get("/v1/players/me").body["rooms"]] == [first]


@pytest.mark.parametrize(
    "authorization",
    ["", "Bearer", "Bearer x", "Basic YTpi", "Bearer t1.p-x.QWRh.AAAA", "Bearer ....", "Bearer \xe4"],
)
def test_a_token_that_is_none_of_ours_is_401_even_where_none_is_needed(anonymous: Player, authorization: str) -> None:
    """A client that believes to be somebody must not silently become a spectator."""
    room = anonymous.open_room("morris", nickname="Ada").body["room"]
    header = {"authorization": authorization}
    for path in ("/v1/players/me", f"/v1/rooms/{room}", f"/v1/rooms/{room}/events"):
        refused = anonymous.send("GET", path, header)
        assert (refused.status, refused.code) == (401, "unauthenticated")
        assert refused.headers["www-authenticate"].startswith("Bearer")


def test_a_changed_token_is_no_token(ada: Player, anonymous: Player) -> None:
    """Neither another player nor another nickname can be put under a signature."""
    version, player, nickname, signature = str(ada.token).split(".")
    for forged in (
        f"{version}.{player}x.{nickname}.{signature}",
        f"{version}.{player}.Qm9i.{signature}",
        f"{version}.{player}.{nickname}.{signature[:-1]}",
        f"t2.{player}.{nickname}.{signature}",
    ):
        assert anonymous.get("/v1/players/me", {"authorization": f"Bearer {forged}"}).status == 401


def test_reading_the_caller_needs_a_token(anonymous: Player) -> None:
    """Without a token the caller is unknown."""
    assert anonymous.get("/v1/players/me").code == "unauthenticated"
