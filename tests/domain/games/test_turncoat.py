"""The rules of Turncoat; red's board is drawn on the left, yellow's on the right."""

import hashlib
import hmac
from collections.abc import Sequence

import msgspec
import pytest
from msgspec.structs import replace

from service.domain.chance import Chance, DrawNumber
from service.domain.game import Rejected, Seat
from service.domain.games.turncoat import GAME
from service.domain.games.turncoat.model import (
    Commit,
    Committed,
    LaidOut,
    Options,
    Position,
    RoundBegun,
    Select,
    Selected,
    TurncoatEvent,
    TurncoatMove,
    Turned,
)

RED, YELLOW = Seat(0), Seat(1)
WHITE_ONLY = Options(selectable="white_only")


def chance(seed: int = 0) -> Chance:
    """Return the chance of a match with this seed and no salts."""
    return Chance(seed.to_bytes(32, "big"), ["", ""], DrawNumber(0))


def parse_boards(drawing: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return both boards of a drawing: eight lines, the top row first."""
    halves = [line.replace(" ", "").split("|") for line in drawing.strip().splitlines()]
    red, yellow = tuple(row for row, _ in halves), tuple(row for _, row in halves)
    assert [len(row) for row in red + yellow] == [8] * 16
    return red, yellow


def parse_position(drawing: str, options: Options | None = None, number: int = 1) -> Position:
    """Return the position at the start of a round."""
    red, yellow = (
        GAME.evolve(GAME.start(options or Options()), LaidOut(board, DrawNumber(0))) for board in parse_boards(drawing)
    )
    assert red.discs == yellow.discs, "both boards must have the same blanks"
    return replace(red, sides=(red.sides[0], yellow.sides[1]), round=number)


def after(position: Position, events: Sequence[TurncoatEvent]) -> Position:
    """Return the position after the events."""
    for event in events:
        position = GAME.evolve(position, event)
    return position


def play_moves(position: Position, *moves: tuple[Seat, TurncoatMove]) -> Position:
    """Return the position after these moves, before anything follows."""
    for seat, move in moves:
        position = after(position, GAME.decide(position, seat, move))
    return position


def commit_both(position: Position, red: str, yellow: str) -> Position:
    """Return the position in which both have committed and nothing has been revealed."""
    return play_moves(position, (RED, Select(red)), (YELLOW, Select(yellow)), (YELLOW, Commit()), (RED, Commit()))


def resolve_round(position: Position, red: str, yellow: str) -> tuple[list[TurncoatEvent], Position]:
    """Return the events that follow when both commit to these squares, and the position after them."""
    position = commit_both(position, red, yellow)
    events = GAME.follow(position, chance())
    position = after(position, events)
    assert GAME.follow(position, chance()) == []
    return events, position


def refusal(position: Position, seat: Seat, move: TurncoatMove) -> str:
    """Return the code with which a move is rejected."""
    with pytest.raises(Rejected) as refused:
        GAME.decide(position, seat, move)
    return refused.value.code


def boards_of(position: Position) -> tuple[tuple[str, ...], ...]:
    """Return both boards as they are drawn."""
    return tuple(GAME.view(position, None).boards.values())  # type: ignore[attr-defined]  # the game's own view


MOSTLY_WHITE = """
    W W W W W W W W | W W W W W W W W
    W W W W W W W W | W W W W W W W W
    W W W W W W W W | W W W W W W W W
    W W W W W W W W | W W W W W W W W
    W W W B W W W W | W W W W W W W W
    W W W W W W W W | W W W W W B W W
    W W W W W W W W | W W W W W W W W
    . W W W W W W B | . W W W W W W B
"""

# The start


def compute_layout(seed: bytes) -> tuple[str, ...]:
    """Compute a layout from a seed as the rule text and the documentation of chance describe it."""
    empty = hashlib.sha256(b"").digest()
    key = hashlib.sha256(seed + empty + empty).digest()
    stream = b"".join(hmac.digest(key, bytes(4) + n.to_bytes(4, "big"), "sha256") for n in range(4))
    words = iter([int.from_bytes(stream[i : i + 4], "big") for i in range(0, len(stream), 4)])
    black, blank = 2 + next(words) % 5, next(words) % 4
    squares = [(row, column) for row in range(8) for column in range(8)]
    for i in range(black + blank):
        j = i + next(words) % (64 - i)
        squares[i], squares[j] = squares[j], squares[i]
    grid = [["W"] * 8 for _ in range(8)]
    for i, (row, column) in enumerate(squares[: black + blank]):
        grid[row][column] = "B" if i < black else "."
    return tuple("".join(row) for row in reversed(grid))


@pytest.mark.parametrize("seed", range(50))
def test_the_layout_follows_from_the_seed(seed: int) -> None:
    """The layout is the match's first draw, recorded with its number."""
    expected = compute_layout(seed.to_bytes(32, "big"))
    assert GAME.setup(Options(), chance(seed)) == [LaidOut(board=expected, draw=DrawNumber(0))]


def test_both_boards_start_with_the_same_layout() -> None:
    """There are two boards with one layout, and the first round has number 1."""
    [laid_out] = GAME.setup(Options(), chance())
    position = after(GAME.start(Options()), [laid_out])
    assert isinstance(laid_out, LaidOut)
    assert boards_of(position) == (laid_out.board, laid_out.board)
    assert GAME.to_move(position) == (RED, YELLOW)
    assert position.round == 1


def test_two_to_six_squares_are_black_and_up_to_three_blank() -> None:
    """Every number of the range occurs, and no other."""
    drawn = ["".join(event.board) for seed in range(200) for event in GAME.setup(Options(), chance(seed))]  # type: ignore[union-attr]  # only layouts
    assert {board.count("B") for board in drawn} == {2, 3, 4, 5, 6}
    assert {board.count(".") for board in drawn} == {0, 1, 2, 3}
    assert {len(board) for board in drawn} == {64}


# Selecting and committing


def test_squares_are_accepted_in_either_case() -> None:
    """The event has them in lower case."""
    assert GAME.decide(parse_position(MOSTLY_WHITE), RED, Select("C3")) == [Selected(seat=RED, at="c3")]


@pytest.mark.parametrize("at", ["a0", "a9", "i1", "a", "a1 ", "a1\n", "aa1", ""])
def test_a_square_off_the_board_does_not_decode(at: str) -> None:
    """It does not reach the rules."""
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"type": "select", "at": at}, GAME.move)


