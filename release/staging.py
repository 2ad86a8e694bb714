"""The copy of a clone from which packages are built: it has what only a release has.

A clone names no host, so that a copy of it anywhere is complete. In the packages, links lead to the repository of the
release, at its tag, because an index shows their README without the files beside it.
"""

import json
import posixpath
import re
import shutil
import subprocess
import sys
from pathlib import Path

from release.checks import Release, git

PYTHON, JAVASCRIPT = "clients/python", "clients/javascript"
"""The folders of the client libraries."""
GENERATED = ("openapi", PYTHON, JAVASCRIPT)
GENERATORS = (("-m", "clients.documents"), ("clients/generate.py",))
LINK = re.compile(r"(!?)(\[(?:[^\[\]]|\[[^\]]*\])*\]\()([^)#\s:]+)(#[^)]*)?\)")
"""A link or a picture in Markdown whose target is a file."""


def stage(root: Path, release: Release, folder: Path) -> None:
    """Write the packages' sources to a folder: the committed files, with links, addresses and licences.

    Raises `SystemExit` if committed files are not what the code generates.
    """
    git(root, "checkout-index", "--all", f"--prefix={folder}/")
    require_generated(folder)
    for package in (".", PYTHON, JAVASCRIPT):
        page = folder / package / "README.md"
        page.write_text(with_links(page.read_text(), release, package))
    for library in (PYTHON, JAVASCRIPT):
        shutil.copy(folder / "LICENSE", folder / library)
    for package in (".", PYTHON):
        with (folder / package / "pyproject.toml").open("a") as project:
            project.write(urls_table(release))
    package_file = folder / JAVASCRIPT / "package.json"
    package_file.write_text(json.dumps({**json.loads(package_file.read_text()), **addresses(release)}, indent=2) + "\n")


def require_generated(folder: Path) -> None:
    """Generate the documents and the types again. Raises `SystemExit` if that changes a file."""

    def contents() -> dict[Path, bytes]:
        files = (path for part in GENERATED for path in (folder / part).rglob("*") if "__pycache__" not in path.parts)
        return {path: path.read_bytes() for path in files if path.is_file()}

    before = contents()
    for generator in GENERATORS:
        subprocess.run([sys.executable, *generator], cwd=folder, env={"PYTHONPATH": str(folder)}, check=True)
    if changed := [path for path, content in contents().items() if before.get(path) != content]:
        names = ", ".join(sorted(str(path.relative_to(folder)) for path in changed))
        raise SystemExit(f"release: {names}: not what the code generates; run `make openapi` and commit the result")


def with_links(page: str, release: Release, folder: str) -> str:
    """Return a page of a folder whose links to files lead to the repository."""

    def absolute(found: re.Match[str]) -> str:
        picture, text, target, anchor = found[1], found[2], found[3], found[4] or ""
        path = posixpath.normpath(posixpath.join(folder, target))
        kind = "raw" if picture else "blob"
        return f"{picture}{text}{release.repository}/{kind}/{release.tag}/{path}{anchor})"

    return LINK.sub(absolute, page)


def urls_table(release: Release) -> str:
    """Return the project's addresses as a table of `pyproject.toml`."""
    at_tag = f"{release.repository}/blob/{release.tag}"
    urls = {
        "Homepage": release.repository,
        "Documentation": f"{at_tag}/README.md",
        "Changelog": f"{at_tag}/CHANGELOG.md",
        "Issues": f"{release.repository}/issues",
        "Security": f"{at_tag}/SECURITY.md",
    }
    return "\n[project.urls]\n" + "".join(f'{name} = "{url}"\n' for name, url in urls.items())


def addresses(release: Release) -> dict[str, object]:
    """Return the same for `package.json`."""
    return {
        "homepage": release.repository,
        "repository": {"type": "git", "url": f"git+{release.repository}.git", "directory": JAVASCRIPT},
        "bugs": f"{release.repository}/issues",
    }
