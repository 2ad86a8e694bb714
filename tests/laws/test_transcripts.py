"""Whole matches as text in transcripts/<game>: moves, events, boards and counts of legal moves.

They record the rules of a release: a change that affects old matches fails here. A new one is played at random, with
drop-outs where the seed is odd, and all of them are written again (when the format changes) by

    python -m tests.laws.test_transcripts GAME NAME '{"option": "value"}' SEED
    python -m tests.laws.test_transcripts
"""

import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest

from service.domain.catalog import GAMES
from service.domain.notation.reading import read_text
from service.domain.notation.replay import refutation, replay, rules_of
from service.domain.notation.sheet import sheet_of
from tests.laws.play import LONGEST, play
from tests.laws.sheets import match_of, transcript

FOLDER = Path(__file__).parent / "transcripts"
FILES = sorted(FOLDER.glob("*/*.txt"))
NAMES = ("Ada", "Bob", "Cyd", "Dot")


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}-{file.stem}")
def test_a_transcript_can_be_reproduced_exactly(file: Path) -> None:
    """Every event, board and count of legal moves follows from the seed and the moves alone."""
    text = file.read_text()
    sheet = read_text(text)
    assert sheet.heading.game == file.parent.name
    assert transcript(sheet) == text
    *_, last = replay(sheet)
    assert refutation(rules_of(sheet.heading), last.after, sheet.heading.result) is None


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_three_transcripts(game: str) -> None:
    """A game is added together with matches to read."""
    assert len([file for file in FILES if file.parent.name == game]) >= 3


@pytest.mark.parametrize("game", GAMES)
def test_the_transcripts_of_a_game_differ_in_their_options_or_drop_outs(game: str) -> None:
    """Three transcripts of the same kind would not test more than one."""
    sheets = [read_text(file.read_text()) for file in FILES if file.parent.name == game]
    kinds = {
        (msgspec.json.encode(sheet.heading.options), len({type(entry) for entry in sheet.entries})) for sheet in sheets
    }
    assert len(kinds) == len(sheets)


def write(arguments: list[str]) -> None:
    """Play a new transcript, or write all of them again."""
    if arguments:
        slug, name, options, seed = arguments
        game: Any = GAMES[slug]
        played = play(game, msgspec.json.decode(options, type=game.options), int(seed), LONGEST)
        file = FOLDER / slug / f"{name}.txt"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(transcript(sheet_of(match_of(played, f"{slug}-{name}"), NAMES[: len(played.seats)])))
    else:
        for old in FILES:
            old.write_text(transcript(read_text(old.read_text())))


if __name__ == "__main__":
    write(sys.argv[1:])
