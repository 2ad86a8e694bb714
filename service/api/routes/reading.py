"""The room, version, seat and players that a request reads: what several routes share."""

from service.api.callers.identify import identify_reader
from service.api.context import AppContext
from service.api.http.parameters import AT, SEAT, HttpRequest, Parameter
from service.api.http.requests import Headers, headers_of, room_name
from service.domain.game import Seat
from service.domain.room.model.ids import PlayerId
from service.domain.room.model.state import Room, audience
from service.rooms.access.policy import knows_all_matches
from service.rooms.player import Player
from service.rooms.repository import LoadedRoom
from service.streams.errors import ServiceError

TAG: Parameter[str | None] = Parameter(
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
    player = identify_reader(context.callers, headers)
    live = await context.rooms.read(room_name(name), player.id if player else None)
    return live, viewing_seat(live.state, player, SEAT.of(request))


def viewing_seat(room: Room, player: Player | None, wanted: Seat | None) -> Seat | None:
    """Return the seat whose view a caller gets, None for a spectator. Raises `ServiceError` with `not_your_seat`."""
    player_id = player.id if player else None
    if wanted is not None and wanted not in room.table.seats_of[player_id]:
        raise ServiceError("not_your_seat", params={"seat": wanted})
    return audience(room.table, player_id, wanted)


async def room_at_version(request: HttpRequest, context: AppContext, live: LoadedRoom) -> Room:
    """Return the room at the version that `?at=` names, by default the current one."""
    at = AT.of(request)
    return live.state if at is None else await context.rooms.at(live, at)


async def admit_reader(request: HttpRequest, context: AppContext, *players: PlayerId) -> PlayerId | None:
    """Return the caller who reads about some players, None without a token. Raises `ServiceError` (`profile_hidden`).

    Each of two players may read their common results, even if the other one hides the profile.
    """
    caller = identify_reader(context.callers, headers_of(request))
    caller_id = caller.id if caller else None
    if not knows_all_matches(caller_id, *players):
        for player in players:
            if await context.accounts.is_hidden(player):
                raise ServiceError("profile_hidden")
    return caller_id
