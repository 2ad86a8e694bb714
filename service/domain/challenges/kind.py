"""The streams of players' challenges: their fold, their summary, and what they deliver to players."""

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from service.domain.challenges.decide import due
from service.domain.challenges.evolve import evolve_challenges
from service.domain.challenges.model import (
    ChallengeMade,
    Challenges,
    ChallengesSummarised,
    OpenChallengeEvent,
    StoredChallengeEvent,
)
from service.domain.ids import Millis, PlayerId
from service.domain.streams import Outgoing, Record, StreamKind


def fold(state: Challenges, record: Record) -> Challenges:
    """Return the state after an event."""
    if isinstance(record.event, ChallengesSummarised):
        return replace(state, open={each.id: each for each in record.event.challenges})
    return replace(state, open=evolve_challenges(state.open, record.event))


def summary(state: Challenges, until: Millis) -> ChallengesSummarised:
    """Return the summary of a state."""
    return ChallengesSummarised(until, tuple(state.open.values()))


def deliveries(state: Challenges, records: Sequence[Record]) -> Iterator[Outgoing]:
    """Yield each event for all players who take part in its challenge; that it was made, for those who are asked."""
    for record in records:
        event = record.event
        if isinstance(event, ChallengeMade):
            yield from (Outgoing(player, event) for player in event.challenge.players if player != state.by)
        elif isinstance(event, OpenChallengeEvent):
            yield from (Outgoing(player, event) for player in state.open[event.challenge].players)
        state = fold(state, record)


CHALLENGES: StreamKind[Challenges] = StreamKind(
    event=StoredChallengeEvent,
    start=lambda player: Challenges(PlayerId(player)),
    evolve=fold,
    summary=summary,
    due=due,
    deliveries=deliveries,
)
"""The streams of players' challenges."""
