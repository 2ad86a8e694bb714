"""The hosted checks: they run targets of make, on every Python that is supported, by actions that cannot change."""

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]  # the package comes without types

ROOT = Path(__file__).parent.parent
FILES = sorted((ROOT / ".github/workflows").glob("*.yml"))
WORKFLOWS: dict[str, dict[str, Any]] = {file.stem: yaml.safe_load(file.read_text()) for file in FILES}
STEPS = [step for workflow in WORKFLOWS.values() for job in workflow["jobs"].values() for step in job["steps"]]
COMMANDS = [step["run"] for step in STEPS if "run" in step]
MAKEFILE = (ROOT / "Makefile").read_text()


def test_the_checks_are_all_those_of_make() -> None:
    """So that what fails there can be repeated anywhere."""
    targets = set(re.findall(r"^((?:test|release)[a-z-]*):.*## ", MAKEFILE, re.MULTILINE))
    assert {command.split()[1] for command in COMMANDS if command.startswith("make ")} == targets


def test_nothing_else_is_run() -> None:
    """Except what installs programs and starts the store of a check."""
    prepares = ("sudo apt-get update ", "docker run --detach ")
    others = [command for command in COMMANDS if not command.startswith("make ")]
    assert [command for command in others if not command.startswith(prepares)] == []


def test_the_tests_run_on_every_supported_python() -> None:
    """From the lowest version on."""
    minors = [int(version.removeprefix("3.")) for version in python_versions()]
    lowest = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["requires-python"]
    assert minors == list(range(minors[0], minors[-1] + 1))
    assert lowest == f">=3.{minors[0]}"


def python_versions() -> list[str]:
    """Return the versions of the matrix."""
    found: list[str] = WORKFLOWS["checks"]["jobs"]["test"]["strategy"]["matrix"]["python"]
    return found


@pytest.mark.parametrize("used", sorted({step["uses"] for step in STEPS if "uses" in step}))
def test_an_action_is_pinned_to_a_commit(used: str) -> None:
    """A tag can be moved."""
    assert re.fullmatch(r"actions/[a-z-]+@[0-9a-f]{40}", used)


@pytest.mark.parametrize("name", sorted(WORKFLOWS))
def test_a_workflow_can_only_read(name: str) -> None:
    """It publishes nothing, and its checkouts keep no token."""
    assert WORKFLOWS[name]["permissions"] == {"contents": "read"}
    for job in WORKFLOWS[name]["jobs"].values():
        [checkout] = [step for step in job["steps"] if "actions/checkout" in step.get("uses", "")]
        assert checkout["with"]["persist-credentials"] is False
