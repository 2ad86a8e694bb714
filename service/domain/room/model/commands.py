"""What may be asked of a room, as it stands on the wire."""

from typing import Annotated, Any, Literal

import msgspec

from service.domain.game import Level, Seat, snake_case
from service.domain.room.model.events import Role
from service.domain.room.model.ids import PlayerId, Version
from service.domain.room.model.settings import Password

SeatNumber = Annotated[Seat, msgspec.Meta(ge=0, le=15)]
OfferNumber = Annotated[int, msgspec.Meta(ge=1, le=2**53)]
Nickname = Annotated[str, msgspec.Meta(min_length=1, max_length=200)]
"""Judged after normalisation by `names.nickname`; the length here only bounds the work."""


Salt = Annotated[str, msgspec.Meta(max_length=128)]
"""A player's part in the chance of the next match; whatever they like."""


class Command(msgspec.Struct, frozen=True, tag=snake_case, tag_field="type", forbid_unknown_fields=True):
    """Something asked of a room by a player, in the imperative."""


class Join(Command, frozen=True):
    """Come in; a player gets the seat asked for or the lowest free one, a spectator none."""

    role: Role = msgspec.field(name="as", default="player")
    nickname: Nickname | None = None
    seat: SeatNumber | None = None
    password: Password | None = None
    """Of a private room."""


class Kick(Command, frozen=True):
    """Send somebody away for good; during their match it opens an offer to the others; by the creator."""

    player: PlayerId


class Mute(Command, frozen=True):
    """Mute somebody in the room's chat, or let them speak again; by the creator."""

    player: PlayerId
    on: bool


class ClaimAbandoned(Command, frozen=True):
    """Claim the match against a seat on which nobody has played for longer than the room's grace."""

    seat: SeatNumber
    outcome: Literal["win", "draw", "bot"]
    """The seat forfeits the match, the match is drawn (where other humans sit, if they agree), or a bot takes over."""


class Leave(Command, frozen=True):
    """Go, seats and all."""


class TakeSeat(Command, frozen=True):
    """Sit down; before a match this moves the player who already sits."""

    seat: SeatNumber


class LeaveSeat(Command, frozen=True):
    """Stand up but stay."""

    seat: SeatNumber | None = None


class Ready(Command, frozen=True):
    """Say that the next match may begin; sent again with another salt, it replaces the salt for that match."""

    salt: Salt | None = None
    """Is mixed into the chance of the next match. Refused during a match: its `match_ended` publishes the next hash."""


class Unready(Command, frozen=True):
    """Say that no next match may begin."""


class AssignSeats(Command, frozen=True):
    """Place the players, which decides the colours and the turn order; by the creator, between matches."""

    seats: Annotated[tuple[PlayerId | None, ...], msgspec.Meta(max_length=16)]


class AddBot(Command, frozen=True):
    """Let a bot of the house take a seat, the lowest free one if none is named; by the creator, at any time."""

    level: Level
    seat: SeatNumber | None = None


class RemoveBot(Command, frozen=True):
    """Send the bot on a seat away; by the creator, at any time."""

    seat: SeatNumber


class Configure(Command, frozen=True):
    """Change options and settings from the next match on; what is left out stays as it is; by the creator."""

    options: dict[str, Any] | None = None
    """The game's own options, those that change."""
    settings: dict[str, Any] | None = None
    """The room's settings, those that change."""


class VetoNext(Command, frozen=True):
    """Say, during a match or after it, that no next one is to begin by itself until one is ready anew."""


class Start(Command, frozen=True):
    """Begin the match, where the room leaves that to the creator."""


class Close(Command, frozen=True):
    """End the room and free its name; by the creator."""


class Play(Command, frozen=True):
    """Make a move; its form is the game's own."""

    move: dict[str, Any]
    seat: SeatNumber | None = None


class Resign(Command, frozen=True):
    """Drop out of the running match."""

    seat: SeatNumber | None = None


class OfferDraw(Command, frozen=True):
    """Ask for a draw; who asks for what another has offered accepts it, here and below.

    Bots judge the position and answer too; where one sits, a draw can be offered once at each position.
    """


class RequestTakeback(Command, frozen=True):
    """Ask to return to the position before the own last turn."""


class RequestRestart(Command, frozen=True):
    """Ask for the same match once more, with its layout and its first player; it may be over already."""


class RequestNew(Command, frozen=True):
    """Ask for another match at once, instead of this one or after it."""


class Answer(Command, frozen=True):
    """Accept or decline an offer; the holder of several seats answers once."""

    offer: OfferNumber
    accept: bool


class Withdraw(Command, frozen=True):
    """Take an own offer back."""

    offer: OfferNumber


class Proceed(Command, frozen=True):
    """Do what is due now. Issued by the house only."""

    company: bool = True
    """Whether a human is present; without one no next match begins by itself."""


class Desert(Command, frozen=True):
    """Note that a seated player is not there. Issued by the house only."""

    player: PlayerId


class Return(Command, frozen=True):
    """Note that a seated player is there again. Issued by the house only."""

    player: PlayerId


class Shut(Command, frozen=True):
    """End the room and free its name. Issued by an operator only."""


class PlayFor(Command, frozen=True):
    """Make a move on a seat for which the house plays: a bot's, or one whose time ran out. Issued by the house only."""

    seat: Seat
    move: dict[str, Any]
    version: Version
    """The latest event that this move answers."""


class AnswerFor(Command, frozen=True):
    """Accept or decline a draw offer for the bot on a seat. Issued by the service only."""

    seat: Seat
    offer: int
    accept: bool


MemberCommand = (
    Play  # first, as it is asked most by far: `isinstance` tries one after the other
    | Leave
    | TakeSeat
    | LeaveSeat
    | Ready
    | Unready
    | AssignSeats
    | AddBot
    | RemoveBot
    | Kick
    | Mute
    | Configure
    | VetoNext
    | Start
    | Close
    | Resign
    | OfferDraw
    | RequestTakeback
    | RequestRestart
    | RequestNew
    | Answer
    | Withdraw
    | ClaimAbandoned
)
PlayerCommand = Join | MemberCommand
HouseCommand = Proceed | PlayFor | AnswerFor | Shut | Desert | Return
AnyCommand = PlayerCommand | HouseCommand
