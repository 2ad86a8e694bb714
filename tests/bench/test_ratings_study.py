"""The study of the rating model: its rating systems, the bots' ratings, and what one person can reach with guests."""

from itertools import combinations
from pathlib import Path

import pytest

from bench.ratings.__main__ import LIFETIME, ORDERS, in_order, read, table
from bench.ratings.anchors import RESULTS, anchors, results_of, row
from bench.ratings.one_person import STRATEGIES, everybody_loses, measured
from bench.ratings.one_person import table as reached
from bench.ratings.systems import SCALE, Elo, Glicko2, Service
from service.domain.catalog import GAMES
from service.domain.ratings.decide import PARAMETERS

RATINGS = Path(__file__).parents[2] / "docs/ratings.md"


@pytest.mark.parametrize("game", [game for game in GAMES if GAMES[game].bot_ratings])
def test_the_ratings_of_bots_are_those_that_were_measured(game: str) -> None:
    """From the matches in docs/arena, as are those of other players, which the document has as well."""
    levels = anchors(results_of(game))
    assert GAMES[game].bot_ratings == levels
    assert row(game, levels) in RATINGS.read_text().splitlines()


def test_glicko_2_is_that_of_its_paper() -> None:
    """The example of Glickman's paper, which has 1464.06 because it rounds on the way, 151.52 and 0.05999."""
    met = [(-100 / SCALE, 30 / SCALE, 1.0), (50 / SCALE, 100 / SCALE, 0.0), (200 / SCALE, 300 / SCALE, 0.0)]
    mu, phi, sigma = Glicko2(0.5)._rated((0.0, 200 / SCALE, 0.06), met)
    assert (round(1500 + mu * SCALE, 2), round(phi * SCALE, 2), round(sigma, 5)) == (1464.05, 151.52, 0.06)


@pytest.mark.parametrize("system", [Service(PARAMETERS), Elo(32), Glicko2(0.5)])
def test_a_system_expects_who_has_won(system: Service | Elo | Glicko2) -> None:
    """And of two seats one or the other."""
    for _ in range(5):
        system.learn(("strong", "middle", "weak"), (1, 2, 3))
    expected = system.expected(("weak", "strong"))
    assert expected[0][1] < 0.4
    assert expected[1][0] > 0.6
    for one, other in combinations(range(2), 2):
        assert expected[one][other] + expected[other][one] == pytest.approx(1)


def test_systems_are_compared_in_a_table() -> None:
    """The best first; bots begin again as newcomers."""
    records = read(RESULTS / "ternio-five-players.jsonl")[:20]
    lines = table(records)
    end = next(at for at, line in enumerate(lines) if line.startswith("| always"))
    losses = [float(line.split("|")[2]) for line in lines[4:end]]
    assert losses == sorted(losses)
    assert sum(int(line.split("|")[4]) for line in lines[end + 4 :]) == len(records) * 3 * ORDERS
    assert sum("(the service)" in line for line in lines) == 1
    players = {player for match in in_order(records * LIFETIME, 0) for player in match.players}
    assert {"hard 0", "hard 1"} <= players


def test_what_one_person_reaches_is_in_the_documents() -> None:
    """With each plan, on the first day; the other days are computed in the same way, and take longer."""
    page = RATINGS.read_text()
    first_day = list(reached(days=1))
    assert len(first_day) == 2 + len(STRATEGIES)
    for line in first_day:
        assert line in page


def test_guests_that_only_lose_give_no_place() -> None:
    """The person is first on a provisional leaderboard, with the rating that such results mean."""
    for found in measured(everybody_loses, days=3):
        assert (found.place, found.provisional) == (False, True)
        assert found.rating > 2800
