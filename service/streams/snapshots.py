"""Snapshots of streams that keep all of their events: the state at a version, with a MAC.

    <format> <fingerprint of the stored types> <time> <first version with a MAC> <digest> <MAC> <the state as JSON>

A snapshot of another format, of other types, with an unknown key, or of another history is ignored. One whose MAC does
not match was changed: it is deleted, counted and logged, and ignored as well. Then an earlier snapshot is used, or the
state is folded from the first event.
"""

import hashlib
from contextlib import suppress
from functools import cache
from typing import Any

import msgspec
import structlog
from msgspec import inspect

from service.domain.ids import Millis, Version
from service.domain.streams import State, StreamKind
from service.runtime import metrics
from service.store.contract import Head, Snapshot, Store, StoreUnavailable, Trimmed
from service.store.signing import IDEMPOTENCY, SNAPSHOT, Signer
from service.store.stream_keys import StreamKey
from service.streams.loaded import IdempotencyRecords, LoadedStream

log = structlog.get_logger()

FORMAT = b"4"
"""Raise this when the fold of the same events gives another state, or other idempotency records."""


class BadSnapshot(Exception):  # noqa: N818 - what was found
    """A snapshot that was changed, or not written by this installation. The message says what is wrong with it."""


def pack(signer: Signer, stream: LoadedStream[Any]) -> Snapshot:
    """Return the snapshot of a stream as it is now; only one with idempotency records can be used to load it."""
    form, head = stream.kind.snapshots, stream.head
    if form is None:
        raise TypeError(f"{stream.key} has no snapshots")
    stored = form.pack(stream.state)
    types = fingerprint(form.stored, *form.parts(stored))
    opening = b"%b %b %d %d" % (FORMAT, types, stream.time, stream.signed or 0)
    body = msgspec.json.encode(stored)
    mac = signer.sign(SNAPSHOT, stream.key, head.version, opening, head.digest, body)
    data = b"%b %b %b %b" % (opening, head.digest.hex().encode(), mac.hex().encode(), body)
    return Snapshot(head.version, data, pack_records(signer, stream.key, head, stream.idempotency))


def pack_records(signer: Signer, key: StreamKey, head: Head, idempotency: IdempotencyRecords | None) -> bytes:
    """Return idempotency records in their stored form, b"" for None."""
    if idempotency is None:
        return b""
    saved = idempotency.saved()
    mac = signer.sign(IDEMPOTENCY, key, head.version, FORMAT, head.digest, saved)
    return b"%b %b %b" % (FORMAT, mac.hex().encode(), saved)


def unpack(signer: Signer, kind: StreamKind[State], key: StreamKey, snapshot: Snapshot) -> LoadedStream[State] | None:
    """Return a stream as a snapshot has it, None if it is not one of this release. Raises `BadSnapshot`."""
    form, version, parts = kind.snapshots, snapshot.version, snapshot.data.split(b" ", 6)
    if form is None or len(parts) < 7 or parts[0] != FORMAT:
        return None
    opening, (time, signed, body) = b" ".join(parts[:4]), (parts[2], parts[3], parts[6])
    try:
        digest, mac = (bytes.fromhex(part.decode()) for part in parts[4:6])
    except ValueError as fault:
        raise BadSnapshot(f"it cannot be read: {fault}") from None
    fits = signer.check(mac, SNAPSHOT, key, version, opening, digest, body)
    if fits is False:
        raise BadSnapshot("its MAC does not match")
    if fits is None and (mac or signer.signs):
        return None
    try:
        stored = msgspec.json.decode(body, type=form.stored)
        if parts[1] != fingerprint(form.stored, *form.parts(stored)):
            return None
    except (msgspec.ValidationError, LookupError):  # of other types
        return None
    stream = LoadedStream(kind, key)
    stream.state, stream.head, stream.snapshot = form.unpack(stored), Head(version, digest), version
    stream.time, stream.signed = Millis(int(time)), Version(int(signed)) or None
    if stream.idempotency is not None:
        stream.idempotency = unpack_records(signer, key, stream.head, snapshot.idempotency)
    return stream


