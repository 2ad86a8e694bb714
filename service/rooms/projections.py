"""The projections of a room that are written with its events: lobby entry, match index and due time."""

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from service.domain.ratings.eligible import match_to_rate
from service.domain.room.evolve import evolve
from service.domain.room.model import events as happened
from service.domain.room.model.clock import Clock, NoClock
from service.domain.room.model.events import Recorded, Result
from service.domain.room.model.ids import Millis, NameRef, PlayerId, Version
from service.domain.room.model.notices import Notice, OperatorNotice
from service.domain.room.model.state import Match, Room, Status
from service.domain.room.subjects.absence import abandoned_since
from service.store.contract import Batch, Entry, LobbyRow
from service.store.outbox import ENCODER, Delivery
from service.store.stream_keys import RATINGS


class LobbyRecord(msgspec.Struct, frozen=True):
    """A room in the lobby."""

    room: str
    title: str
    epoch: str
    game: str
    options: dict[str, Any]
    status: Status
    seats: int
    seats_taken: int
    players: int
    opened: Millis
    clock: Clock = NoClock()
    rated: bool = False
    spectators: bool = True
    abandoned: Millis | None = None
    """Since when nobody on a seat has been present; None while somebody is."""


class MatchEntry(msgspec.Struct, frozen=True):
    """A match in its room's index; `last` and the fields after it are null while the match is played."""

    id: str
    number: int
    game: str
    first: Version
    started: Millis
    players: tuple[PlayerId | None, ...]
    nicknames: tuple[str | None, ...]
    """The nicknames of the players; stored empty for those with a reference."""
    last: Version | None = None
    ended: Millis | None = None
    result: Result | None = None
    name_refs: tuple[NameRef | None, ...] | UnsetType = UNSET
    """Where the nicknames are stored; unset if that is nowhere else, as for bots and in earlier releases."""


Notices = Sequence[tuple[PlayerId, Notice | OperatorNotice]]
"""What is delivered to players and to the operator."""

BOUNDS = frozenset({happened.MatchStarted, happened.MatchEnded})
"""The types of the events that change the match index."""


def batch(
    before: Room | None,
    after: Room,
    history: Sequence[Recorded],
    entries: tuple[Entry, ...],
    due: Millis | UnsetType | None,
    notices: Notices | None = None,
) -> Batch:
    """Return the batch of a command: its events, every projection that they change, and what they deliver.

    `due` is unset if unchanged; without `notices` nothing is delivered to other streams, as in an import.
    """
    outbox = b"" if notices is None else deliveries(notices, before, after, history)
    if before is not None and before.table is after.table:  # every start and end of a match changes the table
        return Batch(entries, due, outbox=outbox)
    return Batch(
        entries,
        due,
        lobby=lobby_row(after),
        matches=tuple(match_entries(before, history)),
        closes=after.table.status == "closed",
        outbox=outbox,
    )


def lobby_row(room: Room) -> LobbyRow | None:
    """Return the room's lobby entry; None if the lobby does not list the room."""
    table = room.table
    if table.status == "closed" or table.settings.visibility != "public":
        return None
    entry = LobbyRecord(
        room=table.key.name,
        title=table.title,
        epoch=table.key.epoch,
        game=table.game,
        options=table.options,
        status=table.status,
        seats=len(table.seats),
        seats_taken=sum(holder is not None for holder in table.seats),
        players=len(table.members),
        opened=table.opened,
        clock=table.settings.clock,
        rated=table.settings.rated,
        spectators=table.settings.spectators,
        abandoned=abandoned_since(table),
    )
    return LobbyRow(table.opened, msgspec.json.encode(entry))


def match_entries(before: Room | None, history: Sequence[Recorded]) -> list[tuple[int, bytes]]:
    """Return the index entries of the matches that these events start or end."""
    entries: dict[int, bytes] = {}
    room = before
    for recorded in history:
        room = evolve(room, recorded)
        if type(recorded.event) in BOUNDS and room.match is not None:
            entries[room.match.number] = msgspec.json.encode(match_entry(room, room.match, recorded))
    return list(entries.items())


def match_entry(room: Room, match: Match, latest: Recorded) -> MatchEntry:
    """Return the index entry of a match."""
    members = room.table.members
    players = [members.get(player) if player else None for player in match.players]
    refs = tuple([(member.name_ref or None) if member else None for member in players])
    names = [None if member is None else "" if member.name_ref else member.nickname for member in players]
    return MatchEntry(
        id=match.id,
        number=match.number,
        game=room.table.game,
        first=match.first,
        started=match.started,
        players=match.players,
        nicknames=tuple(names),
        name_refs=refs if any(refs) else UNSET,
        last=latest.version if match.result is not None else None,
        ended=match.ended,
        result=match.result,
    )


def deliveries(
    notices: Notices,
    before: Room | None,
    after: Room,
    history: Sequence[Recorded],
) -> bytes:
    """Return what a command delivers to other streams in its stored form, b"" for nothing."""
    found = [Delivery(player, msgspec.Raw(ENCODER.encode(notice))) for player, notice in notices]
    is_ending = before is not None and before.table is not after.table  # as in `batch`
    if is_ending and (to_rate := match_to_rate(before, after, history)) is not None:
        found.append(Delivery(to_rate[0], msgspec.Raw(ENCODER.encode(to_rate[1])), RATINGS))
    return ENCODER.encode(found) if found else b""
