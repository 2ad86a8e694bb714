"""How a match of Turncoat ends: red's board is drawn on the left, yellow's on the right."""

import pytest

from service.domain.game import Dropped, Outcome, Seat
from service.domain.games.turncoat import GAME
from service.domain.games.turncoat.model import Commit, Options, RoundBegun, Select, Turned
from tests.domain.games.test_turncoat import (
    MOSTLY_WHITE,
    RED,
    YELLOW,
    after,
    both_committed,
    chance,
    played,
    refusal,
    resolved,
    shown,
    table,
)

TWO_LEFT = """
    B B B B B B B B | B B B B B B B B
    B B B B B B B B | B B B B B B B B
    B B B B B B B B | B B B B B B B B
    B B B B B B B B | B B B B B B B B
    B B B B B B B B | B B B B B B B B
    B B B B B B B B | B B B B B B B B
    B B W B B B B B | B B W B B B B B
    W B B B B B B B | W B B B B B B B
"""

RED_HAS_TWO_LEFT = """
    B B B B B B B B | W W W W W W W W
    B B B B B B B B | W W W W W W W W
    B B B B B B B B | W W W W W W W W
    B B B B B B B B | W W W W W W W W
    B B B B B B B B | W W W W W W W W
    B B B B B B B B | W W W W W W W W
    B B W B B B B B | W W W W W W W W
    W B B B B B B B | W W W W W W W W
"""

RED_HAS_ONE_LEFT = RED_HAS_TWO_LEFT.replace("W B B B B B B B |", "B B B B B B B B |")

ONE_LEFT = TWO_LEFT.replace("W B B B B B B B", "B B B B B B B B")


def test_a_black_board_after_the_first_half_wins_and_the_second_is_not_played() -> None:
    """Red turns c2, the last white disc; yellow's a8 would have undone it."""
    events, position = resolved(table(RED_HAS_ONE_LEFT), "c2", "a8")
    assert events == [
        Turned(board="red", half=1, at="c2", to="B", trapped=()),
        Turned(board="yellow", half=1, at="a8", to="B", trapped=()),
    ]
    assert GAME.outcome(position) == Outcome("all_black", (1, 2))


def test_nobody_can_act_when_the_match_is_over() -> None:
    """Nobody is awaited, no move is on the list, and each is refused."""
    _, position = resolved(table(RED_HAS_ONE_LEFT), "c2", "a8")
    assert GAME.to_move(position) == ()
    for seat in (RED, YELLOW):
        assert list(GAME.legal_moves(position, seat)) == []
        assert refusal(position, seat, Select("a1")) == "not_your_turn"
        assert refusal(position, seat, Commit()) == "not_your_turn"


def test_a_half_ends_with_yellows_step() -> None:
    """Red's board is black at the first step already, but yellow's disc is still turned, and makes it a draw."""
    _, position = resolved(table(ONE_LEFT), "c2", "c2")
    assert GAME.outcome(position) == Outcome("all_black", (1, 1))


def test_no_outcome_stands_before_a_half_is_told() -> None:
    """After red's step alone the match is not over."""
    position = both_committed(table(RED_HAS_ONE_LEFT), "c2", "a8")
    first, second = GAME.follow(position, chance())
    assert GAME.outcome(after(position, [first])) is None
    assert GAME.outcome(after(position, [first, second])) is not None


def test_a_black_board_after_the_second_half_wins() -> None:
    """Red turns a1 and yellow c2, so yellow itself finishes red's board."""
    events, position = resolved(table(RED_HAS_TWO_LEFT), "a1", "c2")
    assert len(events) == 4
    assert GAME.outcome(position) == Outcome("all_black", (1, 2))


def test_yellow_wins_in_the_same_way() -> None:
    """With the boards exchanged the places are too."""
    exchanged = "\n".join(" | ".join(reversed(line.split("|"))) for line in RED_HAS_TWO_LEFT.strip().splitlines())
    _, position = resolved(table(exchanged), "c2", "a1")
    assert GAME.outcome(position) == Outcome("all_black", (2, 1))


def test_two_black_boards_after_the_second_half_are_a_draw() -> None:
    """Red's a1 and yellow's c2 together finish both."""
    _, position = resolved(table(TWO_LEFT), "a1", "c2")
    assert GAME.outcome(position) == Outcome("all_black", (1, 1))


def test_the_second_half_may_undo_the_first() -> None:
    """Both choose a1: everything is as it was, and the match goes on."""
    before = table(TWO_LEFT)
    _, position = resolved(before, "a1", "a1")
    assert shown(position) == shown(before)
    assert GAME.outcome(position) is None
    assert position.round == 2


@pytest.mark.parametrize(("number", "ends"), [(59, False), (60, True)])
def test_the_sixtieth_round_is_the_last_by_default(number: int, ends: bool) -> None:  # noqa: FBT001 - a table of cases
    """The guard is a draw, and no further round begins."""
    events, position = resolved(table(MOSTLY_WHITE, number=number), "b2", "b2")
    assert GAME.outcome(position) == (Outcome("round_limit", (1, 1)) if ends else None)
    assert (RoundBegun(round=number + 1) in events) is not ends


def test_without_a_limit_a_match_goes_on() -> None:
    """A limit of 0 is none."""
    _, position = resolved(table(MOSTLY_WHITE, Options(round_limit=0), number=100_000), "b2", "b2")
    assert GAME.outcome(position) is None


@pytest.mark.parametrize(("drawing", "places"), [(RED_HAS_TWO_LEFT, (1, 2)), (TWO_LEFT, (1, 1))])
def test_at_the_limit_fewest_white_may_win(drawing: str, places: tuple[int, int]) -> None:
    """As many white discs are a draw; the reason is the limit in either case."""
    options = Options(round_limit=7, at_limit="fewest_white")
    _, position = resolved(table(drawing, options, number=7), "a1", "a1")
    assert GAME.outcome(position) == Outcome("round_limit", places)


def test_a_win_comes_before_the_limit() -> None:
    """In the last round, after its second half."""
    _, position = resolved(table(RED_HAS_TWO_LEFT, Options(round_limit=7), number=7), "a1", "c2")
    assert GAME.outcome(position) == Outcome("all_black", (1, 2))


@pytest.mark.parametrize(("seat", "places"), [(RED, (2, 1)), (YELLOW, (1, 2))])
def test_who_drops_out_loses(seat: Seat, places: tuple[int, int]) -> None:
    """The other one wins, and the reason is that of the drop; nothing is uncovered."""
    position = played(table(MOSTLY_WHITE), (RED, Select("b2")), (RED, Commit()))
    events = GAME.drop(position, seat, "timed_out")
    assert events == [Dropped(seat, "timed_out")]
    position = after(position, events)
    assert GAME.outcome(position) == Outcome("timed_out", places)
    assert GAME.to_move(position) == ()
    assert list(GAME.legal_moves(position, RED)) == []
    assert refusal(position, YELLOW, Select("b2")) == "not_your_turn"
