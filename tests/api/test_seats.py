"""Coming, sitting down, changing seats and going."""

from tests.e2e.client import Player


def holders(player: Player, room: str) -> list[str | None]:
    """Return who holds each seat."""
    return [seat["player"] for seat in player.read_room(room).body["seats"]]


def test_a_player_gets_the_lowest_free_seat_or_the_requested_one(ada: Player, bob: Player, cyd: Player) -> None:
    """A full room can be joined as a spectator only."""
    room = ada.open_room("ternio").body["room"]
    assert cyd.command(room, "join", seat=2).status == 200
    assert [event["type"] for event in bob.command(room, "join").body["events"]] == ["player_joined", "seat_taken"]
    assert holders(ada, room) == [ada.id, bob.id, cyd.id]
    dan = ada.client.guest("Dan")
    assert dan.command(room, "join").code == "room_full"
    assert dan.command(room, "join", seat=1).code == "seat_taken"
    assert dan.command(room, "join", seat=3).status == 422
    watching = dan.spectate(room)
    last = watching.body["view"]["players"][-1]
    assert (last["id"], last["nickname"], last["as"]) == (dan.id, "Dan", "spectator")
    assert dan.command(room, "join").code == "already_joined"


def test_look_alike_nicknames_do_not_sit_together(ada: Player, bob: Player) -> None:
    """Another one can be set for the room."""
    room = ada.open_room("ternio", nickname="B0b").body["room"]
    refused = bob.command(room, "join")
    assert (refused.status, refused.code) == (409, "nickname_taken")
    joined = bob.command(room, "join", nickname="Robert")
    assert joined.body["view"]["players"][-1]["nickname"] == "Robert"


def test_a_player_changes_seats_before_a_match_and_a_spectator_sits_down(ada: Player, bob: Player) -> None:
    """`take_seat` leaves the old seat; a player has one seat without `hot_seat`."""
    room = ada.open_room("ternio").body["room"]
    bob.spectate(room)
    assert ada.command(room, "take_seat", seat=2).status == 200
    assert bob.command(room, "take_seat", seat=2).code == "seat_taken"
    assert bob.command(room, "take_seat", seat=0).status == 200
    assert holders(ada, room) == [bob.id, None, ada.id]
    assert bob.command(room, "leave_seat").status == 200
    assert bob.command(room, "leave_seat").code == "not_seated"
    assert bob.command(room, "ready").code == "not_seated"
    assert holders(ada, room) == [None, None, ada.id]


def test_the_creator_assigns_the_seats_and_so_the_turn_order(ada: Player, bob: Player, cyd: Player) -> None:
    """Between matches, each member at most once, spectators not at all."""
    room = ada.open_room("ternio", settings={"start": "creator"}).body["room"]
    bob.command(room, "join")
    cyd.spectate(room)
    assert bob.command(room, "assign_seats", seats=[bob.id, ada.id, None]).code == "not_the_creator"
    assert ada.command(room, "assign_seats", seats=[bob.id, ada.id]).code == "seats_count"
    assert ada.command(room, "assign_seats", seats=[bob.id, bob.id, None]).code == "already_seated"
    assert ada.command(room, "assign_seats", seats=[bob.id, "p-nobody", None]).code == "no_such_player"
    assert ada.command(room, "assign_seats", seats=[cyd.id, bob.id, None]).code == "is_spectator"
    assert ada.command(room, "assign_seats", seats=[bob.id, None, ada.id]).status == 200
    assert holders(ada, room) == [bob.id, None, ada.id]
    cyd.command(room, "take_seat", seat=1)
    started = ada.command(room, "start").body["view"]
    assert (started["status"], started["match"]["to_move"]) == ("playing", [0])
    assert ada.command(room, "assign_seats", seats=[ada.id, bob.id, cyd.id]).code == "match_running"
    move = bob.read_room(room).body["match"]["legal_moves"][0]
    assert ada.play(room, move).code == "not_your_turn"
    assert bob.play(room, move).status == 200


def test_knowledge_belongs_to_a_seat_and_not_to_its_former_holder(ada: Player, bob: Player, cyd: Player) -> None:
    """A new holder sees the seat's selection at once; the former one is a spectator at once, at every version."""
    room = ada.open_room("turncoat", settings={"start": "full"}).body["room"]
    view = bob.command(room, "join").body["view"]
    move = next(move for move in view["match"]["legal_moves"] if move["type"] == "select")
    version = bob.play(room, move).body["version"]
    cyd.spectate(room)
    bob.command(room, "leave_seat")
    for reader in (bob, cyd):
        assert reader.read_room(room).body["match"]["state"]["own_selection"] is None
        assert reader.read_room(room, at=version).body["match"]["state"]["own_selection"] is None
    cyd.command(room, "take_seat", seat=1)
    assert cyd.read_room(room).body["match"]["state"]["own_selection"] == move["at"]
    assert cyd.read_room(room, at=version).body["match"]["state"]["own_selection"] == move["at"]
    assert bob.read_room(room, at=version).body["match"]["state"]["own_selection"] is None
    events = {player: player.get(f"/v1/rooms/{room}/events", since=version - 1, limit=1) for player in (bob, cyd)}
    assert events[cyd].body["events"][0]["at"] == move["at"]
    assert "at" not in events[bob].body["events"][0]
