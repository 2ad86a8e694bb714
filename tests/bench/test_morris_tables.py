"""The tables of the evaluation of Nine Men's Morris: that they can be made again."""

from array import array
from zlib import decompress

import pytest

from bench.morris_tables import RULES, Example, fitted, packed, play
from service.domain.games.morris.bot import Board
from service.domain.games.morris.evaluation import STAGES, pack_tables, stage_of

MATCHES = 120


@pytest.fixture(scope="module")
def found() -> list[Example]:
    """Return the positions of some matches."""
    return [example for number in range(MATCHES) for example in play(number, seed=35)]


def test_the_same_seed_plays_the_same_match() -> None:
    """On every machine."""
    assert play(3, seed=1) == play(3, seed=1) != play(4, seed=1)


def test_positions_are_quiet_and_of_all_stages(found: list[Example]) -> None:
    """A target is between the result and the chance that the search saw."""
    boards = [Board(rules) for rules in RULES]
    assert all(any(not board.noisy_turns(each.position) for board in boards) for each in found)
    assert {stage_of(each.position) for each in found} == set(range(STAGES))
    assert {each.result for each in found} >= {0.0, 1.0}
    assert all(abs(each.target - each.result) <= 0.5 for each in found)


def test_a_fit_predicts_matches_that_it_has_not_seen(found: list[Example], capsys: pytest.CaptureFixture[str]) -> None:
    """Better than a coin, whose logarithmic loss is .69; its tables have the size of those that the bot reads."""
    tables = packed(fitted(found, seed=1))
    assert float(capsys.readouterr().out.split()[-1]) < 0.69
    assert len(array("h", decompress(tables))) == len(pack_tables()) // 4
