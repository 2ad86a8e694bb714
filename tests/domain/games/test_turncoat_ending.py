"""How a match of Turncoat ends; red's board is drawn on the left, yellow's on the right."""

import pytest

from service.domain.game import Dropped, Outcome, Seat
from service.domain.games.turncoat import GAME
from service.domain.games.turncoat.model import Commit, Options, RoundBegun, Select, Turned
from tests.domain.games.test_turncoat import (
    MOSTLY_WHITE,
    RED,
    YELLOW,
    after,
    boards_of,
    chance,
    commit_both,
    parse_position,
    play_moves,
    refusal,
    resolve_round,
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
    events, position = resolve_round(parse_position(RED_HAS_ONE_LEFT), "c2", "a8")
    assert events == [
        Turned(board="red", half=1, at="c2", to="B", trapped=()),
        Turned(board="yellow", half=1, at="a8", to="B", trapped=()),
    ]
    assert GAME.outcome(position) == Outcome("all_black", (1, 2))


def test_nobody_can_move_when_the_match_is_over() -> None:
    """No seat is to move, no move is legal, and each is rejected."""
    _, position = resolve_round(parse_position(RED_HAS_ONE_LEFT), "c2", "a8")
    assert GAME.to_move(position) == ()
    for seat in (RED, YELLOW):
        assert list(GAME.legal_moves(position, seat)) == []
        assert refusal(position, seat, Select("a1")) == "not_your_turn"
        assert refusal(position, seat, Commit()) == "not_your_turn"


def test_a_half_ends_with_yellows_step() -> None:
    """Red's board is black after the first step already, but yellow's disc is still turned, which makes it a draw."""
    _, position = resolve_round(parse_position(ONE_LEFT), "c2", "c2")
    assert GAME.outcome(position) == Outcome("all_black", (1, 1))


def test_there_is_no_outcome_before_the_end_of_a_half() -> None:
    """After red's step alone the match is not over."""
    position = commit_both(parse_position(RED_HAS_ONE_LEFT), "c2", "a8")
    first, second = GAME.follow(position, chance())
    assert GAME.outcome(after(position, [first])) is None
    assert GAME.outcome(after(position, [first, second])) is not None


def test_a_black_board_after_the_second_half_wins() -> None:
    """Red turns a1 and yellow c2, so yellow itself completes red's board."""
    events, position = resolve_round(parse_position(RED_HAS_TWO_LEFT), "a1", "c2")
    assert len(events) == 4
    assert GAME.outcome(position) == Outcome("all_black", (1, 2))


def test_yellow_wins_in_the_same_way() -> None:
    """With the boards swapped the places are swapped too."""
    exchanged = "\n".join(" | ".join(reversed(line.split("|"))) for line in RED_HAS_TWO_LEFT.strip().splitlines())
    _, position = resolve_round(parse_position(exchanged), "c2", "a1")
    assert GAME.outcome(position) == Outcome("all_black", (2, 1))


def test_two_black_boards_after_the_second_half_are_a_draw() -> None:
    """Red's a1 and yellow's c2 together complete both."""
    _, position = resolve_round(parse_position(TWO_LEFT), "a1", "c2")
    assert GAME.outcome(position) == Outcome("all_black", (1, 1))


def test_the_second_half_may_undo_the_first() -> None:
    """Both select a1: everything is as before, and the match continues."""
    before = parse_position(TWO_LEFT)
    _, position = resolve_round(before, "a1", "a1")
    assert boards_of(position) == boards_of(before)
    assert GAME.outcome(position) is None
    assert position.round == 2


@pytest.mark.parametrize(("number", "ends"), [(59, False), (60, True)])
def test_the_sixtieth_round_is_the_last_by_default(number: int, ends: bool) -> None:  # noqa: FBT001 - a table of cases
    """The guard is a draw, and no further round begins."""
    events, position = resolve_round(parse_position(MOSTLY_WHITE, number=number), "b2", "b2")
    assert GAME.outcome(position) == (Outcome("round_limit", (1, 1)) if ends else None)
    assert (RoundBegun(round=number + 1) in events) is not ends


def test_without_a_limit_a_match_continues() -> None:
    """A limit of 0 means none."""
    _, position = resolve_round(parse_position(MOSTLY_WHITE, Options(round_limit=0), number=100_000), "b2", "b2")
    assert GAME.outcome(position) is None


@pytest.mark.parametrize(("drawing", "places"), [(RED_HAS_TWO_LEFT, (1, 2)), (TWO_LEFT, (1, 1))])
def test_at_the_limit_fewest_white_may_win(drawing: str, places: tuple[int, int]) -> None:
    """Equal numbers of white discs are a draw; the reason is the limit in either case."""
    options = Options(round_limit=7, at_limit="fewest_white")
    _, position = resolve_round(parse_position(drawing, options, number=7), "a1", "a1")
    assert GAME.outcome(position) == Outcome("round_limit", places)


def test_a_win_precedes_the_limit() -> None:
    """In the last round, after its second half."""
    _, position = resolve_round(parse_position(RED_HAS_TWO_LEFT, Options(round_limit=7), number=7), "a1", "c2")
    assert GAME.outcome(position) == Outcome("all_black", (1, 2))


@pytest.mark.parametrize(("seat", "places"), [(RED, (2, 1)), (YELLOW, (1, 2))])
def test_a_seat_that_drops_out_loses(seat: Seat, places: tuple[int, int]) -> None:
    """The other seat wins, with the reason of the drop-out; nothing is revealed."""
    position = play_moves(parse_position(MOSTLY_WHITE), (RED, Select("b2")), (RED, Commit()))
    events = GAME.drop(position, seat, "timed_out")
    assert events == [Dropped(seat, "timed_out")]
    position = after(position, events)
    assert GAME.outcome(position) == Outcome("timed_out", places)
    assert GAME.to_move(position) == ()
    assert list(GAME.legal_moves(position, RED)) == []
    assert refusal(position, YELLOW, Select("b2")) == "not_your_turn"
