"""A store with rooms of every kind, and the command line over it."""

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from service.__main__ import main
from service.domain.ids import Millis, Player, RoomName
from service.domain.room.model import commands
from service.domain.room.model.settings import OpenRoom, RequestedSettings
from service.programs.store_setup import signer_of
from service.rooms.commands.requests import CommandRequest, with_fingerprint
from service.rooms.service import RoomCore, RoomService
from service.runtime.environment import HashedNames
from service.runtime.settings import Settings
from service.store.redis.store import RedisStore
from tests.e2e.conftest import stack, start_api, start_worker
from tests.e2e.processes import SECRET
from tests.rooms.processes import ANNA, BEN, MARK_KEY, Clock
from tests.store_server import StoreServer, new_server, run_server

__all__ = ["stack", "start_api", "start_worker"]


class VerbResult(NamedTuple):
    """The result of a verb: its exit code and its output lines."""

    code: int
    lines: list[str]
    error: str


Verb = Callable[..., VerbResult]


async def fill_store(url: str) -> None:
    """Fill a store: a running match, a finished one, an unlisted room, and a closed one whose name is used again."""
    store = RedisStore(url, signer=signer_of(Settings(secret=SECRET)))
    clock = Clock()
    rooms = RoomService(RoomCore(store, clock, MARK_KEY), HashedNames())

    async def open_rooms(name: str, game: str, **settings: str) -> None:
        clock.time = Millis(clock.time + 1000)
        await rooms.open(OpenRoom(game, name, settings=RequestedSettings(**settings)), ANNA)  # type: ignore[arg-type]  # plain words

    async def run_command(name: str, by: Player, command: commands.PlayerCommand) -> None:
        await rooms.command(RoomName(name), CommandRequest(command, by, with_fingerprint(f"{command}", command)))

    await open_rooms("running", "turncoat", start="full")
    await run_command("running", BEN, commands.Join())
    await run_command("running", ANNA, commands.Play({"type": "select", "at": "c3"}))
    await open_rooms("finished", "morris", start="full")
    await run_command("finished", BEN, commands.Join())
    await run_command("finished", ANNA, commands.Play({"type": "place", "at": "a1"}))
    await run_command("finished", BEN, commands.Play({"type": "place", "at": "d1"}))
    await run_command("finished", BEN, commands.Resign())
    await open_rooms("hidden-room", "ternio", visibility="unlisted")
    await open_rooms("again", "morris")
    await run_command("again", ANNA, commands.Close())
    await open_rooms("again", "rainbow")
    await rooms.close()
    await store.close()


@pytest.fixture
def full_store(own_server: StoreServer) -> StoreServer:
    """Return a store with five rooms."""
    asyncio.run(fill_store(own_server.url))
    return own_server


@pytest.fixture
def empty_store() -> Iterator[StoreServer]:
    """Return another store, which is empty."""
    with run_server(new_server()) as server:
        yield server


@pytest.fixture
def witness(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of a witness, which verbs use, too."""
    monkeypatch.setenv("TURNSTREAM_WITNESS", str(tmp_path / "witness"))
    return tmp_path / "witness"


@pytest.fixture
def verb(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Verb:
    """Return a function that runs a verb of the command line on a store."""

    def run(store: StoreServer, *arguments: object, secret: str = SECRET) -> VerbResult:
        monkeypatch.setenv("TURNSTREAM_REDIS_URL", store.url)
        monkeypatch.setenv("TURNSTREAM_SECRET", secret)
        capsys.readouterr()
        code = main([str(argument) for argument in arguments])
        said = capsys.readouterr()
        return VerbResult(code, said.out.splitlines(), said.err)

    return run
