"""Analyses of finished matches: their positions with numbers, and the bots' review."""

import pytest

from service.domain.catalog import GAMES
from service.domain.notation.reading import read_text
from tests.e2e.client import Json, Player, Response
from tests.waiting import wait_for

TURNS = 9


def finished(player: Player, game: str, turns: int = TURNS, **settings: object) -> str:
    """Play some moves of a match on one device, end it, and return its id."""
    seats = len(GAMES[game].seats(GAMES[game].options()))
    chosen = {"hot_seat": True, "restart": None, **settings}
    room = player.open_room(game, seats=["me"] * seats, settings=chosen).body["room"]
    for turn in range(turns):
        play_turn(player, room, turn)
    for seat in range(1, seats):
        resigned = player.command(room, "resign", seat=seat)
        assert resigned.status == 200 or resigned.code == "not_playing"  # no moves may be left
    return str(player.read_room(room).body["match"]["id"])


def play_turn(player: Player, room: str, turn: int) -> None:
    """Make a move with each seat that is to move; in a simultaneous game commit to it."""
    match = player.read_room(room).body["match"]
    for seat in match["to_move"]:
        moves = player.get(f"/v1/rooms/{room}/legal-moves", seat=seat).body["legal_moves"]
        assert player.play(room, moves[(turn + 9 * seat) % len(moves)], seat=seat).status == 200
        if moves[0]["type"] == "select":
            assert player.play(room, {"type": "commit"}, seat=seat).status == 200


def analysis(reader: Player, match: str, **query: int | str) -> Response:
    """Request the analysis of a match."""
    return reader.get(f"/v1/matches/{match}/analysis", **query)


@pytest.mark.parametrize("game", GAMES)
def test_all_positions_are_those_of_the_text(ada: Player, anonymous: Player, game: str) -> None:
    """Ply by ply, with what was played in its notation, and the version at which the position is on the board."""
    match = finished(ada, game)
    body = analysis(anonymous, match).body
    text = read_text(ada.get(f"/v1/matches/{match}/export", {"accept": "text/plain"}).content.decode())
    positions = body["positions"]
    assert [position["ply"] for position in positions] == list(range(body["plies"] + 1))
    assert body["plies"] == len(text.entries)
    steps = positions if game != "turncoat" else positions[::4]
    assert sum(len(position["played"]) for position in steps) == body["plies"]
    assert [positions[-1][field] for field in ("ply", "to_move", "played", "best")] == [body["plies"], [], [], None]
    assert (body["measure"] is None) == (GAMES[game].measure is None)
    room = match.split(".")[0]
    for position in steps:
        view = ada.read_room(room, at=position["version"]).body["match"]
        assert view["to_move"] == position["to_move"]
        scores = view["state"].get("scores") or view["state"].get("black")
        assert (position["values"] is None) == (GAMES[game].measure is None)
        assert scores is None or list(scores.values() if isinstance(scores, dict) else scores) == position["values"]


def test_positions_are_paged(ada: Player, anonymous: Player) -> None:
    """`next` and `Link` lead from page to page; a page beyond the end is empty."""
    match = finished(ada, "ternio", turns=5)
    whole = analysis(anonymous, match).body
    assert (len(whole["positions"]), whole["next"]) == (8, None)
    page = analysis(anonymous, match, limit=3)
    positions = page.body["positions"]
    while (following := page.body["next"]) is not None:
        assert following == len(positions)
        assert page.headers["link"] == f'</v1/matches/{match}/analysis?limit=3&cursor={following}>; rel="next"'
        page = analysis(anonymous, match, limit=3, cursor=following)
        positions += page.body["positions"]
    assert (positions, len(page.body["positions"]), page.body["plies"]) == (whole["positions"], 2, 7)
    assert "link" not in page.headers
    assert [analysis(anonymous, match, limit=limit).body["next"] for limit in (7, 8)] == [7, None]
    assert analysis(anonymous, match, cursor=99).body["positions"] == []
    for query in ({"limit": 0}, {"limit": 1001}, {"cursor": -1}):
        refused = analysis(anonymous, match, **query)
        assert (refused.status, refused.body["parameter"]) == (422, *query)


