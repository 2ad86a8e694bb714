"""Two API processes are replaced one by one under live matches: no command is lost, and nobody loses by it."""

import asyncio
import itertools
import time
from concurrent.futures import ThreadPoolExecutor

import msgspec
import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from tests.e2e import results
from tests.e2e.client import Door, Json, Player
from tests.e2e.conftest import StartApi
from tests.e2e.processes import ApiProcess
from tests.e2e.tables import Table, seated

SPREAD = 1.0
"""Seconds over which a leaving process sends its sockets away."""

LEAVING = 4001
PACE = 0.05

PLAYED = {"laid_out", "selected"}
"""All that may happen: nobody's seat is deserted, and nobody is flagged."""


class Seated:
    """One who plays on over any number of sockets: resumes where a socket ended, and repeats what was not answered."""

    def __init__(self, table: Table, player: Player, moves: list[Json], doors: "itertools.cycle[str]") -> None:
        """Play at this table through whichever door opens."""
        self.room, self.player, self.doors = table.room, player, doors
        self.moves = itertools.cycle(moves)
        self.asked = 0
        self.events: list[int] = []
        self.codes: list[int | None] = []
        self.together = False
        """Whether both players were connected at the same time before."""
        self.flickers: list[Json] = []
        """What was told of presence when somebody seemed gone since."""
        self._place: Json = {"since": 0}
        self._open: Json | None = None

    async def play(self, stop: asyncio.Event) -> None:
        """Play until asked to stop and everything is answered."""
        while not stop.is_set() or self._open:
            try:
                async with connect(f"{next(self.doors)}/v1/rooms/{self.room}/feed", compression=None) as socket:
                    await self._resume(socket)
                    await self._go_on(socket, stop)
            except ConnectionClosed as closed:
                self.codes.append(closed.rcvd.code if closed.rcvd else None)
            except (OSError, InvalidHandshake):  # nobody listens at this door just now, or not any more
                await asyncio.sleep(0.02)

    async def _resume(self, socket: ClientConnection) -> None:
        asked = {"type": "subscribe", "room": self.room, "token": self.player.token, "state": False, **self._place}
        await socket.send(msgspec.json.encode(asked).decode())

    async def _go_on(self, socket: ClientConnection, stop: asyncio.Event) -> None:
        while self._open or not stop.is_set():
            if self._open is None:
                self.asked += 1
                self._open = {"type": "play", "move": next(self.moves)}
            number = self.asked
            frame = {"type": "command", "id": number, "key": str(number), "room": self.room, "command": self._open}
            await socket.send(msgspec.json.encode(frame).decode())
            while self._open:
                self._hear(msgspec.json.decode(await socket.recv()), number)
            await asyncio.sleep(PACE)

    def _hear(self, frame: Json, number: int) -> None:
        if frame["type"] == "update":
            self.events += [event["version"] for event in frame["events"]]
            self._place = {"since": frame["version"], "mark": frame["mark"]}
        elif frame["type"] == "reply" and frame["id"] == number:
            assert "problem" not in frame, frame
            self._open = None
        elif frame["type"] == "presence":
            self._see(frame)
        else:
            assert frame["type"] in {"subscribed", "caught_up"}, frame

    def _see(self, presence: Json) -> None:
        online = all(player["online"] for player in presence["players"].values())
        if self.together and not online:
            self.flickers.append(presence)
        self.together |= online


def replaced(api: ApiProcess) -> float:
    """Replace a process and return how many seconds it took to leave."""
    began = time.monotonic()
    api.stop()
    left = time.monotonic() - began
    assert api.exit_code == 0
    api.start()
    return left


async def rolled(apis: list[ApiProcess], players: list[Seated]) -> list[float]:
    """Replace the processes one after another while everybody plays."""
    stop = asyncio.Event()
    playing = [asyncio.create_task(player.play(stop)) for player in players]
    took = []
    for api in apis:
        await asyncio.sleep(1)
        took.append(await asyncio.to_thread(replaced, api))
    await asyncio.sleep(1)
    stop.set()
    await asyncio.gather(*playing)
    return took


