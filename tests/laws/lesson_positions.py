"""Write the positions by which lessons show their games into `lesson.json`: `python -m tests.laws.lesson_positions`."""

import re
from pathlib import Path

import msgspec

from service.domain import games
from service.domain.catalog import GAMES
from tests.laws.test_lessons import shown_by

ENDS = {"turncoat": 3}
"""The step, counted from 1, with whose solution the positions end; it is the second one in other games."""


def main() -> None:
    """Write the positions of every lesson after the fields of their step, each on its own line."""
    for slug, game in GAMES.items():
        if game.lesson is None:
            continue
        file = Path(games.__path__[0]) / slug / "lesson.json"
        number = ENDS.get(slug, 2)
        end = len(game.lesson.steps) - number + 1
        before = re.sub(r',\n    "positions": \[.*?\n    \]', "", file.read_text(), flags=re.DOTALL)
        head, *tail = before.rsplit("\n  }", end)
        lines = ",\n".join(f"      {msgspec.json.encode(each).decode()}" for each in shown_by(game, number))
        file.write_text("\n  }".join([f'{head},\n    "positions": [\n{lines}\n    ]', *tail]))


if __name__ == "__main__":
    main()
