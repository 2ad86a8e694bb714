"""Two API processes are replaced one by one during matches: no command is lost, and no player is at a disadvantage."""

import asyncio
import itertools
import time
from concurrent.futures import ThreadPoolExecutor

import msgspec
import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from tests.e2e import results
from tests.e2e.client import ApiClient, Json, Player
from tests.e2e.conftest import StartApi
from tests.e2e.processes import ApiProcess
from tests.e2e.seated_rooms import SeatedRoom, seat_players
from tests.waiting import wait_for

SPREAD = 1.0
"""Seconds over which a process that shuts down closes its sockets."""

LEAVING = 4001
PACE = 0.05

EXPECTED_EVENTS = {"laid_out", "selected"}
"""The only events that may occur: no seat is deserted, and no flag falls."""


class ReconnectingPlayer:
    """Plays over any number of sockets: resumes where a socket ended, and repeats commands without a reply."""

    def __init__(self, seated: SeatedRoom, player: Player, moves: list[Json], urls: "itertools.cycle[str]") -> None:
        """Play in this room, with the addresses in turn until one accepts the connection."""
        self.room, self.player, self.urls = seated.room, player, urls
        self.moves = itertools.cycle(moves)
        self.sent = 0
        self.events: list[int] = []
        self.codes: list[int | None] = []
        self.together = False
        """Whether both players have been connected at the same time."""
        self.flickers: list[Json] = []
        """Presence frames since then in which a player was offline."""
        self._position: Json = {"since": 0}
        self._open: Json | None = None

    async def play(self, stop: asyncio.Event) -> None:
        """Play until `stop` is set and every command has its reply."""
        while not stop.is_set() or self._open:
            try:
                async with connect(f"{next(self.urls)}/v1/rooms/{self.room}/feed", compression=None) as socket:
                    await self._resume(socket)
                    await self._play_on_socket(socket, stop)
            except ConnectionClosed as closed:
                self.codes.append(closed.rcvd.code if closed.rcvd else None)
            except (OSError, InvalidHandshake):  # the process at this address is not listening
                await asyncio.sleep(0.02)

    async def _resume(self, socket: ClientConnection) -> None:
        request = {"type": "subscribe", "room": self.room, "token": self.player.token, "state": False, **self._position}
        await socket.send(msgspec.json.encode(request).decode())

    async def _play_on_socket(self, socket: ClientConnection, stop: asyncio.Event) -> None:
        while self._open or not stop.is_set():
            if self._open is None:
                self.sent += 1
                self._open = {"type": "play", "move": next(self.moves)}
            number = self.sent
            frame = {"type": "command", "id": number, "key": str(number), "room": self.room, "command": self._open}
            await socket.send(msgspec.json.encode(frame).decode())
            while self._open:
                self._receive(msgspec.json.decode(await socket.recv()), number)
            await asyncio.sleep(PACE)

    def _receive(self, frame: Json, number: int) -> None:
        if frame["type"] == "update":
            self.events += [event["version"] for event in frame["events"]]
            self._position = {"since": frame["version"], "mark": frame["mark"]}
        elif frame["type"] == "reply" and frame["id"] == number:
            assert "problem" not in frame, frame
            self._open = None
        elif frame["type"] == "presence":
            self._receive_presence(frame)
        else:
            assert frame["type"] in {"subscribed", "caught_up"}, frame

    def _receive_presence(self, presence: Json) -> None:
        online = all(player["online"] for player in presence["players"].values())
        if self.together and not online:
            self.flickers.append(presence)
        self.together |= online


def replace_process(api: ApiProcess) -> float:
    """Replace a process and return how many seconds it needed to shut down."""
    began = time.monotonic()
    api.stop()
    seconds = time.monotonic() - began
    assert api.exit_code == 0
    api.start()
    return seconds


async def replace_all(apis: list[ApiProcess], players: list[ReconnectingPlayer]) -> list[float]:
    """Replace the processes one after another during play."""
    stop = asyncio.Event()
    playing = [asyncio.create_task(player.play(stop)) for player in players]
    durations = []
    for api in apis:
        await asyncio.sleep(1)
        durations.append(await asyncio.to_thread(replace_process, api))
    await asyncio.sleep(1)
    stop.set()
    await asyncio.gather(*playing)
    return durations


