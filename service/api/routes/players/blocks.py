"""Whom the caller has blocked."""

import re

import msgspec
from litestar import delete, get, put
from litestar.params import FromPath
from litestar.response.base import ASGIResponse

from service.api.callers.identify import identify_player
from service.api.callers.peers import peer_of
from service.api.http.common_headers import count
from service.api.http.parameters import HttpRequest
from service.api.http.requests import context_of, headers_of, negotiate
from service.api.http.responses import JSON, respond, respond_json
from service.api.http.route_docs import CHANGE_CODES, document_route
from service.api.routes.players.tokens import READ_CODES
from service.domain.room.model.ids import PLAYER_ID, PlayerId
from service.domain.validation import Invalid
from service.rooms.views.timestamps import rfc3339


class Block(msgspec.Struct, frozen=True):
    """A player whom the caller has blocked."""

    player: PlayerId
    since: str
    """When the player was blocked."""


class BlockList(msgspec.Struct, frozen=True):
    """The players whom the caller has blocked."""

    blocks: tuple[Block, ...]
    """The blocked players, the earliest first."""


def player_id(path: str) -> PlayerId:
    """Return the id of a player from a path. Raises `Invalid`."""
    if not re.fullmatch(PLAYER_ID, path):
        raise Invalid("Expected the id of a player", parameter="player")
    return PlayerId(path)


@put(
    "/v1/players/me/blocks/{player:str}",
    opt=document_route(
        "Block a player",
        {204: None},
        refusals=(*CHANGE_CODES, "own_block", "too_many_blocks", "rate_limited"),
        caller="required",
        tag="Players",
    ),
)
async def block_player(request: HttpRequest, player: FromPath[str]) -> ASGIResponse:
    """Block a player: you are not paired, cannot challenge each other, and do not see each other's chat.

    Open challenges between the two end. A player can block 200 others. The blocked player is not notified.
    """
    context = context_of(request)
    me = identify_player(context.callers, headers_of(request), "play")
    count(peer_of(dict(request.scope)), context.limits.commands, me.id)
    other = player_id(player)
    await context.accounts.block(me.id, other)
    await context.matchmaking.challenges.end_between(me.id, other)
    return respond(b"", 204)


@delete(
    "/v1/players/me/blocks/{player:str}",
    status_code=200,
    opt=document_route(
        "Unblock a player",
        {204: None},
        refusals=(*CHANGE_CODES, "rate_limited"),
        caller="required",
        tag="Players",
    ),
)
async def unblock_player(request: HttpRequest, player: FromPath[str]) -> ASGIResponse:
    """End a block; nothing happens if there is none."""
    context = context_of(request)
    me = identify_player(context.callers, headers_of(request), "play")
    count(peer_of(dict(request.scope)), context.limits.commands, me.id)
    await context.accounts.unblock(me.id, player_id(player))
    return respond(b"", 204)


@get(
    "/v1/players/me/blocks",
    opt=document_route(
        "List the players whom the caller has blocked",
        {200: BlockList},
        refusals=READ_CODES,
        caller="required",
        tag="Players",
    ),
)
async def read_blocks(request: HttpRequest) -> ASGIResponse:
    """List the players whom the caller has blocked."""
    context, headers = context_of(request), headers_of(request)
    negotiate(headers, JSON)
    me = identify_player(context.callers, headers, "read")
    found = await context.accounts.blocked_by([me.id])
    return respond_json(BlockList(tuple(Block(player, rfc3339(since)) for player, since in found[me.id].items())))
