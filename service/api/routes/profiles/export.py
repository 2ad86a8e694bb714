"""Exports of a player's matches: streamed at the pace of the limits, one at a time per caller."""

import asyncio
from collections.abc import AsyncIterator, Hashable
from contextlib import AbstractContextManager
from typing import NamedTuple

import msgspec
import structlog
from litestar.response.base import ASGIResponse
from litestar.response.streaming import ASGIStreamingResponse

from service.api.callers.peers import abort, peer_of
from service.api.context import AppContext
from service.api.http.parameters import HttpRequest
from service.api.http.read_limits import ITEMS_PER_READ, PATH_COSTS
from service.api.http.responses import NDJSON, PRIVATE, as_problem
from service.api.limits import RateLimiter
from service.api.routes.matches import text_of
from service.api.routes.profiles.bodies import player_match
from service.domain.room.model.ids import PlayerId, Version
from service.people.player_matches.rows import position_of
from service.people.player_matches.service import FoundMatch, Part, Wanted
from service.streams.errors import ServiceError

log = structlog.get_logger()

READS_PER_TEXT = PATH_COSTS["/export"]
"""As how many reads a match in notation counts."""


class Asked(NamedTuple):
    """What a caller wants exported."""

    player: PlayerId
    caller: PlayerId | None
    wanted: Wanted
    most: int | None
    """How many matches at most; None for all."""
    media_type: str


class Pace:
    """Makes an export wait where it would use up the limits on reads; half of a burst is left for other requests."""

    def __init__(self, context: AppContext, request: HttpRequest, caller: PlayerId | None) -> None:
        """Count reads of a caller, from the address of a request."""
        limits, address = context.limits, peer_of(dict(request.scope)).address(context.addresses)
        self.client: Hashable = address if caller is None else caller
        """Who reads: the caller, or an address without a token."""
        self._counted: list[tuple[RateLimiter, Hashable]] = [(limits.reads_address, address)]
        if caller is not None:
            self._counted.append((limits.reads, caller))

    async def take(self, reads: int) -> None:
        """Count reads, as soon as the limits allow it."""
        for limiter, client in self._counted if reads else ():
            while (delay := limiter.busy_for(client) or limiter.try_take(client, reads)) > 0:  # noqa: ASYNC110 - time passes
                await asyncio.sleep(delay)


async def export(request: HttpRequest, context: AppContext, asked: Asked) -> ASGIResponse:
    """Return the response that streams matches.

    A refusal before the first match is answered as usual; a failure after it resets the connection. A response that
    ends is complete: up to the limit, or to the player's latest match. Raises `ServiceError` (`too_many_exports`).
    """
    pace = Pace(context, request, asked.caller)
    held = context.limits.exports.hold(pace.client)
    held.__enter__()
    try:
        parts = written(context, asked, pace)
        first = await anext(parts, b"")
    except BaseException:
        held.__exit__(None, None, None)
        raise
    return ASGIStreamingResponse(
        iterator=sent(request, held, first, parts), media_type=asked.media_type, headers=dict([PRIVATE])
    )


async def sent(
    request: HttpRequest, held: AbstractContextManager[None], first: bytes, parts: AsyncIterator[bytes]
) -> AsyncIterator[bytes]:
    """Yield what is sent, and hold the caller's only export meanwhile."""
    try:
        if first:
            yield first
        async for part in parts:
            yield part
    except Exception as failure:  # noqa: BLE001 - the edge: faults are logged, and the client sees the end
        log.error("export_aborted", code=as_problem(failure).code)  # noqa: TRY400 - one line is enough
        await abort(dict(request.scope))
    finally:
        held.__exit__(None, None, None)


async def written(context: AppContext, asked: Asked, pace: Pace) -> AsyncIterator[bytes]:
    """Yield matches in the form that is wanted, whole lines or whole texts, until the service shuts down."""
    left = asked.most
    async for part in context.player_matches.export(asked.player, asked.caller, asked.wanted):
        await pace.take(cost_of(part))
        matches = part.matches if left is None else part.matches[:left]
        if asked.media_type == NDJSON:
            yield b"".join(msgspec.json.encode(player_match(found)) + b"\n" for found in matches)
        else:
            for found in matches:
                await pace.take(READS_PER_TEXT)
                async for text in text_with_cursor(context, found):
                    yield text
        left = None if left is None else left - len(matches)
        if left == 0 or context.shutdown.is_closing:
            return


def cost_of(part: Part) -> int:
    """Return as how many reads a part counts."""
    return -(-part.work // ITEMS_PER_READ) + -(-len(part.matches) // 10)


async def text_with_cursor(context: AppContext, found: FoundMatch) -> AsyncIterator[bytes]:
    """Yield a match in notation, then its cursor in a comment; a comment alone for one whose events cannot be read."""
    cursor = f"; cursor: {position_of(found.played).cursor}\n\n".encode()
    last = found.entry.last or found.entry.first
    try:
        live = await context.rooms.by_key(found.key)
        pages = context.rooms.pages(live, Version(found.entry.first - 1), last)
        [end] = await context.rooms.history(live, Version(last - 1), 1)
        parts = text_of(pages, found.entry, end)
        first = await anext(parts)
    except ServiceError as refused:
        yield f"; {found.played.id}: {refused.problem.code}\n".encode() + cursor
        return
    yield first
    async for part in parts:
        yield part
    yield cursor
