"""A room as one viewer may see it, in the shape of the wire."""

from functools import cache
from typing import Any, Literal

import msgspec

from service.domain.caching import IdentityCache, LastValueCache
from service.domain.catalog import GAMES
from service.domain.game import Level, Move, Seat
from service.domain.room.known_state import has_secrets
from service.domain.room.model import clock
from service.domain.room.model.events import BotKind, Result, Role
from service.domain.room.model.ids import Millis, PlayerId, Version
from service.domain.room.model.settings import Settings
from service.domain.room.model.state import Match, Room, Status, Table, seat_names
from service.domain.room.subjects.absence import absent_since
from service.domain.room.subjects.matches import restart_at
from service.domain.room.subjects.offers import can_take_back
from service.rooms.presence_counts import PlayerPresence, PresenceCounts
from service.rooms.views.event_view import events_json
from service.rooms.views.offers import OfferView, PlanView, SeriesView, offer_view, plan_view, series_view
from service.rooms.views.timestamps import rfc3339


class PlayerView(msgspec.Struct, frozen=True):
    """Somebody in the room."""

    id: PlayerId
    nickname: str
    role: Role = msgspec.field(name="as")
    bot: BotKind | None
    """What kind of bot this is; null for people."""
    muted: bool
    """Whether the creator has muted them in the chat."""
    presence: PlayerPresence | None
    """Whether they are connected; null in a view of the past, and in an answer to a command where it is not at hand."""


class SeatView(msgspec.Struct, frozen=True):
    """A seat, its colour, who holds it, and whether they are ready for the next match."""

    seat: Seat
    colour: str
    player: PlayerId | None
    ready: bool
    bot: Level | None
    """How well the house's bot on this seat plays; null where a player sits, or nobody."""
    claimable_at: str | None
    """When a running match can be claimed against this seat; null while somebody is there for it."""


class ClockView(msgspec.Struct, frozen=True):
    """The clocks of a match at this moment; those of the seats to move are running."""

    remaining: tuple[Millis, ...]
    """Milliseconds by seat."""
    deadline: str | None
    """When the next seat runs out of time if it doesn't move; null where no clock is running."""
    allowance_ms: Millis
    """A move still counts as in time if it reaches the store within so many milliseconds after its deadline."""
    server_time: str


class MatchView(msgspec.Struct, frozen=True):
    """The running match, or the last one while its result lies on the table."""

    number: int
    id: str
    status: Literal["playing", "finished"]
    started: str
    ended: str | None
    state: msgspec.Raw
    """The game's own view, with the latest events beside it as `last`."""
    to_move: tuple[Seat, ...]
    legal_moves: tuple[Move, ...]
    clock: ClockView | None
    """Null where time is not limited."""
    result: Result | None
    can_take_back: bool
    """Whether the viewer's seat has a turn that it may ask to take back."""


class TableView(msgspec.Struct, frozen=True):
    """All of a room that seldom changes."""

    room: str
    title: str
    epoch: str
    game: str
    options: dict[str, Any]
    settings: Settings
    status: Status
    creator: PlayerId
    players: tuple[PlayerView, ...]
    watchers: int | None
    """How many look on; null like `presence`. See the frame `presence`."""
    seats: tuple[SeatView, ...]
    series: SeriesView | None
    """Null where no series is played."""
    next: PlanView | None
    """What `configure` has changed for the time after the running match; null where nothing changes."""
    next_seed_hash: str | None
    """The SHA-256 of the next match's seed, in hex; null while a match is played, whose end publishes it."""


class RoomView(TableView, frozen=True):
    """A room at one version, as one viewer may see it."""

    version: Version
    match: MatchView | None
    offers: tuple[OfferView, ...]
    restart_at: str | None
    server_time: str


class Now(msgspec.Struct, frozen=True):
    """What `RoomView` adds to `TableView`, encoded apart from it."""

    version: Version
    match: MatchView | None
    offers: tuple[OfferView, ...]
    restart_at: str | None
    server_time: str


class Seen(msgspec.Struct):
    """What was made of a room at one version."""

    room: Room
    by_seat: dict[Seat | None, tuple[Millis, bytes]] = {}
    """What the view adds to the table's, and when."""
    state: msgspec.Raw | None = None
    """The game's view, which serves every seat where the game has no secrets."""


latest_views = LastValueCache[Room, Seen](Seen)
"""A command's reply and its sender's update tell the same view one after the other, and all seats' much the same."""


def view_json(room: Room, seat: Seat | None, now: Millis, attendance: PresenceCounts | None = None) -> bytes:
    """Return a `RoomView` on the wire as `seat` (or the public) may see it, and who is connected if that is known."""
    seen = latest_views(room)
    kept = seen.by_seat.get(seat)
    if kept is None or kept[0] != now:
        kept = seen.by_seat[seat] = now, now_json(room, seat, now, seen)
    return table_json(room.table, attendance) + kept[1]


