"""Mills and removals; the drawings are explained in test_morris_board."""

import pytest

from service.domain.game import Outcome, Seat
from service.domain.games.morris import GAME
from service.domain.games.morris.model import BLACK, WHITE, Moved, Placed, Position, Removed
from tests.domain.games.test_morris_board import board, legal, played, refusal, shown, told


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
    event = told(state, "g7")
    assert event == Placed(WHITE, "g7", (("a7", "d7", "g7"),), 1)
    owing = GAME.evolve(state, event)
    assert GAME.to_move(owing) == (WHITE,)
    assert legal(owing) == {"xc5", "xg4", "xd2", "xf2"}
    assert refusal(owing, "a4") == refusal(owing, "a7-a4") == "removal_owed"
    assert refusal(owing, "xa7") == refusal(owing, "xe5") == "not_an_opponents_man"
    assert refusal(owing, "xc5", BLACK) == "not_your_turn"
    assert told(owing, "xC5") == Removed(WHITE, "c5", 0)
    assert GAME.to_move(played(owing, "xc5")) == (BLACK,)


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
    after = played(state, "d7 xd6")
    assert GAME.to_move(after) == (WHITE,)
    assert legal(after) == {"a4-b4", "d2-b2", "d2-f2", "d2-d3", "d2-d1", "a1-d1", "g1-d1", "g1-g4"}


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
    """After the first removal the same seat still owes the second."""
    state = board(TWO_AT_ONCE, hand=(1, 1))
    event = told(state, "a4")
    assert event == Placed(WHITE, "a4", (("a4", "b4", "c4"), ("a7", "a4", "a1")), 2)
    once = played(state, "a4 xg7")
    assert (GAME.to_move(once), shown(once)["removals_owed"]) == ((WHITE,), 1)
    assert legal(once) == {"xd6", "xf6", "xd2", "xg1"}
    assert GAME.to_move(played(once, "xd2")) == (BLACK,)


def test_two_mills_give_one_removal_if_the_option_says_so() -> None:
    """`double_mill` = `one`: the turn is over after the first."""
    state = board(TWO_AT_ONCE, hand=(1, 1), double_mill="one")
    assert told(state, "a4").removals_owed == 1
    assert GAME.to_move(played(state, "a4 xg7")) == (BLACK,)


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
    """White has five men and flies because black has three; the first removal wins, so the second is owed no more."""
    state = board(FIVE_AGAINST_THREE)
    event = told(state, "g1-a4")
    assert event == Moved(WHITE, "g1", "a4", (("a4", "b4", "c4"), ("a7", "a4", "a1")), 2)
    assert told(GAME.evolve(state, event), "xc5") == Removed(WHITE, "c5", 0, "too_few_men")
    after = played(state, "g1-a4 xc5")
    assert GAME.outcome(after) == Outcome("too_few_men", (1, 2))
    assert (GAME.to_move(after), shown(after)["removals_owed"]) == ((), 0)


def test_a_man_in_a_mill_is_protected() -> None:
    """As long as another one stands outside."""
    state = played(board("""
        W-----W-----.
        | B---B---B |
        | | .-.-. | |
        .-.-.   .-.-W
        | | .-.-. | |
        | .---B---. |
        .-----.-----.
    """), "g4-g7")  # fmt: skip
    assert legal(state) == {"xd2"}
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
def test_what_may_be_removed_when_all_men_stand_in_mills(
    all_in_mills: str, five: set[str], three: set[str], three_and_hand: set[str]
) -> None:
    """Of five men in two mills, of three in one, and of three in one with a fourth in hand."""
    assert removals(board(OF_FIVE, all_in_mills=all_in_mills), "g4-g7") == five
    assert removals(board(OF_THREE, all_in_mills=all_in_mills), "g4-g7") == three
    assert removals(board(OF_THREE, hand=(1, 1), all_in_mills=all_in_mills), "g7") == three_and_hand


def removals(state: Position, move: str) -> set[str]:
    """Return the removals that a move of white's which closes one mill gives; without any the turn has passed."""
    event = told(state, move)
    after = GAME.evolve(state, event)
    assert len(event.mills) == 1
    assert GAME.to_move(after) == ((WHITE,) if event.removals_owed else (BLACK,))
    return legal(after) if event.removals_owed else set()


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
def test_protection_is_judged_anew_before_the_second_removal(
    all_in_mills: str, mover: Seat, targets: set[str] | None
) -> None:
    """The first removal takes the last man outside a mill; the second lapses, or falls on a player down to three."""
    state = board(ONE_OUTSIDE, hand=(1, 0), all_in_mills=all_in_mills)
    assert legal(played(state, "a4")) == {"xc5"}
    once = played(state, "a4 xc5")
    assert GAME.to_move(once) == (mover,)
    assert targets in (None, legal(once))


def test_a_removal_from_a_mill_bares_the_rest_of_it() -> None:
    """Two mills share b6: once d6 is gone, f6 alone stands outside a mill."""
    state = board("""
        W-----.-----.
        | B---B---B |
        | | .-.-. | |
        W-B-.   .-.-.
        | | .-.-. | |
        | B---.---. |
        .-----W-----W
    """, hand=(1, 0), all_in_mills="any")  # fmt: skip
    once = played(state, "a1 xd6")
    assert legal(once) == {"xf6"}
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


def test_a_mill_opened_and_closed_again_counts_anew() -> None:
    """White opens a7-d7-g7 and closes it on the next turn."""
    closing = told(played(board(OPEN_AND_CLOSE), "a7-a4 b2-b4"), "a4-a7")
    assert closing == Moved(WHITE, "a4", "a7", (("a7", "d7", "g7"),), 1)


def test_a_man_may_go_from_one_mill_straight_into_another() -> None:
    """d7 to d6 leaves the upper mill and closes the one below it."""
    assert told(board(OPEN_AND_CLOSE), "d7-d6") == Moved(WHITE, "d7", "d6", (("b6", "d6", "f6"),), 1)


def test_a_mill_that_stood_before_gives_nothing() -> None:
    """Only a line through the point that was just reached is formed now."""
    assert told(board(OPEN_AND_CLOSE), "b6-b4") == Moved(WHITE, "b6", "b4", (), 0)
