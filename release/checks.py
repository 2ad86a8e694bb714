"""What has to be true of a clone before it can be released."""

import json
import re
import shutil
import subprocess
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

PROGRAMS = ("git", "npm")
"""What a release needs beside Python."""


class Release(NamedTuple):
    """What is released: a version, and the address of the repository that packages and notes link to."""

    version: str
    repository: str

    @property
    def tag(self) -> str:
        """The tag of the release."""
        return f"v{self.version}"


def git(root: Path, *arguments: str) -> str:
    """Return what git prints. Raises `CalledProcessError` if it fails."""
    done = subprocess.run(["git", "-C", root, *arguments], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def problems(root: Path, release: Release) -> list[str]:
    """Return all that prevents a release of a clone, each with what to do."""
    missing = [f"{name} is not installed: apt-get install {name}" for name in PROGRAMS if not shutil.which(name)]
    return missing or [*request_problems(release), *clone_problems(root, release), *changelog_problems(root, release)]


def request_problems(release: Release) -> Iterator[str]:
    """Yield what is wrong with what was requested."""
    if not re.fullmatch(r"(0|[1-9]\d*)(\.(0|[1-9]\d*)){2}", release.version):
        yield f"VERSION is {release.version!r}: expected x.y.z, as in VERSION=0.1.0"
    if not re.fullmatch(r"https://[^\s/]+(/[^\s/]+)+", release.repository):
        yield (
            f"REPOSITORY is {release.repository!r}: expected the address that the packages link to, without a slash at "
            "its end, as in REPOSITORY=https://git.example/games/turnstream"
        )


def clone_problems(root: Path, release: Release) -> Iterator[str]:
    """Yield what is wrong with the clone: changes, the tag, and versions that differ."""
    if changed := git(root, "status", "--porcelain"):
        yield f"there are changes that are not committed:\n{changed}"
    if git(root, "tag", "--list", release.tag):
        yield f"the tag {release.tag} exists: choose another version"
    for file, version in versions(root).items():
        if version != release.version:
            yield f"{file} has the version {version}: set it to {release.version}"


def versions(root: Path) -> dict[str, str]:
    """Return the version of each package, and of the image that the compose file runs, by its file."""
    python = ("pyproject.toml", "clients/python/pyproject.toml")
    found: dict[str, str] = {file: tomllib.loads((root / file).read_text())["project"]["version"] for file in python}
    file, composed = "clients/javascript/package.json", "docker-compose.yml"
    [image] = re.findall(r"\$\{TURNSTREAM_VERSION:-([^}]*)\}", (root / composed).read_text())
    return {**found, file: json.loads((root / file).read_text())["version"], composed: image}


def changelog_problems(root: Path, release: Release) -> Iterator[str]:
    """Yield what is wrong with the changelog."""
    text = (root / "CHANGELOG.md").read_text()
    if not entry(text, release.version):
        yield f"CHANGELOG.md has no entry `## {release.version}`: rename `## Unreleased`, and begin a new one above it"
    elif entry(text, "Unreleased"):
        yield "CHANGELOG.md has entries under `## Unreleased`: they belong to a release"


def entry(changelog: str, heading: str) -> str:
    """Return the text under a heading of the changelog, "" if there is none."""
    found = re.search(rf"^## {re.escape(heading)}\n(.*?)(?=^## |\Z)", changelog, re.MULTILINE | re.DOTALL)
    return found[1].strip() if found else ""
