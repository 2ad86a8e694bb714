"""Processes of an earlier release, from the history of this clone."""

import os
import re
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import TypeVar

import pytest

from tests.e2e.processes import ROOT, ApiProcess, ServiceProcess

OLDER = "4c8ce343"
"""The commit of the release before this one."""


P = TypeVar("P", bound=ServiceProcess)

SETTING = re.compile(r"^    (\w+):", re.MULTILINE)
"""A setting in the file that declares them."""


@cache
def missing() -> str:
    """Return why the older release is not available here; empty if it is."""
    found = subprocess.run(
        ["git", "cat-file", "-e", f"{OLDER}^{{commit}}"],  # noqa: S607 - the git on the PATH
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    return "" if found.returncode == 0 else f"{ROOT} has no git history with {OLDER}: {found.stderr.strip()}"


@pytest.fixture(scope="session")
def older(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the code of the older release."""
    if reason := missing():
        pytest.skip(reason)
    folder = tmp_path_factory.mktemp(OLDER)
    archive = subprocess.run(
        ["git", "archive", OLDER, "service", "clients/javascript"],  # noqa: S607 - the git on the PATH
        cwd=ROOT,
        capture_output=True,
        check=True,
    )
    subprocess.run(["tar", "-x", "-C", folder], input=archive.stdout, check=True)  # noqa: S607 - the tar on the PATH
    return folder


class Release:
    """The code of a release, whose programs run over a store."""

    def __init__(self, code: Path, store: str, log: Path, **settings: str) -> None:
        """Run the code in this folder."""
        self._code, self._store, self._log, self._settings = code, store, log, settings
        environment = {**os.environ, "PYTHONPATH": str(code)}
        imported = subprocess.run(
            [sys.executable, "-P", "-c", "import service; print(service.__file__)"],
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        )
        assert Path(imported.stdout.strip()) == code / "service/__init__.py"

    def api(self) -> ApiProcess:
        """Return an API process, not started."""
        return self._of(ApiProcess(self._store, self._log, **self._settings))

    def worker(self) -> ServiceProcess:
        """Return a worker, not started."""
        return self._of(ServiceProcess("service worker --webhooks", self._store, self._log, **self._settings))

    def _of(self, process: P) -> P:
        if self._code != ROOT:
            process.run_code_in(self._code, SETTING.findall((self._code / "service/settings.py").read_text()))
        return process
