"""Coming, sitting down, changing seats and going."""

from tests.e2e.client import Player


def holders(player: Player, room: str) -> list[str | None]:
    """Return who holds each seat."""
    return [seat["player"] for seat in player.sees(room).body["seats"]]


def test_a_player_gets_the_lowest_free_seat_or_the_one_asked_for(ada: Player, bob: Player, cyd: Player) -> None:
    """A full room takes spectators only."""
    room = ada.opens("ternio").body["room"]
    assert cyd.asks(room, "join", seat=2).status == 200
    assert [event["type"] for event in bob.asks(room, "join").body["events"]] == ["player_joined", "seat_taken"]
    assert holders(ada, room) == [ada.id, bob.id, cyd.id]
    dan = ada.door.guest("Dan")
    assert dan.asks(room, "join").code == "room_full"
    assert dan.asks(room, "join", seat=1).code == "seat_taken"
    assert dan.asks(room, "join", seat=3).status == 422
    watching = dan.watches(room)
    last = watching.body["view"]["players"][-1]
    assert (last["id"], last["nickname"], last["as"]) == (dan.id, "Dan", "spectator")
    assert dan.asks(room, "join").code == "already_joined"


def test_look_alike_nicknames_do_not_sit_together(ada: Player, bob: Player) -> None:
    """Another one can be set for the room."""
    room = ada.opens("ternio", nickname="B0b").body["room"]
    refused = bob.asks(room, "join")
    assert (refused.status, refused.code) == (409, "nickname_taken")
    joined = bob.asks(room, "join", nickname="Robert")
    assert joined.body["view"]["players"][-1]["nickname"] == "Robert"


def test_a_player_changes_seats_before_a_match_and_a_spectator_sits_down(ada: Player, bob: Player) -> None:
    """`take_seat` leaves the old seat; nobody holds two without `hot_seat`."""
    room = ada.opens("ternio").body["room"]
    bob.watches(room)
    assert ada.asks(room, "take_seat", seat=2).status == 200
    assert bob.asks(room, "take_seat", seat=2).code == "seat_taken"
    assert bob.asks(room, "take_seat", seat=0).status == 200
    assert holders(ada, room) == [bob.id, None, ada.id]
    assert bob.asks(room, "leave_seat").status == 200
    assert bob.asks(room, "leave_seat").code == "not_seated"
    assert bob.asks(room, "ready").code == "not_seated"
    assert holders(ada, room) == [None, None, ada.id]


def test_the_creator_assigns_the_seats_and_so_the_turn_order(ada: Player, bob: Player, cyd: Player) -> None:
    """Between matches, each member at most once, spectators not at all."""
    room = ada.opens("ternio", settings={"start": "creator"}).body["room"]
    bob.asks(room, "join")
    cyd.watches(room)
    assert bob.asks(room, "assign_seats", seats=[bob.id, ada.id, None]).code == "not_the_creator"
    assert ada.asks(room, "assign_seats", seats=[bob.id, ada.id]).code == "seats_count"
    assert ada.asks(room, "assign_seats", seats=[bob.id, bob.id, None]).code == "already_seated"
    assert ada.asks(room, "assign_seats", seats=[bob.id, "p-nobody", None]).code == "no_such_player"
    assert ada.asks(room, "assign_seats", seats=[cyd.id, bob.id, None]).code == "is_spectator"
    assert ada.asks(room, "assign_seats", seats=[bob.id, None, ada.id]).status == 200
    assert holders(ada, room) == [bob.id, None, ada.id]
    cyd.asks(room, "take_seat", seat=1)
    started = ada.asks(room, "start").body["view"]
    assert (started["status"], started["match"]["to_move"]) == ("playing", [0])
    assert ada.asks(room, "assign_seats", seats=[ada.id, bob.id, cyd.id]).code == "match_running"
    move = bob.sees(room).body["match"]["legal_moves"][0]
    assert ada.plays(room, move).code == "not_your_turn"
    assert bob.plays(room, move).status == 200


def test_who_takes_over_a_seat_inherits_what_it_knows_and_the_old_holder_forgets(
    ada: Player, bob: Player, cyd: Player
) -> None:
    """A new holder sees the seat's selection at once; the old one is a spectator at once, at every version."""
    room = ada.opens("turncoat", settings={"start": "full"}).body["room"]
    view = bob.asks(room, "join").body["view"]
    move = next(move for move in view["match"]["legal_moves"] if move["type"] == "select")
    version = bob.plays(room, move).body["version"]
    cyd.watches(room)
    bob.asks(room, "leave_seat")
    for reader in (bob, cyd):
        assert reader.sees(room).body["match"]["state"]["own_selection"] is None
        assert reader.sees(room, at=version).body["match"]["state"]["own_selection"] is None
    cyd.asks(room, "take_seat", seat=1)
    assert cyd.sees(room).body["match"]["state"]["own_selection"] == move["at"]
    assert cyd.sees(room, at=version).body["match"]["state"]["own_selection"] == move["at"]
    assert bob.sees(room, at=version).body["match"]["state"]["own_selection"] is None
    events = {player: player.gets(f"/v1/rooms/{room}/events", since=version - 1, limit=1) for player in (bob, cyd)}
    assert events[cyd].body["events"][0]["at"] == move["at"]
    assert "at" not in events[bob].body["events"][0]
