"""Tests of the arena's player that asks Sanmill's engine; only the last one needs it."""

import os
from typing import Any

import pytest

from bench.arena.match_runner import play
from bench.arena.players import Turn
from bench.arena.players import morris as morris_players
from bench.arena.schedule import BadArena, Plan, fixture
from service.domain.catalog import GAMES
from service.domain.chance import Chance, DrawNumber
from service.domain.game import Budget, never
from service.domain.games.morris.model import Options, Remove

RULES: dict[str, Any] = {"flying": "reduced", "all_in_mills": "any", "double_mill": "one"}
SANMILL = Options(**RULES)


def turn_after(*moves: str, detail: str = "") -> Turn:
    """Return the turn after these moves, in our notation."""
    game = GAMES["morris"]
    state: Any = game.start(SANMILL)
    events = []
    for text in moves:
        for event in game.decide(state, game.to_move(state)[0], game.notation.read(text)):
            state = game.evolve(state, event)
            events.append(event)
    seat = game.to_move(state)[0]
    chance = Chance(bytes(32), [], DrawNumber(0))
    return Turn(game, SANMILL, state, tuple(events), seat, chance, Budget("expert", 1, never), detail)


def test_sanmill_gets_the_match_and_the_time() -> None:
    """A removal is a move of its own there as well, written as ours."""
    assert morris_players.sanmill_search(turn_after()) == ["position startpos", "go depth 64 movetime 1000"]
    searched = morris_players.sanmill_search(turn_after("a7", "b6", "d7", "d6", "g7", "xb6", detail="50"))
    assert searched == ["position startpos moves a7 b6 d7 d6 g7 xb6", "go depth 64 movetime 50"]


def test_sanmill_gets_the_rules() -> None:
    """Two removals, limits and flying are set, whatever its own defaults are."""
    chosen = Options(flying="off", all_in_mills="any", repetition=False, quiet_limit=0)
    commands = morris_players.sanmill_options(chosen)
    assert commands == [
        "setoption name MayFly value false",
        "setoption name MayRemoveMultiple value true",
        "setoption name ThreefoldRepetitionRule value false",
        "setoption name NMoveRule value 200",
        "setoption name EndgameNMoveRule value 200",
        "setoption name SkillLevel value 30",
    ]


@pytest.mark.parametrize("other", [{"flying": "both"}, {"all_in_mills": "none"}])
def test_rules_that_sanmill_does_not_have_are_refused(other: dict[str, Any]) -> None:
    """Otherwise the two would play different games until one move is illegal."""
    with pytest.raises(BadArena, match="add --options flying=reduced all_in_mills=any"):
        morris_players.sanmill_options(Options(**{**RULES, **other}))


def test_the_answer_of_sanmill_is_a_legal_move() -> None:
    """The last word of the last line; not a move after a match that Sanmill understood only in part."""
    turn = turn_after("a7", "b6", "d7", "d6", "g7")
    line = "info depth 9 score cp 5 nodes 12 bestmove {}\n"
    assert morris_players.sanmill_move(turn, "readyok\n" + line.format("xb6")) == Remove("b6")
    for wrong in (
        line.format("xa1"),
        line.format("draw"),
        "info string illegal move ignored: d6\n" + line.format("xb6"),
    ):
        with pytest.raises(BadArena, match="Sanmill's answer is not a legal move"):
            morris_players.sanmill_move(turn, wrong)


def test_without_sanmill_its_player_says_how_to_name_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is a program of others, which is not in this repository."""
    monkeypatch.delenv(morris_players.PROGRAM, raising=False)
    with pytest.raises(BadArena, match="set SANMILL to the command"):
        morris_players.sanmill(turn_after())


def test_sanmill_plays_by_the_same_rules() -> None:
    """A whole match; a move that either side refuses would end it with an error."""
    if not os.environ.get(morris_players.PROGRAM):
        pytest.skip(f"Sanmill's engine is not here: set {morris_players.PROGRAM} to the command that starts it")
    chosen = Plan(game="morris", players=("sanmill:5", "random"), options=RULES, seed=1, opening=2, nodes=10)
    played = play(chosen, fixture(chosen, 0))
    assert played.places[played.seated.index("sanmill:5")] == 1
