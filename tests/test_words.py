"""The words of the project: the tests and the benchmark use those of the glossary, not the ones that it rules out."""

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
COVERED = ("tests", "bench")
OWN = "tests/test_words.py"

REPLACEMENTS = {
    r"(\b|_)told(\b|_)": "send, report, return, or the verb of the field",
    r"(\b|_)whoever(\b|_)": "the role: player, client, caller",
    r"\bthe house\b": "the system",
    r"\bnursery\b": "task group",
    r"\boutbox\b": "send queue",
    r"\bvisitors?\b": "guest, spectator",
}
"""What is not used, as regular expressions, and what is used in its place."""

ALLOWED = {
    "bench/RESULTS.md": "written by the benchmark",
    "tests/web/test_room.py": "the title of an option in the rules of a game",
}
"""Files that may have such a word, with the reason."""

DATA = {".jsonl", ".json", ".ndjson", ".gz", ".png", ".svg", ".rdb", ".txt"}
"""Endings of stored data, which keeps its bytes."""


def unused_words(name: str, text: str) -> list[str]:
    """Return the places of ruled-out words in a text, each with the words to use."""
    return [
        f"{name}:{number}: {found.group()!r}, use: {better}"
        for number, line in enumerate(text.splitlines(), 1)
        for pattern, better in REPLACEMENTS.items()
        for found in re.finditer(pattern, line, re.IGNORECASE)
    ]


def test_no_ruled_out_word_is_used() -> None:
    """In names, docstrings, comments and messages of the covered folders."""
    listed = subprocess.run(["git", "ls-files", *COVERED], cwd=ROOT, capture_output=True, text=True, check=True)  # noqa: S607 - the developer's own git
    names = [name for name in listed.stdout.splitlines() if Path(name).suffix not in DATA]
    assert len(names) > 100
    places = [
        place
        for name in names
        if name != OWN and name not in ALLOWED and (ROOT / name).is_file()
        for place in unused_words(name, (ROOT / name).read_text())
    ]
    assert places == []


@pytest.mark.parametrize("word", ["is_told_once", "Whoever asks", "of the house", "told", "a nursery", "visitor"])
def test_a_planted_word_is_found(word: str) -> None:
    """With its file and line."""
    assert unused_words("tests/some.py", f"fine\n{word}\n")[0].startswith("tests/some.py:2: ")
