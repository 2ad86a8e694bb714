"""A socket that doesn't read delays no other client, and never misses an event without a notice."""

import contextlib
import socket
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed

from tests.e2e.client import ApiClient, Feed, Json, Player, connect_to, open_room_socket
from tests.e2e.processes import ApiProcess, run_processes
from tests.e2e.seated_rooms import SeatedRoom, seat_players
from tests.store_server import StoreServer
from tests.waiting import wait_for

QUEUE = 256
"""How many frames wait for a slow socket before the server gives it a fresh snapshot instead."""

IN_FLIGHT = 64
TOO_SLOW = 4000


@pytest.fixture(scope="module")
def narrow(rooms_store: StoreServer, logs: Path) -> Iterator[str]:
    """Run one more API process, on a thin line; return its address."""
    api = ApiProcess(rooms_store.url, logs, module="tests.e2e.small_send_buffer")
    with run_processes(api):
        yield api.url


@contextlib.contextmanager
def slow_socket(url: str, room: str) -> Iterator[Feed]:
    """Open a room's socket that takes in next to nothing until it is read."""
    with socket.socket() as thin:
        thin.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        thin.connect(("127.0.0.1", int(url.rpartition(":")[2])))
        with open_room_socket(url, room, sock=thin, max_queue=1) as feed:
            yield feed


def command_many(player: Player, room: str, commands: list[Json]) -> int:
    """Send commands over a socket without waiting for each reply; return the version after them."""
    with open_room_socket(player.client.url, room) as feed:
        feed.send(type="subscribe", room=room, token=player.token, state=False)
        feed.send(type="unsubscribe", room=room)
        feed.until(lambda frame: frame["type"] == "caught_up")
        for number, command in enumerate(commands):
            feed.send(type="command", id=number, room=room, command=command)
            if number >= IN_FLIGHT:
                feed.next("reply")
        replies = [feed.next("reply") for _ in range(IN_FLIGHT)]
        version: int = replies[-1]["result"]["version"]
        return version


def select_many(player: Player, room: str, moves: int) -> int:
    """Make so many moves of Turncoat; return the version after them."""
    squares = [move for move in player.read_room(room).body["match"]["legal_moves"] if move["type"] == "select"]
    return command_many(
        player, room, [{"type": "play", "move": squares[number % len(squares)]} for number in range(moves)]
    )


def versions_of(frames: list[Json]) -> list[int]:
    """Return the versions of the events in updates, checking that each follows the frame before."""
    versions: list[int] = []
    for frame in frames:
        if frame["type"] == "update":
            events = [event["version"] for event in frame["events"]]
            assert not versions or events[0] == versions[-1] + 1, (versions[-1], events[0])
            assert events == list(range(events[0], frame["version"] + 1))
            versions += events
        elif frame["type"] == "snapshot":
            versions.append(frame["version"])
    return versions


@pytest.fixture(scope="module")
def impatient(rooms_store: StoreServer, logs: Path) -> Iterator[str]:
    """Run one more process with a small send buffer, which closes a blocked socket soon; return its address."""
    api = ApiProcess(rooms_store.url, logs, module="tests.e2e.small_send_buffer", test_patience="1")
    with run_processes(api):
        yield api.url


@pytest.fixture
def seated(client: ApiClient) -> SeatedRoom:
    """Return two players of Turncoat, who can go on selecting for ever."""
    return seat_players(client, "turncoat", 2)


def test_a_slow_socket_is_resynchronised_by_a_snapshot(narrow: str, seated: SeatedRoom) -> None:
    """Meanwhile all other subscribers receive every event."""
    with seated.yellow.subscribe(seated.room) as fast, slow_socket(narrow, seated.room) as slow:
        slow.send(type="subscribe", room=seated.room)
        slow.until(lambda frame: frame["type"] == "caught_up")
        last = select_many(seated.red, seated.room, QUEUE + 120)
        assert versions_of(fast.up_to(last))[-1] == last
        frames = slow.up_to(last)
        fresh = [number for number, frame in enumerate(frames) if frame["type"] == "snapshot"]
        assert [frames[number]["reason"] for number in fresh] == ["too_slow"]
        versions_of(frames[: fresh[0]])
        assert versions_of(frames[fresh[0] :])[-1] == last
        seated.red.command(seated.room, "resign")
        assert slow.update()["events"][-1]["type"] == "match_ended"


