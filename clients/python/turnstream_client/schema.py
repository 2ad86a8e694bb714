"""The types of the API, written by `clients/generate.py` from `openapi/`; a test compares them.

Fields that the wire names with a keyword have an underscore behind them here: `from_`, `as_`.
"""

from datetime import datetime
from typing import Any, ClassVar, Literal

import msgspec


class Schema(msgspec.Struct, frozen=True, omit_defaults=True):
    """What every type here is: immutable, comparable, and encoded without the fields that have their default."""


class Event(Schema, frozen=True, kw_only=True, tag_field="type"):
    """What every event has. A secret field that the viewer may not know is None."""

    version: int
    """The event's number in its room."""
    time: datetime
    match: int | None = None
    """The number of the match that the event belongs to, if any."""
    by: str | None = None
    """The player whose command caused the event; None if the service caused it."""


class AcceptInvitation(Schema, frozen=True):
    """How to join by an invitation."""

    as_: Literal["player", "spectator"] = msgspec.field(name="as", default="player")
    """Whether the member plays or only watches. `"player"` by default."""
    nickname: str | None = None
    """The nickname in this room; required without a token."""
    seat: int | None = None
    """The seat to take; by default the invitation's seat, or else the lowest free one."""


class AddBotCommand(Schema, frozen=True, tag="add_bot", tag_field="type"):
    """Give a bot of the service the named seat or the lowest free one; creator only, at any time."""

    type: ClassVar[Literal["add_bot"]] = "add_bot"
    level: Literal["casual", "easy", "expert", "hard", "medium", "skilled"]
    """The level of the bot."""
    seat: int | None = None
    """The number of the seat, from 0 in turn order."""


class AnswerCommand(Schema, frozen=True, tag="answer", tag_field="type"):
    """Accept or decline an offer; a player with several seats answers once."""

    type: ClassVar[Literal["answer"]] = "answer"
    offer: int
    """The number of the offer in this room."""
    accept: bool
    """Whether the offer is accepted."""


class AssignSeatsCommand(Schema, frozen=True, tag="assign_seats", tag_field="type"):
    """Assign the seats, and thereby colours and turn order; creator only, between matches."""

    type: ClassVar[Literal["assign_seats"]] = "assign_seats"
    seats: list[str | None]
    """The id of the player for each seat, in turn order; null for an empty seat."""


class ClaimAbandonedCommand(Schema, frozen=True, tag="claim_abandoned", tag_field="type"):
    """Claim a win, a draw or a bot because a seat's player has been absent for longer than `grace_ms`."""

    type: ClassVar[Literal["claim_abandoned"]] = "claim_abandoned"
    seat: int
    """The number of the seat, from 0 in turn order."""
    outcome: Literal["bot", "draw", "win"]
    """The seat forfeits the match; the match is drawn, if the other human players agree; or a bot takes the seat."""


class CloseCommand(Schema, frozen=True, tag="close", tag_field="type"):
    """Close the room and free its name; creator only."""

    type: ClassVar[Literal["close"]] = "close"


class ConfigureCommand(Schema, frozen=True, tag="configure", tag_field="type"):
    """Change options and settings from the next match on; creator only. What is left out does not change."""

    type: ClassVar[Literal["configure"]] = "configure"
    options: dict[str, Any] | None = None
    """The options of the game that change."""
    settings: dict[str, Any] | None = None
    """The settings of the room that change."""


class DeclineInvitationCommand(Schema, frozen=True, tag="decline_invitation", tag_field="type"):
    """Show the room that you are not coming; the invitation stays open."""

    type: ClassVar[Literal["decline_invitation"]] = "decline_invitation"
    invitation: str
    """The code of the invitation."""
    nickname: str | None = None
    """The nickname that the room is shown; by default that of the token."""


class InviteCommand(Schema, frozen=True, tag="invite", tag_field="type"):
    """Create an invitation for one seat or for a number of players; the reply has its code."""

    type: ClassVar[Literal["invite"]] = "invite"
    uses: int = 1
    """How many players it admits. `1` by default."""
    expires_ms: int = 86400000
    """After how many milliseconds it expires. `86400000` by default."""
    seat: int | None = None
    """The only seat that it is for; the seat is not reserved."""


class JoinCommand(Schema, frozen=True, tag="join", tag_field="type"):
    """Join the room: as a player with the named seat or the lowest free one, or as a spectator."""

    type: ClassVar[Literal["join"]] = "join"
    as_: Literal["player", "spectator"] = msgspec.field(name="as", default="player")
    """Whether the member plays or only watches. `"player"` by default."""
    nickname: str | None = None
    """The nickname for this room; by default that of the token."""
    seat: int | None = None
    """The number of the seat, from 0 in turn order."""
    password: str | None = None
    """The password of a private room."""
    invitation: str | None = None
    """The code of an invitation, which a private room accepts instead of its password."""


class KickCommand(Schema, frozen=True, tag="kick", tag_field="type"):
    """Remove somebody from the room permanently; creator only.

    For a player of the running match this makes an offer that the other players have to accept.
    """

    type: ClassVar[Literal["kick"]] = "kick"
    player: str
    """The player's id."""


class LeaveCommand(Schema, frozen=True, tag="leave", tag_field="type"):
    """Leave the room and all seats; a running rated match is forfeited at once."""

    type: ClassVar[Literal["leave"]] = "leave"


class LeaveSeatCommand(Schema, frozen=True, tag="leave_seat", tag_field="type"):
    """Leave a seat, but stay in the room."""

    type: ClassVar[Literal["leave_seat"]] = "leave_seat"
    seat: int | None = None
    """The number of the seat, from 0 in turn order."""


class MuteCommand(Schema, frozen=True, tag="mute", tag_field="type"):
    """Mute somebody in the room's chat, or let them write again; creator only."""

    type: ClassVar[Literal["mute"]] = "mute"
    player: str
    """The player's id."""
    on: bool
    """Whether the player is muted from now on."""


class OfferDrawCommand(Schema, frozen=True, tag="offer_draw", tag_field="type"):
    """Offer a draw, or accept another player's open draw offer; the three `request_` commands work the same way.

    Bots evaluate the position and answer, too; against bots a draw can be offered once in each position.
    """

    type: ClassVar[Literal["offer_draw"]] = "offer_draw"


class MorrisPlaceMove(Schema, frozen=True, tag="place", tag_field="type"):
    """Place a man from the hand on a point."""

    type: ClassVar[Literal["place"]] = "place"
    at: str
    """A place on the board; the game's `geometry` has their names."""


class MorrisRemoveMove(Schema, frozen=True, tag="remove", tag_field="type"):
    """Remove an opponent's man from the board."""

    type: ClassVar[Literal["remove"]] = "remove"
    at: str
    """A place on the board; the game's `geometry` has their names."""


class MorrisShiftMove(Schema, frozen=True, tag="move", tag_field="type"):
    """Move a man along a line to the next point, or to any point when flying."""

    type: ClassVar[Literal["move"]] = "move"
    from_: str = msgspec.field(name="from")
    """A place on the board: where the move begins."""
    to: str
    """A place on the board: where the move ends."""


MorrisMove = MorrisPlaceMove | MorrisShiftMove | MorrisRemoveMove
"""A move of Nine Men's Morris."""


class RainbowFlipMove(Schema, frozen=True, tag="flip", tag_field="type"):
    """Flip a peg of your own."""

    type: ClassVar[Literal["flip"]] = "flip"
    at: str
    """A place on the board; the game's `geometry` has their names."""


class RainbowPlaceMove(Schema, frozen=True, tag="place", tag_field="type"):
    """Place a peg on an empty cell with this side up."""

    type: ClassVar[Literal["place"]] = "place"
    peg: Literal["BV", "GB", "OY", "RO", "VR", "WK", "YG"]
    """The peg, by the letters of its two sides."""
    side: Literal["B", "G", "K", "O", "R", "V", "W", "Y"]
    """The side that is up."""
    at: str
    """A place on the board; the game's `geometry` has their names."""


class RainbowShiftMove(Schema, frozen=True, tag="move", tag_field="type"):
    """Move a peg of your own to any empty cell, with the same side up."""

    type: ClassVar[Literal["move"]] = "move"
    from_: str = msgspec.field(name="from")
    """A place on the board: where the move begins."""
    to: str
    """A place on the board: where the move ends."""


RainbowMove = RainbowPlaceMove | RainbowFlipMove | RainbowShiftMove
"""A move of Tic-Tac-Rainbow."""


class TernioPlaceMove(Schema, frozen=True, tag="place", tag_field="type"):
    """Place a disc on an empty square."""

    type: ClassVar[Literal["place"]] = "place"
    at: str
    """A place on the board; the game's `geometry` has their names."""


TernioMove = TernioPlaceMove
"""A move of Ternio."""


class TriboardPlaceMove(Schema, frozen=True, tag="place", tag_field="type"):
    """Take an empty cell by jumping from it."""

    type: ClassVar[Literal["place"]] = "place"
    at: str
    """A place on the board; the game's `geometry` has their names."""


TriboardMove = TriboardPlaceMove
"""A move of Triboard."""


class TurncoatCommitMove(Schema, frozen=True, tag="commit", tag_field="type"):
    """Commit to the selection."""

    type: ClassVar[Literal["commit"]] = "commit"


class TurncoatSelectMove(Schema, frozen=True, tag="select", tag_field="type"):
    """Select a square of your own board; this replaces an earlier selection and withdraws a commit."""

    type: ClassVar[Literal["select"]] = "select"
    at: str
    """A place on the board; the game's `geometry` has their names."""


TurncoatMove = TurncoatSelectMove | TurncoatCommitMove
"""A move of Turncoat."""


AnyMove = MorrisMove | TernioMove | RainbowMove | TriboardMove | TurncoatMove
"""A move of any game."""


class PlayCommand(Schema, frozen=True, tag="play", tag_field="type"):
    """Make a move, in the form of the room's game."""

    type: ClassVar[Literal["play"]] = "play"
    move: AnyMove
    """The move, as an entry of `legal_moves`."""
    seat: int | None = None
    """The number of the seat, from 0 in turn order."""


class ReadyCommand(Schema, frozen=True, tag="ready", tag_field="type"):
    """Declare that you are ready for the next match; sent again with another salt, it replaces the salt."""

    type: ClassVar[Literal["ready"]] = "ready"
    salt: str | None = None
    """Is mixed into the chance of the next match; not accepted before `match_ended` has published its seed's hash."""


class RemoveBotCommand(Schema, frozen=True, tag="remove_bot", tag_field="type"):
    """Remove the bot that holds a seat; creator only, at any time."""

    type: ClassVar[Literal["remove_bot"]] = "remove_bot"
    seat: int
    """The number of the seat, from 0 in turn order."""


class RequestNewCommand(Schema, frozen=True, tag="request_new", tag_field="type"):
    """Ask for another match immediately, instead of the running one or after it."""

    type: ClassVar[Literal["request_new"]] = "request_new"


class RequestRestartCommand(Schema, frozen=True, tag="request_restart", tag_field="type"):
    """Ask to repeat the match with its layout and first player, during the match or after it."""

    type: ClassVar[Literal["request_restart"]] = "request_restart"


class RequestTakebackCommand(Schema, frozen=True, tag="request_takeback", tag_field="type"):
    """Ask to return to the position before your last turn."""

    type: ClassVar[Literal["request_takeback"]] = "request_takeback"


class ResignCommand(Schema, frozen=True, tag="resign", tag_field="type"):
    """Drop out of the running match."""

    type: ClassVar[Literal["resign"]] = "resign"
    seat: int | None = None
    """The number of the seat, from 0 in turn order."""


class RevokeInvitationCommand(Schema, frozen=True, tag="revoke_invitation", tag_field="type"):
    """Revoke your own invitation; the creator of the room can revoke any."""

    type: ClassVar[Literal["revoke_invitation"]] = "revoke_invitation"
    invitation: int
    """The number of the invitation in its room."""


class StartCommand(Schema, frozen=True, tag="start", tag_field="type"):
    """Start the next match, in rooms where the creator starts matches; creator only."""

    type: ClassVar[Literal["start"]] = "start"


class TakeSeatCommand(Schema, frozen=True, tag="take_seat", tag_field="type"):
    """Take a free seat; between matches, a seated player moves to it."""

    type: ClassVar[Literal["take_seat"]] = "take_seat"
    seat: int
    """The number of the seat, from 0 in turn order."""


class UnreadyCommand(Schema, frozen=True, tag="unready", tag_field="type"):
    """Declare that you are no longer ready."""

    type: ClassVar[Literal["unready"]] = "unready"


class VetoNextCommand(Schema, frozen=True, tag="veto_next", tag_field="type"):
    """Keep the next match from starting automatically until you are ready again; during a match or after it."""

    type: ClassVar[Literal["veto_next"]] = "veto_next"


class WithdrawCommand(Schema, frozen=True, tag="withdraw", tag_field="type"):
    """Withdraw your offer."""

    type: ClassVar[Literal["withdraw"]] = "withdraw"
    offer: int
    """The number of the offer in this room."""


AnyCommand = (
    JoinCommand
    | DeclineInvitationCommand
    | PlayCommand
    | ResignCommand
    | OfferDrawCommand
    | RequestTakebackCommand
    | RequestRestartCommand
    | RequestNewCommand
    | AnswerCommand
    | WithdrawCommand
    | ClaimAbandonedCommand
    | LeaveCommand
    | TakeSeatCommand
    | LeaveSeatCommand
    | ReadyCommand
    | UnreadyCommand
    | AssignSeatsCommand
    | AddBotCommand
    | RemoveBotCommand
    | KickCommand
    | MuteCommand
    | InviteCommand
    | RevokeInvitationCommand
    | ConfigureCommand
    | VetoNextCommand
    | StartCommand
    | CloseCommand
)
"""A command for a room; `type` names it."""


class MorrisBeganEvent(Event, frozen=True, kw_only=True, tag="began"):
    """A seat rolled the higher number and has the first turn."""

    type: ClassVar[Literal["began"]] = "began"
    game: Literal["morris"]
    """The game that the event belongs to."""
    seat: int
    """The number of the seat, from 0 in turn order."""


class MorrisDroppedEvent(Event, frozen=True, kw_only=True, tag="dropped"):
    """A seat dropped out of the running match; its pieces stay, and it is passed over from now on."""

    type: ClassVar[Literal["dropped"]] = "dropped"
    game: Literal["morris"]
    """The game that the event belongs to."""
    seat: int
    """The number of the seat, from 0 in turn order."""
    reason: Literal["forfeited", "resigned", "timed_out"]
    """The reason."""


class MorrisMovedEvent(Event, frozen=True, kw_only=True, tag="moved"):
    """A seat moved a man from one point to another; the other fields are those of `Placed`."""

    type: ClassVar[Literal["moved"]] = "moved"
    game: Literal["morris"]
    """The game that the event belongs to."""
    seat: int
    """The number of the seat, from 0 in turn order."""
    from_: str = msgspec.field(name="from")
    """A place on the board: where the move begins."""
    to: str
    """A place on the board: where the move ends."""
    mills: list[tuple[str, str, str]]
    """The mills that it closed."""
    removals_owed: int
    """How many men the seat now has to remove before its turn ends."""
    ends: Literal["no_legal_move", "quiet_limit", "repetition", "too_few_men"] | None = None
    """Why the match has now ended, if it has."""


class MorrisPlacedEvent(Event, frozen=True, kw_only=True, tag="placed"):
    """A seat placed a man from the hand."""

    type: ClassVar[Literal["placed"]] = "placed"
    game: Literal["morris"]
    """The game that the event belongs to."""
    seat: int
    """The number of the seat, from 0 in turn order."""
    at: str
    """A place on the board; the game's `geometry` has their names."""
    mills: list[tuple[str, str, str]]
    """The mills that it closed."""
    removals_owed: int
    """How many men the seat now has to remove before its turn ends."""
    ends: Literal["no_legal_move", "quiet_limit", "repetition", "too_few_men"] | None = None
    """Why the match has now ended, if it has."""


class MorrisRemovedEvent(Event, frozen=True, kw_only=True, tag="removed"):
    """A seat removed a man of the other seat; `removals_owed` no longer counts a removal without a target."""

    type: ClassVar[Literal["removed"]] = "removed"
    game: Literal["morris"]
    """The game that the event belongs to."""
    seat: int
    """The number of the seat, from 0 in turn order."""
    at: str
    """A place on the board; the game's `geometry` has their names."""
    removals_owed: int
    """How many men the seat now has to remove before its turn ends."""
    ends: Literal["no_legal_move", "quiet_limit", "repetition", "too_few_men"] | None = None
    """Why the match has now ended, if it has."""


class MorrisRolledEvent(Event, frozen=True, kw_only=True, tag="rolled"):
    """A seat rolled a die to decide who begins."""

    type: ClassVar[Literal["rolled"]] = "rolled"
    game: Literal["morris"]
    """The game that the event belongs to."""
    seat: int
    """The number of the seat, from 0 in turn order."""
    value: int
    """What was rolled."""
    draw: int
    """The number of the draw of chance in its match."""


MorrisEvent = (
    MorrisPlacedEvent
    | MorrisMovedEvent
    | MorrisRemovedEvent
    | MorrisRolledEvent
    | MorrisBeganEvent
    | MorrisDroppedEvent
)
"""An event of Nine Men's Morris."""


class RainbowDroppedEvent(Event, frozen=True, kw_only=True, tag="dropped"):
    """A seat dropped out of the running match; its pieces stay, and it is passed over from now on."""

    type: ClassVar[Literal["dropped"]] = "dropped"
    game: Literal["rainbow"]
    """The game that the event belongs to."""
    seat: int
    """The number of the seat, from 0 in turn order."""
    reason: Literal["forfeited", "resigned", "timed_out"]
    """The reason."""


class RainbowFlippedEvent(Event, frozen=True, kw_only=True, tag="flipped"):
    """A seat flipped a peg; the fields are those of `Placed`."""

    type: ClassVar[Literal["flipped"]] = "flipped"
    game: Literal["rainbow"]
    """The game that the event belongs to."""
    seat: int
    """The number of the seat, from 0 in turn order."""
    peg: Literal["BV", "GB", "OY", "RO", "VR", "WK", "YG"]
    """The peg, by the letters of its two sides."""
    side: Literal["B", "G", "K", "O", "R", "V", "W", "Y"]
    """The side that is up now."""
    at: str
    """A place on the board; the game's `geometry` has their names."""
    line: tuple[str, str, str] | None = None
    """The line that is now on the board; the first one if there are several."""
    ends: Literal["line", "quiet_limit", "repetition"] | None = None
    """Why the match has now ended, if it has."""


