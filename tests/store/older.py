"""What releases left in their stores, committed for ever: one JSON array a line, a command that writes it again.

`python -m tests.store.older NAME` plays a room of each game with this release and saves the contents of its store.
Bytes are written as Latin-1, so that most of it can be read. A file of a release is never written again.
"""

import asyncio
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from service.domain.catalog import GAMES
from service.domain.room.model import commands
from service.domain.room.model.clock import Fischer
from service.domain.room.model.ids import Millis, RoomName
from service.domain.room.model.opening import OpenRoom
from service.domain.room.model.settings import RequestedSettings
from service.domain.room.model.state import Room
from service.environment import HashedNames
from service.rooms.commands.requests import CommandRequest
from service.rooms.loading.idempotency import with_fingerprint
from service.rooms.player import Player
from service.rooms.service import RoomCore, RoomService
from service.store.redis.store import RedisStore
from service.store.signing import Signer
from tests.rooms.processes import ANNA, BEN, CLARA, MARK_KEY, Clock
from tests.store_server import StoreServer, new_server, run_server

RELEASES = Path(__file__).parent / "releases"
PLAYERS = (ANNA, BEN, CLARA)
SIGNER = Signer((MARK_KEY,))
MATCHES = 3
MOVES = 8


def kept(name: str) -> list[list[bytes]]:
    """Return the commands that write what a release left."""
    lines = (RELEASES / f"{name}.jsonl").read_bytes().splitlines()
    return [[part.encode("latin-1") for part in msgspec.json.decode(line, type=list[str])] for line in lines]


def put_back(name: str, server: StoreServer) -> None:
    """Write what a release left into an empty store."""
    for command in kept(name):
        server.execute(*command)


def dumped(server: StoreServer) -> Iterator[list[bytes]]:
    """Return the commands that recreate a store's contents."""
    for key in sorted(server.execute("KEYS", "*")):
        kind = server.execute("TYPE", key)
        if kind == b"string":
            yield [b"SET", key, server.execute("GET", key)]
        elif kind == b"hash":
            yield [b"HSET", key, *server.execute("HGETALL", key)]
        elif kind == b"zset":
            scores = server.execute("ZRANGE", key, 0, -1, "WITHSCORES")
            yield [b"ZADD", key, *(part for pair in zip(scores[1::2], scores[::2], strict=True) for part in pair)]
        elif kind == b"stream":
            for entry_id, fields in server.execute("XRANGE", key, "-", "+"):
                yield [b"XADD", key, entry_id, *fields]


async def played(url: str) -> None:
    """Play a room of each game, each in its third match, and one more room that is closed."""
    store, clock = RedisStore(url, signer=SIGNER), Clock()
    rooms = RoomService(RoomCore(store, clock, MARK_KEY), HashedNames())
    for game in GAMES:
        await rooms.open(opening(game, game), ANNA, with_fingerprint(f"opening-{game}", game))
        await through(rooms, clock, RoomName(game))
        await does(rooms, RoomName(game), ANNA, commands.OfferDraw())
    await rooms.open(opening("shut", "morris"), ANNA)
    await does(rooms, RoomName("shut"), BEN, commands.Join(), commands.Resign(), commands.Leave())
    await does(rooms, RoomName("shut"), ANNA, commands.Close())
    await rooms.close()
    await store.close()


def opening(name: str, game: str) -> OpenRoom:
    """Return what opens a room."""
    clock = Fischer(Millis(600_000), Millis(1000))
    settings = RequestedSettings(start="full", restart=0, seats_next="rotate", clock=clock)
    return OpenRoom(game, name, settings=settings)


async def does(rooms: RoomService, name: RoomName, by: Player, *steps: commands.PlayerCommand) -> None:
    """Put commands to a room, each with a key."""
    for command in steps:
        version = (await rooms.named(name)).head.version
        await rooms.command(name, CommandRequest(command, by, with_fingerprint(f"key-{version}", command)))


async def through(rooms: RoomService, clock: Clock, name: RoomName) -> None:
    """Play some moves of each match; all but the last end by resigning."""
    live, dice = await rooms.named(name), random.Random(name)  # noqa: S311 - seeded play
    for player in PLAYERS[1 : len(live.room.table.seats)]:
        await does(rooms, name, player, commands.Join())
    for number in range(1, MATCHES + 1):
        for _ in range(MOVES):
            if live.room.playing and live.room.table.matches == number:
                clock.time = Millis(clock.time + 1500)
                await moves(rooms, live.room, dice)
        while number < MATCHES and live.room.playing and live.room.table.matches == number:
            dropped = live.room.playing.dropped
            seat = next(seat for seat in range(3) if seat not in dropped)
            await does(rooms, name, holder(live.room, seat), commands.Resign())


async def moves(rooms: RoomService, room: Room, dice: random.Random) -> None:
    """Let a seat that is awaited move."""
    match = room.playing
    assert match is not None
    seat = dice.choice(room.game.to_move(match.state))
    move = dice.choice(list(room.game.legal_moves(match.state, seat)))
    play: dict[str, Any] = msgspec.to_builtins(move)
    await does(rooms, room.table.key.name, holder(room, seat), commands.Play(play))


def holder(room: Room, seat: int) -> Player:
    """Return who holds a seat."""
    return next(player for player in PLAYERS if player.id == room.table.seats[seat])


def main(name: str) -> None:
    """Play, and write the store's contents to a file."""
    with run_server(new_server()) as server:
        asyncio.run(played(server.url))
        lines = [msgspec.json.encode([part.decode("latin-1") for part in command]) for command in dumped(server)]
    with (RELEASES / f"{name}.jsonl").open("xb") as file:
        file.writelines(line + b"\n" for line in lines)


if __name__ == "__main__":
    main(sys.argv[1])
