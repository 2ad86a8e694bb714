"""A replica takes over, or servers change roles: every room goes on within seconds, with both acknowledgements."""

import asyncio
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from pathlib import Path

import pytest

from service.standalone.server_binary import server_binary
from tests.e2e.bot_rooms import check, history, moment, open_rooms
from tests.e2e.client import PATIENCE, Door, door_to
from tests.e2e.faults import FaultyLine
from tests.e2e.processes import ApiProcess, ServiceProcess, started
from tests.store_server import ProgramServer, free_port, running

SETTINGS = ("--repl-diskless-sync-delay", "0")
"""As docs/operating.md advises; by default a server lets a new replica wait for 5 s."""
ROOMS = 20
BEHIND = 1.0
"""Seconds by which the replica is behind when its primary dies."""
AWAY = 4.0
"""Seconds without a server that writes."""
WITHIN = 5.0
"""Seconds within which each room has to go on: measured are 0.2 to 1.1 s."""


class Servers:
    """A primary, the one that takes over from it, and a third one."""

    def __init__(self, primary: ProgramServer, heir: ProgramServer, third: ProgramServer, heir_port: int) -> None:
        self.primary, self.heir, self.third = primary, heir, third
        self._port = heir_port

    def detach(self) -> None:
        """Let the heir get nothing more from its primary."""
        self.heir.order("REPLICAOF", "127.0.0.1", free_port())

    def promote(self) -> None:
        """Let the heir take over, and the third one follow it."""
        self.heir.order("REPLICAOF", "NO", "ONE")
        self.third.order("REPLICAOF", "127.0.0.1", self._port)

    def demote(self) -> None:
        """Let the primary follow the heir."""
        self.primary.order("REPLICAOF", "127.0.0.1", self._port)


@pytest.fixture
def servers() -> Iterator[Servers]:
    """Run a server with two replicas that have caught up."""
    if server_binary() is None:
        pytest.skip("no server program on this machine")
    first, second = free_port(), free_port()
    follows = ("--replicaof", "127.0.0.1", str(first))
    with (
        running(ProgramServer(*SETTINGS, "--port", str(first))) as primary,
        running(ProgramServer(*SETTINGS, "--port", str(second), *follows)) as heir,
        running(ProgramServer(*SETTINGS, *follows)) as third,
    ):
        deadline = time.monotonic() + 30
        while not all(b"master_link_status:up" in replica.order("INFO", "replication") for replica in (heir, third)):
            assert time.monotonic() < deadline
            time.sleep(0.05)
        yield Servers(primary, heir, third, second)
        third.resume()


class Playing:
    """Rooms of bots over a line that can lead to another server."""

    def __init__(self, line: FaultyLine, door: Door, names: Sequence[str]) -> None:
        self.line, self.door, self._names = line, door, names

    async def go_on(self, since: float) -> list[float]:
        """Wait until each room has gone on since a moment, and return after how many seconds each did."""
        return await asyncio.gather(*(asyncio.to_thread(went_on_at, self.door, name, since) for name in self._names))

    async def go_on_with(self, heir: ProgramServer) -> None:
        """Lead to another server, and check that every room goes on in time and without a fault."""
        self.line.lead_to(heir.url)
        late = await self.go_on(time.time())
        assert max(late) < WITHIN, sorted(late)
        for name in self._names:
            check(await asyncio.to_thread(history, self.door, name))


@contextmanager
def service(url: str, folder: Path, **settings: str) -> Iterator[Door]:
    """Run an API and two workers."""
    api = ApiProcess(url, folder / "log", **settings)
    workers = [ServiceProcess("service worker", url, folder / "log", thinkers="1", **settings) for _ in range(2)]
    with started(api, *workers), door_to(api.url) as door:
        yield door


@asynccontextmanager
async def playing(servers: Servers, folder: Path, **settings: str) -> AsyncIterator[Playing]:
    """Run rooms of bots, each of which has begun."""
    async with AsyncExitStack() as stack:
        line = await stack.enter_async_context(FaultyLine(servers.primary.url).listening())
        settings |= {"witness": str(folder / "witness")}
        running = service(line.url, folder, **settings)
        door = await asyncio.to_thread(running.__enter__)
        stack.push_async_callback(asyncio.to_thread, running.__exit__, None, None, None)
        names = await asyncio.to_thread(open_rooms, door, ROOMS, bot_pause=200, restart=500)
        bots = Playing(line, door, names)
        await bots.go_on(time.time())
        yield bots


def went_on_at(door: Door, room: str, since: float) -> float:
    """Wait until something has happened in a room since a moment, and return after how many seconds that was."""
    deadline = time.monotonic() + 2 * PATIENCE
    while True:
        answer = door.stranger().gets(f"/v1/rooms/{room}/events", limit=1000)
        news = [moment(event) for event in answer.body.get("events", ()) if moment(event) > since]
        if news:
            return news[0] - since
        assert time.monotonic() < deadline, answer.body
        time.sleep(0.05)


@pytest.mark.parametrize("acknowledge", ["local", "replicated"])
async def test_every_room_goes_on_when_a_replica_takes_over(servers: Servers, tmp_path: Path, acknowledge: str) -> None:
    """The end of each history is lost, since the replica was behind; nothing is refused for that."""
    async with playing(servers, tmp_path, acknowledge=acknowledge) as bots:
        servers.detach()
        await asyncio.sleep(BEHIND)
        servers.primary.kill()
        await asyncio.sleep(AWAY)
        await asyncio.to_thread(servers.promote)
        await bots.go_on_with(servers.heir)
    assert "store_lost_its_last_moments" in (tmp_path / "log").read_text()


async def test_every_room_goes_on_when_servers_change_their_roles(servers: Servers, tmp_path: Path) -> None:
    """Commands that wait for a replica at that moment are in doubt, and none of that is a fault of ours."""
    async with playing(servers, tmp_path, acknowledge="replicated", replicas="2") as bots:
        servers.third.pause()
        await until_blocked(servers.primary)
        await asyncio.to_thread(servers.demote)
        servers.third.resume()
        await asyncio.sleep(AWAY)
        await asyncio.to_thread(servers.promote)
        await bots.go_on_with(servers.heir)
    assert "Traceback" not in (tmp_path / "log").read_text()


async def until_blocked(server: ProgramServer) -> None:
    """Wait until somebody waits for a replica."""
    while b"blocked_clients:0" in server.order("INFO", "clients"):  # noqa: ASYNC110 - the server sets no event here
        await asyncio.sleep(0.01)
