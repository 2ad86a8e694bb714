"""`make release`: what it refuses, where the links of packages lead, and what it builds."""

import hashlib
import json
import re
import shutil
import subprocess
import tarfile
from collections.abc import Callable
from pathlib import Path
from zipfile import ZipFile

import pytest

from release import checks
from release.checks import Release, entry, git, problems, versions
from release.staging import JAVASCRIPT, PYTHON, with_links

ROOT = Path(__file__).parent.parent
VERSION = versions(ROOT)["pyproject.toml"]
RELEASE = Release(VERSION, "https://git.example/games/turnstream")
LINKED = {"client_library": (ROOT / "clients/javascript", "*.js"), "documents": (ROOT / "openapi", "*.json")}
"""The folders of `service` that are links: their targets, and which files of those are served."""
COMMITTING = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org", "commit", "--quiet", "--all", "--message")


@pytest.fixture
def clone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a repository with the files that are checked."""
    monkeypatch.setattr(checks, "PROGRAMS", ("git",))
    for file in ("CHANGELOG.md", *versions(ROOT)):
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / file, tmp_path / file)
    git(tmp_path, "init", "--quiet")
    git(tmp_path, "add", ".")
    git(tmp_path, *COMMITTING, "Begin")
    drop_unreleased(tmp_path)
    return tmp_path


def drop_unreleased(clone: Path) -> None:
    """Commit a changelog without what belongs to the next release."""
    changelog = clone / "CHANGELOG.md"
    text = changelog.read_text()
    if unreleased := entry(text, "Unreleased"):
        changelog.write_text(text.replace(unreleased, ""))
        git(clone, *COMMITTING, "Drop")


def replaced(file: str, old: str, new: str) -> Callable[[Path], object]:
    """Return what commits a change of a file."""

    def change(clone: Path) -> None:
        text = (clone / file).read_text()
        assert old in text
        (clone / file).write_text(text.replace(old, new, 1))
        git(clone, *COMMITTING, "Change")

    return change


@pytest.mark.parametrize(
    ("change", "found"),
    [
        (lambda clone: (clone / "notes.txt").touch(), "there are changes that are not committed:\n?? notes.txt"),
        (lambda clone: git(clone, "tag", RELEASE.tag), f"the tag v{VERSION} exists"),
        (replaced("CHANGELOG.md", f"## {VERSION}\n", "## 0.0.7\n"), f"CHANGELOG.md has no entry `## {VERSION}`"),
        (replaced("CHANGELOG.md", "## Unreleased\n", "## Unreleased\n\n- More.\n"), "CHANGELOG.md has entries under"),
        *(
            (replaced(file, VERSION, "0.0.7"), f"{file} has the version 0.0.7: set it to {VERSION}")
            for file in versions(ROOT)
        ),
    ],
)
def test_what_prevents_a_release_is_named(clone: Path, change: Callable[[Path], object], found: str) -> None:
    """Without the change nothing does."""
    assert problems(clone, RELEASE) == []
    change(clone)
    [problem] = problems(clone, RELEASE)
    assert problem.startswith(found)


@pytest.mark.parametrize("address", ["", "git.example/games", "http://git.example/a/b", "https://git.example/a/b/"])
def test_a_release_needs_the_address_of_its_repository(clone: Path, address: str) -> None:
    """The packages link to it, and no clone knows it."""
    [problem] = problems(clone, Release(VERSION, address))
    assert problem.startswith(f"REPOSITORY is {address!r}: expected the address")


@pytest.mark.parametrize("version", ["", "1", "0.1", "v0.1.0", "0.1.0rc1", "0.01.0"])
def test_a_version_has_three_numbers(clone: Path, version: str) -> None:
    """So that it is the same for both kinds of packages."""
    first, *_ = problems(clone, Release(version, RELEASE.repository))
    assert first.startswith(f"VERSION is {version!r}: expected x.y.z")


def test_a_missing_program_is_named(clone: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the command that installs it."""
    monkeypatch.setattr(checks, "PROGRAMS", ("git", "no-such-program"))
    assert problems(clone, RELEASE) == ["no-such-program is not installed: apt-get install no-such-program"]


@pytest.mark.parametrize("folder", [".", PYTHON, JAVASCRIPT])
def test_links_of_a_package_lead_to_files_of_the_repository(folder: str) -> None:
    """At the tag of the release, because an index shows the page without the files beside it."""
    page = with_links((ROOT / folder / "README.md").read_text(), RELEASE, folder)
    targets = re.findall(r"(!?)\[[^\]]*\]\(([^)#\s]+)", page)
    assert targets
    for picture, target in targets:
        kind = "raw" if picture else "blob"
        assert (ROOT / target.removeprefix(f"{RELEASE.repository}/{kind}/{RELEASE.tag}/")).is_file(), target


