"""The keys and arguments of the append script, which documents them."""

from msgspec import UNSET

from service.domain.ids import PlayerId, RoomKey, Version
from service.store.contract import NOT_BEGUN, Batch, Head, place_in_lobby
from service.store.integrity import sign_match
from service.store.redis.client.cluster import ScriptCall
from service.store.redis.keys import Keys
from service.store.redis.scripts import APPEND
from service.store.signing import COMMAND, Signer
from service.store.stream_keys import PLAYER, StreamKey, member, webhooks_key


def append_call(keys: Keys, publish: bytes, key: StreamKey) -> ScriptCall:
    """Return what is the same in every append to a stream: the keys and the first arguments."""
    partition = keys.partition_of(key.name)
    own = (keys.stream(key), keys.head(key), keys.of("name", key.name))
    wakes = webhooks_key(PlayerId(key.id)) if key.kind == PLAYER else None
    all_keys = (
        *own,
        keys.due_set(key),
        partition.lobby,
        partition.lobby_entries,
        keys.at("matches", key),
        partition.closed,
        partition.appended,
        partition.outbox,
        partition.due,
        keys.due_set(wakes) if wakes else partition.read,
    )
    epoch = key.epoch.encode() if isinstance(key, RoomKey) else b""
    same = (publish, member(key), epoch, member(wakes) if wakes else b"")
    return ScriptCall(partition, APPEND, all_keys, same)


def variable_parts(key: StreamKey, after: Head, batch: Batch, signer: Signer) -> list[bytes]:
    """Return the other arguments, with the MAC of the last entry. Raises `ValueError` for a gap, which is a bug."""
    entries, mac = batch.entries, b""
    if entries:
        mac = signer.sign(COMMAND, key, entries[-1].version, entries[-1].digest)
    parts = [pack_head(after), mac, b"%d" % len(entries)]
    for version, entry in enumerate(entries, after.version + 1):
        if entry.version != version:
            raise ValueError(f"version {entry.version} does not follow {version - 1}")
        parts += (b"%d" % version, entry.data, entry.digest)
    read_at = b"%d" % batch.read_at if batch.read_at else b""
    changes = batch.name or batch.matches or batch.wakes or batch.read_until
    if changes or batch.due is not UNSET or batch.lobby is not UNSET:
        wakes = b"%d" % (batch.wakes or batch.read_until) if batch.wakes or batch.read_until else b""
        parts += (batch.outbox, read_at, due_argument(batch), wakes, batch.name.encode(), *lobby_arguments(key, batch))
        for number, data in batch.matches:
            parts += (b"%d" % number, sign_match(signer, room_key(key), number, data))
    elif batch.outbox:  # all that nearly every move has
        parts += (batch.outbox, read_at)
    return parts


def pack_head(head: Head) -> bytes:
    """Return the stored form of a head: `<version> <digest>`, empty for a stream without entries."""
    return b"%d %b" % (head.version, head.digest) if head.version or head.digest else b""


def unpack_head(packed: bytes) -> Head:
    """Return a head from its stored form. For a damaged one the version is -1, which no stream has."""
    if not packed:
        return NOT_BEGUN
    version, _, digest = packed.partition(b" ")
    return Head(Version(int(version) if version.isdigit() else -1), digest)


def due_argument(batch: Batch) -> bytes:
    """Return the argument for the due set."""
    if batch.due is UNSET:
        return b""
    return b"none" if batch.due is None else b"%d" % batch.due


def lobby_arguments(key: StreamKey, batch: Batch) -> tuple[bytes, bytes]:
    """Return the arguments for the lobby: when the room was opened, and its entry."""
    if batch.lobby is UNSET:
        return b"", b""
    if batch.lobby is None:
        return b"none", b""
    return place_in_lobby(batch.lobby.opened, room_key(key))[:16], batch.lobby.data


def room_key(key: StreamKey) -> RoomKey:
    """Return a key that must be a room's. Raises `TypeError` for a projection that only rooms have."""
    if not isinstance(key, RoomKey):
        raise TypeError(f"{key} is not a room: it has neither a lobby entry nor matches")
    return key