def reviewed(player: Player, match: str) -> Json:
    """Request the review of a match, wait for it, and return the analysis."""
    assert player.post(f"/v1/matches/{match}/review", {}).status == 200
    wait_for(lambda: analysis(player, match).body["review"] == "done")
    body: Json = analysis(player, match).body
    return body


@pytest.mark.parametrize("game", GAMES)
def test_a_review_evaluates_every_position(ada: Player, bob: Player, anonymous: Player, game: str) -> None:
    """A chance for each seat, a legal best move for those to move, and what the played ones lost; for all readers."""
    match = finished(ada, game)
    before = analysis(anonymous, match).body
    if GAMES[game].evaluate is None:
        assert before["review"] is None
        assert ada.post(f"/v1/matches/{match}/review", {}).code == "no_review"
        return
    assert (before["review"], before["turning_point"]) == ("none", None)
    assert {position["chances"] for position in before["positions"]} == {None}
    body = reviewed(ada, match)
    assert analysis(anonymous, match).body == body
    assert bob.post(f"/v1/matches/{match}/review", {}).body == {"match": match, "status": "done"}
    room, positions = match.split(".")[0], body["positions"]
    seats = len(positions[0]["values"])
    for position in positions:
        assert sum(position["chances"] or ()) == pytest.approx(100, abs=seats), position
        assert [best["seat"] for best in position["best"]] == position["to_move"]
        assert position["values"] == before["positions"][position["ply"]]["values"]
    for position in (positions[0], positions[4]):
        for best in position["best"]:
            query = {"seat": best["seat"], "at": position["version"]}
            assert best["move"] in ada.get(f"/v1/rooms/{room}/legal-moves", **query).body["legal_moves"]
            assert best["notation"]
        [one] = analysis(anonymous, match, ply=position["ply"]).body["positions"]
        assert one == position
    moves = [move for position in positions for move in position["played"]]
    assert all(0 <= move["lost"] <= 100 for move in moves if move["lost"] is not None)
    assert [move["lost"] for move in positions[0]["played"] if move["move"]["type"] != "commit"] != [None] * seats
    assert positions[-1]["best"] == []


def test_a_blunder_is_marked(ada: Player) -> None:
    """A line that was not made, and a third man beside two of the opponent's that gave one, by what they lost."""
    room = ada.open_room("rainbow", seats=["me", "me"], settings={"hot_seat": True, "restart": None}).body["room"]
    for peg, side, at in (("RO", "R", "a2"), ("RO", "R", "b2"), ("GB", "G", "d5")):
        assert ada.play(room, {"type": "place", "peg": peg, "side": side, "at": at}).status == 200
    assert ada.command(room, "resign", seat=0).status == 200
    body = reviewed(ada, ada.read_room(room).body["match"]["id"])
    missed = body["positions"][2]
    win = {"type": "place", "peg": "VR", "side": "R", "at": "c2"}
    assert missed["best"] == [{"seat": 0, "move": win, "notation": "VR:R@c2", "lost": None, "mark": None}]
    [played] = missed["played"]
    assert (played["mark"], missed["chances"]) == ("blunder", [100, 0])
    assert played["lost"] == 100
    assert body["turning_point"] == 2
    [gave] = body["positions"][1]["played"]
    assert (gave["mark"], gave["lost"] >= 30) == ("blunder", True)


