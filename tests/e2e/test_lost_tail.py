"""The store comes back without its last commands; nobody is left believing in what is gone."""

import asyncio
import time
from pathlib import Path

import pytest
from httpx import TransportError

from service.store.redis.store import RedisStore
from service.store.witness_file import WitnessFile
from tests.e2e.client import Door, Feed, Json, Player
from tests.e2e.conftest import StartApi
from tests.e2e.tables import seated, select
from tests.ops.conftest import Verb, verb, witness
from tests.store_server import ProgramServer, StoreServer

__all__ = ["verb", "witness"]

KEPT, LOST, WRITTEN_AFTER = 6, 5, 9


def log_of(store: StoreServer) -> Path:
    """Return the part of the append-only file that commands are written to."""
    if not isinstance(store, ProgramServer):
        pytest.skip("only a server program's files can be cut")
    [log] = (store.folder / "appendonlydir").glob("*.incr.aof")
    return log


def play(player: Player, room: str, moves: int) -> int:
    """Make so many accepted moves and return the version after them."""
    version, number = 0, 0
    while moves:
        answer = player.plays(room, select(number))
        number += 1
        if answer.status == 200:
            version, moves = answer.body["version"], moves - 1
    return version


def cut(store: StoreServer, size: int) -> None:
    """Let the store die, lose what was written after `size`, and come back."""
    store.kill()
    with log_of(store).open("r+b") as log:
        log.truncate(size)
    store.start()


async def counters(store: StoreServer) -> dict[int, int]:
    """Return how many entries the store ever got, by partition."""
    client = RedisStore(store.url)
    try:
        return (await client.identity.observe()).appended
    finally:
        await client.close()


def until_remembered(folder: Path, store: StoreServer) -> None:
    """Wait until a witness remembers all that was written: what is lost then isn't only the last moments."""
    wanted = {number: count for number, count in asyncio.run(counters(store)).items() if count}
    while (known := WitnessFile(folder).read()) is None or not wanted.items() <= known.appended.items():
        time.sleep(0.1)


def health(door: Door) -> str:
    """Return why a process isn't ready, empty where it is."""
    try:
        return door.stranger().gets("/health/ready").code
    except TransportError:
        return "away"


def until_lost(*doors: Door) -> None:
    """Wait until processes know that the store has lost data."""
    deadline = time.monotonic() + 30
    for door in doors:
        while health(door) != "store_lost_data":
            assert time.monotonic() < deadline
            time.sleep(0.05)


def accept(store: StoreServer, verb: Verb) -> None:
    """Accept the loss, as an operator does."""
    assert verb(store, "accept-loss", "--yes").code == 0


def until_ready(door: Door) -> None:
    """Wait until a process is ready again."""
    deadline = time.monotonic() + 30
    while health(door):
        assert time.monotonic() < deadline
        time.sleep(0.05)


def subscribed(feed: Feed, room: str, **asked: object) -> Json:
    """Return the answer to a subscription, which is asked for again for as long as the store is not back."""
    frame = feed.next()
    while frame["type"] == "error" and frame["problem"]["status"] == 503:
        time.sleep(0.1)
        feed.sends(type="subscribe", room=room, **asked)
        frame = feed.next()
    assert frame["type"] == "subscribed", frame
    return frame


def read_on(feed: Feed, version: int) -> tuple[Json, list[Json]]:
    """Return the one snapshot that a reader gets and the events after it, up to a version."""
    frames = [frame for frame in feed.up_to(version) if frame["type"] in {"snapshot", "update"}]
    assert [frame["type"] for frame in frames] == ["snapshot"] + ["update"] * (len(frames) - 1)
    return frames[0], [event for frame in frames[1:] for event in frame["events"]]


def came_level(feed: Feed, player: Player, room: str, version: int) -> None:
    """Check that a reader was told once that history changed, and then every event of the new one."""
    snapshot, events = read_on(feed, version)
    assert snapshot["reason"] == "history_changed"
    told = player.gets(f"/v1/rooms/{room}/events", since=snapshot["version"], limit=1000).body["events"]
    assert events == told[: version - snapshot["version"]]


def test_after_a_lost_tail_readers_begin_anew_once_and_writers_go_on_when_that_is_accepted(
    start_api: StartApi, own_server: StoreServer, witness: Path, verb: Verb
) -> None:
    """Those who stayed connected, those who come back with the mark of a lost version, and one at another process."""
    (_, here), (_, there) = start_api(witness=str(witness)), start_api(witness=str(witness))
    room, (red, yellow) = seated(here, "turncoat", 2)
    kept = play(red, room, KEPT)
    size = log_of(own_server).stat().st_size
    with red.follows(room) as stayed, yellow.at(there).follows(room, state=False) as elsewhere:
        for feed in (stayed, elsewhere):
            feed.until(lambda frame: frame["type"] == "caught_up")
        lost = play(red, room, LOST)
        stayed.up_to(lost)
        mark = elsewhere.up_to(lost)[-1]["mark"]
        until_remembered(witness, own_server)
        cut(own_server, size)
        until_lost(here, there)
        assert red.plays(room, select(1)).code == "store_lost_data"
        assert red.sees(room).body["version"] == kept
        with red.follows(room, since=lost, mark=mark) as early:
            assert subscribed(early, room, since=lost, mark=mark)["version"] == kept
            accept(own_server, verb)
            until_ready(here)
            last = play(red, room, WRITTEN_AFTER)
            assert last in {kept + WRITTEN_AFTER, kept + WRITTEN_AFTER + 1}
            came_level(early, red, room, last)
        came_level(stayed, red, room, last)
        came_level(elsewhere, yellow, room, last)
        assert last > lost
        # A seat may count as deserted meanwhile: the store also lost who was connected.
        assert last + 1 >= red.sees(room).body["version"] >= last
        assert last + 1 >= red.at(there).sees(room).body["version"] >= last
        with yellow.follows(room, since=lost, mark=mark) as late:
            assert not subscribed(late, room, since=lost, mark=mark)["recovered"]
            came_level(late, yellow, room, last)


def test_who_follows_a_room_that_was_lost_altogether_is_told_so(
    start_api: StartApi, own_server: StoreServer, witness: Path, verb: Verb
) -> None:
    """With an error frame for the room; its name is free, and the next room of it is another one."""
    _, here = start_api(witness=str(witness))
    seated(here, "turncoat", 2)
    size = log_of(own_server).stat().st_size
    room, (red, _) = seated(here, "turncoat", 2)
    with red.follows(room) as stayed:
        stayed.until(lambda frame: frame["type"] == "caught_up")
        until_remembered(witness, own_server)
        cut(own_server, size)
        error = stayed.next("error")
        assert (error["room"], error["problem"]["code"]) == (room, "no_such_room")
    assert red.sees(room).code == "no_such_room"
    assert red.opens("morris", name=room).code == "store_lost_data"
    accept(own_server, verb)
    until_ready(here)
    assert red.opens("morris", name=room).status == 201
