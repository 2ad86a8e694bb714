"""What is delivered to the operator: openings and closings of rooms, and matches between people, in all rooms."""

from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from service.domain.room.model.notices import MatchBegan, MatchFinished, OperatorNotice
from service.domain.room.subjects.privacy import OPERATOR
from service.domain.streams import Change, Source
from service.domain.webhooks.kind import WEBHOOKS
from service.domain.webhooks.model import Webhooks
from service.people.player_service import Deliveries
from service.store.contract import Store
from service.store.stream_keys import webhooks_key
from service.streams.repository import StreamRepository

OF_ROOMS = MatchBegan | MatchFinished | OperatorNotice
"""What the operator gets of rooms."""


class OperatorEvents:
    """Addresses what is delivered: the operator gets what happens in rooms only if there are webhooks for it."""

    def __init__(self, store: Store) -> None:
        self._repository: StreamRepository[Webhooks] = StreamRepository(store, WEBHOOKS, size=1)

    async def address(self, deliveries: Deliveries) -> Deliveries:
        """Return what is delivered to players, and to the operator."""
        others = {player: changes for player, changes in deliveries.items() if player != OPERATOR}
        own = [change for change in deliveries.get(OPERATOR, []) if not isinstance(change.event, OF_ROOMS)]
        events = operator_events(deliveries.values())
        if events and (await self._repository.current(webhooks_key(OPERATOR))).state.webhooks:
            own += events
        return {**others, OPERATOR: own} if own else others


def operator_events(deliveries: Iterable[list[Change]]) -> list[Change]:
    """Return each event of rooms once, those of a room in order; a match begins with the seats of all its players."""
    found: dict[tuple[Source | None, str], Change] = {}
    for changes in deliveries:
        for change in changes:
            if isinstance(change.event, OF_ROOMS):
                about = change.event.match_id if isinstance(change.event, MatchBegan | MatchFinished) else ""
                key = (change.source, f"{type(change.event).__name__} {about}")
                known = found.get(key)
                found[key] = change if known is None else with_seats(known, change)
    rooms = {source.stream: number for number, (source, _) in reversed([*enumerate(found)]) if source is not None}
    return sorted(found.values(), key=lambda change: place_of(change, rooms))


def with_seats(known: Change, other: Change) -> Change:
    """Return the beginning of a match with the seats of one more player."""
    if not isinstance(known.event, MatchBegan) or not isinstance(other.event, MatchBegan):
        return known
    seats = tuple(sorted({*known.event.seats, *other.event.seats}))
    return replace(known, event=replace(known.event, seats=seats))


def place_of(change: Change, rooms: Mapping[str, int]) -> tuple[int, int]:
    """Return the sort key of a change: its room, then its version there."""
    source = change.source
    return (0, 0) if source is None else (rooms[source.stream], source.version)
