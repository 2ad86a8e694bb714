"""`turnstream verify`: seed, rules and moves of a match lead to the published match, or the exit code reports it."""

import hashlib
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest

from service.__main__ import main
from service.domain.catalog import GAMES
from tests.laws.play import play
from tests.laws.sheets import export_of, match_of

FOLDER = Path(__file__).parent / "laws/transcripts"
TRANSCRIPTS = sorted(FOLDER.glob("*/*.txt"))


def export(game: str, seed: int = 2, **options: Any) -> bytes:
    """Return the export of a complete match."""
    rules = GAMES[game]
    return export_of(match_of(play(rules, msgspec.convert(options, rules.options), seed, 20_000)))


def verify(data: bytes, folder: Path, capsys: pytest.CaptureFixture[str]) -> tuple[int, list[tuple[str, str]]]:
    """Return the exit code for a match, and each check with its verdict."""
    file = folder / "match"
    file.write_bytes(data)
    code = main(["verify", str(file)])
    lines = capsys.readouterr().out.splitlines()[1:]
    return code, [(line[7:14].strip(), line[:7].strip()) for line in lines]


ALL_HOLD = [("seed", "ok"), ("start", "ok"), ("moves", "ok"), ("result", "ok"), ("hash", "?")]


@pytest.mark.parametrize("file", TRANSCRIPTS, ids=lambda file: f"{file.parent.name}-{file.stem}")
def test_a_text_passes(file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Seed, moves and result; the start is recomputed."""
    assert verify(file.read_bytes(), tmp_path, capsys) == (0, ALL_HOLD)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seed", [2, 3])
def test_an_export_passes(game: str, seed: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Every published event, including drop-outs."""
    assert verify(export(game, seed), tmp_path, capsys) == (0, ALL_HOLD)


def replace_first(data: bytes, pattern: bytes, by: bytes) -> bytes:
    """Return the export with the first match of a pattern replaced."""
    forged, count = re.subn(pattern, by, data, count=1)
    assert count == 1
    assert forged != data
    return forged


SEED = rb'"seed":"\w{64}"'
OTHER_SEED = b'"seed":"' + b"ab" * 32 + b'"'
FORGED: list[tuple[str, dict[str, Any], bytes, bytes, str]] = [
    ("ternio", {}, rb'"seed_hash":"\w{64}"', b'"seed_hash":"' + b"0" * 64 + b'"', "seed"),
    ("ternio", {}, SEED, OTHER_SEED, "seed"),
    ("ternio", {}, rb'"captured":\["..",', b'"captured":[', "moves"),
    ("ternio", {}, rb'"captured":\["(..)"\]', b'"captured":[]', "moves"),
    ("ternio", {}, rb'\{[^{}]*"type":"placed"[^{}]*\}\n', b"", "moves"),
    ("ternio", {}, rb'"winners":\[\d', b'"winners":[7', "result"),
    ("ternio", {}, rb'"reason":"most_discs"', b'"reason":"most_cells"', "result"),
    ("triboard", {}, rb"\.b", b"b.", "start"),
    ("triboard", {}, rb'"first":(\d),"draw"', b'"first":9,"draw"', "start"),
    ("turncoat", {}, rb'"type":"laid_out","board":\["W', b'"type":"laid_out","board":["B', "start"),
    ("turncoat", {}, rb'"half":2,"at":"\w\d"', b'"half":2,"at":"a1"', "moves"),
    ("morris", {"first": "roll"}, rb'"value":(\d)', b'"value":7', "start"),
    ("rainbow", {"dice": True}, rb'("value":"\w","draw":)1\b', rb"\g<1>2", "moves"),
]


@pytest.mark.parametrize(("game", "options", "pattern", "by", "check"), FORGED)
def test_a_forged_event_is_found(  # noqa: PLR0913, PLR0917 - a row of the table above
    game: str,
    options: dict[str, Any],
    pattern: bytes,
    by: bytes,
    check: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The right check fails."""
    forged = replace_first(export(game, **options), pattern, by)
    code, checks = verify(forged, tmp_path, capsys)
    assert code == 1
    assert (check, "WRONG") in checks


@pytest.mark.parametrize("game", ["triboard", "turncoat"])
def test_another_seed_with_its_own_hash_gives_another_layout(
    game: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """If both are replaced, the board does not match."""
    promise = hashlib.sha256(b"\xab" * 32).hexdigest().encode()
    forged = replace_first(export(game), SEED, OTHER_SEED)
    forged = replace_first(forged, rb'"seed_hash":"\w{64}"', b'"seed_hash":"' + promise + b'"')
    code, checks = verify(forged, tmp_path, capsys)
    assert code == 1
    assert checks[0] == ("seed", "ok")
    assert checks[-2][1] == "WRONG"


@pytest.mark.parametrize("game", ["triboard", "turncoat"])
def test_another_salt_gives_another_layout(game: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A seat that sent a salt can see that it was used."""
    forged = replace_first(export(game), rb'"salts":\[""', b'"salts":["mine"')
    code, checks = verify(forged, tmp_path, capsys)
    assert (code, checks[0]) == (1, ("seed", "ok"))


def test_a_text_that_was_cut_short_is_found(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """By the rules the match would continue."""
    rows = (FOLDER / "ternio/first.txt").read_text().partition("\n 20. ")[0]
    assert verify(rows.encode(), tmp_path, capsys) == (1, [*ALL_HOLD[:3], ("result", "WRONG"), ALL_HOLD[-1]])


def test_a_match_that_cannot_be_checked_has_exit_code_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A match without its end, one with other rules, and no match."""
    whole = export("ternio")
    running = b"".join(whole.splitlines(keepends=True)[:-1])
    other_rules = whole.replace(b'"rules_version":1', b'"rules_version":2')
    hexless = replace_first(whole, SEED, b'"seed":"x"')
    saltless = whole.replace(b'"salts":["","",""]', b'"salts":[]')
    for data in (running, other_rules, hexless, saltless, whole[1:], b"", b"{"):
        assert verify(data, tmp_path, capsys) == (2, [])
    assert main(["verify", str(tmp_path / "none")]) == 2
