"""What the append script is told, as it says itself on top: what it is told of a room every time, and what changes."""

from msgspec import UNSET

from service.domain.room.model.ids import RoomKey
from service.store.contract import Batch, Head
from service.store.integrity import sign_match
from service.store.lobby_order import place_in_lobby
from service.store.redis.keys import Keys, PartitionKeys, member
from service.store.signing import Signer
from service.store.stream_head import mac_of, pack_head, refuse_gap


def same_parts(keys: Keys, publish: bytes, key: RoomKey) -> tuple[PartitionKeys, tuple[bytes, ...], tuple[bytes, ...]]:
    """Return a room's partition, and what is the same in every append: the keys and the first arguments."""
    home = keys.home(key.name)
    own = (keys.stream(key), keys.head(key), keys.name(key.name))
    all_keys = (*own, home.due, home.lobby, home.cards, keys.matches(key), home.closed, home.appended)
    return home, all_keys, (publish, member(key), key.epoch.encode())


def changing_parts(key: RoomKey, after: Head, batch: Batch, signer: Signer, *, claims: bool) -> list[bytes]:
    """Return the other arguments. Raises `ValueError` for versions that don't run on from `after`."""
    refuse_gap(after, batch.entries)
    parts = [pack_head(after), mac_of(signer, key, batch.entries), b"%d" % len(batch.entries)]
    for entry in batch.entries:
        parts += (b"%d" % entry.version, entry.data, entry.digest)
    name = b"claim" if claims else b"free" if batch.closes else b""
    if name or batch.matches or batch.due is not UNSET or batch.lobby is not UNSET:
        parts += (name, due_argument(batch), *lobby_arguments(key, batch))
        for number, data in batch.matches:
            parts += (b"%d" % number, sign_match(signer, key, number, data))
    return parts


def due_argument(batch: Batch) -> bytes:
    """Return what the append script is told about the due set."""
    if batch.due is UNSET:
        return b""
    return b"none" if batch.due is None else b"%d" % batch.due


def lobby_arguments(key: RoomKey, batch: Batch) -> tuple[bytes, bytes]:
    """Return what the append script is told about the lobby: when the room opened, and its card."""
    if batch.lobby is UNSET:
        return b"", b""
    if batch.lobby is None:
        return b"none", b""
    return place_in_lobby(batch.lobby.opened, key)[:16], batch.lobby.data
