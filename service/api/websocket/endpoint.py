"""The feeds over WebSocket."""

import asyncio
from collections.abc import Iterator
from typing import Any

from litestar import WebSocket, websocket
from litestar.datastructures import State
from litestar.params import FromPath

from service.api.close_codes import FLOODED, LEAVING, NO_SUCH_ROOM, ORIGIN_REFUSED, TOO_MANY_SOCKETS
from service.api.http.context import AppContext
from service.api.http.parameters import document_feed
from service.api.http.peers import peer_of
from service.api.http.requests import Headers
from service.api.server.socket_protocol import SOCKET
from service.api.websocket.session import Session, Socket
from service.contests.tournament_feed import TournamentFrame
from service.contests.tv import TvFrame
from service.domain.game import Rejected
from service.domain.room.model import names
from service.people.player_service import PlayerFrame
from service.rooms.feeds.frames import FromClient, FromRoom, FromServer
from service.runtime import metrics

Scope = dict[str, Any]


@websocket(
    "/v1/rooms/{room:str}/feed",
    opt=document_feed("A room's feed, and commands for it", takes=FromClient, sends=FromRoom),
)
async def follow_room(socket: "WebSocket[object, object, State]", room: FromPath[str]) -> None:
    """Send the feed of one room, and execute commands for it."""
    await socket.receive()
    await serve_socket(socket.app.state.context, dict(socket.scope), room)


@websocket(
    "/v1/feed",
    opt=document_feed(
        "The feeds of rooms, of the lobby, of the caller, of TV and of tournaments, and commands",
        takes=FromClient,
        sends=FromServer | PlayerFrame | TvFrame | TournamentFrame,
    ),
)
async def follow_all(socket: "WebSocket[object, object, State]") -> None:
    """Send the feeds that are subscribed to, and execute commands for any room."""
    await socket.receive()
    await serve_socket(socket.app.state.context, dict(socket.scope), None)


async def serve_socket(context: AppContext, scope: Scope, room: str | None) -> None:
    """Accept a socket for one room, or for all rooms, and run its session until it closes."""
    socket: Socket = scope["extensions"][SOCKET]
    await socket.send({"type": "websocket.accept", "subprotocol": None, "headers": []})
    headers = dict(scope["headers"])
    peer = peer_of(scope)
    address = peer.address(context.addresses)
    try:
        only = None if room is None else names.room_name(room)
        obstacle = next(reasons_to_close(context, headers, address), None)
    except Rejected:
        only, obstacle = None, (NO_SUCH_ROOM, "the room's name is not valid")
    if obstacle is not None:
        await socket.send({"type": "websocket.close", "code": obstacle[0], "reason": obstacle[1]})
        return
    with (
        context.limits.addresses.hold(address),
        context.shutdown.connected(socket.leave),
        metrics.count_subscriber("socket"),
    ):
        # In its own task, so that a message wakes the session and none of the layers around it.
        await asyncio.create_task(Session(context, socket, peer, only).run())


def reasons_to_close(context: AppContext, headers: Headers, address: str) -> Iterator[tuple[int, str]]:
    """Yield the reasons for which a socket cannot be served now: close codes and texts, the most important first."""
    if not is_origin_allowed(context, headers.get(b"origin")):
        yield ORIGIN_REFUSED, "this origin may not connect"
    if context.shutdown.is_closing:
        yield LEAVING, "this process is shutting down; resume elsewhere"
    if context.limits.addresses.is_full(address):
        yield TOO_MANY_SOCKETS, "too many sockets and streams from this address"
    if context.limits.reads_address.try_take(address) > 0:
        yield FLOODED, "too many requests from this address"


def is_origin_allowed(context: AppContext, origin: bytes | None) -> bool:
    """Return whether a page of this origin may open a socket. Clients that are not browsers send no origin."""
    return origin is None or "*" in context.origins or origin.decode("latin-1") in context.origins
