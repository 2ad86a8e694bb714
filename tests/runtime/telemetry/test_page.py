"""docs/telemetry.md lists every metric, every event of the log and every span, and nothing else."""

import ast
import re
from pathlib import Path

import pytest

from tests.runtime.telemetry.telemetry_page import SERVICE, log_events, metric_rows, named_in

PAGE = (Path(__file__).parents[3] / "docs/telemetry.md").read_text()


def rows(heading: str) -> list[str]:
    """Return the rows of the table below a heading."""
    section = PAGE.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    return [line for line in section.splitlines() if line.startswith("|")][2:]


def test_every_metric_is_listed() -> None:
    """With its type, its labels and the meaning that it has in the code; to be copied from here."""
    assert rows("Metrics") == metric_rows()


def test_every_event_of_the_log_is_listed() -> None:
    """With its levels and a meaning."""
    listed = [re.findall(r"\| `(\w+)` \| (.+?) \| (.+) \|", row)[0] for row in rows("Events of the log")]
    assert {event: levels for event, levels, _ in listed} == log_events()
    assert [event for event, _, _ in listed] == sorted(log_events())


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ('log.warning("store_awaited", error=text)', [("store_awaited", "warning")]),
        ('log.exception("socket_failed")', [("socket_failed", "error")]),
        ('BackgroundTasks("news_not_read")', [("news_not_read", "warning, error")]),
        ('Subscribers[One, Other](repository, "feed_failed")', [("feed_failed", "warning, error")]),
        ("store.log(line)", []),
    ],
)
def test_what_is_logged_is_found_in_the_source(source: str, found: list[tuple[str, str]]) -> None:
    """Also where the name is handed to what logs."""
    call = ast.parse(source, mode="eval").body
    assert isinstance(call, ast.Call)
    assert list(named_in(call)) == found


def test_every_span_is_listed() -> None:
    """The code makes as many as the table has."""
    sources = [file.read_text() for file in SERVICE.rglob("*.py")]
    made = {text for source in sources for text in re.findall(r"\bSpan\(\s*f?\"([^\"]*)", source)}
    assert made == {"append", "{kind} {game}", "{method} {route}"}
    assert [row.split("`")[1] for row in rows("Spans")] == ["<command> <game>", "<method> <route>", "append"]
