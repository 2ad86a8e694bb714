"""The levels of Triboard's bot: it plays the end for the best place."""

import pytest

from bench.arena.match_runner import play
from bench.arena.report import score_of
from bench.arena.schedule import Plan, fixture
from service.domain.chance import Chance, DrawNumber
from service.domain.game import Budget, Level, Seat
from service.domain.games.triboard import GAME
from service.domain.games.triboard.model import LaidOut, Options, Position
from service.domain.games.triboard.rules import BOT

BLUE, RED, GREEN = Seat(0), Seat(1), Seat(2)
LEVELS: tuple[Level, ...] = ("skilled", "hard", "expert")


def parse_position(drawing: str, seat: Seat = BLUE) -> Position:
    """Return the position of a drawing down to row 1 with `seat` to move; the rows above the drawing are walls."""
    drawn = tuple(line.replace(" ", "") for line in drawing.strip().splitlines())
    rows = ("#" * 16,) * (11 - len(drawn)) + tuple(line.ljust(16, "#") for line in drawn)
    return GAME.evolve(GAME.start(Options()), LaidOut(rows, seat, DrawNumber(0)))


def choose_move(position: Position, level: Level = "expert", seed: int = 0) -> str:
    """Return the cell that the bot chooses after searching a thousand positions."""
    chance = Chance(bytes([seed]) * 32, (), DrawNumber(0))
    return BOT.choose(position, position.turn, chance, Budget(level, 1000)).at


LAST_BUT_ONE = """
g r b r g r
b . g g g b
g # r g r g
r # r r b .
"""


def test_the_bot_plays_the_end_for_the_best_place() -> None:
    """From b3 blue would capture three cells and lose by 7 to 9; from f1 it captures one and wins by 10 to 7."""
    position = parse_position(LAST_BUT_ONE)
    assert [move.at for move in GAME.legal_moves(position, BLUE)] == ["f1", "b3"]
    assert {choose_move(position, level, seed) for level in LEVELS for seed in range(20)} == {"f1"}


def test_it_plays_on_when_a_seat_has_dropped_out() -> None:
    """Without red, blue and green move alternately to the end of the match."""
    position = GAME.start(Options())
    for event in GAME.setup(Options(first="blue"), Chance(bytes(32), (), DrawNumber(0))):
        position = GAME.evolve(position, event)
    for event in GAME.drop(position, RED, "resigned"):
        position = GAME.evolve(position, event)
    while GAME.to_move(position):
        assert position.turn != RED
        (seat,) = GAME.to_move(position)
        move = BOT.choose(position, seat, Chance(bytes(32), (), DrawNumber(0)), Budget("expert", 30))
        for event in GAME.decide(position, seat, move):
            position = GAME.evolve(position, event)


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
    plan = Plan(game="triboard", players=players, options={}, seed=5, opening=3, nodes=400)
    points = score_of(players[0], [play(plan, fixture(plan, number)) for number in range(matches)]).points
    assert least <= sum(points) <= most
