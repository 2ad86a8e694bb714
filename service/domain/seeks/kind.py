"""The stream of seeks: its fold, its summary, and what it delivers to players."""

from collections.abc import Iterator, Sequence

from service.domain.game import Event, Seat
from service.domain.ids import Millis
from service.domain.players.kind import SeekDropped, SeekMatched, SeekResumed
from service.domain.seeks.decide import due
from service.domain.seeks.evolve import evolve
from service.domain.seeks.model import PairingFailed, PairingOpened, SeekEvent, SeeksExpired, SeeksSummarised
from service.domain.seeks.queue import Seeks
from service.domain.streams import Outgoing, Record, StreamKind


def summary(state: Seeks, until: Millis) -> SeeksSummarised:
    """Return the summary of a state."""
    seeks, pairings = tuple(state.seeks.by_id.values()), tuple(state.pairings.values())
    return SeeksSummarised(until, seeks, pairings, state.misses, state.widened, state.found)


def deliveries(state: Seeks, records: Sequence[Record]) -> Iterator[Outgoing]:
    """Yield what to deliver to whom for events that follow a state."""
    for record in records:
        yield from from_event(state, record.event)
        state = evolve(state, record)


def from_event(state: Seeks, event: Event) -> Iterator[Outgoing]:
    """Yield what one event means to players."""
    match event:
        case PairingOpened(pairing_id, room, epoch, deadline):
            pairing = state.pairings[pairing_id]
            for seat, each in enumerate(pairing.seats):
                yield Outgoing(each.player, SeekMatched(room, epoch, pairing.game, each.id, Seat(seat), deadline))
        case PairingFailed(pairing_id, absent, reason):
            pairing = state.pairings[pairing_id]
            for each in pairing.seats:
                if each.player in absent:
                    yield Outgoing(each.player, SeekDropped(pairing.game, each.id, reason))
                else:
                    yield Outgoing(each.player, SeekResumed(pairing.game, each.id))
        case SeeksExpired(ended):
            for seek_id in ended:
                gone = state.seeks[seek_id]
                yield Outgoing(gone.player, SeekDropped(gone.game, seek_id, "expired"))


SEEKS: StreamKind[Seeks] = StreamKind(
    event=SeekEvent,
    start=lambda _: Seeks(),
    evolve=evolve,
    summary=summary,
    due=due,
    deliveries=deliveries,
)
"""The stream of all seeks."""
