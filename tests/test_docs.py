"""The documents: their code runs as printed, what they name exists, and generated pages are up to date."""

import asyncio
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml  # type: ignore[import-untyped]  # the package comes without types

from service.api.app import OPERATOR_ROUTES
from service.programs.demo.own_server import own_server
from service.programs.embedded_store import server_binary
from service.programs.ops.arguments import OPERATING as OPERATING_VERBS
from service.runtime.settings import Settings
from tests import catalogue, rules_pages
from tests.clients.node import FLAGS, NODE, install_library, needs_node
from tests.waiting import PATIENCE

ROOT = Path(__file__).parent.parent
TUTORIAL = (ROOT / "docs/tutorial.md").read_text()
OPERATING = "".join(page.read_text() for page in sorted((ROOT / "docs/operating").glob("*.md")))
PAGES = [
    *sorted((ROOT / "docs").rglob("*.md")),
    ROOT / "CHANGELOG.md",
    ROOT / "SECURITY.md",
    ROOT / "deploy/README.md",
]
PRINTED = "127.0.0.1:8000"


def block(language: str) -> str:
    """Return the tutorial's program in a language."""
    [found] = re.findall(rf"^```{language}\n(.*?)^```", TUTORIAL, re.MULTILINE | re.DOTALL)
    return str(found)


def run_program(command: list[str], program: Path) -> str:
    """Run a program as printed and return what it prints."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "clients/python")}
    done = subprocess.run(
        [*command, program], text=True, capture_output=True, timeout=PATIENCE, check=False, env=environment
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


@pytest.mark.skipif(server_binary() is None, reason="the embedded store has no server program here")
@pytest.mark.parametrize(
    ("language", "command", "suffix"),
    [("python", [sys.executable], ".py"), pytest.param("javascript", [NODE, *FLAGS], ".mjs", marks=needs_node)],
)
async def test_the_tutorials_programs_play_a_whole_match(
    tmp_path: Path, language: str, command: list[str], suffix: str
) -> None:
    """In about twenty lines each, to its result."""
    install_library(tmp_path)
    program = block(language)
    assert len([line for line in program.splitlines() if line.strip()]) <= 22
    async with own_server() as url:
        file = tmp_path / f"match{suffix}"
        file.write_text(program.replace(PRINTED, url.removeprefix("http://")))
        printed = await asyncio.to_thread(run_program, command, file)
    assert printed.startswith("1 ")
    assert "winners" in printed


CLIENT_PAGES = [ROOT / "docs/tutorial.md", *sorted(ROOT.glob("clients/*/README.md")), ROOT / "docs/bots/README.md"]
INSTALLED = re.compile(r"    (?:python3 -m venv|venv/bin/|npm install|node) ?.*")


@pytest.mark.parametrize("page", CLIENT_PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_a_library_is_installed_in_an_environment_of_its_own(page: Path) -> None:
    """Debian refuses to install anything beside its own packages (PEP 668)."""
    text = page.read_text()
    installed = [line for line in text.splitlines() if "pip install" in line]
    assert set(installed) <= {"    venv/bin/pip install ./clients/python"}
    assert text.count("    python3 -m venv venv\n    venv/bin/pip install") == len(installed)


@pytest.mark.skipif(server_binary() is None, reason="the embedded store has no server program here")
@needs_node
async def test_the_tutorials_commands_work_as_printed(tmp_path: Path) -> None:
    """In a copy of the folders that they use, without anything of this environment but where packages come from."""
    for folder in ("clients/python", "clients/javascript"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("*.egg-info", "build", "__*__"))
    script = "\n".join(line.strip() for line in TUTORIAL.splitlines() if INSTALLED.fullmatch(line))
    script = script.replace("node match.mjs", shlex.join([NODE, *FLAGS, "match.mjs"]))
    async with own_server() as url:
        for language, name in (("python", "match.py"), ("javascript", "match.mjs")):
            (tmp_path / name).write_text(block(language).replace(PRINTED, url.removeprefix("http://")))
        done = await asyncio.to_thread(run_clean, script, tmp_path)
    if "No matching distribution found" in done.stderr:
        pytest.skip(f"pip cannot reach an index: {done.stderr}")
    assert done.returncode == 0, done
    assert done.stdout.count("winners") == 2


def run_clean(script: str, folder: Path) -> "subprocess.CompletedProcess[str]":
    """Run commands in a shell with hardly any environment."""
    path = f"{sys.base_prefix}/bin:{Path(NODE).parent}:/usr/bin:/bin"
    pip = {name: value for name, value in os.environ.items() if name.startswith("PIP_")}
    command = ["sh", "-eu", "-c", script]
    environment = {"PATH": path, "HOME": str(folder), **pip}
    return subprocess.run(command, cwd=folder, env=environment, text=True, capture_output=True, check=False)


def test_the_catalogue_of_events_is_up_to_date() -> None:
    """Otherwise run `python -m tests.catalogue`."""
    assert catalogue.PAGE.read_text() == catalogue.page()


def test_the_rules_of_the_games_are_up_to_date() -> None:
    """Their pages and pictures; otherwise run `python -m tests.rules_pages`."""
    folder = rules_pages.FOLDER
    stored = {path.relative_to(folder).as_posix(): path.read_text() for path in folder.rglob("*.*")}
    assert stored == rules_pages.files()


LINK = re.compile(r"\]\(([^)#:\s]*)(?:#([^)\s]+))?\)")


def anchors(page: Path) -> set[str]:
    """Return the anchors that file views and the site give to a page's headings."""
    prose = re.sub(r"^```.*?^```", "", page.read_text(), flags=re.MULTILINE | re.DOTALL)
    headings = [re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", line) for line in re.findall(r"^#+ (.+)", prose, re.MULTILINE)]
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", [ROOT / "README.md", *PAGES], ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    """Each is a file or a folder of the project, and a heading if it names one."""
    targets = [(page.parent / file if file else page, anchor) for file, anchor in LINK.findall(page.read_text())]
    assert [file for file, _ in targets if not file.exists()] == []
    assert [(file, anchor) for file, anchor in targets if anchor and anchor not in anchors(file)] == []


def test_the_operators_guide_names_every_verb_route_and_alert() -> None:
    """And names no setting that does not exist."""
    for verb in OPERATING_VERBS:
        assert f"turnstream {verb}" in OPERATING, verb
    for handler in OPERATOR_ROUTES:
        for path in handler.paths:
            assert re.sub(r":str}", "}", path) in OPERATING, path
    rules = yaml.safe_load((ROOT / "deploy/metrics/alerts.yml").read_text())["groups"][0]["rules"]
    assert [rule["alert"] for rule in rules if f"**{rule['alert']}**" not in OPERATING] == []
    known = {f"TURNSTREAM_{name.upper()}" for name in Settings.__struct_fields__}
    compose_files = (ROOT / "docker-compose.yml", ROOT / "deploy/two-hosts.yml")
    composed = {name for file in compose_files for name in re.findall(r"\$\{(TURNSTREAM_\w+)", file.read_text())}
    for page in PAGES:
        assert set(re.findall(r"TURNSTREAM_[A-Z_]*[A-Z]", page.read_text())) <= known | composed, page
