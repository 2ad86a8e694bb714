"""The state of a tournament, and its fold."""

from collections.abc import Iterable, Mapping
from functools import cached_property

import msgspec
from msgspec.structs import replace

from service.domain.game import Seat
from service.domain.ids import Epoch, Millis, NameRef, PlayerId, RoomKey, RoomName
from service.domain.streams import Record
from service.domain.tournaments import model
from service.domain.tournaments.model import LeaveReason, Status, Terms, TournamentId
from service.domain.tournaments.standings import PlayedTable, Row, bye_points, points_of, standings, without_leavers


class Entry(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A player of a tournament."""

    player: PlayerId
    name_ref: NameRef
    rating: int
    bot: bool = False
    left: LeaveReason | None = None
    """Why the player gets no further match; None while they take part."""
    is_checked_in: bool = False
    table: int = 0
    """The number of the table of the player's running match, or of one about to begin; 0 for none."""
    missed: int = 0
    """How many matches the player has lost by absence since they were last present."""
    points: int = 0
    """In halves of a point."""
    opponents: tuple[PlayerId, ...] = ()
    """The opponents in all matches that have been paired, in order."""
    seats: tuple[Seat, ...] = ()
    """The seats in these matches."""
    byes: int = 0
    free_since: Millis = Millis(0)
    """The time since which the player has had no match, in an arena."""

    @property
    def is_active(self) -> bool:
        """Whether the player takes part."""
        return self.left is None


class Table(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A match of a tournament."""

    number: int
    round: int
    players: tuple[PlayerId, ...]
    deadline: Millis
    room: RoomName | None = None
    epoch: Epoch | None = None
    match_id: str = ""
    places: tuple[int, ...] = ()
    """By seat; empty until the match has ended."""
    absent: tuple[Seat, ...] = ()

    @property
    def has_ended(self) -> bool:
        """Whether the match has ended."""
        return bool(self.places)

    @property
    def key(self) -> RoomKey | None:
        """The room; None before it was opened."""
        return None if self.room is None or self.epoch is None else RoomKey(self.room, self.epoch)


class Tournament(msgspec.Struct, frozen=True, dict=True):
    """A tournament."""

    id: TournamentId
    terms: Terms | None = None
    """None before it was created."""
    organiser: PlayerId = PlayerId("")
    organiser_ref: NameRef = NameRef("")
    organiser_bot: bool | msgspec.UnsetType = msgspec.UNSET
    seed: str = ""
    fingerprint: str = ""
    """The fingerprint of the request that created it; empty if that had no idempotency key."""
    status: Status = "registration"
    reason: str = ""
    """Why it was cancelled."""
    began: Millis | None = None
    rounds: int | None = None
    """How many rounds there will be at most; None in an arena, and before the start."""
    until: Millis | None = None
    """Until when matches begin in an arena."""
    round: int = 0
    """The number of the latest round that was paired."""
    byes: tuple[PlayerId, ...] = ()
    """The players who have no match in this round."""
    earlier_byes: dict[int, tuple[PlayerId, ...]] = {}
    """Those of the rounds before it that had some, by round; none in an arena."""
    paired: Millis = Millis(0)
    """When this round was paired."""
    changed: Millis = Millis(0)
    """When the latest match ended or the latest round was paired."""
    given: Millis = Millis(0)
    """Up to when down time has been given back."""
    removed: tuple[PlayerId, ...] = ()
    """The players whom the organiser has removed; they cannot come back."""
    entries: dict[PlayerId, Entry] = {}
    """In the order of registration."""
    tables: dict[int, Table] = {}
    """By number."""
    running: dict[int, None] = {}
    """The numbers of the tables whose matches have not ended."""

    @cached_property
    def standings(self) -> list[Row]:
        """The standings, the best first, of the players who have played, had a bye, or take part."""
        if self.terms is None:
            return []
        played = [PlayedTable(t.round, t.players, t.places, t.absent) for t in self.tables.values() if t.has_ended]
        if (self.terms.format, self.terms.seats) == ("round_robin", 2):
            left = {entry.player for entry in self.entries.values() if not entry.is_active and not entry.table}
            played = without_leavers(played, [*self.entries], left)
        shown = [entry.player for entry in self.entries.values() if entry.is_active or entry.opponents or entry.byes]
        byes = {entry.player: entry.byes for entry in self.entries.values() if entry.byes}
        over = self.round - bool(self.running)
        return standings(self.terms.format, self.terms.seats, shown, played, byes, over)

    def byes_in(self, round_number: int) -> tuple[PlayerId, ...]:
        """Return the players who had no match in a round; none in an arena, where players only wait."""
        if round_number == self.round and self.until is None:
            return self.byes
        return self.earlier_byes.get(round_number, ())

    @cached_property
    def active(self) -> Mapping[PlayerId, Entry]:
        """The players who take part."""
        return {player: entry for player, entry in self.entries.items() if entry.is_active}


def evolve(state: Tournament, record: Record) -> Tournament:  # noqa: C901, PLR0911 - one arm per event
    """Return the state after an event."""
    match record.event:
        case model.TournamentCreated(terms=terms, organiser=organiser, organiser_ref=ref, seed=seed) as created:
            named = replace(state, organiser=organiser, organiser_ref=ref, organiser_bot=created.organiser_bot)
            return replace(named, terms=terms, seed=seed, fingerprint=created.fingerprint)
        case model.PlayerRegistered() as registered:
            return with_entries(state, [registered_entry(state, registered, record.time)])
        case model.PlayerCheckedIn(player=player):
            return with_entries(state, [replace(state.entries[player], is_checked_in=True)])
        case model.PlayerWithdrawn(player=player, reason=reason):
            return without_player(state, player, reason)
        case model.PlayBegan(rounds=rounds, until=until):
            began = replace(state, status="playing", began=record.time, rounds=rounds, until=until)
            return replace(began, changed=record.time, given=record.time)
        case model.RoundPaired() as paired:
            return with_round(state, paired, record.time)
        case model.TableOpened(table=number, room=room, epoch=epoch):
            return with_table(state, replace(state.tables[number], room=room, epoch=epoch))
        case model.TableEnded() as ended:
            return with_result(state, ended, record.time)
        case model.DeadlinesExtended(by=more):
            return with_more_time(state, more, record.time)
        case model.TournamentFinished():
            return replace(state, status="finished")
        case model.TournamentCancelled(reason=reason):
            return without_unopened(replace(state, status="cancelled", reason=reason))
    raise NotImplementedError(type(record.event))


def registered_entry(state: Tournament, registered: model.PlayerRegistered, time: Millis) -> Entry:
    """Return the entry of a player who registers; a player who comes back keeps the earlier results."""
    known = state.entries.get(registered.player, Entry(registered.player, registered.name_ref, registered.rating))
    return replace(
        known,
        name_ref=registered.name_ref,
        bot=registered.bot,
        left=None,
        is_checked_in=False,
        missed=0,
        free_since=time,
    )


def with_entries(state: Tournament, entries: Iterable[Entry]) -> Tournament:
    """Return the state with these entries changed or added."""
    return replace(state, entries={**state.entries, **{entry.player: entry for entry in entries}})


def without_player(state: Tournament, player: PlayerId, reason: LeaveReason) -> Tournament:
    """Return the state after a player has left; before the start, their entry is deleted."""
    removed = (*state.removed, player) if reason == "removed" else state.removed
    if state.began is None:
        entries = {known: entry for known, entry in state.entries.items() if known != player}
        return replace(state, entries=entries, removed=removed)
    return replace(with_entries(state, [replace(state.entries[player], left=reason)]), removed=removed)


def with_table(state: Tournament, table: Table) -> Tournament:
    """Return the state with a table changed or added."""
    return replace(state, tables={**state.tables, table.number: table})


def with_round(state: Tournament, paired: model.RoundPaired, time: Millis) -> Tournament:
    """Return the state after players were paired; a bye counts at once."""
    seats, is_arena = state.terms.seats if state.terms else 2, state.until is not None
    changed: dict[PlayerId, Entry] = {}
    for table in paired.tables:
        for seat, player in enumerate(table.players):
            entry, others = state.entries[player], tuple(other for other in table.players if other != player)
            changed[player] = replace(
                entry,
                table=table.number,
                opponents=(*entry.opponents, *others),
                seats=(*entry.seats, Seat(seat)),
            )
    for player in () if is_arena else paired.byes:
        entry = state.entries[player]
        points = bye_points(state.terms.format, seats) if state.terms else 0
        changed[player] = replace(entry, byes=entry.byes + 1, points=entry.points + points)
    tables = {
        table.number: Table(table.number, paired.round, table.players, paired.deadline) for table in paired.tables
    }
    return replace(
        with_entries(state, changed.values()),
        round=paired.round,
        byes=paired.byes,
        earlier_byes={**state.earlier_byes, state.round: state.byes}
        if state.byes and not is_arena
        else state.earlier_byes,
        tables={**state.tables, **tables},
        running={**state.running, **dict.fromkeys(tables)},
        paired=time,
        changed=time,
    )


def with_result(state: Tournament, ended: model.TableEnded, time: Millis) -> Tournament:
    """Return the state after a match."""
    table = state.tables[ended.table]
    changed = []
    for seat, (player, points) in enumerate(zip(table.players, points_of(ended.places), strict=True)):
        entry = state.entries[player]
        missed = entry.missed + (seat in ended.absent) if seat in {*ended.absent, *ended.unmoved} else 0
        changed.append(replace(entry, table=0, points=entry.points + points, missed=missed, free_since=time))
    done = replace(table, match_id=ended.match_id, places=ended.places, absent=ended.absent)
    running = {number: None for number in state.running if number != ended.table}
    return replace(with_table(with_entries(state, changed), done), running=running, changed=time)


def with_more_time(state: Tournament, more: Millis, time: Millis) -> Tournament:
    """Return the state after down time was given back: before the start, the start is later."""
    if state.terms is not None and state.status == "registration":
        return replace(state, terms=replace(state.terms, starts=Millis(state.terms.starts + more)), given=time)
    running = [state.tables[number] for number in state.running]
    later = {table.number: replace(table, deadline=Millis(table.deadline + more)) for table in running}
    until = None if state.until is None else Millis(state.until + more)
    return replace(state, tables={**state.tables, **later}, until=until, given=time)


def without_unopened(state: Tournament) -> Tournament:
    """Return the state without the tables whose rooms are not open; their players are free."""
    dropped = {number for number in state.running if state.tables[number].room is None}
    return replace(
        with_entries(state, [replace(entry, table=0) for entry in state.entries.values() if entry.table in dropped]),
        tables={number: table for number, table in state.tables.items() if number not in dropped},
        running={number: None for number in state.running if number not in dropped},
    )
