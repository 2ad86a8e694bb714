"""Mills and removals; the drawings are explained in test_morris_board."""

import pytest

from service.domain.game import Outcome, Seat
from service.domain.games.morris import GAME
from service.domain.games.morris.model import BLACK, WHITE, Moved, Placed, Position, Removed
from tests.domain.games.test_morris_board import board, event_of, legal_moves, play_moves, refusal, view_of


def test_a_mill_gives_a_removal_in_the_same_turn() -> None:
    """Until the man is removed nothing else is legal and nobody else is to move."""
    state = board("""
        W-----W-----.
        | .---.---W |
        | | B-.-. | |
        .-.-.   .-.-B
        | | .-.-. | |
        | .---B---B |
        .-----.-----W
    """, hand=(2, 1))  # fmt: skip
    event = event_of(state, "g7")
    assert event == Placed(WHITE, "g7", (("a7", "d7", "g7"),), 1)
    owing = GAME.evolve(state, event)
    assert GAME.to_move(owing) == (WHITE,)
    assert legal_moves(owing) == {"xc5", "xg4", "xd2", "xf2"}
    assert refusal(owing, "a4") == refusal(owing, "a7-a4") == "removal_owed"
    assert refusal(owing, "xa7") == refusal(owing, "xe5") == "not_an_opponents_man"
    assert refusal(owing, "xc5", BLACK) == "not_your_turn"
    assert event_of(owing, "xC5") == Removed(WHITE, "c5", 0)
    assert GAME.to_move(play_moves(owing, "xc5")) == (BLACK,)


def test_the_last_placement_can_close_a_mill() -> None:
    """Black places the last man, removes one with it, and then white moves."""
    state = board("""
        B-----.-----B
        | .---W---. |
        | | .-.-. | |
        W-.-.   .-.-.
        | | .-.-. | |
        | .---W---. |
        W-----.-----W
    """, hand=(0, 1), mover=BLACK, flying="off")  # fmt: skip
    after = play_moves(state, "d7 xd6")
    assert GAME.to_move(after) == (WHITE,)
    assert legal_moves(after) == {"a4-b4", "d2-b2", "d2-f2", "d2-d3", "d2-d1", "a1-d1", "g1-d1", "g1-g4"}


TWO_AT_ONCE = """
    W-----.-----B
    | .---B---B |
    | | .-.-. | |
    .-W-W   .-.-.
    | | .-.-. | |
    | .---B---. |
    W-----.-----B
"""


def test_two_mills_closed_by_one_placement_give_two_removals() -> None:
    """After the first removal the same seat still owes the second one."""
    state = board(TWO_AT_ONCE, hand=(1, 1))
    event = event_of(state, "a4")
    assert event == Placed(WHITE, "a4", (("a4", "b4", "c4"), ("a7", "a4", "a1")), 2)
    once = play_moves(state, "a4 xg7")
    assert (GAME.to_move(once), view_of(once)["removals_owed"]) == ((WHITE,), 1)
    assert legal_moves(once) == {"xd6", "xf6", "xd2", "xg1"}
    assert GAME.to_move(play_moves(once, "xd2")) == (BLACK,)


def test_two_mills_give_one_removal_if_the_option_says_so() -> None:
    """`double_mill` = `one`: the turn is over after the first."""
    state = board(TWO_AT_ONCE, hand=(1, 1), double_mill="one")
    assert event_of(state, "a4").removals_owed == 1
    assert GAME.to_move(play_moves(state, "a4 xg7")) == (BLACK,)


FIVE_AGAINST_THREE = """
    W-----.-----.
    | .---.---. |
    | | B-.-B | |
    .-W-W   .-.-.
    | | .-B-. | |
    | .---.---. |
    W-----.-----W
"""


def test_a_flyer_with_more_than_three_men_can_close_two_mills() -> None:
    """White has five men and flies because black has three; the first removal wins, so no second one is owed."""
    state = board(FIVE_AGAINST_THREE)
    event = event_of(state, "g1-a4")
    assert event == Moved(WHITE, "g1", "a4", (("a4", "b4", "c4"), ("a7", "a4", "a1")), 2)
    assert event_of(GAME.evolve(state, event), "xc5") == Removed(WHITE, "c5", 0, "too_few_men")
    after = play_moves(state, "g1-a4 xc5")
    assert GAME.outcome(after) == Outcome("too_few_men", (1, 2))
    assert (GAME.to_move(after), view_of(after)["removals_owed"]) == ((), 0)


def test_a_man_in_a_mill_is_protected() -> None:
    """As long as another man is outside the mills."""
    state = play_moves(board("""
        W-----W-----.
        | B---B---B |
        | | .-.-. | |
        .-.-.   .-.-W
        | | .-.-. | |
        | .---B---. |
        .-----.-----.
    """), "g4-g7")  # fmt: skip
    assert legal_moves(state) == {"xd2"}
    assert refusal(state, "xb6") == "protected_by_mill"


