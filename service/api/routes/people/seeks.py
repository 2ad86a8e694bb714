"""Seeks: looking for other players, and the rooms that wait for the caller."""

import re
from collections.abc import Awaitable, Callable
from operator import attrgetter

import msgspec

from service.api.http.json_routes import Call, change, read
from service.api.http.parameters import CHANGE_CODES, Parameter, only_game, page_size
from service.domain.game import Seat
from service.domain.ids import Epoch, Player, PlayerId, RoomName, rfc3339
from service.domain.room.model.clock import Clock
from service.domain.seeks.decide import SeekRequest
from service.domain.seeks.model import GivenOptions, Pairing, SeekId
from service.domain.structs import copied
from service.domain.validation import Invalid
from service.people.matchmaking.seeks import MadeSeek, OwnSeek, own_seek

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


SEEKING_CODES = (*CHANGE_CODES, "too_many_seeks", "already_paired", "seeking_paused", "too_many_nicknames")


@change(
    "POST",
    "/v1/seeks",
    "Look for other players",
    {201: OwnSeek},
    body=SeekRequest,
    refusals=("no_such_seat", *SEEKING_CODES),
    tag="Seeks",
)
async def make_seek(call: Call, player: Player, asked: SeekRequest) -> OwnSeek:
    """Look for other players for a minute; the same request again continues the same seek.

    As soon as compatible seeks are found, a room is opened for all of their players. Your own feed names it
    (`seek_matched`); send `ready` there before the `deadline`. A player can have three seeks; all of them end when one
    is matched. If another player does not appear, your seeks keep their places in the queue. A player who does not
    appear three times in a row, or loses three found matches in a row before two players have moved, cannot seek for
    five minutes.
    """
    return await made_seek(call, lambda: call.context.matchmaking.seeks.seek(asked, player))


@change(
    "POST",
    "/v1/seeks/{seek:str}/accept",
    "Accept a seek",
    {201: OwnSeek},
    refusals=("no_such_seek", "seek_not_compatible", *SEEKING_CODES),
    tag="Seeks",
)
async def accept_seek(call: Call, player: Player, seek: str) -> OwnSeek:
    """Take a given seek of another player: make the same one, with any seat, and be paired with it at once.

    For a game of three, your seek waits for a third if nobody else agrees. What follows is as for seeks that found each
    other. A seek of a player who has blocked you, or whom you have blocked, is not found.
    """
    return await made_seek(call, lambda: call.context.matchmaking.seeks.accept(seek, player))


async def made_seek(call: Call, make: Callable[[], Awaitable[MadeSeek]]) -> OwnSeek:
    """Return a new seek; a pairing counts as the opening of a room."""
    openings = call.context.limits.openings
    openings.check(call.address)
    made = await make()
    if made.is_paired:
        openings.try_take(call.address)
    return own_seek(made.seek, is_paired=made.is_paired)


@change(
    "DELETE",
    "/v1/seeks/{seek:str}",
    "Withdraw a seek",
    {204: None},
    refusals=(*CHANGE_CODES, "no_such_seek"),
    tag="Seeks",
)
async def withdraw_seek(call: Call, player: Player, seek: str) -> None:
    """Stop looking for other players."""
    await call.context.matchmaking.seeks.withdraw(seek, player.id)


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


@read(
    "/v1/seeks",
    "List open seeks",
    OpenSeeks,
    parameters=(GAME, AFTER, SEEKS_PER_PAGE),
    link="cursor",
    caller="none",
    tag="Seeks",
)
async def read_seeks(call: Call) -> OpenSeeks:
    """List what others are looking for, the oldest first.

    A seek that is compatible with one of these is matched immediately; POST /v1/seeks/{seek}/accept takes a given one.
    """
    game, after, limit = GAME.of(call.request), AFTER.of(call.request), SEEKS_PER_PAGE.of(call.request)
    found = sorted(await call.context.matchmaking.seeks.open_seeks(), key=attrgetter("made", "id"))
    seeks = [seek for seek in found if game in {None, seek.game}]
    left = [seek for seek in seeks if (seek.made, seek.id) > after]
    shown = await call.context.matchmaking.seeks.with_names(left[:limit])
    following = f"{shown[-1].made}-{shown[-1].id}" if len(left) > limit else None
    entries = tuple(copied(SeekEntry, seek, made=rfc3339(seek.made)) for seek in shown)
    return OpenSeeks(entries, len(seeks), following)


@read("/v1/players/me/seeks", "Read your own seeks", OwnSeeks, scope="read", tag="Seeks")
async def read_my_seeks(call: Call, player: Player) -> OwnSeeks:
    """Return the caller's seeks, and the room that waits for them."""
    seeks, pairing = await call.context.matchmaking.seeks.of(player.id)
    waiting = None if pairing is None else pairing_view(pairing, player.id)
    return OwnSeeks(tuple(own_seek(seek, is_paired=False) for seek in seeks), waiting)


def pairing_view(pairing: Pairing, player: PlayerId) -> PairingView:
    """Return a pairing as one of its players sees it."""
    deadline = None if pairing.deadline is None else rfc3339(pairing.deadline)
    seat = Seat(pairing.players.index(player))
    return PairingView(pairing.game, seat, pairing.room, pairing.epoch, deadline)