def tables_at(door: Door, count: int) -> list[Table]:
    """Return so many running matches."""
    with ThreadPoolExecutor(4) as pool:
        clock = {"type": "fischer", "initial_ms": 600_000, "increment_ms": 0}
        settings, options = {"restart": None, "clock": clock}, {"round_limit": 100}
        return list(pool.map(lambda _: seated(door, "turncoat", 2, settings, options), range(count)))


def discs(table: Table, player: Player) -> list[Json]:
    """Return the selections that a player may make."""
    moves: list[Json] = player.sees(table.room).body["match"]["legal_moves"]
    return [move for move in moves if move["type"] == "select"]


@pytest.mark.parametrize("count", [20, pytest.param(200, marks=pytest.mark.soak)])
def test_a_rolling_restart_loses_no_command_and_flags_nobody(start_api: StartApi, count: int) -> None:
    """Every command is done once, every event told once and in order, and every socket was asked to go on elsewhere."""
    started = [start_api(drain=str(SPREAD)) for _ in range(2)]
    urls = [door.url.replace("http", "ws") for _, door in started]
    door = started[0][1]
    everyone = []
    for number, table in enumerate(tables_at(door, count)):
        for player in table.players:
            doors = itertools.cycle(urls if number % 2 else urls[::-1])
            everyone.append(Seated(table, player, discs(table, player), doors))
    took = asyncio.run(rolled([api for api, _ in started], everyone))
    assert max(took) < SPREAD + 10
    for each in everyone:
        told = each.player.gets(f"/v1/rooms/{each.room}/events", limit=1000).body["events"]
        assert {event["type"] for event in told if event["version"] > 6} <= PLAYED
        assert each.together
        assert each.flickers == []
        own = [event for event in told if event["type"] == "selected" and event["by"] == each.player.id]
        assert len(own) == each.asked
        assert each.events == list(range(1, len(each.events) + 1))
        assert set(each.codes) == {LEAVING}
    commands, moved = sum(each.asked for each in everyone), sum(len(each.codes) for each in everyone)
    if count > 20:
        found = f"{count} matches, {commands} commands, {moved} sockets moved, none lost or flagged, nobody seemed away"
        found += f"; left in {max(took):.1f} s"
        results.note("rolling restart", found)


def test_a_leaving_process_is_not_ready_and_finishes_what_runs(start_api: StartApi) -> None:
    """Readiness answers 503 while the sockets are sent away; a stream ends; the exit code is 0."""
    api, door = start_api(drain="1")
    room, (red, _) = seated(door, "turncoat", 2)
    assert door.stranger().gets("/health/ready").status == 200
    with (
        red.follows(room) as one,
        red.follows(room) as other,
        door.http.stream("GET", f"/v1/rooms/{room}/feed") as stream,
    ):
        for feed in (one, other):
            feed.until(lambda frame: frame["type"] == "caught_up")
        api.ask_to_leave()
        deadline = time.monotonic() + 10
        while (ready := door.stranger().gets("/health/ready")).status == 200:
            assert time.monotonic() < deadline
        assert (ready.status, ready.code) == (503, "leaving")
        assert {one.close_code(), other.close_code()} == {LEAVING}
        assert "caught_up" in "".join(stream.iter_text())
    api.stop()
    assert api.exit_code == 0


def test_a_second_signal_is_in_a_hurry(start_api: StartApi) -> None:
    """It doesn't wait until everyone was sent away."""
    api, door = start_api(drain="60")
    room, (red, _) = seated(door, "turncoat", 2)
    with red.follows(room) as feed, red.follows(room):
        feed.until(lambda frame: frame["type"] == "caught_up")
        api.ask_to_leave()
        time.sleep(0.5)
        began = time.monotonic()
        api.stop()
    assert api.exit_code == 0
    assert time.monotonic() - began < 20  # the second socket was to wait for 30 s
