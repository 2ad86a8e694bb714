"""The projections of a room that are written with its events: lobby entry, match index and due time."""

from collections.abc import Sequence

import msgspec

from service.domain.ratings.eligible import match_to_rate
from service.domain.room.evolve import evolve
from service.domain.room.model.events import Recorded
from service.domain.room.model.state import Room
from service.domain.room.notices import notices, turns_begun
from service.domain.room.subjects.absence import abandoned_since
from service.domain.streams import StreamKind
from service.domain.tournaments.results import result_to_report
from service.rooms.match_index import BOUNDS, MatchEntry, can_be_notable, match_entry, played_matches
from service.rooms.views.lobby_entry import LobbyRecord
from service.store.contract import Batch, Entry, LobbyRow
from service.store.outbox import ENCODER
from service.store.stream_keys import NOTABLE, PLAYED, PLAYER, RATINGS, TOURNAMENTS
from service.streams.processor import Decision


def room_batch(_kind: StreamKind[Room], before: Room | None, decision: Decision, entries: tuple[Entry, ...]) -> Batch:
    """Return the batch of a command: its events, the projections that they change, and what they deliver."""
    after, history, due = decision.state, decision.records, decision.due
    if before is not None and before.table is after.table:  # as after nearly every move
        return Batch(entries, due, outbox=turn_deliveries(before, after), read_at=history[-1].time)
    matches = match_entries(before, history)
    return Batch(
        entries,
        due,
        lobby=lobby_row(after),
        matches=tuple((match.number, msgspec.json.encode(match)) for match in matches),
        name="claim" if before is None else "free" if after.table.status == "closed" else "",
        outbox=deliveries(before, after, history, matches),
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
        match=None if room.match is None or room.match.result is not None else room.match.number,
    )
    return LobbyRow(table.opened, msgspec.json.encode(entry))


def match_entries(before: Room | None, history: Sequence[Recorded]) -> list[MatchEntry]:
    """Return the index entries of the matches that these events start or end."""
    entries: dict[int, MatchEntry] = {}
    room = before
    for recorded in history:
        room = evolve(room, recorded)
        if type(recorded.event) in BOUNDS and room.match is not None:
            entries[room.match.number] = match_entry(room, room.match, recorded)
    return list(entries.values())


def turn_deliveries(before: Room, after: Room) -> bytes:
    """Return what a command delivers that leaves the table as it is: the turn that it begins, encoded once a match."""
    turns = before.match and before.match.to_move, after.match and after.match.to_move
    known = after.table.turn_deliveries
    if turns not in known:
        known[turns] = deliveries(before, after, (), ())
    return known[turns]


def waiting_turns(room: Room) -> bytes:
    """Return what is delivered about the turns that have begun, in its stored form, b"" for nothing."""
    turns = turns_begun(None, room) if len(room.table.persons) > 1 else []
    return ENCODER.encode([(player, turn, PLAYER) for player, turn in turns]) if turns else b""


def deliveries(before: Room | None, after: Room, history: Sequence[Recorded], matches: Sequence[MatchEntry]) -> bytes:
    """Return what a command delivers to other streams and projections in its stored form, b"" for nothing."""
    own = notices(before, after, history)
    found: list[tuple[str, msgspec.Struct | str, str]] = [(player, notice, PLAYER) for player, notice in own]
    if matches:
        if (to_rate := match_to_rate(before, after, history)) is not None:
            found.append((*to_rate, RATINGS))
        if (to_report := result_to_report(after, history)) is not None:
            found.append((*to_report, TOURNAMENTS))
        played = (each for entry in matches for each in played_matches(entry))
        found += [(player, match, PLAYED) for player, match in played]
        found += [(match.game, match.id, NOTABLE) for match in matches if can_be_notable(match)]
    return ENCODER.encode(found) if found else b""
