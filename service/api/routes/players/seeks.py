"""Seeks: looking for other players, and the rooms that wait for the caller."""

import re
from collections.abc import Awaitable, Callable
from operator import attrgetter

import msgspec
from litestar import delete, get, post
from litestar.params import FromPath
from litestar.response.base import ASGIResponse

from service.api.callers.identify import identify_player
from service.api.callers.peers import peer_of
from service.api.http.commands import identify_commander
from service.api.http.parameters import HttpRequest, Parameter, only_game, page_size
from service.api.http.requests import context_of, headers_of, negotiate, read_json
from service.api.http.responses import JSON, next_link, respond, respond_json
from service.api.http.route_docs import NEGOTIATION_CODES, ROOMS_CODES, document_route
from service.domain.game import Seat
from service.domain.room.model.clock import Clock
from service.domain.room.model.ids import Epoch, PlayerId, RoomName
from service.domain.seeks.decide import SeekRequest
from service.domain.seeks.model import GivenOptions, Pairing, Seek, SeekId
from service.domain.validation import Invalid
from service.people.matchmaking.own_seek import OwnSeek, own_seek
from service.people.matchmaking.seeks import MadeSeek
from service.rooms.views.timestamps import rfc3339

"""How many open seeks a page has unless the request says otherwise."""

CURSOR = re.compile(r"([0-9]{1,15})-([a-z0-9]{1,40})")
"""The time and the id of the last seek of a page: the next page begins after it, also if it has ended."""


class SeekEntry(msgspec.Struct, frozen=True):
    """An open seek, as everybody sees it."""

    id: SeekId
    """The id of the seek, by which it can be accepted."""
    player: PlayerId
    nickname: str
    bot: bool
    """Whether the player was declared a bot."""
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
    bots: bool
    """Whether the player also wants to play with bots."""
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
    """How many there are, on all pages."""
    next: str | None
    """The `cursor` of the next page; null on the last one."""


SEEK = msgspec.json.Decoder(SeekRequest)
SEEKING_CODES = (
    *ROOMS_CODES,
    *("too_many_seeks", "already_paired", "seeking_paused", "too_many_nicknames"),
    *("rate_limited", "busy", "outcome_unknown", "counter_damaged"),
)


@post(
    "/v1/seeks",
    opt=document_route(
        "Look for other players",
        {201: OwnSeek},
        compressed=False,
        body=SeekRequest,
        refusals=("no_such_seat", *SEEKING_CODES),
        caller="required",
        tag="Seeks",
    ),
)
async def make_seek(request: HttpRequest) -> ASGIResponse:
    """Look for other players for a minute; the same request again continues the same seek.

    As soon as compatible seeks are found, a room is opened for all of their players. Your own feed names it
    (`seek_matched`); send `ready` there before the `deadline`. A player can have three seeks; all of them end when one
    is matched. If another player does not appear, your seeks keep their places in the queue. A player who does not
    appear three times in a row, or loses three found matches in a row before two players have moved, cannot seek for
    five minutes.
    """
    context, headers = context_of(request), headers_of(request)
    player = identify_commander(request)
    asked = await read_json(request, headers, SEEK)
    return await respond_made(request, lambda: context.matchmaking.seeks.seek(asked, player))


@post(
    "/v1/seeks/{seek:str}/accept",
    opt=document_route(
        "Accept a seek",
        {201: OwnSeek},
        compressed=False,
        refusals=("no_such_seek", "seek_not_compatible", *SEEKING_CODES),
        caller="required",
        tag="Seeks",
    ),
)
async def accept_seek(request: HttpRequest, seek: FromPath[str]) -> ASGIResponse:
    """Take a given seek of another player: make the same one, with any seat, and be paired with it at once.

    For a game of three, your seek waits for a third if nobody else agrees. What follows is as for seeks that found each
    other. A seek of a player who has blocked you, or whom you have blocked, is not found.
    """
    context = context_of(request)
    player = identify_commander(request)
    return await respond_made(request, lambda: context.matchmaking.seeks.accept(seek, player))


async def respond_made(request: HttpRequest, make: Callable[[], Awaitable[MadeSeek]]) -> ASGIResponse:
    """Return the response with a new seek; a pairing counts as the opening of a room."""
    context = context_of(request)
    address = peer_of(dict(request.scope)).address(context.addresses)
    context.limits.openings.check(address)
    made = await make()
    if made.is_paired:
        context.limits.openings.try_take(address)
    return respond_json(own_seek(made.seek, is_paired=made.is_paired), 201)


@delete(
    "/v1/seeks/{seek:str}",
    status_code=200,
    opt=document_route(
        "Withdraw a seek",
        {204: None},
        refusals=(*ROOMS_CODES, "no_such_seek", "rate_limited", "busy", "outcome_unknown", "counter_damaged"),
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


def parse_cursor(cursor: str) -> tuple[int, str]:
    """Return the time and the id after which the page begins. Raises `Invalid`."""
    found = CURSOR.fullmatch(cursor)
    if found is None:
        raise Invalid("Invalid cursor; expected the `next` of a page", parameter="cursor")
    return int(found[1]), found[2]


GAME = only_game("seeks of this game", "morris")
AFTER: Parameter[tuple[int, str]] = Parameter(
    "cursor", str, "The `next` of the previous page.", "1700000000000-x7k2m4qa", default=(0, ""), read=parse_cursor
)
SEEKS_PER_PAGE = page_size("Seeks", 200)


@get(
    "/v1/seeks",
    opt=document_route(
        "List open seeks",
        {200: OpenSeeks},
        parameters=(GAME, AFTER, SEEKS_PER_PAGE),
        refusals=(*ROOMS_CODES, *NEGOTIATION_CODES),
        headers=("Link",),
        caller="none",
        tag="Seeks",
    ),
)
async def read_seeks(request: HttpRequest) -> ASGIResponse:
    """List what others are looking for, the oldest first.

    A seek that is compatible with one of these is matched immediately; POST /v1/seeks/{seek}/accept takes a given one.
    """
    context = context_of(request)
    negotiate(headers_of(request), JSON)
    game, after, limit = GAME.of(request), AFTER.of(request), SEEKS_PER_PAGE.of(request)
    found = sorted(await context.matchmaking.seeks.open_seeks(), key=attrgetter("made", "id"))
    seeks = [seek for seek in found if game in {None, seek.game}]
    left = [seek for seek in seeks if (seek.made, seek.id) > after]
    shown = await context.matchmaking.seeks.with_names(left[:limit])
    following = f"{shown[-1].made}-{shown[-1].id}" if len(left) > limit else None
    page = OpenSeeks(tuple(map(seek_entry, shown)), len(seeks), following)
    return respond_json(page, headers=next_link(request, "cursor", following))


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
        id=seek.id,
        player=seek.player,
        nickname=seek.nickname,
        bot=seek.bot,
        game=seek.game,
        options=seek.options,
        clock=seek.clock,
        seat=seek.seat,
        rated=seek.rated,
        rating=seek.rating,
        rating_range=seek.rating_range,
        bots=seek.bots,
        made=rfc3339(seek.made),
    )


def pairing_view(pairing: Pairing, player: PlayerId) -> PairingView:
    """Return a pairing as one of its players sees it."""
    deadline = None if pairing.deadline is None else rfc3339(pairing.deadline)
    seat = Seat(pairing.players.index(player))
    return PairingView(pairing.game, seat, pairing.room, pairing.epoch, deadline)
