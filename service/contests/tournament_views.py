"""Tournaments as clients see them."""

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from service.domain.game import Seat
from service.domain.ids import Epoch, NameRef, PlayerId, RoomName, Version, rfc3339
from service.domain.room.model.clock import Clock
from service.domain.structs import copied
from service.domain.tournaments.listing import ListedTournament
from service.domain.tournaments.model import LeaveReason, Status, TournamentId
from service.domain.tournaments.pairings import Format
from service.domain.tournaments.rounds import pairing_time
from service.domain.tournaments.standings import TIE_BREAKS, Row, TieBreak
from service.domain.tournaments.state import Entry, Table, Tournament
from service.store.player_names import PlayerNames


class NamedPlayer(msgspec.Struct, frozen=True):
    """A player with a nickname."""

    player: PlayerId
    """The id of the player."""
    nickname: str
    """The player's nickname."""
    bot: bool
    """Whether the player was declared a bot."""


class TournamentSummary(msgspec.Struct, frozen=True):
    """A tournament: its terms and its progress."""

    id: TournamentId
    """The id of the tournament."""
    title: str
    """The title of the tournament."""
    game: str
    """The game's slug."""
    options: dict[str, Any]
    """All options of the game."""
    seats: int
    """How many players a match has."""
    format: Format
    """How players are paired."""
    clock: Clock
    """The clock of every match."""
    starts: str
    """When the first round begins."""
    check_in_ms: int
    """For how many milliseconds before the start players have to check in; 0 if no check-in is needed."""
    late_entry: bool
    """Whether players are admitted after the start."""
    bots: bool
    """Whether programs may take part."""
    max_players: int
    """The maximum number of players."""
    organiser: NamedPlayer | None
    """The player who created it; null for an operator."""
    status: Status
    """The status of the tournament."""
    players: int
    """How many players take part."""
    round: int
    """The number of the latest round, 0 before the first one."""
    rounds: int | None
    """How many rounds there will be at most; null in an arena, and before the start unless its organiser has chosen."""
    duration_ms: int | None
    """For how many milliseconds matches begin in an arena; null in other formats."""
    ends: str | None
    """Until when matches begin in an arena; null in other formats, and before the start."""


class TournamentView(TournamentSummary, frozen=True):
    """A tournament, with the fields that may change within a round."""

    version: Version
    """The version of its stream."""
    reason: str | None
    """Why it was cancelled; null unless it was."""
    next_round: str | None
    """When the next round begins; null while matches of this round are played, in an arena, and after the last one."""


class StandingView(msgspec.Struct, frozen=True):
    """A player in the standings."""

    rank: int
    """The rank; players who are equal by all criteria share one."""
    player: PlayerId
    """The id of the player."""
    nickname: str
    """The player's nickname."""
    rating: int
    """The player's rating in points at registration."""
    bot: bool
    """Whether a program plays for the player."""
    points: float
    """The points."""
    tie_breaks: dict[TieBreak, float]
    """The tie-breaks between players with the same points, in order; see docs/tournaments.md."""
    played: int
    """How many matches the player has played."""
    wins: int
    """How many matches the player won, including those against players who had left a round robin."""
    draws: int
    """How many matches the player drew by sharing the first place."""
    byes: int
    """How many rounds the player had without a match."""
    table: int | None
    """The number of the table at which the player has a running match; null without one."""
    left: LeaveReason | None
    """Why the player gets no further match; null while the player takes part."""


class PairedTable(msgspec.Struct, frozen=True):
    """A match of a tournament."""

    number: int
    """The number of the table in the tournament, from 1."""
    round: int
    """The number of the round."""
    players: tuple[NamedPlayer, ...]
    """By seat."""
    room: RoomName | None
    """The name of the room; null before it is open."""
    epoch: Epoch | None
    match_id: str | None
    """The id of the match; null until it has ended, and without a match."""
    places: tuple[int, ...] | None
    """The place of each seat; null until the match has ended. All 1 for a match that was closed."""
    absent: tuple[Seat, ...]
    """The seats that forfeited, or ran out of time, without making a move."""


class Bye(NamedPlayer, frozen=True):
    """A player without a match in a round."""

    round: int
    """The number of the round."""


class OwnEntry(msgspec.Struct, frozen=True):
    """The caller in a tournament."""

    checked_in: bool
    """Whether the caller has checked in."""
    left: LeaveReason | None
    """Why the caller gets no further match; null while the caller takes part."""
    table: PairedTable | None
    """The caller's running match, or the one that is about to begin."""


def summary_of(listed: ListedTournament, names: Mapping[NameRef, str]) -> TournamentSummary:
    """Return a tournament in the list."""
    terms, ref = listed.terms, listed.organiser_ref
    return copied(
        TournamentSummary,
        terms,
        id=listed.id,
        starts=rfc3339(terms.starts),
        check_in_ms=terms.check_in,
        organiser=NamedPlayer(listed.organiser, names[ref], bool(listed.organiser_bot)) if ref else None,
        status=listed.status,
        players=listed.players,
        round=listed.round,
        rounds=terms.rounds if listed.rounds is None else listed.rounds,
        duration_ms=terms.duration,
        ends=None if listed.until is None else rfc3339(listed.until),
    )


def tournament_view(state: Tournament, listed: ListedTournament, names: Mapping[NameRef, str]) -> TournamentView:
    """Return a tournament; `listed` is the same tournament as the list shows it."""
    time = pairing_time(state) if state.until is None else None
    next_round = None if time is None else rfc3339(time)
    summary, reason = summary_of(listed, names), state.reason or None
    return copied(TournamentView, summary, version=listed.version, reason=reason, next_round=next_round)


UNITS: Mapping[TieBreak, int] = {"buchholz": 2, "sonneborn_berger": 4, "wins": 1}
"""How many units of a stored tie-break make one point or win."""


def standing_view(form: Format, entry: Entry, row: Row, names: Mapping[NameRef, str]) -> StandingView:
    """Return a row of the standings of a tournament of this format."""
    return copied(
        StandingView,
        entry,
        rank=row.rank,
        nickname=names[entry.name_ref],
        points=row.points / 2,
        tie_breaks={name: value / UNITS[name] for name, value in zip(TIE_BREAKS[form], row.tie_breaks, strict=True)},
        played=row.played,
        wins=row.wins,
        draws=row.draws,
        table=entry.table or None,
    )


def table_view(state: Tournament, table: Table, names: Mapping[NameRef, str]) -> PairedTable:
    """Return a table."""
    entries = [state.entries[player] for player in table.players]
    players = tuple(NamedPlayer(entry.player, names[entry.name_ref], entry.bot) for entry in entries)
    return copied(PairedTable, table, players=players, match_id=table.match_id or None, places=table.places or None)


def own_entry(state: Tournament, player: PlayerId, names: Mapping[NameRef, str]) -> OwnEntry | None:
    """Return a player in a tournament; None for a player who never took part."""
    entry = state.entries.get(player)
    if entry is None:
        return OwnEntry(checked_in=False, left="removed", table=None) if player in state.removed else None
    table = state.tables[entry.table] if entry.table else None
    return OwnEntry(entry.is_checked_in, entry.left, None if table is None else table_view(state, table, names))


async def names_in(names: PlayerNames, state: Tournament, players: Iterable[PlayerId]) -> dict[NameRef, str]:
    """Return the nicknames of some players of a tournament, and of its organiser."""
    refs = {state.entries[player].name_ref for player in players if player in state.entries}
    return await names.find(refs | ({state.organiser_ref} if state.organiser_ref else set()))
