"""Streams other than rooms, as operators' verbs see them: each is read completely and checked on the way."""

from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from typing import Any

import msgspec

from service.domain.accounts.kind import ACCOUNTS
from service.domain.bot_list import BOT_LIST
from service.domain.challenges.kind import CHALLENGES
from service.domain.ids import Version
from service.domain.players.kind import PLAYERS
from service.domain.ratings.kind import RATINGS
from service.domain.room.model.review import REVIEWS
from service.domain.seeks.kind import SEEKS
from service.domain.streams import Record, StreamKind, Summary, UnknownEvent
from service.domain.tournaments.kind import TOURNAMENTS
from service.domain.tournaments.listing import TOURNAMENT_LIST
from service.domain.webhooks.kind import WEBHOOKS
from service.programs.ops.exports.format import Damaged
from service.programs.ops.exports.room_iteration import has_more_after, head_of
from service.store import stream_keys
from service.store.codec import decode
from service.store.contract import NOT_BEGUN, Entry, Head, Store, StoreDamaged, Trimmed, every
from service.store.integrity import BrokenHistory, HistoryCheck, is_signed
from service.store.stream_keys import KindKey
from service.streams.loaded import LoadedStream

ACCOUNT, BOTS, CHALLENGE, SEEK = "account", "bots", "challenges", "seeks"

KINDS: Mapping[str, StreamKind[Any]] = {
    ACCOUNT: ACCOUNTS,
    BOTS: BOT_LIST,
    CHALLENGE: CHALLENGES,
    stream_keys.PLAYER: PLAYERS,
    stream_keys.RATINGS: RATINGS,
    SEEK: SEEKS,
    stream_keys.REVIEWS: REVIEWS,
    stream_keys.TOURNAMENT_LIST: TOURNAMENT_LIST,
    stream_keys.TOURNAMENTS: TOURNAMENTS,
    stream_keys.WEBHOOKS: WEBHOOKS,
}
"""Every kind of stream except rooms, by the kind in its streams' keys.

Exports read them in this order: the list of tournaments before these, so that it is never ahead of them.
"""

TRIES = 8
"""The number of attempts to read a stream that is trimmed meanwhile."""


class CheckedStream(msgspec.Struct, frozen=True):
    """A stream without errors."""

    stream: LoadedStream[Any]
    records: tuple[Record, ...]
    """All events that it has, from its oldest summary on if it was trimmed."""


def stream_name(key: KindKey) -> str:
    """Return the name of a stream in reports."""
    return f"{key.kind} {key.id}".strip()


async def every_stream(store: Store, kind: str) -> list[KindKey]:
    """Return each stream of a kind once. Raises `StoreUnavailable`."""
    return sorted(await every(partial(store.admin_store.streams, kind)), key=lambda key: key.id)


async def check_stream(store: Store, key: KindKey) -> CheckedStream:
    """Check a stream: versions, the chain of digests up to its head, every MAC, and its fold. Raises `Damaged`."""
    try:
        head, entries = await read_stream(store, key)
        base = check_base(store, key, entries[0])
        check = HistoryCheck(store.signer, key, base)
        kept = entries if base == NOT_BEGUN else entries[1:]
        check.add(kept)
        check.end()
        is_longer = await has_more_after(store, key, head)
    except BrokenHistory as broken:
        raise Damaged(str(broken)) from None
    except (ValueError, IndexError, StoreDamaged) as fault:
        raise Damaged(f"its events cannot be read: {fault}") from None
    if check.head != head or is_longer:
        raise Damaged(f"the head does not match the last event, version {check.head.version}")
    stream = LoadedStream(KINDS[key.kind], key)
    records = tuple([fold_entry(stream, entry) for entry in kept])
    if base != NOT_BEGUN and not (records and isinstance(records[0].event, Summary)):
        raise Damaged(f"no summary follows version {base.version}, so events before it are missing")
    return CheckedStream(stream, records)


async def read_stream(store: Store, key: KindKey) -> tuple[Head, list[Entry]]:
    """Return the head of a stream and all entries up to it. Raises `Damaged` if there are none."""
    for _ in range(TRIES):
        head, oldest = await head_of(store, key), await store.first_version(key)
        if oldest is not None and oldest <= head.version:
            with suppress(Trimmed):  # after the oldest version was read
                return head, await store.read(key, Version(oldest - 1), head.version - oldest + 1)
    raise Damaged("its events are missing")


def check_base(store: Store, key: KindKey, oldest: Entry) -> Head:
    """Return the head after which a stream begins, `NOT_BEGUN` for one that was never trimmed.

    Of the oldest entry of a trimmed stream only the digest counts. Raises `BrokenHistory` if it has a wrong MAC.
    """
    if oldest.version == 1:
        return NOT_BEGUN
    is_signed(store.signer, key, oldest)
    return Head(oldest.version, oldest.digest)


def fold_entry(stream: LoadedStream[Any], entry: Entry) -> Record:
    """Fold an entry into its stream, and return its record. Raises `Damaged`."""
    try:
        stored = decode(stream.kind, "", entry)
        stream.apply(stored)
    except UnknownEvent as unknown:
        raise Damaged(f"version {entry.version} cannot be read by this release: {unknown}") from None
    except (LookupError, ValueError, NotImplementedError) as fault:
        raise Damaged(f"version {entry.version} cannot be folded: {fault!r}") from None
    record: Record = stored.recorded
    return record
