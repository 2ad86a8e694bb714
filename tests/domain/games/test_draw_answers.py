"""Whether bots accept a draw: they accept it where they are lost, and decline it where they have won."""

import random
from collections.abc import Iterator
from typing import Any, NamedTuple, get_args

import pytest
from msgspec.structs import replace

from bench.arena.manners import YOUNG, answers_of
from bench.arena.match_runner import Table as Match
from bench.arena.schedule import Plan, fixture
from service.domain.catalog import GAMES
from service.domain.chance import Chance, DrawNumber
from service.domain.game import Budget, Level, Seat
from service.domain.games.rainbow.model import Options
from service.domain.games.rainbow.table import Table
from tests.domain.games import test_morris_board as morris
from tests.domain.games import test_rainbow as rainbow
from tests.domain.games import test_rainbow_bot as rainbow_bot
from tests.domain.games import test_ternio_bot as ternio
from tests.domain.games import test_triboard_bot as triboard
from tests.domain.games import test_turncoat as turncoat
from tests.domain.games import test_turncoat_ending as turncoat_ending

LEVELS: tuple[Level, ...] = get_args(Level)
FIRST, SECOND, THIRD = Seat(0), Seat(1), Seat(2)


class DecidedPosition(NamedTuple):
    """A position with a clear winner."""

    game: str
    position: Any
    ahead: Seat
    behind: Seat


def accepts_draw(game: str, position: Any, seat: Seat, level: Level = "expert", nodes: int = 1500) -> bool:
    """Return whether a seat's bot accepts a draw."""
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

ONE_CAN_FLIP_B3 = rainbow.parse_position(rainbow_bot.TWO_REDS_AND_ONE_UNDERNEATH)

CLEAR = [
    *[
        DecidedPosition("morris", morris.board(SIX_AGAINST_THREE, mover=seat), FIRST, SECOND)
        for seat in (FIRST, SECOND)
    ],
    *[
        DecidedPosition("ternio", ternio.parse_position(MOSTLY_RED, seat), FIRST, behind)
        for seat in (FIRST, SECOND)
        for behind in (SECOND, THIRD)
    ],
    *[
        DecidedPosition("triboard", triboard.parse_position(MOSTLY_BLUE, seat), FIRST, behind)
        for seat in (FIRST, SECOND)
        for behind in (SECOND, THIRD)
    ],
    DecidedPosition("turncoat", turncoat.parse_position(turncoat_ending.RED_HAS_ONE_LEFT, number=13), FIRST, SECOND),
    DecidedPosition("turncoat", turncoat.parse_position(RED_IS_NEARER, number=13), FIRST, SECOND),
    DecidedPosition("rainbow", ONE_CAN_FLIP_B3, ONE_CAN_FLIP_B3.turn, Seat(1 - ONE_CAN_FLIP_B3.turn)),
]


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("decided", CLEAR, ids=lambda decided: decided.game)
def test_a_winning_bot_declines_and_a_losing_one_accepts(decided: DecidedPosition, level: Level) -> None:
    """At every level, for either player to move."""
    assert not accepts_draw(decided.game, decided.position, decided.ahead, level)
    assert accepts_draw(decided.game, decided.position, decided.behind, level)


def test_every_game_with_bots_is_tested() -> None:
    """A new game fails here until it has a decided position."""
    assert {slug for slug, game in GAMES.items() if game.choose} == {decided.game for decided in CLEAR}


def test_a_bot_accepts_a_draw_in_an_even_position_that_lasts() -> None:
    """In the last sixth of Turncoat's rounds, and in the second half of Rainbow's turns without a placement."""
    for seat in (FIRST, SECOND):
        assert accepts_draw("turncoat", turncoat.parse_position(turncoat_ending.TWO_LEFT, number=51), seat)
        assert not accepts_draw("turncoat", turncoat.parse_position(turncoat_ending.TWO_LEFT, number=50), seat)
        even = replace(rainbow.parse_position(rainbow.EMPTY), options=Options(quiet_limit=20))
        assert accepts_draw("rainbow", replace(even, quiet=10), seat)
        assert not accepts_draw("rainbow", replace(even, quiet=9), seat)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("slug", [slug for slug, game in GAMES.items() if game.accepts_draw])
def test_a_bot_declines_a_draw_at_the_beginning(slug: str, level: Level) -> None:
    """As any seat can win yet."""
    seats = GAMES[slug].seats(GAMES[slug].options())
    assert not any(accepts_draw(slug, begun(slug), Seat(seat), level) for seat in range(len(seats)))