class RainbowMovedEvent(Event, frozen=True, kw_only=True, tag="moved"):
    """A seat moved a peg to another cell; the fields are those of `Placed`."""

    type: ClassVar[Literal["moved"]] = "moved"
    game: Literal["rainbow"]
    """The game that the event belongs to."""
    seat: int
    """The number of the seat, from 0 in turn order."""
    peg: Literal["BV", "GB", "OY", "RO", "VR", "WK", "YG"]
    """The peg, by the letters of its two sides."""
    side: Literal["B", "G", "K", "O", "R", "V", "W", "Y"]
    """The side that is up now."""
    from_: str = msgspec.field(name="from")
    """A place on the board: where the move begins."""
    to: str
    """A place on the board: where the move ends."""
    line: tuple[str, str, str] | None = None
    """The line that is now on the board; the first one if there are several."""
    ends: Literal["line", "quiet_limit", "repetition"] | None = None
    """Why the match has now ended, if it has."""


class RainbowPlacedEvent(Event, frozen=True, kw_only=True, tag="placed"):
    """A seat placed a peg."""

    type: ClassVar[Literal["placed"]] = "placed"
    game: Literal["rainbow"]
    """The game that the event belongs to."""
    seat: int
    """The number of the seat, from 0 in turn order."""
    peg: Literal["BV", "GB", "OY", "RO", "VR", "WK", "YG"]
    """The peg, by the letters of its two sides."""
    side: Literal["B", "G", "K", "O", "R", "V", "W", "Y"]
    """The side that is up now."""
    at: str
    """A place on the board; the game's `geometry` has their names."""
    line: tuple[str, str, str] | None = None
    """The line that is now on the board; the first one if there are several."""
    ends: Literal["line", "quiet_limit", "repetition"] | None = None
    """Why the match has now ended, if it has."""


class RainbowRolledEvent(Event, frozen=True, kw_only=True, tag="rolled"):
    """A colour was rolled for a seat's turn; `ends` is present only if this is a position's third occurrence."""

    type: ClassVar[Literal["rolled"]] = "rolled"
    game: Literal["rainbow"]
    """The game that the event belongs to."""
    seat: int
    """The number of the seat, from 0 in turn order."""
    value: Literal["B", "G", "O", "R", "V", "Y"]
    """The colour that was rolled."""
    draw: int
    """The number of the draw of chance in its match."""
    ends: Literal["repetition"] | None = None
    """Why the match has now ended, if it has."""


RainbowEvent = RainbowPlacedEvent | RainbowFlippedEvent | RainbowMovedEvent | RainbowRolledEvent | RainbowDroppedEvent
"""An event of Tic-Tac-Rainbow."""


class ClocksExtendedEvent(Event, frozen=True, kw_only=True, tag="clocks_extended"):
    """The service was down, and the seats to move got back the time that they lost."""

    type: ClassVar[Literal["clocks_extended"]] = "clocks_extended"
    by_seat: list[int]
    """Milliseconds by seat; 0 for a seat that was not to move."""


class CreatorChangedEvent(Event, frozen=True, kw_only=True, tag="creator_changed"):
    """The creator left, and the player who has been in the room longest is now the creator."""

    type: ClassVar[Literal["creator_changed"]] = "creator_changed"
    player: str
    """The player's id."""


class InvitationDeclinedEvent(Event, frozen=True, kw_only=True, tag="invitation_declined"):
    """Somebody who is not in the room declined an invitation, which stays open."""

    type: ClassVar[Literal["invitation_declined"]] = "invitation_declined"
    invitation: int
    """The invitation's number in this room."""
    player: str
    """The player's id."""
    nickname: str
    """The name that is shown for the player."""
    name_ref: str | None = None
    """Where the nickname is stored; absent in events of earlier releases."""
    bot: bool | None = None
    """Whether the player was declared a bot; absent for people, and in events of earlier releases."""


class InvitationMadeEvent(Event, frozen=True, kw_only=True, tag="invitation_made"):
    """A member created an invitation; only they received its code."""

    type: ClassVar[Literal["invitation_made"]] = "invitation_made"
    invitation: int
    """The invitation's number in this room, from 1."""
    player: str
    """Who made it."""
    uses: int
    """How many players it admits."""
    expires_ms: int
    """After how many milliseconds it expires."""
    seat: int | None = None
    """The only seat that it is for; absent for any."""


class InvitationRevokedEvent(Event, frozen=True, kw_only=True, tag="invitation_revoked"):
    """An invitation was revoked, by the member who created it or by the creator of the room."""

    type: ClassVar[Literal["invitation_revoked"]] = "invitation_revoked"
    invitation: int
    """The invitation's number in this room."""


class MatchResult(Schema, frozen=True):
    """How a match ended; lists are in seat order, and empty if the match was ended without a result."""

    reason: str
    """Why the match ended: `resigned`, `timed_out`, `forfeited`, or one of the game's `endings`."""
    places: list[int]
    """The place of each seat, 1 for a winner; tied seats share a place."""
    scores: list[int | float] | None
    """The score of each seat, if the game has scores."""
    winners: list[int]
    """All seats with place 1."""


class MatchEndedEvent(Event, frozen=True, kw_only=True, tag="match_ended"):
    """A match ended; its seed is revealed, and the hash of the next match's seed is published."""

    type: ClassVar[Literal["match_ended"]] = "match_ended"
    result: MatchResult
    """How the match ended."""
    seed: str
    """The seed of the match, in hex."""
    next_seed_hash: str | None = None
    """The SHA-256 of the next match's seed, in hex; absent in matches that an earlier release started."""


GameOptions = dict[str, bool | int | str]
"""The options of a game by name; `GET /v1/games/{game}` has their schema."""


class CopiedPosition(Schema, frozen=True):
    """A position of a match, copied, so that matches of another room can begin there."""

    match: str
    """The id of the match."""
    version: int
    """The version of the match's room at which the position was on the board, or was about to be."""
    options: GameOptions
    """All options of the match."""
    events: list[dict[str, Any]]
    """The events of the game that led there, as everybody may know them, without those that were taken back."""


class MatchStartedEvent(Event, frozen=True, kw_only=True, tag="match_started"):
    """A match started, with its players, all its options, and the hash of its seed, which was published before."""

    type: ClassVar[Literal["match_started"]] = "match_started"
    id: str
    """The id of the match."""
    game: str
    """The slug of the game."""
    rules_version: int
    """The version of the game's rules."""
    options: GameOptions
    """The options of the game."""
    seats: list[str | None]
    """The id of the player on each seat, in turn order; null for an empty seat."""
    salts: list[str]
    """The contributions to chance, by seat."""
    seed_hash: str
    """The SHA-256 of the seed's 32 bytes, in hex."""
    layout_of: str | None = None
    """The id of the match whose layout and first player are repeated; null for a match with its own."""
    layout_seed: str | None = None
    """The seed of that match, which was revealed at its end."""
    layout_salts: list[str] = []
    """The salts of that match by seat; empty without such a match."""
    rated: bool = False
    """Whether the match counts for a rating."""
    position: CopiedPosition | None = None
    """The position at which it begins, in place of a setup; absent for matches from the beginning."""


class DaysClock(Schema, frozen=True, tag="days", tag_field="type"):
    """A number of days for each turn."""

    type: ClassVar[Literal["days"]] = "days"
    days: int
    """The time for each move, in days."""


class FischerClock(Schema, frozen=True, tag="fischer", tag_field="type"):
    """A number of milliseconds for the match, and an increment after each turn that was completed in time."""

    type: ClassVar[Literal["fischer"]] = "fischer"
    initial_ms: int
    """The time at the start of the match, in milliseconds."""
    increment_ms: int = 0
    """The time that each move adds, in milliseconds. `0` by default."""


class NoClock(Schema, frozen=True, tag="none", tag_field="type"):
    """No time limit."""

    type: ClassVar[Literal["none"]] = "none"


class PerMoveClock(Schema, frozen=True, tag="per_move", tag_field="type"):
    """A number of milliseconds for each turn."""

    type: ClassVar[Literal["per_move"]] = "per_move"
    ms: int
    """The time for each move, in milliseconds."""


class RoomSettings(Schema, frozen=True):
    """The settings of a room."""

    visibility: Literal["private", "public", "unlisted"] = "public"
    """Whether the lobby lists the room; an unlisted one is found by its name, a private one only with its password.
    `"public"` by default.
    """
    start: Literal["creator", "full", "ready"] = "ready"
    """What starts the first match: all players being ready, all seats being taken, or the creator's `start`.
    `"ready"` by default.
    """
    restart: int | None = 5000
    """Milliseconds from the end of a match to the start of the next one; null: it starts when all players are ready.

    They are counted from the end plus the game's `telling_ms`, in which clients show the last events. The next
    match also waits until all players are present, see `waiting_for` of the view. If only bots play, somebody has
    to follow the room's own feed, and no match starts later than a day after the latest command of a player.
    `5000` by default.
    """
    clock: NoClock | PerMoveClock | FischerClock | DaysClock = NoClock()
    """How much time the players have."""
    on_timeout: Literal["bot_move", "lose", "random_move"] = "lose"
    """What happens to a seat whose time runs out: it drops out, or the service moves for it until the turn ends.
    `"lose"` by default.
    """
    bot_pause: int = 1000
    """Milliseconds that a bot takes for a move; none once all people in the match have dropped out.

    An easy move takes up to 600 fewer, a hard one up to 1000 more; with a pause below 1000 proportionally less.
    `1000` by default.
    """
    bots_resign: bool | None = None
    """Whether bots above `easy` resign to their last opponent once they have lost beyond doubt for three turns.

    Left out means that they do.
    """
    seats_next: Literal["keep", "rotate"] = "keep"
    """Whether the players rotate by one seat from match to match. `"keep"` by default."""
    best_of: int = 0
    """How many matches make a series, which ends early once a player cannot be overtaken; 0: no series. `0` by
    default.
    """
    hints: Literal["bots_only", "off", "on"] = "bots_only"
    """Who may ask for hints: a player whose opponents are all bots of the service, nobody, or every player.
    `"bots_only"` by default.
    """
    hot_seat: bool = False
    """Whether a player may hold several seats, to play with others on one device. `false` by default."""
    chat: Literal["apart", "together"] = "together"
    """Whether players and spectators share the chat (`together`) or each have their own (`apart`). `"together"` by
    default.
    """
    spectators: bool = True
    """Whether spectators are admitted; if not, only members can read the room. `true` by default."""
    rated: bool = False
    """Whether matches count for a rating: see `rated_match` for what they exclude. They need a clock.

    A rated room is not private and not a hot seat, its `on_timeout` is `lose`, and no bot of the service has a
    seat. All players have to be ready for each match, and the seats rotate: `restart` is null, `seats_next` is
    `rotate`. `false` by default.
    """
    grace_ms: int = 60000
    """Milliseconds of absence after which the other players can claim against a seat; a rated match is forfeited.
    `60000` by default.
    """


class NextConfiguredEvent(Event, frozen=True, kw_only=True, tag="next_configured"):
    """Other options and settings will apply after the running match."""

    type: ClassVar[Literal["next_configured"]] = "next_configured"
    options: GameOptions
    """The options of the game."""
    settings: RoomSettings
    """The settings of the room."""


class NextVetoedEvent(Event, frozen=True, kw_only=True, tag="next_vetoed"):
    """A player vetoed the automatic start of the next match, and is no longer ready."""

    type: ClassVar[Literal["next_vetoed"]] = "next_vetoed"
    player: str
    """The player's id."""


class OfferAcceptedEvent(Event, frozen=True, kw_only=True, tag="offer_accepted"):
    """A player accepted an offer."""

    type: ClassVar[Literal["offer_accepted"]] = "offer_accepted"
    offer: int
    """The number of the offer in this room."""
    player: str
    """The player's id."""


class OfferClosedEvent(Event, frozen=True, kw_only=True, tag="offer_closed"):
    """An offer was closed; if all agreed, the events that it leads to follow at once."""

    type: ClassVar[Literal["offer_closed"]] = "offer_closed"
    offer: int
    """The number of the offer in this room."""
    reason: Literal["agreed", "declined", "lapsed", "withdrawn"]
    """How the offer ended."""
    player: str | None = None
    """Who declined or withdrew it."""


class OfferMadeEvent(Event, frozen=True, kw_only=True, tag="offer_made"):
    """A player made an offer that the other human players, and for a draw the bots too, have to accept."""

    type: ClassVar[Literal["offer_made"]] = "offer_made"
    offer: int
    """The offer's number in this room, from 1."""
    kind: Literal["draw", "kick", "new", "restart", "takeback"]
    """What is offered."""
    player: str
    """The player's id."""
    to_version: int | None = None
    """For a takeback: the version to whose position the match would return."""
    target: str | None = None
    """For a kick: who would be removed."""
    abandoned: int | None = None
    """For a draw claimed against an absent player: their seat, whose holder is asked only when present again."""


class PlayerJoinedEvent(Event, frozen=True, kw_only=True, tag="player_joined"):
    """A player or a bot joined the room; `SeatTaken` follows if they took a seat."""

    type: ClassVar[Literal["player_joined"]] = "player_joined"
    player: str
    """The player's id."""
    nickname: str
    """The name that is shown for the player."""
    as_: Literal["player", "spectator"] = msgspec.field(name="as")
    """Whether the member plays or only watches."""
    bot: Literal["casual", "easy", "expert", "hard", "medium", "skilled", "external"] | None = None
    """The kind of bot that joined; null for people."""
    salt: str | None = None
    """The creator's contribution to the chance of the first match; absent for everybody else."""
    invitation: int | None = None
    """The number of the invitation by which they joined; absent without one."""
    name_ref: str | None = None
    """Where the nickname is stored; absent for bots of the service and in what earlier releases stored."""


class PlayerKickedEvent(Event, frozen=True, kw_only=True, tag="player_kicked"):
    """A player was removed, by the creator or by all other players, and cannot join this room again."""

    type: ClassVar[Literal["player_kicked"]] = "player_kicked"
    player: str
    """The player's id."""


class PlayerLeftEvent(Event, frozen=True, kw_only=True, tag="player_left"):
    """A player or a bot left the room."""

    type: ClassVar[Literal["player_left"]] = "player_left"
    player: str
    """The player's id."""


class PlayerMutedEvent(Event, frozen=True, kw_only=True, tag="player_muted"):
    """The creator muted somebody in the chat, or let them write again."""

    type: ClassVar[Literal["player_muted"]] = "player_muted"
    player: str
    """The player's id."""
    on: bool
    """Whether the player is muted from now on."""


class PlayerReadiedEvent(Event, frozen=True, kw_only=True, tag="player_readied"):
    """A player is ready for the next match and those after it, and may add a salt to the next one's chance."""

    type: ClassVar[Literal["player_readied"]] = "player_readied"
    player: str
    """The player's id."""
    salt: str | None = None
    """Replaces the salt that the player sent before for that match; null keeps it."""


class PlayerUnreadiedEvent(Event, frozen=True, kw_only=True, tag="player_unreadied"):
    """A player is no longer ready for the next match; after `match_ended`, because they have to be ready again."""

    type: ClassVar[Literal["player_unreadied"]] = "player_unreadied"
    player: str
    """The player's id."""


class PositionCopiedEvent(Event, frozen=True, kw_only=True, tag="position_copied"):
    """The room was opened from a position of a match: its matches with the same options begin there, unless rated."""

    type: ClassVar[Literal["position_copied"]] = "position_copied"
    position: CopiedPosition
    """The position."""


class RoomClosedEvent(Event, frozen=True, kw_only=True, tag="room_closed"):
    """The room was closed, and its name is free."""

    type: ClassVar[Literal["room_closed"]] = "room_closed"
    reason: Literal["by_creator", "by_operator", "deserted", "idle"]
    """Who or what closed the room."""


class RoomConfiguredEvent(Event, frozen=True, kw_only=True, tag="room_configured"):
    """Other options and settings apply from now on."""

    type: ClassVar[Literal["room_configured"]] = "room_configured"
    options: GameOptions
    """The options of the game."""
    settings: RoomSettings
    """The settings of the room."""
    seats: list[str | None]
    """Who holds which seat under these options; players who lost a seat stay in the room."""


class TournamentTable(Schema, frozen=True):
    """The table of a tournament whose only match a room is for."""

    id: str
    """The id of the tournament."""
    title: str
    """The title of the tournament."""
    round: int
    """The number of the round, from 1."""
    table: int
    """The number of the table in the tournament, from 1."""


class RoomOpenedEvent(Event, frozen=True, kw_only=True, tag="room_opened"):
    """A room was opened."""

    type: ClassVar[Literal["room_opened"]] = "room_opened"
    name: str
    """The name of the room, in its address."""
    epoch: str
    """The id of the room among all rooms of its name."""
    title: str
    """The title that is shown to people."""
    game: str
    """The slug of the game."""
    options: GameOptions
    """The options of the game."""
    settings: RoomSettings
    """The settings of the room."""
    next_seed_hash: str | None = None
    """The SHA-256 of the first match's seed, in hex; absent in rooms of releases that did not publish it."""
    tournament: TournamentTable | None = None
    """The table of a tournament that the room is for; absent for other rooms."""


class SeatDesertedEvent(Event, frozen=True, kw_only=True, tag="seat_deserted"):
    """The player of a seat is absent: the others may claim against it after `grace_ms`, and the next match waits."""

    type: ClassVar[Literal["seat_deserted"]] = "seat_deserted"
    seat: int
    """The number of the seat, from 0 in turn order."""


class SeatLeftEvent(Event, frozen=True, kw_only=True, tag="seat_left"):
    """A player left a seat; a running match waits for the next player who takes it."""

    type: ClassVar[Literal["seat_left"]] = "seat_left"
    seat: int
    """The number of the seat, from 0 in turn order."""
    player: str
    """The player's id."""


class SeatReturnedEvent(Event, frozen=True, kw_only=True, tag="seat_returned"):
    """The player of a seat is present again."""

    type: ClassVar[Literal["seat_returned"]] = "seat_returned"
    seat: int
    """The number of the seat, from 0 in turn order."""


class SeatTakenEvent(Event, frozen=True, kw_only=True, tag="seat_taken"):
    """A player took a seat."""

    type: ClassVar[Literal["seat_taken"]] = "seat_taken"
    seat: int
    """The number of the seat, from 0 in turn order."""
    player: str
    """The player's id."""


