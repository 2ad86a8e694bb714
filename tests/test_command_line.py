"""The command line: what is imported, an output that nobody reads, and what a refused verb leaves behind."""

import argparse
import os
import subprocess
import sys
from functools import partial
from importlib import import_module
from importlib.metadata import version
from pathlib import Path

import pytest

from service.__main__ import VERBS, main
from service.programs.command_line import Verb, run
from service.programs.embedded_store import server_binary
from service.runtime.settings import Settings

PARTS = [["rooms", "list"], ["rooms", "inspect"], ["rooms", "close"], ["ratings", "verify"], ["ratings", "void"]]
HELP = [[], *([verb] for verb in VERBS), *PARTS]
COMMAND = (sys.executable, "-m", "service")
HEAVY = {"domain", "store", "rooms", "api", "wiring", "serving"}
"""Parts of the service whose import takes most of the time of a start."""
MODULES = 90
"""How many modules help may import beyond those of an empty program; most are of argparse and msgspec."""
HELP_AND_IMPORTS = """
import sys
before = set(sys.modules)
from service.__main__ import main
try:
    main([*sys.argv[1:], "--help"])
finally:
    print(*set(sys.modules) - before, file=sys.stderr)
"""


def environment(**settings: object) -> dict[str, str]:
    """Return the environment of a verb: this one's without its settings, and with these."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("TURNSTREAM_")}
    return {**inherited, **{f"TURNSTREAM_{name.upper()}": str(value) for name, value in settings.items()}}


def closed_pipe() -> int:
    """Return the end of a pipe for writing that nobody reads."""
    reading, writing = os.pipe()
    os.close(reading)
    return writing


@pytest.mark.parametrize("arguments", HELP, ids=" ".join)
def test_help_imports_nothing_that_takes_time(arguments: list[str]) -> None:
    """It needs a twentieth of a second of CPU time; with the service imported it was 0.9 s, and with the demo 0.2 s."""
    command = [sys.executable, "-c", HELP_AND_IMPORTS, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, env=environment(), check=True)
    assert done.stdout.startswith(f"usage: {' '.join(['turnstream', *arguments])} ")
    imported = done.stderr.split()
    loaded = {name.removeprefix("service.").partition(".")[0] for name in imported}
    assert loaded & {*HEAVY, "litestar", "redis", "structlog", "httpx"} == set()
    assert len(imported) <= MODULES


def test_the_release_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    """Without settings, which may be wrong."""
    with pytest.raises(SystemExit) as ended:
        main(["--version"])
    assert (ended.value.code, capsys.readouterr().out) == (0, f"turnstream {version('turnstream')}\n")


def test_every_verb_has_arguments_and_code_that_exist() -> None:
    """They are named by texts, which neither the type checker nor the help resolves."""
    for name, verb in VERBS.items():
        parser = argparse.ArgumentParser()
        verb.add_arguments(parser)
        for function in (verb.run, verb.add_arguments, *works(parser)):
            if isinstance(function, partial):
                module, _, found = function.args[0].rpartition(".")
                assert callable(getattr(import_module(module), found)), name


def works(parser: argparse.ArgumentParser) -> list[object]:
    """Return what the verb of this parser does, or what its parts do."""
    choices = [action.choices for action in parser._actions if isinstance(action.choices, dict)]
    parts = [part for choice in choices for part in choice.values()]
    return [part.get_default("work") for part in (parser, *parts)]


@pytest.mark.parametrize("arguments", [["--help"], ["rooms", "--help"], ["openapi"]], ids=" ".join)
def test_an_output_that_nobody_reads_ends_a_verb_quietly(arguments: list[str]) -> None:
    """As with `head`; a long text fails while it is written, a short one at the end."""
    output = closed_pipe()
    done = subprocess.run([*COMMAND, *arguments], stdout=output, stderr=subprocess.PIPE, env=environment(), check=False)
    os.close(output)
    assert (done.returncode, done.stderr) == (141, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
def test_an_output_without_space_is_reported_in_one_line() -> None:
    """Without a traceback."""
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [*COMMAND, "openapi"], stdout=full, stderr=subprocess.PIPE, env=environment(), check=False
        )
    assert (done.returncode, done.stderr) == (2, b"turnstream: No space left on device\n")


def test_an_error_of_the_system_is_printed_without_its_number(capsys: pytest.CaptureFixture[str]) -> None:
    """A reader can do nothing with it."""

    def work(_chosen: Settings, _arguments: argparse.Namespace) -> int:
        Path("/no/such/file").read_text()
        return 0

    assert run({"work": Verb(work, "Fail.")}, ["work"]) == 2
    assert capsys.readouterr().err == "turnstream: No such file or directory: '/no/such/file'\n"


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"port": "http", "mode": "prod"}, "2 settings are wrong:"),
        ({"admin_token": "short"}, "TURNSTREAM_ADMIN_TOKEN: expected at least 32 characters"),
        ({"admin_token_file": "/no/such/file"}, "The file in TURNSTREAM_ADMIN_TOKEN_FILE cannot be read"),
        ({"metrics_port": "65535"}, "TURNSTREAM_METRICS_PORT: it and the next one must be ports"),
        ({"metrics_port": "7999"}, "TURNSTREAM_METRICS_PORT: it and the next one must be ports other than 8000."),
        ({"issuers": "/no/such/file"}, "TURNSTREAM_ISSUERS: No such file or directory: '/no/such/file'"),
        ({"mode": "production"}, "2 settings are wrong:\n  TURNSTREAM_ORIGINS: in production mode"),
        ({"host": "192.0.2.1"}, "Cannot listen on 192.0.2.1 port 8000: "),
    ],
)
@pytest.mark.skipif(server_binary() is None, reason="no store server on this machine")
def test_a_refused_start_leaves_no_folder(settings: dict[str, str], said: str, tmp_path: Path) -> None:
    """Who corrects it and starts again in another folder has nothing to clean up."""
    given = environment(**settings, data=tmp_path / "data")
    done = subprocess.run([*COMMAND, "up"], capture_output=True, text=True, env=given, check=False)
    assert done.returncode in {1, 2}
    assert f"turnstream: {said}" in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_verb_without_a_store_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """With the folder that it looked at, which it does not create."""
    monkeypatch.setenv("TURNSTREAM_DATA", str(tmp_path / "data"))
    monkeypatch.delenv("TURNSTREAM_REDIS_URL", raising=False)
    assert main(["rooms", "list"]) == 2
    said = capsys.readouterr().err
    assert said.startswith(
        f"turnstream: No store is configured, and `turnstream up` does not run on the folder {tmp_path}/data."
    )
    assert "TURNSTREAM_REDIS_URL" in said
    assert list(tmp_path.iterdir()) == []
