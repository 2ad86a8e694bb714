"""Streams other than rooms in imports: each begins with the events that its export has, and ends with the summary."""

from collections.abc import Iterator

import msgspec
from msgspec.structs import replace

from service.domain.accounts.model import AccountSummarised
from service.domain.game import Event
from service.domain.ids import Millis, PlayerId, Version
from service.domain.streams import Record, Summary, UnknownEvent
from service.domain.webhooks.model import WebhooksSummarised
from service.programs.ops.exports.format import Damaged, StreamLine
from service.programs.ops.exports.streams import KINDS
from service.store.codec import decode_event, encode_command
from service.store.contract import NOT_BEGUN, Batch, Conflict, Store
from service.store.stream_keys import KindKey
from service.streams.loaded import LoadedStream
from service.streams.processor import next_due


async def import_stream(store: Store, line: StreamLine) -> bool:
    """Begin a stream from its export; return whether it was written, which is false if the store already has it."""
    stream = LoadedStream(KINDS[line.stream], KindKey(line.stream, line.id))
    records = records_of(line, await store.time())
    history, entries = encode_command(stream.kind, NOT_BEGUN, records)
    for stored in history:
        stream.apply(stored)
    try:
        await store.append(stream.key, NOT_BEGUN, Batch(entries, due=next_due(stream)))
    except Conflict:
        return False
    summary = records[-1].event
    if isinstance(summary, AccountSummarised) and summary.guest_token_replaced:
        await store.admin_store.record_replaced(PlayerId(line.id))
    return True


def records_of(line: StreamLine, now: Millis) -> list[Record]:
    """Return the events of a stream, under new versions. Raises `Damaged` for any that this release cannot read."""
    return [Record(Version(number), time, event) for number, (time, event) in enumerate(events_of(line, now), 1)]


def events_of(line: StreamLine, now: Millis) -> Iterator[tuple[Millis, Event]]:
    """Yield the events of a stream with their times, the summary last if its kind has any. Raises `Damaged`."""
    for past in line.past:
        yield past.time, decoded(line, past.e)
    if line.past and KINDS[line.stream].snapshots is not None:
        return
    summary = decoded(line, line.e)
    if not isinstance(summary, Summary):
        raise Damaged(f"the line of the {line.stream} {line.id} has no summary")
    yield summary.until, renumbered(summary, now)


def decoded(line: StreamLine, event: msgspec.Raw) -> Event:
    """Return an event of a stream. Raises `Damaged`."""
    if line.stream not in KINDS:
        raise Damaged(f"this release does not know the stream {line.stream} {line.id}")
    try:
        return decode_event(KINDS[line.stream], "", line.f, event)
    except (UnknownEvent, msgspec.DecodeError) as fault:
        raise Damaged(f"the {line.stream} {line.id} cannot be read by this release: {fault}") from None


def renumbered(summary: Summary, now: Millis) -> Event:
    """Return a summary of webhooks with the time from which the versions of their owner's events are new ones."""
    if not isinstance(summary, WebhooksSummarised):
        return summary
    return replace(summary, webhooks=tuple(replace(webhook, numbered=now) for webhook in summary.webhooks))
