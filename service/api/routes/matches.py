"""Matches: listed per room, and readable by their own ids."""

from collections.abc import AsyncIterator

import msgspec
from litestar.response.base import ASGIResponse

from service.api.http.bodies import AnyEvent, MatchSummary, match_summary
from service.api.http.context import AppContext
from service.api.http.json_routes import Call, read
from service.api.http.parameters import AT, CURSOR, ROOM_CODES, ROOMS_CODES, SEAT, page_size
from service.api.http.requests import room_name
from service.api.http.responses import NDJSON, etag, respond, respond_json
from service.api.routes.reading import load_for_caller, stream_export, viewing_seat
from service.domain.catalog import GAMES
from service.domain.game import Event, Seat
from service.domain.ids import Epoch, PlayerId, RoomKey, Version
from service.domain.notation import sheet, writing
from service.domain.room.model.events import Recorded
from service.domain.room.model.settings import TournamentTable
from service.rooms.access.policy import reading_refusal, reads_match
from service.rooms.match_index import MatchEntry
from service.rooms.repository import LoadedRoom
from service.rooms.views.event_view import event_lines
from service.rooms.views.match_view import Viewer
from service.rooms.views.room_view import RoomView, view_for
from service.streams.errors import ServiceError
from service.streams.reader import PAGE

MATCHES_PER_PAGE = page_size("Matches", 50)
READING_CODES = (*ROOMS_CODES, "no_such_match", "members_only", "trimmed", "not_your_seat")
TEXT = "text/plain"


class MatchList(msgspec.Struct, frozen=True):
    """A page of a room's matches, newest first."""

    room: str
    matches: tuple[MatchSummary, ...]
    """The matches; a page can have fewer than `limit` although another one follows."""
    next: int | None
    """The cursor of the next page."""


class MatchDetails(MatchSummary, frozen=True):
    """A match with the room's view at its end, or the current one while it is played."""

    tournament: TournamentTable | None = None
    """The table of a tournament at which it is played; null for other matches."""
    view: RoomView | None = None
    """The room at the match's end, or now while it is played, or at the version `at`, as the caller may see it."""


@read(
    "/v1/rooms/{room:str}/matches",
    "List a room's matches",
    MatchList,
    parameters=(CURSOR, MATCHES_PER_PAGE),
    refusals=ROOM_CODES,
    link="cursor",
    tag="Matches",
)
async def read_matches(call: Call, room: str) -> MatchList:
    """List the matches of a room, newest first.

    A match that was for members only is left out for others, also if the room is open to everybody now.
    """
    live, _ = await load_for_caller(call, room)
    cursor = CURSOR.of(call.request)
    newest = live.state.table.matches if cursor is None else min(cursor, live.state.table.matches)
    oldest = max(0, newest - MATCHES_PER_PAGE.of(call.request))
    entries = await call.context.rooms.matches(live, list(range(newest, oldest, -1)))
    matches = tuple(match_summary(live.key, entry) for entry in entries if is_readable(live, entry, call.reader))
    return MatchList(live.key.name, matches, oldest or None)


def is_readable(live: LoadedRoom, entry: MatchEntry, reader: PlayerId | None) -> bool:
    """Return whether a reader of a room may read a match of it; the settings that applied to the match decide."""
    return reads_match(live.state.table, reader, entry.players, members_only=entry.members_only)


async def find_match(context: AppContext, match_id: str, reader: PlayerId | None) -> tuple[LoadedRoom, MatchEntry]:
    """Return a match by its id, `<room>.<epoch>.<number>`, for a reader of its room, or who has played it.

    Raises `ServiceError` (`no_such_match`, `members_only`).
    """
    name, epoch, number = (*match_id.split("."), "", "", "")[:3]
    if match_id.count(".") != 2 or not number.isascii() or not number.isdigit() or not 1 <= len(number) <= 9:
        raise ServiceError("no_such_match")
    try:
        key = RoomKey(room_name(name), Epoch(epoch))
    except ServiceError:
        raise ServiceError("no_such_match") from None
    live = await context.rooms.find(key)
    if live is None:
        raise ServiceError("no_such_match")
    found = [entry for entry in await context.rooms.matches(live, [int(number)]) if entry.id == match_id]
    refusal = reading_refusal(live.state.table, reader)
    # A player who had a seat may read a match that has ended also after leaving the room.
    if refusal is not None and not any(entry.last is not None and reader in entry.players for entry in found):
        raise ServiceError("no_such_match" if refusal == "no_such_room" else refusal)
    if not found or not is_readable(live, found[0], reader):
        raise ServiceError("no_such_match")
    return live, found[0]


