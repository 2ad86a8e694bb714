"""The commands to a room, in the form in which clients send them, and what decides them besides the room."""

from typing import Annotated, Any, Literal

import msgspec

from service.domain.game import Level, Seat, snake_case
from service.domain.ids import Millis, NameRef, Outage, PlayerId, Version
from service.domain.room.model.events import InvitationNumber, InvitationSecret, Role
from service.domain.room.model.settings import Nickname, Password, Salt
from service.domain.validation import MAX_INTEGER


class CommandContext(msgspec.Struct, frozen=True):
    """What a decision needs besides the room and the command: who commands, the time, fresh random bytes."""

    by: PlayerId | None
    """None for a system command."""
    nickname: str
    """The player's nickname outside the room."""
    now: Millis
    seed: bytes
    """32 fresh random bytes, used if a match starts."""
    lock: str | None = None
    """The hash of the password in the command: with the room's salt for `join`, else with a fresh one."""
    program: bool = False
    """Whether the player declared that a program plays for them."""
    outages: tuple[Outage, ...] = ()
    """The latest outages of the service."""
    invitation: InvitationSecret | None = None
    """What is stored of the code of a new invitation, for `invite`."""
    name_ref: NameRef | msgspec.UnsetType = msgspec.UNSET
    """Where the nickname is stored that `join`, `decline_invitation` or the opening of a room chooses."""
    all_present: bool = False
    """Whether all players are known to be present; else the next match does not start automatically."""


SeatNumber = Annotated[Seat, msgspec.Meta(ge=0, le=15)]
OfferNumber = Annotated[int, msgspec.Meta(ge=1, le=MAX_INTEGER)]


InvitationCode = Annotated[str, msgspec.Meta(min_length=1, max_length=64)]
"""The code of an invitation, as its creator received it."""


class Command(msgspec.Struct, frozen=True, tag=snake_case, tag_field="type", forbid_unknown_fields=True):
    """A command to a room."""


class Join(Command, frozen=True):
    """Join the room: as a player with the named seat or the lowest free one, or as a spectator."""

    role: Role = msgspec.field(name="as", default="player")
    nickname: Nickname | None = None
    """The nickname for this room; by default that of the token."""
    seat: SeatNumber | None = None
    password: Password | None = None
    """The password of a private room."""
    invitation: InvitationCode | None = None
    """The code of an invitation, which a private room accepts instead of its password."""


class Invite(Command, frozen=True):
    """Create an invitation for one seat or for a number of players; the reply has its code."""

    uses: Annotated[int, msgspec.Meta(ge=1, le=100)] = 1
    """How many players it admits."""
    expires_ms: Annotated[int, msgspec.Meta(ge=60_000, le=30 * 86_400_000)] = 86_400_000
    """After how many milliseconds it expires."""
    seat: SeatNumber | None = None
    """The only seat that it is for; the seat is not reserved."""


class RevokeInvitation(Command, frozen=True):
    """Revoke your own invitation; the creator of the room can revoke any."""

    invitation: InvitationNumber
    """The number of the invitation in its room."""


class DeclineInvitation(Command, frozen=True):
    """Show the room that you are not coming; the invitation stays open."""

    invitation: InvitationCode
    """The code of the invitation."""
    nickname: Nickname | None = None
    """The nickname that the room is shown; by default that of the token."""


class Kick(Command, frozen=True):
    """Remove somebody from the room permanently; creator only.

    For a player of the running match this makes an offer that the other players have to accept.
    """

    player: PlayerId


class Mute(Command, frozen=True):
    """Mute somebody in the room's chat, or let them write again; creator only."""

    player: PlayerId
    on: bool
    """Whether the player is muted from now on."""


class ClaimAbandoned(Command, frozen=True):
    """Claim a win, a draw or a bot because a seat's player has been absent for longer than `grace_ms`."""

    seat: SeatNumber
    outcome: Literal["win", "draw", "bot"]
    """The seat forfeits the match; the match is drawn, if the other human players agree; or a bot takes the seat."""


class Leave(Command, frozen=True):
    """Leave the room and all seats; a running rated match is forfeited at once."""


class TakeSeat(Command, frozen=True):
    """Take a free seat; between matches, a seated player moves to it."""

    seat: SeatNumber


class LeaveSeat(Command, frozen=True):
    """Leave a seat, but stay in the room."""

    seat: SeatNumber | None = None


class Ready(Command, frozen=True):
    """Declare that you are ready for the next match; sent again with another salt, it replaces the salt."""

    salt: Salt | None = None
    """Is mixed into the chance of the next match; not accepted before `match_ended` has published its seed's hash."""


