"""Whom the caller has blocked."""

import re

import msgspec

from service.api.http.json_routes import Call, change, read
from service.api.http.parameters import CHANGE_CODES
from service.domain.ids import PLAYER_ID, Player, PlayerId, rfc3339
from service.domain.validation import Invalid


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


@change(
    "PUT",
    "/v1/players/me/blocks/{player:str}",
    "Block a player",
    {204: None},
    refusals=(*CHANGE_CODES, "own_block", "too_many_blocks"),
    tag="Players",
)
async def block_player(call: Call, me: Player, player: str) -> None:
    """Block a player: you are not paired, cannot challenge each other, and do not see each other's chat.

    Open challenges between the two end. A player can block 200 others. The blocked player is not notified.
    """
    other = player_id(player)
    await call.context.accounts.block(me.id, other)
    await call.context.matchmaking.challenges.end_between(me.id, other)


@change("DELETE", "/v1/players/me/blocks/{player:str}", "Unblock a player", {204: None}, tag="Players")
async def unblock_player(call: Call, me: Player, player: str) -> None:
    """End a block; nothing happens if there is none."""
    await call.context.accounts.unblock(me.id, player_id(player))


@read("/v1/players/me/blocks", "List the players whom the caller has blocked", BlockList, scope="read", tag="Players")
async def read_blocks(call: Call, me: Player) -> BlockList:
    """List the players whom the caller has blocked."""
    found = await call.context.accounts.blocked_by([me.id])
    return BlockList(tuple(Block(player, rfc3339(since)) for player, since in found[me.id].items()))
