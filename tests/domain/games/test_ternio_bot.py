"""The levels of Ternio's bot: what each of them must find."""

import msgspec
import pytest

from bench.arena.match_runner import play
from bench.arena.report import score_of
from bench.arena.schedule import Plan, fixture
from service.domain.chance import Chance, DrawNumber
from service.domain.game import Budget, Level, Seat
from service.domain.games.ternio import GAME
from service.domain.games.ternio.model import LaidOut, Options, Position
from service.domain.games.ternio.rules import BOT

RED, GREEN, BLUE = Seat(0), Seat(1), Seat(2)
LEVELS: tuple[Level, ...] = ("casual", "medium", "skilled", "hard", "expert")


def parse_position(drawing: str, seat: Seat = RED) -> Position:
    """Return the position of a drawing of nine rows with `seat` to move."""
    rows = tuple(line.replace(" ", "") for line in drawing.strip().splitlines())
    position = GAME.evolve(GAME.start(Options()), LaidOut(rows))
    return msgspec.structs.replace(position, turn=seat)


def choose_move(position: Position, level: Level = "expert", seed: int = 0) -> str:
    """Return the square that the bot chooses after searching a thousand positions."""
    chance = Chance(bytes([seed]) * 32, (), DrawNumber(0))
    return BOT.choose(position, position.turn, chance, Budget(level, 1000)).at


LAST_BUT_ONE = """
. g g g g g g r r
g g g r r g g r r
g g r g g r g r r
g g r g g r g r r
g g r g g g r g r
g r r r r r r g r
g r r g r . g g r
g g r r r r r g r
g g g g g g g g g
"""


def test_the_bot_plays_the_end_for_the_best_place() -> None:
    """The corner a9 would capture seven discs and lose by 34 to 47; f3 captures two, and red wins by 44 to 37."""
    position = parse_position(LAST_BUT_ONE)
    assert [move.at for move in GAME.legal_moves(position, RED)] == ["f3", "a9"]
    assert choose_move(position) == "f3"


def test_it_plays_on_when_a_seat_has_dropped_out() -> None:
    """Without green, red and blue move alternately to the end of the match."""
    position = GAME.start(Options())
    for event in [
        *GAME.setup(Options(), Chance(bytes(32), (), DrawNumber(0))),
        *GAME.drop(position, GREEN, "resigned"),
    ]:
        position = GAME.evolve(position, event)
    while GAME.to_move(position):
        assert position.turn != GREEN
        (seat,) = GAME.to_move(position)
        move = BOT.choose(position, seat, Chance(bytes(32), (), DrawNumber(0)), Budget("expert", 30))
        for event in GAME.decide(position, seat, move):
            position = GAME.evolve(position, event)


def test_weak_bots_err_and_others_never() -> None:
    """With 40 seeds the lowest level plays both of the two moves; the others always play the better one."""
    position = parse_position(LAST_BUT_ONE)
    assert {choose_move(position, "easy", seed) for seed in range(40)} == {"f3", "a9"}
    assert {choose_move(position, level, seed) for level in LEVELS for seed in range(40)} == {"f3"}


@pytest.mark.parametrize(
    ("players", "matches", "least", "most"),
    [
        (("expert", "greedy", "greedy"), 9, 6, 9),
        (("medium", "easy", "easy"), 9, 5, 9),
        (("easy", "greedy", "greedy"), 30, 4, 14),
    ],
)
def test_a_level_has_its_documented_strength(players: tuple[str, ...], matches: int, least: float, most: float) -> None:
    """With rotated seats and four hundred positions per move, the points of the tables in docs/arena."""
    plan = Plan(game="ternio", players=players, options={}, seed=5, opening=3, nodes=400)
    points = score_of(players[0], [play(plan, fixture(plan, number)) for number in range(matches)]).points
    assert least <= sum(points) <= most
