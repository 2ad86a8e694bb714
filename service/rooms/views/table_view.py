"""The wire form of everything about a room except its match; it is the same for all viewers."""

from typing import Any

import msgspec

from service.domain.caching import IdentityCache
from service.domain.game import Level, Seat
from service.domain.ids import Millis, PlayerId, Version, rfc3339
from service.domain.room.model.events import BotKind, OfferKind, Role
from service.domain.room.model.settings import Settings, TournamentTable
from service.domain.room.model.state import Member, Offer, Room, Status, Table, seat_names
from service.domain.room.subjects.matches import waiting_for
from service.domain.room.subjects.offers import players_to_answer
from service.domain.room.subjects.timeouts import absent_since
from service.domain.structs import copied
from service.rooms.presence_counts import PlayerPresence, PresenceCounts


class OfferView(msgspec.Struct, frozen=True):
    """An open offer, which the other humans in the match have to accept, and for a draw the bots too."""

    id: int
    """The number for `answer` and `withdraw`."""
    type: OfferKind
    """What is offered."""
    by: PlayerId
    """The id of the player who made it."""
    awaits: tuple[PlayerId, ...]
    """Who has not answered yet; the holder of several seats answers once."""
    accepted: tuple[PlayerId, ...]
    """Who has accepted it."""
    to_version: Version | None
    """For a takeback: the version to whose position the match would return."""
    player: PlayerId | None
    """For a kick: who would be removed."""


class ScoreView(msgspec.Struct, frozen=True):
    """A player's score in the series."""

    player: PlayerId
    nickname: str | None
    """Null for a player who has left."""
    bot: BotKind | None
    """The kind of the bot; null for people, and for a player who has left."""
    points: float
    """1 for each match won alone, 0.5 for each shared first place."""


class SeriesView(msgspec.Struct, frozen=True):
    """Matches whose results are added up; points belong to players, whichever seats they hold."""

    number: int
    """The number of the series in its room."""
    best_of: int
    """How many matches the series has at most."""
    played: int
    """How many of its matches have counted."""
    scores: tuple[ScoreView, ...]
    """The best player first; players without points are left out."""
    decided: bool
    """Whether the series is over; the next match starts a new one, once everyone is ready again."""


class PlanView(msgspec.Struct, frozen=True):
    """The options and settings that will apply after the running match."""

    options: dict[str, Any]
    settings: Settings


def offer_view(room: Room, offer: Offer) -> OfferView:
    """Return an open offer in its wire form."""
    return OfferView(
        id=offer.id,
        type=offer.kind,
        by=offer.by,
        awaits=players_to_answer(room, offer),
        accepted=offer.accepted,
        to_version=offer.to_version,
        player=offer.target,
    )


def series_view(table: Table) -> SeriesView | None:
    """Return the series in its wire form, None without a series."""
    series = table.series
    if series is None:
        return None
    best = sorted(series.points.items(), key=lambda score: -score[1])
    scores = tuple(score_view(player, table.members.get(player), points) for player, points in best)
    return SeriesView(series.number, series.best_of, series.played, scores, series.is_decided)


def score_view(player: PlayerId, member: Member | None, points: float) -> ScoreView:
    """Return a player's score; `member` is None for a player who has left."""
    if member is None:
        return ScoreView(player, None, None, points)
    return ScoreView(player, member.nickname, member.kind, points)


class PlayerView(msgspec.Struct, frozen=True):
    """A member of the room."""

    id: PlayerId
    """The player's id."""
    nickname: str
    role: Role = msgspec.field(name="as")
    bot: BotKind | None
    """The kind of the bot; null for people."""
    muted: bool
    """Whether the creator has muted this member in the chat."""
    presence: PlayerPresence | None
    """Whether the member is connected; null in a view of the past, and in a reply to a command if it is not known."""


class SeatView(msgspec.Struct, frozen=True):
    """A seat, its colour, its holder, and whether they are ready for the next match."""

    seat: Seat
    colour: str
    player: PlayerId | None
    """The id of the player who holds it; null for an empty seat."""
    ready: bool
    """Whether its holder is ready for the next match."""
    bot: Level | None
    """The level of the service's bot on this seat; null for a player's seat and for an empty one."""
    claimable_at: str | None
    """When the running match can be claimed against this seat; null while its player is present."""


class TableView(msgspec.Struct, frozen=True):
    """The parts of a room that seldom change."""

    room: str
    title: str
    epoch: str
    game: str
    options: dict[str, Any]
    settings: Settings
    status: Status
    creator: PlayerId
    """The player who opened the room; for a match of a tournament, `tournament` and its id, which is no player."""
    players: tuple[PlayerView, ...]
    watchers: int | None
    """The number of connected spectators, null like `presence`; see the frame `presence`."""
    seats: tuple[SeatView, ...]
    """The seats, in turn order."""
    series: SeriesView | None
    """Null without a series."""
    next: PlanView | None
    """Changes by `configure` that will apply after the running match; null if nothing changes."""
    next_seed_hash: str | None
    """The SHA-256 of the next match's seed, in hex; null during a match, at whose end it is published."""
    tournament: TournamentTable | None
    """The table of a tournament that the room is for; null for other rooms."""
    waiting_for: tuple[Seat, ...]
    """The seats for which the next match waits: empty, not ready, or their player is absent; none during a match."""


def table_view(table: Table, presence: PresenceCounts | None = None) -> TableView:
    """Return the table's view."""
    return copied(
        TableView,
        table,
        room=table.key.name,
        epoch=table.key.epoch,
        players=tuple(
            PlayerView(
                id=player,
                nickname=member.nickname,
                role=member.role,
                bot=member.kind,
                muted=member.muted,
                presence=None if presence is None else presence.of(table, player),
            )
            for player, member in table.members.items()
        ),
        watchers=None if presence is None else presence.watchers(table),
        seats=seat_views(table),
        series=series_view(table),
        next=None if table.plan is None else PlanView(table.plan.options, table.plan.settings),
        waiting_for=waiting_for(table),
    )


def seat_views(table: Table) -> tuple[SeatView, ...]:
    """Return the seats with their holders."""
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
    """Return when the grace period of a seat without its player is over, None while its player is present."""
    since = absent_since(table, seat)
    return None if since is None or table.status != "playing" else rfc3339(Millis(since + table.settings.grace_ms))


def beginning(view: TableView) -> bytes:
    """Return the wire form of a table's view as the beginning of a room's: with a comma instead of its last brace."""
    return msgspec.json.encode(view)[:-1] + b","


without_presence = IdentityCache[Table, bytes](lambda table: beginning(table_view(table)), size=4096)
"""The beginning of a room's view without presence, cached by table."""


def table_json(table: Table, presence: PresenceCounts | None) -> bytes:
    """Return the beginning of a room's view, which is the same for all viewers and does not change with a move."""
    if presence is None:
        return without_presence(table)
    if presence.table is not table:
        presence.table, presence.table_json = table, beginning(table_view(table, presence))
    return presence.table_json
