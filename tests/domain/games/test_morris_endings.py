"""How matches end: by the rules, by a guard, by dropping out; the drawings are explained in test_morris_board."""

from collections import Counter
from itertools import cycle, islice

import pytest

from service.domain.game import DropReason, Outcome, Rejected
from service.domain.games.morris import GAME
from service.domain.games.morris.model import BLACK, WHITE, Options, Removed
from tests.domain.games.test_morris_board import board, event_of, legal_moves, parse_move, play_moves

WHITE_WON, BLACK_WON, DRAWN = (1, 2), (2, 1), (1, 1)

# Too few men

THREE_LEFT = """
    W-----W-----.
    | .---.---. |
    | | .-.-. | |
    .-.-.   .-B-W
    | | .-B-. | |
    | B---.---. |
    .-----.-----W
"""


def test_a_player_left_with_two_men_has_lost() -> None:
    """White closes a mill and removes black's third man."""
    state = play_moves(board(THREE_LEFT), "g4-g7")
    assert event_of(state, "xb2") == Removed(WHITE, "b2", 0, "too_few_men")
    assert GAME.outcome(play_moves(state, "xb2")) == Outcome("too_few_men", WHITE_WON)


def test_a_man_in_hand_counts_as_a_man_left() -> None:
    """Two on the board and one in hand are three: black may place."""
    state = play_moves(board(THREE_LEFT, hand=(0, 1)), "g4-g7 xb2")
    assert GAME.outcome(state) is None
    assert GAME.to_move(state) == (BLACK,)


def test_no_seat_is_to_move_after_the_end() -> None:
    """No seat has a legal move, and none is accepted."""
    state = play_moves(board(THREE_LEFT), "g4-g7 xb2")
    assert GAME.to_move(state) == ()
    for seat in (WHITE, BLACK):
        assert list(GAME.legal_moves(state, seat)) == []
        with pytest.raises(Rejected, match="not_your_turn"):
            GAME.decide(state, seat, parse_move("d3-d2"))


# No legal move

BOXED_IN = """
    B-----W-----B
    | W---.---. |
    | | .-.-. | |
    W-.-.   .-.-W
    | | .-.-. | |
    | .---.---. |
    B-----W-----B
"""


def test_a_player_who_cannot_move_has_lost() -> None:
    """All four black men are blocked in the corners; this precedes the guard, by which it would be a draw."""
    state = play_moves(board(BOXED_IN, quiet_limit=1), "b6-d6")
    assert GAME.outcome(state) == Outcome("no_legal_move", WHITE_WON)


def test_black_wins_where_white_cannot_move() -> None:
    """The same with the colours swapped."""
    mirrored = BOXED_IN.translate(str.maketrans("WB", "BW"))
    assert GAME.outcome(play_moves(board(mirrored, mover=BLACK), "b6-d6")) == Outcome("no_legal_move", BLACK_WON)


def test_a_removal_can_remove_the_last_man_that_could_move() -> None:
    """Without c3 black is blocked; without a corner man c3 can still move."""
    state = play_moves(board("""
        B-----W-----B
        | W---W---. |
        | | .-.-. | |
        W-.-.   .-W-W
        | | B-.-. | |
        | .---.---. |
        B-----W-----B
    """), "f4-f6")  # fmt: skip
    assert event_of(state, "xc3") == Removed(WHITE, "c3", 0, "no_legal_move")
    assert legal_moves(play_moves(state, "xa7")) == {"c3-c4", "c3-d3"}


@pytest.mark.parametrize(("flying", "reason"), [("both", None), ("reduced", None), ("off", "no_legal_move")])
def test_three_blocked_men_fly_where_allowed(flying: str, reason: str | None) -> None:
    """Without flying the player has lost."""
    state = board("""
        B-----W-----B
        | W---.---. |
        | | .-.-. | |
        W-.-.   .-.-W
        | | .-.-. | |
        | .---.---. |
        B-----W-----.
    """, flying=flying)  # fmt: skip
    assert event_of(state, "b6-d6").ends == reason


def test_while_placing_there_is_always_a_move() -> None:
    """The men on the board are blocked, but one in hand can be placed."""
    state = play_moves(board(BOXED_IN, hand=(1, 1)), "d6")
    assert GAME.outcome(state) is None
    assert len(legal_moves(state)) == 14


# Repetition

TO_AND_FRO = """
    W-----.-----.
    | .---.---B |
    | | .-.-. | |
    .-.-.   .-.-B
    | | W-.-W | |
    | .---W---. |
    .-----B-----B
"""
FOUR_PLIES = "a7-a4 g4-g7 a4-a7 g7-g4 "


def test_the_third_occurrence_of_a_position_is_a_draw() -> None:
    """The positions after plies 1, 5 and 9 are the same."""
    state = play_moves(board(TO_AND_FRO), 2 * FOUR_PLIES)
    assert GAME.outcome(state) is None
    assert GAME.outcome(play_moves(state, "a7-a4")) == Outcome("repetition", DRAWN)


def test_the_position_after_the_last_placement_is_an_occurrence() -> None:
    """Black's last placement reaches it, and moving back and forth reaches it twice again."""
    placed = play_moves(board(TO_AND_FRO.replace("-B\n    | | W", "-.\n    | | W"), hand=(0, 1), mover=BLACK), "g4")
    assert GAME.outcome(play_moves(placed, 2 * FOUR_PLIES)) == Outcome("repetition", DRAWN)