def test_a_blank_cannot_be_selected() -> None:
    """There is no disc on a1."""
    assert refusal(parse_position(MOSTLY_WHITE), RED, Select("a1")) == "no_disc"


def test_any_disc_may_be_selected_by_default() -> None:
    """D4 is black on red's board."""
    assert GAME.decide(parse_position(MOSTLY_WHITE), RED, Select("d4")) == [Selected(seat=RED, at="d4")]


def test_white_only_applies_to_the_own_board() -> None:
    """D4 is black for red and white for yellow; f3 the other way round."""
    position = parse_position(MOSTLY_WHITE, WHITE_ONLY)
    assert refusal(position, RED, Select("d4")) == "not_white"
    assert refusal(position, YELLOW, Select("f3")) == "not_white"
    assert GAME.decide(position, RED, Select("f3"))
    assert GAME.decide(position, YELLOW, Select("d4"))


def test_a_blank_has_the_same_code_with_white_only() -> None:
    """The more specific of two codes is used."""
    assert refusal(parse_position(MOSTLY_WHITE, WHITE_ONLY), RED, Select("a1")) == "no_disc"


def test_a_selection_may_be_changed_and_repeated() -> None:
    """Selecting the same square again is an event too."""
    position = play_moves(parse_position(MOSTLY_WHITE), (RED, Select("b2")), (RED, Select("c3")))
    assert position.sides[RED].at == "c3"
    assert GAME.decide(position, RED, Select("c3")) == [Selected(seat=RED, at="c3")]


def test_a_commit_needs_a_selection() -> None:
    """The opponent's selection does not count."""
    position = play_moves(parse_position(MOSTLY_WHITE), (YELLOW, Select("b2")))
    assert refusal(position, RED, Commit()) == "nothing_selected"


def test_a_second_commit_is_rejected() -> None:
    """The seat is no longer to move."""
    position = play_moves(parse_position(MOSTLY_WHITE), (RED, Select("b2")), (RED, Commit()))
    assert refusal(position, RED, Commit()) == "already_committed"
    assert GAME.to_move(position) == (YELLOW,)


