"""The folds of the history checker copy from the events, and use nothing else."""

from typing import Any

import pytest

from tests.e2e.expected_state import comparable, discs, men, pegs, two_boards

TURNED = {"type": "turned", "half": 1, "trapped": []}


def test_captured_discs_change_to_the_colour_of_the_seat_that_placed() -> None:
    """Green places on a1 and captures the red discs between a1 and its own disc."""
    laid_out = {"type": "laid_out", "board": ["...", "b..", ".rg"]}
    placed = {"type": "placed", "seat": 1, "at": "a1", "captured": ["b1"]}
    assert discs([laid_out, placed], ("red", "green", "blue")) == {
        "board": ["...", "b..", "ggg"],
        "scores": {"red": 0, "green": 3, "blue": 1},
    }


def test_boards_taller_than_nine_rows_keep_their_order() -> None:
    """Row numbers are compared as numbers: 10 is above 9."""
    rows = [f"{letter}." for letter in "rgbrgbrgbrg"]
    placed = {"type": "placed", "seat": 2, "at": "b11", "captured": ["a10"]}
    folded = discs([{"type": "laid_out", "board": rows}, placed], ("blue", "red", "green"))
    assert folded["board"] == ["rg", "g.", *rows[2:]]


def test_a_turned_disc_changes_on_its_own_board_only() -> None:
    """Red's a2 is turned and traps b2; yellow's board is unchanged."""
    events: list[dict[str, Any]] = [
        {"type": "laid_out", "board": ["WWB", "W.B"]},
        {**TURNED, "board": "red", "at": "a2", "to": "B", "trapped": ["b2"]},
    ]
    assert two_boards(events, ("red", "yellow")) == {
        "boards": {"red": ["BBB", "W.B"], "yellow": ["WWB", "W.B"]},
        "round": 1,
        "black": {"red": 4, "yellow": 2},
        "selected": {"red": False, "yellow": False},
        "committed": {"red": False, "yellow": False},
        "own_selection": None,
    }


def test_a_new_selection_revokes_the_commit_and_hides_its_square_from_others() -> None:
    """As sent to yellow: the event has yellow's own square, but not red's."""
    events = [
        {"type": "committed", "seat": 1},
        {"type": "selected", "seat": 1, "at": "c3"},
        {"type": "selected", "seat": 0},
        {"type": "committed", "seat": 0},
    ]
    state = two_boards(events, ("red", "yellow"))
    assert state["committed"] == {"red": True, "yellow": False}
    assert state["selected"] == {"red": True, "yellow": True}
    assert state["own_selection"] == "c3"


def test_a_new_round_clears_the_selections() -> None:
    """Both players select again."""
    state = two_boards([{"type": "selected", "seat": 0, "at": "a1"}, {"type": "round_begun", "round": 2}], ("r", "y"))
    assert (state["round"], state["selected"], state["own_selection"]) == (2, {"r": False, "y": False}, None)


MILL = ["a7", "d7", "g7"]
CLOSED = {"type": "placed", "seat": 0, "at": "g7", "mills": [MILL], "removals_owed": 1}


@pytest.mark.parametrize(
    ("after", "standing"),
    [
        ({"type": "removed", "seat": 0, "at": "b4", "removals_owed": 0}, [MILL]),
        ({"type": "removed", "seat": 1, "at": "d7", "removals_owed": 0}, []),
        ({"type": "moved", "seat": 0, "from": "g7", "to": "g4", "mills": [], "removals_owed": 0}, []),
    ],
)
def test_a_mill_lasts_until_one_of_its_men_is_gone(after: dict[str, Any], standing: list[list[str]]) -> None:
    """Removing another man does not change it."""
    assert men([CLOSED, after], ("white", "black"))["mills"] == standing


def test_men_are_counted_in_hand_on_the_board_and_lost() -> None:
    """White placed two men and removed one of black's."""
    events: list[dict[str, Any]] = [
        {"type": "match_started", "options": {"flying": "both"}},
        {"type": "placed", "seat": 0, "at": "a7", "removals_owed": 0},
        {"type": "placed", "seat": 1, "at": "b4", "removals_owed": 0},
        {"type": "placed", "seat": 0, "at": "d7", "removals_owed": 1},
        {"type": "removed", "seat": 0, "at": "b4", "removals_owed": 0},
    ]
    state = men(events, ("white", "black"))
    assert state["hand"] == {"white": 7, "black": 8}
    assert state["on_board"] == {"white": 2, "black": 0}
    assert state["lost"] == {"white": 0, "black": 1}
    assert state["phase"] == {"white": "placing", "black": "placing"}
    assert {name for name, man in state["points"].items() if man} == {"a7", "d7"}


def test_pegs_are_placed_flipped_and_moved() -> None:
    """The peg RO of one is placed on c3 with red up, flipped to orange, and moved to d4."""
    ro = {"seat": 0, "peg": "RO", "line": None}
    events = [
        {**ro, "type": "placed", "side": "R", "at": "c3"},
        {**ro, "type": "flipped", "side": "O", "at": "c3"},
        {**ro, "type": "moved", "side": "O", "from": "c3", "to": "d4", "line": ["b2", "c3", "d4"]},
    ]
    state = pegs(events, ("one", "two"))
    assert state["cells"] == {"d4": {"owner": "one", "peg": "RO", "up": "O"}}
    assert state["off_board"]["one"] == ["OY", "YG", "GB", "BV", "VR", "WK"]
    assert state["line"] == ["b2", "c3", "d4"]


def test_states_are_compared_without_their_latest_events() -> None:
    """`last` is ignored, while a different position is still different."""
    assert comparable({"board": ["r"], "last": [1]}) == comparable({"board": ["r"], "last": [2]})
    assert comparable({"board": ["r"]}) != comparable({"board": ["g"]})
