"""Nicknames in rooms: stored data refers to them, and they are looked up when it is read."""

import msgspec
from msgspec.structs import replace

from service.domain.room.model.events import PlayerJoined
from service.domain.room.model.ids import PlayerId
from service.domain.room.model.invitation import InvitationDeclined
from service.domain.room.model.state import Member, Room, Table
from service.rooms.match_index import MatchEntry
from service.store.codec import Stored
from service.store.player_names import PlayerNames

NAMING = (PlayerJoined, InvitationDeclined)
"""The types of the events with a nickname."""


async def name_events(names: PlayerNames, history: list[Stored]) -> list[Stored]:
    """Return events with the nicknames to which they refer."""
    if not any(isinstance(stored.recorded.event, NAMING) for stored in history):
        return history
    return [await name_event(names, stored) for stored in history]


async def name_event(names: PlayerNames, stored: Stored) -> Stored:
    """Return an event with the nickname to which it refers, if any."""
    event = stored.recorded.event
    if not isinstance(event, NAMING):
        return stored
    nickname = await names.shown(event.player, event.nickname, event.name_ref)
    return replace(stored, recorded=replace(stored.recorded, event=replace(event, nickname=nickname)))


async def name_room(names: PlayerNames, room: Room) -> Room:
    """Return a room with the nicknames of its members."""
    members = {
        player: member if member.bot else await name_member(names, player, member)
        for player, member in room.table.members.items()
    }
    return replace(room, table=replace(room.table, members=members))


async def name_member(names: PlayerNames, player: PlayerId, member: Member) -> Member:
    """Return a member with the nickname that is shown."""
    return replace(member, nickname=await names.shown(player, member.nickname, member.name_ref))


def nameless(table: Table) -> Table:
    """Return a table without the nicknames to which it has references."""
    members = {
        player: member if member.name_ref is msgspec.UNSET else replace(member, nickname="")
        for player, member in table.members.items()
    }
    return replace(table, members=members)


async def name_match(names: PlayerNames, entry: MatchEntry) -> MatchEntry:
    """Return the index entry of a match with the nicknames of its players."""
    refs = entry.name_refs or (None,) * len(entry.players)
    shown = [
        None if player is None or nickname is None else await names.shown(player, nickname, ref or msgspec.UNSET)
        for player, nickname, ref in zip(entry.players, entry.nicknames, refs, strict=True)
    ]
    return replace(entry, nicknames=tuple(shown))
