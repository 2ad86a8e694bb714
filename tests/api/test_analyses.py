"""Analyses of finished matches: positions with numbers for a graph, and the bot's move at one of them."""

import pytest

from service.domain.catalog import GAMES
from service.domain.notation.reading import read_text
from tests.e2e.client import Json, Player, Response

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


@pytest.mark.parametrize("game", GAMES)
def test_the_bots_move_is_legal_and_spelt(ada: Player, anonymous: Player, game: str) -> None:
    """At the beginning, in the middle and at the end, for every seat that is to move."""
    match = finished(ada, game)
    whole = analysis(ada, match).body
    room = match.split(".")[0]
    for ply in (0, 4, whole["plies"]):
        body = analysis(anonymous, match, ply=ply).body
        (position,) = body["positions"]
        assert position | {"best": None} == whole["positions"][ply]
        assert [best["seat"] for best in position["best"]] == position["to_move"]
        for best in position["best"]:
            query = {"seat": best["seat"], "at": position["version"]}
            assert best["move"] in ada.get(f"/v1/rooms/{room}/legal-moves", **query).body["legal_moves"]
            assert best["notation"]
        assert analysis(ada, match, ply=ply).body == body


def test_a_move_that_wins_is_the_best(ada: Player) -> None:
    """One that completes a line, whatever the match has led to; and what was done there is beside it."""
    room = ada.open_room("rainbow", seats=["me", "me"], settings={"hot_seat": True, "restart": None}).body["room"]
    for at in ("a2", "b2"):
        assert ada.play(room, {"type": "place", "peg": "RO", "side": "R", "at": at}).status == 200
    assert ada.command(room, "resign", seat=1).status == 200
    (position,) = analysis(ada, ada.read_room(room).body["match"]["id"], ply=2).body["positions"]
    move = {"type": "place", "peg": "VR", "side": "R", "at": "c2"}
    assert position["best"] == [{"seat": 0, "move": move, "notation": "VR:R@c2"}]
    assert position["played"] == [{"seat": 1, "move": None, "notation": "resigned"}]
    assert position["values"] == [1, 1]


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
        [{"seat": 1, "move": None, "notation": "resigned"}],
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