class SeatsAssignedEvent(Event, frozen=True, kw_only=True, tag="seats_assigned"):
    """The seats were assigned, by the creator or by a rotation; null is an empty seat."""

    type: ClassVar[Literal["seats_assigned"]] = "seats_assigned"
    seats: list[str | None]
    """The id of the player on each seat, in turn order; null for an empty seat."""


class StartCalledEvent(Event, frozen=True, kw_only=True, tag="start_called"):
    """The creator, or all human players together, called for the next match to start."""

    type: ClassVar[Literal["start_called"]] = "start_called"
    layout_of: str | None = None
    """The id of the match to repeat; absent for a match with its own layout."""


class TakenBackEvent(Event, frozen=True, kw_only=True, tag="taken_back"):
    """The match returned to the position before a seat's turn; no event is deleted, and no draw is reused."""

    type: ClassVar[Literal["taken_back"]] = "taken_back"
    to_version: int
    """The version at which the match had this position before."""
    seat: int
    """Whose turn it is again."""


class TimeRanOutEvent(Event, frozen=True, kw_only=True, tag="time_ran_out"):
    """A seat's time ran out; the setting `on_timeout` says what follows."""

    type: ClassVar[Literal["time_ran_out"]] = "time_ran_out"
    seat: int
    """The number of the seat, from 0 in turn order."""


RoomEvent = (
    RoomOpenedEvent
    | PlayerJoinedEvent
    | PlayerLeftEvent
    | PlayerKickedEvent
    | PlayerMutedEvent
    | SeatDesertedEvent
    | SeatReturnedEvent
    | CreatorChangedEvent
    | SeatTakenEvent
    | SeatLeftEvent
    | SeatsAssignedEvent
    | PlayerReadiedEvent
    | PlayerUnreadiedEvent
    | StartCalledEvent
    | OfferMadeEvent
    | OfferAcceptedEvent
    | OfferClosedEvent
    | TakenBackEvent
    | NextVetoedEvent
    | NextConfiguredEvent
    | RoomConfiguredEvent
    | MatchStartedEvent
    | MatchEndedEvent
    | TimeRanOutEvent
    | ClocksExtendedEvent
    | RoomClosedEvent
    | PositionCopiedEvent
    | InvitationMadeEvent
    | InvitationDeclinedEvent
    | InvitationRevokedEvent
)
"""An event of the room itself, the same in every game."""


class TernioDroppedEvent(Event, frozen=True, kw_only=True, tag="dropped"):
    """A seat dropped out of the running match; its pieces stay, and it is passed over from now on."""

    type: ClassVar[Literal["dropped"]] = "dropped"
    game: Literal["ternio"]
    """The game that the event belongs to."""
    seat: int
    """The number of the seat, from 0 in turn order."""
    reason: Literal["forfeited", "resigned", "timed_out"]
    """The reason."""


class TernioLaidOutEvent(Event, frozen=True, kw_only=True, tag="laid_out"):
    """The start layout was placed on the board: nine rows, the top row first."""

    type: ClassVar[Literal["laid_out"]] = "laid_out"
    game: Literal["ternio"]
    """The game that the event belongs to."""
    board: list[str]
    """Nine rows, the top row first: `.` is empty, `r`, `g` and `b` are discs."""


class TernioPassedEvent(Event, frozen=True, kw_only=True, tag="passed"):
    """A seat was passed over because it had no legal move."""

    type: ClassVar[Literal["passed"]] = "passed"
    game: Literal["ternio"]
    """The game that the event belongs to."""
    seat: int
    """The number of the seat, from 0 in turn order."""


class TernioPlacedEvent(Event, frozen=True, kw_only=True, tag="placed"):
    """A seat placed a disc, and the captured discs turned to its colour."""

    type: ClassVar[Literal["placed"]] = "placed"
    game: Literal["ternio"]
    """The game that the event belongs to."""
    seat: int
    """The number of the seat, from 0 in turn order."""
    at: str
    """A place on the board; the game's `geometry` has their names."""
    captured: list[str]
    """The places that were captured."""


TernioEvent = TernioLaidOutEvent | TernioPlacedEvent | TernioPassedEvent | TernioDroppedEvent
"""An event of Ternio."""


class TriboardDroppedEvent(Event, frozen=True, kw_only=True, tag="dropped"):
    """A seat dropped out of the running match; its pieces stay, and it is passed over from now on."""

    type: ClassVar[Literal["dropped"]] = "dropped"
    game: Literal["triboard"]
    """The game that the event belongs to."""
    seat: int
    """The number of the seat, from 0 in turn order."""
    reason: Literal["forfeited", "resigned", "timed_out"]
    """The reason."""


class TriboardLaidOutEvent(Event, frozen=True, kw_only=True, tag="laid_out"):
    """The layout was drawn: eleven rows, the top row first, and the first seat to move."""

    type: ClassVar[Literal["laid_out"]] = "laid_out"
    game: Literal["triboard"]
    """The game that the event belongs to."""
    board: list[str]
    """Eleven rows, the top row first: `.` is empty, `#` a wall, `b`, `r` and `g` are cells of a seat."""
    first: int
    """The first seat to move."""
    draw: int
    """The number of the draw of chance in its match."""


class TriboardPassedEvent(Event, frozen=True, kw_only=True, tag="passed"):
    """A seat was passed over because it had no legal move."""

    type: ClassVar[Literal["passed"]] = "passed"
    game: Literal["triboard"]
    """The game that the event belongs to."""
    seat: int
    """The number of the seat, from 0 in turn order."""


class TriboardPlacedEvent(Event, frozen=True, kw_only=True, tag="placed"):
    """A seat took a cell, and the cells that it jumped over from there."""

    type: ClassVar[Literal["placed"]] = "placed"
    game: Literal["triboard"]
    """The game that the event belongs to."""
    seat: int
    """The number of the seat, from 0 in turn order."""
    at: str
    """A place on the board; the game's `geometry` has their names."""
    captured: list[str]
    """The places that were captured."""


TriboardEvent = TriboardLaidOutEvent | TriboardPlacedEvent | TriboardPassedEvent | TriboardDroppedEvent
"""An event of Triboard."""


class TurncoatCommittedEvent(Event, frozen=True, kw_only=True, tag="committed"):
    """A seat committed to its selection."""

    type: ClassVar[Literal["committed"]] = "committed"
    game: Literal["turncoat"]
    """The game that the event belongs to."""
    seat: int
    """The number of the seat, from 0 in turn order."""


class TurncoatDroppedEvent(Event, frozen=True, kw_only=True, tag="dropped"):
    """A seat dropped out of the running match; its pieces stay, and it is passed over from now on."""

    type: ClassVar[Literal["dropped"]] = "dropped"
    game: Literal["turncoat"]
    """The game that the event belongs to."""
    seat: int
    """The number of the seat, from 0 in turn order."""
    reason: Literal["forfeited", "resigned", "timed_out"]
    """The reason."""


class TurncoatLaidOutEvent(Event, frozen=True, kw_only=True, tag="laid_out"):
    """The layout of both boards was drawn: 8 rows, the top row first."""

    type: ClassVar[Literal["laid_out"]] = "laid_out"
    game: Literal["turncoat"]
    """The game that the event belongs to."""
    board: list[str]
    """Eight rows, the top row first, the same for both boards: `B` and `W` are discs."""
    draw: int
    """The number of the draw of chance in its match."""


class TurncoatRoundBegunEvent(Event, frozen=True, kw_only=True, tag="round_begun"):
    """A new round began; both seats select again."""

    type: ClassVar[Literal["round_begun"]] = "round_begun"
    game: Literal["turncoat"]
    """The game that the event belongs to."""
    round: int
    """The number of the round, from 1."""


class TurncoatSelectedEvent(Event, frozen=True, kw_only=True, tag="selected"):
    """A seat selected a square, which only this seat may know; an earlier commit of the seat is withdrawn."""

    type: ClassVar[Literal["selected"]] = "selected"
    game: Literal["turncoat"]
    """The game that the event belongs to."""
    seat: int
    """The number of the seat, from 0 in turn order."""
    at: str | None = None
    """A place on the board; the game's `geometry` has their names. Sent to this seat only."""


class TurncoatTurnedEvent(Event, frozen=True, kw_only=True, tag="turned"):
    """A disc of one board was turned `to` black or white, with the discs that it trapped.

    In half 1 the board's owner had selected the disc, in half 2 the opponent.
    """

    type: ClassVar[Literal["turned"]] = "turned"
    game: Literal["turncoat"]
    """The game that the event belongs to."""
    board: Literal["red", "yellow"]
    """The colour of the board."""
    half: Literal[1, 2]
    """Which half of the board's round it is: the disc of its owner, or that of the other seat."""
    at: str
    """A place on the board; the game's `geometry` has their names."""
    to: Literal["B", "W"]
    """The colour that is up now: `B` black, `W` white."""
    trapped: list[str]
    """The other squares whose discs turned."""


TurncoatEvent = (
    TurncoatLaidOutEvent
    | TurncoatSelectedEvent
    | TurncoatCommittedEvent
    | TurncoatTurnedEvent
    | TurncoatRoundBegunEvent
    | TurncoatDroppedEvent
)
"""An event of Turncoat."""


AnyEvent = RoomEvent | MorrisEvent | TernioEvent | RainbowEvent | TriboardEvent | TurncoatEvent
"""An event of a room or of the game played in it."""


class Block(Schema, frozen=True):
    """A player whom the caller has blocked."""

    player: str
    """The player's id."""
    since: str
    """When the player was blocked."""


class BlockList(Schema, frozen=True):
    """The players whom the caller has blocked."""

    blocks: list[Block]
    """The blocked players, the earliest first."""


class BotRegistration(Schema, frozen=True):
    """A bot to be listed."""

    games: list[str]
    """The slugs of the games that it plays."""
    description: str = ""
    """A sentence about it for people. `""` by default."""


class HouseLevel(Schema, frozen=True):
    """A level of the service's own bots."""

    level: Literal["casual", "easy", "expert", "hard", "medium", "skilled"]
    """The level; an opponent `{"bot": level}` in a challenge or a room."""
    games: list[str]
    """The slugs of the games that it plays."""


class ListedBot(Schema, frozen=True):
    """A bot run by a player, which can be challenged."""

    player: str
    """The id of its player."""
    nickname: str
    """The bot's nickname."""
    games: list[str]
    """The slugs of the games that it plays."""
    description: str
    """What it is, in its owner's words."""
    until: datetime
    """When it leaves the list unless it registers again."""
    name_ref: str | None = None
    """Where the nickname is stored."""


class Bots(Schema, frozen=True):
    """All bots that can be challenged."""

    house: list[HouseLevel]
    """The service's own bots, which are always available."""
    listed: list[ListedBot]
    """Bots that others run, which accept or decline; the latest registered one first."""


class SeatedBot(Schema, frozen=True, tag="bot", tag_field="type"):
    """A bot of the service with a seat."""

    type: ClassVar[Literal["bot"]] = "bot"
    level: Literal["casual", "easy", "expert", "hard", "medium", "skilled"]
    """The bot's level."""


class SeatedPlayer(Schema, frozen=True, tag="player", tag_field="type"):
    """A player with a seat."""

    type: ClassVar[Literal["player"]] = "player"
    player: str
    """The id of the player."""
    nickname: str | None = None
    """The player's nickname; absent until an asked player has accepted."""
    bot: bool = False
    """Whether the player declared that a program plays for them; absent for people."""
    name_ref: str | None = None
    """Where the nickname is stored; absent without a nickname."""


class Challenge(Schema, frozen=True):
    """A match that a player proposes to particular other players."""

    id: str
    """The id of the challenge."""
    by: str
    """The id of the player who made it."""
    game: str
    """The game's slug."""
    options: GameOptions
    """All options of the game."""
    clock: NoClock | PerMoveClock | FischerClock | DaysClock
    """The clock of the match."""
    rated: bool
    """Whether the match is rated."""
    seats: list[SeatedPlayer | SeatedBot]
    """Who would have which seat."""
    deadline: datetime
    """When it expires."""
    strangers: list[str] = []
    """The asked players who have not played a match with the one who made it."""


class BotSeat(Schema, frozen=True):
    """A seat for a bot of the service."""

    bot: Literal["casual", "easy", "expert", "hard", "medium", "skilled"]
    """The bot's level; `bots` at GET /v1/games/{game} lists the levels."""


class ChallengeRequest(Schema, frozen=True):
    """A request to play with particular players."""

    game: str
    """The game's slug."""
    opponents: list[str | BotSeat]
    """The ids of the players whom you ask, and bots of the service: one for each other seat of the game."""
    options: GameOptions | None = None
    """The game's options; those left out have their defaults."""
    clock: NoClock | PerMoveClock | FischerClock | DaysClock = NoClock()
    """The clock of the match; by default none."""
    seat: int | None = None
    """Your seat; by default the seats are drawn."""
    rated: bool = False
    """Whether the match is rated, which needs a clock and no bots of the service; see the setting `rated`. `false`
    by default.
    """
    minutes: int = 10
    """For how many minutes it can be accepted; at most 10 if you have not played a match with all whom you ask. `10`
    by default.
    """


class ChallengeSettings(Schema, frozen=True):
    """Who may challenge the caller."""

    challengers: Literal["everybody", "met", "nobody"]
    """Everybody, those who have played a match with the caller, or nobody."""


class Player(Schema, frozen=True):
    """A player; a command to join can set another nickname for its room."""

    id: str
    """The player's id."""
    nickname: str
    """The name that is shown for the player."""
    bot: bool = False
    """Whether the player declared that a program plays for them; absent for people."""


class ChatLine(Schema, frozen=True):
    """A line of a chat."""

    id: str
    """The line's id; later lines have greater ids."""
    time: datetime
    """When it happened."""
    player: Player
    """Who wrote it, with the nickname that they had there."""
    audience: Literal["all", "players", "spectators"]
    """Who can read it: everyone, or, in a room with `chat` set to `apart`, only players or only spectators."""
    text: str
    """Plain text; empty if the player was erased."""
    room: str | None = None
    """The room where it was written; absent in the lobby."""
    title: str | None = None
    """The title of that room."""


class ChatPage(Schema, frozen=True):
    """A page of a chat, oldest line first."""

    lines: list[ChatLine]
    """The lines, oldest first."""
    next: str | None
    """The `cursor` of the page before this one; with `since`, the `since` of the page after it."""


class JoinedRoom(Schema, frozen=True):
    """A room that the caller is a member of."""

    room: str
    """The room's name."""
    title: str
    """The title that is shown to people."""
    game: str
    """The slug of the game."""
    status: str
    """The status: what can happen next."""
    my_turn: bool
    """Whether a seat of the caller is to move."""
    seated: list[Player]
    """Who holds its seats, in their order, and each player once."""


class CurrentPlayer(Schema, frozen=True):
    """The caller and their rooms."""

    player: Player
    """The caller."""
    rooms: list[JoinedRoom]
    """The rooms in which the caller is a member."""


class Decline(Schema, frozen=True):
    """An answer to a challenge."""

    reason: Literal["no_bots", "not_now", "other", "other_clock", "other_game", "other_options", "rated"] | None = None
    """Why you decline; by default no reason is given."""


class NamedPlayer(Schema, frozen=True):
    """A player with a nickname."""

    player: str
    """The id of the player."""
    nickname: str
    """The player's nickname."""
    bot: bool
    """Whether the player was declared a bot."""


class PairedTable(Schema, frozen=True):
    """A match of a tournament."""

    number: int
    """The number of the table in the tournament, from 1."""
    round: int
    """The number of the round."""
    players: list[NamedPlayer]
    """By seat."""
    room: str | None
    """The name of the room; null before it is open."""
    epoch: str | None
    """The id of the room among all rooms of its name."""
    match_id: str | None
    """The id of the match; null until it has ended, and without a match."""
    places: list[int] | None
    """The place of each seat; null until the match has ended. All 1 for a match that was closed."""
    absent: list[int]
    """The seats that forfeited, or ran out of time, without making a move."""


class StandingView(Schema, frozen=True):
    """A player in the standings."""

    rank: int
    """The rank; players who are equal by all criteria share one."""
    player: str
    """The id of the player."""
    nickname: str
    """The player's nickname."""
    rating: int
    """The player's rating in points at registration."""
    bot: bool
    """Whether a program plays for the player."""
    points: float
    """The points."""
    tie_breaks: dict[str, float]
    """The tie-breaks between players with the same points, in order; see docs/tournaments.md."""
    played: int
    """How many matches the player has played."""
    wins: int
    """How many matches the player won, including those against players who had left a round robin."""
    draws: int
    """How many matches the player drew by sharing the first place."""
    byes: int
    """How many rounds the player had without a match."""
    table: int | None
    """The number of the table at which the player has a running match; null without one."""
    left: Literal["absent", "not_checked_in", "removed", "withdrew"] | None
    """Why the player gets no further match; null while the player takes part."""


class TournamentView(Schema, frozen=True):
    """A tournament, with the fields that may change within a round."""

    id: str
    """The id of the tournament."""
    title: str
    """The title of the tournament."""
    game: str
    """The game's slug."""
    options: GameOptions
    """All options of the game."""
    seats: int
    """How many players a match has."""
    format: Literal["arena", "round_robin", "swiss"]
    """How players are paired."""
    clock: NoClock | PerMoveClock | FischerClock | DaysClock
    """The clock of every match."""
    starts: datetime
    """When the first round begins."""
    check_in_ms: int
    """For how many milliseconds before the start players have to check in; 0 if no check-in is needed."""
    late_entry: bool
    """Whether players are admitted after the start."""
    bots: bool
    """Whether programs may take part."""
    max_players: int
    """The maximum number of players."""
    organiser: NamedPlayer | None
    """The player who created it; null for an operator."""
    status: Literal["cancelled", "finished", "playing", "registration"]
    """The status of the tournament."""
    players: int
    """How many players take part."""
    round: int
    """The number of the latest round, 0 before the first one."""
    rounds: int | None
    """How many rounds there will be at most; null in an arena, and before the start unless its organiser has chosen."""
    duration_ms: int | None
    """For how many milliseconds matches begin in an arena; null in other formats."""
    ends: datetime | None
    """Until when matches begin in an arena; null in other formats, and before the start."""
    version: int
    """The version of its stream."""
    reason: str | None
    """Why it was cancelled; null unless it was."""
    next_round: datetime | None
    """When the next round begins; null while matches of this round are played, in an arena, and after the last one."""


