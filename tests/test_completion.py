"""The completion of the command line offers what exists, in bash and in zsh."""

import shutil
import subprocess

import pytest

from service.__main__ import VERBS
from tests import completion

BEGINNING = {"bash": "", "zsh": "autoload -U compinit bashcompinit; compinit -D -u; bashcompinit"}
ASK = """
COMP_WORDS=({words})
COMP_CWORD={at}
_turnstream
printf '%s\\n' "${{COMPREPLY[@]}}"
"""


def test_the_script_is_up_to_date() -> None:
    """Otherwise run `python -m tests.completion`."""
    assert completion.FILE.read_text() == completion.script()


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["turnstream", ""], {"--help", "--version", *VERBS}),
        (["turnstream", "ve"], {"verify"}),
        (["turnstream", "rooms", ""], {"--help", "list", "inspect", "close"}),
        (["turnstream", "rooms", "list", "--"], {"--help", "--all", "--json"}),
        (["turnstream", "backup", "folder", "--ke"], {"--keep-days", "--keep"}),
        (["turnstream", "openapi", "a"], {"asyncapi", "admin"}),
        (["turnstream", "doctor", "--j"], {"--json"}),
        (["turnstream", "unknown", ""], set()),
    ],
)
@pytest.mark.parametrize("shell", BEGINNING)
def test_verbs_and_options_are_offered(shell: str, words: list[str], expected: set[str]) -> None:
    """Those that begin like the current word."""
    program = shutil.which(shell)
    if program is None:
        pytest.skip(f"{shell} is not installed here")
    quoted = " ".join(f"'{word}'" for word in words)
    asking = ASK.format(words=quoted, at=len(words) - 1)
    emulation = "setopt ksharrays\n" if shell == "zsh" else ""  # as zsh's own wrapper calls functions of bash
    script = f"{BEGINNING[shell]}\n{completion.FILE.read_text()}\n{emulation}{asking}"
    done = subprocess.run([program, "-c", script], capture_output=True, text=True, check=True)
    offered = done.stdout.split()
    if shell == "zsh":  # it removes the others itself, in `compadd`
        offered = [word for word in offered if word.startswith(words[-1])]
    assert set(offered) == expected
