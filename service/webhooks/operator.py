"""What the operator's webhooks are sent: the beginning and the end of matches between people, in all rooms."""

from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from service.domain.room.model.ids import PlayerId
from service.domain.room.model.notices import MatchBegan, MatchFinished
from service.domain.room.subjects.privacy import OPERATOR
from service.domain.streams import Change, Source
from service.domain.webhooks.kind import WEBHOOKS
from service.domain.webhooks.model import Webhooks
from service.store.contract import Store
from service.store.stream_keys import webhooks_key
from service.streams.repository import StreamRepository


class OperatorEvents:
    """Adds what the operator is sent to what is delivered to players, if the operator has webhooks."""

    def __init__(self, store: Store) -> None:
        """Take the store of the operator's webhooks."""
        self._repository: StreamRepository[Webhooks] = StreamRepository(store, WEBHOOKS, size=1)

    async def of(self, deliveries: Iterable[list[Change]]) -> Mapping[PlayerId, list[Change]]:
        """Return the operator's events among what is delivered to players; nothing without webhooks of the operator."""
        events = operator_events(deliveries)
        if not events:
            return {}
        stream = await self._repository.current(webhooks_key(OPERATOR))
        return {OPERATOR: events} if stream.state.webhooks else {}


def operator_events(deliveries: Iterable[list[Change]]) -> list[Change]:
    """Return each beginning and end of a match once, with the seats of all its players; each room's in order."""
    found: dict[tuple[Source | None, str, str], Change] = {}
    for changes in deliveries:
        for change in changes:
            if isinstance(change.event, MatchBegan | MatchFinished):
                key = (change.source, type(change.event).__name__, change.event.match_id)
                known = found.get(key)
                found[key] = change if known is None else with_seats(known, change)
    rooms = {source.stream: number for number, (source, *_) in reversed([*enumerate(found)]) if source is not None}
    return sorted(found.values(), key=lambda change: place_of(change, rooms))


def with_seats(known: Change, other: Change) -> Change:
    """Return the beginning of a match with the seats of one more player."""
    if not isinstance(known.event, MatchBegan) or not isinstance(other.event, MatchBegan):
        return known
    seats = tuple(sorted({*known.event.seats, *other.event.seats}))
    return replace(known, event=replace(known.event, seats=seats))


def place_of(change: Change, rooms: Mapping[str, int]) -> tuple[int, int]:
    """Return where a change belongs: by its room, then by its version there."""
    source = change.source
    return (0, 0) if source is None else (rooms[source.stream], source.version)
