"""Snapshots of streams that keep all of their events: the state at a version, with a MAC.

    <format> <fingerprint of the stored type> <time> <digest> <MAC> <the state as JSON>

A snapshot of another format or type, with an unknown key, or of another history is ignored, and one whose MAC does not
match is deleted: the state is folded from the first event, and the next snapshot replaces it.
"""

import msgspec
import structlog

from service.domain.room.model.ids import Millis, Version
from service.domain.streams import State
from service.rooms.loading.type_fingerprints import fingerprint
from service.store.contract import Head, Snapshot, Store
from service.store.signing import SNAPSHOT
from service.streams.loaded import LoadedStream

log = structlog.get_logger()

FORMAT = b"2"
"""Raise this when the fold of the same events gives another state."""

SNAPSHOT_EVERY = 256
"""After how many events a snapshot is stored; with a larger state, after as many events as it has items."""


def wants_snapshot(stream: LoadedStream[State]) -> bool:
    """Return whether enough events follow the latest snapshot for another one to be worth its cost."""
    form = stream.kind.snapshots
    return form is not None and stream.head.version - stream.snapshot >= max(SNAPSHOT_EVERY, form.size(stream.state))


async def save(store: Store, stream: LoadedStream[State]) -> None:
    """Store a snapshot, and delete earlier ones, no matter which process stored them. Raises `StoreUnavailable`."""
    form, head = stream.kind.snapshots, stream.head
    if form is None:
        raise TypeError(f"streams of the kind {stream.key.kind} have no snapshots")
    stream.snapshot = head.version
    opening = b"%b %b %d" % (FORMAT, fingerprint(form.stored), stream.time)
    body = msgspec.json.encode(form.pack(stream.state))
    mac = store.signer.sign(SNAPSHOT, stream.key, head.version, opening, head.digest, body)
    data = b"%b %b %b %b" % (opening, head.digest.hex().encode(), mac.hex().encode(), body)
    await store.save_snapshot(stream.key, Snapshot(head.version, data))
    while (earlier := await store.snapshot(stream.key, Version(head.version - 1))) is not None:
        await store.drop_snapshot(stream.key, earlier.version)


async def restore(store: Store, stream: LoadedStream[State]) -> None:
    """Let a stream that was not read yet begin at its latest snapshot, if there is one. Raises `StoreUnavailable`."""
    form, snapshot = stream.kind.snapshots, await store.snapshot(stream.key)
    if form is None or snapshot is None:
        return
    stream.snapshot = snapshot.version
    kept, opening, digest, mac, body = parts(snapshot.data)
    head = Head(snapshot.version, digest)
    if kept != (FORMAT, fingerprint(form.stored)):
        return
    fits = store.signer.check(mac, SNAPSHOT, stream.key, head.version, opening, digest, body)
    if fits is False:
        log.error("snapshot_dropped", stream=stream.key.name, version=head.version)
        await store.drop_snapshot(stream.key, head.version)
    if (fits is None and store.signer.signs) or fits is False or not await is_of(store, stream, head):
        return
    stream.state = form.unpack(msgspec.json.decode(body, type=form.stored))
    stream.head, stream.time = head, Millis(int(opening.split(b" ")[2]))


def parts(data: bytes) -> tuple[tuple[bytes, bytes], bytes, bytes, bytes, bytes]:
    """Return the parts of a snapshot: its format and fingerprint, its opening, digest, MAC and body."""
    form, types, time, digest, mac, body = (*data.split(b" ", 5), b"", b"", b"", b"", b"", b"")[:6]
    try:
        return (form, types), b" ".join((form, types, time)), unhex(digest), unhex(mac), body
    except ValueError:
        return (b"", b""), b"", b"", b"", b""


def unhex(text: bytes) -> bytes:
    """Return the bytes of a hexadecimal text. Raises `ValueError`."""
    return bytes.fromhex(text.decode())


async def is_of(store: Store, stream: LoadedStream[State], head: Head) -> bool:
    """Return whether a stream has this head in its history."""
    found = await store.read(stream.key, Version(head.version - 1), 1)
    return bool(found) and found[0].digest == head.digest
