"""The lobby of seats: rooms in which somebody waits for players, and matches to watch."""

from tests.e2e.client import Feed, Json, Player, open_shared_socket


def listed(player: Player, **query: str) -> dict[str, Json]:
    """Return the lobby's entries by room, from all pages."""
    found: dict[str, Json] = {}
    page = player.get("/v1/rooms", limit=1000, **query).body
    while page is not None:
        found |= {entry["room"]: entry for entry in page["rooms"]}
        page = player.get("/v1/rooms", limit=1000, cursor=page["next"], **query).body if page["next"] else None
    return found


def test_rooms_to_join_and_matches_to_watch_are_apart(ada: Player, bob: Player, anonymous: Player) -> None:
    """A full room is no room to join, a waiting one no match to watch; without parameters all are listed."""
    clock = {"type": "per_move", "ms": 60_000}
    waiting = ada.open_room("ternio", settings={"clock": clock, "rated": True}).body["room"]
    playing = ada.open_room("morris", settings={"start": "full"}).body["room"]
    assert bob.command(playing, "join").status == 200
    hidden = ada.open_room("morris", seats=["me", {"bot": "easy"}], settings={"spectators": False}).body["room"]
    rooms = {waiting, playing, hidden}
    joinable = listed(anonymous, joinable="true")
    assert rooms & joinable.keys() == {waiting}
    assert rooms & listed(anonymous, live="true").keys() == {playing}
    assert rooms & listed(anonymous).keys() == rooms
    assert not listed(anonymous, joinable="true", live="true").keys() & rooms
    entry = joinable[waiting]
    assert (entry["clock"], entry["rated"], entry["spectators"], entry["abandoned_at"]) == (clock, True, True, None)
    assert anonymous.get("/v1/rooms", joinable="yes").body["parameter"] == "joinable"


def test_others_cannot_join_a_rated_match(ada: Player, bob: Player, anonymous: Player) -> None:
    """Although a seat is free, which its player may take again."""
    clock = {"type": "days", "days": 1}
    room = ada.open_room("morris", settings={"clock": clock, "rated": True, "start": "full"}).body["room"]
    bob.command(room, "join")
    bob.command(room, "leave_seat")
    assert room not in listed(anonymous, joinable="true")
    assert room in listed(anonymous, live="true")


def test_the_feed_of_joinable_rooms_has_no_others(ada: Player, bob: Player) -> None:
    """A room is removed when its last seat is taken, and comes back when a seat is free."""
    with open_shared_socket(bob.client.url) as lobby:
        lobby.send(type="subscribe", lobby=True, joinable=True)
        lobby.next("lobby")
        room = ada.open_room("morris").body["room"]
        assert room in changed_in(lobby, "upsert", room)
        bob.command(room, "join")
        assert room in changed_in(lobby, "remove", room)
        assert room not in listed(bob, joinable="true")
        bob.command(room, "leave")
        assert room in changed_in(lobby, "upsert", room)


def changed_in(lobby: Feed, how: str, room: str) -> set[str]:
    """Return the rooms of the next frame that adds or removes this room."""
    while True:
        found = {each["room"] for each in lobby.next("lobby").get(how, [])}
        if room in found:
            return found


def test_a_room_says_when_everybody_who_waited_has_left(ada: Player, bob: Player) -> None:
    """On the lobby's feed, some seconds after their last connection; it is not closed."""
    room = ada.open_room("ternio").body["room"]
    with open_shared_socket(bob.client.url) as lobby:
        lobby.send(type="subscribe", lobby=True)
        lobby.next("lobby")
        with ada.subscribe(room) as feed:
            feed.until(lambda frame: frame["type"] == "caught_up")
        entry: Json = {}
        while not entry.get("abandoned_at"):
            changed = lobby.next("lobby").get("upsert", [])
            entry = next((each for each in changed if each["room"] == room), entry)
        assert entry["status"] == "open"
        with ada.subscribe(room):
            while entry.get("abandoned_at"):
                changed = lobby.next("lobby").get("upsert", [])
                entry = next((each for each in changed if each["room"] == room), entry)
    assert room in listed(bob, joinable="true")