def test_repetition_can_be_switched_off() -> None:
    """Then positions may occur any number of times."""
    assert GAME.outcome(play_moves(board(TO_AND_FRO, repetition=False), 10 * FOUR_PLIES)) is None


def test_the_same_men_with_the_other_player_to_move_are_another_position() -> None:
    """White flies round in three turns, black moves to and fro in two: in 24 plies the same men occur four times."""
    state = board("""
        W-----.-----.
        | .---.---B |
        | | .-.-W | |
        .-.-.   .-.-B
        | | W-.-. | |
        | .---.---. |
        .-----B-----B
    """)  # fmt: skip
    stood = Counter[tuple[int, int]]()
    white, black = cycle(["a7-a4", "a4-a1", "a1-a7"]), cycle(["g4-g7", "g7-g4"])
    for move in islice((move for turns in zip(white, black, strict=True) for move in turns), 24):
        state = play_moves(state, move)
        stood[state.men] += 1
    assert GAME.outcome(state) is None
    assert set(stood.values()) == {4}
    assert event_of(state, "a7-a4").ends == "repetition"


def test_the_same_men_with_fewer_in_hand_are_another_position() -> None:
    """Each closes a mill and removes the man just placed: the board is the same again with fewer men in hand."""
    start = board("""
        W-----W-----.
        | .---.---. |
        | | .-.-. | |
        .-.-.   .-.-.
        | | .-.-. | |
        | .---.---. |
        B-----B-----B
    """, hand=(5, 5), all_in_mills="any")  # fmt: skip
    state = play_moves(start, 4 * "g7 xg1 g1 xg7 ")
    assert (state.men, state.hand) == (start.men, (1, 1))
    assert GAME.outcome(state) is None


# Quiet turns


def test_quiet_turns_in_a_row_are_a_draw() -> None:
    """The eighth turn without a placement or removal reaches the limit of eight."""
    state = play_moves(board(TO_AND_FRO, quiet_limit=8), FOUR_PLIES + "a7-a4 g4-g7 a4-a7")
    assert GAME.outcome(state) is None
    assert GAME.outcome(play_moves(state, "g7-g4")) == Outcome("quiet_limit", DRAWN)


@pytest.mark.parametrize(("repetition", "reason"), [(True, "repetition"), (False, "quiet_limit")])
def test_repetition_precedes_the_quiet_limit(repetition: bool, reason: str) -> None:  # noqa: FBT001 - an option's value
    """The ninth ply reaches both."""
    state = play_moves(board(TO_AND_FRO, quiet_limit=9, repetition=repetition), 2 * FOUR_PLIES)
    assert event_of(state, "a7-a4").ends == reason


def test_without_a_limit_quiet_turns_never_end_the_match() -> None:
    """0 means no limit."""
    assert GAME.outcome(play_moves(board(TO_AND_FRO, quiet_limit=0, repetition=False), 60 * FOUR_PLIES)) is None


MILL_NEXT = """
    .-----W-----W
    | W---.---W |
    | | .-.-. | |
    W-.-.   .-.-.
    | | .-.-. | |
    | B---.---B |
    B-----B-----B
"""


def test_a_turn_with_a_removal_is_not_quiet() -> None:
    """The third turn closes a mill and removes a man, so the count restarts after it."""
    state = play_moves(board(MILL_NEXT, mover=BLACK, quiet_limit=2), "b2-b4 a4-a7")
    assert GAME.to_move(state) == (WHITE,)
    state = play_moves(state, "xb4 f2-f4")
    assert GAME.outcome(state) is None
    assert event_of(state, "g7-g4").ends == "quiet_limit"


def test_a_turn_with_a_placement_is_not_quiet() -> None:
    """The limit of one is reached by the first turn that only moves."""
    state = play_moves(board(MILL_NEXT, hand=(1, 1), quiet_limit=1), "d5 c5")
    assert GAME.outcome(state) is None
    assert event_of(state, "d5-e5").ends == "quiet_limit"


def test_a_mill_that_removes_nothing_is_quiet() -> None:
    """All black men are in a mill; the removal lapses and the turn counts as quiet."""
    state = board(MILL_NEXT.replace("B---.---B", ".---.---."), quiet_limit=1)
    closing = event_of(state, "a4-a7")
    assert (len(closing.mills), closing.removals_owed, closing.ends) == (1, 0, "quiet_limit")


# Leaving


@pytest.mark.parametrize("reason", ["resigned", "timed_out", "forfeited"])
def test_when_one_seat_drops_out_the_other_wins(reason: DropReason) -> None:
    """For either player to move, also in the middle of a turn."""
    for state in (GAME.start(Options()), play_moves(board(THREE_LEFT), "g4-g7")):
        for seat, places in ((WHITE, BLACK_WON), (BLACK, WHITE_WON)):
            (dropped,) = GAME.drop(state, seat, reason)
            left = GAME.evolve(state, dropped)
            assert GAME.outcome(left) == Outcome(reason, places)
            assert GAME.to_move(left) == ()