def now_json(room: Room, seat: Seat | None, now: Millis, seen: Seen) -> bytes:
    """Return what `RoomView` adds to `TableView` on the wire, without the brace at its beginning."""
    moment, offers = restart_at(room), room.table.offers
    latest = Now(
        room.version,
        None if room.match is None else match_view(room.match, seat, now, seen),
        tuple([offer_view(room, offer) for offer in offers]) if offers else (),
        None if moment is None else rfc3339(moment),
        rfc3339(now),
    )
    return msgspec.json.encode(latest)[1:]


def table_view(table: Table, attendance: PresenceCounts | None = None) -> TableView:
    """Return what everybody may see around the board."""
    return TableView(
        room=table.key.name,
        title=table.title,
        epoch=table.key.epoch,
        game=table.game,
        options=table.options,
        settings=table.settings,
        status=table.status,
        creator=table.creator,
        players=tuple(
            PlayerView(
                id=player,
                nickname=member.nickname,
                role=member.role,
                bot="external" if member.program else member.bot,
                muted=member.muted,
                presence=None if attendance is None else attendance.of(table, player),
            )
            for player, member in table.members.items()
        ),
        watchers=None if attendance is None else attendance.watchers(table),
        seats=seat_views(table),
        series=series_view(table),
        next=plan_view(table.plan),
        next_seed_hash=table.next_seed_hash,
    )


def seat_views(table: Table) -> tuple[SeatView, ...]:
    """Return the seats with who holds them."""
    members = table.members
    return tuple(
        SeatView(
            Seat(seat),
            colour,
            holder,
            ready=holder in members and members[holder].is_ready,
            bot=table.bots.get(Seat(seat)),
            claimable_at=claimable_at(table, Seat(seat)),
        )
        for seat, (colour, holder) in enumerate(zip(seat_names(table), table.seats, strict=True))
    )


def claimable_at(table: Table, seat: Seat) -> str | None:
    """Return when the grace of a seat is over on which nobody plays."""
    since = absent_since(table, seat)
    return None if since is None or table.status != "playing" else rfc3339(Millis(since + table.settings.grace_ms))


def beginning(view: TableView) -> bytes:
    """Return a table's view on the wire as the beginning of a room's: with a comma instead of the brace at its end."""
    return msgspec.json.encode(view)[:-1] + b","


unattended = IdentityCache[Table, bytes](lambda table: beginning(table_view(table)), size=4096)
"""The beginning of a room's view, where nothing is known of who is connected."""


def table_json(table: Table, attendance: PresenceCounts | None) -> bytes:
    """Return the beginning of a room's view, which is the same for everyone and from move to move."""
    if attendance is None:
        return unattended(table)
    if attendance.table is not table:
        attendance.table, attendance.table_json = table, beginning(table_view(table, attendance))
    return attendance.table_json


def match_view(match: Match, seat: Seat | None, now: Millis, seen: Seen) -> MatchView:
    """Return the match as `seat` (or the public) may see it."""
    running = match.result is None
    return MatchView(
        match.number,
        match.id,
        "playing" if running else "finished",
        rfc3339(match.started),
        None if match.ended is None else rfc3339(match.ended),
        state_json(match, seat, seen),
        match.game.to_move(match.state) if running else (),
        moves_now(match, seat) if running else (),
        clock_view(match, now),
        match.result,
        can_take_back(match, seat),
    )


def clock_view(match: Match, now: Millis) -> ClockView | None:
    """Return the clocks as everybody may see them."""
    clocks = match.clocks
    if not clocks.clock.runs:
        return None
    seats = [Seat(seat) for seat in range(len(clocks.turns))]
    ends = [end for seat in seats if (end := clock.deadline(clocks, seat)) is not None]
    return ClockView(
        remaining=tuple(clock.time_left(clocks, seat, now) for seat in seats),
        deadline=rfc3339(min(ends)) if ends else None,
        allowance_ms=clock.LAG,
        server_time=rfc3339(now),
    )


def state_json(match: Match, seat: Seat | None, seen: Seen) -> msgspec.Raw:
    """Return the game's view with `last`, the latest events, for drawing."""
    if seen.state is None or not is_open(match.game.slug):
        state = msgspec.json.encode(match.game.view(match.state, seat))
        seen.state = msgspec.Raw(state[:-1] + b',"last":' + events_json(match.last, seat) + b"}")
    return seen.state


@cache
def is_open(game: str) -> bool:
    """Tell whether everybody may know all of a game's state."""
    return not has_secrets(GAMES[game])


def legal_moves(room: Room, seat: Seat | None) -> tuple[Move, ...]:
    """Return every legal move of `seat`; the public is told the mover's where the seats move in turn."""
    match = room.playing
    return () if match is None else moves_now(match, seat)


def moves_now(match: Match, seat: Seat | None) -> tuple[Move, ...]:
    """Return the same in a match that is being played; with a clock it is final that a seat has done its part."""
    game, clocks = match.game, match.clocks
    if seat is None and not game.simultaneous:
        seat = next(iter(game.to_move(match.state)), None)
    if seat is None or (clocks.clock.runs and clocks.turns[seat] is None):
        return ()
    return tuple(game.legal_moves(match.state, seat))