def test_a_socket_that_never_reads_is_closed_with_resume(narrow: str, seated: SeatedRoom) -> None:
    """With 4000, after everything that it could take without a gap; from there it can resume."""
    frames: list[Json] = []
    with slow_socket(narrow, seated.room) as slow:
        slow.send(type="subscribe", room=seated.room, state=False)
        slow.until(lambda frame: frame["type"] == "caught_up")
        last = select_many(seated.red, seated.room, 6 * QUEUE)
        with pytest.raises(ConnectionClosed) as closed:  # noqa: PT012 - the frames before it count
            while True:
                frames.append(slow.next())
        assert closed.value.rcvd
        assert closed.value.rcvd.code == TOO_SLOW
    versions_of(frames)
    since, mark = frames[-1]["version"], frames[-1]["mark"]
    with seated.yellow.subscribe(seated.room, since=since, mark=mark, state=False) as feed:
        assert feed.next("subscribed")["recovered"]
        assert versions_of(feed.up_to(last)) == list(range(since + 1, last + 1))


def test_a_slow_socket_that_catches_up_with_a_long_history_misses_nothing(client: ApiClient, narrow: str) -> None:
    """Hundreds of missed commands, each larger than a packet, arrive in order, however slowly it reads."""
    ada = client.guest("Ada")
    room = ada.open_room("morris").body["room"]
    loud: list[Json] = [{"type": "ready", "salt": "\U0001d11e" * 128}, {"type": "unready"}]
    last = command_many(ada, room, loud * 2 * QUEUE)
    with slow_socket(narrow, room) as slow:
        slow.send(type="subscribe", room=room, since=1, state=False)
        time.sleep(0.5)
        assert slow.next("subscribed")["recovered"]
        assert versions_of(slow.up_to(last)) == list(range(2, last + 1))


def figure(url: str, name: str) -> float:
    """Return what a process says of itself."""
    with connect_to(url) as client:
        lines = client.anonymous().get("/metrics").content.decode().splitlines()
    return next(float(line.rpartition(" ")[2]) for line in lines if line.startswith(f"{name} "))


def test_readers_that_take_nothing_are_closed_though_few_frames_wait_for_them(
    impatient: str, seated: SeatedRoom
) -> None:
    """A socket with 4000 behind what it was sent before, a stream by an end; nobody waits for a ping to fail."""
    closes, streams = "turnstream_slow_closes_total", 'turnstream_followers{kind="stream"}'
    before = figure(impatient, closes)
    with slow_socket(impatient, seated.room) as slow, slow_stream(impatient, seated.room):
        slow.send(type="subscribe", room=seated.room)
        slow.until(lambda frame: frame["type"] == "caught_up")
        wait_for(lambda: figure(impatient, streams) == 1)
        select_many(seated.red, seated.room, QUEUE // 2)
        wait_for(lambda: figure(impatient, closes) == before + 2)
        assert slow.close_code() == TOO_SLOW
        wait_for(lambda: figure(impatient, streams) == 0)


@contextlib.contextmanager
def slow_stream(url: str, room: str) -> Iterator[None]:
    """Request a room's stream and read nothing of it."""
    with socket.socket() as thin:
        thin.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        thin.connect(("127.0.0.1", int(url.rpartition(":")[2])))
        thin.sendall(b"GET /v1/rooms/%b/feed HTTP/1.1\r\nhost: x\r\naccept: text/event-stream\r\n\r\n" % room.encode())
        yield
