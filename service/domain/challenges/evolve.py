"""The fold of open challenges; what a player made and what a player received are folded alike."""

from msgspec.structs import replace

from service.domain.challenges.model import (
    Challenge,
    ChallengeAccepted,
    ChallengeId,
    ChallengeMade,
    OpenChallengeEvent,
    Seated,
    SeatedPlayer,
)
from service.domain.game import Event

OpenChallenges = dict[ChallengeId, Challenge]


def evolve_challenges(challenges: OpenChallenges, event: Event) -> OpenChallenges:
    """Return the open challenges after an event; other events change nothing."""
    match event:
        case ChallengeMade(challenge):
            return {**challenges, challenge.id: challenge}
        case ChallengeAccepted(challenge=identity) if identity in challenges:
            return {**challenges, identity: accepted(challenges[identity], event)}
        case OpenChallengeEvent(challenge=identity):
            return {known: challenge for known, challenge in challenges.items() if known != identity}
    return challenges


def accepted(challenge: Challenge, event: ChallengeAccepted) -> Challenge:
    """Return a challenge that one more player has accepted."""

    def seated(each: Seated) -> Seated:
        is_same = isinstance(each, SeatedPlayer) and each.player == event.player
        return SeatedPlayer(event.player, event.nickname, event.bot, event.name_ref) if is_same else each

    return replace(challenge, seats=tuple(seated(each) for each in challenge.seats))
