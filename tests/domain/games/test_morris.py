"""The first seat, and how men are placed, move and fly; the drawings are explained in test_morris_board."""

import pytest

from service.domain.chance import Chance, DrawNumber
from service.domain.game import Seat
from service.domain.games.morris import GAME
from service.domain.games.morris.board import POINTS
from service.domain.games.morris.model import BLACK, WHITE, Began, Moved, Options, Placed, Rolled
from tests.domain.games.test_morris_board import board, event_of, legal_moves, play_moves, refusal, view_of


def chance(seed: int) -> Chance:
    """Return the draws of a match with this seed."""
    return Chance(bytes([seed]) * 32, ("", ""), DrawNumber(0))


def test_player_one_begins_without_a_roll() -> None:
    """There is no event before the first turn, which is white's."""
    assert GAME.setup(Options(), chance(0)) == []
    assert GAME.to_move(GAME.start(Options())) == (WHITE,)


def test_the_higher_roll_begins_and_equal_rolls_are_rolled_again() -> None:
    """Every roll is an event with its own draw, and the last event names the first seat; ties occur."""
    seen = set()
    for seed in range(40):
        *rolls, began = GAME.setup(Options(first="roll"), chance(seed))
        assert isinstance(began, Began)
        values = [roll.value for roll in rolls if isinstance(roll, Rolled)]
        pairs = list(zip(values[::2], values[1::2], strict=True))
        assert rolls == [Rolled(Seat(n % 2), value, DrawNumber(n)) for n, value in enumerate(values)]
        assert set(values) <= {1, 2, 3, 4, 5, 6}
        assert all(white == black for white, black in pairs[:-1])
        assert began.seat == (WHITE if pairs[-1][0] > pairs[-1][1] else BLACK)
        seen |= {began.seat, *values, f"{len(pairs) > 1} tie"}
    assert seen == {0, 1, 2, 3, 4, 5, 6, "True tie", "False tie"}


def test_the_seat_with_the_higher_roll_places_first() -> None:
    """With seeds 0 to 9 the seat to move is the one that the last event of the set-up names."""
    for seed in range(10):
        state = GAME.start(Options(first="roll"))
        events = GAME.setup(Options(first="roll"), chance(seed))
        for event in events:
            state = GAME.evolve(state, event)
        assert events[-1] == Began(*GAME.to_move(state))


# Placing and moving


def test_nobody_moves_a_man_before_all_eighteen_are_placed() -> None:
    """Each turn of the placing phase has a move for every empty point, and no other."""
    state = GAME.start(Options())
    order = ["a7", "d7", "g7", "a4", "a1", "g4", "g1", "d1", "d6", "b6", "b4", "f6", "f4", "b2", "d2", "f2", "c5", "d5"]
    for number, name in enumerate(order):
        assert legal_moves(state) == set(POINTS) - set(order[:number])
        assert refusal(state, "a7-b6") == "men_in_hand"
        state = play_moves(state, name)
    assert refusal(state, "c3") == "no_men_in_hand"
    assert legal_moves(state) == {"c5-c4", "b4-c4", "f4-e4", "d2-d3"}


def test_a_man_is_placed_on_an_empty_point() -> None:
    """Not on a man of either colour, and not by the seat that is not to move."""
    state = play_moves(GAME.start(Options()), "A7 d6")
    assert refusal(state, "a7") == refusal(state, "d6") == "occupied"
    assert refusal(state, "g1", BLACK) == "not_your_turn"
    assert event_of(state, "G1") == Placed(WHITE, "g1", (), 0)


SLIDES = board("""
    .-----W-----.
    | .---W---. |
    | | .-.-. | |
    .-.-.   .-.-B
    | | .-.-. | |
    | .---B---. |
    B-----.-----B
""", flying="off")  # fmt: skip


def test_a_man_slides_along_a_line_to_the_next_empty_point() -> None:
    """It cannot jump, stay or leave the lines, and only one's own men move."""
    assert legal_moves(SLIDES) == {"d7-a7", "d7-g7", "d6-b6", "d6-f6", "d6-d5"}
    assert event_of(SLIDES, "D6-d5") == Moved(WHITE, "d6", "d5", (), 0)
    assert refusal(SLIDES, "d7-d5") == "not_adjacent"
    assert refusal(SLIDES, "d6-d7") == refusal(SLIDES, "d6-d2") == "occupied"
    assert refusal(SLIDES, "d6-d6") == "same_point"
    assert refusal(SLIDES, "g1-d1") == refusal(SLIDES, "c5-c4") == "not_your_man"
    assert refusal(SLIDES, "xg1") == "nothing_to_remove"
    assert refusal(SLIDES, "g1-d1", BLACK) == "not_your_turn"


# Flying


@pytest.mark.parametrize(("flying", "flyers"), [("both", {WHITE, BLACK}), ("reduced", {WHITE}), ("off", set())])
def test_who_flies_when_white_is_down_to_three(flying: str, flyers: set[Seat]) -> None:
    """A flying man goes to any of the 17 empty points; the others slide."""
    drawing = """
        W-----.-----.
        | .---W---. |
        | | .-.-. | |
        .-.-.   .-.-B
        | | .-.-W | |
        | .---B---. |
        B-----.-----B
    """
    white, black = (board(drawing, mover=seat, flying=flying) for seat in (WHITE, BLACK))
    assert len(legal_moves(white)) == (3 * 17 if WHITE in flyers else 8)
    assert len(legal_moves(black)) == (4 * 17 if BLACK in flyers else 9)
    assert view_of(white)["phase"] == {
        "white": "flying" if WHITE in flyers else "moving",
        "black": "flying" if BLACK in flyers else "moving",
    }


def test_men_in_hand_count_where_a_player_is_reduced_to_three() -> None:
    """Black has two men on the board: with two in hand nobody flies, with one both fly."""
    drawing = """
        W-----.-----.
        | .---.---. |
        | | B-.-B | |
        .-W-W   .-.-.
        | | .-.-. | |
        | .---.---. |
        W-----.-----W
    """
    assert view_of(board(drawing, hand=(0, 2), mover=BLACK))["phase"] == {"white": "moving", "black": "placing"}
    three = board(drawing, hand=(0, 1), mover=BLACK)
    assert view_of(three)["phase"] == {"white": "flying", "black": "placing"}
    assert view_of(play_moves(three, "d3"))["phase"] == {"white": "flying", "black": "flying"}
    assert "g1-d6" in legal_moves(play_moves(three, "d3"))
