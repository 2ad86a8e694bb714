"""What everybody may see around the board, in the shape of the wire."""

from typing import Any

import msgspec

from service.domain.caching import IdentityCache
from service.domain.game import Level, Seat
from service.domain.room.model.events import BotKind, Role
from service.domain.room.model.ids import Millis, PlayerId
from service.domain.room.model.settings import Settings
from service.domain.room.model.state import Status, Table, seat_names
from service.domain.room.subjects.absence import absent_since
from service.rooms.presence_counts import PlayerPresence, PresenceCounts
from service.rooms.views.offers import PlanView, SeriesView, plan_view, series_view
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
