"""The search for Ternio's start looks at every layout once, counts right, and goes on after any stop."""

import json
from collections import Counter
from pathlib import Path

import pytest

from bench.balance import program
from bench.balance.arguments import Round
from bench.balance.blocks import admissible, arrangements, class_name, images, start_position
from bench.balance.matches import Batch, Task, play_task
from bench.balance.program import main, parse_search
from bench.balance.rounds import Plan, left, shares, tasks
from service.domain.games.ternio.model import LAYOUTS, Options
from service.domain.games.ternio.rules import RULES

TRIED = admissible()[:12]
"""Of 192 layouts, so that a whole search takes a few seconds."""

ROUNDS = ("12:1:1", "3:2:2", "2:21:3")


def test_there_are_1680_arrangements_of_three_discs_of_each_colour() -> None:
    """Nine over three times six over three."""
    blocks = list(arrangements())
    assert len(set(blocks)) == len(blocks) == 1680
    assert all(Counter(block) == {"r": 3, "g": 3, "b": 3, "/": 2} for block in blocks)


def test_every_class_is_looked_at_once_and_none_is_left_out_without_a_reason() -> None:
    """Each arrangement is a picture of one admissible block, or is symmetric, or leaves red without a move."""
    classes = Counter(picture for block in admissible() for picture in images(block))
    assert set(classes.values()) == {1}
    for block in set(arrangements()) - classes.keys():
        assert len(images(block)) < 8 or not RULES.legal_moves(
            start_position(block), RULES.to_move(start_position(block))[0]
        )


def test_a_picture_is_a_turned_or_mirrored_block() -> None:
    """One block without symmetry has eight; the Latin square, mirrored at a diagonal, is itself."""
    assert images("bbg/grg/brr") == {
        *("bbg/grg/brr", "bgb/rrb/rgg", "rrb/grg/gbb", "ggr/brr/bgb"),
        *("gbb/grg/rrb", "bgb/brr/ggr", "brr/grg/bbg", "rgg/rrb/bgb"),
    }
    assert len(images("gbr/rgb/brg")) == 4


def test_the_default_start_is_one_of_the_layouts_and_the_latin_square_is_not() -> None:
    """What a match begins with must be admissible itself."""
    assert class_name(LAYOUTS[Options().start]) in admissible()
    assert class_name(LAYOUTS["latin"]) not in admissible()


def test_a_shared_first_place_counts_in_equal_parts() -> None:
    """Red won twice, once alone and once with blue; all three shared a third match; green won a fourth."""
    (share,) = shares([Batch(0, "block", 0, {"0": 1, "02": 1}), Batch(0, "block", 2, {"012": 1, "1": 1})])
    assert share.matches == 4
    assert share.shares == pytest.approx(((1 + 1 / 2 + 1 / 3) / 4, (1 / 3 + 1) / 4, (1 / 2 + 1 / 3) / 4))
    assert share.errors[0] == pytest.approx(((1 + 1 / 4 + 1 / 9) / 4 - share.shares[0] ** 2) ** 0.5 / 2)
    assert share.distance == pytest.approx(sum((one - 1 / 3) ** 2 for one in share.shares) ** 0.5)


def test_the_most_balanced_layouts_go_on() -> None:
    """In the order of the round before, whatever earlier rounds said."""
    plan = Plan((Round(3, 3, 1), Round(2, 3, 1), Round(1, 3, 1)), seed=1)
    first = [Batch(0, "a", 0, {"0": 3}), Batch(0, "b", 0, {"0": 1, "1": 1, "2": 1}), Batch(0, "c", 0, {"0": 2, "1": 1})]
    second = [Batch(1, "b", 0, {"2": 3}), Batch(1, "c", 0, {"1": 2, "2": 1})]
    assert left(plan, 0, "abc", first) == ("a", "b", "c")
    assert left(plan, 1, "abc", first) == ("b", "c")
    assert left(plan, 2, "abc", [*first, *second]) == ("c",)


