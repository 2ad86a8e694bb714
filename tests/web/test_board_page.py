"""docs/board.md: the page and the component work as printed, against the service with its bots."""

import asyncio
import re
import subprocess
import sys
from pathlib import Path

import pytest

from service.programs.demo.own_server import own_server
from service.programs.embedded_store import server_binary
from tests.api.browser import Page, new_page
from tests.clients.node import install_library, needs_node

TEXT = (Path(__file__).parents[2] / "docs/board.md").read_text()
PRINTED = "127.0.0.1:8000"
MODULES = Path(sys.prefix) / "node/node_modules"
"""Where `make lint` installs what is in service/web/package.json."""
MAIN = """\
import { createRoot } from 'react-dom/client';
import App from './App.jsx';
createRoot(document.body.appendChild(document.createElement('div'))).render(<App />);
"""
NEXT = "document.querySelector('[fill=\"#ffe9a8\"]')"
"""A cell that can be chosen."""

pytestmark = pytest.mark.skipif(server_binary() is None, reason="the embedded store has no server program here")


def block(language: str) -> str:
    """Return the program in this language."""
    [found] = re.findall(rf"^```{language}\n(.*?)^```", TEXT, re.MULTILINE | re.DOTALL)
    return str(found)


def play_two_turns(page: Page, file: Path) -> None:
    """Open a page, and place two discs; of the bots, which place theirs between them, one may have to pass."""
    page.navigate(file.as_uri())
    for discs in (9, 11):
        page.wait_for(f"document.querySelectorAll('circle').length >= {discs} && !!{NEXT}")
        page.value(f"{NEXT}.dispatchEvent(new MouseEvent('click', {{ bubbles: true }}))")
    page.wait_for("document.querySelectorAll('circle').length >= 13")
    assert page.errors == []


def bundled(folder: Path) -> str:
    """Return the program in a folder as one module, made by what Vite uses."""
    command = [f"{MODULES}/.bin/esbuild", "main.jsx", "--bundle", "--format=esm", "--jsx=automatic", "--minify"]
    return subprocess.check_output(command, cwd=folder, text=True, env={"NODE_PATH": str(MODULES)})


async def test_the_page_draws_the_board_and_plays(tmp_path: Path) -> None:
    """In fifty lines, opened as a file."""
    page = block("html")
    assert len(page.splitlines()) <= 55
    file = tmp_path / "board.html"
    async with own_server() as url:
        file.write_text(page.replace(PRINTED, url.removeprefix("http://")))
        with new_page(tmp_path / "browser") as tab:
            await asyncio.to_thread(play_two_turns, tab, file)


@needs_node
@pytest.mark.skipif(not (MODULES / "react").exists(), reason="`make lint` installs React by npm")
async def test_the_component_of_react_plays(tmp_path: Path) -> None:
    """As a whole page."""
    install_library(tmp_path)
    (tmp_path / "main.jsx").write_text(MAIN)
    file = tmp_path / "board.html"
    async with own_server() as url:
        (tmp_path / "App.jsx").write_text(block("jsx").replace(PRINTED, url.removeprefix("http://")))
        file.write_text(f"<!doctype html><meta charset=utf-8><body><script type=module>{bundled(tmp_path)}</script>")
        with new_page(tmp_path / "browser") as tab:
            await asyncio.to_thread(play_two_turns, tab, file)
