"""Rooms that early releases left in their stores, committed for ever: one JSON array a line, a command that writes it.

Bytes are written as Latin-1, so that most of it can be read. `tests/releases` records later releases, with every kind.
"""

from pathlib import Path

import msgspec

from service.domain.ids import Player, RoomName
from service.domain.room.model import commands
from service.domain.room.model.state import Room
from service.rooms.commands.requests import CommandRequest, with_fingerprint
from service.rooms.service import RoomService
from service.store.signing import Signer
from tests.rooms.processes import ANNA, BEN, CLARA, MARK_KEY
from tests.store_server import StoreServer

RELEASES = Path(__file__).parent / "releases"
PLAYERS = (ANNA, BEN, CLARA)
SIGNER = Signer((MARK_KEY,))


def kept(name: str) -> list[list[bytes]]:
    """Return the commands that write what a release left."""
    lines = (RELEASES / f"{name}.jsonl").read_bytes().splitlines()
    return [[part.encode("latin-1") for part in msgspec.json.decode(line, type=list[str])] for line in lines]


def put_back(name: str, server: StoreServer) -> None:
    """Write what a release left into an empty store."""
    for command in kept(name):
        server.execute(*command)


async def does(rooms: RoomService, name: RoomName, by: Player, *steps: commands.PlayerCommand) -> None:
    """Put commands to a room, each with a key."""
    for command in steps:
        version = (await rooms.named(name)).head.version
        await rooms.command(name, CommandRequest(command, by, with_fingerprint(f"key-{version}", command)))


def holder(room: Room, seat: int) -> Player:
    """Return who holds a seat."""
    return next(player for player in PLAYERS if player.id == room.table.seats[seat])
