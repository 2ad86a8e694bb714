"""The lower bounds of the dependencies in pyproject.toml."""

import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
EXTRAS = ("embedded", "otel", "test")
"""The extras that `make test-lowest` installs: neither linters nor opponents for bots."""


def declared() -> dict[str, Requirement]:
    """Return the dependencies of the service and of its tests by name."""
    groups = [PROJECT["dependencies"], *(PROJECT["optional-dependencies"][extra] for extra in EXTRAS)]
    found = [Requirement(line) for group in groups for line in group]
    return {canonicalize_name(requirement.name): requirement for requirement in found}


def pinned() -> dict[str, Version]:
    """Return the versions that tests/lowest.txt names."""
    lines = [line for line in (ROOT / "tests/lowest.txt").read_text().splitlines() if not line.startswith("#")]
    pairs = [line.split("==") for line in lines]
    return {canonicalize_name(name): Version(version) for name, version in pairs}


def test_every_dependency_has_a_lowest_release() -> None:
    """And there are no others."""
    assert sorted(pinned()) == sorted(declared())


@pytest.mark.parametrize("name", sorted(declared()))
def test_the_lowest_release_is_the_lower_bound(name: str) -> None:
    """A bound that is raised in one file only is found."""
    bounds = [Version(each.version) for each in declared()[name].specifier if each.operator == ">="]
    assert bounds == [pinned()[name]]


def test_make_installs_the_extras_that_are_compared() -> None:
    """With the constraints, in an environment of its own."""
    recipe = (ROOT / "Makefile").read_text().partition("\n.venv-lowest/test.stamp:")[2].partition("\n\n")[0]
    assert f"--constraint tests/lowest.txt --editable '.[{','.join(EXTRAS)}]'" in recipe


BUILD = tomllib.loads((ROOT / "pyproject.toml").read_text())["build-system"]["requires"]


@pytest.mark.parametrize(
    ("file", "requirements"),
    [
        ("requirements.txt", [*PROJECT["dependencies"], *PROJECT["optional-dependencies"]["otel"]]),
        ("build-requirements.txt", BUILD),
        ("guide-requirements.txt", PROJECT["optional-dependencies"]["guide"]),
    ],
)
def test_the_image_installs_what_is_declared(file: str, requirements: list[str]) -> None:
    """In versions that are allowed, by their hashes; otherwise run `make lock`."""
    locked = hashed(file)
    for requirement in map(Requirement, requirements):
        assert locked[canonicalize_name(requirement.name)] in requirement.specifier, requirement


def hashed(file: str) -> dict[str, Version]:
    """Return the versions in a file of `deploy`, each of which has to have hashes."""
    found: dict[str, Version] = {}
    for block in (ROOT / "deploy" / file).read_text().replace("\\\n", "").splitlines():
        if not block or block.startswith(("#", " ")):
            continue
        requirement = Requirement(block.partition(" --hash=")[0])
        assert block.count(" --hash=sha256:") >= 1, requirement
        [pin] = requirement.specifier
        found[canonicalize_name(requirement.name)] = Version(pin.version)
    return found
