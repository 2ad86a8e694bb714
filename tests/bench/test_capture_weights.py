"""The weights of the evaluation of Ternio and Triboard: that they can be fitted again."""

import re
from math import log

import pytest

from bench.capture_weights import BOTS, ONE_EACH, Example, Fit, fitted, loss, main, play

MATCHES = 24


@pytest.fixture(scope="module", params=BOTS)
def found(request: pytest.FixtureRequest) -> tuple[str, list[Example]]:
    """Return the name of a game, and positions of some of its matches."""
    return request.param, [example for number in range(MATCHES) for example in play(number, request.param, seed=35)]


@pytest.mark.parametrize("slug", BOTS)
def test_the_same_seed_plays_the_same_match(slug: str) -> None:
    """On every machine."""
    assert play(3, slug, seed=1) == play(3, slug, seed=1) != play(4, slug, seed=1)


def test_positions_are_of_all_stages_and_of_matches_that_each_seat_wins(found: tuple[str, list[Example]]) -> None:
    """The first place is shared by those who have it."""
    slug, examples = found
    assert {int(5 * each.empty) for each in examples} == set(range(5 if slug == "ternio" else 4))
    assert {each.shares for each in examples} >= {(1, 0, 0), (0, 1, 0), (0, 0, 1)}
    assert all(sum(each.shares) == pytest.approx(1) for each in examples)


def test_a_fit_explains_the_matches(found: tuple[str, list[Example]]) -> None:
    """Better than a third for each seat; without positions to learn from it is that third."""
    slug, examples = found
    stages = len(BOTS[slug][1])
    assert mean_loss(Fit(stages), examples) == pytest.approx(log(3))
    assert mean_loss(fitted(examples, stages, seed=1), examples) < log(3) - 0.1


def mean_loss(fit: Fit, examples: list[Example]) -> float:
    """Return the mean logarithmic loss of a fit."""
    return sum(loss(fit.chances(each), each.shares) for each in examples) / len(examples)


def test_the_weights_are_printed_as_the_rules_have_them(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A line for each stage."""
    monkeypatch.setattr("sys.argv", ["capture_weights", "ternio", "--matches", "8", "--processes", "1"])
    assert main() == 0
    lines = re.findall(r"^    Weights\(([-\d, ]+)\),$", capsys.readouterr().out, re.MULTILINE)
    assert [len(line.split(", ")) for line in lines] == [len(ONE_EACH)] * len(BOTS["ternio"][1])
