"""`python -m tests.domain.room.unicode_tables CONFUSABLES SCRIPTS`: regenerates both tables.

The arguments are Unicode's files `confusables.txt` (UTS 39) and `Scripts.txt`. The table of look-alikes leaves out what
normalisation removes, marks, ideographs, and signs that do not look like a letter or digit.
"""

import re
import sys
import unicodedata
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from service.domain.room.model.names import strip_marks

ROOM = Path(__file__).parents[3] / "service/domain/room/model"
SPAN = re.compile(r"([0-9A-F]+)(?:\.\.([0-9A-F]+))?\s*;\s*(\w+)\s*#\s*L")
WIDTH = 110


def version(text: str) -> str:
    """Return the version that a Unicode file gives in its header."""
    found = re.search(r"(?:Version: |-)(\d+\.\d+\.\d+)", text)
    assert found is not None
    return found[1]


def look_alikes(text: str) -> Iterator[tuple[str, str]]:
    """Yield each character that can occur in a name, with what it looks like."""
    for line in text.splitlines():
        given, *more = line.partition("#")[0].split(";")
        if more:
            source, target = ("".join(chr(int(code, 16)) for code in part.split()) for part in (given, more[0]))
            target = strip_marks(target)
            if target and is_kept(source, target):
                yield source, target


def is_kept(source: str, target: str) -> bool:
    """Return whether a pair of look-alikes is relevant for names."""
    kind, is_written = unicodedata.category(source), target.isascii() and target.isalnum()
    if strip_marks(source) != source or source == target or "CJK" in unicodedata.name(source, ""):
        return False
    return kind[0] in "LN" or (kind[0] in "PS" and is_written)


def escaped(text: str) -> str:
    """Return text with escapes for all characters that are not ASCII."""
    return text.encode("unicode_escape").decode()


def confusables(text: str) -> list[str]:
    """Return the rows of the table of look-alikes."""
    groups: dict[str, list[str]] = defaultdict(list)
    for source, target in look_alikes(text):
        groups[target].append(source)
    words = [
        f"{escaped(target)}={''.join(part)}"
        for target, sources in sorted(groups.items())
        for part in parts([escaped(source) for source in sources], WIDTH - len(escaped(target)))
    ]
    return [" ".join(part) for part in parts(words, WIDTH)]


def scripts(text: str) -> list[str]:
    """Return the rows of the table of scripts."""
    spans = sorted((int(first, 16), int(last or first, 16), script) for first, last, script in SPAN.findall(text))
    groups: dict[str, list[str]] = defaultdict(list)
    joined: list[tuple[int, int, str]] = []
    for first, last, script in spans:
        if script in {"Common", "Inherited"}:
            continue
        if joined and joined[-1][2] == script:
            joined[-1] = (joined[-1][0], last, script)
        else:
            joined.append((first, last, script))
    for first, last, script in joined:
        groups[script].append(f"{first:X}-{last:X}" if last > first else f"{first:X}")
    return [f"{script} {' '.join(part)}" for script, found in groups.items() for part in parts(found, WIDTH - 30)]


def parts(words: list[str], width: int) -> Iterator[list[str]]:
    """Yield groups of words that fit into a line."""
    line: list[str] = []
    for word in words:
        if line and sum(map(len, line)) + len(line) + len(word) > width:
            yield line
            line = []
        line.append(word)
    if line:
        yield line


def main(confusables_file: str, scripts_file: str) -> None:
    """Replace both tables, which name their version of Unicode."""
    for name, rows_of, file in (("confusables", confusables, confusables_file), ("scripts", scripts, scripts_file)):
        text = Path(file).read_text(encoding="utf-8-sig")
        rows = [f"# Unicode {version(text)}, {Path(file).name}", *rows_of(text)]
        (ROOM / f"{name}.txt").write_text("".join(f"{row}\n" for row in rows))


if __name__ == "__main__":
    main(*sys.argv[1:])
