"""The law of levels: with fixed numbers of positions, each level is stronger than one well below it."""

from typing import get_args

import pytest

from bench.arena.match_runner import play
from bench.arena.report import score_of
from bench.arena.schedule import Plan, fixture
from service.domain.catalog import GAMES
from service.domain.game import Level

NODES = 1000
"""The most positions for each move."""

MATCHES = 6
"""How many matches two levels play: all seatings of two or three openings."""

LEVELS: tuple[Level, ...] = get_args(Level)


@pytest.mark.parametrize(("stronger", "weaker"), list(zip(LEVELS[3:], LEVELS, strict=False)))
@pytest.mark.parametrize("slug", [slug for slug, game in GAMES.items() if game.choose])
def test_a_level_is_stronger_than_the_one_three_below(slug: str, stronger: Level, weaker: Level) -> None:
    """It takes more than its share of first places, on one seat against the weaker level on all others."""
    seats = len(GAMES[slug].seats(GAMES[slug].options()))
    plan = Plan(slug, (stronger, *(weaker,) * (seats - 1)), {}, seed=4, opening=seats, nodes=NODES)
    score = score_of(stronger, [play(plan, fixture(plan, number)) for number in range(MATCHES)])
    assert score.score > 1 / seats
