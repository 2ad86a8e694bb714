"""The decisions about seeks: pure functions of the state and a command."""

import math
from collections.abc import Collection, Sequence
from operator import attrgetter
from typing import Annotated, Any

import msgspec
from msgspec.structs import replace

from service.domain.catalog import game_named
from service.domain.game import Event, Rejected
from service.domain.ids import Epoch, Millis, NameRef, PlayerId, RoomName
from service.domain.room.model.clock import Clock
from service.domain.room.model.commands import SeatNumber
from service.domain.seeks import model
from service.domain.seeks.evolve import PAUSE
from service.domain.seeks.model import GivenOptions, Pairing, PairingId, Seek, SeekId
from service.domain.seeks.queue import (
    WIDENING_STEP,
    Blocks,
    Seeks,
    UnknownBlocks,
    agree,
    by_seat,
    clock_of,
    find_group,
    may_meet,
    merged_options,
    seat_count,
)
from service.domain.structs import copied
from service.domain.validation import Invalid, convert

MOST_SEEKS = 3
"""How many seeks a player can have."""

LIFETIME = Millis(60_000)
"""How long a seek lasts unless it is renewed."""

AFTER_SOCKET = Millis(5000)
"""How long a seek that a socket holds lasts after the socket has closed, so that a client can connect again."""

TIME_TO_APPEAR = Millis(20_000)
"""How long the players of a pairing have to appear in its room."""


EXPIRES = attrgetter("expires")


RatingRange = Annotated[int, msgspec.Meta(ge=25, le=2000)]


class SeekRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A request to be paired with other players."""

    game: str
    """The game's slug."""
    options: GivenOptions = {}
    """The options that you insist on; all others are open."""
    clock: Clock | None = None
    """The clock that you insist on; by default any clock, and none if nobody insists on one."""
    seat: SeatNumber | None = None
    """The seat that you insist on; by default any seat."""
    rated: bool = False
    """Whether the match is rated, which needs a clock; see the setting `rated`."""
    rating_range: RatingRange | None = None
    """By how many points the ratings of others may differ from yours, which needs a clock; by default by any number.

    It widens with waiting: after ten seconds it is twice as wide, after twenty three times.
    """
    bots: bool = False
    """Whether you also want to play with players that were declared bots; by default only with people."""


class SeekContext(msgspec.Struct, frozen=True):
    """What a decision needs besides the state and the request."""

    player: PlayerId
    name_ref: NameRef
    """Where the player's nickname is stored."""
    now: Millis
    new_id: str
    """An unused id."""
    seed: bytes
    """32 fresh random bytes, for the seats of a pairing."""
    bot: bool = False
    blocks: Blocks = {}
    """The blocks of the players who could be paired."""
    rating: int | None = None
    """The player's rating for the game and the clock of the request, in points; None with an open clock."""
    aborted: Millis | None = None
    """When the latest found match ended, if the player aborted it and those before it, as many as pause seeking."""


def seek(state: Seeks, request: SeekRequest, context: SeekContext, wanted: Seek | None = None) -> list[Event]:
    """Create a seek or renew the same one, and pair the player if compatible seeks exist, among them the wanted one.

    Raises `Rejected`, `Invalid` and `UnknownBlocks`.
    """
    options = checked_options(request)
    misses = state.misses.get(context.player)
    paused_until = Millis(0) if misses is None else misses.paused_until
    if context.aborted is not None:
        paused_until = max(paused_until, Millis(context.aborted + PAUSE))
    if paused_until > context.now:
        seconds = math.ceil((paused_until - context.now) / 1000)
        raise Rejected("seeking_paused", until=paused_until, retry_after=seconds)
    if any(context.player in pairing.players for pairing in state.pairings.values()):
        raise Rejected("already_paired")
    made = copied(
        Seek,
        request,
        id=context.new_id,
        player=context.player,
        nickname="",
        made=context.now,
        expires=Millis(context.now + LIFETIME),
        options=options,
        bot=context.bot,
        rating=context.rating,
        name_ref=context.name_ref,
    )
    own = state.seeks.of(context.player)
    same = next((known for known in own if wishes(known) == wishes(made)), None)
    if same is not None:
        made = replace(made, id=same.id, made=same.made)
    if wanted is not None:
        require_compatible(made, wanted, context)
    found = paired(state, made, context, wanted)
    if same is None and not found and len(own) >= MOST_SEEKS:
        raise Rejected("too_many_seeks", most=MOST_SEEKS)
    return [model.SeekMade(made), *found]


def accept(state: Seeks, seek_id: SeekId, context: SeekContext) -> list[Event]:
    """Create the same seek as another player's, and pair the two; a game of three may have to wait for a third.

    Raises what `seek` raises, and `Rejected` (`no_such_seek`, `seek_not_compatible`).
    """
    wanted = state.seeks.get(seek_id)
    if wanted is None or wanted.player == context.player or wanted.expires <= context.now:
        raise Rejected("no_such_seek")
    bots = wanted.bots or wanted.bot
    request = SeekRequest(wanted.game, wanted.options, wanted.clock, rated=wanted.rated, bots=bots)
    return seek(state, request, context, wanted)


def require_compatible(made: Seek, wanted: Seek, context: SeekContext) -> None:
    """Reject a seek whose player may not meet the wanted one, as if it had ended, and one that does not agree with it.

    Raises `UnknownBlocks`.
    """
    if unknown := {made.player, wanted.player} - context.blocks.keys():
        raise UnknownBlocks(frozenset(unknown))
    if not may_meet(made, wanted, context.blocks):
        raise Rejected("no_such_seek")
    if not agree(made, wanted, context.now):
        raise Rejected("seek_not_compatible")