@read(
    "/v1/matches/{match_id:str}",
    "Read a match",
    MatchDetails,
    parameters=(SEAT, AT),
    headers=("ETag",),
    refusals=(*READING_CODES, "no_such_version"),
    tag="Matches",
)
async def read_match(call: Call, match_id: str) -> ASGIResponse:
    """Return a match: players, result, version range, and its final view.

    With `at`, the view is that of one of the match's versions, even after the room was closed.
    """
    context, request = call.context, call.request
    live, entry = await find_match(context, match_id, call.reader)
    seat = viewing_seat(live.state, call.reader, SEAT.of(request))
    last = entry.last or live.head.version
    at = AT.of(request) or last
    if not entry.first <= at <= last:
        raise ServiceError("no_such_version", version=last)
    past = await context.rooms.at(live, at)
    card = match_summary(live.key, entry)
    view = msgspec.Raw(view_for(Viewer(seat), past, context.now()).json)
    value = {**msgspec.structs.asdict(card), "tournament": past.table.tournament, "view": view}
    return respond_json(value, headers=[etag(past)])


@read(
    "/v1/matches/{match_id:str}/export",
    "Export a match",
    None,
    media_types=(NDJSON, TEXT),
    compressed=False,
    parameters=(SEAT,),
    refusals=(*READING_CODES, "still_playing"),
    also=(
        (NDJSON, "One event per line, from `match_started` to `match_ended`."),
        (TEXT, "A finished match, in the notation of docs/notation.md."),
    ),
    line=AnyEvent,
    tag="Matches",
)
async def export_match(call: Call, match_id: str) -> ASGIResponse:
    """Export a match as one event per line, redacted for the caller, or as text in notation."""
    context, media_type = call.context, call.media_type
    live, entry = await find_match(context, match_id, call.reader)
    seat = viewing_seat(live.state, call.reader, SEAT.of(call.request))
    if media_type == TEXT and entry.last is None:
        raise ServiceError("still_playing", version=live.head.version)
    before, last = Version(entry.first - 1), entry.last or live.head.version
    is_long = last - before > PAGE
    pages = context.rooms.pages(live, before, last) if is_long else whole(context, live, before, last)
    if media_type == NDJSON:
        parts = lines_of(pages, seat, entry.game)
    else:
        parts = text_of(pages, entry, (await context.rooms.history(live, Version(last - 1), 1))[0])
    if is_long:
        return await stream_export(call.request, parts, media_type, match=match_id)
    return respond(b"".join([part async for part in parts]), media_type=media_type)


async def whole(context: AppContext, live: LoadedRoom, before: Version, last: Version) -> AsyncIterator[list[Recorded]]:
    """Yield all events of a short match at once."""
    yield await context.rooms.history(live, before, last - before)


async def lines_of(pages: AsyncIterator[list[Recorded]], seat: Seat | None, game: str) -> AsyncIterator[bytes]:
    """Yield events, one per line."""
    async for page in pages:
        yield event_lines(page, seat, game)


async def text_of(pages: AsyncIterator[list[Recorded]], entry: MatchEntry, end: Recorded) -> AsyncIterator[bytes]:
    """Yield a finished match in notation, the same for every caller; `end` is its last event."""
    page = await anext(pages)
    writer = writing.TextWriter(sheet.heading_of(page[0].event, end.event, entry.nicknames))
    board = sheet.BoardEvents(GAMES[entry.game])
    yield (writer.begin() + writer.write(board.filter(versions_of(page)))).encode()
    async for page in pages:
        yield writer.write(board.filter(versions_of(page))).encode()
    yield writer.end().encode()


def versions_of(page: list[Recorded]) -> list[tuple[Version, Event]]:
    """Return events with their versions."""
    return [(recorded.version, recorded.event) for recorded in page]
