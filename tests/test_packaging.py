"""The lower bounds of the dependencies in pyproject.toml, and the contents of the wheel."""

import subprocess
import sys
import tomllib
from pathlib import Path
from zipfile import ZipFile

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
EXTRAS = ("embedded", "otel", "test")
"""The extras that `make test-lowest` installs: neither linters nor opponents for bots."""

LINKED = {"client_library": (ROOT / "clients/javascript", "*.js"), "documents": (ROOT / "openapi", "*.json")}
"""The folders of `service` that are links: their targets, and which files of those are served."""


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


@pytest.mark.soak
def test_the_wheel_has_what_is_linked_and_the_tables(tmp_path: Path) -> None:
    """The modules of the JavaScript library, the documents of the API, and nothing else from their folders."""
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "wheel", "--no-deps"]
    subprocess.run([*pip, "--wheel-dir", tmp_path, ROOT], check=True)
    [wheel] = tmp_path.glob("turnstream-*.whl")
    with ZipFile(wheel) as files:
        for folder, (source, suffix) in LINKED.items():
            prefix = f"service/{folder}/"
            names = [name for name in files.namelist() if name.startswith(prefix)]
            packed = {name.removeprefix(prefix): files.read(name) for name in names}
            assert packed == {path.relative_to(source).as_posix(): path.read_bytes() for path in source.rglob(suffix)}
        tables = {str(path.relative_to(ROOT)): path.read_bytes() for path in (ROOT / "service").rglob("*.zlib")}
        assert len(tables) == 4
        assert {name: files.read(name) for name in tables} == tables
