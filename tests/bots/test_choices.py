"""What a bot does in its turn: how hard its choice was, and whether it ends the match."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from service.bots.messages import BotRequest
from service.bots.process import choose, difficulty, ending
from service.bots.requests import DEAD_ROUNDS, with_endings
from service.domain.catalog import GAMES
from service.domain.game import Budget, Evaluation, Seat
from service.domain.games.morris.model import MorrisMove, Place
from tests.domain.games import test_morris_board as morris
from tests.domain.games.test_draw_answers import SIX_AGAINST_THREE
from tests.laws.play import play

MORRIS = GAMES["morris"]
FIRST, SECOND = Seat(0), Seat(1)
GOOD, BAD = Place("a1"), Place("g7")


def request(known: Any = None, seat: Seat = FIRST, **more: Any) -> BotRequest:
    """Return a request for a choice in Nine Men's Morris, at the beginning or at a position."""
    position = play(MORRIS, MORRIS.options(), 2, longest=0).last if known is None else known
    return BotRequest("morris", position, seat, "expert", bytes(32), 0.05, subject="choice", **more)


def finding(good_from: int) -> Callable[..., MorrisMove]:
    """Return a bot that finds the good move once it examines so many positions."""

    def choose_so(_state: Any, _seat: Seat, _chance: Any, budget: Budget) -> MorrisMove:
        return GOOD if budget.nodes is None or budget.nodes >= good_from else BAD

    return choose_so


def difficulty_of(monkeypatch: pytest.MonkeyPatch, good_from: int, moves: int) -> float:
    """Return how hard the choice of one of so many moves is if the best one is found late."""
    legal = [GOOD] * moves
    game = replace(MORRIS, choose=finding(good_from), legal_moves=lambda *_: legal)
    monkeypatch.setitem(GAMES, "morris", game)
    return difficulty(request(), GOOD)


def test_a_choice_is_the_harder_the_later_the_best_move_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The only move is found at once; with many moves that the whole search distinguishes a choice is hardest."""
    hard = [difficulty_of(monkeypatch, good_from, 32) for good_from in (1, 100, 1000)]
    assert hard == [0.25, 0.5, 1.0]
    assert [difficulty_of(monkeypatch, good_from, 1) for good_from in (1, 1000)] == [0.0, 0.0]
    assert difficulty_of(monkeypatch, 1, 4) < difficulty_of(monkeypatch, 1, 12) < difficulty_of(monkeypatch, 1, 99)


def test_a_bot_resigns_if_it_has_lost_in_all_of_its_latest_turns() -> None:
    """By search; three men are too few against six. The winner plays on, and so does a bot that may not resign."""
    lost = replace_mover(SECOND)
    assert choose(request(lost, SECOND, resigns_after=(lost, lost))).ending == "resign"
    assert choose(request(lost, SECOND)).ending is None
    assert choose(request(lost, SECOND, resigns_after=(lost, request().known))).ending is None
    won = replace_mover(FIRST)
    assert choose(request(won, FIRST, resigns_after=(won, won))).ending is None


def replace_mover(seat: Seat) -> Any:
    """Return a position with six men against three, in which a seat is to move."""
    return morris.board(SIX_AGAINST_THREE, mover=seat)


@pytest.mark.parametrize(
    ("chances", "offers"),
    [
        ((0.5, 0.5, 0.5, 0.5, 0.5), True),
        ((0.5, 0.52, 0.49, 0.5, 0.5), True),
        ((0.4, 0.42, 0.4, 0.4, 0.4), True),
        ((0.5, 0.5, 0.5, 0.5, 0.4), False),
        ((0.5, 0.5, 0.4, 0.5, 0.5), False),
        ((0.7, 0.7, 0.7, 0.7, 0.7), False),
    ],
)
def test_a_bot_offers_a_draw_if_its_chances_have_not_changed(
    monkeypatch: pytest.MonkeyPatch, *, chances: tuple[float, ...], offers: bool
) -> None:
    """And if it is not ahead."""

    def evaluate(state: float, _played: Any, _budget: Budget) -> Evaluation:
        return Evaluation((state, 1 - state), {}, {})

    monkeypatch.setitem(GAMES, "morris", replace(MORRIS, evaluate=evaluate))
    asked = request(chances[0], dead_since=chances[1:])
    assert ending(asked) == ("offer_draw" if offers else None)
    assert ending(request(chances[0])) is None


@pytest.mark.parametrize(("quiet", "looks"), [(0, False), (19, False), (20, True), (21, False), (40, True)])
def test_a_bot_looks_every_twenty_rounds_whether_a_match_is_dead(
    monkeypatch: pytest.MonkeyPatch, *, quiet: int, looks: bool
) -> None:
    """At its turns 5, 10, 15 and 20 rounds before; whether it may resign makes no difference."""
    monkeypatch.setitem(GAMES, "morris", replace(MORRIS, quiet_rounds=lambda _: quiet))
    for resigns in (True, False):
        asked = with_endings(request("now"), iter(range(1, 100)), resigns=resigns)
        assert asked.dead_since == ((5, 10, 15, DEAD_ROUNDS) if looks else ())
        assert asked.resigns_after == ((1, 2) if resigns else ())
    assert with_endings(request("now"), iter((1,)), resigns=True).resigns_after == ()
