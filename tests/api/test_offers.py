"""Draws, takebacks and matches once more, through the API: offered, answered, has_event to every feed."""

from tests.e2e.client import Json, Player, fresh_name, has_event


def playing(ada: Player, bob: Player, game: str = "morris", **settings: object) -> str:
    """Open a room in which a match begins as soon as both sit."""
    room: str = ada.open_room(game, settings={"start": "full", **settings}).body["room"]
    assert bob.command(room, "join").status == 200
    return room


def place(at: str) -> Json:
    """Return the move that puts a man there."""
    return {"type": "place", "at": at}


def test_two_agree_on_a_draw(ada: Player, bob: Player) -> None:
    """The offer is in both views until it is answered; then the match is over."""
    room = playing(ada, bob)
    with bob.subscribe(room) as feed:
        feed.until(lambda frame: frame["type"] == "caught_up")
        offered = ada.command(room, "offer_draw").body
        (offer,) = offered["view"]["offers"]
        assert (offer["type"], offer["by"], offer["awaits"], offer["accepted"]) == ("draw", ada.id, [bob.id], [])
        assert feed.until(has_event("offer_made"))[-1]["view"]["offers"] == [offer]
        over = bob.command(room, "answer", offer=offer["id"], accept=True).body
        feed.until(has_event("match_ended"))
    assert [event["type"] for event in over["events"]] == ["offer_accepted", "offer_closed", "match_ended"]
    assert over["view"]["match"]["result"] == {"reason": "agreed", "places": [1, 1], "scores": None, "winners": [0, 1]}
    assert over["view"]["offers"] == []


def test_a_takeback_returns_the_board_and_the_turn(ada: Player, bob: Player) -> None:
    """To the version that the event names, for everybody; the history keeps what was taken back."""
    room = playing(ada, bob)
    before = ada.read_room(room).body
    assert before["match"]["can_take_back"] is False
    moved = ada.play(room, place("a1")).body["view"]
    assert moved["match"]["can_take_back"] is True
    bob.play(room, place("d2"))
    (offer,) = ada.command(room, "request_takeback").body["view"]["offers"]
    assert offer["to_version"] == before["version"]
    back = bob.command(room, "answer", offer=offer["id"], accept=True).body
    assert back["events"][-1]["type"] == "taken_back"
    assert back["events"][-1]["to_version"] == before["version"]
    assert back["view"]["match"]["state"] == before["match"]["state"]
    assert back["view"]["match"]["to_move"] == [0]
    assert ada.read_room(room, at=before["version"]).body["match"]["state"] == before["match"]["state"]
    assert ada.command(room, "request_takeback").code == "nothing_to_take_back"
    kinds = [event["type"] for event in ada.get(f"/v1/rooms/{room}/events", limit=1000).body["events"]]
    assert kinds.count("placed") == 2
    assert bob.command(room, "resign").status == 200
    text = ada.get(f"/v1/matches/{before['match']['id']}/export", {"accept": "text/plain"}).content.decode()
    assert "takeback:2" in text


def test_a_takeback_survives_a_reader_who_comes_back(ada: Player, bob: Player) -> None:
    """They receive the missed events; the view is the same for everyone."""
    room = playing(ada, bob)
    version = ada.play(room, place("a1")).body["version"]
    ada.command(room, "request_takeback")
    bob.command(room, "request_takeback")
    offer = ada.read_room(room).body["offers"][0]["id"]
    latest = bob.command(room, "answer", offer=offer, accept=True).body
    with bob.subscribe(room, since=version) as feed:
        frames = feed.up_to(latest["version"])
    events = [event["type"] for frame in frames if frame["type"] == "update" for event in frame["events"]]
    assert events == ["offer_made", "offer_accepted", "offer_closed", "taken_back"]
    assert frames[-1]["view"]["match"]["state"] == latest["view"]["match"]["state"]


def test_turncoat_has_no_takebacks(ada: Player, bob: Player) -> None:
    """A request for one is answered with 409 `nothing_to_take_back`."""
    room = playing(ada, bob, "turncoat")
    refused = ada.command(room, "request_takeback")
    assert (refused.status, refused.code) == (409, "nothing_to_take_back")


def test_a_restart_has_the_same_layout_and_a_new_match_another(ada: Player, bob: Player) -> None:
    """Both begin at once, and the previous match does not count."""
    room = playing(ada, bob, "turncoat", restart=None)
    first = ada.read_room(room).body["match"]
    ada.command(room, "request_restart")
    again = bob.command(room, "request_restart").body
    started = next(event for event in again["events"] if event["type"] == "match_started")
    assert started["layout_of"] == first["id"]
    assert again["view"]["match"]["number"] == 2
    assert again["view"]["match"]["state"]["boards"] == first["state"]["boards"]
    assert ada.get(f"/v1/matches/{first['id']}").body["result"]["reason"] == "restarted"
    ada.command(room, "request_new")
    other = bob.command(room, "request_new").body["view"]["match"]
    assert (other["number"], other["status"]) == (3, "playing")
    assert other["state"]["boards"] != first["state"]["boards"]


def test_a_single_player_undoes_and_restarts_at_once(ada: Player) -> None:
    """The room for solo Triboard is opened with one request."""
    settings = {"hot_seat": True}
    room = ada.open_room("triboard", name=fresh_name(), settings=settings, seats=["me"] * 3).body["room"]
    start = ada.read_room(room).body["match"]
    ada.play(room, start["legal_moves"][0])
    assert ada.command(room, "request_takeback").body["view"]["match"]["state"]["board"] == start["state"]["board"]
    again = ada.command(room, "request_restart").body["view"]["match"]
    assert (again["number"], again["state"]["board"]) == (2, start["state"]["board"])
    assert again["to_move"] == start["to_move"]


def test_an_offer_is_answered_by_the_other_players(ada: Player, bob: Player, cyd: Player) -> None:
    """A spectator has no say, a stranger is no member, and who offered doesn't answer."""
    room = playing(ada, bob)
    cyd.spectate(room)
    assert cyd.command(room, "offer_draw").code == "not_seated"
    offer = ada.command(room, "offer_draw").body["view"]["offers"][0]["id"]
    for player in (ada, cyd):
        assert player.command(room, "answer", offer=offer, accept=True).code == "not_asked"
    assert bob.command(room, "withdraw", offer=offer).code == "not_your_offer"
    assert bob.command(room, "answer", offer=offer + 1, accept=True).code == "no_such_offer"
    assert bob.command(room, "answer", offer=0, accept=True).status == 422
    assert bob.command(room, "answer", offer=offer, accept=False).body["events"][0]["reason"] == "declined"
