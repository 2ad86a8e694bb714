"""The store comes back without its last commands; every subscriber is informed of the changed history."""

import asyncio
import time
from collections.abc import Mapping
from pathlib import Path

import pytest
from httpx import TransportError

from service.store.redis.store import RedisStore
from service.store.witness import Witness, WitnessFile
from tests.e2e.client import ApiClient, Feed, Json, Player
from tests.e2e.conftest import StartApi
from tests.e2e.seated_rooms import seat_players, select
from tests.programs.ops.conftest import Verb, verb, witness
from tests.store_server import ProgramServer, StoreServer
from tests.waiting import wait_for

__all__ = ["verb", "witness"]

KEPT, LOST, WRITTEN_AFTER = 6, 5, 9


def aof_of(store: StoreServer) -> Path:
    """Return the current part of the append-only file."""
    if not isinstance(store, ProgramServer):
        pytest.skip("only a server program's files can be truncated")
    [log] = (store.folder / "appendonlydir").glob("*.incr.aof")
    return log


def play(player: Player, room: str, moves: int) -> int:
    """Make a number of accepted moves and return the version after them."""
    version, number = 0, 0
    while moves:
        response = player.play(room, select(number))
        number += 1
        if response.status == 200:
            version, moves = response.body["version"], moves - 1
    return version


def truncate(store: StoreServer, size: int) -> None:
    """Kill the store, drop what was written after `size`, and start it again."""
    store.kill()
    with aof_of(store).open("r+b") as log:
        log.truncate(size)
    store.start()


async def counters(store: StoreServer) -> dict[int, int]:
    """Return how many entries were ever appended, by partition."""
    client = RedisStore(store.url)
    try:
        return (await client.identity.observe()).appended
    finally:
        await client.close()


def wait_for_witness(folder: Path, store: StoreServer) -> None:
    """Wait until a witness has counted everything that was written; a later loss is more than the last moments."""
    wanted = {number: count for number, count in asyncio.run(counters(store)).items() if count}
    wait_for(lambda: has_counted(WitnessFile(folder).read(), wanted))


def has_counted(known: Witness | None, wanted: Mapping[int, int]) -> bool:
    """Return whether a witness has counted at least so many events; others may have been written meanwhile."""
    return known is not None and all(known.appended.get(number, 0) >= count for number, count in wanted.items())


def health(client: ApiClient) -> str:
    """Return the code of why a process is not ready, empty where it is."""
    try:
        return client.anonymous().get("/health/ready").code
    except TransportError:
        return "unreachable"


def wait_until_lost(*clients: ApiClient) -> None:
    """Wait until processes know that the store has lost data."""
    for client in clients:
        wait_for(lambda client=client: health(client) == "store_lost_data")  # type: ignore[misc]  # a default


def accept_loss(store: StoreServer, verb: Verb) -> None:
    """Accept the loss, as an operator does."""
    assert verb(store, "accept-loss", "--yes").code == 0


def wait_until_ready(client: ApiClient) -> None:
    """Wait until a process is ready again."""
    wait_for(lambda: not health(client))


def wait_for_subscription(feed: Feed, room: str, **request: object) -> Json:
    """Return the reply to a subscription, which is repeated while the store is unavailable."""
    frame = feed.next()
    while frame["type"] == "error" and frame["problem"]["status"] == 503:
        time.sleep(0.1)
        feed.send(type="subscribe", room=room, **request)
        frame = feed.next()
    assert frame["type"] == "subscribed", frame
    return frame


def read_after_resync(feed: Feed, version: int) -> tuple[Json, list[Json]]:
    """Return the one snapshot that a subscriber receives and the events after it, up to a version."""
    frames = [frame for frame in feed.up_to(version) if frame["type"] in {"snapshot", "update"}]
    assert [frame["type"] for frame in frames] == ["snapshot"] + ["update"] * (len(frames) - 1)
    return frames[0], [event for frame in frames[1:] for event in frame["events"]]


def check_resync(feed: Feed, player: Player, room: str, version: int) -> None:
    """Check that a subscriber received `history_changed` once, and then every event of the new history."""
    snapshot, events = read_after_resync(feed, version)
    assert snapshot["reason"] == "history_changed"
    expected = player.get(f"/v1/rooms/{room}/events", since=snapshot["version"], limit=1000).body["events"]
    assert events == expected[: version - snapshot["version"]]


def test_after_a_lost_tail_subscribers_resync_once_and_writing_resumes_once_accepted(
    start_api: StartApi, own_server: StoreServer, witness: Path, verb: Verb
) -> None:
    """Those who stayed connected, those who resume with the mark of a lost version, and one at another process."""
    (_, here), (_, there) = start_api(witness=str(witness)), start_api(witness=str(witness))
    room, (red, yellow) = seat_players(here, "turncoat", 2)
    kept = play(red, room, KEPT)
    size = aof_of(own_server).stat().st_size
    with red.subscribe(room) as stayed, yellow.via(there).subscribe(room, state=False) as elsewhere:
        for feed in (stayed, elsewhere):
            feed.until(lambda frame: frame["type"] == "caught_up")
        lost = play(red, room, LOST)
        stayed.up_to(lost)
        mark = elsewhere.up_to(lost)[-1]["mark"]
        wait_for_witness(witness, own_server)
        truncate(own_server, size)
        wait_until_lost(here, there)
        assert red.play(room, select(1)).code == "store_lost_data"
        assert red.read_room(room).body["version"] == kept
        with red.subscribe(room, since=lost, mark=mark) as early:
            assert wait_for_subscription(early, room, since=lost, mark=mark)["version"] == kept
            accept_loss(own_server, verb)
            wait_until_ready(here)
            last = play(red, room, WRITTEN_AFTER)
            written = red.get(f"/v1/rooms/{room}/events", since=kept, limit=1000).body["events"]
            assert {event["type"] for event in written} == {"selected"}
            assert len({event["at"] for event in written}) == len(written) == last - kept
            assert len(written) >= WRITTEN_AFTER  # one whose answer was an error may have been written, too
            check_resync(early, red, room, last)
        check_resync(stayed, red, room, last)
        check_resync(elsewhere, yellow, room, last)
        assert last > lost
        # Seats may be deserted meanwhile, because the store also lost the presence.
        shown = red.via(there).read_room(room).body["version"]
        later = red.get(f"/v1/rooms/{room}/events", since=last).body["events"]
        assert {event["type"] for event in later} <= {"seat_deserted", "seat_returned"}
        assert last <= shown <= last + len(later)
        with yellow.subscribe(room, since=lost, mark=mark) as late:
            assert not wait_for_subscription(late, room, since=lost, mark=mark)["recovered"]
            check_resync(late, yellow, room, last)


def test_subscribers_of_a_room_that_was_lost_completely_receive_an_error(
    start_api: StartApi, own_server: StoreServer, witness: Path, verb: Verb
) -> None:
    """The name is free, and the next room with it is another one."""
    _, here = start_api(witness=str(witness))
    seat_players(here, "turncoat", 2)
    size = aof_of(own_server).stat().st_size
    room, (red, _) = seat_players(here, "turncoat", 2)
    with red.subscribe(room) as stayed:
        stayed.until(lambda frame: frame["type"] == "caught_up")
        wait_for_witness(witness, own_server)
        truncate(own_server, size)
        error = stayed.next("error")
        assert (error["room"], error["problem"]["code"]) == (room, "no_such_room")
    assert red.read_room(room).code == "no_such_room"
    assert red.open_room("morris", name=room).code == "store_lost_data"
    accept_loss(own_server, verb)
    wait_until_ready(here)
    assert red.open_room("morris", name=room).status == 201