class FollowedTournament(Schema, frozen=True):
    """A tournament with its standings and tables."""

    tournament: TournamentView
    """The tournament."""
    standings: dict[str, StandingView]
    """By the players' ids."""
    tables: dict[str, PairedTable]
    """By their numbers: those of the latest round; in an arena, the running and the latest ones."""
    byes: list[str]
    """The ids of the players who have no match in this round."""


class BoardPoint(Schema, frozen=True):
    """A cell of a board and the coordinates of its centre, in units of one cell; x grows to the right, y upwards."""

    name: str
    """The name of the cell in moves and events."""
    x: float
    """To the right, in units of one cell."""
    y: float
    """Upwards, in units of one cell."""


class BoardGeometry(Schema, frozen=True):
    """The geometry of a game's boards.

    `cells` are squares on a `grid`, points on a `graph`, and on `hexagons` regular hexagons with a corner at the
    top, each one unit wide; their rows are half the square root of three apart. `edges` are the lines of a graph,
    each between two cells. `boards` has the names of all boards of this shape; most games have one.
    """

    kind: Literal["graph", "grid", "hexagons"]
    """Whether the cells are squares of a grid, points of a graph, or hexagons."""
    width: int
    """The number of columns: the width of the board in cells."""
    height: int
    """The number of rows."""
    cells: list[BoardPoint]
    """All cells."""
    edges: list[list[str]] = []
    """The lines of a graph, each between two cells."""
    lines: list[list[str]] = []
    """The cells of each line that has a meaning in the rules, such as mills; empty if the rules name no lines."""
    boards: list[str] = msgspec.field(default_factory=lambda: ["board"])
    """The names of all boards of this shape."""


class OptionLabel(Schema, frozen=True):
    """The labels of an option and its values in a form."""

    title: str
    """The title that is shown to people."""
    values: dict[str, str]
    """By value; empty for switches and numbers."""


class GameLabels(Schema, frozen=True):
    """The texts that people read instead of names of the API."""

    colours: dict[str, str]
    """The names of the seats' colours within a sentence, by `colour`."""
    options: dict[str, OptionLabel]
    """The options, by name."""


class LessonMove(Schema, frozen=True):
    """A move of a lesson, and who makes it."""

    seat: int
    """The number of the seat, from 0 in turn order."""
    move: dict[str, Any]
    """The move; it can be sent unchanged."""


class LessonStep(Schema, frozen=True):
    """A step of a lesson: texts for the learner, and moves."""

    text: str
    """What the learner should do, and why."""
    before: list[LessonMove]
    """The moves of all seats before it, in order."""
    solutions: list[list[LessonMove]]
    """What the learner may play: each solution is one move, or several in sequence."""
    hint: str
    """A hint after a move that does not solve it."""
    praise: str
    """The text after a solution."""
    positions: list[dict[str, Any]]
    """The states before and after each of three moves up to its solution, as the public has them; in one step only."""


class GameLesson(Schema, frozen=True):
    """A lesson: one match, in which the learner plays seat 0 and the moves of the others are given.

    Open a room with these options in which you hold all seats, play the moves before each step, and let the
    learner solve it.
    """

    options: GameOptions
    """The options of the match, which leave nothing to chance."""
    steps: list[LessonStep]
    """The steps; the solution of the last one ends the match."""


class GameMeasure(Schema, frozen=True):
    """The number of each seat that the graph of a match shows."""

    unit: str
    """What is counted, in the plural."""
    meaning: str
    """What the number is."""


class GeometryByOptions(Schema, frozen=True):
    """The geometry of a game's boards with some options."""

    options: dict[str, Any]
    """The options that change it; none for the defaults."""
    geometry: BoardGeometry
    """The geometry with them."""


class SeatColour(Schema, frozen=True):
    """A seat and its colour."""

    seat: int
    """The number of the seat, from 0 in turn order."""
    colour: str
    """The colour of the seat."""


class SeatsByOptions(Schema, frozen=True):
    """The seats of a game with some options; `options` has those that change the number of seats."""

    options: dict[str, Any]
    """The options with which the game has these seats."""
    seats: list[SeatColour]
    """The seats, in turn order."""


class GameDetails(Schema, frozen=True):
    """Everything that a client needs to offer and display a game."""

    slug: str
    """The name of the game in addresses and events."""
    title: str
    """The title that is shown to people."""
    tagline: str
    """The game in one line."""
    rules_version: int
    """The version of the game's rules."""
    seats: list[SeatsByOptions]
    """The seats of the game, for each choice of the options that change their number."""
    bots: list[Literal["casual", "easy", "expert", "hard", "medium", "skilled"]]
    """The levels of bots that can take a seat."""
    telling_ms: int
    """How many milliseconds clients need to show the last events of a match; the next one begins that much later."""
    lesson_steps: int
    """The number of steps of the game's lesson; 0 if it has none."""
    summary: list[str]
    """The rules in three short sentences."""
    rules: str
    """The rules in Markdown."""
    simultaneous: bool
    """Whether the seats move at the same time."""
    options: dict[str, Any]
    """The JSON Schema of the options."""
    moves: dict[str, Any]
    """The JSON Schema of a move."""
    endings: dict[str, str]
    """The game's own reasons why a match ends, each with its meaning; the others are the same in all games."""
    geometry: BoardGeometry
    """The geometry with the default options."""
    geometries: list[GeometryByOptions]
    """The geometry with the default options, and with each option that changes it."""
    lesson: GameLesson | None
    """The lesson that teaches the rules; null if the game has none."""
    labels: GameLabels
    """The colours and the options in the language of the answer."""
    measure: GameMeasure | None
    """What the graph of a match shows; null if there is none."""


class GameSummary(Schema, frozen=True):
    """A game of the catalogue."""

    slug: str
    """The name of the game in addresses and events."""
    title: str
    """The title that is shown to people."""
    tagline: str
    """The game in one line."""
    rules_version: int
    """The version of the game's rules."""
    seats: list[SeatsByOptions]
    """The seats of the game, for each choice of the options that change their number."""
    bots: list[Literal["casual", "easy", "expert", "hard", "medium", "skilled"]]
    """The levels of bots that can take a seat."""
    telling_ms: int
    """How many milliseconds clients need to show the last events of a match; the next one begins that much later."""
    lesson_steps: int
    """The number of steps of the game's lesson; 0 if it has none."""


class GameList(Schema, frozen=True):
    """The catalogue of games."""

    games: list[GameSummary]
    """The games."""


class Guest(Schema, frozen=True):
    """A new guest and the token that authenticates them. A lost token can be replaced with a recovery code."""

    player: Player
    """The guest."""
    token: str
    """The token that authenticates the guest."""


class GameResult(Schema, frozen=True):
    """A player's results in a game, of matches that count and in which the player had one seat and a place."""

    game: str
    """The slug of the game."""
    matches: int
    """How many matches there are."""
    wins: int
    """How many the player won alone."""
    draws: int
    """How many times the player shared the first place; against one opponent, how often they had the same place."""
    losses: int
    """How many the player lost."""


class HeadToHead(Schema, frozen=True):
    """The results of a player against another player, by their places alone."""

    player: str
    """The player's id."""
    other: str
    """The other player's id."""
    bot: bool
    """Whether `player` was declared a bot in their latest match that everybody may see."""
    other_bot: bool
    """Whether `other` was, in theirs."""
    results: list[GameResult]
    """The results by game, from the side of `player`."""


class InvitationEntry(Schema, frozen=True):
    """An invitation, as the members of its room may see it."""

    invitation: int
    """Its number in the room, from 1."""
    player: str
    """Who made it."""
    uses: int
    """How many players it admits."""
    used: int
    """How many players it has admitted."""
    seat: int | None
    """The only seat that it is for; null for any."""
    expires: datetime
    """When it expires."""
    declined: int
    """How many players have declined it."""
    ended: Literal["expired", "revoked", "room_closed", "used_up"] | None
    """Why it has ended; null while it is open."""
    code: str | None
    """Its code, for its creator only: `/i/{code}` is the page to send. Null for all others, and once it has ended."""


class InvitationList(Schema, frozen=True):
    """The invitations of a room that the caller may see, oldest first; only the latest of the ended ones."""

    invitations: list[InvitationEntry]
    """The invitations."""


class InvitationView(Schema, frozen=True):
    """An open invitation, for everybody with its code. The name and title of a private room are not shown."""

    host: str
    """The nickname of the member who made it."""
    bot: bool
    """Whether that member was declared a bot."""
    game: str
    """The slug of the game."""
    title: str
    """The title of the game."""
    options: GameOptions
    """The options of the game."""
    settings: RoomSettings
    """The settings of the room."""
    status: str
    """Whether the room waits for players (`open`), or plays (`playing`)."""
    seats: int
    """How many seats the game has."""
    seats_free: int
    """How many of them are free."""
    seat: int | None
    """The only seat that the invitation is for; null for any."""
    uses_left: int
    """How many players it still admits."""
    expires: datetime
    """When it expires."""
    room: str | None
    """The room's name; null for a private room, unless the caller is a member of it."""


class LeaderboardPlace(Schema, frozen=True):
    """A place on a leaderboard."""

    place: int
    """The place, from 1."""
    player: str
    """The player's id."""
    nickname: str | None
    """The player's nickname in their latest match that everybody may see; null without one, or if it is not known."""
    bot: bool
    """Whether the player was declared a bot in that match."""
    rating: float
    """The rating, in points."""
    deviation: float
    """Its standard deviation."""
    matches: int
    """How many rated matches the player has played, without those for members only."""
    wins: int
    """How many of them the player won alone."""


class PlaceNeeds(Schema, frozen=True):
    """What a place on a leaderboard requires."""

    opponents: int | None
    """The number of different opponents whose own deviation was not larger than this one; null against bots."""
    matches: int | None
    """The number of matches against bots of the service; null in other lists."""
    deviation: float
    """The largest deviation."""
    players: int
    """How many players must have all this; until then the leaderboard is provisional."""


class Leaderboard(Schema, frozen=True):
    """A page of a leaderboard, the best first."""

    game: str
    """The slug of the game."""
    rating_class: Literal["blitz", "bullet", "correspondence", "rapid", "bots"]
    """The rating class: by the clock, or `bots` for matches against bots of the service."""
    total: int
    """How many players are on the leaderboard."""
    provisional: bool
    """Whether too few players have what a place requires; until then everybody is on the leaderboard."""
    place_needs: PlaceNeeds
    """What a place requires."""
    place: int | None
    """The place of the player of `around`; null if they have none, and without `around`."""
    places: list[LeaderboardPlace]
    """The places."""
    next: int | None
    """The cursor of the next page."""


class TokenEntry(Schema, frozen=True):
    """A token of the caller, without its secret."""

    id: str
    """The id of the token, by which it is revoked."""
    name: str
    """The name by which the player recognises it."""
    scopes: list[Literal["account", "bot", "chat", "play", "read", "tournaments"]]
    """Its scopes."""
    made: datetime
    """When it was created."""
    expires: datetime | None
    """When it expires; null for never."""
    used_on: str | None
    """The day in UTC on which it was last used; null for never."""
    current: bool
    """Whether this request was sent with it."""


class LetIn(Schema, frozen=True):
    """A player who signed in with a code, and their new token."""

    player: Player
    """The player who signed in."""
    token: str
    """A token with all scopes."""
    entry: TokenEntry
    """The token's entry in the list."""


class LobbyEntryKey(Schema, frozen=True):
    """A room of the lobby by its name and its epoch, as a later room can have the same name."""

    room: str
    """The room's name."""
    epoch: str
    """The id of the room among all rooms of its name."""


class LobbyEntry(Schema, frozen=True):
    """A room in the lobby."""

    room: str
    """The room's name."""
    title: str
    """The title that is shown to people."""
    epoch: str
    """The id of the room among all rooms of its name."""
    game: str
    """The slug of the game."""
    options: GameOptions
    """The options of the game."""
    status: str
    """The status: what can happen next."""
    seats: int
    """How many seats the game has."""
    seats_taken: int
    """How many seats are taken."""
    players: int
    """How many members the room has."""
    opened: datetime
    """When the room was opened."""
    clock: NoClock | PerMoveClock | FischerClock | DaysClock
    """How much time the players have."""
    rated: bool
    """Whether the matches count for a rating."""
    spectators: bool
    """Whether everybody can watch."""
    abandoned_at: str | None
    """Since when no seated player has been present; null while one is."""
    match: int | None
    """The number of the running match; null without one."""


class LobbyPage(Schema, frozen=True):
    """A page of the lobby, newest room first."""

    rooms: list[LobbyEntry]
    """The rooms."""
    next: str | None
    """The cursor of the next page."""


class MadeLinkCode(Schema, frozen=True):
    """A code with which another device can sign in once."""

    code: str
    """Eight digits and capital letters without 0, 1, I and O."""
    expires: datetime
    """When it expires, five minutes after it was created."""


class MadeRecoveryCode(Schema, frozen=True):
    """A code that gives a player who has lost all tokens a new one. It is not stored, so it cannot be read again."""

    code: str
    """The code, to be kept in a safe place; it can be used once."""


class MadeToken(Schema, frozen=True):
    """A new token. It is not stored, so it cannot be read again."""

    entry: TokenEntry
    """Its entry in the list."""
    token: str
    """The token itself, for the header `Authorization`."""


class AttemptView(Schema, frozen=True):
    """A request to an endpoint, and its outcome."""

    time: datetime
    """When it was made."""
    took_ms: int
    """How many milliseconds it took."""
    status: int | None
    """The HTTP status of the response; null without a response."""
    failure: str | None
    """Why it failed, such as `status` for a status other than 2xx, `not_echoed`, `timed_out`, `no_public_address`,
    `not_connected`, `tls_failed` or `invalid_response`; null if it did not.
    """


class WebhookEntry(Schema, frozen=True):
    """A webhook, without its secret."""

    id: str
    """The id of the webhook."""
    url: str
    """Where events are sent."""
    events: list[str]
    """The types of the events that are sent; empty for all."""
    status: Literal["active", "disabled", "unverified"]
    """`unverified` until the endpoint has echoed a challenge, then `active`; nothing is sent to a `disabled` one."""
    reason: Literal["failing", "gone", "no_secret"] | None
    """Why it is disabled: it was `failing` for a day, the endpoint answered 410 and is `gone`, or its secret is lost
    (`no_secret`) and has to be rotated. Otherwise null.
    """
    made: datetime
    """When it was registered."""
    failures: int
    """How many attempts failed in a row."""
    failing_since: str | None
    """When the first of them was made; null if the latest did not fail."""
    next_attempt: str | None
    """When the next attempt is made after a failure, or the next challenge; null if none is planned."""
    challenge: AttemptView | None
    """The latest challenge; null before the first one."""
    previous_secret_until: str | None
    """Until when messages are also signed with the previous secret; null if the secret was never rotated."""


class MadeWebhook(Schema, frozen=True):
    """A webhook with a new secret, which cannot be read again."""

    webhook: WebhookEntry
    """The webhook."""
    secret: str
    """The secret of the Standard Webhooks with which messages are signed."""


class AnalysisMeasure(Schema, frozen=True):
    """What the values of positions are. They are computed from the position alone, without a search."""

    unit: str
    """What is counted, in the plural."""
    meaning: str
    """What it is, for people."""


class SeatMove(Schema, frozen=True):
    """Something that a seat did or could do at a position."""

    seat: int
    """The number of the seat, from 0 in turn order."""
    move: dict[str, Any] | None
    """The move; null for a seat that dropped out."""
    notation: str
    """Its entry in the match's text: a move, or why the seat dropped out."""
    lost: int | None = None
    """By how many percent it lowered the seat's chance to win, compared with the best move; null without a review."""
    mark: Literal["blunder", "inaccuracy", "mistake"] | None = None
    """What it is called if it lost at least 10, 20 or 30 percent."""


class PositionAnalysis(Schema, frozen=True):
    """A position of a match."""

    ply: int
    """How many entries of the match's text have been made, moves and drop-outs, without those taken back."""
    version: int
    """The version of the room at which the position is on the board, for `at`."""
    to_move: list[int]
    """The numbers of the seats that are to move."""
    values: list[int] | None
    """The value of each seat, as `measure` describes; null without a measure."""
    played: list[SeatMove]
    """What was played here: usually one move; in a simultaneous game, those of the round; nothing at the end."""
    best: list[SeatMove] | None = None
    """The best move of each seat that is to move, found by the bots' search; null without a review."""
    chances: list[int] | None = None
    """The chance of each seat to win in percent, found by the bots' search, a draw shared; null without a review."""


class MatchAnalysis(Schema, frozen=True):
    """A finished match: a page of its positions, or the requested one."""

    match: str
    """The match's id."""
    game: str
    """The slug of the game."""
    plies: int
    """The number of entries of the match's text, moves and drop-outs, without those taken back."""
    measure: AnalysisMeasure | None
    """What the values are; null in a game without a measure."""
    positions: list[PositionAnalysis]
    """The positions by ply, from 0 to `plies`; with `ply`, only that one."""
    next: int | None
    """The cursor of the next page."""
    review: Literal["done", "none", "waiting"] | None = "none"
    """Whether the bots' review was requested and is complete; null for a game without reviews."""
    evaluated: int | None = None
    """How many plies have been evaluated of a review that is `waiting`; null for others."""
    turning_point: int | None = None
    """The ply of the position whose moves raised the winner's chance most, by 10 percent at least."""


class Parameters(Schema, frozen=True):
    """The parameters of the model, that of Weng and Lin with Plackett and Luce's likelihood, in points."""

    beta: float
    """How much performance varies from match to match: the larger, the less results say about strength."""
    tau: float
    """How much deviations grow before each match, because strength changes."""
    kappa: float = 0.0001
    """The smallest factor by which one match reduces a variance."""


class RatedPlayer(Schema, frozen=True):
    """A seat of a rated match."""

    seat: int
    """The number of the seat, from 0 in turn order."""
    player: str
    """The player's id."""
    bot: Literal["casual", "easy", "expert", "hard", "medium", "skilled", "external"] | None
    """The level of a bot of the service, whose rating is fixed; `external` for a player who was declared a bot."""
    place: int
    """The place in the match, from 1; equal places are a draw."""
    rating_before: float
    """The rating before the match, in points."""
    deviation_before: float
    """Its standard deviation."""
    rating: float
    """The rating after the match."""
    deviation: float
    """Its standard deviation."""