class Unready(Command, frozen=True):
    """Declare that you are no longer ready."""


class AssignSeats(Command, frozen=True):
    """Assign the seats, and thereby colours and turn order; creator only, between matches."""

    seats: Annotated[tuple[PlayerId | None, ...], msgspec.Meta(max_length=16)]
    """The id of the player for each seat, in turn order; null for an empty seat."""


class AddBot(Command, frozen=True):
    """Give a bot of the service the named seat or the lowest free one; creator only, at any time."""

    level: Level
    """The level of the bot."""
    seat: SeatNumber | None = None


class RemoveBot(Command, frozen=True):
    """Remove the bot that holds a seat; creator only, at any time."""

    seat: SeatNumber


class Configure(Command, frozen=True):
    """Change options and settings from the next match on; creator only. What is left out does not change."""

    options: dict[str, Any] | None = None
    """The options of the game that change."""
    settings: dict[str, Any] | None = None
    """The settings of the room that change."""


class VetoNext(Command, frozen=True):
    """Keep the next match from starting automatically until you are ready again; during a match or after it."""


class Start(Command, frozen=True):
    """Start the next match, in rooms where the creator starts matches; creator only."""


class Close(Command, frozen=True):
    """Close the room and free its name; creator only."""


class Play(Command, frozen=True):
    """Make a move, in the form of the room's game."""

    move: dict[str, Any]
    """The move, as an entry of `legal_moves`."""
    seat: SeatNumber | None = None


class Resign(Command, frozen=True):
    """Drop out of the running match."""

    seat: SeatNumber | None = None


class OfferDraw(Command, frozen=True):
    """Offer a draw, or accept another player's open draw offer; the three `request_` commands work the same way.

    Bots evaluate the position and answer, too; against bots a draw can be offered once in each position.
    """


class RequestTakeback(Command, frozen=True):
    """Ask to return to the position before your last turn."""


class RequestRestart(Command, frozen=True):
    """Ask to repeat the match with its layout and first player, during the match or after it."""


class RequestNew(Command, frozen=True):
    """Ask for another match immediately, instead of the running one or after it."""


class Answer(Command, frozen=True):
    """Accept or decline an offer; a player with several seats answers once."""

    offer: OfferNumber
    accept: bool
    """Whether the offer is accepted."""


class Withdraw(Command, frozen=True):
    """Withdraw your offer."""

    offer: OfferNumber


class Proceed(Command, frozen=True):
    """Do what is due now. A system command."""

    all_present: bool = True
    """Whether all players are present, or somebody who watches bots; else the next match does not start."""
    kept_until: Millis = Millis(0)
    """Until when the creator's requests keep a room open that no other player has entered; 0 if they do not."""


class Desert(Command, frozen=True):
    """Record that a seated player is absent. A system command."""

    player: PlayerId


class Return(Command, frozen=True):
    """Record that a seated player is present again. A system command."""

    player: PlayerId


class Shut(Command, frozen=True):
    """Close the room and free its name. Issued by operators only."""


class PlayFor(Command, frozen=True):
    """Make a move for a bot, or for a seat whose time ran out. A system command."""

    seat: Seat
    move: dict[str, Any] | None
    """None: the bot resigns."""
    version: Version
    """The version of the latest event that this move is a reaction to."""


class AnswerFor(Command, frozen=True):
    """Accept or decline a draw offer on behalf of a bot. A system command."""

    seat: Seat
    offer: int
    accept: bool


class OfferFor(Command, frozen=True):
    """Offer a draw on behalf of a bot that has just moved. A system command."""

    seat: Seat


MatchCommand = (
    Play  # the most frequent one first, as `isinstance` tries them in order
    | Resign
    | OfferDraw
    | RequestTakeback
    | RequestRestart
    | RequestNew
    | Answer
    | Withdraw
    | ClaimAbandoned
)
"""Commands about the running match, or about the one that was just played."""

TableCommand = (
    Leave
    | TakeSeat
    | LeaveSeat
    | Ready
    | Unready
    | AssignSeats
    | AddBot
    | RemoveBot
    | Kick
    | Mute
    | Invite
    | RevokeInvitation
    | Configure
    | VetoNext
    | Start
    | Close
)
"""Commands about members, seats, readiness and settings."""

MemberCommand = MatchCommand | TableCommand
PlayerCommand = Join | DeclineInvitation | MemberCommand
SystemCommand = Proceed | PlayFor | AnswerFor | OfferFor | Shut | Desert | Return
AnyCommand = PlayerCommand | SystemCommand
