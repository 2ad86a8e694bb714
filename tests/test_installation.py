"""What `make` and `.ci/run` install on the machine, with stubs in the place of the programs that install."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.api.browser import PROGRAMS

ROOT = Path(__file__).parents[1]
MAKE = shutil.which("make")
FAILING = "echo E: no network >&2; exit 100"
ROOT_USER = "echo 0"
FROM_THE_SYSTEM = ("mkdir", "cp", "touch", "rm", "awk", "grep", "sort", "head", "tail", "cut", "cat", "dirname", "env")

pytestmark = pytest.mark.skipif(MAKE is None, reason="make is not installed")


@pytest.fixture
def programs(tmp_path: Path) -> Path:
    """Return the only folder on the PATH; it has some programs of the system, none of which installs anything."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for name in FROM_THE_SYSTEM:
        (folder / name).symlink_to(shutil.which(name) or name)
    return folder


def add(programs: Path, **scripts: str) -> None:
    """Add shell scripts as programs; `_` in a name is `-`."""
    for name, script in scripts.items():
        file = programs / name.replace("_", "-")
        file.write_text(f"#!/bin/sh\n{script}\n")
        file.chmod(0o755)


def run(programs: Path, *command: str) -> str:
    """Run a command, which has to succeed, and return what it prints."""
    environment = {
        "PATH": str(programs),
        "HOME": str(programs),
        "PYENV_ROOT": str(programs),
        "SECRET": "of this machine",
    }
    done = subprocess.run(
        command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    assert done.returncode == 0, done.stdout
    return done.stdout


@pytest.mark.parametrize("browser", PROGRAMS)
def test_nothing_is_installed_where_there_is_a_browser(programs: Path, browser: str) -> None:
    """Whichever of those that the tests can use."""
    add(programs, id=ROOT_USER, apt_get=FAILING, **{browser.replace("-", "_"): "exit 1"})
    assert run(programs, str(MAKE), "browser") == ""


def test_a_browser_that_cannot_be_installed_is_tried_again(programs: Path) -> None:
    """It is announced, and the reason is printed."""
    add(programs, id=ROOT_USER, apt_get=FAILING)
    for _ in range(2):
        first, reason, last = run(programs, str(MAKE), "browser").splitlines()
        assert "apt-get installs the Debian package chromium-headless-shell" in first
        assert reason == "E: no network"
        assert last.startswith("No browser could be installed")
    add(programs, apt_get=f"[ $1 = update ] || cp {programs}/id {programs}/chromium")
    assert len(run(programs, str(MAKE), "browser").splitlines()) == 1
    assert run(programs, str(MAKE), "browser") == ""


def test_tools_that_npm_cannot_install_are_tried_again(programs: Path, tmp_path: Path) -> None:
    """The reason is printed."""
    add(programs, npm=FAILING)
    (tmp_path / "made.stamp").touch()
    command = (str(MAKE), f"VENV={tmp_path}", f"{tmp_path}/node.stamp")
    for _ in range(2):
        assert "\nE: no network\nnpm could not install" in run(programs, *command)
    add(programs, npm="echo installed")
    assert "could not" not in run(programs, *command)
    assert "up to date" in run(programs, *command)


def test_the_checks_install_what_is_missing_and_run_without_the_environment(programs: Path) -> None:
    """A package that was removed, but not its configuration, is missing; installing has the environment."""
    add(programs, id=ROOT_USER, apt_get="echo apt-get $* >&2", make="echo make $* with ${SECRET:-nothing}")
    add(programs, dpkg_query='[ $3 = valgrind ] && echo config-files || echo "installed "')
    (programs / "python3.11").symlink_to(sys.executable)
    found = run(programs, shutil.which("bash") or "bash", str(ROOT / ".ci/run"))
    assert "apt-get update -qq\napt-get install -qq -y --no-install-recommends valgrind\n" in found
    install, test, *_, budget = [line for line in found.splitlines() if line.startswith("make ")]
    assert install.endswith("test-installed with of this machine")
    assert test.endswith("test with nothing")
    assert budget.endswith("budget with nothing")
    assert (" PYTHON=/usr/bin/python3 " in test) == has_system_python()


def has_system_python() -> bool:
    """Return whether the system has a Python that the service supports."""
    check = "import sys, ensurepip, venv; sys.exit(sys.version_info < (3, 11))"
    try:
        return subprocess.run(["/usr/bin/python3", "-c", check], capture_output=True, check=False).returncode == 0
    except FileNotFoundError:
        return False
