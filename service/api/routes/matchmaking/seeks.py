"""Seeks: looking for other players, and the rooms that wait for the caller."""

import msgspec
from litestar import delete, get, post
from litestar.params import FromPath
from litestar.response.base import ASGIResponse

from service.api.callers.identify import identify_player
from service.api.http.commands import identify_commander
from service.api.http.requests import (
    HttpRequest,
    context_of,
    headers_of,
    negotiate,
    query_game,
    read_json,
)
from service.api.http.responses import JSON, respond, respond_json
from service.api.http.route_docs import NEGOTIATION_CODES, ROOMS_CODES, Parameter, document_route
from service.domain.game import Seat
from service.domain.room.model.clock import Clock
from service.domain.room.model.ids import Epoch, PlayerId, RoomName
from service.domain.seeks.decide import SeekRequest
from service.domain.seeks.model import GivenOptions, Pairing, Seek
from service.matchmaking.own_seek import OwnSeek, own_seek
from service.rooms.views.timestamps import rfc3339

SHOWN = 200
"""How many open seeks are listed, the oldest first."""


class SeekEntry(msgspec.Struct, frozen=True):
    """An open seek, as everybody sees it."""

    nickname: str
    game: str
    options: GivenOptions
    """The options that the player insists on."""
    clock: Clock | None
    """The clock that the player insists on; null for any."""
    seat: Seat | None
    """The seat that the player insists on; null for any."""
    rated: bool
    """Whether the match is rated."""
    rating: int | None
    """The player's rating with this clock, in points; null with an open clock."""
    rating_range: int | None
    """By how many points the ratings of others may differ at first; null for any number."""
    made: str
    """When the seek was made."""


class PairingView(msgspec.Struct, frozen=True):
    """Players who were found for the caller, until all of them are ready."""

    game: str
    seat: Seat
    """The seat of the caller."""
    room: RoomName | None
    """The room; null until it is open, which takes a moment."""
    epoch: Epoch | None
    deadline: str | None
    """Until when the caller has to be ready in the room; null until it is open."""


class OwnSeeks(msgspec.Struct, frozen=True):
    """The seeks of the caller, and the pairing that waits for them."""

    seeks: tuple[OwnSeek, ...]
    """The open seeks."""
    pairing: PairingView | None
    """The room that waits for the caller; null if there is none."""


class OpenSeeks(msgspec.Struct, frozen=True):
    """Open seeks, the oldest first."""

    seeks: tuple[SeekEntry, ...]
    """The open seeks."""
    total: int
    """How many there are, listed or not."""


SEEK = msgspec.json.Decoder(SeekRequest)


@post(
    "/v1/seeks",
    opt=document_route(
        "Look for other players",
        {201: OwnSeek},
        compressed=False,
        body=SeekRequest,
        refusals=(
            *ROOMS_CODES,
            *("no_such_seat", "too_many_seeks", "already_paired", "seeking_paused"),
            *("rate_limited", "busy", "outcome_unknown", "too_many_nicknames"),
        ),
        caller="required",
        tag="Seeks",
    ),
)
async def make_seek(request: HttpRequest) -> ASGIResponse:
    """Look for other players for a minute; the same request again continues the same seek.

    As soon as compatible seeks are found, a room is opened for all of their players. Your own feed names it
    (`seek_matched`); send `ready` there before the `deadline`. A player can have three seeks; all of them end when one
    is matched. If another player does not appear, your seeks keep their places in the queue. A player who does not
    appear three times in a row cannot seek for five minutes.
    """
    context, headers = context_of(request), headers_of(request)
    player = identify_commander(request)
    asked = await read_json(request, headers, SEEK)
    made = await context.matchmaking.seeks.seek(asked, player)
    return respond_json(own_seek(made.seek, is_paired=made.is_paired), 201)


@delete(
    "/v1/seeks/{seek:str}",
    status_code=200,
    opt=document_route(
        "Withdraw a seek",
        {204: None},
        refusals=(*ROOMS_CODES, "no_such_seek", "rate_limited", "busy", "outcome_unknown"),
        caller="required",
        tag="Seeks",
    ),
)
async def withdraw_seek(request: HttpRequest, seek: FromPath[str]) -> ASGIResponse:
    """Stop looking for other players."""
    context = context_of(request)
    player = identify_commander(request)
    await context.matchmaking.seeks.withdraw(seek, player.id)
    return respond(b"", 204)


@get(
    "/v1/seeks",
    opt=document_route(
        "List open seeks",
        {200: OpenSeeks},
        parameters=(Parameter("game", str, "Only seeks of this game.", "morris"),),
        refusals=(*ROOMS_CODES, *NEGOTIATION_CODES),
        caller="none",
        tag="Seeks",
    ),
)
async def read_seeks(request: HttpRequest) -> ASGIResponse:
    """List what others are looking for; a seek that is compatible with one of these is matched immediately."""
    context = context_of(request)
    negotiate(headers_of(request), JSON)
    game = query_game(request)
    seeks = [seek for seek in await context.matchmaking.seeks.open_seeks() if game in {None, seek.game}]
    shown = await context.matchmaking.seeks.with_names(seeks[:SHOWN])
    return respond_json(OpenSeeks(tuple(map(seek_entry, shown)), len(seeks)))


@get(
    "/v1/players/me/seeks",
    opt=document_route(
        "Read your own seeks",
        {200: OwnSeeks},
        refusals=(*ROOMS_CODES, *NEGOTIATION_CODES),
        caller="required",
        tag="Seeks",
    ),
)
async def read_my_seeks(request: HttpRequest) -> ASGIResponse:
    """Return the caller's seeks, and the room that waits for them."""
    context, headers = context_of(request), headers_of(request)
    negotiate(headers, JSON)
    player = identify_player(context.callers, headers, "read")
    seeks, pairing = await context.matchmaking.seeks.of(player.id)
    waiting = None if pairing is None else pairing_view(pairing, player.id)
    return respond_json(OwnSeeks(tuple(own_seek(seek, is_paired=False) for seek in seeks), waiting))


def seek_entry(seek: Seek) -> SeekEntry:
    """Return a seek as everybody sees it."""
    return SeekEntry(
        nickname=seek.nickname,
        game=seek.game,
        options=seek.options,
        clock=seek.clock,
        seat=seek.seat,
        rated=seek.rated,
        rating=seek.rating,
        rating_range=seek.rating_range,
        made=rfc3339(seek.made),
    )


def pairing_view(pairing: Pairing, player: PlayerId) -> PairingView:
    """Return a pairing as one of its players sees it."""
    deadline = None if pairing.deadline is None else rfc3339(pairing.deadline)
    seat = Seat(pairing.players.index(player))
    return PairingView(pairing.game, seat, pairing.room, pairing.epoch, deadline)
