"""Opening a room: its name, its address, its seats."""

import pytest

from tests.e2e.client import Player, fresh_name, without_time_and_presence


def test_an_opened_room_is_201_with_its_address_and_its_state(ada: Player) -> None:
    """The creator is in and sits on the first seat."""
    name = fresh_name()
    opened = ada.open_room("ternio", name=name)
    assert opened.status == 201
    assert set(opened.body) == {"room", "version", "view"}
    assert opened.headers["location"] == f"/v1/rooms/{name}"
    view = opened.body["view"]
    assert opened.etag == f'"{view["epoch"]}.{opened.body["version"]}"'
    assert (view["room"], view["status"], view["creator"]) == (name, "open", ada.id)
    me = {"id": ada.id, "nickname": "Ada", "as": "player", "bot": None, "muted": False, "presence": None}
    assert view["players"] == [me]
    assert [seat["player"] for seat in view["seats"]] == [ada.id, None, None]
    assert [seat["colour"] for seat in view["seats"]] == ["red", "green", "blue"]
    assert view["match"] is None
    read = ada.get(opened.headers["location"])
    assert read.etag == opened.etag
    assert read.headers["cache-control"] == "private, no-cache"
    assert without_time_and_presence(read.body) == without_time_and_presence(view)


def test_case_and_spaces_of_a_name_are_folded_and_the_title_keeps_them(ada: Player) -> None:
    """`Friday Night` is `friday-night`, however it is spelled in an address."""
    name = fresh_name()
    opened = ada.open_room("morris", name=f"  Frid\u00e0y   Night {name.upper()} ")
    assert opened.body["room"] == f"friday-night-{name}"
    assert opened.body["view"]["title"] == f"Frid\u00e0y Night {name.upper()}"
    for spelling in (f"friday-night-{name}", f"FRIDAY-Night-{name}", f"Friday%20Night%20{name}"):
        assert ada.read_room(spelling).body["room"] == f"friday-night-{name}"


def test_a_name_that_a_live_room_has_is_taken_however_it_is_spelled(ada: Player, bob: Player) -> None:
    """409, and the room does not change."""
    name = fresh_name()
    ada.open_room("morris", name=name)
    taken = bob.open_room("ternio", name=name.upper().replace("-", " "))
    assert (taken.status, taken.code) == (409, "name_taken")
    assert bob.read_room(name).body["game"] == "morris"


@pytest.mark.parametrize("name", ["", "ab", "a" * 41, "fri/day", "fri_day", "\u0444\u0440\u0438\u0434\u0430\u0439"])
def test_a_name_has_3_to_40_letters_digits_hyphens_or_spaces(ada: Player, name: str) -> None:
    """Any other name is answered with 422."""
    assert ada.open_room("morris", name=name).status == 422


def test_a_room_without_a_requested_name_gets_one(ada: Player) -> None:
    """Different ones for different rooms, and of the same form."""
    names = {ada.post("/v1/rooms", {"game": "morris"}).body["room"] for _ in range(5)}
    assert len(names) == 5
    assert all(ada.read_room(name).status == 200 for name in names)


def test_a_stranger_who_opens_a_room_becomes_a_guest(anonymous: Player) -> None:
    """The request has the nickname, and the response has a new token."""
    opened = anonymous.open_room("morris", nickname="Ada")
    token = opened.body["token"]
    me = anonymous.get("/v1/players/me", {"authorization": f"Bearer {token}"}).body
    assert me["player"]["nickname"] == "Ada"
    assert me["player"]["id"] == opened.body["view"]["creator"]
    assert [room["room"] for room in me["rooms"]] == [opened.body["room"]]
    nameless = anonymous.open_room("morris")
    assert (nameless.status, nameless.body["pointer"]) == (422, "/nickname")


def test_the_requested_seats_are_taken_at_once(ada: Player) -> None:
    """`me` sits, null stays free; the number must be the game's."""
    view = ada.open_room("ternio", seats=[None, "me", None]).body["view"]
    assert [seat["player"] for seat in view["seats"]] == [None, ada.id, None]
    nobody = ada.open_room("ternio", seats=[None, None, None]).body["view"]
    assert [seat["player"] for seat in nobody["seats"]] == [None, None, None]
    for seats in ([], ["me"], ["me", None], ["me", None, None, None], ["you", None, None], "me"):
        assert ada.open_room("ternio", seats=seats).status == 422
    assert ada.open_room("ternio", seats=["me", "me", None]).body["pointer"] == "/seats"