OF_FIVE = """
    W-----W-----.
    | B---B---B |
    | | .-.-. | |
    .-B-.   .-.-W
    | | .-.-. | |
    | B---.---. |
    W-----.-----.
"""
OF_THREE = """
    W-----W-----.
    | B---B---B |
    | | .-.-. | |
    .-.-.   .-.-W
    | | .-.-. | |
    | .---.---. |
    W-----.-----.
"""


@pytest.mark.parametrize(
    ("all_in_mills", "five", "three", "three_and_hand"),
    [
        ("none", set(), set(), set()),
        ("three", set(), {"xb6", "xd6", "xf6"}, set()),
        ("any", {"xb6", "xd6", "xf6", "xb4", "xb2"}, {"xb6", "xd6", "xf6"}, {"xb6", "xd6", "xf6"}),
    ],
)
def test_removals_when_all_men_are_in_mills(
    all_in_mills: str, five: set[str], three: set[str], three_and_hand: set[str]
) -> None:
    """Of five men in two mills, of three in one, and of three in one with a fourth in hand."""
    assert removals(board(OF_FIVE, all_in_mills=all_in_mills), "g4-g7") == five
    assert removals(board(OF_THREE, all_in_mills=all_in_mills), "g4-g7") == three
    assert removals(board(OF_THREE, hand=(1, 1), all_in_mills=all_in_mills), "g7") == three_and_hand


def removals(state: Position, move: str) -> set[str]:
    """Return the removals after a move of white's that closes one mill; without any the turn has ended."""
    event = event_of(state, move)
    after = GAME.evolve(state, event)
    assert len(event.mills) == 1
    assert GAME.to_move(after) == ((WHITE,) if event.removals_owed else (BLACK,))
    return legal_moves(after) if event.removals_owed else set()


ONE_OUTSIDE = """
    W-----.-----.
    | B---B---B |
    | | B-.-. | |
    .-W-W   .-.-.
    | | .-.-. | |
    | .---.---. |
    W-----.-----.
"""


@pytest.mark.parametrize(
    ("all_in_mills", "mover", "targets"),
    [("none", BLACK, None), ("three", WHITE, {"xb6", "xd6", "xf6"}), ("any", WHITE, {"xb6", "xd6", "xf6"})],
)
def test_protection_is_checked_again_before_the_second_removal(
    all_in_mills: str, mover: Seat, targets: set[str] | None
) -> None:
    """The first removal takes the last man outside a mill; the second lapses, or hits a player with three men."""
    state = board(ONE_OUTSIDE, hand=(1, 0), all_in_mills=all_in_mills)
    assert legal_moves(play_moves(state, "a4")) == {"xc5"}
    once = play_moves(state, "a4 xc5")
    assert GAME.to_move(once) == (mover,)
    assert targets in (None, legal_moves(once))


def test_a_removal_from_a_mill_exposes_its_other_men() -> None:
    """Two mills share b6: without d6 only f6 is outside a mill."""
    state = board("""
        W-----.-----.
        | B---B---B |
        | | .-.-. | |
        W-B-.   .-.-.
        | | .-.-. | |
        | B---.---. |
        .-----W-----W
    """, hand=(1, 0), all_in_mills="any")  # fmt: skip
    once = play_moves(state, "a1 xd6")
    assert legal_moves(once) == {"xf6"}
    assert refusal(once, "xb6") == "protected_by_mill"


OPEN_AND_CLOSE = """
    W-----W-----W
    | W---.---W |
    | | .-.-. | |
    .-.-.   .-.-.
    | | .-.-. | |
    | B---.---B |
    B-----B-----B
"""


def test_a_mill_that_is_opened_and_closed_again_counts_again() -> None:
    """White opens a7-d7-g7 and closes it on the next turn."""
    closing = event_of(play_moves(board(OPEN_AND_CLOSE), "a7-a4 b2-b4"), "a4-a7")
    assert closing == Moved(WHITE, "a4", "a7", (("a7", "d7", "g7"),), 1)


def test_a_man_can_move_from_one_mill_into_another() -> None:
    """Moving d7 to d6 leaves the upper mill and closes the lower one."""
    assert event_of(board(OPEN_AND_CLOSE), "d7-d6") == Moved(WHITE, "d7", "d6", (("b6", "d6", "f6"),), 1)


def test_a_mill_that_existed_before_gives_no_removal() -> None:
    """Only a line through the point just reached is closed now."""
    assert event_of(board(OPEN_AND_CLOSE), "b6-b4") == Moved(WHITE, "b6", "b4", (), 0)