class MatchRatings(Schema, frozen=True):
    """How a match was rated."""

    match_id: str
    """The id of the match."""
    game: str
    """The slug of the game."""
    rated: bool
    """Whether the match counts for ratings."""
    not_rated: Literal["aborted", "bot", "casual", "no_result", "pair_limit", "pending", "too_late", "voided"] | None
    """Why it does not; null if it does."""
    rating_class: Literal["blitz", "bullet", "correspondence", "rapid", "bots"] | None
    """The rating class; null, like the fields after it, if the match was not rated, or not yet."""
    version: int | None = None
    """The version of the entry in its list."""
    seats: list[RatedPlayer] = []
    """The seats, with the ratings of their players."""
    parameters: Parameters | None = None
    """The parameters of the model."""
    voided: bool = False
    """Whether an operator voided the match: what it changed was reverted."""


class NewInvitation(Schema, frozen=True):
    """The code of an invitation that the command created; nobody else receives it."""

    invitation: int
    """Its number in the room."""
    code: str
    """`/i/{code}` is the page to send to the people whom you invite."""


class NewTournament(Schema, frozen=True):
    """A tournament as requested by its organiser."""

    title: str
    """The title of the tournament."""
    game: str
    """The game's slug."""
    format: Literal["arena", "round_robin", "swiss"]
    """Who meet: everybody (with three seats as evenly as possible), players with similar scores, or who is free."""
    clock: NoClock | PerMoveClock | FischerClock | DaysClock
    """The clock of every match: `per_move` or `fischer`, with less than a day for a match."""
    starts: datetime
    """When the first round begins; a time up to a minute ago begins it at once."""
    options: GameOptions | None = None
    """The game's options; those left out have their defaults."""
    rounds: int | None = None
    """How many rounds a Swiss system has; null for as many as the number of players needs. Null in other formats.

    There are fewer if everybody has met everybody before.
    """
    duration_ms: int | None = None
    """For how many milliseconds matches begin in an arena, by default an hour. Null in other formats."""
    max_players: int | None = None
    """The maximum number of players; null for the maximum of the format."""
    check_in_ms: int = 0
    """For how many milliseconds before the start players have to check in; 0 if no check-in is needed. `0` by
    default.
    """
    late_entry: bool = True
    """Whether players are admitted after the start, in a Swiss system until its last round. Never in a round robin.
    `true` by default.
    """
    bots: bool = False
    """Whether programs may take part. `false` by default."""


class MatchPlayer(Schema, frozen=True):
    """The player of a seat when the match began."""

    seat: int
    """The number of the seat, from 0 in turn order."""
    player: str | None
    """The id of the player; null for an empty seat."""
    nickname: str | None
    """The nickname that the player had then; null for an empty seat, and if it can no longer be read."""
    bot: bool
    """Whether it is a bot of the service, or was declared a bot."""


class VersionRange(Schema, frozen=True):
    """The versions of a match's events, from `match_started` to `match_ended`; `last` is null while it is played."""

    first: int
    """The version of `match_started`."""
    last: int | None
    """The version of `match_ended`; null while the match is played."""


class MatchSummary(Schema, frozen=True):
    """A match in the list of its room."""

    id: str
    """The match's id, as in its address."""
    number: int
    """The number of the match in its room, from 1."""
    room: str
    """The room's name."""
    epoch: str
    """The id of the room among all rooms of its name."""
    game: str
    """The slug of the game."""
    status: str
    """Whether the match is played (`playing`), or has ended (`finished`)."""
    started: datetime
    """When the match started."""
    ended: datetime | None
    """When the match ended; null while it is played."""
    players: list[MatchPlayer]
    """The players of the seats when the match began."""
    versions: VersionRange
    """The versions of the match's events."""
    result: MatchResult | None
    """How the match ended; null while it is played."""
    counts: bool | None
    """Whether the match counts for its players; null while it is played.

    One in which fewer than two players had moved does not, except at a tournament's table.
    """


class NotableMatch(Schema, frozen=True):
    """A match that is one of the best by some criterion."""

    game: str
    """The slug of the game."""
    fact: Literal["comeback", "longest", "shortest_win"]
    """`comeback`: the winner had been behind by the most; `shortest_win` and `longest`: by the number of moves."""
    period: Literal["all", "day", "week"]
    """The current day or week (from Monday) in UTC, or all time."""
    value: int
    """The number of moves; for a comeback, by how much the winner had been behind, in the `measure` of the game."""
    match: MatchSummary
    """The match."""


class NotableMatches(Schema, frozen=True):
    """Notable matches, by game, fact and period; the best of each first."""

    matches: list[NotableMatch]
    """The matches; a match can be included several times."""


class OpenChallenges(Schema, frozen=True):
    """The open challenges that the caller made or received."""

    made: list[Challenge]
    """The challenges that the caller made, the oldest first."""
    received: list[Challenge]
    """The challenges that others made, the oldest first."""


class MatchPosition(Schema, frozen=True):
    """A position of a match that the caller may read, also while it is played, unless it is rated then."""

    match: str
    """The id of the match."""
    version: int
    """The version of its room at which the position is on the board, as in its analysis."""


class MorrisRequestedOptions(Schema, frozen=True):
    """The options; the defaults are the basic game."""

    first: Literal["roll", "seat0"] = "seat0"
    """Who begins: white, or the player who rolls the higher number. `"seat0"` by default."""
    flying: Literal["both", "off", "reduced"] = "both"
    """Who flies once a player has three men left: both players, only that player, or nobody. `"both"` by default."""
    all_in_mills: Literal["any", "none", "three"] = "none"
    """Which men can be removed when all are in mills: none, any of a player with three men, or any. `"none"` by
    default.
    """
    double_mill: Literal["one", "two"] = "two"
    """How many removals two mills closed by one man allow. `"two"` by default."""
    repetition: bool = True
    """Whether the third occurrence of a position is a draw. `true` by default."""
    quiet_limit: int = 100
    """The number of turns in a row without a placement or removal until a draw; 0 = no limit. `100` by default."""


class RequestedSettings(Schema, frozen=True):
    """Settings as clients send them."""

    visibility: Literal["private", "public", "unlisted"] = "public"
    """Whether the lobby lists the room; an unlisted one is found by its name, a private one only with its password.
    `"public"` by default.
    """
    start: Literal["creator", "full", "ready"] = "ready"
    """What starts the first match: all players being ready, all seats being taken, or the creator's `start`.
    `"ready"` by default.
    """
    restart: int | None = 5000
    """Milliseconds from the end of a match to the start of the next one; null: it starts when all players are ready.

    They are counted from the end plus the game's `telling_ms`, in which clients show the last events. The next
    match also waits until all players are present, see `waiting_for` of the view. If only bots play, somebody has
    to follow the room's own feed, and no match starts later than a day after the latest command of a player.
    `5000` by default.
    """
    clock: NoClock | PerMoveClock | FischerClock | DaysClock = NoClock()
    """How much time the players have."""
    on_timeout: Literal["bot_move", "lose", "random_move"] = "lose"
    """What happens to a seat whose time runs out: it drops out, or the service moves for it until the turn ends.
    `"lose"` by default.
    """
    bot_pause: int = 1000
    """Milliseconds that a bot takes for a move; none once all people in the match have dropped out.

    An easy move takes up to 600 fewer, a hard one up to 1000 more; with a pause below 1000 proportionally less.
    `1000` by default.
    """
    bots_resign: bool | None = None
    """Whether bots above `easy` resign to their last opponent once they have lost beyond doubt for three turns.

    Left out means that they do.
    """
    seats_next: Literal["keep", "rotate"] = "keep"
    """Whether the players rotate by one seat from match to match. `"keep"` by default."""
    best_of: int = 0
    """How many matches make a series, which ends early once a player cannot be overtaken; 0: no series. `0` by
    default.
    """
    hints: Literal["bots_only", "off", "on"] = "bots_only"
    """Who may ask for hints: a player whose opponents are all bots of the service, nobody, or every player.
    `"bots_only"` by default.
    """
    hot_seat: bool = False
    """Whether a player may hold several seats, to play with others on one device. `false` by default."""
    chat: Literal["apart", "together"] = "together"
    """Whether players and spectators share the chat (`together`) or each have their own (`apart`). `"together"` by
    default.
    """
    spectators: bool = True
    """Whether spectators are admitted; if not, only members can read the room. `true` by default."""
    rated: bool = False
    """Whether matches count for a rating: see `rated_match` for what they exclude. They need a clock.

    A rated room is not private and not a hot seat, its `on_timeout` is `lose`, and no bot of the service has a
    seat. All players have to be ready for each match, and the seats rotate: `restart` is null, `seats_next` is
    `rotate`. `false` by default.
    """
    grace_ms: int = 60000
    """Milliseconds of absence after which the other players can claim against a seat; a rated match is forfeited.
    `60000` by default.
    """
    password: str | None = None
    """The password of a private room, 6 to 128 characters, required to `join`; only a salted scrypt hash is stored."""


class MorrisOpenRoomRequest(Schema, frozen=True, tag="morris", tag_field="game"):
    """A request for a new room."""

    game: ClassVar[Literal["morris"]] = "morris"
    name: str | None = None
    """The room's name; case and spaces do not matter. The title shows it as sent. Generated if left out.

    Eight random letters and digits are appended to a private room's name: use `room` from the response.
    """
    options: MorrisRequestedOptions | None = None
    """The game's options; those left out have their defaults."""
    settings: RequestedSettings = RequestedSettings()
    """The settings of the room."""
    nickname: str | None = None
    """The creator's nickname in this room."""
    seats: list[Literal["me"] | BotSeat | None] | None = None
    """Who takes which seat immediately; by default the creator takes the first one. Several "me" need `hot_seat`.

    If no seat is null, the match starts immediately. If no seat is "me", the creator is a spectator.
    """
    salt: str | None = None
    """The creator's contribution to the chance of the first match, as in `ready`; not for a creator without a seat."""
    from_: MatchPosition | None = msgspec.field(name="from", default=None)
    """The position at which the room's matches begin, with its game and options. Chance is drawn again.

    `options` are left out then, `game` can be, and the room is not rated.
    """


class RainbowRequestedOptions(Schema, frozen=True):
    """The options; the defaults are the basic game."""

    grid: Literal["hex", "square"] = "square"
    """Which diagonals have lines: both kinds, or only those parallel to a1-e5. `"square"` by default."""
    misere: bool = False
    """Whether a player who makes a line loses. `false` by default."""
    rest: Literal[0, 2, 3] = 0
    """In how many successive turns of its owner a peg can be used only once; 0 = no limit. `0` by default."""
    dice: bool = False
    """Whether a colour is rolled at the start of each turn, which the peg used must have on one side. `false` by
    default.
    """
    players: Literal[2, 3] = 2
    """How many seats there are. `2` by default."""
    repetition: bool = True
    """Whether the third occurrence of a position is a draw. `true` by default."""
    quiet_limit: int = 100
    """The number of turns in a row without a placement until a draw; 0 = no limit. `100` by default."""


class RainbowOpenRoomRequest(Schema, frozen=True, tag="rainbow", tag_field="game"):
    """A request for a new room."""

    game: ClassVar[Literal["rainbow"]] = "rainbow"
    name: str | None = None
    """The room's name; case and spaces do not matter. The title shows it as sent. Generated if left out.

    Eight random letters and digits are appended to a private room's name: use `room` from the response.
    """
    options: RainbowRequestedOptions | None = None
    """The game's options; those left out have their defaults."""
    settings: RequestedSettings = RequestedSettings()
    """The settings of the room."""
    nickname: str | None = None
    """The creator's nickname in this room."""
    seats: list[Literal["me"] | BotSeat | None] | None = None
    """Who takes which seat immediately; by default the creator takes the first one. Several "me" need `hot_seat`.

    If no seat is null, the match starts immediately. If no seat is "me", the creator is a spectator.
    """
    salt: str | None = None
    """The creator's contribution to the chance of the first match, as in `ready`; not for a creator without a seat."""
    from_: MatchPosition | None = msgspec.field(name="from", default=None)
    """The position at which the room's matches begin, with its game and options. Chance is drawn again.

    `options` are left out then, `game` can be, and the room is not rated.
    """


class TernioRequestedOptions(Schema, frozen=True):
    """The options: the layout of the first nine discs."""

    start: Literal["even", "first", "latin"] = "even"
    """The layout of the first nine discs. `"even"` by default."""


class TernioOpenRoomRequest(Schema, frozen=True, tag="ternio", tag_field="game"):
    """A request for a new room."""

    game: ClassVar[Literal["ternio"]] = "ternio"
    name: str | None = None
    """The room's name; case and spaces do not matter. The title shows it as sent. Generated if left out.

    Eight random letters and digits are appended to a private room's name: use `room` from the response.
    """
    options: TernioRequestedOptions | None = None
    """The game's options; those left out have their defaults."""
    settings: RequestedSettings = RequestedSettings()
    """The settings of the room."""
    nickname: str | None = None
    """The creator's nickname in this room."""
    seats: list[Literal["me"] | BotSeat | None] | None = None
    """Who takes which seat immediately; by default the creator takes the first one. Several "me" need `hot_seat`.

    If no seat is null, the match starts immediately. If no seat is "me", the creator is a spectator.
    """
    salt: str | None = None
    """The creator's contribution to the chance of the first match, as in `ready`; not for a creator without a seat."""
    from_: MatchPosition | None = msgspec.field(name="from", default=None)
    """The position at which the room's matches begin, with its game and options. Chance is drawn again.

    `options` are left out then, `game` can be, and the room is not rated.
    """


class TriboardRequestedOptions(Schema, frozen=True):
    """The options: the layout, and whether the first seat to move is drawn at random or is blue."""

    first: Literal["blue", "random"] = "random"
    """Whether the first seat to move is drawn at random or is blue. `"random"` by default."""
    start: Literal["lesson", "random"] = "random"
    """Whether the layout is drawn at random or is that of the lesson. `"random"` by default."""


class TriboardOpenRoomRequest(Schema, frozen=True, tag="triboard", tag_field="game"):
    """A request for a new room."""

    game: ClassVar[Literal["triboard"]] = "triboard"
    name: str | None = None
    """The room's name; case and spaces do not matter. The title shows it as sent. Generated if left out.

    Eight random letters and digits are appended to a private room's name: use `room` from the response.
    """
    options: TriboardRequestedOptions | None = None
    """The game's options; those left out have their defaults."""
    settings: RequestedSettings = RequestedSettings()
    """The settings of the room."""
    nickname: str | None = None
    """The creator's nickname in this room."""
    seats: list[Literal["me"] | BotSeat | None] | None = None
    """Who takes which seat immediately; by default the creator takes the first one. Several "me" need `hot_seat`.

    If no seat is null, the match starts immediately. If no seat is "me", the creator is a spectator.
    """
    salt: str | None = None
    """The creator's contribution to the chance of the first match, as in `ready`; not for a creator without a seat."""
    from_: MatchPosition | None = msgspec.field(name="from", default=None)
    """The position at which the room's matches begin, with its game and options. Chance is drawn again.

    `options` are left out then, `game` can be, and the room is not rated.
    """


class TurncoatRequestedOptions(Schema, frozen=True):
    """The options; a `round_limit` of 0 means no limit."""

    selectable: Literal["any", "white_only"] = "any"
    """Which squares can be selected: any, or only those with a white disc. `"any"` by default."""
    round_limit: int = 60
    """The number of rounds after which the match ends; 0 = no limit. `60` by default."""
    at_limit: Literal["draw", "fewest_white"] = "draw"
    """How the match ends at the limit: in a draw, or for the seat with the fewest white discs. `"draw"` by default."""
    start: Literal["lesson", "random"] = "random"
    """Whether the layout is drawn at random or is that of the lesson, in which few discs are white. `"random"` by
    default.
    """


class TurncoatOpenRoomRequest(Schema, frozen=True, tag="turncoat", tag_field="game"):
    """A request for a new room."""

    game: ClassVar[Literal["turncoat"]] = "turncoat"
    name: str | None = None
    """The room's name; case and spaces do not matter. The title shows it as sent. Generated if left out.

    Eight random letters and digits are appended to a private room's name: use `room` from the response.
    """
    options: TurncoatRequestedOptions | None = None
    """The game's options; those left out have their defaults."""
    settings: RequestedSettings = RequestedSettings()
    """The settings of the room."""
    nickname: str | None = None
    """The creator's nickname in this room."""
    seats: list[Literal["me"] | BotSeat | None] | None = None
    """Who takes which seat immediately; by default the creator takes the first one. Several "me" need `hot_seat`.

    If no seat is null, the match starts immediately. If no seat is "me", the creator is a spectator.
    """
    salt: str | None = None
    """The creator's contribution to the chance of the first match, as in `ready`; not for a creator without a seat."""
    from_: MatchPosition | None = msgspec.field(name="from", default=None)
    """The position at which the room's matches begin, with its game and options. Chance is drawn again.

    `options` are left out then, `game` can be, and the room is not rated.
    """


OpenRoomRequest = (
    MorrisOpenRoomRequest
    | TernioOpenRoomRequest
    | RainbowOpenRoomRequest
    | TriboardOpenRoomRequest
    | TurncoatOpenRoomRequest
)
"""A request for a new room."""


class PlayerPresence(Schema, frozen=True):
    """Whether a player is connected to the room."""

    online: bool
    """True from the first connection until some seconds after the last one has ended, so that reloads do not show."""
    devices: int
    """How many connections the player has to this room."""


class MemberView(Schema, frozen=True):
    """A member of the room."""

    id: str
    """The player's id."""
    nickname: str
    """The name that is shown for the player."""
    as_: Literal["player", "spectator"] = msgspec.field(name="as")
    """Whether the member plays or only watches."""
    bot: Literal["casual", "easy", "expert", "hard", "medium", "skilled", "external"] | None
    """The kind of the bot; null for people."""
    muted: bool
    """Whether the creator has muted this member in the chat."""
    presence: PlayerPresence | None
    """Whether the member is connected; null in a view of the past, and in a reply to a command if it is not known."""


class ClockView(Schema, frozen=True):
    """The clocks of a match at `server_time`; those of the seats to move are running."""

    remaining: list[int]
    """Milliseconds by seat."""
    deadline: datetime | None
    """When the next seat runs out of time if it does not move; null if no clock is running."""
    allowance_ms: int
    """Milliseconds after its deadline within which a move is still in time if it reaches the store."""
    server_time: datetime
    """The time of the server when it sent this."""


