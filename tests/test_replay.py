"""`turnstream replay`: a match in the terminal, and exit codes for scripts."""

import argparse
import io
import os
import pty
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import pytest

from service.__main__ import main
from service.domain.catalog import GAMES
from service.programs.replay.screen import CLEAR, Screen
from tests.laws.play import play
from tests.laws.sheets import export_of, match_of

FOLDER = Path(__file__).parent / "laws/transcripts"
TRANSCRIPTS = sorted(FOLDER.glob("*/*.txt"))
TERNIO = FOLDER / "ternio/first.txt"
RAINBOW = FOLDER / "rainbow/square.txt"
"""A match of 17 moves."""


def export(game: str, seed: int) -> bytes:
    """Return the export of a match under the default options."""
    return export_of(match_of(play(GAMES[game], GAMES[game].options(), seed, 20_000)))


@pytest.mark.parametrize("file", TRANSCRIPTS, ids=lambda file: f"{file.parent.name}-{file.stem}")
def test_a_text_is_shown_to_its_end(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The last board of the transcript is the last board shown."""
    assert main(["replay", str(file)]) == 0
    shown = capsys.readouterr().out
    last_board = file.read_text().rpartition("\n;\n")[2].replace("; ", "")
    assert last_board in shown
    assert "\x1b" not in shown


@pytest.mark.parametrize("game", GAMES)
def test_an_export_is_shown_without_the_rules(game: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The events are sufficient to show the match."""
    file = tmp_path / "match.ndjson"
    file.write_bytes(export(game, 2))
    assert main(["replay", str(file)]) == 0
    assert capsys.readouterr().out.startswith(GAMES[game].texts.title)


def test_a_running_match_is_shown_up_to_its_latest_move(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """No seed is needed."""
    file = tmp_path / "match.ndjson"
    file.write_bytes(b"".join(export("morris", 2).splitlines(keepends=True)[:8]))
    assert main(["replay", str(file)]) == 0
    assert capsys.readouterr().out.endswith("The match is still being played.\n")


def test_selections_alone_draw_no_board(capsys: pytest.CaptureFixture[str]) -> None:
    """They do not change the board."""
    assert main(["replay", str(FOLDER / "turncoat/any.txt")]) == 0
    shown = capsys.readouterr().out
    assert "red selected, at " in shown
    assert "black, selected" not in shown


@pytest.mark.parametrize("verb", ["replay", "verify"])
def test_a_match_cannot_control_the_terminal(verb: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Control characters in names are removed."""
    file = tmp_path / "match.txt"
    named = TERNIO.read_text().replace('"red":"Ada"', '"red":"A\\u001b[2J"')
    file.write_text(named.replace("match: ", "match: \x1b[2J\x07"))
    assert main([verb, str(file)]) == 0
    shown = capsys.readouterr().out
    assert "?[2J?" in shown
    assert not {"\x1b", "\x07"} & set(shown)


def test_a_match_can_be_read_from_standard_input(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """As in `curl ... | turnstream replay -`."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(TERNIO.read_bytes())))
    assert main(["replay", "-"]) == 0
    assert "most_discs" in capsys.readouterr().out


@contextmanager
def served(pages: dict[str, tuple[int, bytes]]) -> Iterator[str]:
    """Serve these pages over HTTP."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            status, body = pages[self.path]
            self.send_response(status)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.mark.parametrize("address", ["/v1/matches/a.b.1", "/v1/matches/a.b.1/", "/v1/matches/a.b.1/export"])
def test_a_match_can_be_read_from_its_address(address: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The address of the match or of its export."""
    with served({"/v1/matches/a.b.1/export": (200, export("triboard", 2))}) as url:
        assert main(["replay", url + address]) == 0
    assert "most_cells" in capsys.readouterr().out


def test_a_service_that_refuses_is_quoted(capsys: pytest.CaptureFixture[str]) -> None:
    """The code and the detail of its problem."""
    problem = b'{"code":"no_such_match","detail":"There is no match with this id.","status":404}'
    with served({"/x/export": (404, problem), "/y/export": (500, b"\x1b[2J")}) as url:
        assert main(["replay", f"{url}/x"]) == 2
        assert main(["replay", f"{url}/y"]) == 2
    errors = capsys.readouterr().err
    assert "404 no_such_match: There is no match with this id." in errors
    assert "\x1b" not in errors


def test_invalid_input_has_exit_code_2(tmp_path: Path) -> None:
    """A missing file, an invalid text or export, an unknown game, an invalid pause."""
    assert main(["replay", str(tmp_path / "none")]) == 2
    assert main(["replay", "http://127.0.0.1:1/v1/matches/a.b.1"]) == 2
    for number, data in enumerate((b"", b"\xff\xfe", b"{", b"{}\n", export("ternio", 2).replace(b"ternio", b"chess"))):
        file = tmp_path / str(number)
        file.write_bytes(data)
        assert main(["replay", str(file)]) == 2
    for wrong in (["--pause", "-1"], ["--pause", "x"], ["--pause", "60001"], ["--pause", "1", "--step"]):
        with pytest.raises(SystemExit) as left:
            main(["replay", str(TERNIO), *wrong])
        assert left.value.code == 2


def test_stepping_without_a_terminal_has_exit_code_2(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody could press Enter."""
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    assert main(["replay", str(TERNIO), "--step"]) == 2


def test_an_inconsistent_match_has_exit_code_1(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A move that the rules reject, and an event on a square that does not exist."""
    lines = TERNIO.read_text().replace("  2. red ", "  2. red a1 red ", 1)
    text, events = tmp_path / "match.txt", tmp_path / "match.ndjson"
    text.write_text(lines)
    events.write_bytes(export("ternio", 2).replace(b'"at":"', b'"at":"\\u001b', 1))
    assert main(["replay", str(text)]) == 1
    assert main(["replay", str(events)]) == 1
    captured = capsys.readouterr()
    assert "move 4, red a1: captures_nothing" in captured.err
    assert "\x1b" not in captured.out + captured.err


def on_a_terminal(*arguments: str, typed: bytes = b"", **environment: str) -> tuple[int, bytes]:
    """Run the verb on a terminal and return its exit code and its output."""
    ours, theirs = pty.openpty()
    os.write(ours, typed)
    command = (sys.executable, "-m", "service", "replay", *arguments)
    settings = {name: value for name, value in os.environ.items() if name != "NO_COLOR"} | environment
    process = subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env=settings)
    os.close(theirs)
    shown = b""
    try:
        while part := os.read(ours, 65536):
            shown += part
    except OSError:  # raised by a terminal without a writer
        pass
    os.close(ours)
    return process.wait(), shown


def test_a_terminal_gets_colours_unless_they_are_disabled() -> None:
    """By the variable `NO_COLOR`."""
    code, shown = on_a_terminal(str(RAINBOW), "--pause", "0")
    assert (code, b"\x1b[7m" in shown, shown.count(CLEAR.encode())) == (0, True, 17)
    code, shown = on_a_terminal(str(RAINBOW), "--pause", "0", NO_COLOR="1")
    assert (code, b"\x1b" in shown) == (0, False)


def test_enter_steps_on() -> None:
    """One board per Enter."""
    code, shown = on_a_terminal(str(RAINBOW), "--step", typed=b"\n" * 18)
    assert code == 0
    assert b"line: 1." in shown


class Terminal(io.StringIO):
    """What is written to a terminal."""

    def isatty(self) -> bool:
        """Return True."""
        return True


def test_changes_are_reversed_and_pieces_coloured(monkeypatch: pytest.MonkeyPatch) -> None:
    """Between two boards, a red disc is added."""
    monkeypatch.delenv("NO_COLOR", raising=False)
    out = Terminal()
    screen = Screen(out, ("red", "green"))
    screen.show([], " 1 . .\n   a b")
    screen.show(["red placed"], " 1 R .\n   a b")
    screen.show([], " 1 R .\n   a b")
    first, second, third = out.getvalue().split(CLEAR)
    assert first == "\n 1 . .\n   a b\n"
    assert second == "\x1b[31mred\x1b[0m placed\n 1 \x1b[31;7mR\x1b[0m .\n   a b\n"
    assert third == " 1 \x1b[31mR\x1b[0m .\n   a b\n"


def test_a_closed_output_ends_it_without_an_error() -> None:
    """As with `head`."""
    command = f"{sys.executable} -m service replay {TRANSCRIPTS[0]} | head -1; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, check=False)  # noqa: S607 - bash for PIPESTATUS
    assert done.stderr == b""
    assert done.returncode in {0, 141}


def test_an_interrupted_match_has_exit_code_130(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C while a board is shown."""

    def interrupted(_match: object, _asked: argparse.Namespace) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr("service.programs.replay.watching.watch", interrupted)
    assert main(["replay", str(TERNIO)]) == 130
