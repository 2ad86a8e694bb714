"""The streams of players' challenges: their fold, their summary, and what they deliver to players.

What a player made and what a player received are folded alike.
"""

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from service.domain.challenges import model
from service.domain.challenges.decide import due
from service.domain.challenges.model import Challenge, ChallengeId, Challenges, Seated, SeatedPlayer
from service.domain.game import Event
from service.domain.ids import Millis, PlayerId
from service.domain.streams import Outgoing, Record, StreamKind

OpenChallenges = dict[ChallengeId, Challenge]


def evolve_challenges(challenges: OpenChallenges, event: Event) -> OpenChallenges:
    """Return the open challenges after an event; other events change nothing."""
    match event:
        case model.ChallengeMade(challenge):
            return {**challenges, challenge.id: challenge}
        case model.ChallengeAccepted(challenge=identity) if identity in challenges:
            return {**challenges, identity: accepted(challenges[identity], event)}
        case model.OpenChallengeEvent(challenge=identity):
            return {known: challenge for known, challenge in challenges.items() if known != identity}
    return challenges


def accepted(challenge: Challenge, event: model.ChallengeAccepted) -> Challenge:
    """Return a challenge that one more player has accepted."""

    def seated(each: Seated) -> Seated:
        is_same = isinstance(each, SeatedPlayer) and each.player == event.player
        return SeatedPlayer(event.player, event.nickname, event.bot, event.name_ref) if is_same else each

    return replace(challenge, seats=tuple(seated(each) for each in challenge.seats))


def fold(state: Challenges, record: Record) -> Challenges:
    """Return the state after an event."""
    if isinstance(record.event, model.ChallengesSummarised):
        return replace(state, open={each.id: each for each in record.event.challenges})
    return replace(state, open=evolve_challenges(state.open, record.event))


def summary(state: Challenges, until: Millis) -> model.ChallengesSummarised:
    """Return the summary of a state."""
    return model.ChallengesSummarised(until, tuple(state.open.values()))


def deliveries(state: Challenges, records: Sequence[Record]) -> Iterator[Outgoing]:
    """Yield each event for all players who take part in its challenge; that it was made, for those who are asked."""
    for record in records:
        event = record.event
        if isinstance(event, model.ChallengeMade):
            yield from (Outgoing(player, event) for player in event.challenge.players if player != state.by)
        elif isinstance(event, model.OpenChallengeEvent):
            yield from (Outgoing(player, event) for player in state.open[event.challenge].players)
        state = fold(state, record)


CHALLENGES: StreamKind[Challenges] = StreamKind(
    event=model.StoredChallengeEvent,
    start=lambda player: Challenges(PlayerId(player)),
    evolve=fold,
    summary=summary,
    due=due,
    deliveries=deliveries,
)
"""The streams of players' challenges."""