class MorrisView(Schema, frozen=True):
    """The view of all audiences; nothing in this game is secret."""

    points: dict[str, Literal["black", "white"] | None]
    """All 24 points, each with the colour of the man on it, or null."""
    phase: dict[str, Literal["flying", "moving", "placing"]]
    """What each seat does in its turns now."""
    hand: dict[str, int]
    """How many men each seat has not placed yet."""
    on_board: dict[str, int]
    """How many men each seat has on the board."""
    lost: dict[str, int]
    """How many men each seat has lost."""
    mills: list[tuple[str, str, str]]
    """The mills on the board, of both colours."""
    removals_owed: int
    """How many men the seat to move has to remove before its turn ends."""
    last: list[MorrisEvent]
    """The latest events on the board, for highlighting."""


class MorrisMatchView(Schema, frozen=True):
    """The running match, or the latest one until the next one starts."""

    number: int
    """The number of the match in its room, from 1."""
    id: str
    """The match's id, as in its address."""
    status: Literal["finished", "playing"]
    """Whether the match is played, or has ended."""
    started: datetime
    """When the match started."""
    ended: datetime | None
    """When the match ended; null while it is played."""
    state: MorrisView
    """The game's own view, with the latest events as `last`."""
    to_move: list[int]
    """The numbers of the seats that are to move."""
    legal_moves: list[MorrisMove]
    """The legal moves of the viewer's seat; each can be sent unchanged."""
    clock: ClockView | None
    """Null if time is not limited."""
    result: MatchResult | None
    """How the match ended; null while it is played."""
    rated: bool
    """Whether the match counts for a rating."""
    can_take_back: bool
    """Whether the viewer's seat has a turn for which it can request a takeback."""


class MorrisOptions(Schema, frozen=True):
    """The options; the defaults are the basic game."""

    first: Literal["roll", "seat0"]
    """Who begins: white, or the player who rolls the higher number. `"seat0"` by default."""
    flying: Literal["both", "off", "reduced"]
    """Who flies once a player has three men left: both players, only that player, or nobody. `"both"` by default."""
    all_in_mills: Literal["any", "none", "three"]
    """Which men can be removed when all are in mills: none, any of a player with three men, or any. `"none"` by
    default.
    """
    double_mill: Literal["one", "two"]
    """How many removals two mills closed by one man allow. `"two"` by default."""
    repetition: bool
    """Whether the third occurrence of a position is a draw. `true` by default."""
    quiet_limit: int
    """The number of turns in a row without a placement or removal until a draw; 0 = no limit. `100` by default."""


class NextMatchView(Schema, frozen=True):
    """The options and settings that will apply after the running match."""

    options: GameOptions
    """The options of the game."""
    settings: RoomSettings
    """The settings of the room."""


class OfferView(Schema, frozen=True):
    """An open offer, which the other humans in the match have to accept, and for a draw the bots too."""

    id: int
    """The number for `answer` and `withdraw`."""
    type: Literal["draw", "kick", "new", "restart", "takeback"]
    """What is offered."""
    by: str
    """The id of the player who made it."""
    awaits: list[str]
    """Who has not answered yet; the holder of several seats answers once."""
    accepted: list[str]
    """Who has accepted it."""
    to_version: int | None
    """For a takeback: the version to whose position the match would return."""
    player: str | None
    """For a kick: who would be removed."""


class SeatView(Schema, frozen=True):
    """A seat, its colour, its holder, and whether they are ready for the next match."""

    seat: int
    """The number of the seat, from 0 in turn order."""
    colour: str
    """The colour of the seat."""
    player: str | None
    """The id of the player who holds it; null for an empty seat."""
    ready: bool
    """Whether its holder is ready for the next match."""
    bot: Literal["casual", "easy", "expert", "hard", "medium", "skilled"] | None
    """The level of the service's bot on this seat; null for a player's seat and for an empty one."""
    claimable_at: datetime | None
    """When the running match can be claimed against this seat; null while its player is present."""


class SeriesScore(Schema, frozen=True):
    """A player's score in the series."""

    player: str
    """The player's id."""
    nickname: str | None
    """Null for a player who has left."""
    bot: Literal["casual", "easy", "expert", "hard", "medium", "skilled", "external"] | None
    """The kind of the bot; null for people, and for a player who has left."""
    points: float
    """1 for each match won alone, 0.5 for each shared first place."""


class SeriesView(Schema, frozen=True):
    """Matches whose results are added up; points belong to players, whichever seats they hold."""

    number: int
    """The number of the series in its room."""
    best_of: int
    """How many matches the series has at most."""
    played: int
    """How many of its matches have counted."""
    scores: list[SeriesScore]
    """The best player first; players without points are left out."""
    decided: bool
    """Whether the series is over; the next match starts a new one, once everyone is ready again."""


class MorrisRoomView(Schema, frozen=True, tag="morris", tag_field="game"):
    """A room at one version, as one viewer may see it."""

    game: ClassVar[Literal["morris"]] = "morris"
    room: str
    """The room's name."""
    title: str
    """The title that is shown to people."""
    epoch: str
    """The id of the room among all rooms of its name."""
    options: MorrisOptions
    """The options of the game."""
    settings: RoomSettings
    """The settings of the room."""
    status: Literal["closed", "finished", "open", "playing"]
    """The status: what can happen next."""
    creator: str
    """The player who opened the room; for a match of a tournament, `tournament` and its id, which is no player."""
    players: list[MemberView]
    """The members of the room, in the order in which they joined."""
    watchers: int | None
    """The number of connected spectators, null like `presence`; see the frame `presence`."""
    seats: list[SeatView]
    """The seats, in turn order."""
    series: SeriesView | None
    """Null without a series."""
    next: NextMatchView | None
    """Changes by `configure` that will apply after the running match; null if nothing changes."""
    next_seed_hash: str | None
    """The SHA-256 of the next match's seed, in hex; null during a match, at whose end it is published."""
    tournament: TournamentTable | None
    """The table of a tournament that the room is for; null for other rooms."""
    waiting_for: list[int]
    """The seats for which the next match waits: empty, not ready, or their player is absent; none during a match."""
    version: int
    """The version of the room: the number of its latest event."""
    match: MorrisMatchView | None
    """The running match, or the latest one until the next one starts; null before the first."""
    offers: list[OfferView]
    """The open offers."""
    restart_at: datetime | None
    """When the next match begins by itself; null if it does not, or waits for somebody, see `waiting_for`."""
    server_time: datetime
    """The time of the server when it sent this."""
    expires_at: str | None = None
    """When the room closes unless its creator sends another request for it; absent once anybody else has entered."""


class RainbowStanding(Schema, frozen=True):
    """A peg on the board."""

    owner: Literal["one", "three", "two"]
    """The colour of the seat that it belongs to."""
    peg: Literal["BV", "GB", "OY", "RO", "VR", "WK", "YG"]
    """The peg, by the letters of its two sides."""
    up: Literal["B", "G", "K", "O", "R", "V", "W", "Y"]
    """The side that is up."""


class RainbowView(Schema, frozen=True):
    """The view of all audiences; nothing in this game is secret."""

    cells: dict[str, RainbowStanding]
    """The occupied cells."""
    off_board: dict[str, list[Literal["BV", "GB", "OY", "RO", "VR", "WK", "YG"]]]
    """The pegs that each seat has not placed yet."""
    resting: dict[str, list[Literal["BV", "GB", "OY", "RO", "VR", "WK", "YG"]]]
    """The pegs that each seat may not use in its next turn; none if that is waived."""
    die: Literal["B", "G", "O", "R", "V", "Y"] | None
    """The colour rolled for this turn."""
    line: tuple[str, str, str] | None
    """The line that ended the match."""
    last: list[RainbowEvent]
    """The latest events on the board, for highlighting."""


class RainbowMatchView(Schema, frozen=True):
    """The running match, or the latest one until the next one starts."""

    number: int
    """The number of the match in its room, from 1."""
    id: str
    """The match's id, as in its address."""
    status: Literal["finished", "playing"]
    """Whether the match is played, or has ended."""
    started: datetime
    """When the match started."""
    ended: datetime | None
    """When the match ended; null while it is played."""
    state: RainbowView
    """The game's own view, with the latest events as `last`."""
    to_move: list[int]
    """The numbers of the seats that are to move."""
    legal_moves: list[RainbowMove]
    """The legal moves of the viewer's seat; each can be sent unchanged."""
    clock: ClockView | None
    """Null if time is not limited."""
    result: MatchResult | None
    """How the match ended; null while it is played."""
    rated: bool
    """Whether the match counts for a rating."""
    can_take_back: bool
    """Whether the viewer's seat has a turn for which it can request a takeback."""


class RainbowOptions(Schema, frozen=True):
    """The options; the defaults are the basic game."""

    grid: Literal["hex", "square"]
    """Which diagonals have lines: both kinds, or only those parallel to a1-e5. `"square"` by default."""
    misere: bool
    """Whether a player who makes a line loses. `false` by default."""
    rest: Literal[0, 2, 3]
    """In how many successive turns of its owner a peg can be used only once; 0 = no limit. `0` by default."""
    dice: bool
    """Whether a colour is rolled at the start of each turn, which the peg used must have on one side. `false` by
    default.
    """
    players: Literal[2, 3]
    """How many seats there are. `2` by default."""
    repetition: bool
    """Whether the third occurrence of a position is a draw. `true` by default."""
    quiet_limit: int
    """The number of turns in a row without a placement until a draw; 0 = no limit. `100` by default."""


class RainbowRoomView(Schema, frozen=True, tag="rainbow", tag_field="game"):
    """A room at one version, as one viewer may see it."""

    game: ClassVar[Literal["rainbow"]] = "rainbow"
    room: str
    """The room's name."""
    title: str
    """The title that is shown to people."""
    epoch: str
    """The id of the room among all rooms of its name."""
    options: RainbowOptions
    """The options of the game."""
    settings: RoomSettings
    """The settings of the room."""
    status: Literal["closed", "finished", "open", "playing"]
    """The status: what can happen next."""
    creator: str
    """The player who opened the room; for a match of a tournament, `tournament` and its id, which is no player."""
    players: list[MemberView]
    """The members of the room, in the order in which they joined."""
    watchers: int | None
    """The number of connected spectators, null like `presence`; see the frame `presence`."""
    seats: list[SeatView]
    """The seats, in turn order."""
    series: SeriesView | None
    """Null without a series."""
    next: NextMatchView | None
    """Changes by `configure` that will apply after the running match; null if nothing changes."""
    next_seed_hash: str | None
    """The SHA-256 of the next match's seed, in hex; null during a match, at whose end it is published."""
    tournament: TournamentTable | None
    """The table of a tournament that the room is for; null for other rooms."""
    waiting_for: list[int]
    """The seats for which the next match waits: empty, not ready, or their player is absent; none during a match."""
    version: int
    """The version of the room: the number of its latest event."""
    match: RainbowMatchView | None
    """The running match, or the latest one until the next one starts; null before the first."""
    offers: list[OfferView]
    """The open offers."""
    restart_at: datetime | None
    """When the next match begins by itself; null if it does not, or waits for somebody, see `waiting_for`."""
    server_time: datetime
    """The time of the server when it sent this."""
    expires_at: str | None = None
    """When the room closes unless its creator sends another request for it; absent once anybody else has entered."""


class TernioScores(Schema, frozen=True):
    """The number of discs by seat."""

    red: int
    """Red's discs."""
    green: int
    """Green's discs."""
    blue: int
    """Blue's discs."""


class TernioView(Schema, frozen=True):
    """The view of all audiences: nine rows, the top row first, and the scores."""

    board: list[str]
    """Nine rows, the top row first: `.` is empty, `r`, `g` and `b` are discs."""
    scores: TernioScores
    """The number of discs by seat."""
    last: list[TernioEvent]
    """The latest events on the board, for highlighting."""


class TernioMatchView(Schema, frozen=True):
    """The running match, or the latest one until the next one starts."""

    number: int
    """The number of the match in its room, from 1."""
    id: str
    """The match's id, as in its address."""
    status: Literal["finished", "playing"]
    """Whether the match is played, or has ended."""
    started: datetime
    """When the match started."""
    ended: datetime | None
    """When the match ended; null while it is played."""
    state: TernioView
    """The game's own view, with the latest events as `last`."""
    to_move: list[int]
    """The numbers of the seats that are to move."""
    legal_moves: list[TernioMove]
    """The legal moves of the viewer's seat; each can be sent unchanged."""
    clock: ClockView | None
    """Null if time is not limited."""
    result: MatchResult | None
    """How the match ended; null while it is played."""
    rated: bool
    """Whether the match counts for a rating."""
    can_take_back: bool
    """Whether the viewer's seat has a turn for which it can request a takeback."""


class TernioOptions(Schema, frozen=True):
    """The options: the layout of the first nine discs."""

    start: Literal["even", "first", "latin"]
    """The layout of the first nine discs. `"even"` by default."""


class TernioRoomView(Schema, frozen=True, tag="ternio", tag_field="game"):
    """A room at one version, as one viewer may see it."""

    game: ClassVar[Literal["ternio"]] = "ternio"
    room: str
    """The room's name."""
    title: str
    """The title that is shown to people."""
    epoch: str
    """The id of the room among all rooms of its name."""
    options: TernioOptions
    """The options of the game."""
    settings: RoomSettings
    """The settings of the room."""
    status: Literal["closed", "finished", "open", "playing"]
    """The status: what can happen next."""
    creator: str
    """The player who opened the room; for a match of a tournament, `tournament` and its id, which is no player."""
    players: list[MemberView]
    """The members of the room, in the order in which they joined."""
    watchers: int | None
    """The number of connected spectators, null like `presence`; see the frame `presence`."""
    seats: list[SeatView]
    """The seats, in turn order."""
    series: SeriesView | None
    """Null without a series."""
    next: NextMatchView | None
    """Changes by `configure` that will apply after the running match; null if nothing changes."""
    next_seed_hash: str | None
    """The SHA-256 of the next match's seed, in hex; null during a match, at whose end it is published."""
    tournament: TournamentTable | None
    """The table of a tournament that the room is for; null for other rooms."""
    waiting_for: list[int]
    """The seats for which the next match waits: empty, not ready, or their player is absent; none during a match."""
    version: int
    """The version of the room: the number of its latest event."""
    match: TernioMatchView | None
    """The running match, or the latest one until the next one starts; null before the first."""
    offers: list[OfferView]
    """The open offers."""
    restart_at: datetime | None
    """When the next match begins by itself; null if it does not, or waits for somebody, see `waiting_for`."""
    server_time: datetime
    """The time of the server when it sent this."""
    expires_at: str | None = None
    """When the room closes unless its creator sends another request for it; absent once anybody else has entered."""


class TriboardScores(Schema, frozen=True):
    """The number of cells by seat."""

    blue: int
    """Blue's cells."""
    red: int
    """Red's cells."""
    green: int
    """Green's cells."""


class TriboardView(Schema, frozen=True):
    """The view of all audiences: eleven rows, the top row first, and the scores."""

    board: list[str]
    """Eleven rows, the top row first: `.` is empty, `#` a wall, `b`, `r` and `g` are cells of a seat."""
    scores: TriboardScores
    """The number of cells by seat."""
    last: list[TriboardEvent]
    """The latest events on the board, for highlighting."""


class TriboardMatchView(Schema, frozen=True):
    """The running match, or the latest one until the next one starts."""

    number: int
    """The number of the match in its room, from 1."""
    id: str
    """The match's id, as in its address."""
    status: Literal["finished", "playing"]
    """Whether the match is played, or has ended."""
    started: datetime
    """When the match started."""
    ended: datetime | None
    """When the match ended; null while it is played."""
    state: TriboardView
    """The game's own view, with the latest events as `last`."""
    to_move: list[int]
    """The numbers of the seats that are to move."""
    legal_moves: list[TriboardMove]
    """The legal moves of the viewer's seat; each can be sent unchanged."""
    clock: ClockView | None
    """Null if time is not limited."""
    result: MatchResult | None
    """How the match ended; null while it is played."""
    rated: bool
    """Whether the match counts for a rating."""
    can_take_back: bool
    """Whether the viewer's seat has a turn for which it can request a takeback."""


class TriboardOptions(Schema, frozen=True):
    """The options: the layout, and whether the first seat to move is drawn at random or is blue."""

    first: Literal["blue", "random"]
    """Whether the first seat to move is drawn at random or is blue. `"random"` by default."""
    start: Literal["lesson", "random"]
    """Whether the layout is drawn at random or is that of the lesson. `"random"` by default."""


class TriboardRoomView(Schema, frozen=True, tag="triboard", tag_field="game"):
    """A room at one version, as one viewer may see it."""

    game: ClassVar[Literal["triboard"]] = "triboard"
    room: str
    """The room's name."""
    title: str
    """The title that is shown to people."""
    epoch: str
    """The id of the room among all rooms of its name."""
    options: TriboardOptions
    """The options of the game."""
    settings: RoomSettings
    """The settings of the room."""
    status: Literal["closed", "finished", "open", "playing"]
    """The status: what can happen next."""
    creator: str
    """The player who opened the room; for a match of a tournament, `tournament` and its id, which is no player."""
    players: list[MemberView]
    """The members of the room, in the order in which they joined."""
    watchers: int | None
    """The number of connected spectators, null like `presence`; see the frame `presence`."""
    seats: list[SeatView]
    """The seats, in turn order."""
    series: SeriesView | None
    """Null without a series."""
    next: NextMatchView | None
    """Changes by `configure` that will apply after the running match; null if nothing changes."""
    next_seed_hash: str | None
    """The SHA-256 of the next match's seed, in hex; null during a match, at whose end it is published."""
    tournament: TournamentTable | None
    """The table of a tournament that the room is for; null for other rooms."""
    waiting_for: list[int]
    """The seats for which the next match waits: empty, not ready, or their player is absent; none during a match."""
    version: int
    """The version of the room: the number of its latest event."""
    match: TriboardMatchView | None
    """The running match, or the latest one until the next one starts; null before the first."""
    offers: list[OfferView]
    """The open offers."""
    restart_at: datetime | None
    """When the next match begins by itself; null if it does not, or waits for somebody, see `waiting_for`."""
    server_time: datetime
    """The time of the server when it sent this."""
    expires_at: str | None = None
    """When the room closes unless its creator sends another request for it; absent once anybody else has entered."""


