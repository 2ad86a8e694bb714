"""The dependencies in pyproject.toml, and the releases of them that are tested and shipped."""

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


def pinned(file: str) -> dict[str, set[Version]]:
    """Return the versions that a file of `tests` names; some have another one for another Python."""
    lines = [line for line in (ROOT / "tests" / file).read_text().splitlines() if not line.startswith("#")]
    found: dict[str, set[Version]] = {}
    for name, _, rest in (line.partition("==") for line in lines):
        found.setdefault(canonicalize_name(name), set()).add(Version(rest.partition(";")[0]))
    return found


def test_every_dependency_has_a_lowest_release() -> None:
    """And there are no others."""
    assert sorted(pinned("lowest.txt")) == sorted(declared())


@pytest.mark.parametrize("name", sorted(declared()))
def test_the_lowest_release_is_the_lower_bound(name: str) -> None:
    """A bound that is raised in one file only is found."""
    bounds = [Version(each.version) for each in declared()[name].specifier if each.operator == ">="]
    assert set(bounds) == pinned("lowest.txt")[name]


@pytest.mark.parametrize("name", sorted(declared()))
def test_the_newest_tested_release_is_allowed(name: str) -> None:
    """Otherwise run `make lock`."""
    assert all(version in declared()[name].specifier for version in pinned("newest.txt")[name])


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


def test_the_image_installs_what_is_tested() -> None:
    """`make lock` updates both."""
    tested = pinned("newest.txt")
    others = {name: version for name, version in hashed("requirements.txt").items() if version not in tested[name]}
    assert others == {}


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
