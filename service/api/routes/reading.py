"""Which room, version and seat a request reads: the parameters that several routes share."""

from service.api.context import AppContext
from service.api.http.requests import (
    Headers,
    HttpRequest,
    SeatParameter,
    VersionParameter,
    identify,
    query_parameter,
    room_name,
)
from service.api.http.route_docs import Parameter
from service.domain.game import Seat
from service.domain.room.model.state import Room, audience
from service.rooms.errors import ServiceError
from service.rooms.requests import Player
from service.rooms.room import LoadedRoom

AT = Parameter("at", VersionParameter, "The version to look back to; absent for now.")
SEAT = Parameter("seat", SeatParameter, "Whose knowledge to see, for a holder of several seats.")
TAG = Parameter(
    "If-None-Match", str, "The ETag of what the caller has; browsers get the whole answer all the same.", "header"
)


async def load_for_caller(
    request: HttpRequest, context: AppContext, headers: Headers, name: str
) -> tuple[LoadedRoom, Seat | None]:
    """Return a room level with the store, and whose knowledge of it the caller shares."""
    player = identify(context.tokens, headers)
    live = await context.rooms.fresh_room(room_name(name), player.id if player else None)
    return live, viewing_seat(live.room, player, query_parameter(request, "seat", SeatParameter))


def viewing_seat(room: Room, player: Player | None, wanted: Seat | None) -> Seat | None:
    """Return whose knowledge a caller shares. Refuses `not_your_seat` for a seat that isn't theirs."""
    player_id = player.id if player else None
    if wanted is not None and wanted not in room.table.seats_of[player_id]:
        raise ServiceError("not_your_seat", params={"seat": wanted})
    return audience(room.table, player_id, wanted)


async def room_at_version(request: HttpRequest, context: AppContext, live: LoadedRoom) -> Room:
    """Return the room at the version that `?at=` names, or now."""
    at = query_parameter(request, "at", VersionParameter)
    return live.room if at is None else await context.rooms.at(live, at)