def open_rooms(client: ApiClient, count: int) -> list[SeatedRoom]:
    """Open a number of rooms with running matches."""
    with ThreadPoolExecutor(4) as pool:
        clock = {"type": "fischer", "initial_ms": 600_000, "increment_ms": 0}
        settings, options = {"restart": None, "clock": clock}, {"round_limit": 100}
        return list(pool.map(lambda _: seat_players(client, "turncoat", 2, settings, options), range(count)))


def legal_selections(seated: SeatedRoom, player: Player) -> list[Json]:
    """Return the selections that a player may make."""
    moves: list[Json] = player.read_room(seated.room).body["match"]["legal_moves"]
    return [move for move in moves if move["type"] == "select"]


@pytest.mark.parametrize("count", [20, pytest.param(200, marks=pytest.mark.soak)])
def test_a_rolling_restart_loses_no_command_and_no_match_on_time(start_api: StartApi, count: int) -> None:
    """Commands are executed once, events delivered once and in order, and every socket is asked to reconnect."""
    started = [start_api(drain=str(SPREAD)) for _ in range(2)]
    urls = [client.url.replace("http", "ws") for _, client in started]
    client = started[0][1]
    players = []
    for number, seated in enumerate(open_rooms(client, count)):
        for player in seated.players:
            addresses = itertools.cycle(urls if number % 2 else urls[::-1])
            players.append(ReconnectingPlayer(seated, player, legal_selections(seated, player), addresses))
    durations = asyncio.run(replace_all([api for api, _ in started], players))
    assert max(durations) < SPREAD + 10
    for each in players:
        events = each.player.get(f"/v1/rooms/{each.room}/events", limit=1000).body["events"]
        assert {event["type"] for event in events if event["version"] > 6} <= EXPECTED_EVENTS
        assert each.together
        assert each.flickers == []
        own = [event for event in events if event["type"] == "selected" and event["by"] == each.player.id]
        assert len(own) == each.sent
        assert each.events == list(range(1, len(each.events) + 1))
        assert set(each.codes) == {LEAVING}
    commands, moved = sum(each.sent for each in players), sum(len(each.codes) for each in players)
    if count > 20:
        found = f"{count} matches, {commands} commands, {moved} sockets moved, none lost or flagged, nobody seemed away"
        found += f"; shut down in {max(durations):.1f} s"
        results.record_result("rolling restart", found)


def test_a_process_that_shuts_down_is_not_ready_and_finishes_its_work(start_api: StartApi) -> None:
    """The readiness check returns 503 while the sockets are closed; a stream ends; the exit code is 0."""
    api, client = start_api(drain="1")
    room, (red, _) = seat_players(client, "turncoat", 2)
    assert client.anonymous().get("/health/ready").status == 200
    with (
        red.subscribe(room) as one,
        red.subscribe(room) as other,
        client.http.stream("GET", f"/v1/rooms/{room}/feed") as stream,
    ):
        for feed in (one, other):
            feed.until(lambda frame: frame["type"] == "caught_up")
        api.terminate()
        wait_for(lambda: client.anonymous().get("/health/ready").status == 503)
        assert client.anonymous().get("/health/ready").code == "leaving"
        assert {one.close_code(), other.close_code()} == {LEAVING}
        assert "caught_up" in "".join(stream.iter_text())
    api.stop()
    assert api.exit_code == 0


def test_a_second_signal_ends_the_process_at_once(start_api: StartApi) -> None:
    """Without waiting until all sockets are closed."""
    api, client = start_api(drain="60")
    room, (red, _) = seat_players(client, "turncoat", 2)
    with red.subscribe(room) as feed, red.subscribe(room):
        feed.until(lambda frame: frame["type"] == "caught_up")
        api.terminate()
        time.sleep(0.5)
        began = time.monotonic()
        api.stop()
    assert api.exit_code == 0
    assert time.monotonic() - began < 20  # the second socket would be closed after 30 s
