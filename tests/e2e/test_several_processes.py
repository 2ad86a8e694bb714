"""Several processes serve one store: what one writes the others broadcast, and what one leaves undone another does."""

import asyncio
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from threading import Event

from service.domain.ids import Millis, RoomKey
from service.store.redis.store import RedisStore
from tests.e2e.client import ApiClient, Json, Player, events_of, fresh_name
from tests.e2e.conftest import StartApi, StartWorker
from tests.e2e.seated_rooms import SeatedRoom, seat_players, select
from tests.store_server import StoreServer
from tests.waiting import wait_for

EVENTS = 300
ROOMS = 8


def read_repeatedly(player: Player, room: str, stop: Event) -> None:
    """Read a room repeatedly to keep its process busy."""
    while not stop.is_set():
        player.read_room(room)


def test_a_socket_delivers_in_order_what_another_process_wrote(start_api: StartApi) -> None:
    """Event by event, while requests keep the room's process busy; the next heartbeat is minutes away."""
    (_, here), (_, there) = start_api(), start_api()
    room, (red, _) = seat_players(here, "turncoat", 2)
    stop = Event()
    with red.via(there).subscribe(room) as feed, ThreadPoolExecutor(3) as pool:
        feed.until(lambda frame: frame["type"] == "caught_up")
        for _ in range(3):
            pool.submit(read_repeatedly, there.anonymous(), room, stop)
        try:
            for number in range(EVENTS):
                response = red.play(room, select(number))
                if response.status == 200:
                    update = feed.update()
                    assert update["events"] == response.body["events"]
                    assert update["view"]["match"] == response.body["view"]["match"]
        finally:
            stop.set()


def test_two_processes_that_write_deliver_the_same_events(start_api: StartApi) -> None:
    """Two players at two processes, each with a socket at the other process."""
    (_, here), (_, there) = start_api(), start_api()
    room, (red, yellow) = seat_players(here, "turncoat", 2, settings={"restart": None})
    began = red.read_room(room).body["version"]

    def play(player: Player) -> int:
        return sum(player.play(room, select(number)).status == 200 for number in range(EVENTS // 2))

    with (
        red.via(there).subscribe(room, since=began) as one,
        yellow.via(here).subscribe(room, since=began) as other,
        ThreadPoolExecutor(4) as pool,
    ):
        received = [pool.submit(feed.until, has_match_end) for feed in (one, other)]
        accepted = sum(pool.map(play, (red.via(here), yellow.via(there))))
        assert red.command(room, "resign").status == 200
        delivered = [events_of(frames.result()) for frames in received]
    for player, events in zip((red, yellow), delivered, strict=True):
        assert events == player.get(f"/v1/rooms/{room}/events", since=began, limit=1000).body["events"]
        assert sum(event["type"] == "selected" for event in events) == accepted


def has_match_end(frame: Json) -> bool:
    """Return whether a frame contains the end of a match."""
    return bool(frame["type"] == "update" and frame["events"][-1]["type"] == "match_ended")


def test_a_room_reopened_by_another_process_replaces_the_cached_one(start_api: StartApi) -> None:
    """A process that has the old room in memory does not read, command or broadcast it under its name."""
    (_, here), (_, there) = start_api(), start_api()
    for use in ("command", "socket", "reading"):
        name, ada, bob = fresh_name(), here.guest("Ada"), there.guest("Bob")
        assert ada.open_room("morris", name=name).status == 201
        old = bob.read_room(name).body["epoch"]
        ada.command(name, "close")
        new = ada.open_room("morris", name=name).body["view"]["epoch"]
        assert new != old
        if use == "command":
            assert bob.command(name, "join").body["view"]["epoch"] == new
        elif use == "reading":
            assert bob.read_room(name).body["epoch"] == new
        else:
            with bob.subscribe(name) as feed:
                assert feed.next("subscribed")["epoch"] == new


def finish_match(client: ApiClient) -> SeatedRoom:
    """Play a match to its end in a room whose next match is due soon."""
    seated = seat_players(client, "morris", 2, settings={"restart": 100})
    assert seated.players[0].command(seated.room, "resign").body["view"]["status"] == "finished"
    return seated


def count_starts(seated: SeatedRoom) -> int:
    """Return how many matches have begun in a room."""
    events = seated.players[0].get(f"/v1/rooms/{seated.room}/events", limit=1000).body["events"]
    return sum(event["type"] == "match_started" for event in events)


def wait_for_starts(rooms: list[SeatedRoom], quantifier: Callable[[Iterable[bool]], bool]) -> None:
    """Wait until the second match has begun in all or any of the rooms."""
    wait_for(lambda: quantifier(count_starts(seated) == 2 for seated in rooms))


def test_the_next_match_starts_exactly_once_if_a_worker_is_killed(
    start_api: StartApi, start_worker: StartWorker
) -> None:
    """One worker is killed while rooms are due, two others continue; its claims are taken over after their lease."""
    _, client = start_api()
    victim = start_worker()
    wait_for_starts([finish_match(client)], all)
    rooms = [finish_match(client) for _ in range(ROOMS)]
    wait_for_starts(rooms, any)
    victim.kill()
    rooms += [finish_match(client) for _ in range(ROOMS)]
    for _ in range(2):
        start_worker()
    wait_for_starts(rooms, all)
    time.sleep(0.3)
    assert [count_starts(seated) for seated in rooms] == [2] * len(rooms)


def test_rooms_claimed_by_a_killed_worker_are_claimed_by_another(
    own_server: StoreServer, start_api: StartApi, start_worker: StartWorker
) -> None:
    """When the lease of the claim has ended, and once."""

    async def claim_and_die() -> int:
        store = RedisStore(own_server.url)
        claimed = await store.claim_due(Millis(await store.time() + 200), Millis(1000), 64)
        await store.close()
        return sum(isinstance(key, RoomKey) for key in claimed)

    _, client = start_api()
    rooms = [finish_match(client) for _ in range(ROOMS)]
    assert asyncio.run(claim_and_die()) == ROOMS
    for _ in range(2):
        start_worker()
    wait_for_starts(rooms, all)
    time.sleep(0.3)
    assert [count_starts(seated) for seated in rooms] == [2] * len(rooms)
