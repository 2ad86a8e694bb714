"""The site of the documents, which `make guide` builds with Sphinx and MyST from the files that repositories show.

The service sends it at `/guide/` under the content security policy of all its pages: the theme has no inline code, and
not the search of Sphinx, which writes HTML from strings. A link to a file that is not a page, such as source code,
becomes text.
"""

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.builders.html import StandaloneHTMLBuilder

ROOT = Path(__file__).parents[2]
HOME = "README"

project = "Turnstream"
extensions = ["myst_parser"]
root_doc = HOME
include_patterns = ["*.md", "docs/*.md", "docs/**/*.md", "deploy/README.md", "clients/*/README.md"]
exclude_patterns = [
    "docs/arena/*-*.md",
    ".*",
    "bench",
    "build",
    "data",
    "dist",
    "node_modules",
    "release",
    "service",
    "tests",
    "venv",
]
myst_heading_anchors = 4
myst_linkify_fuzzy_links = False
suppress_warnings = ["toc.not_included", "myst.header"]  # pages name each other in prose; a list may begin a page
html_theme = "theme"
html_theme_path = ["."]
html_static_path = ["../../service/web/typeface/figtree.woff2", "../../service/web/mark.svg"]
html_title = project
html_copy_source = False
html_use_index = False
pygments_style = "default"

LINK = re.compile(r"(?<!!)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)#\s:]+)(#[^)\s]*)?\)")
"""A link to a file, but not to a picture."""


def uri_of(name: str) -> str:
    """Return the address of a page below `/guide/`: all pages are in one folder, `docs/a/b.md` is `a-b.html`."""
    return "" if name == HOME else f"{name.removeprefix('docs/').removesuffix(f'/{HOME}').replace('/', '-')}.html"


class GuideBuilder(StandaloneHTMLBuilder):
    """Builds the site with these addresses."""

    search = False

    def get_target_uri(self, docname: str, typ: str | None = None) -> str:  # noqa: ARG002 - of the base class
        """Return the address of a page."""
        return uri_of(docname)

    def get_output_path(self, page_name: str, /) -> Path:
        """Return the file of a page."""
        return Path(self.outdir, uri_of(page_name) or "index.html")


def with_links_to_pages(app: Sphinx, name: str, source: list[str]) -> None:
    """Let links to folders lead to their README, and turn links to files that are not pages into text."""
    folder = (ROOT / name).parent

    def changed(found: re.Match[str]) -> str:
        text, target, anchor = found[1], found[2], found[3] or ""
        path = Path(os.path.normpath(folder / target))
        path = path / f"{HOME}.md" if path.is_dir() else path
        page = path.relative_to(ROOT).with_suffix("").as_posix()
        if path.suffix == ".md" and page in app.env.found_docs:
            return f"[{text}]({os.path.relpath(path, folder)}{anchor})"
        return text

    source[0] = LINK.sub(changed, source[0])


def navigation() -> list[tuple[str, list[tuple[str, str]]]]:
    """Return the table "Where to read on" of the README: for each of its rows, names and titles of pages."""
    table = (ROOT / f"{HOME}.md").read_text().partition("\n| for | pages |")[2].partition("\n\n")[0]
    rows = [line.strip("| ").split(" | ") for line in table.splitlines()[2:]]
    return [(head, [(page.removesuffix(".md"), text) for text, page, _ in LINK.findall(cell)]) for head, cell in rows]


def add_navigation(
    app: Sphinx, name: str, _template: str, context: dict[str, Any], _tree: nodes.document | None
) -> None:
    """Give the template the navigation, with the pages of the folder in the order in which its README names them."""
    folder, first = name.rpartition("/")[0], ROOT / name
    beside = first.with_name(f"{HOME}.md").read_text() if folder and first.with_name(f"{HOME}.md").exists() else ""
    inside = [page for page in app.env.found_docs if page.rpartition("/")[0] == folder and page != f"{folder}/{HOME}"]
    inside.sort(key=lambda page: beside.find(f"({page.rpartition('/')[2]}.md"))
    context["navigation"], context["uri_of"], context["home"] = navigation(), uri_of, HOME
    context["open_folder"] = f"{folder}/{HOME}"
    context["body"] = re.sub(r'(href|src)="(?![a-z]+:|[/#])', r'\1="/guide/', context.get("body", ""))
    context["inside"] = [(page, app.env.titles[page].astext()) for page in inside]


def sections(app: Sphinx) -> Iterator[tuple[str, str, str]]:
    """Yield each section of all pages: its address, its title with that of the page, and its text."""
    for name in sorted(app.env.found_docs):
        page = app.env.titles[name].astext()
        for section in app.env.get_doctree(name).findall(nodes.section):
            title = section.next_node(nodes.title).astext()
            parts = [part.astext() for part in section.children[1:] if not isinstance(part, nodes.section)]
            address = uri_of(name) if title == page else f"{uri_of(name)}#{section['ids'][-1]}"
            yield address, title if title == page else f"{title} · {page}", " ".join(" ".join(parts).split())


def write_search_index(app: Sphinx, failure: Exception | None) -> None:
    """Write what the search of the pages reads."""
    if failure is None:
        found = json.dumps(list(sections(app)), ensure_ascii=False)
        (app.outdir / "search.js").write_text(f"export default {found};\n")


def setup(app: Sphinx) -> None:
    """Register the builder."""
    app.add_builder(GuideBuilder, override=True)
    app.connect("source-read", with_links_to_pages)
    app.connect("html-page-context", add_navigation)
    app.connect("build-finished", write_search_index)
