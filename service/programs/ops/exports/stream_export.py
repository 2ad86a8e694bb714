"""Streams other than rooms in exports: by their state, players' own feeds and some other kinds with their events.

All begin again at version 1 after an import. So data about versions is left out or changed: the latest deliveries
that players remember, because no delivery is repeated after an import, and the progress of webhooks.
"""

from collections.abc import AsyncIterator, Callable, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from service.domain.challenges.model import Challenge
from service.domain.ids import Millis, PlayerId, Version
from service.domain.players.kind import Summarised
from service.domain.streams import Form, Record, Summary
from service.domain.webhooks.kind import WEBHOOKS
from service.domain.webhooks.model import Webhook, Webhooks
from service.programs.ops.exports.format import Damaged, PastEvent, StreamLine
from service.programs.ops.exports.streams import (
    CHALLENGE,
    KINDS,
    SEEK,
    CheckedStream,
    check_stream,
    every_stream,
    stream_name,
)
from service.store import stream_keys
from service.store.contract import Store
from service.store.stream_keys import PLAYER, KindKey, StreamKey, webhooks_key
from service.streams.retention import summary_of

LEFT_OUT = frozenset({SEEK})
"""The kinds that no export has: a seek lasts for a minute."""

WHOLE = tuple(kind for kind in KINDS if kind not in LEFT_OUT | {PLAYER, stream_keys.WEBHOOKS})
"""The kinds whose streams are independent of each other: by their state if they have summaries, else by all events."""

LeaveOut = Callable[[str, Damaged], None]
"""Takes what is left out, and the reason."""


class StreamExport:
    """The lines of all streams that an export contains."""

    def __init__(self, store: Store, now: Millis, leave_out: LeaveOut) -> None:
        """Read from a store at this time; damaged streams are passed to `leave_out`."""
        self._store = store
        self._now = now
        self._leave_out = leave_out
        self._open: dict[PlayerId, list[Challenge]] = {}
        """The open challenges in the export, by the players who take part."""

    async def lines(self) -> AsyncIterator[StreamLine]:
        """Yield the line of each stream. What the feeds of players contain of challenges is read after these."""
        for kind in WHOLE:
            for key in await every_stream(self._store, kind):
                checked = await self._checked(key)
                if checked is not None:
                    self._note_challenges(checked)
                    has_all = KINDS[kind].snapshots is not None
                    summary, past = (None, checked.records) if has_all else (summary_of(checked.stream).event, ())
                    yield line_of(key, summary, past)
        for owner in await self._owners():
            async for line in self._lines_of(owner):
                yield line

    async def _checked(self, key: KindKey) -> CheckedStream | None:
        """Return a stream, None for one that is damaged or was never begun."""
        if (await self._store.heads([key]))[0] is None:
            return None
        try:
            return await check_stream(self._store, key)
        except Damaged as fault:
            self._leave_out(stream_name(key), fault)
            return None

    def _note_challenges(self, checked: CheckedStream) -> None:
        if checked.stream.key.kind == CHALLENGE:
            for challenge in checked.stream.state.open.values():
                for player in challenge.players:
                    self._open.setdefault(player, []).append(challenge)

    async def _owners(self) -> list[str]:
        """Return the players whose feeds and webhooks are exported."""
        keys = [*await every_stream(self._store, PLAYER), *await every_stream(self._store, stream_keys.WEBHOOKS)]
        return sorted({key.id for key in keys} | set(self._open))

    async def _lines_of(self, owner: str) -> AsyncIterator[StreamLine]:
        """Yield the lines of a player's feed and webhooks; the feed is read last, so it has all that was sent."""
        webhooks = await self._checked(webhooks_key(PlayerId(owner)))
        feed = await self._checked(KindKey(PLAYER, owner))
        past = [record for record in feed.records if not isinstance(record.event, Summary)] if feed else []
        challenges = tuple(self._open.get(PlayerId(owner), ()))
        if feed or challenges:
            time = feed.stream.time if feed else self._now
            yield line_of(KindKey(PLAYER, owner), Summarised(time, {}, challenges), past)
        if webhooks:
            state = renumbered(webhooks.stream.state, past)
            yield line_of(webhooks.stream.key, WEBHOOKS.summary(state, webhooks.stream.time))


def line_of(key: StreamKey, summary: Any, past: Sequence[Record] = ()) -> StreamLine:
    """Return the line of a stream, without a summary for one that keeps all of its events."""
    events = tuple(PastEvent(record.time, raw(record.event)) for record in past)
    return StreamLine(key.kind, key.id, Form().format, raw(summary), events)


def raw(event: Any) -> msgspec.Raw:
    """Return an event, encoded."""
    return msgspec.Raw(msgspec.json.encode(event))


def renumbered(state: Webhooks, past: Sequence[Record]) -> Webhooks:
    """Return webhooks that continue at the same event, although their owner's events will have versions from 1 on."""
    webhooks = (renumbered_webhook(webhook, past) for webhook in state.webhooks.values())
    return replace(state, webhooks={webhook.id: webhook for webhook in webhooks})


def renumbered_webhook(webhook: Webhook, past: Sequence[Record]) -> Webhook:
    """Return a webhook with its cursor among the new versions; what refers to others is left out."""
    cursor = webhook.cursor
    if cursor is not None:
        cursor = Version(sum(record.version <= cursor for record in past))
    return replace(webhook, cursor=cursor, log=(), replays=())
