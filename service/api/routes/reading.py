"""The room, version, seat and players that a request reads: what several routes share."""

from service.api.callers.identify import identify
from service.api.context import AppContext
from service.api.http.requests import (
    Headers,
    HttpRequest,
    SeatParameter,
    VersionParameter,
    headers_of,
    query_parameter,
    room_name,
)
from service.api.http.route_docs import Parameter
from service.domain.game import Seat
from service.domain.room.model.ids import PlayerId
from service.domain.room.model.state import Room, audience
from service.rooms.access.policy import knows_all_matches
from service.rooms.errors import ServiceError
from service.rooms.loading.room import LoadedRoom
from service.rooms.player import Player

AT = Parameter("at", VersionParameter, "The version to read; the current one by default.", 12)
SEAT = Parameter("seat", SeatParameter, "The seat whose view to read, if the caller holds several.", 0)
TAG = Parameter(
    "If-None-Match",
    str,
    "The ETag of the state that the client has. Browsers always get the whole answer.",
    '"mzuw4zlo.12"',
    "header",
)


async def load_for_caller(
    request: HttpRequest, context: AppContext, headers: Headers, name: str
) -> tuple[LoadedRoom, Seat | None]:
    """Return a room, up to date with the store, and the seat whose view the caller gets."""
    player = identify(context.callers, headers, "read")
    live = await context.rooms.read(room_name(name), player.id if player else None)
    return live, viewing_seat(live.room, player, query_parameter(request, "seat", SeatParameter))


def viewing_seat(room: Room, player: Player | None, wanted: Seat | None) -> Seat | None:
    """Return the seat whose view a caller gets, None for a spectator. Raises `ServiceError` with `not_your_seat`."""
    player_id = player.id if player else None
    if wanted is not None and wanted not in room.table.seats_of[player_id]:
        raise ServiceError("not_your_seat", params={"seat": wanted})
    return audience(room.table, player_id, wanted)


async def room_at_version(request: HttpRequest, context: AppContext, live: LoadedRoom) -> Room:
    """Return the room at the version that `?at=` names, by default the current one."""
    at = query_parameter(request, "at", VersionParameter)
    return live.room if at is None else await context.rooms.at(live, at)


async def admit_reader(request: HttpRequest, context: AppContext, *players: PlayerId) -> PlayerId | None:
    """Return the caller who reads about some players, None without a token. Raises `ServiceError` (`profile_hidden`).

    Each of two players may read their common results, even if the other one hides the profile.
    """
    caller = identify(context.callers, headers_of(request), "read")
    caller_id = caller.id if caller else None
    if not knows_all_matches(caller_id, *players):
        for player in players:
            if await context.accounts.is_hidden(player):
                raise ServiceError("profile_hidden")
    return caller_id
