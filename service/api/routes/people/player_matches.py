"""A player's matches: a page as JSON, or an export of all of them."""

import asyncio
from collections.abc import AsyncIterator, Hashable
from datetime import UTC, datetime
from typing import NamedTuple

import msgspec
from litestar.response.base import ASGIResponse

from service.api.http.context import AppContext
from service.api.http.json_routes import Call, read
from service.api.http.parameters import ROOMS_CODES, HttpRequest, PageSize, Parameter, only_game
from service.api.http.peers import peer_of
from service.api.http.read_limits import ITEMS_PER_READ, PATH_COSTS, limit_read
from service.api.http.responses import JSON, NDJSON
from service.api.limits import RateLimiter
from service.api.routes.matches import TEXT, text_of
from service.api.routes.people.profiles import PlayerMatch, PlayerMatches, player_match
from service.api.routes.reading import admit_reader, stream_export
from service.domain.ids import Millis, PlayerId, Version
from service.domain.validation import Invalid
from service.people.player_matches.rows import Position, position_of
from service.people.player_matches.service import FoundMatch, Page, Part, Wanted
from service.rooms.access.policy import knows_all_matches
from service.streams.errors import ServiceError

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


async def written(context: AppContext, asked: Asked, pace: Pace) -> AsyncIterator[bytes]:
    """Yield matches in the form that is wanted, whole lines or whole texts, until the service shuts down.

    It ends at the limit, or with the player's latest match.
    """
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


def parse_since(text: str) -> Position:
    """Return after which position matches are wanted; a time without a zone is UTC. Raises `Invalid`."""
    if "T" not in text:
        return Position.parse(text, "since")
    try:
        time = datetime.fromisoformat(text)
        in_zone = time.replace(tzinfo=UTC) if time.tzinfo is None else time
        return Position(Millis(round(in_zone.timestamp() * 1000)), "")
    except (ValueError, OverflowError):
        raise Invalid("Expected a time such as 2026-01-01T00:00:00Z, or a `cursor`", parameter="since") from None


MATCHES_PER_PAGE = 20

GAME = only_game("matches of this game")
RATED: Parameter[bool | None] = Parameter("rated", bool, "Only rated matches, or only unrated ones.", example=True)
OPPONENT: Parameter[PlayerId | None] = Parameter(
    "opponent", str, "Only matches against this player.", "p-aaaaaaaaaaaaaaaa"
)
AFTER: Parameter[Position | None] = Parameter(
    "since",
    str,
    "Only matches that ended after this one, by its `cursor`, or after this time (UTC without a zone).",
    "2026-01-01T00:00:00Z",
    read=parse_since,
)
BEFORE: Parameter[Position | None] = Parameter(
    "cursor",
    str,
    "The `next` of the previous page, for JSON.",
    "1764000000000.friday-night.mzuw4zlo.1",
    read=lambda cursor: Position.parse(cursor, "cursor"),
)
LIMIT: Parameter[int | None] = Parameter(
    "limit", PageSize, f"Matches, {MATCHES_PER_PAGE} by default; in an export all by default.", 20
)

OTHERS_COST = 10
"""How many additional reads a page counts as for a caller who may not know all matches of the player."""


@read(
    "/v1/players/{player:str}/matches",
    "List or export a player's matches",
    PlayerMatches,
    media_types=(JSON, NDJSON, TEXT),
    link="cursor",
    compressed=False,
    parameters=(GAME, RATED, OPPONENT, AFTER, BEFORE, LIMIT),
    refusals=(*ROOMS_CODES, "too_many_exports", "profile_hidden"),
    also=(
        (NDJSON, "All matches, one per line, the oldest first."),
        (TEXT, "All matches in the notation of docs/notation.md, the oldest first, each with its cursor."),
    ),
    line=PlayerMatch,
    tag="Players",
)
async def read_player_matches(call: Call, player: str) -> PlayerMatches | ASGIResponse:
    """Return a page of the matches of a player that have ended, the latest first, or stream all of them.

    A match for members only is shown to the player, to members of its room and to operators. A stream begins with the
    oldest match after `since` and is sent at the pace that the limits allow. If it breaks off, continue it with the
    `cursor` of the last complete line as `since`. A caller gets one stream at a time.
    """
    context, request = call.context, call.request
    caller_id = await admit_reader(call, PlayerId(player))
    wanted = Wanted(GAME.of(request), RATED.of(request), OPPONENT.of(request) or None, AFTER.of(request))
    limit = LIMIT.of(request)
    if call.media_type != JSON:
        pace = Pace(context, request, caller_id)
        parts = written(context, Asked(PlayerId(player), caller_id, wanted, limit, call.media_type), pace)
        return await stream_export(request, parts, call.media_type, context.limits.exports.hold(pace.client))
    before = BEFORE.of(request)
    page = await context.player_matches.page(PlayerId(player), caller_id, wanted, before, limit or MATCHES_PER_PAGE)
    cost = cost_of_page(page, knows_all=knows_all_matches(caller_id, PlayerId(player)))
    limit_read(context, call.peer, caller_id, cost)
    return PlayerMatches(player, tuple(map(player_match, page.matches)), page.next.cursor if page.next else None)


def cost_of_page(page: Page, *, knows_all: bool) -> int:
    """Return as how many additional reads a page counts; for others it reveals nothing about what was left out."""
    return page.work // ITEMS_PER_READ if knows_all else OTHERS_COST