class TurncoatView(Schema, frozen=True):
    """The view of a seat or of the public; `own_selection` is null for the public, and before the seat has selected."""

    boards: dict[str, list[str]]
    """Both boards, each of eight rows, the top row first: `B` black, `W` white, `.` none."""
    round: int
    """The number of the round, from 1."""
    black: dict[str, int]
    """How many black discs each board has."""
    selected: dict[str, bool]
    """Whether each seat has selected a square in this round."""
    committed: dict[str, bool]
    """Whether each seat has committed to its selection."""
    own_selection: str | None
    """The viewer's own selection; null for the public, and before the seat has selected."""
    last: list[TurncoatEvent]
    """The latest events on the board, for highlighting."""


class TurncoatMatchView(Schema, frozen=True):
    """The running match, or the latest one until the next one starts."""

    number: int
    """The number of the match in its room, from 1."""
    id: str
    """The match's id, as in its address."""
    status: Literal["finished", "playing"]
    """Whether the match is played, or has ended."""
    started: datetime
    """When the match started."""
    ended: datetime | None
    """When the match ended; null while it is played."""
    state: TurncoatView
    """The game's own view, with the latest events as `last`."""
    to_move: list[int]
    """The numbers of the seats that are to move."""
    legal_moves: list[TurncoatMove]
    """The legal moves of the viewer's seat; each can be sent unchanged."""
    clock: ClockView | None
    """Null if time is not limited."""
    result: MatchResult | None
    """How the match ended; null while it is played."""
    rated: bool
    """Whether the match counts for a rating."""
    can_take_back: bool
    """Whether the viewer's seat has a turn for which it can request a takeback."""


class TurncoatOptions(Schema, frozen=True):
    """The options; a `round_limit` of 0 means no limit."""

    selectable: Literal["any", "white_only"]
    """Which squares can be selected: any, or only those with a white disc. `"any"` by default."""
    round_limit: int
    """The number of rounds after which the match ends; 0 = no limit. `60` by default."""
    at_limit: Literal["draw", "fewest_white"]
    """How the match ends at the limit: in a draw, or for the seat with the fewest white discs. `"draw"` by default."""
    start: Literal["lesson", "random"]
    """Whether the layout is drawn at random or is that of the lesson, in which few discs are white. `"random"` by
    default.
    """


class TurncoatRoomView(Schema, frozen=True, tag="turncoat", tag_field="game"):
    """A room at one version, as one viewer may see it."""

    game: ClassVar[Literal["turncoat"]] = "turncoat"
    room: str
    """The room's name."""
    title: str
    """The title that is shown to people."""
    epoch: str
    """The id of the room among all rooms of its name."""
    options: TurncoatOptions
    """The options of the game."""
    settings: RoomSettings
    """The settings of the room."""
    status: Literal["closed", "finished", "open", "playing"]
    """The status: what can happen next."""
    creator: str
    """The player who opened the room; for a match of a tournament, `tournament` and its id, which is no player."""
    players: list[MemberView]
    """The members of the room, in the order in which they joined."""
    watchers: int | None
    """The number of connected spectators, null like `presence`; see the frame `presence`."""
    seats: list[SeatView]
    """The seats, in turn order."""
    series: SeriesView | None
    """Null without a series."""
    next: NextMatchView | None
    """Changes by `configure` that will apply after the running match; null if nothing changes."""
    next_seed_hash: str | None
    """The SHA-256 of the next match's seed, in hex; null during a match, at whose end it is published."""
    tournament: TournamentTable | None
    """The table of a tournament that the room is for; null for other rooms."""
    waiting_for: list[int]
    """The seats for which the next match waits: empty, not ready, or their player is absent; none during a match."""
    version: int
    """The version of the room: the number of its latest event."""
    match: TurncoatMatchView | None
    """The running match, or the latest one until the next one starts; null before the first."""
    offers: list[OfferView]
    """The open offers."""
    restart_at: datetime | None
    """When the next match begins by itself; null if it does not, or waits for somebody, see `waiting_for`."""
    server_time: datetime
    """The time of the server when it sent this."""
    expires_at: str | None = None
    """When the room closes unless its creator sends another request for it; absent once anybody else has entered."""


RoomView = MorrisRoomView | TernioRoomView | RainbowRoomView | TriboardRoomView | TurncoatRoomView
"""A room at one version, as one viewer may see it."""


class OpenRoomResponse(Schema, frozen=True):
    """The room that was opened."""

    room: str
    """The room's name."""
    version: int
    """The version of the room: the number of its latest event."""
    view: RoomView
    """The new room as its creator may see it."""
    token: str | None = None
    """The token of the new guest, if the request had none."""


class SeekEntry(Schema, frozen=True):
    """An open seek, as everybody sees it."""

    id: str
    """The id of the seek, by which it can be accepted."""
    player: str
    """The player's id."""
    nickname: str
    """The name that is shown for the player."""
    bot: bool
    """Whether the player was declared a bot."""
    game: str
    """The slug of the game."""
    options: dict[str, bool | int | str]
    """The options that the player insists on."""
    clock: NoClock | PerMoveClock | FischerClock | DaysClock | None
    """The clock that the player insists on; null for any."""
    seat: int | None
    """The seat that the player insists on; null for any."""
    rated: bool
    """Whether the match is rated."""
    rating: int | None
    """The player's rating with this clock, in points; null with an open clock."""
    rating_range: int | None
    """By how many points the ratings of others may differ at first; null for any number."""
    bots: bool
    """Whether the player also wants to play with bots."""
    made: datetime
    """When the seek was made."""


class OpenSeeks(Schema, frozen=True):
    """Open seeks, the oldest first."""

    seeks: list[SeekEntry]
    """The open seeks."""
    total: int
    """How many there are, on all pages."""
    next: str | None
    """The `cursor` of the next page; null on the last one."""


class OwnSeek(Schema, frozen=True):
    """A seek of the caller."""

    id: str
    """The id of the seek."""
    game: str
    """The slug of the game."""
    options: dict[str, bool | int | str]
    """The options that you insist on."""
    clock: NoClock | PerMoveClock | FischerClock | DaysClock | None
    """The clock that you insist on; null for any."""
    seat: int | None
    """The seat that you insist on; null for any."""
    rated: bool
    """Whether the match is rated."""
    rating_range: int | None
    """By how many points the ratings of others may differ from yours at first; null for any number."""
    bots: bool
    """Whether you also want to play with bots."""
    made: datetime
    """When the seek was made."""
    expires: datetime
    """When it ends unless the same request is sent again."""
    paired: bool
    """Whether others were found immediately; then the seek has ended, and your own feed names the room."""


class PairingView(Schema, frozen=True):
    """Players who were found for the caller, until all of them are ready."""

    game: str
    """The slug of the game."""
    seat: int
    """The seat of the caller."""
    room: str | None
    """The room; null until it is open, which takes a moment."""
    epoch: str | None
    """The id of the room among all rooms of its name."""
    deadline: datetime | None
    """Until when the caller has to be ready in the room; null until it is open."""


class OwnSeeks(Schema, frozen=True):
    """The seeks of the caller, and the pairing that waits for them."""

    seeks: list[OwnSeek]
    """The open seeks."""
    pairing: PairingView | None
    """The room that waits for the caller; null if there is none."""


class ChallengeAcceptedEvent(Event, frozen=True, kw_only=True, tag="challenge_accepted"):
    """A player accepted a challenge; the match begins once all have."""

    type: ClassVar[Literal["challenge_accepted"]] = "challenge_accepted"
    challenge: str
    """The id of the challenge."""
    player: str
    """The id of the player."""
    nickname: str
    """The player's nickname."""
    bot: bool = False
    """Whether the player declared that a program plays for them."""
    name_ref: str | None = None
    """Where the nickname is stored."""


class ChallengeDeclinedEvent(Event, frozen=True, kw_only=True, tag="challenge_declined"):
    """A player declined a challenge, which ends it."""

    type: ClassVar[Literal["challenge_declined"]] = "challenge_declined"
    challenge: str
    """The id of the challenge."""
    player: str
    """The id of the player."""
    reason: Literal["no_bots", "not_now", "other", "other_clock", "other_game", "other_options", "rated"] | None
    """The reason; null if the player gave none."""


class ChallengeEndedEvent(Event, frozen=True, kw_only=True, tag="challenge_ended"):
    """A challenge ended without a match."""

    type: ClassVar[Literal["challenge_ended"]] = "challenge_ended"
    challenge: str
    """The id of the challenge."""
    reason: Literal["expired", "refused", "withdrawn"]
    """The player who made it withdrew it; not all accepted in time; or a player could not enter the room."""
    player: str | None = None
    """The player who could not enter the room."""
    code: str | None = None
    """The code of that refusal, as in GET /v1/codes."""


class ChallengeMadeEvent(Event, frozen=True, kw_only=True, tag="challenge_made"):
    """Another player asks you to play."""

    type: ClassVar[Literal["challenge_made"]] = "challenge_made"
    challenge: Challenge
    """The challenge."""


class ChallengeOpenedEvent(Event, frozen=True, kw_only=True, tag="challenge_opened"):
    """The room of a challenge was opened; the match begins when all players are ready."""

    type: ClassVar[Literal["challenge_opened"]] = "challenge_opened"
    challenge: str
    """The id of the challenge."""
    room: str
    """The name of the room."""
    epoch: str
    """The id of the room among all rooms of its name."""
    game: str
    """The game's slug."""
    seats: dict[str, int]
    """The seats of the players, by their ids."""


class MatchBeganEvent(Event, frozen=True, kw_only=True, tag="match_began"):
    """A match began in which the player has a seat."""

    type: ClassVar[Literal["match_began"]] = "match_began"
    room: str
    """The name of the room."""
    epoch: str
    """The id of the room among all rooms of its name."""
    game: str
    """The slug of the game."""
    match_id: str
    """The id of the match."""
    seats: list[int]
    """The player's seats."""


class MatchFinishedEvent(Event, frozen=True, kw_only=True, tag="match_finished"):
    """A match ended in which the player had a seat, even if the player left it before the end."""

    type: ClassVar[Literal["match_finished"]] = "match_finished"
    room: str
    """The name of the room."""
    epoch: str
    """The id of the room among all rooms of its name."""
    game: str
    """The slug of the game."""
    match_id: str
    """The id of the match."""
    result: MatchResult
    """How the match ended."""


class OfferReceivedEvent(Event, frozen=True, kw_only=True, tag="offer_received"):
    """Another player made an offer that waits for the player's answer."""

    type: ClassVar[Literal["offer_received"]] = "offer_received"
    room: str
    """The name of the room."""
    epoch: str
    """The id of the room among all rooms of its name."""
    game: str
    """The slug of the game."""
    offer: int
    """The number of the offer in its room."""
    kind: Literal["draw", "kick", "new", "restart", "takeback"]
    """What is offered."""


class OwnInvitationAcceptedEvent(Event, frozen=True, kw_only=True, tag="invitation_accepted"):
    """Somebody joined the room by an invitation that the player made."""

    type: ClassVar[Literal["invitation_accepted"]] = "invitation_accepted"
    room: str
    """The name of the room."""
    epoch: str
    """The id of the room among all rooms of its name."""
    game: str
    """The slug of the game."""
    invitation: int
    """The number of the invitation in its room."""


class OwnInvitationDeclinedEvent(Event, frozen=True, kw_only=True, tag="invitation_declined"):
    """Somebody declined an invitation that the player made; it stays open."""

    type: ClassVar[Literal["invitation_declined"]] = "invitation_declined"
    room: str
    """The name of the room."""
    epoch: str
    """The id of the room among all rooms of its name."""
    game: str
    """The slug of the game."""
    invitation: int
    """The number of the invitation in its room."""


class OwnInvitationMadeEvent(Event, frozen=True, kw_only=True, tag="invitation_made"):
    """The player made an invitation, perhaps on another device."""

    type: ClassVar[Literal["invitation_made"]] = "invitation_made"
    room: str
    """The name of the room."""
    epoch: str
    """The id of the room among all rooms of its name."""
    game: str
    """The slug of the game."""
    invitation: int
    """The number of the invitation in its room."""


class RatingChangedEvent(Event, frozen=True, kw_only=True, tag="rating_changed"):
    """A match of the player was rated, or an operator voided it."""

    type: ClassVar[Literal["rating_changed"]] = "rating_changed"
    match_id: str
    """The id of the match."""
    game: str
    """The slug of the game."""
    rating_class: Literal["blitz", "bullet", "correspondence", "rapid", "bots"]
    """The rating class: by the clock, or `bots` for matches against bots of the service."""
    rating: float
    """The player's rating after that."""
    deviation: float
    """The standard deviation of the rating."""
    change: float
    """By how much the match changed the rating, or how much of that was undone."""
    voided: bool
    """Whether the match was voided and no longer counts."""


class RemovedFromRoomEvent(Event, frozen=True, kw_only=True, tag="removed_from_room"):
    """The player was removed from a room, and cannot join it again."""

    type: ClassVar[Literal["removed_from_room"]] = "removed_from_room"
    room: str
    """The name of the room."""
    epoch: str
    """The id of the room among all rooms of its name."""
    game: str
    """The slug of the game."""


class SeekDroppedEvent(Event, frozen=True, kw_only=True, tag="seek_dropped"):
    """A seek of the player ended without a match."""

    type: ClassVar[Literal["seek_dropped"]] = "seek_dropped"
    game: str
    """The slug of the game."""
    seek: str
    """The id of the seek."""
    reason: Literal["absent", "expired", "refused"]
    """It was not renewed; the player was not ready in time; or the player could not enter the room."""


class SeekMatchedEvent(Event, frozen=True, kw_only=True, tag="seek_matched"):
    """A room was opened for the player's seek; the player has to be ready there before the deadline."""

    type: ClassVar[Literal["seek_matched"]] = "seek_matched"
    room: str
    """The name of the room."""
    epoch: str
    """The id of the room among all rooms of its name."""
    game: str
    """The slug of the game."""
    seek: str
    """The id of the seek."""
    seat: int
    """The number of the seat, from 0 in turn order."""
    deadline: datetime
    """Until when the player has to be ready."""


class SeekResumedEvent(Event, frozen=True, kw_only=True, tag="seek_resumed"):
    """Another player did not appear: the player's seek is in its place in the queue again."""

    type: ClassVar[Literal["seek_resumed"]] = "seek_resumed"
    game: str
    """The slug of the game."""
    seek: str
    """The id of the seek."""


class TournamentLeftEvent(Event, frozen=True, kw_only=True, tag="tournament_left"):
    """The player gets no further match in a tournament, and did not withdraw."""

    type: ClassVar[Literal["tournament_left"]] = "tournament_left"
    tournament: str
    """The id of the tournament."""
    title: str
    """The tournament's title."""
    reason: Literal["absent", "not_checked_in", "removed", "withdrew"]
    """The reason."""


class TournamentMatchEvent(Event, frozen=True, kw_only=True, tag="tournament_match"):
    """A match of a tournament in which the player takes part began."""

    type: ClassVar[Literal["tournament_match"]] = "tournament_match"
    tournament: str
    """The id of the tournament."""
    title: str
    """The tournament's title."""
    round: int
    """The number of the round."""
    game: str
    """The game's slug."""
    room: str
    """The name of the room of the match."""
    epoch: str
    """The id of the room among all rooms of its name."""
    seat: int
    """The player's seat."""


class TournamentOverEvent(Event, frozen=True, kw_only=True, tag="tournament_over"):
    """A tournament in which the player took part has finished or was cancelled."""

    type: ClassVar[Literal["tournament_over"]] = "tournament_over"
    tournament: str
    """The id of the tournament."""
    title: str
    """The tournament's title."""
    cancelled: Literal["by_operator", "by_organiser", "too_few_players"] | None
    """Why it was cancelled; null if it has finished."""


class TurnBeganEvent(Event, frozen=True, kw_only=True, tag="turn_began"):
    """It is the player's turn. It is not sent in a room whose other seats are all held by bots of the service."""

    type: ClassVar[Literal["turn_began"]] = "turn_began"
    room: str
    """The name of the room."""
    epoch: str
    """The id of the room among all rooms of its name."""
    game: str
    """The slug of the game."""
    seats: list[int]
    """The player's seats that are to move."""


class WebhookDisabledEvent(Event, frozen=True, kw_only=True, tag="webhook_disabled"):
    """Nothing is sent to a webhook of the player until it is verified again."""

    type: ClassVar[Literal["webhook_disabled"]] = "webhook_disabled"
    webhook: str
    """The id of the webhook."""
    url: str
    """The URL of the endpoint."""
    reason: Literal["failing", "gone", "no_secret"]
    """It failed for a day; the endpoint answered 410; or its secret is lost and has to be rotated."""


PlayerEvent = (
    TurnBeganEvent
    | MatchBeganEvent
    | MatchFinishedEvent
    | OfferReceivedEvent
    | RemovedFromRoomEvent
    | OwnInvitationMadeEvent
    | OwnInvitationAcceptedEvent
    | OwnInvitationDeclinedEvent
    | SeekMatchedEvent
    | SeekResumedEvent
    | SeekDroppedEvent
    | WebhookDisabledEvent
    | RatingChangedEvent
    | ChallengeMadeEvent
    | ChallengeAcceptedEvent
    | ChallengeDeclinedEvent
    | ChallengeEndedEvent
    | ChallengeOpenedEvent
    | TournamentMatchEvent
    | TournamentLeftEvent
    | TournamentOverEvent
)
"""An event of a player's own feed."""


class PlayerMatch(Schema, frozen=True):
    """A match in the list of one of its players."""

    id: str
    """The match's id, as in its address."""
    number: int
    """The number of the match in its room, from 1."""
    room: str
    """The room's name."""
    epoch: str
    """The id of the room among all rooms of its name."""
    game: str
    """The slug of the game."""
    status: str
    """Whether the match is played (`playing`), or has ended (`finished`)."""
    started: datetime
    """When the match started."""
    ended: datetime | None
    """When the match ended; null while it is played."""
    players: list[MatchPlayer]
    """The players of the seats when the match began."""
    versions: VersionRange
    """The versions of the match's events."""
    result: MatchResult | None
    """How the match ended; null while it is played."""
    counts: bool | None
    """Whether the match counts for its players; null while it is played.

    One in which fewer than two players had moved does not, except at a tournament's table.
    """
    cursor: str
    """The place of the match among the player's matches, for `cursor` and `since`."""
    seats: list[int]
    """The player's seats."""
    place: int | None
    """The player's place, from 1; null without a result, and for a player who had several seats."""
    outcome: Literal["drawn", "lost", "won"] | None
    """How the match ended for the player: a shared first place is a draw; null without a place.

    Also null if the match does not count, see `counts`.
    """
    rated: bool
    """Whether the match counts for ratings."""
    not_rated: Literal["aborted", "bot", "casual", "no_result", "pair_limit", "pending", "too_late", "voided"] | None
    """Why it does not; null if it does."""
    rating_class: Literal["blitz", "bullet", "correspondence", "rapid"] | None
    """The class of the clock; null without one."""
    members_only: bool
    """Whether only members of the room see the match in this list."""