def begun(slug: str) -> Any:
    """Return the first position of a game without chance that matters here."""
    game = GAMES[slug]
    position = game.start(game.options())
    for event in game.setup(game.options(), Chance(bytes(32), (), DrawNumber(0))):
        position = game.evolve(position, event)
    return position


@pytest.mark.parametrize("slug", [slug for slug, game in GAMES.items() if game.accepts_draw])
def test_nobody_agrees_in_the_first_fifth_of_a_match(slug: str) -> None:
    """Each seat is asked at every third ply; afterwards it depends on the position."""
    seats = len(GAMES[slug].seats(GAMES[slug].options()))
    plan = Plan(slug, ("skilled",) * seats, {}, seed=2, opening=seats, nodes=50)
    match = Match(plan, fixture(plan, 0))
    young = [answer.agreed for answer in list(answers_of(match)) if answer.ply < YOUNG * match.plies]
    assert young
    assert not any(young)


def test_a_bot_without_time_declines() -> None:
    """Without a search it cannot know whether it is winning."""
    assert not accepts_draw("morris", morris.board(SIX_AGAINST_THREE), SECOND, nodes=0)
    assert not accepts_draw("ternio", ternio.parse_position(MOSTLY_RED), SECOND, nodes=0)


@pytest.mark.parametrize(("game", "bots"), [("ternio", ternio), ("triboard", triboard)])
def test_a_bot_searches_the_last_moves(game: str, bots: Any) -> None:
    """The first seat, to move, wins by the better of two moves, although another seat has more points now."""
    position = bots.parse_position(bots.LAST_BUT_ONE)
    assert not accepts_draw(game, position, FIRST)
    assert accepts_draw(game, position, THIRD if game == "ternio" else SECOND)


def lost_positions(options: Options) -> Iterator[Any]:
    """Yield positions of Rainbow in which every move of the seat to move lets the next one complete a line."""
    for state in rainbow_bot.sample_positions(options, 250):
        if not rainbow_bot.winning_moves(state) and rainbow_bot.every_move_allows_a_line(Table(state)):
            yield state


def test_a_bot_that_is_not_lost_declines() -> None:
    """Nobody can foresee who wins where the search finds no forced win, and three seats do not wait for it."""
    for options in (Options(), Options(misere=True), Options(dice=True), Options(players=3)):
        (state,) = rainbow_bot.sample_positions(options, 1)
        assert not any(accepts_draw("rainbow", state, Seat(seat)) for seat in range(options.players))


def test_a_bot_with_a_forced_line_declines() -> None:
    """The other seat is to move and cannot prevent the line; with three seats it is not certain who completes it."""
    positions = list(lost_positions(Options(rest=2)))
    assert positions
    for state in positions:
        assert not accepts_draw("rainbow", state, Seat(1 - state.turn))
        assert accepts_draw("rainbow", state, state.turn)


def test_a_draw_by_the_guard_is_no_win() -> None:
    """Where the seat to move can end the match by a guard against endless play, the other seat has not won."""
    options = Options(rest=2, quiet_limit=2)
    guarded = [replace(state, options=options, quiet=1) for state in lost_positions(Options(rest=2))]
    saved = [
        state
        for state in guarded
        if any(rainbow_bot.ends_match(state, move) for move in GAMES["rainbow"].legal_moves(state, state.turn))
    ]
    assert saved
    assert all(accepts_draw("rainbow", state, Seat(1 - state.turn)) for state in saved)


def test_a_bot_with_a_proved_win_declines() -> None:
    """A seat for which the search proves a win declines a draw."""
    proofs = list(rainbow_bot.proved_positions(Options(rest=2)))
    assert proofs
    for state, search in proofs:
        winner = state.turn if search.root.proof == 0 else Seat(1 - state.turn)
        assert not accepts_draw("rainbow", state, winner, nodes=3000)
        assert accepts_draw("rainbow", state, Seat(1 - winner), nodes=3000)


def test_two_remaining_seats_of_three_accept_a_draw_in_a_tie() -> None:
    """Without green, red and blue have the same number of discs and no capture is left."""
    dice = random.Random(1)  # noqa: S311 - a drawing
    cells = ["r", "b"] * 40 + ["g"]
    dice.shuffle(cells)
    rows = "\n".join(" ".join(cells[start : start + 9]) for start in range(0, 81, 9))
    position = replace(ternio.parse_position(rows), dropped=(Seat(1),))
    assert accepts_draw("ternio", position, FIRST)
