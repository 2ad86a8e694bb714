"""Nicknames in players' own feeds: stored events refer to them, and they are looked up before events are sent."""

from collections.abc import Sequence

from msgspec.structs import replace

from service.domain.streams import Record
from service.store.player_names import PlayerNames


async def name_records(names: PlayerNames, records: Sequence[Record]) -> list[Record]:
    """Return events with the nicknames to which they refer."""
    return [replace(record, event=await names.named(record.event)) for record in records]