def test_other_links_stay() -> None:
    """Those to other hosts, and those within the page."""
    page = "[a](https://a.example/b.md) [c](#d) [e](f/g.md#h) ![i](../j.png)"
    at = "https://git.example/games/turnstream"
    assert with_links(page, RELEASE, "k") == (
        f"[a](https://a.example/b.md) [c](#d) [e]({at}/blob/v{VERSION}/k/f/g.md#h) ![i]({at}/raw/v{VERSION}/j.png)"
    )


@pytest.mark.soak
def test_a_copy_of_the_repository_is_released(tmp_path: Path) -> None:
    """By the one command, with everything that belongs to a release, and without publishing anything."""
    clone = tmp_path / "clone"
    git(ROOT, "clone", "--quiet", "--no-tags", str(ROOT), str(clone))
    drop_unreleased(clone)
    command = ["make", "-C", str(clone), "release", f"VERSION={VERSION}", f"REPOSITORY={RELEASE.repository}"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done
    assert "Nothing was signed, tagged or published." in done.stdout
    assert git(clone, "tag", "--list", RELEASE.tag) == git(clone, "status", "--porcelain") == ""
    folder = clone / "dist" / VERSION
    python, library = f"turnstream-{VERSION}", f"turnstream_client-{VERSION}"
    [wheel] = [file.name for file in folder.glob(f"{python}-cp311-abi3-*.whl")]
    packages = [wheel, f"{library}-py3-none-any.whl"]
    archives = [f"{python}.tar.gz", f"{library}.tar.gz", f"turnstream-client-{VERSION}.tgz"]
    bill = f"turnstream-{VERSION}.cdx.json"
    assert {file.name for file in folder.iterdir()} == {*packages, *archives, bill, "NOTES.md", "SHA256SUMS"}
    for line in (folder / "SHA256SUMS").read_text().splitlines():
        digest, name = line.split("  ")
        assert hashlib.sha256((folder / name).read_bytes()).hexdigest() == digest
    for name in packages:
        check_metadata(folder / name)
    for name in archives:
        with tarfile.open(folder / name) as files:
            assert any(re.fullmatch(r"[^/]+/LICENSE", member) for member in files.getnames()), name
    check_what_is_linked(folder / packages[0])
    described = json.loads((folder / bill).read_text())
    assert (described["bomFormat"], described["metadata"]["component"]["version"]) == ("CycloneDX", VERSION)
    listed = {part["name"].lower().replace("_", "-"): part["version"] for part in described["components"]}
    assert listed.pop("turnstream", VERSION) == VERSION  # newer generators describe it only in the metadata
    assert {"litestar", "redis", "opentelemetry-sdk"} <= listed.keys()
    locked = dict(re.findall(r"^([\w.-]+)==([^\s;]+)", (ROOT / "deploy/requirements.txt").read_text(), re.MULTILINE))
    assert {**locked, **listed} == locked
    assert "](docs/" not in (folder / "NOTES.md").read_text()


TYPEFACE_LICENCE = "service/web/typeface/OFL.txt"


def check_metadata(wheel: Path) -> None:
    """Check what an index shows of a wheel."""
    with ZipFile(wheel) as files:
        [name] = [name for name in files.namelist() if name.endswith(".dist-info/METADATA")]
        metadata = files.read(name).decode()
        assert name.replace("METADATA", "licenses/LICENSE") in files.namelist()
        has_typeface = "service/web/typeface/figtree.woff2" in files.namelist()
        assert has_typeface == (name.replace("METADATA", f"licenses/{TYPEFACE_LICENCE}") in files.namelist())
        assert has_typeface == wheel.name.startswith("turnstream-")
    expression = "MIT AND OFL-1.1" if has_typeface else "MIT"
    assert f"\nLicense-Expression: {expression}\n" in metadata
    assert f"\nProject-URL: Homepage, {RELEASE.repository}\n" in metadata
    assert not re.search(r"\]\((?!https://|#)", metadata)


def check_what_is_linked(wheel: Path) -> None:
    """Check that a wheel has the modules of the JavaScript library, the API's documents, the tables, and no more."""
    with ZipFile(wheel) as files:
        for folder, (source, suffix) in LINKED.items():
            prefix = f"service/{folder}/"
            names = [name for name in files.namelist() if name.startswith(prefix)]
            packed = {name.removeprefix(prefix): files.read(name) for name in names}
            assert packed == {path.relative_to(source).as_posix(): path.read_bytes() for path in source.rglob(suffix)}
        service, domain = ROOT / "service", ROOT / "service/domain"
        texts = (*domain.rglob("*.json"), *domain.rglob("*.md"), *(service / "rooms").glob("*.json"))
        data = (*domain.rglob("*.zlib"), *domain.rglob("*.txt"), *texts)
        tables = {str(path.relative_to(ROOT)): path.read_bytes() for path in data}
        assert len(tables) == 31
        assert {name: files.read(name) for name in tables} == tables
