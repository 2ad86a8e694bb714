"""`turnstream puzzles` over an API with a store: it finds what is to be found, and its links lead there."""

import json
import sys
from collections.abc import Callable
from functools import reduce
from typing import Any, NamedTuple

import msgspec
import pytest

from bench.puzzles.finder import COST, LOST, puzzle_at
from service import __main__ as turnstream
from service.domain.catalog import GAMES
from service.domain.chance import Chance, DrawNumber
from tests.e2e.client import ApiClient, Player
from tests.e2e.conftest import StartApi
from tests.e2e.seated_rooms import seat_players

SEARCH = ("--nodes", "100000")
SWING = "b6 f2 b4 d6 d1 b2 e3 d2 xe3 g1 f4 a4 d7 a1 xd7 e4 c4 xd6 g4 xb6 c3 f6 xc3 c4-c5"
"""Black has just closed a mill; with its next moves it closes two others, one after another.

    7 .-----------.-----------.
      |           |           |
    6 |   .-------.-------B   |
      |   |       |       |   |
    5 |   |   .---.---.   |   |
      |   |   |       |   |   |
    4 W---W---W       B---B---B
      |   |   |       |   |   |
    3 |   |   .---.---.   |   |
      |   |       |       |   |
    2 |   B-------B-------B   |
      |           |           |
    1 W-----------W-----------W
      a   b   c   d   e   f   g

White holds with a4-a7: then a1-a4 closes a mill and a4-a1 another, again and again. It played c4-c5.
"""
FOUND_AT = 23
"""The ply of that position."""


class Ran(NamedTuple):
    """The exit code of the verb, the puzzles that it printed, and what it wrote on standard error."""

    code: int
    puzzles: list[dict[str, Any]]
    said: str


Puzzles = Callable[..., Ran]


@pytest.fixture
def puzzles(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Puzzles:
    """Return a function that runs the verb."""
    monkeypatch.setattr(sys, "path", list(sys.path))

    def run(*arguments: str) -> Ran:
        monkeypatch.setattr(sys, "argv", ["turnstream"])
        code = turnstream.main(["puzzles", *arguments])
        printed = capsys.readouterr()
        return Ran(code, [json.loads(line) for line in printed.out.splitlines()], printed.err)

    return run


def play_and_resign(client: ApiClient, moves: str, *, takes_back: bool = False) -> str:
    """Play a match of Nine Men's Morris, with `takes_back` one move twice, until a seat resigns; return its id."""
    room, players = seat_players(client, "morris", 2)
    ada, ben = players

    def play(move: str) -> Player:
        mover: Player = players[ada.read_room(room).body["match"]["to_move"][0]]
        played = mover.play(room, msgspec.to_builtins(GAMES["morris"].notation.read(move)))
        assert played.status == 200, played.body
        return mover

    for number, move in enumerate(moves.split()):
        mover = play(move)
        if takes_back and number == 2:
            [offer] = mover.command(room, "request_takeback").body["view"]["offers"]
            other = ben if mover is ada else ada
            assert other.command(room, "answer", offer=offer["id"], accept=True).status == 200
            play(move)
    ended = ada.command(room, "resign").body["view"]["match"]
    return str(ended["id"])


def test_the_only_move_that_saves_is_found(start_api: StartApi, puzzles: Puzzles) -> None:
    """With the address of its position, also after a move was taken back; a match without such a move has none."""
    _, client = start_api()
    planted = play_and_resign(client, SWING, takes_back=True)
    play_and_resign(client, "d2 d6 f4")
    ran = puzzles("morris", "--url", client.url, *SEARCH)
    assert (ran.code, ran.said.splitlines()[-1]) == (0, "2 matches read")  # a slow machine reports more often
    [found] = ran.puzzles
    chances = {name: found.pop(name) for name in ("before", "after", "other")}
    link, version = found.pop("link"), found.pop("version")
    assert found == {
        "game": "morris",
        "match": planted,
        "ply": FOUND_AT,
        "options": msgspec.to_builtins(GAMES["morris"].options()),
        "seat": 0,
        "move": "a4-a7",
        "does": "saves",
    }
    assert chances["after"] > chances["other"] + COST
    assert chances["other"] < LOST
    assert link == f"{client.url}/m/{planted}?ply={FOUND_AT}"
    assert client.http.get(link).status_code == 200
    public = client.anonymous()
    [position] = public.get(f"/v1/matches/{planted}/analysis", ply=FOUND_AT).body["positions"]
    assert (position["version"], position["to_move"]) == (version, [0])
    assert [move["notation"] for move in position["played"]] == ["c4-c5"]
    board = public.get(f"/v1/matches/{planted}", at=version).body["view"]["match"]["state"]["points"]
    assert sorted(point for point, man in board.items() if man == "white") == ["a1", "a4", "b4", "c4", "d1", "g1"]


def test_matches_can_be_chosen(start_api: StartApi, puzzles: Puzzles) -> None:
    """By id, by room, and by the number of puzzles; what cannot be read is named and left out."""
    _, client = start_api()
    planted, other = play_and_resign(client, SWING), play_and_resign(client, "d2 d6 f4")
    service = ("morris", "--url", client.url, *SEARCH)
    assert [each["match"] for each in puzzles(*service, other, planted, "--limit", "1").puzzles] == [planted]
    assert puzzles(*service, "--room", other.partition(".")[0]).puzzles == []
    missing = puzzles(*service, "no.match.1")
    assert (missing.code, missing.puzzles) == (0, [])
    assert "no.match.1 is left out: no_such_match" in missing.said


def test_what_has_no_puzzles_is_refused(puzzles: Puzzles) -> None:
    """A game whose seats move at the same time, an unknown one, and a service that does not answer."""
    for game in ("turncoat", "chess"):
        ran = puzzles(game)
        assert ran.code == 2
        assert f"{game} is not a game in which the seats move one after another; these are morris" in ran.said
    assert puzzles("morris", "--url", "http://127.0.0.1:1").code == 2


def test_a_roll_of_the_die_leaves_no_puzzle() -> None:
    """After each move chance decides, so nothing is sure."""
    game = GAMES["rainbow"]
    start = game.start(game.options(dice=True))
    rolled = reduce(game.evolve, game.follow(start, Chance(bytes(32), ("", ""), DrawNumber(0))), start)
    assert len(game.to_move(rolled)) == 1
    assert puzzle_at(game, rolled, 10) is None