def test_a_round_plays_each_layout_equally_often() -> None:
    """Twenty matches at a time, and the rest."""
    asked = tasks(Plan((Round(2, 45, 7),), seed=1), 0, ("a", "b"))
    assert [(task.block, task.first, task.matches) for task in asked] == [
        *(("a", 0, 20), ("b", 0, 20)),
        *(("a", 20, 20), ("b", 20, 20)),
        *(("a", 40, 5), ("b", 40, 5)),
    ]


def test_a_task_has_one_result_and_its_matches_differ() -> None:
    """The seed and the numbers decide everything; eight matches are not one match eight times."""
    task = Task(round=0, block=admissible()[5], first=0, matches=8, nodes=3, seed=1)
    batch = play_task(task)
    assert batch == play_task(task)
    assert sum(batch.winners.values()) == 8
    assert len(batch.winners) > 1


def balance(out: Path, *rounds: str) -> int:
    """Run the verb over the first layouts."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(program, "admissible", lambda: TRIED)
        return main(["--rounds", *(rounds or ROUNDS), "--out", str(out)])


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the file of a search that ran without a break."""
    out = tmp_path_factory.mktemp("balance") / "ternio.jsonl"
    assert balance(out) == 0
    return out


def results(out: Path) -> tuple[str, set[str]]:
    """Return a file's plan and its batches, which come in any order."""
    plan, *batches = out.read_text().splitlines()
    assert len(batches) == len(set(batches))
    return plan, set(batches)


def test_a_stopped_search_goes_on_and_comes_to_the_same(whole: Path, tmp_path: Path) -> None:
    """Cut off in the middle of a line, it plays what is missing and nothing twice."""
    text, stopped = whole.read_bytes(), tmp_path / "ternio.jsonl"
    stopped.write_bytes(text[: int(len(text) * 0.9)])
    assert balance(stopped) == 0
    assert results(stopped) == results(whole)


def test_the_page_has_every_layout_of_each_round(whole: Path) -> None:
    """All of the first, and the three and two that went on."""
    rows = [row.split("`")[1] for row in whole.with_suffix(".md").read_text().splitlines() if row.startswith("| `")]
    assert set(rows[: len(TRIED)]) == set(TRIED)
    assert len(rows) == len(TRIED) + 3 + 2
    assert [json.loads(line)["round"] for line in whole.read_text().splitlines()[1:]].count(2) == 4


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "does not contain a search"),
        ("{}\n", "does not contain a search"),
        ('{"rounds":[],"seed":1}\n', "another search"),
    ],
)
def test_a_file_with_something_else_is_refused(
    content: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """And left as it is."""
    out = tmp_path / "ternio.jsonl"
    out.write_text(content)
    assert balance(out) == 2
    assert said in capsys.readouterr().err
    assert out.read_text() == content


def test_a_file_with_another_ending_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The page would overwrite it."""
    assert balance(tmp_path / "ternio.md") == 2
    assert "ends in .jsonl" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "said"),
    [
        *((text, f"{text} is not LAYOUTS:MATCHES:NODES") for text in ("", "3", "3:4", "a:1:1", "1:2:3:4")),
        ("3:4:0", "0 is"),
    ],
)
def test_rounds_that_are_none_are_refused(
    text: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With a sentence that says what they look like."""
    with pytest.raises(SystemExit):
        balance(tmp_path / "ternio.jsonl", text)
    assert said in capsys.readouterr().err


COMMITTED = Path(__file__).parents[3] / "docs/balance/ternio.jsonl"


def test_the_default_start_is_what_the_committed_search_found() -> None:
    """Of all; nearest to a third each of the five that played 2,000 matches and more, and one of the last two."""
    plan, batches = parse_search(COMMITTED, COMMITTED.read_bytes().splitlines())
    assert {batch.block for batch in batches if batch.round == 0} == set(admissible())
    last_five, last_two = (
        shares(batch for batch in batches if batch.round == number) for number in range(len(plan.rounds))[-2:]
    )
    assert [one.matches >= 2000 for one in last_five] == [True] * 5
    assert last_five[0].block == class_name(LAYOUTS[Options().start])
    assert {one.block for one in last_two} == {one.block for one in last_five[:2]}