def test_a_hot_seat_room_with_all_seats_mine_plays_from_the_first_moment(ada: Player) -> None:
    """One request opens it; a move names its seat only where more than one of them is to move."""
    opened = ada.open_room("morris", seats=["me", "me"], settings={"hot_seat": True})
    room = opened.body["room"]
    assert opened.body["view"]["status"] == "playing"
    assert ada.play(room, {"type": "place", "at": "a1"}).status == 200
    assert ada.play(room, {"type": "place", "at": "a4"}).status == 200
    assert ada.play(room, {"type": "place", "at": "d1"}, seat=1).code == "not_your_turn"
    assert ada.play(room, {"type": "place", "at": "d1"}, seat=0).status == 200


def test_the_seat_is_required_if_several_seats_of_the_caller_are_to_move(ada: Player, bob: Player) -> None:
    """Without it the response is 422 `seat_required`; another player's seat is 403."""
    room = ada.open_room("turncoat", seats=["me", "me"], settings={"hot_seat": True}).body["room"]
    move = ada.get(f"/v1/rooms/{room}/legal-moves", seat=0).body["legal_moves"][0]
    refused = ada.play(room, move)
    assert (refused.status, refused.code) == (422, "seat_required")
    assert ada.play(room, move, seat=1).body["events"][0]["at"] == move["at"]
    assert ada.play(room, move, seat=2).status == 403
    bob.spectate(room)
    assert bob.play(room, move, seat=1).status == 403


def test_options_and_settings_have_their_defaults_and_are_shown_in_full(ada: Player) -> None:
    """The view also has the settings that the request omits."""
    view = ada.open_room("turncoat", options={"round_limit": 5}, settings={"restart": None}).body["view"]
    assert view["options"] == {"selectable": "any", "round_limit": 5, "at_limit": "draw", "start": "random"}
    assert view["settings"]["restart"] is None
    assert view["settings"]["start"] == "ready"
    assert view["settings"]["hot_seat"] is False


@pytest.mark.parametrize(
    ("fields", "pointer"),
    [
        ({"game": "chess"}, "/game"),
        ({"options": {"round_limit": "5"}}, "/options/round_limit"),
        ({"options": {"rounds": 5}}, "/options/rounds"),
        ({"settings": {"restart": -1}}, "/settings/restart"),
        ({"settings": {"start": "now"}}, "/settings/start"),
        ({"settings": {"clocks": 1}}, "/settings/clocks"),
        ({"surprise": 1}, "/surprise"),
    ],
)
def test_an_invalid_room_is_422_with_the_place(ada: Player, fields: dict[str, object], pointer: str) -> None:
    """The pointer names the field, known or not."""
    refused = ada.post("/v1/rooms", {"game": "turncoat", **fields})
    assert refused.status == 422
    assert refused.body.get("pointer", "") == pointer


def test_opening_again_under_the_same_key_gives_the_same_room(ada: Player, bob: Player) -> None:
    """Also without a name, and after the room went on; another body is 422, another player another room."""
    body = {"game": "morris", "settings": {"start": "full"}}
    first = ada.post("/v1/rooms", body, {"idempotency-key": "open"})
    room = first.body["room"]
    bob.command(room, "join")
    again = ada.post("/v1/rooms", dict(reversed(body.items())), {"idempotency-key": "open"})
    assert again.status == 201
    assert again.headers["idempotency-replayed"] == "true"
    assert again.headers["location"] == first.headers["location"]
    assert again.body["version"] == first.body["version"]
    assert again.body["view"]["status"] == "open"
    assert ada.post("/v1/rooms", {"game": "ternio"}, {"idempotency-key": "open"}).code == "key_reused"
    assert bob.post("/v1/rooms", body, {"idempotency-key": "open"}).body["room"] != room


def test_opening_again_under_the_same_key_finds_the_room_by_its_name_too(ada: Player) -> None:
    """The name does not count as taken."""
    name = fresh_name()
    first = ada.open_room("morris", key="open", name=name)
    again = ada.open_room("morris", key="open", name=name)
    assert (again.status, again.body["version"]) == (201, first.body["version"])
    assert ada.open_room("morris", key="open", name=f"{name}-b").code == "key_reused"


def test_the_lobby_shows_public_rooms_and_an_unlisted_one_is_found_by_name_only(ada: Player) -> None:
    """Newest first, by page, by game and by status."""
    names = [ada.open_room("rainbow").body["room"] for _ in range(3)]
    hidden = ada.open_room("rainbow", settings={"visibility": "unlisted"}).body["room"]
    assert ada.read_room(hidden).status == 200
    seen: list[str] = []
    query: dict[str, str | int] = {"game": "rainbow", "status": "open", "limit": 2}
    while page := ada.get("/v1/rooms", **query).body:
        seen += [card["room"] for card in page["rooms"]]
        if page["next"] is None:
            break
        query["cursor"] = page["next"]
    assert [room for room in seen if room in names] == names[::-1]
    assert hidden not in seen
    assert len(set(seen)) == len(seen)
    assert ada.get("/v1/rooms", game="chess").status == 422
    assert ada.get("/v1/rooms", cursor="nonsense").status == 422
