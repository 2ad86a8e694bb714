"""Tests of the arena's alpha-beta for Nine Men's Morris, which is written in C."""

import os
import shutil
from typing import Any

import pytest

from bench.arena.match_runner import play
from bench.arena.players import Turn
from bench.arena.players.morris import alphabeta
from bench.arena.schedule import BadArena, Plan, fixture
from service.domain.catalog import GAMES
from service.domain.chance import Chance, DrawNumber
from service.domain.game import Budget, Seat, never
from service.domain.games.morris.board import BIT
from service.domain.games.morris.model import Options, Position

pytestmark = pytest.mark.skipif(shutil.which(os.environ.get("CC", "cc")) is None, reason="there is no C compiler")


def turn_of(white: str, black: str, hand: int = 0, owed: int = 0, **rules: Any) -> Turn:
    """Return white's turn with these men on the board, and as many in hand on both sides."""
    white_men, black_men = (sum(BIT[name] for name in names.split()) for names in (white, black))
    options = Options(**rules)
    position = Position(options, (white_men, black_men), (hand, hand), removals_owed=owed)
    chance = Chance(bytes(32), [], DrawNumber(0))
    return Turn(GAMES["morris"], options, position, (), Seat(0), chance, Budget("expert", 1, never), "20")


def choice(turn: Turn) -> str:
    """Return its move in our notation."""
    spelled: str = turn.game.notation.spell(alphabeta(turn))
    return spelled


@pytest.mark.parametrize(
    ("turn", "move"),
    [
        (turn_of("a7 d7 f4", "a1 c4 e3"), "f4-g7"),
        (turn_of("a7 d7 g4 b2", "a1 g1 d2 c4 e3 e5"), "g4-g7"),
        (turn_of("a7 d7 b6 d6 g4 g1", "a4 b4 d5 f2 e3", hand=3), "g7"),
    ],
    ids=["flying", "sliding", "two-at-once"],
)
def test_it_closes_a_mill(turn: Turn, move: str) -> None:
    """The first wins at once; by the last it closes two mills instead of one."""
    assert choice(turn) == move


def test_it_keeps_the_other_side_from_closing_a_mill() -> None:
    """By placing a man, and by flying, where the mill would be lost at once."""
    assert choice(turn_of("a1 g7", "b6 d6", hand=7)) == "f6"
    assert choice(turn_of("a7 b4 e5", "a1 d1 f6")).endswith("-g1")


def test_it_removes_no_man_that_is_in_a_mill() -> None:
    """Of the two others it removes the one without which the other side cannot close a second mill."""
    assert choice(turn_of("a7 d7 g7 b6 f2", "a1 d1 g1 d2 e5", owed=1)) in {"xd2", "xe5"}


def test_it_plays_whole_matches_by_the_rules() -> None:
    """A move that is not legal would end a match with an error; the other players reach flying and both ends."""
    for other in ("random", "beginner"):
        chosen = Plan(game="morris", players=("alphabeta:5", other), options={}, seed=1, opening=2, nodes=10)
        for number in range(4):
            played = play(chosen, fixture(chosen, number))
            assert played.places[played.seated.index("alphabeta:5")] == 1


@pytest.mark.parametrize("other", [{"flying": "reduced"}, {"all_in_mills": "any"}, {"double_mill": "one"}])
def test_other_rules_are_refused(other: dict[str, Any]) -> None:
    """Its search knows the default rules only."""
    with pytest.raises(BadArena, match="remove flying, all_in_mills and double_mill"):
        alphabeta(turn_of("a7", "a1", hand=8, **other))