def test_a_review_needs_a_token_and_a_match_that_is_over(ada: Player, anonymous: Player) -> None:
    """401, 404 and 409, as the document says; a match for members only is not reviewed for others."""
    match = finished(ada, "ternio", turns=2)
    assert anonymous.post(f"/v1/matches/{match}/review", {}).code == "unauthenticated"
    assert ada.post("/v1/matches/no-room.aaaaaaaa.1/review", {}).code == "no_such_match"
    room = match.split(".")[0]
    assert ada.command(room, "request_new").status == 200
    running = ada.read_room(room).body["match"]["id"]
    refused = ada.post(f"/v1/matches/{running}/review", {})
    assert (refused.status, refused.code) == (409, "not_over")


def test_a_running_match_is_not_analysed(ada: Player) -> None:
    """409 `not_over` with and without a ply, also while an earlier match of the room can be analysed."""
    match = finished(ada, "ternio")
    room = match.split(".")[0]
    assert ada.command(room, "request_new").status == 200
    running = ada.read_room(room).body["match"]["id"]
    assert running != match
    for query in ({}, {"ply": 0}, {"ply": 99}):
        refused = analysis(ada, running, **query)
        assert (refused.status, refused.code) == (409, "not_over")
    assert analysis(ada, match, ply=1).status == 200


def test_a_ply_that_is_none_is_refused(ada: Player) -> None:
    """404 beyond the last one, with their number; 422 for what is no number."""
    match = finished(ada, "morris", turns=2)
    for _ in range(2):
        refused = analysis(ada, match, ply=4)
        assert (refused.status, refused.code, refused.body["params"]) == (404, "no_such_ply", {"plies": 3})
        analysis(ada, match)
    for ply in ("-1", "x", "1.5", "", "9" * 30):
        refused = analysis(ada, match, ply=ply)
        assert (refused.status, refused.body["parameter"]) == (422, "ply")


def test_an_unknown_match_is_not_found(anonymous: Player) -> None:
    """As on the other routes of matches."""
    assert analysis(anonymous, "no-room.aaaaaaaa.1").code == "no_such_match"


def test_a_closed_rooms_match_can_be_analysed(ada: Player, anonymous: Player) -> None:
    """It stays readable under its id."""
    match = finished(ada, "rainbow", turns=4)
    assert ada.command(match.split(".")[0], "close").status == 200
    assert analysis(anonymous, match, ply=2).body["plies"] == 5


def test_the_events_of_a_match_say_no_more_than_its_text(ada: Player, anonymous: Player) -> None:
    """A selection of a round that was not resolved is in no analysis."""
    room = ada.open_room("turncoat", seats=["me", "me"], settings={"hot_seat": True, "restart": None}).body["room"]
    moves = ada.get(f"/v1/rooms/{room}/legal-moves", seat=0).body["legal_moves"]
    assert ada.play(room, moves[0], seat=0).status == 200
    assert ada.command(room, "resign", seat=1).status == 200
    body: Json = analysis(anonymous, ada.read_room(room).body["match"]["id"]).body
    assert [position["played"] for position in body["positions"]] == [
        [{"seat": 1, "move": None, "notation": "resigned", "lost": None, "mark": None}],
        [],
    ]
    assert body["positions"][0]["to_move"] == [0, 1]


def test_a_match_can_be_read_at_its_versions(ada: Player, anonymous: Player) -> None:
    """Also after its room was closed; a version before or after the match is not found."""
    match = finished(ada, "ternio", turns=3)
    assert ada.command(match.split(".")[0], "close").status == 200
    details = anonymous.get(f"/v1/matches/{match}").body
    for position in analysis(anonymous, match).body["positions"]:
        view = anonymous.get(f"/v1/matches/{match}", at=position["version"]).body["view"]
        assert (view["version"], view["match"]["id"]) == (position["version"], match)
        assert list(view["match"]["state"]["scores"].values()) == position["values"]
    for at in (details["versions"]["first"] - 1, details["versions"]["last"] + 1):
        refused = anonymous.get(f"/v1/matches/{match}", at=at)
        assert (refused.status, refused.code) == (404, "no_such_version")
