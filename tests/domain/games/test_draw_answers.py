"""Whether bots agree to a draw: they take it where they are lost, and decline it where they have won."""

import random
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest
from msgspec.structs import replace

from service.domain.catalog import GAMES
from service.domain.game import Budget, Level, Seat
from service.domain.games.rainbow.engine.table import Table
from service.domain.games.rainbow.model import Options
from tests.domain.games import test_morris_board as morris
from tests.domain.games import test_rainbow as rainbow
from tests.domain.games import test_rainbow_bot as rainbow_bot
from tests.domain.games import test_ternio_bot as ternio
from tests.domain.games import test_triboard_bot as triboard
from tests.domain.games import test_turncoat as turncoat
from tests.domain.games import test_turncoat_ending as turncoat_ending

LEVELS: tuple[Level, ...] = ("easy", "medium", "hard")
FIRST, SECOND, THIRD = Seat(0), Seat(1), Seat(2)


class Judged(NamedTuple):
    """A position with a clear winner."""

    game: str
    position: Any
    ahead: Seat
    behind: Seat


def agrees(game: str, position: Any, seat: Seat, level: Level = "hard", nodes: int = 1500) -> bool:
    """Return whether the bot on a seat agrees to a draw."""
    accepts = GAMES[game].accepts_draw
    assert accepts is not None
    return accepts(position, seat, Budget(level, nodes))


SIX_AGAINST_THREE = "W.W W.W ... ...... ... B.B W.W"

MOSTLY_RED = """
r r r r r r r r r
r r r r r r r r r
r r r r r r r r r
r r r r r r r r r
r r r r r r r r r
r r r r r r r r r
r r r r r r r r r
g g g b b b g g g
. b g . g b b g .
"""

MOSTLY_BLUE = """
b b b b b b b b b b b b b b b b
b b b b b b b b b b b b b b b b
b b b b b b b b b b b b b b b b
b b b b b b b b b b b b b b b b
. r g g . r r g . g r r g g r .
"""

RED_IS_NEARER = """
    B B B B B B B B | W B W B W B W B
    B B B B B B B B | B W B W B W B W
    B B B W B B B B | W B W B W B W B
    B B B B B B B B | B W B W B W B W
    B W B B B B B B | W B W B W B W B
    B B B B B B W B | B W B W B W B W
    B B B B B B B B | W B W B W B W B
    B B B B W B B B | B W B W B W B W
"""

ONE_CAN_FLIP_B3 = rainbow.table(rainbow_bot.TWO_REDS_AND_ONE_UNDERNEATH)

CLEAR = [
    *[Judged("morris", morris.board(SIX_AGAINST_THREE, mover=seat), FIRST, SECOND) for seat in (FIRST, SECOND)],
    *[
        Judged("ternio", ternio.at_turn(MOSTLY_RED, seat), FIRST, behind)
        for seat in (FIRST, SECOND)
        for behind in (SECOND, THIRD)
    ],
    *[
        Judged("triboard", triboard.at_turn(MOSTLY_BLUE, seat), FIRST, behind)
        for seat in (FIRST, SECOND)
        for behind in (SECOND, THIRD)
    ],
    Judged("turncoat", turncoat.table(turncoat_ending.RED_HAS_ONE_LEFT), FIRST, SECOND),
    Judged("turncoat", turncoat.table(RED_IS_NEARER), FIRST, SECOND),
    Judged("rainbow", ONE_CAN_FLIP_B3, ONE_CAN_FLIP_B3.turn, Seat(1 - ONE_CAN_FLIP_B3.turn)),
]


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("judged", CLEAR, ids=lambda judged: judged.game)
def test_who_has_won_declines_and_who_has_lost_accepts(judged: Judged, level: Level) -> None:
    """At every level, whoever is to move."""
    assert not agrees(judged.game, judged.position, judged.ahead, level)
    assert agrees(judged.game, judged.position, judged.behind, level)


def test_every_game_with_bots_is_among_them() -> None:
    """A new one fails here until its bots are shown to judge."""
    assert {slug for slug, game in GAMES.items() if game.choose} == {judged.game for judged in CLEAR}


def test_an_even_position_is_drawn() -> None:
    """At the same distance from the end on both boards, and with the same men on both sides."""
    for seat in (FIRST, SECOND):
        assert agrees("turncoat", turncoat.table(turncoat_ending.TWO_LEFT), seat)
        assert agrees("morris", GAMES["morris"].start(GAMES["morris"].options()), seat)


def test_who_has_no_time_to_look_declines() -> None:
    """A bot that can't tell gives nothing away."""
    assert not agrees("morris", morris.board(SIX_AGAINST_THREE), SECOND, nodes=0)
    assert not agrees("ternio", ternio.at_turn(MOSTLY_RED), SECOND, nodes=0)


@pytest.mark.parametrize(("game", "bots"), [("ternio", ternio), ("triboard", triboard)])
def test_the_last_moves_are_foreseen(game: str, bots: Any) -> None:
    """The first seat, to move, wins by the better of two moves, although the other leader has more now."""
    position = bots.at_turn(bots.LAST_BUT_ONE)
    assert not agrees(game, position, FIRST)
    assert agrees(game, position, THIRD if game == "ternio" else SECOND)


def lost(options: Options) -> Iterator[Any]:
    """Yield positions of Rainbow in which every act of the seat to move hands the next one a line."""
    for state in rainbow_bot.sampled(options, 250):
        if not rainbow_bot.wins_at_once(state) and rainbow_bot.all_exposed(Table(state)):
            yield state


def test_who_waits_for_a_line_that_must_come_declines() -> None:
    """The other seat is to move and can only hand the line over; with three seats nobody is sure whose it is."""
    positions = list(lost(Options(rest=2)))
    assert positions
    for state in positions:
        assert not agrees("rainbow", state, Seat(1 - state.turn))
        assert agrees("rainbow", state, state.turn)


def test_a_draw_by_the_guard_is_no_win() -> None:
    """Where the seat to move can end the match by the guard against endless play, the other one has not won."""
    guarded = [replace(state, options=Options(rest=2, quiet_limit=1)) for state in lost(Options(rest=2))]
    saved = [
        state
        for state in guarded
        if any(rainbow_bot.ends(state, move) for move in GAMES["rainbow"].legal_moves(state, state.turn))
    ]
    assert saved
    assert all(agrees("rainbow", state, Seat(1 - state.turn)) for state in saved)


def test_a_proved_win_is_not_given_away() -> None:
    """What the search proves for either seat, that seat declines a draw for."""
    proofs = list(rainbow_bot.proved(Options(rest=2)))
    assert proofs
    for state, search in proofs:
        winner = state.turn if search.root.proof == 0 else Seat(1 - state.turn)
        assert not agrees("rainbow", state, winner, nodes=3000)
        assert agrees("rainbow", state, Seat(1 - winner), nodes=3000)


def test_two_who_are_left_of_three_draw_a_tie() -> None:
    """Without green, red and blue have the same number of discs and nothing is left to take."""
    dice = random.Random(1)  # noqa: S311 - a drawing
    cells = ["r", "b"] * 40 + ["g"]
    dice.shuffle(cells)
    rows = "\n".join(" ".join(cells[start : start + 9]) for start in range(0, 81, 9))
    position = replace(ternio.at_turn(rows), dropped=(Seat(1),))
    assert agrees("ternio", position, FIRST)
