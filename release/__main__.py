"""Check a clone, build what a release consists of, and print what is left to do: `python -m release VERSION URL`.

Files are written to `dist/VERSION`. Nothing is signed, tagged or published.
"""

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from release.checks import Release, entry, git, problems
from release.staging import JAVASCRIPT, PYTHON, stage, with_links

ROOT = Path(__file__).parents[1]
IMAGE = "turnstream"


def main() -> None:
    """Build a release. Raises `SystemExit` with all that prevents it."""
    if len(sys.argv) != 3:
        raise SystemExit("usage: make release VERSION=x.y.z REPOSITORY=https://host/owner/name")
    release = Release(*sys.argv[1:])
    if found := problems(ROOT, release):
        raise SystemExit("\n".join(["release: not yet:", *(f"  - {problem}" for problem in found)]))
    folder = ROOT / "dist" / release.version
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    os.environ["SOURCE_DATE_EPOCH"] = git(ROOT, "log", "-1", "--format=%ct")
    with tempfile.TemporaryDirectory(prefix="turnstream-release-") as temporary:
        staged = Path(temporary, "source")
        say("Checking what is generated ...")
        stage(ROOT, release, staged)
        say("Building the guide ...")
        run(sys.executable, "-m", "docs.site", cwd=staged)
        say("Building the packages ...")
        build_packages(staged, folder)
        say("Listing what is installed with the service ...")
        write_bill_of_materials(staged, release, folder, Path(temporary, "installed"))
        notes = entry((ROOT / "CHANGELOG.md").read_text(), release.version)
        (folder / "NOTES.md").write_text(f"# {release.version}\n\n{with_links(notes, release, '.')}\n")
        has_image = build_image(staged, release)
    write_sums(folder)
    say(summary(release, folder, has_image=has_image))


def say(line: str) -> None:
    """Print a line at once."""
    print(line, flush=True)


def run(*command: str | Path, cwd: Path = ROOT) -> None:
    """Run a command whose output is shown only if it fails. Raises `SystemExit` then."""
    done = subprocess.run(command, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{done.stdout}\nrelease: failed: {' '.join(map(str, command))}")


def build_packages(staged: Path, folder: Path) -> None:
    """Build wheels and sdists of the service and of the Python library, and the package of the JavaScript library."""
    for package in (staged, staged / PYTHON):
        run(sys.executable, "-m", "build", "--outdir", folder, package)
    run("npm", "pack", "--pack-destination", folder, cwd=staged / JAVASCRIPT)


def write_bill_of_materials(staged: Path, release: Release, folder: Path, environment: Path) -> None:
    """Install the wheel and the dependencies that the image installs, and list them as a CycloneDX document.

    They are those for the image's version of Python, whichever runs here: nothing of it is imported.
    """
    [wheel] = folder.glob(f"turnstream-{release.version}-*.whl")
    run(sys.executable, "-m", "venv", "--without-pip", environment)
    [packages] = environment.glob("lib/python*/site-packages")
    built_on = (staged / "deploy/Dockerfile").read_text()
    python, *_ = re.findall(r"^ARG PYTHON_IMAGE=python:([\d.]+)", built_on, re.MULTILINE)
    pip = (sys.executable, "-m", "pip", "--disable-pip-version-check", "install", "--no-deps", "--target", packages)
    fixed = ("--require-hashes", "--requirement", staged / "deploy/requirements.txt")
    run(*pip, "--only-binary", ":all:", "--python-version", python, "--ignore-requires-python", *fixed)
    run(*pip, wheel)
    described = ("environment", "--pyproject", staged / "pyproject.toml", "--output-reproducible", "--of", "JSON")
    bill = folder / f"turnstream-{release.version}.cdx.json"
    run(sys.executable, "-m", "cyclonedx_py", *described, "-o", bill, environment / "bin/python")


def build_image(staged: Path, release: Release) -> bool:
    """Build the image of the service, and return whether a container engine answered."""
    engine = shutil.which("docker")
    if engine is None or subprocess.run([engine, "version"], capture_output=True, check=False).returncode:
        return False
    say("Building the image ...")
    run(engine, "build", "--tag", f"{IMAGE}:{release.version}", "--file", "deploy/Dockerfile", ".", cwd=staged)
    return True


def write_sums(folder: Path) -> None:
    """Write the digests of all files, as `sha256sum --check` reads them."""
    files = sorted(folder.iterdir())
    sums = [f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}\n" for file in files]
    (folder / "SHA256SUMS").write_text("".join(sums))


def summary(release: Release, folder: Path, *, has_image: bool) -> str:
    """Return what was built, and the commands that publish it."""
    place, commit = folder.relative_to(ROOT), git(ROOT, "rev-parse", "--short", "HEAD")
    built = [f"  {file.stat().st_size:>10,}  {file.name}" for file in sorted(folder.iterdir())]
    image = f"the image {IMAGE}:{release.version}" if has_image else "no image, because no container engine answers"
    publish = [
        f"gpg --armor --detach-sign {place}/SHA256SUMS",
        f"git tag --sign {release.tag} {commit} --file {place}/NOTES.md --cleanup=verbatim",
        f"git push origin {release.tag}",
        f"twine upload {place}/*-any.whl {place}/*.tar.gz",  # the service's wheel is for hosts like this one
        f"npm publish {place}/turnstream-client-{release.version}.tgz",
        *([f"docker push {IMAGE}:{release.version}  # after tagging it for a registry"] if has_image else []),
    ]
    lines = [f"\n{place}, and {image}:", *built, "", "Nothing was signed, tagged or published. These commands would:"]
    return "\n".join([*lines, *(f"  {command}" for command in publish)])


if __name__ == "__main__":
    main()