@pytest.mark.parametrize("at", ["b2", "c3"])
def test_a_new_selection_withdraws_the_commit(at: str) -> None:
    """Even one of the same square."""
    position = play_moves(parse_position(MOSTLY_WHITE), (RED, Select("b2")), (RED, Commit()), (RED, Select(at)))
    assert GAME.to_move(position) == (RED, YELLOW)
    assert not position.sides[RED].committed
    assert GAME.decide(position, RED, Commit()) == [Committed(seat=RED)]


def test_a_committed_seat_may_only_select() -> None:
    """All 63 discs, and no commit."""
    position = play_moves(parse_position(MOSTLY_WHITE), (RED, Select("b2")), (RED, Commit()))
    moves = list(GAME.legal_moves(position, RED))
    assert len(moves) == 63
    assert all(isinstance(move, Select) for move in moves)


def test_a_commit_is_legal_after_a_selection() -> None:
    """It is the last of the legal moves."""
    position = parse_position(MOSTLY_WHITE)
    assert Commit() not in GAME.legal_moves(position, RED)
    assert list(GAME.legal_moves(play_moves(position, (RED, Select("b2"))), RED))[-1] == Commit()


# Resolving


def test_no_event_follows_one_commit() -> None:
    """A round waits for both."""
    position = play_moves(parse_position(MOSTLY_WHITE), (RED, Select("b2")), (RED, Commit()), (YELLOW, Select("b2")))
    assert GAME.follow(position, chance()) == []


def test_the_second_commit_reveals_nothing_by_itself() -> None:
    """The turned discs are events that follow; before them nobody can move."""
    position = play_moves(parse_position(MOSTLY_WHITE), (RED, Select("b2")), (RED, Commit()), (YELLOW, Select("c3")))
    events = GAME.decide(position, YELLOW, Commit())
    assert events == [Committed(seat=YELLOW)]
    position = after(position, events)
    assert GAME.to_move(position) == ()
    assert list(GAME.legal_moves(position, RED)) == []
    assert refusal(position, RED, Select("d4")) == "not_your_turn"


def test_a_round_has_four_steps_and_the_next_one_begins() -> None:
    """Red's own, yellow's own, red's forced, yellow's forced."""
    events, position = resolve_round(parse_position(MOSTLY_WHITE), "b4", "f1")
    assert events == [
        Turned(board="red", half=1, at="b4", to="B", trapped=("c4",)),
        Turned(board="yellow", half=1, at="f1", to="B", trapped=("f2", "g1")),
        Turned(board="red", half=2, at="f1", to="B", trapped=("g1", "e2", "d3")),
        Turned(board="yellow", half=2, at="b4", to="B", trapped=()),
        RoundBegun(round=2),
    ]
    assert boards_of(position) == parse_boards("""
        W W W W W W W W | W W W W W W W W
        W W W W W W W W | W W W W W W W W
        W W W W W W W W | W W W W W W W W
        W W W W W W W W | W W W W W W W W
        W B B B W W W W | W B W W W W W W
        W W W B W W W W | W W W W W B W W
        W W W W B W W W | W W W W W B W W
        . W W W W B B B | . W W W W B B B
    """)
    assert GAME.to_move(position) == (RED, YELLOW)
    assert refusal(position, RED, Commit()) == "nothing_selected"


def test_the_second_half_starts_from_the_result_of_the_first() -> None:
    """Both select e1, which is turned to black and back again; what it trapped stays black."""
    events, position = resolve_round(parse_position(MOSTLY_WHITE), "e1", "e1")
    assert [(step.to, step.trapped) for step in events if isinstance(step, Turned)] == [
        ("B", ("f1", "g1")),
        ("B", ("f1", "g1")),
        ("W", ()),
        ("W", ()),
    ]
    assert boards_of(position)[0][-1] == ".WWWWBBB"


def test_with_white_only_the_opponents_square_may_be_black() -> None:
    """Yellow selects d4, which is white for yellow and black for red: red's disc is turned all the same."""
    events, _ = resolve_round(parse_position(MOSTLY_WHITE, WHITE_ONLY), "h8", "d4")
    assert events[2] == Turned(board="red", half=2, at="d4", to="W", trapped=())
