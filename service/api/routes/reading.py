"""The room, version, seat and players that a request reads, and exports: what several routes share."""

from collections.abc import AsyncIterator
from contextlib import AbstractContextManager, ExitStack, nullcontext

import structlog
from litestar.response.base import ASGIResponse
from litestar.response.streaming import ASGIStreamingResponse

from service.api.http.json_routes import Call
from service.api.http.parameters import AT, SEAT, HttpRequest, Parameter
from service.api.http.peers import abort
from service.api.http.requests import room_name
from service.api.http.responses import PRIVATE, as_problem
from service.domain.game import Seat
from service.domain.ids import PlayerId
from service.domain.room.model.state import Room, audience
from service.rooms.access.policy import knows_all_matches
from service.rooms.repository import LoadedRoom
from service.streams.errors import ServiceError

log = structlog.get_logger()

TAG: Parameter[str | None] = Parameter(
    "If-None-Match",
    str,
    "The ETag of the state that the client has. Browsers always get the whole answer.",
    '"mzuw4zlo.12"',
    "header",
)


async def load_for_caller(call: Call, name: str) -> tuple[LoadedRoom, Seat | None]:
    """Return a room, up to date with the store, and the seat whose view the caller gets."""
    reader = call.reader
    live = await call.context.rooms.read(room_name(name), reader)
    return live, viewing_seat(live.state, reader, SEAT.of(call.request))


def viewing_seat(room: Room, player: PlayerId | None, wanted: Seat | None) -> Seat | None:
    """Return the seat whose view a caller gets, None for a spectator. Raises `ServiceError` with `not_your_seat`."""
    if wanted is not None and wanted not in room.table.seats_of[player]:
        raise ServiceError("not_your_seat", params={"seat": wanted})
    return audience(room.table, player, wanted)


async def room_at_version(call: Call, live: LoadedRoom) -> Room:
    """Return the room at the version that `?at=` names, by default the current one."""
    at = AT.of(call.request)
    return live.state if at is None else await call.context.rooms.at(live, at)


async def admit_reader(call: Call, *players: PlayerId) -> PlayerId | None:
    """Return the caller who reads about some players, None without a token. Raises `ServiceError` (`profile_hidden`).

    Each of two players may read their common results, even if the other one hides the profile.
    """
    caller = call.reader
    if not knows_all_matches(caller, *players):
        for player in players:
            if await call.context.accounts.is_hidden(player):
                raise ServiceError("profile_hidden")
    return caller


async def stream_export(
    request: HttpRequest,
    parts: AsyncIterator[bytes],
    media_type: str,
    held: AbstractContextManager[None] = nullcontext(),  # noqa: B008 - it has no state
    **named: str,
) -> ASGIResponse:
    """Return an export whose body is generated while it is sent, in the context `held`; `named` says which to the log.

    An error before the first part is refused as usual; a later one resets the connection, so a response that ends is
    complete. Raises what entering the context raises.
    """
    with ExitStack() as entered:
        entered.enter_context(held)
        first = await anext(parts, b"")
        sending = entered.pop_all()

    async def sent() -> AsyncIterator[bytes]:
        with sending:
            try:
                if first:
                    yield first
                async for part in parts:
                    yield part
            except Exception as failure:  # noqa: BLE001 - the edge: faults are logged, and the client sees the end
                log.error("export_aborted", code=as_problem(failure).code, **named)  # noqa: TRY400 - one line is enough
                await abort(dict(request.scope))

    return ASGIStreamingResponse(iterator=sent(), media_type=media_type, headers=dict([PRIVATE]))
