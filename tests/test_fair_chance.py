"""docs/fair-chance.md: its code gives the same draws as the games."""

import hashlib
import json
import random
import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest

from service.domain.catalog import GAMES
from service.domain.chance import Chance, Draw, DrawNumber, draw_key
from service.domain.game import Event
from tests.waiting import PATIENCE

PAGE = (Path(__file__).parents[1] / "docs/fair-chance.md").read_text()
SALTS = (("", ""), ("pepper", ""), ("\u8f9b \U0001d11e", "x" * 128), ("", "", "a"))
BOUNDS = (1, 2, 3, 6, 7, 64, 176, 2**31 + 1, 2**32 - 1, 2**32)
"""The one above 2**31 discards about every other word."""

DRAWN_AGAIN = hashlib.sha256(b"718").hexdigest()
"""With the last salts above, a seed whose first layout of Triboard leaves a seat without a jump."""


def code(language: str) -> str:
    """Return the page's code in a language."""
    return "\n".join(re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL))


@pytest.fixture(scope="module")
def documented() -> dict[str, Any]:
    """Return the definitions of the page's Python code."""
    names: dict[str, Any] = {}
    exec(code("python"), names)  # noqa: S102 - the page's own code is what is tested
    return names


def seeds(count: int) -> list[str]:
    """Return seeds in hex."""
    return [hashlib.sha256(b"%d" % number).hexdigest() for number in range(count)]


def laid(game: str, seed: str, salts: Sequence[str], **options: object) -> list[Event]:
    """Return the events with which a match of this seed begins."""
    rules = GAMES[game]
    chosen = msgspec.convert(options, rules.options)
    events: list[Event] = rules.setup(chosen, Chance(bytes.fromhex(seed), salts, DrawNumber(0)))
    if not events:
        events = rules.follow(rules.start(chosen), Chance(bytes.fromhex(seed), salts, DrawNumber(0)))
    return events


def drawn(seed: str, salts: Sequence[str], number: int) -> Draw:
    """Return a numbered draw as the games use it."""
    return Draw(draw_key(bytes.fromhex(seed), salts), DrawNumber(number))


@pytest.mark.parametrize("salts", SALTS)
def test_the_numbers_and_samples_of_the_page_are_the_games(documented: dict[str, Any], salts: tuple[str, ...]) -> None:
    """Over many blocks of several draws, with discarded numbers."""
    for number, seed in enumerate(seeds(20)):
        below, draw = documented["numbers"](seed, salts, number), drawn(seed, salts, number)
        for bound in random.Random(number).choices(BOUNDS, k=100):  # noqa: S311 - which bounds are tried
            assert below(bound) == draw.below(bound)
        assert documented["sample"](below, range(176), 48) == draw.sample(range(176), 48)


@pytest.mark.parametrize("salts", SALTS[:3])
def test_the_layouts_of_turncoat(documented: dict[str, Any], salts: tuple[str, ...]) -> None:
    """All from draw 0."""
    for seed in seeds(100):
        (event,) = msgspec.to_builtins(laid("turncoat", seed, salts))
        assert (documented["turncoat"](seed, salts), 0) == (list(event["board"]), event["draw"])


@pytest.mark.parametrize("first", ["random", "blue"])
def test_the_layouts_of_triboard(documented: dict[str, Any], first: str) -> None:
    """Including repeated draws, which the first seed needs."""
    for seed in [DRAWN_AGAIN, *seeds(60)]:
        (event,) = msgspec.to_builtins(laid("triboard", seed, SALTS[3], first=first))
        assert documented["triboard"](seed, SALTS[3], first) == (list(event["board"]), event["first"])


def test_the_rolls_of_morris(documented: dict[str, Any]) -> None:
    """Equal rolls are repeated in draws of their own."""
    longest = 0
    for seed in seeds(60):
        events = msgspec.to_builtins(laid("morris", seed, SALTS[1], first="roll"))[:-1]
        assert [event["value"] for event in events] == [
            documented["die"](seed, SALTS[1], n) for n in range(len(events))
        ]
        longest = max(longest, len(events))
    assert longest > 2


def test_the_first_roll_of_rainbow(documented: dict[str, Any]) -> None:
    """Every colour occurs."""
    rolled = set()
    for seed in seeds(60):
        (event,) = msgspec.to_builtins(laid("rainbow", seed, SALTS[2], dice=True))
        assert documented["colour"](seed, SALTS[2], event["draw"]) == event["value"]
        rolled.add(event["value"])
    assert rolled == set("ROYGBV")


NODE = shutil.which("node")
ASKED = """
const asked = JSON.parse(process.argv[1]);
const answers = [];
for (const [seed, salts, draw, bounds, size] of asked) {
  const below = await numbers(seed, salts, draw);
  const row = [];
  for (const bound of bounds) row.push(await below(bound));
  answers.push([row, await sample(below, [...Array(size).keys()], 48)]);
}
console.log(JSON.stringify(answers));
"""


@pytest.mark.skipif(NODE is None, reason="no node on the PATH to run the page's JavaScript")
def test_the_javascript_of_the_page_gives_the_same() -> None:
    """Numbers and samples."""
    asked = [(seed, salts, draw, BOUNDS * 5, 176) for draw, seed in enumerate(seeds(5)) for salts in SALTS]
    command = [str(NODE), "--input-type=module", "-e", code("js") + ASKED, json.dumps(asked)]
    done = subprocess.run(command, capture_output=True, check=True, timeout=PATIENCE)
    for (seed, salts, number, bounds, size), (row, sampled) in zip(asked, json.loads(done.stdout), strict=True):
        draw = drawn(seed, salts, number)
        assert row == [draw.below(bound) for bound in bounds]
        assert sampled == draw.sample(range(size), 48)
