"""The stream of a player. Its events are stored: a change of a field needs an upcaster."""

from collections.abc import Mapping, Sequence
from typing import Literal

import msgspec
from msgspec.structs import replace

from service.domain.challenges.kind import OpenChallenges, evolve_challenges
from service.domain.challenges.model import AnyChallengeEvent, Challenge, ChallengeEvent
from service.domain.game import Event, Seat
from service.domain.ids import Epoch, Millis, Moment, PlayerId, RoomName, Version
from service.domain.ratings.model import RatingChanged
from service.domain.room.model.notices import MatchBegan, MatchFinished, Notice, OperatorNotice, PlayerEvent, TurnBegan
from service.domain.streams import Change, Record, Source, StreamKind, Summary
from service.domain.tournaments.model import TournamentLeft, TournamentMatch, TournamentOver


class SeekMatched(PlayerEvent, frozen=True):
    """A room was opened for the player's seek; the player has to be ready there before the deadline."""

    room: RoomName
    """The name of the room."""
    epoch: Epoch
    game: str
    seek: str
    """The id of the seek."""
    seat: Seat
    deadline: Moment
    """Until when the player has to be ready."""


class SeekResumed(PlayerEvent, frozen=True):
    """Another player did not appear: the player's seek is in its place in the queue again."""

    game: str
    seek: str
    """The id of the seek."""


class SeekDropped(PlayerEvent, frozen=True):
    """A seek of the player ended without a match."""

    game: str
    seek: str
    """The id of the seek."""
    reason: Literal["expired", "absent", "refused"]
    """It was not renewed; the player was not ready in time; or the player could not enter the room."""


class WebhookDisabled(PlayerEvent, frozen=True):
    """Nothing is sent to a webhook of the player until it is verified again."""

    webhook: str
    """The id of the webhook."""
    url: str
    """The URL of the endpoint."""
    reason: Literal["failing", "gone", "no_secret"]
    """It failed for a day; the endpoint answered 410; or its secret is lost and has to be rotated."""


class Summarised(Summary, frozen=True):
    """The state of the stream at this point, so that everything before can be deleted."""

    delivered: dict[str, Version]
    """The latest version that each room delivered; see `PlayerState`."""
    challenges: tuple[Challenge, ...] = ()
    """The open challenges in which the player takes part."""
    turns: dict[str, Version] | None = None
    """The latest version at which each room delivered a turn; None by releases that delivered every turn."""


TournamentNews = TournamentMatch | TournamentLeft | TournamentOver

Delivered = (
    Notice
    | SeekMatched
    | SeekResumed
    | SeekDropped
    | WebhookDisabled
    | RatingChanged
    | AnyChallengeEvent
    | TournamentNews
)
"""What other streams deliver to players, and clients read."""

ToOperator = MatchBegan | MatchFinished | OperatorNotice | WebhookDisabled
"""What is delivered to the operator, and sent to the operator's webhooks."""

AnyPlayerEvent = Delivered | OperatorNotice | Summarised
"""Every event of a player's stream."""


SOURCES_KEPT = 256
"""How many rooms' latest deliveries are remembered. A repeated delivery comes seconds after the first one."""


CHALLENGES_KEPT = 100
"""How many open challenges of a player with others whom they have met are remembered."""

STRANGERS_KEPT = 50
"""How many open challenges with strangers are remembered besides, so that these displace none of the others."""

MOST_OF_STRANGERS = 20
"""How many open challenges of strangers a player can have; the rest is for those that arrive at the same time."""


class PlayerState(msgspec.Struct, frozen=True):
    """What later decisions need of a player's past."""

    id: PlayerId
    delivered: dict[str, Version] = {}
    """By room, as `<name>:<epoch>`, the latest version from which something was delivered; the latest room is last."""

    turns: dict[str, Version] = {}
    """The same of turns only: those that nobody read are delivered later, perhaps after something else."""

    challenges: OpenChallenges = {}
    """The open challenges in which the player takes part, by id, the oldest first."""

    def can_be_asked(self, *, by_stranger: bool) -> bool:
        """Return whether the player can receive one more challenge; each of the two kinds has a bound of its own."""
        received = sum(self.id in each.strangers for each in self.challenges.values())
        if by_stranger:
            return received < MOST_OF_STRANGERS
        return len(self.challenges) - received < CHALLENGES_KEPT // 2

    def has(self, event: Event, source: Source) -> bool:
        """Return whether an event that a room delivered at a version has already arrived."""
        known = self.turns if isinstance(event, TurnBegan) else self.delivered
        return known.get(source.stream, 0) >= source.version


def evolve(state: PlayerState, record: Record) -> PlayerState:
    """Return the state after an event."""
    if isinstance(record.event, Summarised):
        delivered, turns = record.event.delivered, record.event.turns
        challenges = {each.id: each for each in record.event.challenges}
        turns = dict(delivered if turns is None else turns)
        return replace(state, delivered=dict(delivered), turns=turns, challenges=challenges)
    if record.source is not None:
        state = replace(state, delivered=with_source(state.delivered, record.source))
    if record.source is not None and isinstance(record.event, TurnBegan):
        state = replace(state, turns=with_source(state.turns, record.source))
    if isinstance(record.event, ChallengeEvent):
        state = replace(state, challenges=latest(evolve_challenges(state.challenges, record.event), state.id))
    return state


def latest(known: OpenChallenges, player: PlayerId) -> OpenChallenges:
    """Return the latest of a player's open challenges, those of strangers and the others each up to their bound."""
    of_strangers = [each for each, challenge in known.items() if player in challenge.strangers]
    others = [each for each in known if each not in set(of_strangers)]
    kept = {*of_strangers[-STRANGERS_KEPT:], *others[-CHALLENGES_KEPT:]}
    return {each: challenge for each, challenge in known.items() if each in kept}


def with_source(delivered: dict[str, Version], source: Source) -> dict[str, Version]:
    """Return the latest deliveries with one more."""
    kept = delivered.copy()
    kept.pop(source.stream, None)
    kept[source.stream] = source.version
    return kept if len(kept) <= SOURCES_KEPT else dict([*kept.items()][-SOURCES_KEPT:])


def deliver(state: PlayerState, changes: Sequence[Change]) -> list[Change]:
    """Return the delivered events that are not yet in the stream, without turns that later ones make outdated.

    All have a source; the versions of each source increase.
    """
    fresh = [change for change in changes if change.source is not None and not state.has(change.event, change.source)]
    turns = {(turn.room, turn.epoch): change for change in fresh if isinstance(turn := change.event, TurnBegan)}
    return [change for change in fresh if not is_outdated(change, turns)]


def is_outdated(change: Change, turns: Mapping[tuple[RoomName, Epoch], Change]) -> bool:
    """Return whether a change begins a turn of a room that is over; `turns` are the latest ones."""
    event = change.event
    return isinstance(event, TurnBegan) and turns[event.room, event.epoch] is not change


def summary(state: PlayerState, until: Millis) -> Summarised:
    """Return the summary of a state."""
    return Summarised(until, state.delivered, tuple(state.challenges.values()), state.turns)


PLAYERS: StreamKind[PlayerState] = StreamKind(
    event=AnyPlayerEvent,
    start=lambda name: PlayerState(PlayerId(name)),
    evolve=evolve,
    summary=summary,
    has_webhooks=True,
)
"""The streams of players."""