def checked_options(request: SeekRequest) -> GivenOptions:
    """Return the options of a request with all values in their normal form. Raises `Invalid`."""
    rules = game_named(request.game, "/game")
    complete = msgspec.to_builtins(convert(request.options, rules.options, "/options"))
    options = {name: complete[name] for name in request.options}
    if request.seat is not None and request.seat >= seat_count(request.game, options):
        raise Rejected("no_such_seat", seat=request.seat)
    if request.rated and (request.clock is None or not request.clock.runs):
        raise Invalid("A rated match needs a clock", "/clock")
    if request.rating_range is not None and (request.clock is None or not request.clock.runs):
        raise Invalid("A range of ratings needs a clock, for which there are ratings", "/clock")
    return options


def wishes(made: Seek) -> tuple[Any, ...]:
    """Return what a seek asks for, without its player and times."""
    return made.game, made.options, made.clock, made.seat, made.rated, made.rating_range, made.bots


def paired(state: Seeks, newest: Seek, context: SeekContext, wanted: Seek | None = None) -> list[Event]:
    """Return the event that pairs a seek with the wanted one and the oldest compatible ones; nothing without enough.

    Raises `UnknownBlocks`.
    """
    waiting = [other for other in state.seeks.candidates(newest) if other.expires > context.now]
    if wanted is not None:
        waiting.sort(key=lambda other: other.id != wanted.id)  # groups with the first one are tried first
    group = find_group(newest, waiting, context.blocks, context.now)
    if group is None or (wanted is not None and wanted not in group):
        return []
    seats = by_seat(group, context.seed)
    players = {each.player for each in group}
    used = {each.id for each in group}
    others = [other for player in sorted(players) for other in state.seeks.of(player) if other.id not in used]
    options, clock = merged_options(group), clock_of(group)
    pairing = Pairing(context.new_id, newest.game, context.now, options, clock, newest.rated, seats, tuple(others))
    return [model.PlayersPaired(pairing)]


def withdraw(state: Seeks, seek_id: SeekId, player: PlayerId) -> list[Event]:
    """Withdraw a seek of a player. Raises `Rejected`."""
    found = state.seeks.get(seek_id)
    if found is None or found.player != player:
        raise Rejected("no_such_seek")
    return [model.SeekWithdrawn(seek_id)]


def change_expiry(state: Seeks, ids: Collection[SeekId], expires: Millis) -> list[Event]:
    """Change when seeks end, including those that wait in a pairing; nothing if all of them have ended."""
    waiting = {seek.id for pairing in state.pairings.values() for seek in pairing.seeks}
    known = tuple(sorted(seek_id for seek_id in ids if seek_id in state.seeks or seek_id in waiting))
    return [model.SeekExpiryChanged(known, expires)] if known else []


def expire(state: Seeks, now: Millis) -> list[Event]:
    """End the seeks that were not renewed."""
    ended = tuple(seek_id for seek_id, each in state.seeks.items() if each.expires <= now)
    return [model.SeeksExpired(ended)] if ended else []


def opened(state: Seeks, pairing: PairingId, room: RoomName, epoch: Epoch, now: Millis) -> list[Event]:
    """Record that the room of a pairing was opened; nothing if that is known."""
    known = state.pairings.get(pairing)
    if known is None or known.room is not None:
        return []
    return [model.PairingOpened(pairing, room, epoch, Millis(now + TIME_TO_APPEAR))]


def settle(state: Seeks, pairing: PairingId, absent: Sequence[PlayerId], *, refused: bool = False) -> list[Event]:
    """End a pairing: with a match if nobody is absent. Nothing if it has ended already."""
    if pairing not in state.pairings:
        return []
    return (
        [model.PairingFailed(pairing, tuple(absent), "refused" if refused else "absent")]
        if absent
        else [model.PairingKept(pairing)]
    )


def pair_again(state: Seeks, waiting: Sequence[SeekId], context: SeekContext) -> list[Event]:
    """Pair the first of these seeks that has compatible ones; they wait again because their pairing failed.

    Raises `UnknownBlocks`.
    """
    for seek_id in waiting:
        again = state.seeks.get(seek_id)
        if again is not None and again.expires > context.now and (found := paired(state, again, context)):
            return found
    return []


def widen(state: Seeks, context: SeekContext) -> list[Event]:
    """Pair seeks that are compatible because ranges of ratings have widened, one group at a time, the oldest first.

    Nothing if no range has widened since the latest comparison. Raises `UnknownBlocks`.
    """
    widens = next_widening(state)
    if widens is None or widens > context.now:
        return []
    for each in state.seeks.by_id.values():
        if each.rating_range is not None and each.expires > context.now and (found := paired(state, each, context)):
            return found
    return [model.RangesWidened(context.now)]


def next_widening(state: Seeks) -> Millis | None:
    """Return when ranges of ratings are compared next; None unless there are two seeks and a range among them."""
    made = [each.made for each in state.seeks.by_id.values() if each.rating_range is not None]
    if not made or len(state.seeks) < 2:
        return None
    return Millis((max(state.widened, min(made)) // WIDENING_STEP + 1) * WIDENING_STEP)


def due(state: Seeks) -> Millis | None:
    """Return when a worker has to act next: seeks expire, rooms have to be opened, players have to appear."""
    times = [*map(EXPIRES, state.seeks.by_id.values())]
    times += [pairing.at if pairing.deadline is None else pairing.deadline for pairing in state.pairings.values()]
    if (widens := next_widening(state)) is not None:
        times.append(widens)
    return min(times, default=None)
