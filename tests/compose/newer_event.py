"""Append an event of a later release to a room, or take it away; runs in containers, too, which have no tests."""

import os
import sys
from collections.abc import Callable
from typing import Any

import msgspec
from redis import Redis

from service.domain.ids import Version
from service.programs.store_setup import signer_of
from service.rooms.kind import ROOM_EVENTS
from service.runtime.settings import read
from service.store.codec import chain_digest
from service.store.contract import Head
from service.store.redis.append import pack_head, unpack_head
from service.store.redis.keys import Keys
from service.store.signing import COMMAND, Signer
from service.store.stream_keys import room_of

Execute = Callable[..., Any]
"""Sends a command to the store, and returns its reply."""


def append(execute: Execute, signer: Signer, key: bytes) -> Head:
    """Append the event to the room with this key of its head, and return the head after it."""
    head = unpack_head(execute("GET", key))
    data = msgspec.json.encode([ROOM_EVENTS.format + 1, 1_700_000_000_000, 0, 1, 1, None, None, None, {"type": "sang"}])
    after = Head(Version(head.version + 1), chain_digest(head.digest, data))
    mac = signer.sign(COMMAND, room_of(key.split(b":", 2)[2]), after.version, after.digest)
    execute("XADD", stream_of(key), f"{after.version}-0", "e", data, "d", after.digest, "m", mac)
    execute("SET", key, pack_head(after))
    return after


def take_away(execute: Execute, key: bytes) -> None:
    """Delete the latest event of the room with this key of its head."""
    stream = stream_of(key)
    [(latest, _), (before, fields)] = execute("XREVRANGE", stream, "+", "-", "COUNT", 2)
    execute("XDEL", stream, latest)
    execute("SET", key, pack_head(Head(Version(int(before.partition(b"-")[0])), fields[b"d"])))


def stream_of(key: bytes) -> bytes:
    """Return the key of the events of the room with this key of its head."""
    return key.replace(b":head:", b":room:")


def main(action: str, room: str, epoch: str) -> None:
    """Do it with the settings of the environment."""
    settings = read(os.environ)
    key = b"%b:head:%b:%b" % (Keys(settings.partitions).partition_of(room).tag, room.encode(), epoch.encode())
    execute = Redis.from_url(settings.store_url).execute_command
    append(execute, signer_of(settings), key) if action == "append" else take_away(execute, key)


if __name__ == "__main__":
    main(*sys.argv[1:])
