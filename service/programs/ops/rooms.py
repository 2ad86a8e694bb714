"""`turnstream rooms`: operators list, inspect and close rooms."""

import argparse
from datetime import UTC, datetime

import msgspec

from service.domain.room.due import due
from service.programs.ops.data_loss import require_no_loss
from service.programs.ops.exports.room_iteration import every_room, rooms_named
from service.programs.ops.verbs import Site, say
from service.streams.errors import ServiceError


async def list_rooms(site: Site, arguments: argparse.Namespace) -> int:
    """Print one line per room, with tabs or as JSON."""
    for key in await every_room(site.store, live=not arguments.all):
        found: dict[str, object] = {"room": f"{key.name}:{key.epoch}"}
        try:
            room = (await site.rooms.loaded(key)).state
        except ServiceError as refused:
            found["problem"] = refused.problem.code
        else:
            found |= {
                "game": room.table.game,
                "status": room.table.status,
                "seats": f"{sum(holder is not None for holder in room.table.seats)}/{len(room.table.seats)}",
                "version": room.version,
                "changed": when(room.time),
            }
        say(msgspec.json.encode(found).decode() if arguments.json else "\t".join(map(str, found.values())))
    return 0


async def inspect_room(site: Site, arguments: argparse.Namespace) -> int:
    """Print the state of a room without hidden information of its seats."""
    [key] = await rooms_named(site.store, [arguments.name])
    live = await site.rooms.loaded(key)
    table, moment = live.state.table, due(live.state)
    summary = {
        "room": f"{key.name}:{key.epoch}",
        "title": table.title,
        "game": table.game,
        "options": table.options,
        "status": table.status,
        "opened": when(table.opened),
        "changed": when(live.state.time),
        "version": live.head.version,
        "matches": table.matches,
        "seats": table.seats,
        "members": {player: member.nickname for player, member in table.members.items()},
        "due": None if moment is None else f"{moment.why} at {when(moment.at)}",
    }
    say(msgspec.json.format(msgspec.json.encode(summary)).decode())
    return 0


async def close_room(site: Site, arguments: argparse.Namespace) -> int:
    """Close a room. Raises `StoreLost`."""
    await require_no_loss(site.store, site.settings)
    [key] = await rooms_named(site.store, [arguments.name])
    await site.rooms.close_room(key, arguments.reason)
    say(f"{key.name}:{key.epoch} is closed")
    return 0


def when(moment: int) -> str:
    """Return a time for people."""
    return datetime.fromtimestamp(moment / 1000, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