def unpack_records(signer: Signer, key: StreamKey, head: Head, kept: bytes) -> IdempotencyRecords | None:
    """Return the idempotency records of a snapshot, None if it has none. Raises `BadSnapshot`."""
    if not kept:
        return None
    try:
        form, mac, saved = kept.split(b" ", 2)
        fits = signer.check(bytes.fromhex(mac.decode()), IDEMPOTENCY, key, head.version, form, head.digest, saved)
    except ValueError as fault:
        raise BadSnapshot(f"its idempotency records cannot be read: {fault}") from None
    if fits is False or (fits is None and signer.signs):
        raise BadSnapshot("the MAC of its idempotency records does not match")
    return IdempotencyRecords(saved)


async def save(store: Store, stream: LoadedStream[Any], snapshot: Snapshot) -> None:
    """Store a snapshot, and delete earlier ones if they are not kept. Raises `StoreUnavailable`."""
    await store.save_snapshot(stream.key, snapshot)
    if stream.kind.snapshots is None or stream.kind.snapshots.keeps_earlier:
        return
    while (earlier := await store.snapshot(stream.key, Version(snapshot.version - 1))) is not None:
        await store.drop_snapshot(stream.key, earlier.version)


async def newest(
    store: Store, kind: StreamKind[State], key: StreamKey, at: Version | None = None
) -> LoadedStream[State] | None:
    """Return a stream as its newest valid snapshot has it (up to a version), and delete bad ones."""
    while kind.snapshots is not None and (snapshot := await store.snapshot(key, at)) is not None:
        try:
            stream = unpack(store.signer, kind, key, snapshot)
            if stream is not None and await is_of_history(store, stream):
                return stream
        except BadSnapshot as bad:
            await drop(store, key, snapshot.version, bad)
        at = Version(snapshot.version - 1)
    return None


async def is_of_history(store: Store, stream: LoadedStream[Any]) -> bool:
    """Return whether a stream has this head in its history, as far as it was not trimmed."""
    try:
        found = await store.read(stream.key, Version(stream.head.version - 1), 1)
    except Trimmed:
        return True
    return bool(found) and found[0].digest == stream.head.digest


async def drop(store: Store, key: StreamKey, version: Version, bad: BadSnapshot) -> None:
    """Delete a bad snapshot, count it, and log the reason; if the store cannot delete it now, it is only ignored."""
    metrics.BAD_SNAPSHOTS.inc()
    log.error("snapshot_dropped", stream=key.label, version=version, why=str(bad))
    with suppress(StoreUnavailable):
        await store.drop_snapshot(key, version)


async def drop_bad(store: Store, kind: StreamKind[Any], key: StreamKey) -> None:
    """Delete all bad snapshots of a stream."""
    at: Version | None = None
    while (snapshot := await store.snapshot(key, at)) is not None:
        try:
            unpack(store.signer, kind, key, snapshot)
        except BadSnapshot as bad:
            await drop(store, key, snapshot.version, bad)
        at = Version(snapshot.version - 1)


FINGERPRINT_BYTES = 8


@cache
def fingerprint(*parts: Any) -> bytes:
    """Return a short hash, in hex, of how msgspec encodes types with all types that they contain, and of texts."""
    described = [each if isinstance(each, str) else description(inspect.type_info(each)) for each in parts]
    canonical = msgspec.json.encode(described)
    return hashlib.blake2b(canonical, digest_size=FINGERPRINT_BYTES).hexdigest().encode()


def description(kind: Any) -> Any:
    """Return a type as plain data: the name, tag and fields of a struct, the kind and parts of any other type.

    Defaults and bounds are left out: every field is written, and values that were written are within their bounds.
    """
    if isinstance(kind, inspect.StructType):
        fields = [[field.encode_name, description(field.type)] for field in kind.fields]
        return ["struct", kind.cls.__name__, kind.tag_field, kind.tag, kind.array_like, fields]
    if isinstance(kind, inspect.Metadata):
        return description(kind.type)
    parts = {name: part(getattr(kind, name)) for name in kind.__struct_fields__ if name in PARTS}
    return [type(kind).__name__, parts]


PARTS = frozenset({"types", "item_type", "item_types", "key_type", "value_type", "values", "cls", "fields"})
"""What distinguishes two types of the same kind."""


def part(value: Any) -> Any:
    """Return a part of a type as plain data."""
    if isinstance(value, inspect.Type):
        return description(value)
    if isinstance(value, tuple | list):
        return [part(each) for each in value]
    if isinstance(value, inspect.Field):
        return [value.encode_name, description(value.type)]
    return getattr(value, "__name__", value)
