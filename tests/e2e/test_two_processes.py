"""Several processes serve one store: what one writes the others tell, and what one leaves undone another does."""

import asyncio
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from threading import Event

from service.domain.room.model.ids import Millis
from service.store.redis.store import RedisStore
from tests.e2e.client import PATIENCE, Door, Json, Player, events_of, fresh_name
from tests.e2e.conftest import StartApi, StartWorker
from tests.e2e.tables import Table, seated, select
from tests.store_server import StoreServer

EVENTS = 300
ROOMS = 8


def reads_without_pause(player: Player, room: str, stop: Event) -> None:
    """Keep a process busy with looking at a room."""
    while not stop.is_set():
        player.sees(room)


def test_a_socket_at_one_process_tells_at_once_and_in_order_what_another_wrote(start_api: StartApi) -> None:
    """Event after event, while readers keep the room's process looking; the next heartbeat is minutes away."""
    (_, here), (_, there) = start_api(), start_api()
    room, (red, _) = seated(here, "turncoat", 2)
    stop = Event()
    with red.at(there).follows(room) as feed, ThreadPoolExecutor(3) as pool:
        feed.until(lambda frame: frame["type"] == "caught_up")
        for _ in range(3):
            pool.submit(reads_without_pause, there.stranger(), room, stop)
        try:
            for number in range(EVENTS):
                answer = red.plays(room, select(number))
                if answer.status == 200:
                    update = feed.update()
                    assert update["events"] == answer.body["events"]
                    assert update["view"]["match"] == answer.body["view"]["match"]
        finally:
            stop.set()


def test_both_processes_write_and_both_tell_the_same(start_api: StartApi) -> None:
    """Two players at two processes, each with a socket at the other one's: the sequences are one."""
    (_, here), (_, there) = start_api(), start_api()
    room, (red, yellow) = seated(here, "turncoat", 2, settings={"restart": None})
    began = red.sees(room).body["version"]

    def play(player: Player) -> int:
        return sum(player.plays(room, select(number)).status == 200 for number in range(EVENTS // 2))

    with red.at(there).follows(room, since=began) as one, yellow.at(here).follows(room, since=began) as other:
        with ThreadPoolExecutor(2) as pool:
            accepted = sum(pool.map(play, (red.at(here), yellow.at(there))))
        assert red.asks(room, "resign").status == 200
        told = [events_of(feed.until(ended)) for feed in (one, other)]
    for player, events in zip((red, yellow), told, strict=True):
        assert events == player.gets(f"/v1/rooms/{room}/events", since=began, limit=1000).body["events"]
        assert sum(event["type"] == "selected" for event in events) == accepted


def ended(frame: Json) -> bool:
    """Tell whether a frame brings the end of a match."""
    return bool(frame["type"] == "update" and frame["events"][-1]["type"] == "match_ended")


def test_a_room_closed_and_opened_again_elsewhere_is_the_new_room_here(start_api: StartApi) -> None:
    """A process that still holds the old room in memory neither reads nor writes nor feeds it under its name."""
    (_, here), (_, there) = start_api(), start_api()
    for use in ("command", "socket", "reading"):
        name, ada, bob = fresh_name(), here.guest("Ada"), there.guest("Bob")
        assert ada.opens("morris", name=name).status == 201
        old = bob.sees(name).body["epoch"]
        ada.asks(name, "close")
        new = ada.opens("morris", name=name).body["view"]["epoch"]
        assert new != old
        if use == "command":
            assert bob.asks(name, "join").body["view"]["epoch"] == new
        elif use == "reading":
            assert bob.sees(name).body["epoch"] == new
        else:
            with bob.follows(name) as feed:
                assert feed.next("subscribed")["epoch"] == new


def finished(door: Door) -> Table:
    """Play a match to its end in a room whose next match is due in a moment."""
    table = seated(door, "morris", 2, settings={"restart": 100})
    assert table.players[0].asks(table.room, "resign").body["view"]["status"] == "finished"
    return table


def starts(table: Table) -> int:
    """Return how many matches have begun at a table."""
    events = table.players[0].gets(f"/v1/rooms/{table.room}/events", limit=1000).body["events"]
    return sum(event["type"] == "match_started" for event in events)


def wait_for_starts(tables: list[Table], enough: Callable[[Iterable[bool]], bool]) -> None:
    """Wait until the second match has begun at all or any of the tables."""
    deadline = time.monotonic() + 2 * PATIENCE
    while not enough(starts(table) == 2 for table in tables):
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_the_next_match_begins_exactly_once_whichever_worker_dies(
    start_api: StartApi, start_worker: StartWorker
) -> None:
    """One worker is killed while rooms are due, two others go on; a claim that died is taken up after its lease."""
    _, door = start_api()
    doomed = start_worker()
    wait_for_starts([finished(door)], all)
    tables = [finished(door) for _ in range(ROOMS)]
    wait_for_starts(tables, any)
    doomed.kill()
    tables += [finished(door) for _ in range(ROOMS)]
    for _ in range(2):
        start_worker()
    wait_for_starts(tables, all)
    time.sleep(0.3)
    assert [starts(table) for table in tables] == [2] * len(tables)


def test_what_a_worker_had_claimed_when_it_died_is_done_by_another(
    own_server: StoreServer, start_api: StartApi, start_worker: StartWorker
) -> None:
    """When the claim's lease has ended, and once."""

    async def claim_and_die() -> int:
        store = RedisStore(own_server.url)
        claimed = await store.claim_due(Millis(await store.time() + 200), Millis(1000), 64)
        await store.close()
        return len(claimed)

    _, door = start_api()
    tables = [finished(door) for _ in range(ROOMS)]
    assert asyncio.run(claim_and_die()) == ROOMS
    for _ in range(2):
        start_worker()
    wait_for_starts(tables, all)
    time.sleep(0.3)
    assert [starts(table) for table in tables] == [2] * len(tables)
