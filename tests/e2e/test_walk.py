"""The walks in docs/architecture.md match those of a real move through real processes."""

import re
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.e2e.client import ApiClient, Feed, Json, Player, connect_to
from tests.e2e.processes import ROOT, ApiProcess, run_processes
from tests.e2e.seated_rooms import seat_players
from tests.e2e.walk import (
    RECORDINGS,
    Call,
    RecordedApi,
    Walk,
    function_lengths,
    median_length,
    packages_of,
    shortest_walk,
    summary,
)
from tests.store_server import StoreServer

PAGE = (ROOT / "docs/architecture.md").read_text()
ROW = re.compile(r"^\| \d+ \| `(?P<file>service/[\w/]+\.py)` \| `(?P<function>[\w.]+)` \|", re.MULTILINE)

FUNCTIONS, FILES, CHANGES, LINES, MEDIAN = 156, 50, 140, 40, 8
"""Upper limits for a move; a change that exceeds them needs a second look."""


OWN_NOTIFICATION = {
    "PubSub._take_messages",
    "PubSub._deliver",
    "RedisStore.subscribe.<locals>.on_message",
    "LoadedStream.announce",
}
"""What runs when the store notifies a process of an event. The process that stored it is notified before or after its
reply, so these calls are not counted in the walk of a play.
"""


class Limits(NamedTuple):
    """Upper limits for a move at a full table; they are only ever lowered."""

    functions: int
    files: int
    changes: int


BY_SOCKET, BY_POST = Limits(156, 50, 149), Limits(183, 56, 166)


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
    with run_processes(api), connect_to(api.url) as client:
        walk = shortest_walk(record_moves(api, client, client))
        return Walk([call for call in walk.calls if call.name not in OWN_NOTIFICATION])


@pytest.fixture
def event_walk(own_server: StoreServer, tmp_path: Path) -> Walk:
    """Record moves in a process whose subscribers follow the room while another process executes them."""
    other, api = ApiProcess(own_server.url, tmp_path / "log"), RecordedApi(own_server.url, tmp_path)
    with run_processes(other, api), connect_to(other.url) as executing, connect_to(api.url) as following:
        return shortest_walk(record_moves(api, executing, following))


def record_moves(api: RecordedApi, executing: ApiClient, following: ApiClient) -> Iterator[list[Call]]:
    """Return the calls in a process for each of red's first moves, which yellow follows there."""
    seated = seat_players(executing, "morris", 2)
    with seated.red.subscribe(seated.room) as red, seated.yellow.via(following).subscribe(seated.room) as yellow:
        for _ in range(RECORDINGS):
            move = legal_move(seated.red, seated.room)
            red.send(type="ping")  # whose answer shows that the process has finished the request before it
            red.until(lambda frame: frame["type"] == "pong")
            yield api.record(partial(play, seated.room, move, red, yellow))
            response = seated.yellow.play(seated.room, legal_move(seated.yellow, seated.room)).body
            for feed in (red, yellow):
                feed.up_to(response["version"])


def legal_move(player: Player, room: str) -> Json:
    """Return the first move that a player may make."""
    first: Json = player.read_room(room).body["match"]["legal_moves"][0]
    return first


def play(room: str, move: Json, mover: Feed, other: Feed) -> None:
    """Play a move over a socket, and wait until the other player's socket has delivered it."""
    reply = mover.command(room, {"type": "play", "move": move})
    other.up_to(reply["result"]["version"])


def check_walk(heading: str, walk: Walk) -> None:
    """Compare a walk with the rows under a heading: the functions in order, and all packages."""
    rows, calls = hops(heading), iter(walk.calls)
    for row in rows:
        assert any(call.file == row.file and call.name == row.function for call in calls), (
            f"{row} is not called at this point"
        )
    assert sorted(packages_of(row.file for row in rows)) == sorted(walk.packages)


def test_a_play_follows_the_documented_walk(play_walk: Walk) -> None:
    """From a socket's bytes to both players' frames; the walk stays within the limits above."""
    sys.stdout.write(f"\na play: {summary(play_walk)}\n")
    check_walk("A play, hop by hop", play_walk)
    assert len(play_walk.functions) <= FUNCTIONS
    assert len(play_walk.files) <= FILES
    assert play_walk.changes <= CHANGES
    assert max(function_lengths(play_walk.functions)) <= LINES
    assert median_length(play_walk) <= MEDIAN


def test_an_event_of_another_process_follows_the_documented_walk(event_walk: Walk) -> None:
    """From the store's notification to the subscriber's frame."""
    sys.stdout.write(f"\nan event of another process: {summary(event_walk)}\n")
    check_walk("An event from another process, hop by hop", event_walk)


class Table(NamedTuple):
    """A room of Ternio with three players and a spectator, and their feeds."""

    room: str
    players: tuple[Player, ...]
    feeds: tuple[Feed, ...]

    def play_by_socket(self, seat: int, move: Json) -> None:
        """Play a move over the player's socket."""
        self._wait_for(self.feeds[seat].command(self.room, {"type": "play", "move": move})["result"], seat)

    def play_by_post(self, seat: int, move: Json) -> None:
        """Play a move by POST; the player follows the room, too."""
        self._wait_for(self.players[seat].play(self.room, move).body, None)

    def _wait_for(self, result: Json, mover: int | None) -> None:
        """Wait until all others have the move."""
        for seat, feed in enumerate(self.feeds):
            if seat != mover:
                feed.up_to(result["version"])


@pytest.fixture
def table(own_server: StoreServer, tmp_path: Path) -> Iterator[tuple[RecordedApi, Table]]:
    """Seat three players, whom a spectator watches, all in one process that is recorded."""
    api = RecordedApi(own_server.url, tmp_path)
    with run_processes(api), connect_to(api.url) as client, ExitStack() as stack:
        room, players = seat_players(client, "ternio", 3)
        spectator = client.guest("Spectator")
        assert spectator.spectate(room).status == 200
        feeds = [stack.enter_context(player.subscribe(room)) for player in (*players, spectator)]
        for feed in feeds:
            feed.until(lambda frame: frame["type"] == "caught_up")
        yield api, Table(room, players, tuple(feeds))


@pytest.mark.parametrize(
    ("play_move", "limits"), [(Table.play_by_socket, BY_SOCKET), (Table.play_by_post, BY_POST)], ids=["socket", "POST"]
)
def test_a_play_at_a_full_table_stays_within_its_limits(
    table: tuple[RecordedApi, Table], play_move: Callable[[Table, int, Json], None], limits: Limits
) -> None:
    """Ternio with three players and a spectator; the process's own notification counts."""
    api, seated = table
    recordings = []
    for _ in range(2 * RECORDINGS):
        [seat] = seated.players[0].read_room(seated.room).body["match"]["to_move"]
        move = legal_move(seated.players[seat], seated.room)
        recordings.append(api.record(partial(play_move, seated, seat, move)))
    walk = shortest_walk(recordings)
    sys.stdout.write(f"\na play at a full table: {summary(walk)}\n")
    assert len(walk.functions) <= limits.functions
    assert len(walk.files) <= limits.files
    assert walk.changes <= limits.changes
