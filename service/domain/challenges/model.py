"""Challenges, the events of the stream of a player's challenges, and its state."""

from typing import Annotated, Any, Literal

import msgspec

from service.domain.game import Level, Seat
from service.domain.ids import Epoch, Moment, NameRef, PlayerId, RoomName
from service.domain.room.model.clock import Clock
from service.domain.room.model.notices import PlayerEvent
from service.domain.streams import Summary

ChallengeId = Annotated[str, msgspec.Meta(max_length=100)]
"""An unused id, a dot, and the id of the player who made the challenge, in whose stream it is."""

DeclineReason = Literal["not_now", "other_game", "other_clock", "other_options", "rated", "no_bots", "other"]
"""Why a player declines. `not_now`: perhaps later. `other_...`, `rated`: only a different match would be accepted."""


class SeatedPlayer(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="type", tag="player"):
    """A player with a seat."""

    player: PlayerId
    """The id of the player."""
    nickname: str | None = None
    """The player's nickname; absent until an asked player has accepted."""
    bot: bool = False
    """Whether the player declared that a program plays for them; absent for people."""
    name_ref: NameRef | msgspec.UnsetType = msgspec.UNSET
    """Where the nickname is stored; absent without a nickname."""


class SeatedBot(msgspec.Struct, frozen=True, tag_field="type", tag="bot"):
    """A bot of the service with a seat."""

    level: Level
    """The bot's level."""


Seated = SeatedPlayer | SeatedBot


class Challenge(msgspec.Struct, frozen=True):
    """A match that a player proposes to particular other players."""

    id: ChallengeId
    """The id of the challenge."""
    by: PlayerId
    """The id of the player who made it."""
    game: str
    """The game's slug."""
    options: dict[str, Any]
    """All options of the game."""
    clock: Clock
    """The clock of the match."""
    rated: bool
    """Whether the match is rated."""
    seats: tuple[Seated, ...]
    """Who would have which seat."""
    deadline: Moment
    """When it expires."""
    strangers: tuple[PlayerId, ...] = ()
    """The asked players who have not played a match with the one who made it."""

    @property
    def players(self) -> tuple[PlayerId, ...]:
        """All players who take part, without bots of the service."""
        return tuple(each.player for each in self.seats if isinstance(each, SeatedPlayer))

    @property
    def is_accepted(self) -> bool:
        """Whether everybody has accepted; only then all nicknames are known."""
        return all(map(self.is_accepted_by, self.players))

    def is_accepted_by(self, player: PlayerId) -> bool:
        """Return whether a player who takes part has accepted; only then their nickname is known."""
        seated = (each for each in self.seats if isinstance(each, SeatedPlayer) and each.player == player)
        return any(each.nickname is not None for each in seated)


class ChallengeEvent(PlayerEvent, frozen=True):
    """An event of a challenge; the players who take part receive it in their own streams."""


class ChallengeMade(ChallengeEvent, frozen=True):
    """Another player asks you to play."""

    challenge: Challenge
    """The challenge."""


class OpenChallengeEvent(ChallengeEvent, frozen=True):
    """The base of the events of a challenge that has been made."""

    challenge: ChallengeId
    """The id of the challenge."""


class ChallengeAccepted(OpenChallengeEvent, frozen=True):
    """A player accepted a challenge; the match begins once all have."""

    player: PlayerId
    """The id of the player."""
    nickname: str
    """The player's nickname."""
    bot: bool = False
    """Whether the player declared that a program plays for them."""
    name_ref: NameRef | msgspec.UnsetType = msgspec.UNSET
    """Where the nickname is stored."""


class ChallengeDeclined(OpenChallengeEvent, frozen=True):
    """A player declined a challenge, which ends it."""

    player: PlayerId
    """The id of the player."""
    reason: DeclineReason | None
    """The reason; null if the player gave none."""


class ChallengeEnded(OpenChallengeEvent, frozen=True):
    """A challenge ended without a match."""

    reason: Literal["withdrawn", "expired", "refused"]
    """The player who made it withdrew it; not all accepted in time; or a player could not enter the room."""
    player: PlayerId | None = None
    """The player who could not enter the room."""
    code: str | None = None
    """The code of that refusal, as in GET /v1/codes."""


class ChallengeOpened(OpenChallengeEvent, frozen=True):
    """The room of a challenge was opened; the match begins when all players are ready."""

    room: RoomName
    """The name of the room."""
    epoch: Epoch
    game: str
    """The game's slug."""
    seats: dict[PlayerId, Seat]
    """The seats of the players, by their ids."""


class ChallengesSummarised(Summary, frozen=True):
    """The state of the stream at this point, so that everything before can be deleted."""

    challenges: tuple[Challenge, ...]


AnyChallengeEvent = ChallengeMade | ChallengeAccepted | ChallengeDeclined | ChallengeEnded | ChallengeOpened
"""What players receive of a challenge."""

StoredChallengeEvent = AnyChallengeEvent | ChallengesSummarised
"""Every event of the stream of a player's challenges."""


class Challenges(msgspec.Struct, frozen=True):
    """The open challenges of a player."""

    by: PlayerId
    """The player who made them."""
    open: dict[ChallengeId, Challenge] = {}
    """By id, the oldest first."""
