"""The events of a player's stream. They are stored: a change of a field needs an upcaster."""

from typing import Literal

from service.domain.challenges.model import AnyChallengeEvent, Challenge
from service.domain.game import Seat
from service.domain.ids import Epoch, Moment, RoomName, Version
from service.domain.ratings.model import RatingChanged
from service.domain.room.model.notices import MatchBegan, MatchFinished, Notice, OperatorNotice, PlayerEvent
from service.domain.streams import Summary
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