class PlayerMatches(Schema, frozen=True):
    """A page of a player's matches, the latest first."""

    player: str
    """The player's id."""
    matches: list[PlayerMatch]
    """The matches; with filters, a page that is not the last one may have fewer than `limit`."""
    next: str | None
    """The cursor of the next page."""


class PlayerRating(Schema, frozen=True):
    """A player's rating in a list."""

    game: str
    """The slug of the game."""
    rating_class: Literal["blitz", "bullet", "correspondence", "rapid", "bots"]
    """The rating class: by the clock, or `bots` for matches against bots of the service."""
    rating: float
    """The rating, in points."""
    deviation: float
    """Its standard deviation."""
    matches: int
    """How many rated matches the player has played; those for members only count for the player and operators only."""
    wins: int
    """How many of them the player won alone."""
    draws: int
    """How many of them the player drew by sharing the first place."""
    opponents: int
    """How many different opponents, whose own deviation was small enough for a place when the match ended, up to
    ten.

    In the list `bots`, a match against bots of the service counts as one.
    """
    place: int | None
    """The place on the leaderboard, from 1; null until the player has what `place_needs` there says."""
    provisional: bool
    """Whether the leaderboard is provisional, so that everybody in the list has a place."""


class PlayerProfile(Schema, frozen=True):
    """A player, as the caller may see them."""

    player: str
    """The player's id."""
    nickname: str | None
    """The player's nickname in their latest match; null without a match."""
    bot: bool
    """Whether the player was declared a bot in their latest match."""
    hidden: bool
    """Whether others may not see the profile."""
    since: str | None
    """When their first match ended; null without a match."""
    ratings: list[PlayerRating]
    """The ratings in all lists in which the player has a rated match."""
    results: list[GameResult]
    """The results by game, the game with the most matches first."""
    latest: list[PlayerMatch]
    """The latest matches, up to ten."""


class PlayerRatings(Schema, frozen=True):
    """The ratings of a player."""

    player: str
    """The player's id."""
    ratings: list[PlayerRating]
    """The ratings in all lists in which the reader may know of a rated match of the player."""


class Problem(Schema, frozen=True):
    """An error as `application/problem+json` (RFC 9457); `code` is stable, `detail` is for people."""

    type: str
    """The address of the description of the code."""
    title: str
    """The code in words."""
    status: int
    """The HTTP status."""
    code: str
    """The stable code; `GET /v1/codes` lists all of them."""
    detail: str
    """What is wrong, and what to do about it."""
    pointer: str | None = None
    """The JSON pointer (RFC 6901) to the invalid part of the body."""
    parameter: str | None = None
    """The name of the invalid query parameter or header."""
    params: dict[str, Any] | None = None
    """Details of this refusal, by name."""
    version: int | None = None
    """The current version of the room."""
    legal_moves: list[dict[str, Any]] | None = None
    """The legal moves of the caller's seat, if a move was refused."""
    retry_after: int | None = None
    """The number of seconds to wait before retrying."""


class ProfileSettings(Schema, frozen=True):
    """Who may see a profile."""

    hidden: bool
    """Whether others may not see it."""


class RatingEntry(Schema, frozen=True):
    """An entry of a list."""

    version: int
    """Its number in the list, from 1."""
    time: datetime
    """When it happened."""
    type: str
    """`match_rated`, or `rating_voided` for a match that an operator voided."""
    match_id: str | None
    """The id of the match; null if only members of its room may read it."""
    seats: list[RatedPlayer]
    """The seats, with the ratings of their players; empty if only members may read the match."""
    parameters: Parameters | None
    """The parameters of the model; null for a match that was voided."""


class RatingEntries(Schema, frozen=True):
    """A page of the entries of a list, the oldest first."""

    game: str
    """The slug of the game."""
    rating_class: Literal["blitz", "bullet", "correspondence", "rapid", "bots"]
    """The rating class: by the clock, or `bots` for matches against bots of the service."""
    entries: list[RatingEntry]
    """The entries."""
    next: int | None
    """The `since` of the next page."""


class RatingPoint(Schema, frozen=True):
    """A player's rating after a match."""

    time: datetime
    """When the match ended."""
    rating: float
    """The rating, in points."""
    deviation: float
    """Its standard deviation."""
    voided: bool
    """Whether an operator voided the match later, so that the current rating is without its change."""


class RatingHistory(Schema, frozen=True):
    """The history of a player's rating in a list."""

    player: str
    """The player's id."""
    game: str
    """The slug of the game."""
    rating_class: Literal["blitz", "bullet", "correspondence", "rapid", "bots"]
    """The rating class: by the clock, or `bots` for matches against bots of the service."""
    rating: float | None
    """The current rating; null without a rated match."""
    deviation: float | None
    """Its standard deviation."""
    points: list[RatingPoint]
    """Up to 500, evenly spread over the player's matches, with the first and the latest; none for members only."""


class RatingListSummary(Schema, frozen=True):
    """A rating list at a glance."""

    game: str
    """The slug of the game."""
    rating_class: Literal["blitz", "bullet", "correspondence", "rapid", "bots"]
    """The rating class: by the clock, or `bots` for matches against bots of the service."""
    total: int
    """How many players are on the leaderboard."""
    provisional: bool
    """Whether fewer than twenty players have what a place requires; until then everybody is on the leaderboard."""
    best: LeaderboardPlace | None
    """The first place of the leaderboard; null while nobody is on it."""


class RatingLists(Schema, frozen=True):
    """All rating lists."""

    lists: list[RatingListSummary]
    """One for each game and rating class, in the order of the games and the classes."""


class ReportRequest(Schema, frozen=True):
    """A report about a player."""

    player: str
    """The player's id."""
    reason: str
    """What happened: 1 to 500 visible characters after normalisation."""
    room: str | None = None
    """The name of the room where it happened."""


class ReviewState(Schema, frozen=True):
    """The state of a match's review."""

    match: str
    """The match's id."""
    status: Literal["done", "none", "waiting"]
    """Whether it is still `waiting`, or `done`."""


class SeekRequest(Schema, frozen=True):
    """A request to be paired with other players."""

    game: str
    """The game's slug."""
    options: dict[str, bool | int | str] = {}
    """The options that you insist on; all others are open."""
    clock: NoClock | PerMoveClock | FischerClock | DaysClock | None = None
    """The clock that you insist on; by default any clock, and none if nobody insists on one."""
    seat: int | None = None
    """The seat that you insist on; by default any seat."""
    rated: bool = False
    """Whether the match is rated, which needs a clock; see the setting `rated`. `false` by default."""
    rating_range: int | None = None
    """By how many points the ratings of others may differ from yours, which needs a clock; by default by any number.

    It widens with waiting: after ten seconds it is twice as wide, after twenty three times.
    """
    bots: bool = False
    """Whether you also want to play with players that were declared bots; by default only with people. `false` by
    default.
    """


class StandingsPage(Schema, frozen=True):
    """A page of the standings."""

    players: int
    """How many rows there are."""
    place: int | None
    """Where the player of `around` is among them, from 1; null if they have no row, and without `around`."""
    standings: list[StandingView]
    """The best first."""
    next: int | None
    """The `cursor` of the next page; null on the last one."""


class Bye(Schema, frozen=True):
    """A player without a match in a round."""

    player: str
    """The id of the player."""
    nickname: str
    """The player's nickname."""
    bot: bool
    """Whether the player was declared a bot."""
    round: int
    """The number of the round."""


class TablesPage(Schema, frozen=True):
    """A page of the tables of a tournament."""

    tables: list[PairedTable]
    """By number, the latest first."""
    byes: list[Bye]
    """The players without a match in the rounds of these tables, the latest round first; none in an arena."""
    next: int | None
    """The `cursor` of the next page; null on the last one."""


class TokenList(Schema, frozen=True):
    """The tokens of the caller, the oldest first."""

    tokens: list[TokenEntry]
    """The tokens that are neither revoked nor expired, without the guest token."""


class TokenRequest(Schema, frozen=True):
    """A new token."""

    name: str
    """The name by which you recognise it: 1 to 40 visible characters after normalisation."""
    scopes: list[Literal["account", "bot", "chat", "play", "read", "tournaments"]]
    """The scopes. `read`: what only you may read. `play`: commands, rooms, seeks and invitations. `chat`: lines of
    chat. `account`: tokens, codes and webhooks. `tournaments`: creating and managing tournaments. With `bot`, it
    is the token of a declared bot.
    """
    expires_days: int | None = None
    """After how many days it expires; by default never."""


class OwnEntry(Schema, frozen=True):
    """The caller in a tournament."""

    checked_in: bool
    """Whether the caller has checked in."""
    left: Literal["absent", "not_checked_in", "removed", "withdrew"] | None
    """Why the caller gets no further match; null while the caller takes part."""
    table: PairedTable | None
    """The caller's running match, or the one that is about to begin."""


class TournamentAnswer(Schema, frozen=True):
    """A tournament as one caller sees it."""

    tournament: TournamentView
    """The tournament."""
    own: OwnEntry | None
    """The caller's part in it; null for a caller who has none, and without a token."""


class TournamentSummary(Schema, frozen=True):
    """A tournament: its terms and its progress."""

    id: str
    """The id of the tournament."""
    title: str
    """The title of the tournament."""
    game: str
    """The game's slug."""
    options: GameOptions
    """All options of the game."""
    seats: int
    """How many players a match has."""
    format: Literal["arena", "round_robin", "swiss"]
    """How players are paired."""
    clock: NoClock | PerMoveClock | FischerClock | DaysClock
    """The clock of every match."""
    starts: datetime
    """When the first round begins."""
    check_in_ms: int
    """For how many milliseconds before the start players have to check in; 0 if no check-in is needed."""
    late_entry: bool
    """Whether players are admitted after the start."""
    bots: bool
    """Whether programs may take part."""
    max_players: int
    """The maximum number of players."""
    organiser: NamedPlayer | None
    """The player who created it; null for an operator."""
    status: Literal["cancelled", "finished", "playing", "registration"]
    """The status of the tournament."""
    players: int
    """How many players take part."""
    round: int
    """The number of the latest round, 0 before the first one."""
    rounds: int | None
    """How many rounds there will be at most; null in an arena, and before the start unless its organiser has chosen."""
    duration_ms: int | None
    """For how many milliseconds matches begin in an arena; null in other formats."""
    ends: datetime | None
    """Until when matches begin in an arena; null in other formats, and before the start."""


class TournamentList(Schema, frozen=True):
    """A page of the list of tournaments."""

    tournaments: list[TournamentSummary]
    """The latest created one comes first."""
    next: int | None
    """The `cursor` of the next page; null on the last one."""


class TvSeat(Schema, frozen=True):
    """A seat of the match on TV, as it was when the channels first saw the match; an erased player is not named."""

    seat: int
    """The number of the seat, from 0 in turn order."""
    player: str | None
    """The id of the player; null for an empty seat."""
    nickname: str | None
    """The player's nickname; null for an empty seat."""
    bot: bool
    """Whether it is a bot of the service, or was declared a bot."""
    rating: int | None
    """The player's rating for the clock of the match, in points; null without rated matches."""


class TvMatch(Schema, frozen=True):
    """A match on TV. Its frames are those of its room: subscribe to it."""

    match_id: str
    """The id of the match."""
    room: str
    """The room's name."""
    epoch: str
    """The id of the room among all rooms of its name."""
    number: int
    """The number of the match in its room."""
    game: str
    """The slug of the game."""
    rated: bool
    """Whether the match is rated."""
    started: datetime
    """When it began."""
    seats: list[TvSeat]
    """The seats, in turn order."""


class UnknownEvent(Schema, frozen=True, tag="unknown", tag_field="type"):
    """The last event of a dry run if what follows depends on a reveal or on chance."""

    type: ClassVar[Literal["unknown"]] = "unknown"


class UsedLinkCode(Schema, frozen=True):
    """A link code, typed on another device."""

    code: str
    """The code; case, spaces and hyphens do not matter."""
    name: str = "Linked device"
    """The name of the new token. `"Linked device"` by default."""


class UsedRecoveryCode(Schema, frozen=True):
    """A recovery code."""

    code: str
    """The code."""
    name: str = "Recovered"
    """The name of the new token. `"Recovered"` by default."""


class WebhookChange(Schema, frozen=True):
    """What changes in a webhook."""

    url: str | None = None
    """A new URL, which has to be verified before events are sent; by default the same."""
    events: list[str] | None = None
    """The types of the events that are sent; an empty list means all; by default the same."""


class DeliveryView(Schema, frozen=True):
    """An event that was sent to an endpoint, or could not be."""

    id: str
    """The header `webhook-id` of its messages: the same for every attempt."""
    event: int
    """The version of the event in its owner's feed, by which it can be sent again."""
    event_type: str
    """The type of the event."""
    attempts: int
    """How many attempts were made."""
    last: AttemptView
    """The latest attempt."""


class WebhookDetails(Schema, frozen=True):
    """A webhook with its log."""

    webhook: WebhookEntry
    """The webhook."""
    deliveries: list[DeliveryView]
    """The latest 50 events that were sent or failed, the newest first."""
    replays: list[int]
    """The events that wait to be sent again."""


class WebhookList(Schema, frozen=True):
    """Webhooks, the oldest first."""

    webhooks: list[WebhookEntry]
    """The webhooks."""


class WebhookRequest(Schema, frozen=True):
    """A new webhook."""

    url: str
    """Where events are sent: an https URL."""
    events: list[str] = []
    """The types of the events that are sent, as in your own feed; all by default."""


EVENTS: dict[str, Any] = {
    "morris": RoomEvent | MorrisEvent,
    "ternio": RoomEvent | TernioEvent,
    "rainbow": RoomEvent | RainbowEvent,
    "triboard": RoomEvent | TriboardEvent,
    "turncoat": RoomEvent | TurncoatEvent,
}
"""The events that a room of each game can have."""

MOVES: dict[str, Any] = {
    "morris": MorrisMove,
    "ternio": TernioMove,
    "rainbow": RainbowMove,
    "triboard": TriboardMove,
    "turncoat": TurncoatMove,
}
"""The moves of each game."""


Code = Literal[
    "admin_only",
    "already_challenged",
    "already_committed",
    "already_declined",
    "already_dropped",
    "already_joined",
    "already_offered",
    "already_paired",
    "already_ready",
    "already_seated",
    "already_so",
    "bad_line",
    "bad_name",
    "bad_nickname",
    "banned",
    "body_too_large",
    "busy",
    "captures_nothing",
    "coloured_pegs_first",
    "counter_damaged",
    "draw_offered_here",
    "history_damaged",
    "internal",
    "invitation_ended",
    "invited_to_seat",
    "is_spectator",
    "key_not_supported",
    "key_reused",
    "kicked",
    "leaving",
    "malformed",
    "match_running",
    "members_only",
    "men_in_hand",
    "method_not_allowed",
    "muted",
    "muted_by_operator",
    "name_taken",
    "needs_a_seat",
    "newer_events",
    "nickname_taken",
    "no_check_in",
    "no_disc",
    "no_hints",
    "no_men_in_hand",
    "no_programs",
    "no_review",
    "no_spectators",
    "no_such_challenge",
    "no_such_code",
    "no_such_event",
    "no_such_game",
    "no_such_invitation",
    "no_such_level",
    "no_such_match",
    "no_such_offer",
    "no_such_player",
    "no_such_ply",
    "no_such_rating_list",
    "no_such_report",
    "no_such_room",
    "no_such_seat",
    "no_such_seek",
    "no_such_side",
    "no_such_token",
    "no_such_tournament",
    "no_such_version",
    "no_such_webhook",
    "not_a_bot",
    "not_a_bot_token",
    "not_a_member",
    "not_abandoned",
    "not_acceptable",
    "not_adjacent",
    "not_an_opponents_man",
    "not_asked",
    "not_found",
    "not_over",
    "not_playing",
    "not_ready",
    "not_registered",
    "not_seated",
    "not_the_creator",
    "not_the_organiser",
    "not_white",
    "not_you",
    "not_your_invitation",
    "not_your_man",
    "not_your_offer",
    "not_your_peg",
    "not_your_seat",
    "not_your_turn",
    "not_yourself",
    "nothing_due",
    "nothing_selected",
    "nothing_to_remove",
    "nothing_to_take_back",
    "nothing_to_veto",
    "occupied",
    "opponent_unavailable",
    "outcome_unknown",
    "own_block",
    "own_report",
    "passwords_busy",
    "peg_on_board",
    "peg_rests",
    "player_erased",
    "position_over",
    "position_too_late",
    "profile_hidden",
    "protected_by_mill",
    "rate_limited",
    "rated_match",
    "registration_closed",
    "removal_owed",
    "removed_from_tournament",
    "room_closed",
    "room_crowded",
    "room_full",
    "salt_too_early",
    "same_cell",
    "same_point",
    "scope_missing",
    "seat_required",
    "seat_taken",
    "seats_count",
    "seats_empty",
    "seek_not_compatible",
    "seeking_paused",
    "starts_by_itself",
    "still_playing",
    "store_full",
    "store_lost_data",
    "store_unavailable",
    "store_unfit",
    "time_is_up",
    "too_few_players",
    "too_many_blocks",
    "too_many_bots",
    "too_many_challenges",
    "too_many_exports",
    "too_many_hints",
    "too_many_invitations",
    "too_many_nicknames",
    "too_many_replays",
    "too_many_reviews",
    "too_many_rooms",
    "too_many_seeks",
    "too_many_sockets",
    "too_many_subscriptions",
    "too_many_tokens",
    "too_many_tournaments",
    "too_many_watchers",
    "too_many_webhooks",
    "tournament_full",
    "tournament_over",
    "trimmed",
    "unauthenticated",
    "unfit",
    "unknown_player",
    "unsupported_media_type",
    "version_mismatch",
    "webhook_not_active",
    "wrong_colour",
    "wrong_host",
]
"""The stable code of an error; later releases of the service may have more."""
