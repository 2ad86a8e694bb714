"""The walks in docs/architecture.md are those that a real move takes through real processes."""

import re
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.e2e.client import Door, Feed, Json, Player, door_to
from tests.e2e.processes import ROOT, ApiProcess, started
from tests.e2e.tables import seated
from tests.e2e.walk import RECORDINGS, Call, RecordedApi, Walk, lines_of, median_length, packages_of, summary, walk_of
from tests.store_server import StoreServer

PAGE = (ROOT / "docs/architecture.md").read_text()
ROW = re.compile(r"^\| \d+ \| `(?P<file>service/[\w/]+\.py)` \| `(?P<function>[\w.]+)` \|", re.MULTILINE)

FUNCTIONS, FILES, CHANGES, LINES, MEDIAN = 195, 74, 215, 55, 8
"""What a move may take at most: a change that needs more is worth a second look."""


class Hop(NamedTuple):
    """A row of the page: a function and its file."""

    file: str
    function: str


def hops(heading: str) -> list[Hop]:
    """Return the rows under a heading of the page."""
    section = PAGE.partition(f"## {heading}\n")[2].partition("\n## ")[0]
    return [Hop(row["file"], row["function"]) for row in ROW.finditer(section)]


@pytest.fixture
def play_walk(own_server: StoreServer, tmp_path: Path) -> Walk:
    """Record moves in the process that executes them; both players follow the room there."""
    api = RecordedApi(own_server.url, tmp_path)
    with started(api), door_to(api.url) as door:
        return walk_of(recorded(api, door, door))


@pytest.fixture
def event_walk(own_server: StoreServer, tmp_path: Path) -> Walk:
    """Record moves in a process whose subscribers follow the room while another process executes them."""
    other, api = ApiProcess(own_server.url, tmp_path / "log"), RecordedApi(own_server.url, tmp_path)
    with started(other, api), door_to(other.url) as executing, door_to(api.url) as following:
        return walk_of(recorded(api, executing, following))


def recorded(api: RecordedApi, executing: Door, following: Door) -> Iterator[list[Call]]:
    """Return the calls in a process of each of red's first moves, which yellow follows there."""
    table = seated(executing, "morris", 2)
    with table.red.follows(table.room) as red, table.yellow.at(following).follows(table.room) as yellow:
        for _ in range(RECORDINGS):
            yield api.record(partial(play, table.room, legal_move(table.red, table.room), red, yellow))
            answer = table.yellow.plays(table.room, legal_move(table.yellow, table.room)).body
            for feed in (red, yellow):
                feed.up_to(answer["version"])


def legal_move(player: Player, room: str) -> Json:
    """Return the first move that a player may make."""
    first: Json = player.sees(room).body["match"]["legal_moves"][0]
    return first


def play(room: str, move: Json, mover: Feed, other: Feed) -> None:
    """Play a move over a socket, and wait until the other player's socket has shown it."""
    reply = mover.commands(room, {"type": "play", "move": move})
    other.up_to(reply["result"]["version"])


def agree(heading: str, walk: Walk) -> None:
    """Compare a walk with the rows under a heading: each function in its order, and no package left out."""
    rows, calls = hops(heading), iter(walk.calls)
    for row in rows:
        assert any(call.file == row.file and call.name == row.function for call in calls), f"{row} does not come there"
    assert sorted(packages_of(row.file for row in rows)) == sorted(walk.packages)


def test_a_play_takes_the_documented_way(play_walk: Walk) -> None:
    """From a socket's bytes to both players' frames; and it stays short enough to be followed by a person."""
    sys.stdout.write(f"\na play: {summary(play_walk)}\n")
    agree("A play, hop by hop", play_walk)
    assert len(play_walk.functions) <= FUNCTIONS
    assert len(play_walk.files) <= FILES
    assert play_walk.changes <= CHANGES
    assert max(lines_of(play_walk.functions)) <= LINES
    assert median_length(play_walk) <= MEDIAN


def test_an_event_of_another_process_takes_the_documented_way(event_walk: Walk) -> None:
    """From the store's notification to the subscriber's frame."""
    sys.stdout.write(f"\nan event of another process: {summary(event_walk)}\n")
    agree("An event from another process, hop by hop", event_walk)
