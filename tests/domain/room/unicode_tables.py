"""`python -m tests.domain.room.unicode_tables CONFUSABLES SCRIPTS`: writes the tables of look-alikes and of scripts.

The arguments are Unicode's own `confusables.txt` (UTS 39) and `Scripts.txt`. What normalisation folds away is left out,
and so are marks, which names are compared without, ideographs, and signs that look like no letter or digit.
"""

import re
import sys
import unicodedata
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from service.domain.room.names import bare

ROOM = Path(__file__).parents[3] / "service/domain/room"
HEAD = '''"""{about}

Written by `python -m tests.domain.room.unicode_tables` from {file} of Unicode {version}; do not edit.
Copyright Unicode, Inc.; under the Unicode License, https://www.unicode.org/license.txt.
"""
'''
LOOK_ALIKES = '''
VERSION = "{version}"

TABLE = """\\
{rows}
"""
"""In each word first what is looked like, then behind `=` every character that looks like it."""

PROTOTYPES = {{
    ord(source): target for target, _, sources in (word.rpartition("=") for word in TABLE.split()) for source in sources
}}
"""What each character looks like, for `str.translate`."""
'''
SCRIPTS = '''
from bisect import bisect_right

VERSION = "{version}"

TABLE = """\\
{rows}
"""
"""In each row first a script, then the ranges of its letters in hexadecimal digits."""

LAST = 0x10FFFF
"""The last character of all."""


def ranges() -> list[tuple[int, int, str]]:
    """Return the first and the last character of each range, and its script, in order."""
    found = []
    for row in TABLE.splitlines():
        script, *spans = row.split()
        for span in spans:
            first, _, last = span.partition("-")
            found.append((int(first, 16), int(last or first, 16), script))
    return sorted(found)


RANGES = ranges()


def script_of(letter: str) -> str | None:
    """Return the script of a letter, None for what belongs to several or to none."""
    place = bisect_right(RANGES, (ord(letter), LAST, "")) - 1
    return RANGES[place][2] if place >= 0 and ord(letter) <= RANGES[place][1] else None
'''
SPAN = re.compile(r"([0-9A-F]+)(?:\.\.([0-9A-F]+))?\s*;\s*(\w+)\s*#\s*L")
WIDTH = 110


def version(text: str) -> str:
    """Return the version that a file of Unicode names in its head."""
    found = re.search(r"(?:Version: |-)(\d+\.\d+\.\d+)", text)
    assert found is not None
    return found[1]


def look_alikes(text: str) -> Iterator[tuple[str, str]]:
    """Return each character that may occur in a name, and what it looks like."""
    for line in text.splitlines():
        given, *more = line.partition("#")[0].split(";")
        if more:
            source, target = ("".join(chr(int(code, 16)) for code in part.split()) for part in (given, more[0]))
            target = bare(target)
            if target and is_kept(source, target):
                yield source, target


def is_kept(source: str, target: str) -> bool:
    """Return whether a pair says something about names."""
    kind, is_written = unicodedata.category(source), target.isascii() and target.isalnum()
    if bare(source) != source or source == target or "CJK" in unicodedata.name(source, ""):
        return False
    return kind[0] in "LN" or (kind[0] in "PS" and is_written)


def escaped(text: str) -> str:
    """Return text in ASCII, as it is written in a string."""
    return text.encode("unicode_escape").decode()


def confusables(text: str) -> str:
    """Return the module with the look-alikes."""
    groups: dict[str, list[str]] = defaultdict(list)
    for source, target in look_alikes(text):
        groups[target].append(source)
    words = [
        f"{escaped(target)}={''.join(part)}"
        for target, sources in sorted(groups.items())
        for part in parts([escaped(source) for source in sources], WIDTH - len(escaped(target)))
    ]
    rows = [" ".join(part) for part in parts(words, WIDTH)]
    return head("Which characters look like others.", "confusables.txt", text) + LOOK_ALIKES.format(
        version=version(text), rows="\n".join(rows)
    )


def scripts(text: str) -> str:
    """Return the module with the scripts."""
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
    rows = [f"{script} {' '.join(part)}" for script, found in groups.items() for part in parts(found, WIDTH - 30)]
    return head("Which script a letter belongs to.", "Scripts.txt", text) + SCRIPTS.format(
        version=version(text), rows="\n".join(rows)
    )


def parts(words: list[str], width: int) -> Iterator[list[str]]:
    """Return words in groups that fit a line."""
    line: list[str] = []
    for word in words:
        if line and sum(map(len, line)) + len(line) + len(word) > width:
            yield line
            line = []
        line.append(word)
    if line:
        yield line


def head(about: str, file: str, text: str) -> str:
    """Return the beginning of a module."""
    return HEAD.format(about=about, file=file, version=version(text))


def main(confusables_file: str, scripts_file: str) -> None:
    """Write both modules."""
    (ROOM / "confusables.py").write_text(confusables(Path(confusables_file).read_text(encoding="utf-8-sig")))
    (ROOM / "scripts.py").write_text(scripts(Path(scripts_file).read_text(encoding="utf-8-sig")))


if __name__ == "__main__":
    main(*sys.argv[1:])
