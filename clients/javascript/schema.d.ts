/**
 * The types of the API, written by `clients/generate.py` from `openapi/`; a test compares them.
 */

/** How to join by an invitation. */
export type AcceptInvitation = {
  /** Whether the member plays or only watches. `"player"` by default. */
  as?: "player" | "spectator";
  /** The nickname in this room; required without a token. */
  nickname?: string | null;
  /** The seat to take; by default the invitation's seat, or else the lowest free one. */
  seat?: number | null;
};

/** Give a bot of the service the named seat or the lowest free one; creator only, at any time. */
export type AddBotCommand = {
  /** What this is; it determines the other fields. */
  type: "add_bot";
  /** The level of the bot. */
  level: "casual" | "easy" | "expert" | "hard" | "medium" | "skilled";
  /** The number of the seat, from 0 in turn order. */
  seat?: number | null;
};

/** Accept or decline an offer; a player with several seats answers once. */
export type AnswerCommand = {
  /** What this is; it determines the other fields. */
  type: "answer";
  /** The number of the offer in this room. */
  offer: number;
  /** Whether the offer is accepted. */
  accept: boolean;
};

/** Assign the seats, and thereby colours and turn order; creator only, between matches. */
export type AssignSeatsCommand = {
  /** What this is; it determines the other fields. */
  type: "assign_seats";
  /** The id of the player for each seat, in turn order; null for an empty seat. */
  seats: (string | null)[];
};

/** Claim a win, a draw or a bot because a seat's player has been absent for longer than `grace_ms`. */
export type ClaimAbandonedCommand = {
  /** What this is; it determines the other fields. */
  type: "claim_abandoned";
  /** The number of the seat, from 0 in turn order. */
  seat: number;
  /** The seat forfeits the match; the match is drawn, if the other human players agree; or a bot takes the seat. */
  outcome: "bot" | "draw" | "win";
};

/** Close the room and free its name; creator only. */
export type CloseCommand = {
  /** What this is; it determines the other fields. */
  type: "close";
};

/** Change options and settings from the next match on; creator only. What is left out does not change. */
export type ConfigureCommand = {
  /** What this is; it determines the other fields. */
  type: "configure";
  /** The options of the game that change. */
  options?: Record<string, unknown> | null;
  /** The settings of the room that change. */
  settings?: Record<string, unknown> | null;
};

/** Show the room that you are not coming; the invitation stays open. */
export type DeclineInvitationCommand = {
  /** What this is; it determines the other fields. */
  type: "decline_invitation";
  /** The code of the invitation. */
  invitation: string;
  /** The nickname that the room is shown; by default that of the token. */
  nickname?: string | null;
};

/** Create an invitation for one seat or for a number of players; the reply has its code. */
export type InviteCommand = {
  /** What this is; it determines the other fields. */
  type: "invite";
  /** How many players it admits. `1` by default. */
  uses?: number;
  /** After how many milliseconds it expires. `86400000` by default. */
  expires_ms?: number;
  /** The only seat that it is for; the seat is not reserved. */
  seat?: number | null;
};

/** Join the room: as a player with the named seat or the lowest free one, or as a spectator. */
export type JoinCommand = {
  /** What this is; it determines the other fields. */
  type: "join";
  /** Whether the member plays or only watches. `"player"` by default. */
  as?: "player" | "spectator";
  /** The nickname for this room; by default that of the token. */
  nickname?: string | null;
  /** The number of the seat, from 0 in turn order. */
  seat?: number | null;
  /** The password of a private room. */
  password?: string | null;
  /** The code of an invitation, which a private room accepts instead of its password. */
  invitation?: string | null;
};

/**
 * Remove somebody from the room permanently; creator only.
 *
 * For a player of the running match this makes an offer that the other players have to accept.
 */
export type KickCommand = {
  /** What this is; it determines the other fields. */
  type: "kick";
  /** The player's id. */
  player: string;
};

/** Leave the room and all seats; a running rated match is forfeited at once. */
export type LeaveCommand = {
  /** What this is; it determines the other fields. */
  type: "leave";
};

/** Leave a seat, but stay in the room. */
export type LeaveSeatCommand = {
  /** What this is; it determines the other fields. */
  type: "leave_seat";
  /** The number of the seat, from 0 in turn order. */
  seat?: number | null;
};

/** Mute somebody in the room's chat, or let them write again; creator only. */
export type MuteCommand = {
  /** What this is; it determines the other fields. */
  type: "mute";
  /** The player's id. */
  player: string;
  /** Whether the player is muted from now on. */
  on: boolean;
};

/**
 * Offer a draw, or accept another player's open draw offer; the three `request_` commands work the same way.
 *
 * Bots evaluate the position and answer, too; against bots a draw can be offered once in each position.
 */
export type OfferDrawCommand = {
  /** What this is; it determines the other fields. */
  type: "offer_draw";
};

/** Place a man from the hand on a point. */
export type MorrisPlaceMove = {
  /** What this is; it determines the other fields. */
  type: "place";
  /** A place on the board; the game's `geometry` has their names. */
  at: string;
};

/** Remove an opponent's man from the board. */
export type MorrisRemoveMove = {
  /** What this is; it determines the other fields. */
  type: "remove";
  /** A place on the board; the game's `geometry` has their names. */
  at: string;
};

/** Move a man along a line to the next point, or to any point when flying. */
export type MorrisShiftMove = {
  /** What this is; it determines the other fields. */
  type: "move";
  /** A place on the board: where the move begins. */
  from: string;
  /** A place on the board: where the move ends. */
  to: string;
};

/** A move of Nine Men's Morris. */
export type MorrisMove = MorrisPlaceMove | MorrisShiftMove | MorrisRemoveMove;

/** Flip a peg of your own. */
export type RainbowFlipMove = {
  /** What this is; it determines the other fields. */
  type: "flip";
  /** A place on the board; the game's `geometry` has their names. */
  at: string;
};

/** Place a peg on an empty cell with this side up. */
export type RainbowPlaceMove = {
  /** What this is; it determines the other fields. */
  type: "place";
  /** The peg, by the letters of its two sides. */
  peg: "BV" | "GB" | "OY" | "RO" | "VR" | "WK" | "YG";
  /** The side that is up. */
  side: "B" | "G" | "K" | "O" | "R" | "V" | "W" | "Y";
  /** A place on the board; the game's `geometry` has their names. */
  at: string;
};

/** Move a peg of your own to any empty cell, with the same side up. */
export type RainbowShiftMove = {
  /** What this is; it determines the other fields. */
  type: "move";
  /** A place on the board: where the move begins. */
  from: string;
  /** A place on the board: where the move ends. */
  to: string;
};

/** A move of Tic-Tac-Rainbow. */
export type RainbowMove = RainbowPlaceMove | RainbowFlipMove | RainbowShiftMove;

/** Place a disc on an empty square. */
export type TernioPlaceMove = {
  /** What this is; it determines the other fields. */
  type: "place";
  /** A place on the board; the game's `geometry` has their names. */
  at: string;
};

/** A move of Ternio. */
export type TernioMove = TernioPlaceMove;

/** Take an empty cell by jumping from it. */
export type TriboardPlaceMove = {
  /** What this is; it determines the other fields. */
  type: "place";
  /** A place on the board; the game's `geometry` has their names. */
  at: string;
};

/** A move of Triboard. */
export type TriboardMove = TriboardPlaceMove;

/** Commit to the selection. */
export type TurncoatCommitMove = {
  /** What this is; it determines the other fields. */
  type: "commit";
};

/** Select a square of your own board; this replaces an earlier selection and withdraws a commit. */
export type TurncoatSelectMove = {
  /** What this is; it determines the other fields. */
  type: "select";
  /** A place on the board; the game's `geometry` has their names. */
  at: string;
};

/** A move of Turncoat. */
export type TurncoatMove = TurncoatSelectMove | TurncoatCommitMove;

/** A move of any game. */
export type AnyMove = MorrisMove | TernioMove | RainbowMove | TriboardMove | TurncoatMove;

/** Make a move, in the form of the room's game. */
export type PlayCommand = {
  /** What this is; it determines the other fields. */
  type: "play";
  /** The move, as an entry of `legal_moves`. */
  move: AnyMove;
  /** The number of the seat, from 0 in turn order. */
  seat?: number | null;
};

/** Declare that you are ready for the next match; sent again with another salt, it replaces the salt. */
export type ReadyCommand = {
  /** What this is; it determines the other fields. */
  type: "ready";
  /** Is mixed into the chance of the next match; not accepted before `match_ended` has published its seed's hash. */
  salt?: string | null;
};

/** Remove the bot that holds a seat; creator only, at any time. */
export type RemoveBotCommand = {
  /** What this is; it determines the other fields. */
  type: "remove_bot";
  /** The number of the seat, from 0 in turn order. */
  seat: number;
};

/** Ask for another match immediately, instead of the running one or after it. */
export type RequestNewCommand = {
  /** What this is; it determines the other fields. */
  type: "request_new";
};

/** Ask to repeat the match with its layout and first player, during the match or after it. */
export type RequestRestartCommand = {
  /** What this is; it determines the other fields. */
  type: "request_restart";
};

/** Ask to return to the position before your last turn. */
export type RequestTakebackCommand = {
  /** What this is; it determines the other fields. */
  type: "request_takeback";
};

/** Drop out of the running match. */
export type ResignCommand = {
  /** What this is; it determines the other fields. */
  type: "resign";
  /** The number of the seat, from 0 in turn order. */
  seat?: number | null;
};

/** Revoke your own invitation; the creator of the room can revoke any. */
export type RevokeInvitationCommand = {
  /** What this is; it determines the other fields. */
  type: "revoke_invitation";
  /** The number of the invitation in its room. */
  invitation: number;
};

/** Start the next match, in rooms where the creator starts matches; creator only. */
export type StartCommand = {
  /** What this is; it determines the other fields. */
  type: "start";
};

/** Take a free seat; between matches, a seated player moves to it. */
export type TakeSeatCommand = {
  /** What this is; it determines the other fields. */
  type: "take_seat";
  /** The number of the seat, from 0 in turn order. */
  seat: number;
};

/** Declare that you are no longer ready. */
export type UnreadyCommand = {
  /** What this is; it determines the other fields. */
  type: "unready";
};

/** Keep the next match from starting automatically until you are ready again; during a match or after it. */
export type VetoNextCommand = {
  /** What this is; it determines the other fields. */
  type: "veto_next";
};

/** Withdraw your offer. */
export type WithdrawCommand = {
  /** What this is; it determines the other fields. */
  type: "withdraw";
  /** The number of the offer in this room. */
  offer: number;
};

/** A command for a room; `type` names it. */
export type AnyCommand = JoinCommand | DeclineInvitationCommand | PlayCommand | ResignCommand | OfferDrawCommand | RequestTakebackCommand | RequestRestartCommand | RequestNewCommand | AnswerCommand | WithdrawCommand | ClaimAbandonedCommand | LeaveCommand | TakeSeatCommand | LeaveSeatCommand | ReadyCommand | UnreadyCommand | AssignSeatsCommand | AddBotCommand | RemoveBotCommand | KickCommand | MuteCommand | InviteCommand | RevokeInvitationCommand | ConfigureCommand | VetoNextCommand | StartCommand | CloseCommand;

/** A seat rolled the higher number and has the first turn. */
export type MorrisBeganEvent = {
  /** What this is; it determines the other fields. */
  type: "began";
  /** The event's number in its room. */
  version: number;
  /** When it happened. */
  time: string;
  /** The number of the match that the event belongs to, if any. */
  match?: number;
  /** The player whose command caused the event; absent if the service caused it. */
  by?: string;
  /** The game that the event belongs to. */
  game: "morris";
  /** The number of the seat, from 0 in turn order. */
  seat: number;
};

/** A seat dropped out of the running match; its pieces stay, and it is passed over from now on. */
export type MorrisDroppedEvent = {
  /** What this is; it determines the other fields. */
  type: "dropped";
  /** The event's number in its room. */
  version: number;
  /** When it happened. */
  time: string;
  /** The number of the match that the event belongs to, if any. */
  match?: number;
  /** The player whose command caused the event; absent if the service caused it. */
  by?: string;
  /** The game that the event belongs to. */
  game: "morris";
  /** The number of the seat, from 0 in turn order. */
  seat: number;
  /** The reason. */
  reason: "forfeited" | "resigned" | "timed_out";
};

/** A seat moved a man from one point to another; the other fields are those of `Placed`. */
export type MorrisMovedEvent = {
  /** What this is; it determines the other fields. */
  type: "moved";
  /** The event's number in its room. */
  version: number;
  /** When it happened. */
  time: string;
  /** The number of the match that the event belongs to, if any. */
  match?: number;
  /** The player whose command caused the event; absent if the service caused it. */
  by?: string;
  /** The game that the event belongs to. */
  game: "morris";
  /** The number of the seat, from 0 in turn order. */
  seat: number;
  /** A place on the board: where the move begins. */
  from: string;
  /** A place on the board: where the move ends. */
  to: string;
  /** The mills that it closed. */
  mills: [string, string, string][];
  /** How many men the seat now has to remove before its turn ends. */
  removals_owed: number;
  /** Why the match has now ended, if it has. */
  ends?: "no_legal_move" | "quiet_limit" | "repetition" | "too_few_men" | null;
};

/** A seat placed a man from the hand. */
export type MorrisPlacedEvent = {
  /** What this is; it determines the other fields. */
  type: "placed";
  /** The event's number in its room. */
  version: number;
  /** When it happened. */
  time: string;
  /** The number of the match that the event belongs to, if any. */
  match?: number;
  /** The player whose command caused the event; absent if the service caused it. */
  by?: string;
  /** The game that the event belongs to. */
  game: "morris";
  /** The number of the seat, from 0 in turn order. */
  seat: number;
  /** A place on the board; the game's `geometry` has their names. */
  at: string;
  /** The mills that it closed. */
  mills: [string, string, string][];
  /** How many men the seat now has to remove before its turn ends. */
  removals_owed: number;
  /** Why the match has now ended, if it has. */
  ends?: "no_legal_move" | "quiet_limit" | "repetition" | "too_few_men" | null;
};

/** A seat removed a man of the other seat; `removals_owed` no longer counts a removal without a target. */
export type MorrisRemovedEvent = {
  /** What this is; it determines the other fields. */
  type: "removed";
  /** The event's number in its room. */
  version: number;
  /** When it happened. */
  time: string;
  /** The number of the match that the event belongs to, if any. */
  match?: number;
  /** The player whose command caused the event; absent if the service caused it. */
  by?: string;
  /** The game that the event belongs to. */
  game: "morris";
  /** The number of the seat, from 0 in turn order. */
  seat: number;
  /** A place on the board; the game's `geometry` has their names. */
  at: string;
  /** How many men the seat now has to remove before its turn ends. */
  removals_owed: number;
  /** Why the match has now ended, if it has. */
  ends?: "no_legal_move" | "quiet_limit" | "repetition" | "too_few_men" | null;
};

/** A seat rolled a die to decide who begins. */
export type MorrisRolledEvent = {
  /** What this is; it determines the other fields. */
  type: "rolled";
  /** The event's number in its room. */
  version: number;
  /** When it happened. */
  time: string;
  /** The number of the match that the event belongs to, if any. */
  match?: number;
  /** The player whose command caused the event; absent if the service caused it. */
  by?: string;
  /** The game that the event belongs to. */
  game: "morris";
  /** The number of the seat, from 0 in turn order. */
  seat: number;
  /** What was rolled. */
  value: number;
  /** The number of the draw of chance in its match. */
  draw: number;
};

/** An event of Nine Men's Morris. */
export type MorrisEvent = MorrisPlacedEvent | MorrisMovedEvent | MorrisRemovedEvent | MorrisRolledEvent | MorrisBeganEvent | MorrisDroppedEvent;

/** A seat dropped out of the running match; its pieces stay, and it is passed over from now on. */
export type RainbowDroppedEvent = {
  /** What this is; it determines the other fields. */
  type: "dropped";
  /** The event's number in its room. */
  version: number;
  /** When it happened. */
  time: string;
  /** The number of the match that the event belongs to, if any. */
  match?: number;
  /** The player whose command caused the event; absent if the service caused it. */
  by?: string;
  /** The game that the event belongs to. */
  game: "rainbow";
  /** The number of the seat, from 0 in turn order. */
  seat: number;
  /** The reason. */
  reason: "forfeited" | "resigned" | "timed_out";
};

/** A seat flipped a peg; the fields are those of `Placed`. */
export type RainbowFlippedEvent = {
  /** What this is; it determines the other fields. */
  type: "flipped";
  /** The event's number in its room. */
  version: number;
  /** When it happened. */
  time: string;
  /** The number of the match that the event belongs to, if any. */
  match?: number;
  /** The player whose command caused the event; absent if the service caused it. */
  by?: string;
  /** The game that the event belongs to. */
  game: "rainbow";
  /** The number of the seat, from 0 in turn order. */
  seat: number;
  /** The peg, by the letters of its two sides. */
  peg: "BV" | "GB" | "OY" | "RO" | "VR" | "WK" | "YG";
  /** The side that is up now. */
  side: "B" | "G" | "K" | "O" | "R" | "V" | "W" | "Y";
  /** A place on the board; the game's `geometry` has their names. */
  at: string;
  /** The line that is now on the board; the first one if there are several. */
  line?: [string, string, string] | null;
  /** Why the match has now ended, if it has. */
  ends?: "line" | "quiet_limit" | "repetition" | null;
};

/** A seat moved a peg to another cell; the fields are those of `Placed`. */
export type RainbowMovedEvent = {
  /** What this is; it determines the other fields. */
  type: "moved";
  /** The event's number in its room. */
  version: number;
  /** When it happened. */
  time: string;
  /** The number of the match that the event belongs to, if any. */
  match?: number;
  /** The player whose command caused the event; absent if the service caused it. */
  by?: string;
  /** The game that the event belongs to. */
  game: "rainbow";
  /** The number of the seat, from 0 in turn order. */
  seat: number;
  /** The peg, by the letters of its two sides. */
  peg: "BV" | "GB" | "OY" | "RO" | "VR" | "WK" | "YG";
  /** The side that is up now. */
  side: "B" | "G" | "K" | "O" | "R" | "V" | "W" | "Y";
  /** A place on the board: where the move begins. */
  from: string;
  /** A place on the board: where the move ends. */
  to: string;
  /** The line that is now on the board; the first one if there are several. */
  line?: [string, string, string] | null;
  /** Why the match has now ended, if it has. */
  ends?: "line" | "quiet_limit" | "repetition" | null;
};

/** A seat placed a peg. */
export type RainbowPlacedEvent = {
  /** What this is; it determines the other fields. */
  type: "placed";
  /** The event's number in its room. */
  version: number;
  /** When it happened. */
  time: string;
  /** The number of the match that the event belongs to, if any. */
  match?: number;
  /** The player whose command caused the event; absent if the service caused it. */
  by?: string;
  /** The game that the event belongs to. */
  game: "rainbow";
  /** The number of the seat, from 0 in turn order. */
  seat: number;
  /** The peg, by the letters of its two sides. */
  peg: "BV" | "GB" | "OY" | "RO" | "VR" | "WK" | "YG";
  /** The side that is up now. */
  side: "B" | "G" | "K" | "O" | "R" | "V" | "W" | "Y";
  /** A place on the board; the game's `geometry` has their names. */
  at: string;
  /** The line that is now on the board; the first one if there are several. */
  line?: [string, string, string] | null;
  /** Why the match has now ended, if it has. */
  ends?: "line" | "quiet_limit" | "repetition" | null;
};

/** A colour was rolled for a seat's turn; `ends` is present only if this is a position's third occurrence. */
export type RainbowRolledEvent = {
  /** What this is; it determines the other fields. */
  type: "rolled";
  /** The event's number in its room. */
  version: number;
  /** When it happened. */
  time: string;
  /** The number of the match that the event belongs to, if any. */
  match?: number;
  /** The player whose command caused the event; absent if the service caused it. */
  by?: string;
  /** The game that the event belongs to. */
  game: "rainbow";
  /** The number of the seat, from 0 in turn order. */
  seat: number;
  /** The colour that was rolled. */
  value: "B" | "G" | "O" | "R" | "V" | "Y";
  /** The number of the draw of chance in its match. */
  draw: number;
  /** Why the match has now ended, if it has. */
  ends?: "repetition";
};

/** An event of Tic-Tac-Rainbow. */
export type RainbowEvent = RainbowPlacedEvent | RainbowFlippedEvent | RainbowMovedEvent | RainbowRolledEvent | RainbowDroppedEvent;

/** The service was down, and the seats to move got back the time that they lost. */
export type ClocksExtendedEvent = {
  /** What this is; it determines the other fields. */
  type: "clocks_extended";
  /** The event's number in its room. */
  version: number;
  /** When it happened. */
  time: string;
  /** The number of the match that the event belongs to, if any. */
  match?: number;
  /** The player whose command caused the event; absent if the service caused it. */
  by?: string;
  /** Milliseconds by seat; 0 for a seat that was not to move. */
  by_seat: number[];
};

/** The creator left, and the player who has been in the room longest is now the creator. */
export type CreatorChangedEvent = {
  /** What this is; it determines the other fields. */
  type: "creator_changed";
  /** The event's number in its room. */
  version: number;
  /** When it happened. */
  time: string;
  /** The number of the match that the event belongs to, if any. */
  match?: number;
  /** The player whose command caused the event; absent if the service caused it. */
  by?: string;
  /** The player's id. */
  player: string;
};

/** Somebody who is not in the room declined an invitation, which stays open. */
export type InvitationDeclinedEvent = {
  /** What this is; it determines the other fields. */
  type: "invitation_declined";
  /** The event's number in its room. */
  version: number;
  /** When it happened. */
  time: string;
  /** The number of the match that the event belongs to, if any. */
  match?: number;
  /** The player whose command caused the event; absent if the service caused it. */
  by?: string;
  /** The invitation's number in this room. */
  invitation: number;
  /** The player's id. */
  player: string;
  /** The name that is shown for the player. */
  nickname: string;
  /** Where the nickname is stored; absent in events of earlier releases. */
  name_ref?: string;
  /** Whether the player was declared a bot; absent for people, and in events of earlier releases. */
  bot?: boolean;
};

/** A member created an invitation; only they received its code. */
export type InvitationMadeEvent = {
  /** What this is; it determines the other fields. */
  type: "invitation_made";
  /** The event's number in its room. */
  version: number;
  /** When it happened. */
  time: string;
  /** The number of the match that the event belongs to, if any. */
  match?: number;
  /** The player whose command caused the event; absent if the service caused it. */
  by?: string;
  /** The invitation's number in this room, from 1. */
  invitation: number;
  /** Who made it. */
  player: string;
  /** How many players it admits. */
  uses: number;
  /** After how many milliseconds it expires. */
  expires_ms: number;
  /** The only seat that it is for; absent for any. */
  seat?: number;
};

/** An invitation was revoked, by the member who created it or by the creator of the room. */
export type InvitationRevokedEvent = {
  /** What this is; it determines the other fields. */
  type: "invitation_revoked";
  /** The event's number in its room. */
  version: number;
  /** When it happened. */
  time: string;
  /** The number of the match that the event belongs to, if any. */
  match?: number;
  /** The player whose command caused the event; absent if the service caused it. */
  by?: string;
  /** The invitation's number in this room. */
  invitation: number;
};

/** How a match ended; lists are in seat order, and empty if the match was ended without a result. */
export type MatchResult = {
  /** Why the match ended: `resigned`, `timed_out`, `forfeited`, or one of the game's `endings`. */
  reason: string;
  /** The place of each seat, 1 for a winner; tied seats share a place. */
  places: number[];
  /** The score of each seat, if the game has scores. */
  scores: number[] | null;
  /** All seats with place 1. */
  winners: number[];
};

/** A match ended; its seed is revealed, and the hash of the next match's seed is published. */
export type MatchEndedEvent = {
  /** What this is; it determines the other fields. */
  type: "match_ended";
  /** The event's number in its room. */
  version: number;
  /** When it happened. */
  time: string;
  /** The number of the match that the event belongs to, if any. */
  match?: number;
  /** The player whose command caused the event; absent if the service caused it. */
  by?: string;
  /** How the match ended. */
  result: MatchResult;
  /** The seed of the match, in hex. */
  seed: string;
  /** The SHA-256 of the next match's seed, in hex; absent in matches that an earlier release started. */
  next_seed_hash?: string;
};

/** The options of a game by name; `GET /v1/games/{game}` has their schema. */
export type GameOptions = Record<string, boolean | number | string>;

/** A position of a match, copied, so that matches of another room can begin there. */
export type CopiedPosition = {
  /** The id of the match. */
  match: string;
  /** The version of the match's room at which the position was on the board, or was about to be. */
  version: number;
  /** All options of the match. */
  options: GameOptions;
  /** The events of the game that led there, as everybody may know them, without those that were taken back. */
  events: Record<string, unknown>[];
};

/** A match started, with its players, all its options, and the hash of its seed, which was published before. */
export type MatchStartedEvent = {
  /** What this is; it determines the other fields. */
  type: "match_started";
  /** The event's number in its room. */
  version: number;
  /** When it happened. */
  time: string;
  /** The number of the match that the event belongs to, if any. */
  match?: number;
  /** The player whose command caused the event; absent if the service caused it. */
  by?: string;
  /** The id of the match. */
  id: string;
  /** The slug of the game. */
  game: string;
  /** The version of the game's rules. */
  rules_version: number;
  /** The options of the game. */
  options: GameOptions;
  /** The id of the player on each seat, in turn order; null for an empty seat. */
  seats: (string | null)[];
  /** The contributions to chance, by seat. */
  salts: string[];
  /** The SHA-256 of the seed's 32 bytes, in hex. */
  seed_hash: string;
  /** The id of the match whose layout and first player are repeated; null for a match with its own. */
  layout_of?: string | null;
  /** The seed of that match, which was revealed at its end. */
  layout_seed?: string | null;
  /** The salts of that match by seat; empty without such a match. */
  layout_salts?: string[];
  /** Whether the match counts for a rating. */
  rated?: boolean;
  /** The position at which it begins, in place of a setup; absent for matches from the beginning. */
  position?: CopiedPosition;
};

/** A number of days for each turn. */
export type DaysClock = {
  /** What this is; it determines the other fields. */
  type: "days";
  /** The time for each move, in days. */
  days: number;
};

/** A number of milliseconds for the match, and an increment after each turn that was completed in time. */
export type FischerClock = {
  /** What this is; it determines the other fields. */
  type: "fischer";
  /** The time at the start of the match, in milliseconds. */
  initial_ms: number;
  /** The time that each move adds, in milliseconds. `0` by default. */
  increment_ms?: number;
};

/** No time limit. */
export type NoClock = {
  /** What this is; it determines the other fields. */
  type: "none";
};

/** A number of milliseconds for each turn. */
export type PerMoveClock = {
  /** What this is; it determines the other fields. */
  type: "per_move";
  /** The time for each move, in milliseconds. */
  ms: number;
};

/** The settings of a room. */
export type RoomSettings = {
  /**
   * Whether the lobby lists the room; an unlisted one is found by its name, a private one only with its password.
   * `"public"` by default.
   */
  visibility?: "private" | "public" | "unlisted";
  /**
   * What starts the first match: all players being ready, all seats being taken, or the creator's `start`.
   * `"ready"` by default.
   */
  start?: "creator" | "full" | "ready";
  /**
   * Milliseconds from the end of a match to the start of the next one; null: it starts when all players are ready.
   *
   * They are counted from the end plus the game's `telling_ms`, in which clients show the last events. The next
   * match also waits until all players are present, see `waiting_for` of the view. If only bots play, somebody has
   * to follow the room's own feed, and no match starts later than a day after the latest command of a player.
   * `5000` by default.
   */
  restart?: number | null;
  /** How much time the players have. */
  clock?: NoClock | PerMoveClock | FischerClock | DaysClock;
  /**
   * What happens to a seat whose time runs out: it drops out, or the service moves for it until the turn ends.
   * `"lose"` by default.
   */
  on_timeout?: "bot_move" | "lose" | "random_move";
  /**
   * Milliseconds that a bot takes for a move; none once all people in the match have dropped out.
   *
   * An easy move takes up to 600 fewer, a hard one up to 1000 more; with a pause below 1000 proportionally less.
   * `1000` by default.
   */
  bot_pause?: number;
  /**
   * Whether bots above `easy` resign to their last opponent once they have lost beyond doubt for three turns.
   *
   * Left out means that they do.
   */
  bots_resign?: boolean;
  /** Whether the players rotate by one seat from match to match. `"keep"` by default. */
  seats_next?: "keep" | "rotate";
  /**
   * How many matches make a series, which ends early once a player cannot be overtaken; 0: no series. `0` by
   * default.
   */
  best_of?: number;
  /**
   * Who may ask for hints: a player whose opponents are all bots of the service, nobody, or every player.
   * `"bots_only"` by default.
   */
  hints?: "bots_only" | "off" | "on";
  /** Whether a player may hold several seats, to play with others on one device. `false` by default. */
  hot_seat?: boolean;
  /**
   * Whether players and spectators share the chat (`together`) or each have their own (`apart`). `"together"` by
   * default.
   */
  chat?: "apart" | "together";
  /** Whether spectators are admitted; if not, only members can read the room. `true` by default. */
  spectators?: boolean;
  /**
   * Whether matches count for a rating: see `rated_match` for what they exclude. They need a clock.
   *
   * A rated room is not private and not a hot seat, its `on_timeout` is `lose`, and no bot of the service has a
   * seat. All players have to be ready for each match, and the seats rotate: `restart` is null, `seats_next` is
   * `rotate`. `false` by default.
   */
  rated?: boolean;
  /**
   * Milliseconds of absence after which the other players can claim against a seat; a rated match is forfeited.
   * `60000` by default.
   */
  grace_ms?: number;
};

/** Other options and settings will apply after the running match. */
export type NextConfiguredEvent = {
  /** What this is; it determines the other fields. */
  type: "next_configured";
  /** The event's number in its room. */
  version: number;
  /** When it happened. */
  time: string;
  /** The number of the match that the event belongs to, if any. */
  match?: number;
  /** The player whose command caused the event; absent if the service caused it. */
  by?: string;
  /** The options of the game. */
  options: GameOptions;
  /** The settings of the room. */
  settings: RoomSettings;
};

/** A player vetoed the automatic start of the next match, and is no longer ready. */
export type NextVetoedEvent = {
  /** What this is; it determines the other fields. */
  type: "next_vetoed";
  /** The event's number in its room. */
  version: number;
  /** When it happened. */
  time: string;
  /** The number of the match that the event belongs to, if any. */
  match?: number;
  /** The player whose command caused the event; absent if the service caused it. */
  by?: string;
  /** The player's id. */
  player: string;
};

/** A player accepted an offer. */
export type OfferAcceptedEvent = {
  /** What this is; it determines the other fields. */
  type: "offer_accepted";
  /** The event's number in its room. */
  version: number;
  /** When it happened. */
  time: string;
  /** The number of the match that the event belongs to, if any. */
  match?: number;
  /** The player whose command caused the event; absent if the service caused it. */
  by?: string;
  /** The number of the offer in this room. */
  offer: number;
  /** The player's id. */
  player: string;
};

/** An offer was closed; if all agreed, the events that it leads to follow at once. */
export type OfferClosedEvent = {
  /** What this is; it determines the other fields. */
  type: "offer_closed";
  /** The event's number in its room. */
  version: number;
  /** When it happened. */
  time: string;
  /** The number of the match that the event belongs to, if any. */
  match?: number;
  /** The player whose command caused the event; absent if the service caused it. */
  by?: string;
  /** The number of the offer in this room. */
  offer: number;
  /** How the offer ended. */
  reason: "agreed" | "declined" | "lapsed" | "withdrawn";
  /** Who declined or withdrew it. */
  player?: string | null;
};

/** A player made an offer that the other human players, and for a draw the bots too, have to accept. */
export type OfferMadeEvent = {
  /** What this is; it determines the other fields. */
  type: "offer_made";
  /** The event's number in its room. */
  version: number;
  /** When it happened. */
  time: string;
  /** The number of the match that the event belongs to, if any. */
  match?: number;
  /** The player whose command caused the event; absent if the service caused it. */
  by?: string;
  /** The offer's number in this room, from 1. */
  offer: number;
  /** What is offered. */
  kind: "draw" | "kick" | "new" | "restart" | "takeback";
  /** The player's id. */
  player: string;
  /** For a takeback: the version to whose position the match would return. */
  to_version?: number | null;
  /** For a kick: who would be removed. */
  target?: string | null;
  /** For a draw claimed against an absent player: their seat, whose holder is asked only when present again. */
  abandoned?: number | null;
};

/** A player or a bot joined the room; `SeatTaken` follows if they took a seat. */
export type PlayerJoinedEvent = {
  /** What this is; it determines the other fields. */
  type: "player_joined";
  /** The event's number in its room. */
  version: number;
  /** When it happened. */
  time: string;
  /** The number of the match that the event belongs to, if any. */
  match?: number;
  /** The player whose command caused the event; absent if the service caused it. */
  by?: string;
  /** The player's id. */
  player: string;
  /** The name that is shown for the player. */
  nickname: string;
  /** Whether the member plays or only watches. */
  as: "player" | "spectator";
  /** The kind of bot that joined; null for people. */
  bot?: "casual" | "easy" | "expert" | "hard" | "medium" | "skilled" | "external" | null;
  /** The creator's contribution to the chance of the first match; absent for everybody else. */
  salt?: string;
  /** The number of the invitation by which they joined; absent without one. */
  invitation?: number;
  /** Where the nickname is stored; absent for bots of the service and in what earlier releases stored. */
  name_ref?: string;
};

/** A player was removed, by the creator or by all other players, and cannot join this room again. */
export type PlayerKickedEvent = {
  /** What this is; it determines the other fields. */
  type: "player_kicked";
  /** The event's number in its room. */
  version: number;
  /** When it happened. */
  time: string;
  /** The number of the match that the event belongs to, if any. */
  match?: number;
  /** The player whose command caused the event; absent if the service caused it. */
  by?: string;
  /** The player's id. */
  player: string;
};

/** A player or a bot left the room. */
export type PlayerLeftEvent = {
  /** What this is; it determines the other fields. */
  type: "player_left";
  /** The event's number in its room. */
  version: number;
  /** When it happened. */
  time: string;
  /** The number of the match that the event belongs to, if any. */
  match?: number;
  /** The player whose command caused the event; absent if the service caused it. */
  by?: string;
  /** The player's id. */
  player: string;
};

/** The creator muted somebody in the chat, or let them write again. */
export type PlayerMutedEvent = {
  /** What this is; it determines the other fields. */
  type: "player_muted";
  /** The event's number in its room. */
  version: number;
  /** When it happened. */
  time: string;
  /** The number of the match that the event belongs to, if any. */
  match?: number;
  /** The player whose command caused the event; absent if the service caused it. */
  by?: string;
  /** The player's id. */
  player: string;
  /** Whether the player is muted from now on. */
  on: boolean;
};

/** A player is ready for the next match and those after it, and may add a salt to the next one's chance. */
export type PlayerReadiedEvent = {
  /** What this is; it determines the other fields. */
  type: "player_readied";
  /** The event's number in its room. */
  version: number;
  /** When it happened. */
  time: string;
  /** The number of the match that the event belongs to, if any. */
  match?: number;
  /** The player whose command caused the event; absent if the service caused it. */
  by?: string;
  /** The player's id. */
  player: string;
  /** Replaces the salt that the player sent before for that match; null keeps it. */
  salt?: string | null;
};

/** A player is no longer ready for the next match; after `match_ended`, because they have to be ready again. */
export type PlayerUnreadiedEvent = {
  /** What this is; it determines the other fields. */
  type: "player_unreadied";
  /** The event's number in its room. */
  version: number;
  /** When it happened. */
  time: string;
  /** The number of the match that the event belongs to, if any. */
  match?: number;
  /** The player whose command caused the event; absent if the service caused it. */
  by?: string;
  /** The player's id. */
  player: string;
};

/** The room was opened from a position of a match: its matches with the same options begin there, unless rated. */
export type PositionCopiedEvent = {
  /** What this is; it determines the other fields. */
  type: "position_copied";
  /** The event's number in its room. */
  version: number;
  /** When it happened. */
  time: string;
  /** The number of the match that the event belongs to, if any. */
  match?: number;
  /** The player whose command caused the event; absent if the service caused it. */
  by?: string;
  /** The position. */
  position: CopiedPosition;
};

/** The room was closed, and its name is free. */
export type RoomClosedEvent = {
  /** What this is; it determines the other fields. */
  type: "room_closed";
  /** The event's number in its room. */
  version: number;
  /** When it happened. */
  time: string;
  /** The number of the match that the event belongs to, if any. */
  match?: number;
  /** The player whose command caused the event; absent if the service caused it. */
  by?: string;
  /** Who or what closed the room. */
  reason: "by_creator" | "by_operator" | "deserted" | "idle";
};

/** Other options and settings apply from now on. */
export type RoomConfiguredEvent = {
  /** What this is; it determines the other fields. */
  type: "room_configured";
  /** The event's number in its room. */
  version: number;
  /** When it happened. */
  time: string;
  /** The number of the match that the event belongs to, if any. */
  match?: number;
  /** The player whose command caused the event; absent if the service caused it. */
  by?: string;
  /** The options of the game. */
  options: GameOptions;
  /** The settings of the room. */
  settings: RoomSettings;
  /** Who holds which seat under these options; players who lost a seat stay in the room. */
  seats: (string | null)[];
};

/** The table of a tournament whose only match a room is for. */
export type TournamentTable = {
  /** The id of the tournament. */
  id: string;
  /** The title of the tournament. */
  title: string;
  /** The number of the round, from 1. */
  round: number;
  /** The number of the table in the tournament, from 1. */
  table: number;
};

/** A room was opened. */
export type RoomOpenedEvent = {
  /** What this is; it determines the other fields. */
  type: "room_opened";
  /** The event's number in its room. */
  version: number;
  /** When it happened. */
  time: string;
  /** The number of the match that the event belongs to, if any. */
  match?: number;
  /** The player whose command caused the event; absent if the service caused it. */
  by?: string;
  /** The name of the room, in its address. */
  name: string;
  /** The id of the room among all rooms of its name. */
  epoch: string;
  /** The title that is shown to people. */
  title: string;
  /** The slug of the game. */
  game: string;
  /** The options of the game. */
  options: GameOptions;
  /** The settings of the room. */
  settings: RoomSettings;
  /** The SHA-256 of the first match's seed, in hex; absent in rooms of releases that did not publish it. */
  next_seed_hash?: string;
  /** The table of a tournament that the room is for; absent for other rooms. */
  tournament?: TournamentTable;
};

/** The player of a seat is absent: the others may claim against it after `grace_ms`, and the next match waits. */
export type SeatDesertedEvent = {
  /** What this is; it determines the other fields. */
  type: "seat_deserted";
  /** The event's number in its room. */
  version: number;
  /** When it happened. */
  time: string;
  /** The number of the match that the event belongs to, if any. */
  match?: number;
  /** The player whose command caused the event; absent if the service caused it. */
  by?: string;
  /** The number of the seat, from 0 in turn order. */
  seat: number;
};

/** A player left a seat; a running match waits for the next player who takes it. */
export type SeatLeftEvent = {
  /** What this is; it determines the other fields. */
  type: "seat_left";
  /** The event's number in its room. */
  version: number;
  /** When it happened. */
  time: string;
  /** The number of the match that the event belongs to, if any. */
  match?: number;
  /** The player whose command caused the event; absent if the service caused it. */
  by?: string;
  /** The number of the seat, from 0 in turn order. */
  seat: number;
  /** The player's id. */
  player: string;
};

/** The player of a seat is present again. */
export type SeatReturnedEvent = {
  /** What this is; it determines the other fields. */
  type: "seat_returned";
  /** The event's number in its room. */
  version: number;
  /** When it happened. */
  time: string;
  /** The number of the match that the event belongs to, if any. */
  match?: number;
  /** The player whose command caused the event; absent if the service caused it. */
  by?: string;
  /** The number of the seat, from 0 in turn order. */
  seat: number;
};

/** A player took a seat. */
export type SeatTakenEvent = {
  /** What this is; it determines the other fields. */
  type: "seat_taken";
  /** The event's number in its room. */
  version: number;
  /** When it happened. */
  time: string;
  /** The number of the match that the event belongs to, if any. */
  match?: number;
  /** The player whose command caused the event; absent if the service caused it. */
  by?: string;
  /** The number of the seat, from 0 in turn order. */
  seat: number;
  /** The player's id. */
  player: string;
};

/** The seats were assigned, by the creator or by a rotation; null is an empty seat. */
export type SeatsAssignedEvent = {
  /** What this is; it determines the other fields. */
  type: "seats_assigned";
  /** The event's number in its room. */
  version: number;
  /** When it happened. */
  time: string;
  /** The number of the match that the event belongs to, if any. */
  match?: number;
  /** The player whose command caused the event; absent if the service caused it. */
  by?: string;
  /** The id of the player on each seat, in turn order; null for an empty seat. */
  seats: (string | null)[];
};

/** The creator, or all human players together, called for the next match to start. */
export type StartCalledEvent = {
  /** What this is; it determines the other fields. */
  type: "start_called";
  /** The event's number in its room. */
  version: number;
  /** When it happened. */
  time: string;
  /** The number of the match that the event belongs to, if any. */
  match?: number;
  /** The player whose command caused the event; absent if the service caused it. */
  by?: string;
  /** The id of the match to repeat; absent for a match with its own layout. */
  layout_of?: string;
};

/** The match returned to the position before a seat's turn; no event is deleted, and no draw is reused. */
export type TakenBackEvent = {
  /** What this is; it determines the other fields. */
  type: "taken_back";
  /** The event's number in its room. */
  version: number;
  /** When it happened. */
  time: string;
  /** The number of the match that the event belongs to, if any. */
  match?: number;
  /** The player whose command caused the event; absent if the service caused it. */
  by?: string;
  /** The version at which the match had this position before. */
  to_version: number;
  /** Whose turn it is again. */
  seat: number;
};

/** A seat's time ran out; the setting `on_timeout` says what follows. */
export type TimeRanOutEvent = {
  /** What this is; it determines the other fields. */
  type: "time_ran_out";
  /** The event's number in its room. */
  version: number;
  /** When it happened. */
  time: string;
  /** The number of the match that the event belongs to, if any. */
  match?: number;
  /** The player whose command caused the event; absent if the service caused it. */
  by?: string;
  /** The number of the seat, from 0 in turn order. */
  seat: number;
};

/** An event of the room itself, the same in every game. */
export type RoomEvent = RoomOpenedEvent | PlayerJoinedEvent | PlayerLeftEvent | PlayerKickedEvent | PlayerMutedEvent | SeatDesertedEvent | SeatReturnedEvent | CreatorChangedEvent | SeatTakenEvent | SeatLeftEvent | SeatsAssignedEvent | PlayerReadiedEvent | PlayerUnreadiedEvent | StartCalledEvent | OfferMadeEvent | OfferAcceptedEvent | OfferClosedEvent | TakenBackEvent | NextVetoedEvent | NextConfiguredEvent | RoomConfiguredEvent | MatchStartedEvent | MatchEndedEvent | TimeRanOutEvent | ClocksExtendedEvent | RoomClosedEvent | PositionCopiedEvent | InvitationMadeEvent | InvitationDeclinedEvent | InvitationRevokedEvent;

/** A seat dropped out of the running match; its pieces stay, and it is passed over from now on. */
export type TernioDroppedEvent = {
  /** What this is; it determines the other fields. */
  type: "dropped";
  /** The event's number in its room. */
  version: number;
  /** When it happened. */
  time: string;
  /** The number of the match that the event belongs to, if any. */
  match?: number;
  /** The player whose command caused the event; absent if the service caused it. */
  by?: string;
  /** The game that the event belongs to. */
  game: "ternio";
  /** The number of the seat, from 0 in turn order. */
  seat: number;
  /** The reason. */
  reason: "forfeited" | "resigned" | "timed_out";
};

/** The start layout was placed on the board: nine rows, the top row first. */
export type TernioLaidOutEvent = {
  /** What this is; it determines the other fields. */
  type: "laid_out";
  /** The event's number in its room. */
  version: number;
  /** When it happened. */
  time: string;
  /** The number of the match that the event belongs to, if any. */
  match?: number;
  /** The player whose command caused the event; absent if the service caused it. */
  by?: string;
  /** The game that the event belongs to. */
  game: "ternio";
  /** Nine rows, the top row first: `.` is empty, `r`, `g` and `b` are discs. */
  board: string[];
};

/** A seat was passed over because it had no legal move. */
export type TernioPassedEvent = {
  /** What this is; it determines the other fields. */
  type: "passed";
  /** The event's number in its room. */
  version: number;
  /** When it happened. */
  time: string;
  /** The number of the match that the event belongs to, if any. */
  match?: number;
  /** The player whose command caused the event; absent if the service caused it. */
  by?: string;
  /** The game that the event belongs to. */
  game: "ternio";
  /** The number of the seat, from 0 in turn order. */
  seat: number;
};

/** A seat placed a disc, and the captured discs turned to its colour. */
export type TernioPlacedEvent = {
  /** What this is; it determines the other fields. */
  type: "placed";
  /** The event's number in its room. */
  version: number;
  /** When it happened. */
  time: string;
  /** The number of the match that the event belongs to, if any. */
  match?: number;
  /** The player whose command caused the event; absent if the service caused it. */
  by?: string;
  /** The game that the event belongs to. */
  game: "ternio";
  /** The number of the seat, from 0 in turn order. */
  seat: number;
  /** A place on the board; the game's `geometry` has their names. */
  at: string;
  /** The places that were captured. */
  captured: string[];
};

/** An event of Ternio. */
export type TernioEvent = TernioLaidOutEvent | TernioPlacedEvent | TernioPassedEvent | TernioDroppedEvent;

/** A seat dropped out of the running match; its pieces stay, and it is passed over from now on. */
export type TriboardDroppedEvent = {
  /** What this is; it determines the other fields. */
  type: "dropped";
  /** The event's number in its room. */
  version: number;
  /** When it happened. */
  time: string;
  /** The number of the match that the event belongs to, if any. */
  match?: number;
  /** The player whose command caused the event; absent if the service caused it. */
  by?: string;
  /** The game that the event belongs to. */
  game: "triboard";
  /** The number of the seat, from 0 in turn order. */
  seat: number;
  /** The reason. */
  reason: "forfeited" | "resigned" | "timed_out";
};

/** The layout was drawn: eleven rows, the top row first, and the first seat to move. */
export type TriboardLaidOutEvent = {
  /** What this is; it determines the other fields. */
  type: "laid_out";
  /** The event's number in its room. */
  version: number;
  /** When it happened. */
  time: string;
  /** The number of the match that the event belongs to, if any. */
  match?: number;
  /** The player whose command caused the event; absent if the service caused it. */
  by?: string;
  /** The game that the event belongs to. */
  game: "triboard";
  /** Eleven rows, the top row first: `.` is empty, `#` a wall, `b`, `r` and `g` are cells of a seat. */
  board: string[];
  /** The first seat to move. */
  first: number;
  /** The number of the draw of chance in its match. */
  draw: number;
};

/** A seat was passed over because it had no legal move. */
export type TriboardPassedEvent = {
  /** What this is; it determines the other fields. */
  type: "passed";
  /** The event's number in its room. */
  version: number;
  /** When it happened. */
  time: string;
  /** The number of the match that the event belongs to, if any. */
  match?: number;
  /** The player whose command caused the event; absent if the service caused it. */
  by?: string;
  /** The game that the event belongs to. */
  game: "triboard";
  /** The number of the seat, from 0 in turn order. */
  seat: number;
};

/** A seat took a cell, and the cells that it jumped over from there. */
export type TriboardPlacedEvent = {
  /** What this is; it determines the other fields. */
  type: "placed";
  /** The event's number in its room. */
  version: number;
  /** When it happened. */
  time: string;
  /** The number of the match that the event belongs to, if any. */
  match?: number;
  /** The player whose command caused the event; absent if the service caused it. */
  by?: string;
  /** The game that the event belongs to. */
  game: "triboard";
  /** The number of the seat, from 0 in turn order. */
  seat: number;
  /** A place on the board; the game's `geometry` has their names. */
  at: string;
  /** The places that were captured. */
  captured: string[];
};

/** An event of Triboard. */
export type TriboardEvent = TriboardLaidOutEvent | TriboardPlacedEvent | TriboardPassedEvent | TriboardDroppedEvent;

/** A seat committed to its selection. */
export type TurncoatCommittedEvent = {
  /** What this is; it determines the other fields. */
  type: "committed";
  /** The event's number in its room. */
  version: number;
  /** When it happened. */
  time: string;
  /** The number of the match that the event belongs to, if any. */
  match?: number;
  /** The player whose command caused the event; absent if the service caused it. */
  by?: string;
  /** The game that the event belongs to. */
  game: "turncoat";
  /** The number of the seat, from 0 in turn order. */
  seat: number;
};

/** A seat dropped out of the running match; its pieces stay, and it is passed over from now on. */
export type TurncoatDroppedEvent = {
  /** What this is; it determines the other fields. */
  type: "dropped";
  /** The event's number in its room. */
  version: number;
  /** When it happened. */
  time: string;
  /** The number of the match that the event belongs to, if any. */
  match?: number;
  /** The player whose command caused the event; absent if the service caused it. */
  by?: string;
  /** The game that the event belongs to. */
  game: "turncoat";
  /** The number of the seat, from 0 in turn order. */
  seat: number;
  /** The reason. */
  reason: "forfeited" | "resigned" | "timed_out";
};

/** The layout of both boards was drawn: 8 rows, the top row first. */
export type TurncoatLaidOutEvent = {
  /** What this is; it determines the other fields. */
  type: "laid_out";
  /** The event's number in its room. */
  version: number;
  /** When it happened. */
  time: string;
  /** The number of the match that the event belongs to, if any. */
  match?: number;
  /** The player whose command caused the event; absent if the service caused it. */
  by?: string;
  /** The game that the event belongs to. */
  game: "turncoat";
  /** Eight rows, the top row first, the same for both boards: `B` and `W` are discs. */
  board: string[];
  /** The number of the draw of chance in its match. */
  draw: number;
};

/** A new round began; both seats select again. */
export type TurncoatRoundBegunEvent = {
  /** What this is; it determines the other fields. */
  type: "round_begun";
  /** The event's number in its room. */
  version: number;
  /** When it happened. */
  time: string;
  /** The number of the match that the event belongs to, if any. */
  match?: number;
  /** The player whose command caused the event; absent if the service caused it. */
  by?: string;
  /** The game that the event belongs to. */
  game: "turncoat";
  /** The number of the round, from 1. */
  round: number;
};

/** A seat selected a square, which only this seat may know; an earlier commit of the seat is withdrawn. */
export type TurncoatSelectedEvent = {
  /** What this is; it determines the other fields. */
  type: "selected";
  /** The event's number in its room. */
  version: number;
  /** When it happened. */
  time: string;
  /** The number of the match that the event belongs to, if any. */
  match?: number;
  /** The player whose command caused the event; absent if the service caused it. */
  by?: string;
  /** The game that the event belongs to. */
  game: "turncoat";
  /** The number of the seat, from 0 in turn order. */
  seat: number;
  /** A place on the board; the game's `geometry` has their names. Sent to this seat only. */
  at?: string;
};

/**
 * A disc of one board was turned `to` black or white, with the discs that it trapped.
 *
 * In half 1 the board's owner had selected the disc, in half 2 the opponent.
 */
export type TurncoatTurnedEvent = {
  /** What this is; it determines the other fields. */
  type: "turned";
  /** The event's number in its room. */
  version: number;
  /** When it happened. */
  time: string;
  /** The number of the match that the event belongs to, if any. */
  match?: number;
  /** The player whose command caused the event; absent if the service caused it. */
  by?: string;
  /** The game that the event belongs to. */
  game: "turncoat";
  /** The colour of the board. */
  board: "red" | "yellow";
  /** Which half of the board's round it is: the disc of its owner, or that of the other seat. */
  half: 1 | 2;
  /** A place on the board; the game's `geometry` has their names. */
  at: string;
  /** The colour that is up now: `B` black, `W` white. */
  to: "B" | "W";
  /** The other squares whose discs turned. */
  trapped: string[];
};

/** An event of Turncoat. */
export type TurncoatEvent = TurncoatLaidOutEvent | TurncoatSelectedEvent | TurncoatCommittedEvent | TurncoatTurnedEvent | TurncoatRoundBegunEvent | TurncoatDroppedEvent;

/** An event of a room or of the game played in it. */
export type AnyEvent = RoomEvent | MorrisEvent | TernioEvent | RainbowEvent | TriboardEvent | TurncoatEvent;

/** A player whom the caller has blocked. */
export type Block = {
  /** The player's id. */
  player: string;
  /** When the player was blocked. */
  since: string;
};

/** The players whom the caller has blocked. */
export type BlockList = {
  /** The blocked players, the earliest first. */
  blocks: Block[];
};

/** A bot to be listed. */
export type BotRegistration = {
  /** The slugs of the games that it plays. */
  games: string[];
  /** A sentence about it for people. `""` by default. */
  description?: string;
};

/** A level of the service's own bots. */
export type HouseLevel = {
  /** The level; an opponent `{"bot": level}` in a challenge or a room. */
  level: "casual" | "easy" | "expert" | "hard" | "medium" | "skilled";
  /** The slugs of the games that it plays. */
  games: string[];
};

/** A bot run by a player, which can be challenged. */
export type ListedBot = {
  /** The id of its player. */
  player: string;
  /** The bot's nickname. */
  nickname: string;
  /** The slugs of the games that it plays. */
  games: string[];
  /** What it is, in its owner's words. */
  description: string;
  /** When it leaves the list unless it registers again. */
  until: string;
  /** Where the nickname is stored. */
  name_ref?: string;
};

/** All bots that can be challenged. */
export type Bots = {
  /** The service's own bots, which are always available. */
  house: HouseLevel[];
  /** Bots that others run, which accept or decline; the latest registered one first. */
  listed: ListedBot[];
};

/** The client has everything up to this version; the frames after this one are live. */
export type CaughtUpFrame = {
  /** What this is; it determines the other fields. */
  type: "caught_up";
  /** The room's name. */
  room: string;
  /** The version up to which the client has everything. */
  version: number;
};

/** A bot of the service with a seat. */
export type SeatedBot = {
  /** What this is; it determines the other fields. */
  type: "bot";
  /** The bot's level. */
  level: "casual" | "easy" | "expert" | "hard" | "medium" | "skilled";
};

/** A player with a seat. */
export type SeatedPlayer = {
  /** What this is; it determines the other fields. */
  type: "player";
  /** The id of the player. */
  player: string;
  /** The player's nickname; absent until an asked player has accepted. */
  nickname?: string;
  /** Whether the player declared that a program plays for them; absent for people. */
  bot?: boolean;
  /** Where the nickname is stored; absent without a nickname. */
  name_ref?: string;
};

/** A match that a player proposes to particular other players. */
export type Challenge = {
  /** The id of the challenge. */
  id: string;
  /** The id of the player who made it. */
  by: string;
  /** The game's slug. */
  game: string;
  /** All options of the game. */
  options: GameOptions;
  /** The clock of the match. */
  clock: NoClock | PerMoveClock | FischerClock | DaysClock;
  /** Whether the match is rated. */
  rated: boolean;
  /** Who would have which seat. */
  seats: (SeatedPlayer | SeatedBot)[];
  /** When it expires. */
  deadline: string;
  /** The asked players who have not played a match with the one who made it. */
  strangers?: string[];
};

/** A seat for a bot of the service. */
export type BotSeat = {
  /** The bot's level; `bots` at GET /v1/games/{game} lists the levels. */
  bot: "casual" | "easy" | "expert" | "hard" | "medium" | "skilled";
};

/** A request to play with particular players. */
export type ChallengeRequest = {
  /** The game's slug. */
  game: string;
  /** The ids of the players whom you ask, and bots of the service: one for each other seat of the game. */
  opponents: (string | BotSeat)[];
  /** The game's options; those left out have their defaults. */
  options?: GameOptions;
  /** The clock of the match; by default none. */
  clock?: NoClock | PerMoveClock | FischerClock | DaysClock;
  /** Your seat; by default the seats are drawn. */
  seat?: number | null;
  /**
   * Whether the match is rated, which needs a clock and no bots of the service; see the setting `rated`. `false` by
   * default.
   */
  rated?: boolean;
  /**
   * For how many minutes it can be accepted; at most 10 if you have not played a match with all whom you ask. `10`
   * by default.
   */
  minutes?: number;
};

/** Who may challenge the caller. */
export type ChallengeSettings = {
  /** Everybody, those who have played a match with the caller, or nobody. */
  challengers: "everybody" | "met" | "nobody";
};

/** A player; a command to join can set another nickname for its room. */
export type Player = {
  /** The player's id. */
  id: string;
  /** The name that is shown for the player. */
  nickname: string;
  /** Whether the player declared that a program plays for them; absent for people. */
  bot?: boolean;
};

/** A line of a chat. */
export type ChatLine = {
  /** The line's id; later lines have greater ids. */
  id: string;
  /** When it happened. */
  time: string;
  /** Who wrote it, with the nickname that they had there. */
  player: Player;
  /** Who can read it: everyone, or, in a room with `chat` set to `apart`, only players or only spectators. */
  audience: "all" | "players" | "spectators";
  /** Plain text; empty if the player was erased. */
  text: string;
  /** The room where it was written; absent in the lobby. */
  room?: string;
  /** The title of that room. */
  title?: string;
};

/** A new line of chat in a room or, without `room`, in the lobby. */
export type ChatFrame = {
  /** What this is; it determines the other fields. */
  type: "chat";
  /** The line of chat. */
  line: ChatLine;
  /** The room's name. */
  room?: string;
};

/** A page of a chat, oldest line first. */
export type ChatPage = {
  /** The lines, oldest first. */
  lines: ChatLine[];
  /** The `cursor` of the page before this one; with `since`, the `since` of the page after it. */
  next: string | null;
};

/** The latest lines of a view of the chat, oldest first; new ones follow as `chat`. It replaces what came before. */
export type ChatSnapshotFrame = {
  /** What this is; it determines the other fields. */
  type: "chat_snapshot";
  /** The view that the subscription named: `all`, `lobby`, or the name of a room. */
  view: string;
  /** The lines, oldest first. */
  lines: ChatLine[];
  /** The `cursor` with which `GET /v1/chat` returns earlier lines. */
  next: string | null;
};

/** A command to a room; `reply` answers it with the same id. */
export type CommandFrame = {
  /** What this is; it determines the other fields. */
  type: "command";
  /** The client's number or name of the command; the reply has the same. */
  id: string | number;
  /** The room's name. */
  room: string;
  /** The command, as in `POST /v1/rooms/{room}/commands`. */
  command: AnyCommand;
  /** The idempotency key, like the header Idempotency-Key over HTTP. */
  key?: string | null;
  /** The version that the room must be at, like If-Match over HTTP. */
  if_version?: number | null;
  /** Whether the reply has the view even if this socket follows the room. `false` by default. */
  view?: boolean;
};

/** A room that the caller is a member of. */
export type JoinedRoom = {
  /** The room's name. */
  room: string;
  /** The title that is shown to people. */
  title: string;
  /** The slug of the game. */
  game: string;
  /** The status: what can happen next. */
  status: string;
  /** Whether a seat of the caller is to move. */
  my_turn: boolean;
  /** Who holds its seats, in their order, and each player once. */
  seated: Player[];
};

/** The caller and their rooms. */
export type CurrentPlayer = {
  /** The caller. */
  player: Player;
  /** The rooms in which the caller is a member. */
  rooms: JoinedRoom[];
};

/** An answer to a challenge. */
export type Decline = {
  /** Why you decline; by default no reason is given. */
  reason?: "no_bots" | "not_now" | "other" | "other_clock" | "other_game" | "other_options" | "rated" | null;
};

/** An error as `application/problem+json` (RFC 9457); `code` is stable, `detail` is for people. */
export type Problem = {
  /** The address of the description of the code. */
  type: string;
  /** The code in words. */
  title: string;
  /** The HTTP status. */
  status: number;
  /** The stable code; `GET /v1/codes` lists all of them. */
  code: string;
  /** What is wrong, and what to do about it. */
  detail: string;
  /** The JSON pointer (RFC 6901) to the invalid part of the body. */
  pointer?: string;
  /** The name of the invalid query parameter or header. */
  parameter?: string;
  /** Details of this refusal, by name. */
  params?: Record<string, unknown>;
  /** The current version of the room. */
  version?: number;
  /** The legal moves of the caller's seat, if a move was refused. */
  legal_moves?: AnyMove[];
  /** The number of seconds to wait before retrying. */
  retry_after?: number;
};

/** The problem with a frame or a subscription that was refused or has ended. */
export type ErrorFrame = {
  /** What this is; it determines the other fields. */
  type: "error";
  /** Why it was refused. */
  problem: Problem;
  /** The name of the room; absent if it is not about one. */
  room?: string;
};

/** A player with a nickname. */
export type NamedPlayer = {
  /** The id of the player. */
  player: string;
  /** The player's nickname. */
  nickname: string;
  /** Whether the player was declared a bot. */
  bot: boolean;
};

/** A match of a tournament. */
export type PairedTable = {
  /** The number of the table in the tournament, from 1. */
  number: number;
  /** The number of the round. */
  round: number;
  /** By seat. */
  players: NamedPlayer[];
  /** The name of the room; null before it is open. */
  room: string | null;
  /** The id of the room among all rooms of its name. */
  epoch: string | null;
  /** The id of the match; null until it has ended, and without a match. */
  match_id: string | null;
  /** The place of each seat; null until the match has ended. All 1 for a match that was closed. */
  places: number[] | null;
  /** The seats that forfeited, or ran out of time, without making a move. */
  absent: number[];
};

/** A player in the standings. */
export type StandingView = {
  /** The rank; players who are equal by all criteria share one. */
  rank: number;
  /** The id of the player. */
  player: string;
  /** The player's nickname. */
  nickname: string;
  /** The player's rating in points at registration. */
  rating: number;
  /** Whether a program plays for the player. */
  bot: boolean;
  /** The points. */
  points: number;
  /** The tie-breaks between players with the same points, in order; see docs/tournaments.md. */
  tie_breaks: Record<string, number>;
  /** How many matches the player has played. */
  played: number;
  /** How many matches the player won, including those against players who had left a round robin. */
  wins: number;
  /** How many matches the player drew by sharing the first place. */
  draws: number;
  /** How many rounds the player had without a match. */
  byes: number;
  /** The number of the table at which the player has a running match; null without one. */
  table: number | null;
  /** Why the player gets no further match; null while the player takes part. */
  left: "absent" | "not_checked_in" | "removed" | "withdrew" | null;
};

/** A tournament, with the fields that may change within a round. */
export type TournamentView = {
  /** The id of the tournament. */
  id: string;
  /** The title of the tournament. */
  title: string;
  /** The game's slug. */
  game: string;
  /** All options of the game. */
  options: GameOptions;
  /** How many players a match has. */
  seats: number;
  /** How players are paired. */
  format: "arena" | "round_robin" | "swiss";
  /** The clock of every match. */
  clock: NoClock | PerMoveClock | FischerClock | DaysClock;
  /** When the first round begins. */
  starts: string;
  /** For how many milliseconds before the start players have to check in; 0 if no check-in is needed. */
  check_in_ms: number;
  /** Whether players are admitted after the start. */
  late_entry: boolean;
  /** Whether programs may take part. */
  bots: boolean;
  /** The maximum number of players. */
  max_players: number;
  /** The player who created it; null for an operator. */
  organiser: NamedPlayer | null;
  /** The status of the tournament. */
  status: "cancelled" | "finished" | "playing" | "registration";
  /** How many players take part. */
  players: number;
  /** The number of the latest round, 0 before the first one. */
  round: number;
  /** How many rounds there will be at most; null in an arena, and before the start unless its organiser has chosen. */
  rounds: number | null;
  /** For how many milliseconds matches begin in an arena; null in other formats. */
  duration_ms: number | null;
  /** Until when matches begin in an arena; null in other formats, and before the start. */
  ends: string | null;
  /** The version of its stream. */
  version: number;
  /** Why it was cancelled; null unless it was. */
  reason: string | null;
  /** When the next round begins; null while matches of this round are played, in an arena, and after the last one. */
  next_round: string | null;
};

/** A tournament with its standings and tables. */
export type FollowedTournament = {
  /** The tournament. */
  tournament: TournamentView;
  /** By the players' ids. */
  standings: Record<string, StandingView>;
  /** By their numbers: those of the latest round; in an arena, the running and the latest ones. */
  tables: Record<string, PairedTable>;
  /** The ids of the players who have no match in this round. */
  byes: string[];
};

/** A cell of a board and the coordinates of its centre, in units of one cell; x grows to the right, y upwards. */
export type BoardPoint = {
  /** The name of the cell in moves and events. */
  name: string;
  /** To the right, in units of one cell. */
  x: number;
  /** Upwards, in units of one cell. */
  y: number;
};

/**
 * The geometry of a game's boards.
 *
 * `cells` are squares on a `grid`, points on a `graph`, and on `hexagons` regular hexagons with a corner at the
 * top, each one unit wide; their rows are half the square root of three apart. `edges` are the lines of a graph,
 * each between two cells. `boards` has the names of all boards of this shape; most games have one.
 */
export type BoardGeometry = {
  /** Whether the cells are squares of a grid, points of a graph, or hexagons. */
  kind: "graph" | "grid" | "hexagons";
  /** The number of columns: the width of the board in cells. */
  width: number;
  /** The number of rows. */
  height: number;
  /** All cells. */
  cells: BoardPoint[];
  /** The lines of a graph, each between two cells. */
  edges?: string[][];
  /** The cells of each line that has a meaning in the rules, such as mills; empty if the rules name no lines. */
  lines?: string[][];
  /** The names of all boards of this shape. */
  boards?: string[];
};

/** The labels of an option and its values in a form. */
export type OptionLabel = {
  /** The title that is shown to people. */
  title: string;
  /** By value; empty for switches and numbers. */
  values: Record<string, string>;
};

/** The texts that people read instead of names of the API. */
export type GameLabels = {
  /** The names of the seats' colours within a sentence, by `colour`. */
  colours: Record<string, string>;
  /** The options, by name. */
  options: Record<string, OptionLabel>;
};

/** A move of a lesson, and who makes it. */
export type LessonMove = {
  /** The number of the seat, from 0 in turn order. */
  seat: number;
  /** The move; it can be sent unchanged. */
  move: AnyMove;
};

/** A step of a lesson: texts for the learner, and moves. */
export type LessonStep = {
  /** What the learner should do, and why. */
  text: string;
  /** The moves of all seats before it, in order. */
  before: LessonMove[];
  /** What the learner may play: each solution is one move, or several in sequence. */
  solutions: LessonMove[][];
  /** A hint after a move that does not solve it. */
  hint: string;
  /** The text after a solution. */
  praise: string;
  /** The states before and after each of three moves up to its solution, as the public has them; in one step only. */
  positions: Record<string, unknown>[];
};

/**
 * A lesson: one match, in which the learner plays seat 0 and the moves of the others are given.
 *
 * Open a room with these options in which you hold all seats, play the moves before each step, and let the learner
 * solve it.
 */
export type GameLesson = {
  /** The options of the match, which leave nothing to chance. */
  options: GameOptions;
  /** The steps; the solution of the last one ends the match. */
  steps: LessonStep[];
};

/** The number of each seat that the graph of a match shows. */
export type GameMeasure = {
  /** What is counted, in the plural. */
  unit: string;
  /** What the number is. */
  meaning: string;
};

/** The geometry of a game's boards with some options. */
export type GeometryByOptions = {
  /** The options that change it; none for the defaults. */
  options: Record<string, unknown>;
  /** The geometry with them. */
  geometry: BoardGeometry;
};

/** A seat and its colour. */
export type SeatColour = {
  /** The number of the seat, from 0 in turn order. */
  seat: number;
  /** The colour of the seat. */
  colour: string;
};

/** The seats of a game with some options; `options` has those that change the number of seats. */
export type SeatsByOptions = {
  /** The options with which the game has these seats. */
  options: Record<string, unknown>;
  /** The seats, in turn order. */
  seats: SeatColour[];
};

/** Everything that a client needs to offer and display a game. */
export type GameDetails = {
  /** The name of the game in addresses and events. */
  slug: string;
  /** The title that is shown to people. */
  title: string;
  /** The game in one line. */
  tagline: string;
  /** The version of the game's rules. */
  rules_version: number;
  /** The seats of the game, for each choice of the options that change their number. */
  seats: SeatsByOptions[];
  /** The levels of bots that can take a seat. */
  bots: ("casual" | "easy" | "expert" | "hard" | "medium" | "skilled")[];
  /** How many milliseconds clients need to show the last events of a match; the next one begins that much later. */
  telling_ms: number;
  /** The number of steps of the game's lesson; 0 if it has none. */
  lesson_steps: number;
  /** The rules in three short sentences. */
  summary: string[];
  /** The rules in Markdown. */
  rules: string;
  /** Whether the seats move at the same time. */
  simultaneous: boolean;
  /** The JSON Schema of the options. */
  options: Record<string, unknown>;
  /** The JSON Schema of a move. */
  moves: Record<string, unknown>;
  /** The game's own reasons why a match ends, each with its meaning; the others are the same in all games. */
  endings: Record<string, string>;
  /** The geometry with the default options. */
  geometry: BoardGeometry;
  /** The geometry with the default options, and with each option that changes it. */
  geometries: GeometryByOptions[];
  /** The lesson that teaches the rules; null if the game has none. */
  lesson: GameLesson | null;
  /** The colours and the options in the language of the answer. */
  labels: GameLabels;
  /** What the graph of a match shows; null if there is none. */
  measure: GameMeasure | null;
};

/** A game of the catalogue. */
export type GameSummary = {
  /** The name of the game in addresses and events. */
  slug: string;
  /** The title that is shown to people. */
  title: string;
  /** The game in one line. */
  tagline: string;
  /** The version of the game's rules. */
  rules_version: number;
  /** The seats of the game, for each choice of the options that change their number. */
  seats: SeatsByOptions[];
  /** The levels of bots that can take a seat. */
  bots: ("casual" | "easy" | "expert" | "hard" | "medium" | "skilled")[];
  /** How many milliseconds clients need to show the last events of a match; the next one begins that much later. */
  telling_ms: number;
  /** The number of steps of the game's lesson; 0 if it has none. */
  lesson_steps: number;
};

/** The catalogue of games. */
export type GameList = {
  /** The games. */
  games: GameSummary[];
};

/** A new guest and the token that authenticates them. A lost token can be replaced with a recovery code. */
export type Guest = {
  /** The guest. */
  player: Player;
  /** The token that authenticates the guest. */
  token: string;
};

/** A player's results in a game, of matches that count and in which the player had one seat and a place. */
export type GameResult = {
  /** The slug of the game. */
  game: string;
  /** How many matches there are. */
  matches: number;
  /** How many the player won alone. */
  wins: number;
  /** How many times the player shared the first place; against one opponent, how often they had the same place. */
  draws: number;
  /** How many the player lost. */
  losses: number;
};

/** The results of a player against another player, by their places alone. */
export type HeadToHead = {
  /** The player's id. */
  player: string;
  /** The other player's id. */
  other: string;
  /** Whether `player` was declared a bot in their latest match that everybody may see. */
  bot: boolean;
  /** Whether `other` was, in theirs. */
  other_bot: boolean;
  /** The results by game, from the side of `player`. */
  results: GameResult[];
};

/** The clocks of a match at `server_time`; those of the seats to move are running. */
export type ClockView = {
  /** Milliseconds by seat. */
  remaining: number[];
  /** When the next seat runs out of time if it does not move; null if no clock is running. */
  deadline: string | null;
  /** Milliseconds after its deadline within which a move is still in time if it reaches the store. */
  allowance_ms: number;
  /** The time of the server when it sent this. */
  server_time: string;
};

/** The version of an idle room. */
export type HeartbeatFrame = {
  /** What this is; it determines the other fields. */
  type: "heartbeat";
  /** The room's name. */
  room: string;
  /** The version of the room: the number of its latest event. */
  version: number;
  /** The time of the server when it sent this. */
  server_time: string;
  /** The current clocks, if time is limited. */
  clock?: ClockView;
};

/** An invitation, as the members of its room may see it. */
export type InvitationEntry = {
  /** Its number in the room, from 1. */
  invitation: number;
  /** Who made it. */
  player: string;
  /** How many players it admits. */
  uses: number;
  /** How many players it has admitted. */
  used: number;
  /** The only seat that it is for; null for any. */
  seat: number | null;
  /** When it expires. */
  expires: string;
  /** How many players have declined it. */
  declined: number;
  /** Why it has ended; null while it is open. */
  ended: "expired" | "revoked" | "room_closed" | "used_up" | null;
  /** Its code, for its creator only: `/i/{code}` is the page to send. Null for all others, and once it has ended. */
  code: string | null;
};

/** The invitations of a room that the caller may see, oldest first; only the latest of the ended ones. */
export type InvitationList = {
  /** The invitations. */
  invitations: InvitationEntry[];
};

/** An open invitation, for everybody with its code. The name and title of a private room are not shown. */
export type InvitationView = {
  /** The nickname of the member who made it. */
  host: string;
  /** Whether that member was declared a bot. */
  bot: boolean;
  /** The slug of the game. */
  game: string;
  /** The title of the game. */
  title: string;
  /** The options of the game. */
  options: GameOptions;
  /** The settings of the room. */
  settings: RoomSettings;
  /** Whether the room waits for players (`open`), or plays (`playing`). */
  status: string;
  /** How many seats the game has. */
  seats: number;
  /** How many of them are free. */
  seats_free: number;
  /** The only seat that the invitation is for; null for any. */
  seat: number | null;
  /** How many players it still admits. */
  uses_left: number;
  /** When it expires. */
  expires: string;
  /** The room's name; null for a private room, unless the caller is a member of it. */
  room: string | null;
};

/** A place on a leaderboard. */
export type LeaderboardPlace = {
  /** The place, from 1. */
  place: number;
  /** The player's id. */
  player: string;
  /** The player's nickname in their latest match that everybody may see; null without one, or if it is not known. */
  nickname: string | null;
  /** Whether the player was declared a bot in that match. */
  bot: boolean;
  /** The rating, in points. */
  rating: number;
  /** Its standard deviation. */
  deviation: number;
  /** How many rated matches the player has played, without those for members only. */
  matches: number;
  /** How many of them the player won alone. */
  wins: number;
};

/** What a place on a leaderboard requires. */
export type PlaceNeeds = {
  /** The number of different opponents whose own deviation was not larger than this one; null against bots. */
  opponents: number | null;
  /** The number of matches against bots of the service; null in other lists. */
  matches: number | null;
  /** The largest deviation. */
  deviation: number;
  /** How many players must have all this; until then the leaderboard is provisional. */
  players: number;
};

/** A page of a leaderboard, the best first. */
export type Leaderboard = {
  /** The slug of the game. */
  game: string;
  /** The rating class: by the clock, or `bots` for matches against bots of the service. */
  rating_class: "blitz" | "bullet" | "correspondence" | "rapid" | "bots";
  /** How many players are on the leaderboard. */
  total: number;
  /** Whether too few players have what a place requires; until then everybody is on the leaderboard. */
  provisional: boolean;
  /** What a place requires. */
  place_needs: PlaceNeeds;
  /** The place of the player of `around`; null if they have none, and without `around`. */
  place: number | null;
  /** The places. */
  places: LeaderboardPlace[];
  /** The cursor of the next page. */
  next: number | null;
};

/** A token of the caller, without its secret. */
export type TokenEntry = {
  /** The id of the token, by which it is revoked. */
  id: string;
  /** The name by which the player recognises it. */
  name: string;
  /** Its scopes. */
  scopes: ("account" | "bot" | "chat" | "play" | "read" | "tournaments")[];
  /** When it was created. */
  made: string;
  /** When it expires; null for never. */
  expires: string | null;
  /** The day in UTC on which it was last used; null for never. */
  used_on: string | null;
  /** Whether this request was sent with it. */
  current: boolean;
};

/** A player who signed in with a code, and their new token. */
export type LetIn = {
  /** The player who signed in. */
  player: Player;
  /** A token with all scopes. */
  token: string;
  /** The token's entry in the list. */
  entry: TokenEntry;
};

/** A room of the lobby by its name and its epoch, as a later room can have the same name. */
export type LobbyEntryKey = {
  /** The room's name. */
  room: string;
  /** The id of the room among all rooms of its name. */
  epoch: string;
};

/** A room in the lobby. */
export type LobbyEntry = {
  /** The room's name. */
  room: string;
  /** The title that is shown to people. */
  title: string;
  /** The id of the room among all rooms of its name. */
  epoch: string;
  /** The slug of the game. */
  game: string;
  /** The options of the game. */
  options: GameOptions;
  /** The status: what can happen next. */
  status: string;
  /** How many seats the game has. */
  seats: number;
  /** How many seats are taken. */
  seats_taken: number;
  /** How many members the room has. */
  players: number;
  /** When the room was opened. */
  opened: string;
  /** How much time the players have. */
  clock: NoClock | PerMoveClock | FischerClock | DaysClock;
  /** Whether the matches count for a rating. */
  rated: boolean;
  /** Whether everybody can watch. */
  spectators: boolean;
  /** Since when no seated player has been present; null while one is. */
  abandoned_at: string | null;
  /** The number of the running match; null without one. */
  match: number | null;
};

/** The lobby: first the newest rooms, then rooms with new or changed entries, and rooms no longer listed. */
export type LobbyFrame = {
  /** What this is; it determines the other fields. */
  type: "lobby";
  /** Entries that are new, or replace those of the same room; in a snapshot the newest room is first. */
  upsert?: LobbyEntry[];
  /** Rooms that are no longer listed, of any game; with `joinable` also those that cannot be joined. */
  remove?: LobbyEntryKey[];
  /** Whether this replaces everything sent before: after subscribing, and after changes were missed. */
  snapshot?: boolean;
  /** For a snapshot without all rooms: the `cursor` with which `GET /v1/rooms` continues. */
  next?: string;
};

/** A page of the lobby, newest room first. */
export type LobbyPage = {
  /** The rooms. */
  rooms: LobbyEntry[];
  /** The cursor of the next page. */
  next: string | null;
};

/** A code with which another device can sign in once. */
export type MadeLinkCode = {
  /** Eight digits and capital letters without 0, 1, I and O. */
  code: string;
  /** When it expires, five minutes after it was created. */
  expires: string;
};

/** A code that gives a player who has lost all tokens a new one. It is not stored, so it cannot be read again. */
export type MadeRecoveryCode = {
  /** The code, to be kept in a safe place; it can be used once. */
  code: string;
};

/** A new token. It is not stored, so it cannot be read again. */
export type MadeToken = {
  /** Its entry in the list. */
  entry: TokenEntry;
  /** The token itself, for the header `Authorization`. */
  token: string;
};

/** A request to an endpoint, and its outcome. */
export type AttemptView = {
  /** When it was made. */
  time: string;
  /** How many milliseconds it took. */
  took_ms: number;
  /** The HTTP status of the response; null without a response. */
  status: number | null;
  /**
   * Why it failed, such as `status` for a status other than 2xx, `not_echoed`, `timed_out`, `no_public_address`,
   * `not_connected`, `tls_failed` or `invalid_response`; null if it did not.
   */
  failure: string | null;
};

/** A webhook, without its secret. */
export type WebhookEntry = {
  /** The id of the webhook. */
  id: string;
  /** Where events are sent. */
  url: string;
  /** The types of the events that are sent; empty for all. */
  events: string[];
  /** `unverified` until the endpoint has echoed a challenge, then `active`; nothing is sent to a `disabled` one. */
  status: "active" | "disabled" | "unverified";
  /**
   * Why it is disabled: it was `failing` for a day, the endpoint answered 410 and is `gone`, or its secret is lost
   * (`no_secret`) and has to be rotated. Otherwise null.
   */
  reason: "failing" | "gone" | "no_secret" | null;
  /** When it was registered. */
  made: string;
  /** How many attempts failed in a row. */
  failures: number;
  /** When the first of them was made; null if the latest did not fail. */
  failing_since: string | null;
  /** When the next attempt is made after a failure, or the next challenge; null if none is planned. */
  next_attempt: string | null;
  /** The latest challenge; null before the first one. */
  challenge: AttemptView | null;
  /** Until when messages are also signed with the previous secret; null if the secret was never rotated. */
  previous_secret_until: string | null;
};

/** A webhook with a new secret, which cannot be read again. */
export type MadeWebhook = {
  /** The webhook. */
  webhook: WebhookEntry;
  /** The secret of the Standard Webhooks with which messages are signed. */
  secret: string;
};

/** What the values of positions are. They are computed from the position alone, without a search. */
export type AnalysisMeasure = {
  /** What is counted, in the plural. */
  unit: string;
  /** What it is, for people. */
  meaning: string;
};

/** Something that a seat did or could do at a position. */
export type SeatMove = {
  /** The number of the seat, from 0 in turn order. */
  seat: number;
  /** The move; null for a seat that dropped out. */
  move: AnyMove | null;
  /** Its entry in the match's text: a move, or why the seat dropped out. */
  notation: string;
  /** By how many percent it lowered the seat's chance to win, compared with the best move; null without a review. */
  lost?: number | null;
  /** What it is called if it lost at least 10, 20 or 30 percent. */
  mark?: "blunder" | "inaccuracy" | "mistake" | null;
};

/** A position of a match. */
export type PositionAnalysis = {
  /** How many entries of the match's text have been made, moves and drop-outs, without those taken back. */
  ply: number;
  /** The version of the room at which the position is on the board, for `at`. */
  version: number;
  /** The numbers of the seats that are to move. */
  to_move: number[];
  /** The value of each seat, as `measure` describes; null without a measure. */
  values: number[] | null;
  /** What was played here: usually one move; in a simultaneous game, those of the round; nothing at the end. */
  played: SeatMove[];
  /** The best move of each seat that is to move, found by the bots' search; null without a review. */
  best?: SeatMove[] | null;
  /** The chance of each seat to win in percent, found by the bots' search, a draw shared; null without a review. */
  chances?: number[] | null;
};

/** A finished match: a page of its positions, or the requested one. */
export type MatchAnalysis = {
  /** The match's id. */
  match: string;
  /** The slug of the game. */
  game: string;
  /** The number of entries of the match's text, moves and drop-outs, without those taken back. */
  plies: number;
  /** What the values are; null in a game without a measure. */
  measure: AnalysisMeasure | null;
  /** The positions by ply, from 0 to `plies`; with `ply`, only that one. */
  positions: PositionAnalysis[];
  /** The cursor of the next page. */
  next: number | null;
  /** Whether the bots' review was requested and is complete; null for a game without reviews. */
  review?: "done" | "none" | "waiting" | null;
  /** How many plies have been evaluated of a review that is `waiting`; null for others. */
  evaluated?: number | null;
  /** The ply of the position whose moves raised the winner's chance most, by 10 percent at least. */
  turning_point?: number | null;
};

/** The parameters of the model, that of Weng and Lin with Plackett and Luce's likelihood, in points. */
export type Parameters = {
  /** How much performance varies from match to match: the larger, the less results say about strength. */
  beta: number;
  /** How much deviations grow before each match, because strength changes. */
  tau: number;
  /** The smallest factor by which one match reduces a variance. */
  kappa?: number;
};

/** A seat of a rated match. */
export type RatedPlayer = {
  /** The number of the seat, from 0 in turn order. */
  seat: number;
  /** The player's id. */
  player: string;
  /** The level of a bot of the service, whose rating is fixed; `external` for a player who was declared a bot. */
  bot: "casual" | "easy" | "expert" | "hard" | "medium" | "skilled" | "external" | null;
  /** The place in the match, from 1; equal places are a draw. */
  place: number;
  /** The rating before the match, in points. */
  rating_before: number;
  /** Its standard deviation. */
  deviation_before: number;
  /** The rating after the match. */
  rating: number;
  /** Its standard deviation. */
  deviation: number;
};

/** How a match was rated. */
export type MatchRatings = {
  /** The id of the match. */
  match_id: string;
  /** The slug of the game. */
  game: string;
  /** Whether the match counts for ratings. */
  rated: boolean;
  /** Why it does not; null if it does. */
  not_rated: "aborted" | "bot" | "casual" | "no_result" | "pair_limit" | "pending" | "too_late" | "voided" | null;
  /** The rating class; null, like the fields after it, if the match was not rated, or not yet. */
  rating_class: "blitz" | "bullet" | "correspondence" | "rapid" | "bots" | null;
  /** The version of the entry in its list. */
  version?: number | null;
  /** The seats, with the ratings of their players. */
  seats?: RatedPlayer[];
  /** The parameters of the model. */
  parameters?: Parameters | null;
  /** Whether an operator voided the match: what it changed was reverted. */
  voided?: boolean;
};

/** The code of an invitation that the command created; nobody else receives it. */
export type NewInvitation = {
  /** Its number in the room. */
  invitation: number;
  /** `/i/{code}` is the page to send to the people whom you invite. */
  code: string;
};

/** A tournament as requested by its organiser. */
export type NewTournament = {
  /** The title of the tournament. */
  title: string;
  /** The game's slug. */
  game: string;
  /** Who meet: everybody (with three seats as evenly as possible), players with similar scores, or who is free. */
  format: "arena" | "round_robin" | "swiss";
  /** The clock of every match: `per_move` or `fischer`, with less than a day for a match. */
  clock: NoClock | PerMoveClock | FischerClock | DaysClock;
  /** When the first round begins; a time up to a minute ago begins it at once. */
  starts: string;
  /** The game's options; those left out have their defaults. */
  options?: GameOptions;
  /**
   * How many rounds a Swiss system has; null for as many as the number of players needs. Null in other formats.
   *
   * There are fewer if everybody has met everybody before.
   */
  rounds?: number | null;
  /** For how many milliseconds matches begin in an arena, by default an hour. Null in other formats. */
  duration_ms?: number | null;
  /** The maximum number of players; null for the maximum of the format. */
  max_players?: number | null;
  /**
   * For how many milliseconds before the start players have to check in; 0 if no check-in is needed. `0` by
   * default.
   */
  check_in_ms?: number;
  /**
   * Whether players are admitted after the start, in a Swiss system until its last round. Never in a round robin.
   * `true` by default.
   */
  late_entry?: boolean;
  /** Whether programs may take part. `false` by default. */
  bots?: boolean;
};

/** The player of a seat when the match began. */
export type MatchPlayer = {
  /** The number of the seat, from 0 in turn order. */
  seat: number;
  /** The id of the player; null for an empty seat. */
  player: string | null;
  /** The nickname that the player had then; null for an empty seat, and if it can no longer be read. */
  nickname: string | null;
  /** Whether it is a bot of the service, or was declared a bot. */
  bot: boolean;
};

/** The versions of a match's events, from `match_started` to `match_ended`; `last` is null while it is played. */
export type VersionRange = {
  /** The version of `match_started`. */
  first: number;
  /** The version of `match_ended`; null while the match is played. */
  last: number | null;
};

/** A match in the list of its room. */
export type MatchSummary = {
  /** The match's id, as in its address. */
  id: string;
  /** The number of the match in its room, from 1. */
  number: number;
  /** The room's name. */
  room: string;
  /** The id of the room among all rooms of its name. */
  epoch: string;
  /** The slug of the game. */
  game: string;
  /** Whether the match is played (`playing`), or has ended (`finished`). */
  status: string;
  /** When the match started. */
  started: string;
  /** When the match ended; null while it is played. */
  ended: string | null;
  /** The players of the seats when the match began. */
  players: MatchPlayer[];
  /** The versions of the match's events. */
  versions: VersionRange;
  /** How the match ended; null while it is played. */
  result: MatchResult | null;
  /**
   * Whether the match counts for its players; null while it is played.
   *
   * One in which fewer than two players had moved does not, except at a tournament's table.
   */
  counts: boolean | null;
};

/** A match that is one of the best by some criterion. */
export type NotableMatch = {
  /** The slug of the game. */
  game: string;
  /** `comeback`: the winner had been behind by the most; `shortest_win` and `longest`: by the number of moves. */
  fact: "comeback" | "longest" | "shortest_win";
  /** The current day or week (from Monday) in UTC, or all time. */
  period: "all" | "day" | "week";
  /** The number of moves; for a comeback, by how much the winner had been behind, in the `measure` of the game. */
  value: number;
  /** The match. */
  match: MatchSummary;
};

/** Notable matches, by game, fact and period; the best of each first. */
export type NotableMatches = {
  /** The matches; a match can be included several times. */
  matches: NotableMatch[];
};

/** The open challenges that the caller made or received. */
export type OpenChallenges = {
  /** The challenges that the caller made, the oldest first. */
  made: Challenge[];
  /** The challenges that others made, the oldest first. */
  received: Challenge[];
};

/** A position of a match that the caller may read, also while it is played, unless it is rated then. */
export type MatchPosition = {
  /** The id of the match. */
  match: string;
  /** The version of its room at which the position is on the board, as in its analysis. */
  version: number;
};

/** The options; the defaults are the basic game. */
export type MorrisRequestedOptions = {
  /** Who begins: white, or the player who rolls the higher number. `"seat0"` by default. */
  first?: "roll" | "seat0";
  /** Who flies once a player has three men left: both players, only that player, or nobody. `"both"` by default. */
  flying?: "both" | "off" | "reduced";
  /**
   * Which men can be removed when all are in mills: none, any of a player with three men, or any. `"none"` by
   * default.
   */
  all_in_mills?: "any" | "none" | "three";
  /** How many removals two mills closed by one man allow. `"two"` by default. */
  double_mill?: "one" | "two";
  /** Whether the third occurrence of a position is a draw. `true` by default. */
  repetition?: boolean;
  /** The number of turns in a row without a placement or removal until a draw; 0 = no limit. `100` by default. */
  quiet_limit?: number;
};

/** Settings as clients send them. */
export type RequestedSettings = {
  /**
   * Whether the lobby lists the room; an unlisted one is found by its name, a private one only with its password.
   * `"public"` by default.
   */
  visibility?: "private" | "public" | "unlisted";
  /**
   * What starts the first match: all players being ready, all seats being taken, or the creator's `start`.
   * `"ready"` by default.
   */
  start?: "creator" | "full" | "ready";
  /**
   * Milliseconds from the end of a match to the start of the next one; null: it starts when all players are ready.
   *
   * They are counted from the end plus the game's `telling_ms`, in which clients show the last events. The next
   * match also waits until all players are present, see `waiting_for` of the view. If only bots play, somebody has
   * to follow the room's own feed, and no match starts later than a day after the latest command of a player.
   * `5000` by default.
   */
  restart?: number | null;
  /** How much time the players have. */
  clock?: NoClock | PerMoveClock | FischerClock | DaysClock;
  /**
   * What happens to a seat whose time runs out: it drops out, or the service moves for it until the turn ends.
   * `"lose"` by default.
   */
  on_timeout?: "bot_move" | "lose" | "random_move";
  /**
   * Milliseconds that a bot takes for a move; none once all people in the match have dropped out.
   *
   * An easy move takes up to 600 fewer, a hard one up to 1000 more; with a pause below 1000 proportionally less.
   * `1000` by default.
   */
  bot_pause?: number;
  /**
   * Whether bots above `easy` resign to their last opponent once they have lost beyond doubt for three turns.
   *
   * Left out means that they do.
   */
  bots_resign?: boolean;
  /** Whether the players rotate by one seat from match to match. `"keep"` by default. */
  seats_next?: "keep" | "rotate";
  /**
   * How many matches make a series, which ends early once a player cannot be overtaken; 0: no series. `0` by
   * default.
   */
  best_of?: number;
  /**
   * Who may ask for hints: a player whose opponents are all bots of the service, nobody, or every player.
   * `"bots_only"` by default.
   */
  hints?: "bots_only" | "off" | "on";
  /** Whether a player may hold several seats, to play with others on one device. `false` by default. */
  hot_seat?: boolean;
  /**
   * Whether players and spectators share the chat (`together`) or each have their own (`apart`). `"together"` by
   * default.
   */
  chat?: "apart" | "together";
  /** Whether spectators are admitted; if not, only members can read the room. `true` by default. */
  spectators?: boolean;
  /**
   * Whether matches count for a rating: see `rated_match` for what they exclude. They need a clock.
   *
   * A rated room is not private and not a hot seat, its `on_timeout` is `lose`, and no bot of the service has a
   * seat. All players have to be ready for each match, and the seats rotate: `restart` is null, `seats_next` is
   * `rotate`. `false` by default.
   */
  rated?: boolean;
  /**
   * Milliseconds of absence after which the other players can claim against a seat; a rated match is forfeited.
   * `60000` by default.
   */
  grace_ms?: number;
  /** The password of a private room, 6 to 128 characters, required to `join`; only a salted scrypt hash is stored. */
  password?: string | null;
};

/** A request for a new room. */
export type MorrisOpenRoomRequest = {
  /** The game's slug. `""` by default. */
  game: "morris";
  /**
   * The room's name; case and spaces do not matter. The title shows it as sent. Generated if left out.
   *
   * Eight random letters and digits are appended to a private room's name: use `room` from the response.
   */
  name?: string | null;
  /** The game's options; those left out have their defaults. */
  options?: MorrisRequestedOptions;
  /** The settings of the room. */
  settings?: RequestedSettings;
  /** The creator's nickname in this room. */
  nickname?: string | null;
  /**
   * Who takes which seat immediately; by default the creator takes the first one. Several "me" need `hot_seat`.
   *
   * If no seat is null, the match starts immediately. If no seat is "me", the creator is a spectator.
   */
  seats?: ("me" | BotSeat | null)[] | null;
  /** The creator's contribution to the chance of the first match, as in `ready`; not for a creator without a seat. */
  salt?: string | null;
  /**
   * The position at which the room's matches begin, with its game and options. Chance is drawn again.
   *
   * `options` are left out then, `game` can be, and the room is not rated.
   */
  from?: MatchPosition | null;
};

/** The options; the defaults are the basic game. */
export type RainbowRequestedOptions = {
  /** Which diagonals have lines: both kinds, or only those parallel to a1-e5. `"square"` by default. */
  grid?: "hex" | "square";
  /** Whether a player who makes a line loses. `false` by default. */
  misere?: boolean;
  /** In how many successive turns of its owner a peg can be used only once; 0 = no limit. `0` by default. */
  rest?: 0 | 2 | 3;
  /**
   * Whether a colour is rolled at the start of each turn, which the peg used must have on one side. `false` by
   * default.
   */
  dice?: boolean;
  /** How many seats there are. `2` by default. */
  players?: 2 | 3;
  /** Whether the third occurrence of a position is a draw. `true` by default. */
  repetition?: boolean;
  /** The number of turns in a row without a placement until a draw; 0 = no limit. `100` by default. */
  quiet_limit?: number;
};

/** A request for a new room. */
export type RainbowOpenRoomRequest = {
  /** The game's slug. `""` by default. */
  game: "rainbow";
  /**
   * The room's name; case and spaces do not matter. The title shows it as sent. Generated if left out.
   *
   * Eight random letters and digits are appended to a private room's name: use `room` from the response.
   */
  name?: string | null;
  /** The game's options; those left out have their defaults. */
  options?: RainbowRequestedOptions;
  /** The settings of the room. */
  settings?: RequestedSettings;
  /** The creator's nickname in this room. */
  nickname?: string | null;
  /**
   * Who takes which seat immediately; by default the creator takes the first one. Several "me" need `hot_seat`.
   *
   * If no seat is null, the match starts immediately. If no seat is "me", the creator is a spectator.
   */
  seats?: ("me" | BotSeat | null)[] | null;
  /** The creator's contribution to the chance of the first match, as in `ready`; not for a creator without a seat. */
  salt?: string | null;
  /**
   * The position at which the room's matches begin, with its game and options. Chance is drawn again.
   *
   * `options` are left out then, `game` can be, and the room is not rated.
   */
  from?: MatchPosition | null;
};

/** The options: the layout of the first nine discs. */
export type TernioRequestedOptions = {
  /** The layout of the first nine discs. `"even"` by default. */
  start?: "even" | "first" | "latin";
};

/** A request for a new room. */
export type TernioOpenRoomRequest = {
  /** The game's slug. `""` by default. */
  game: "ternio";
  /**
   * The room's name; case and spaces do not matter. The title shows it as sent. Generated if left out.
   *
   * Eight random letters and digits are appended to a private room's name: use `room` from the response.
   */
  name?: string | null;
  /** The game's options; those left out have their defaults. */
  options?: TernioRequestedOptions;
  /** The settings of the room. */
  settings?: RequestedSettings;
  /** The creator's nickname in this room. */
  nickname?: string | null;
  /**
   * Who takes which seat immediately; by default the creator takes the first one. Several "me" need `hot_seat`.
   *
   * If no seat is null, the match starts immediately. If no seat is "me", the creator is a spectator.
   */
  seats?: ("me" | BotSeat | null)[] | null;
  /** The creator's contribution to the chance of the first match, as in `ready`; not for a creator without a seat. */
  salt?: string | null;
  /**
   * The position at which the room's matches begin, with its game and options. Chance is drawn again.
   *
   * `options` are left out then, `game` can be, and the room is not rated.
   */
  from?: MatchPosition | null;
};

/** The options: the layout, and whether the first seat to move is drawn at random or is blue. */
export type TriboardRequestedOptions = {
  /** Whether the first seat to move is drawn at random or is blue. `"random"` by default. */
  first?: "blue" | "random";
  /** Whether the layout is drawn at random or is that of the lesson. `"random"` by default. */
  start?: "lesson" | "random";
};

/** A request for a new room. */
export type TriboardOpenRoomRequest = {
  /** The game's slug. `""` by default. */
  game: "triboard";
  /**
   * The room's name; case and spaces do not matter. The title shows it as sent. Generated if left out.
   *
   * Eight random letters and digits are appended to a private room's name: use `room` from the response.
   */
  name?: string | null;
  /** The game's options; those left out have their defaults. */
  options?: TriboardRequestedOptions;
  /** The settings of the room. */
  settings?: RequestedSettings;
  /** The creator's nickname in this room. */
  nickname?: string | null;
  /**
   * Who takes which seat immediately; by default the creator takes the first one. Several "me" need `hot_seat`.
   *
   * If no seat is null, the match starts immediately. If no seat is "me", the creator is a spectator.
   */
  seats?: ("me" | BotSeat | null)[] | null;
  /** The creator's contribution to the chance of the first match, as in `ready`; not for a creator without a seat. */
  salt?: string | null;
  /**
   * The position at which the room's matches begin, with its game and options. Chance is drawn again.
   *
   * `options` are left out then, `game` can be, and the room is not rated.
   */
  from?: MatchPosition | null;
};

/** The options; a `round_limit` of 0 means no limit. */
export type TurncoatRequestedOptions = {
  /** Which squares can be selected: any, or only those with a white disc. `"any"` by default. */
  selectable?: "any" | "white_only";
  /** The number of rounds after which the match ends; 0 = no limit. `60` by default. */
  round_limit?: number;
  /** How the match ends at the limit: in a draw, or for the seat with the fewest white discs. `"draw"` by default. */
  at_limit?: "draw" | "fewest_white";
  /**
   * Whether the layout is drawn at random or is that of the lesson, in which few discs are white. `"random"` by
   * default.
   */
  start?: "lesson" | "random";
};

/** A request for a new room. */
export type TurncoatOpenRoomRequest = {
  /** The game's slug. `""` by default. */
  game: "turncoat";
  /**
   * The room's name; case and spaces do not matter. The title shows it as sent. Generated if left out.
   *
   * Eight random letters and digits are appended to a private room's name: use `room` from the response.
   */
  name?: string | null;
  /** The game's options; those left out have their defaults. */
  options?: TurncoatRequestedOptions;
  /** The settings of the room. */
  settings?: RequestedSettings;
  /** The creator's nickname in this room. */
  nickname?: string | null;
  /**
   * Who takes which seat immediately; by default the creator takes the first one. Several "me" need `hot_seat`.
   *
   * If no seat is null, the match starts immediately. If no seat is "me", the creator is a spectator.
   */
  seats?: ("me" | BotSeat | null)[] | null;
  /** The creator's contribution to the chance of the first match, as in `ready`; not for a creator without a seat. */
  salt?: string | null;
  /**
   * The position at which the room's matches begin, with its game and options. Chance is drawn again.
   *
   * `options` are left out then, `game` can be, and the room is not rated.
   */
  from?: MatchPosition | null;
};

/** A request for a new room. */
export type OpenRoomRequest = MorrisOpenRoomRequest | TernioOpenRoomRequest | RainbowOpenRoomRequest | TriboardOpenRoomRequest | TurncoatOpenRoomRequest;

/** Whether a player is connected to the room. */
export type PlayerPresence = {
  /** True from the first connection until some seconds after the last one has ended, so that reloads do not show. */
  online: boolean;
  /** How many connections the player has to this room. */
  devices: number;
};

/** A member of the room. */
export type MemberView = {
  /** The player's id. */
  id: string;
  /** The name that is shown for the player. */
  nickname: string;
  /** Whether the member plays or only watches. */
  as: "player" | "spectator";
  /** The kind of the bot; null for people. */
  bot: "casual" | "easy" | "expert" | "hard" | "medium" | "skilled" | "external" | null;
  /** Whether the creator has muted this member in the chat. */
  muted: boolean;
  /** Whether the member is connected; null in a view of the past, and in a reply to a command if it is not known. */
  presence: PlayerPresence | null;
};

/** The view of all audiences; nothing in this game is secret. */
export type MorrisView = {
  /** All 24 points, each with the colour of the man on it, or null. */
  points: Record<string, "black" | "white" | null>;
  /** What each seat does in its turns now. */
  phase: Record<string, "flying" | "moving" | "placing">;
  /** How many men each seat has not placed yet. */
  hand: Record<string, number>;
  /** How many men each seat has on the board. */
  on_board: Record<string, number>;
  /** How many men each seat has lost. */
  lost: Record<string, number>;
  /** The mills on the board, of both colours. */
  mills: [string, string, string][];
  /** How many men the seat to move has to remove before its turn ends. */
  removals_owed: number;
  /** The latest events on the board, for highlighting. */
  last: MorrisEvent[];
};

/** The running match, or the latest one until the next one starts. */
export type MorrisMatchView = {
  /** The number of the match in its room, from 1. */
  number: number;
  /** The match's id, as in its address. */
  id: string;
  /** Whether the match is played, or has ended. */
  status: "finished" | "playing";
  /** When the match started. */
  started: string;
  /** When the match ended; null while it is played. */
  ended: string | null;
  /** The game's own view, with the latest events as `last`. */
  state: MorrisView;
  /** The numbers of the seats that are to move. */
  to_move: number[];
  /** The legal moves of the viewer's seat; each can be sent unchanged. */
  legal_moves: MorrisMove[];
  /** Null if time is not limited. */
  clock: ClockView | null;
  /** How the match ended; null while it is played. */
  result: MatchResult | null;
  /** Whether the match counts for a rating. */
  rated: boolean;
  /** Whether the viewer's seat has a turn for which it can request a takeback. */
  can_take_back: boolean;
};

/** The options; the defaults are the basic game. */
export type MorrisOptions = {
  /** Who begins: white, or the player who rolls the higher number. `"seat0"` by default. */
  first: "roll" | "seat0";
  /** Who flies once a player has three men left: both players, only that player, or nobody. `"both"` by default. */
  flying: "both" | "off" | "reduced";
  /**
   * Which men can be removed when all are in mills: none, any of a player with three men, or any. `"none"` by
   * default.
   */
  all_in_mills: "any" | "none" | "three";
  /** How many removals two mills closed by one man allow. `"two"` by default. */
  double_mill: "one" | "two";
  /** Whether the third occurrence of a position is a draw. `true` by default. */
  repetition: boolean;
  /** The number of turns in a row without a placement or removal until a draw; 0 = no limit. `100` by default. */
  quiet_limit: number;
};

/** The options and settings that will apply after the running match. */
export type NextMatchView = {
  /** The options of the game. */
  options: GameOptions;
  /** The settings of the room. */
  settings: RoomSettings;
};

/** An open offer, which the other humans in the match have to accept, and for a draw the bots too. */
export type OfferView = {
  /** The number for `answer` and `withdraw`. */
  id: number;
  /** What is offered. */
  type: "draw" | "kick" | "new" | "restart" | "takeback";
  /** The id of the player who made it. */
  by: string;
  /** Who has not answered yet; the holder of several seats answers once. */
  awaits: string[];
  /** Who has accepted it. */
  accepted: string[];
  /** For a takeback: the version to whose position the match would return. */
  to_version: number | null;
  /** For a kick: who would be removed. */
  player: string | null;
};

/** A seat, its colour, its holder, and whether they are ready for the next match. */
export type SeatView = {
  /** The number of the seat, from 0 in turn order. */
  seat: number;
  /** The colour of the seat. */
  colour: string;
  /** The id of the player who holds it; null for an empty seat. */
  player: string | null;
  /** Whether its holder is ready for the next match. */
  ready: boolean;
  /** The level of the service's bot on this seat; null for a player's seat and for an empty one. */
  bot: "casual" | "easy" | "expert" | "hard" | "medium" | "skilled" | null;
  /** When the running match can be claimed against this seat; null while its player is present. */
  claimable_at: string | null;
};

/** A player's score in the series. */
export type SeriesScore = {
  /** The player's id. */
  player: string;
  /** Null for a player who has left. */
  nickname: string | null;
  /** The kind of the bot; null for people, and for a player who has left. */
  bot: "casual" | "easy" | "expert" | "hard" | "medium" | "skilled" | "external" | null;
  /** 1 for each match won alone, 0.5 for each shared first place. */
  points: number;
};

/** Matches whose results are added up; points belong to players, whichever seats they hold. */
export type SeriesView = {
  /** The number of the series in its room. */
  number: number;
  /** How many matches the series has at most. */
  best_of: number;
  /** How many of its matches have counted. */
  played: number;
  /** The best player first; players without points are left out. */
  scores: SeriesScore[];
  /** Whether the series is over; the next match starts a new one, once everyone is ready again. */
  decided: boolean;
};

/** A room at one version, as one viewer may see it. */
export type MorrisRoomView = {
  /** The room's name. */
  room: string;
  /** The title that is shown to people. */
  title: string;
  /** The id of the room among all rooms of its name. */
  epoch: string;
  /** The slug of the game. */
  game: "morris";
  /** The options of the game. */
  options: MorrisOptions;
  /** The settings of the room. */
  settings: RoomSettings;
  /** The status: what can happen next. */
  status: "closed" | "finished" | "open" | "playing";
  /** The player who opened the room; for a match of a tournament, `tournament` and its id, which is no player. */
  creator: string;
  /** The members of the room, in the order in which they joined. */
  players: MemberView[];
  /** The number of connected spectators, null like `presence`; see the frame `presence`. */
  watchers: number | null;
  /** The seats, in turn order. */
  seats: SeatView[];
  /** Null without a series. */
  series: SeriesView | null;
  /** Changes by `configure` that will apply after the running match; null if nothing changes. */
  next: NextMatchView | null;
  /** The SHA-256 of the next match's seed, in hex; null during a match, at whose end it is published. */
  next_seed_hash: string | null;
  /** The table of a tournament that the room is for; null for other rooms. */
  tournament: TournamentTable | null;
  /** The seats for which the next match waits: empty, not ready, or their player is absent; none during a match. */
  waiting_for: number[];
  /** The version of the room: the number of its latest event. */
  version: number;
  /** The running match, or the latest one until the next one starts; null before the first. */
  match: MorrisMatchView | null;
  /** The open offers. */
  offers: OfferView[];
  /** When the next match begins by itself; null if it does not, or waits for somebody, see `waiting_for`. */
  restart_at: string | null;
  /** The time of the server when it sent this. */
  server_time: string;
  /** When the room closes unless its creator sends another request for it; absent once anybody else has entered. */
  expires_at?: string;
};

/** A peg on the board. */
export type RainbowStanding = {
  /** The colour of the seat that it belongs to. */
  owner: "one" | "three" | "two";
  /** The peg, by the letters of its two sides. */
  peg: "BV" | "GB" | "OY" | "RO" | "VR" | "WK" | "YG";
  /** The side that is up. */
  up: "B" | "G" | "K" | "O" | "R" | "V" | "W" | "Y";
};

/** The view of all audiences; nothing in this game is secret. */
export type RainbowView = {
  /** The occupied cells. */
  cells: Record<string, RainbowStanding>;
  /** The pegs that each seat has not placed yet. */
  off_board: Record<string, ("BV" | "GB" | "OY" | "RO" | "VR" | "WK" | "YG")[]>;
  /** The pegs that each seat may not use in its next turn; none if that is waived. */
  resting: Record<string, ("BV" | "GB" | "OY" | "RO" | "VR" | "WK" | "YG")[]>;
  /** The colour rolled for this turn. */
  die: "B" | "G" | "O" | "R" | "V" | "Y" | null;
  /** The line that ended the match. */
  line: [string, string, string] | null;
  /** The latest events on the board, for highlighting. */
  last: RainbowEvent[];
};

/** The running match, or the latest one until the next one starts. */
export type RainbowMatchView = {
  /** The number of the match in its room, from 1. */
  number: number;
  /** The match's id, as in its address. */
  id: string;
  /** Whether the match is played, or has ended. */
  status: "finished" | "playing";
  /** When the match started. */
  started: string;
  /** When the match ended; null while it is played. */
  ended: string | null;
  /** The game's own view, with the latest events as `last`. */
  state: RainbowView;
  /** The numbers of the seats that are to move. */
  to_move: number[];
  /** The legal moves of the viewer's seat; each can be sent unchanged. */
  legal_moves: RainbowMove[];
  /** Null if time is not limited. */
  clock: ClockView | null;
  /** How the match ended; null while it is played. */
  result: MatchResult | null;
  /** Whether the match counts for a rating. */
  rated: boolean;
  /** Whether the viewer's seat has a turn for which it can request a takeback. */
  can_take_back: boolean;
};

/** The options; the defaults are the basic game. */
export type RainbowOptions = {
  /** Which diagonals have lines: both kinds, or only those parallel to a1-e5. `"square"` by default. */
  grid: "hex" | "square";
  /** Whether a player who makes a line loses. `false` by default. */
  misere: boolean;
  /** In how many successive turns of its owner a peg can be used only once; 0 = no limit. `0` by default. */
  rest: 0 | 2 | 3;
  /**
   * Whether a colour is rolled at the start of each turn, which the peg used must have on one side. `false` by
   * default.
   */
  dice: boolean;
  /** How many seats there are. `2` by default. */
  players: 2 | 3;
  /** Whether the third occurrence of a position is a draw. `true` by default. */
  repetition: boolean;
  /** The number of turns in a row without a placement until a draw; 0 = no limit. `100` by default. */
  quiet_limit: number;
};

/** A room at one version, as one viewer may see it. */
export type RainbowRoomView = {
  /** The room's name. */
  room: string;
  /** The title that is shown to people. */
  title: string;
  /** The id of the room among all rooms of its name. */
  epoch: string;
  /** The slug of the game. */
  game: "rainbow";
  /** The options of the game. */
  options: RainbowOptions;
  /** The settings of the room. */
  settings: RoomSettings;
  /** The status: what can happen next. */
  status: "closed" | "finished" | "open" | "playing";
  /** The player who opened the room; for a match of a tournament, `tournament` and its id, which is no player. */
  creator: string;
  /** The members of the room, in the order in which they joined. */
  players: MemberView[];
  /** The number of connected spectators, null like `presence`; see the frame `presence`. */
  watchers: number | null;
  /** The seats, in turn order. */
  seats: SeatView[];
  /** Null without a series. */
  series: SeriesView | null;
  /** Changes by `configure` that will apply after the running match; null if nothing changes. */
  next: NextMatchView | null;
  /** The SHA-256 of the next match's seed, in hex; null during a match, at whose end it is published. */
  next_seed_hash: string | null;
  /** The table of a tournament that the room is for; null for other rooms. */
  tournament: TournamentTable | null;
  /** The seats for which the next match waits: empty, not ready, or their player is absent; none during a match. */
  waiting_for: number[];
  /** The version of the room: the number of its latest event. */
  version: number;
  /** The running match, or the latest one until the next one starts; null before the first. */
  match: RainbowMatchView | null;
  /** The open offers. */
  offers: OfferView[];
  /** When the next match begins by itself; null if it does not, or waits for somebody, see `waiting_for`. */
  restart_at: string | null;
  /** The time of the server when it sent this. */
  server_time: string;
  /** When the room closes unless its creator sends another request for it; absent once anybody else has entered. */
  expires_at?: string;
};

/** The number of discs by seat. */
export type TernioScores = {
  /** Red's discs. */
  red: number;
  /** Green's discs. */
  green: number;
  /** Blue's discs. */
  blue: number;
};

/** The view of all audiences: nine rows, the top row first, and the scores. */
export type TernioView = {
  /** Nine rows, the top row first: `.` is empty, `r`, `g` and `b` are discs. */
  board: string[];
  /** The number of discs by seat. */
  scores: TernioScores;
  /** The latest events on the board, for highlighting. */
  last: TernioEvent[];
};

/** The running match, or the latest one until the next one starts. */
export type TernioMatchView = {
  /** The number of the match in its room, from 1. */
  number: number;
  /** The match's id, as in its address. */
  id: string;
  /** Whether the match is played, or has ended. */
  status: "finished" | "playing";
  /** When the match started. */
  started: string;
  /** When the match ended; null while it is played. */
  ended: string | null;
  /** The game's own view, with the latest events as `last`. */
  state: TernioView;
  /** The numbers of the seats that are to move. */
  to_move: number[];
  /** The legal moves of the viewer's seat; each can be sent unchanged. */
  legal_moves: TernioMove[];
  /** Null if time is not limited. */
  clock: ClockView | null;
  /** How the match ended; null while it is played. */
  result: MatchResult | null;
  /** Whether the match counts for a rating. */
  rated: boolean;
  /** Whether the viewer's seat has a turn for which it can request a takeback. */
  can_take_back: boolean;
};

/** The options: the layout of the first nine discs. */
export type TernioOptions = {
  /** The layout of the first nine discs. `"even"` by default. */
  start: "even" | "first" | "latin";
};

/** A room at one version, as one viewer may see it. */
export type TernioRoomView = {
  /** The room's name. */
  room: string;
  /** The title that is shown to people. */
  title: string;
  /** The id of the room among all rooms of its name. */
  epoch: string;
  /** The slug of the game. */
  game: "ternio";
  /** The options of the game. */
  options: TernioOptions;
  /** The settings of the room. */
  settings: RoomSettings;
  /** The status: what can happen next. */
  status: "closed" | "finished" | "open" | "playing";
  /** The player who opened the room; for a match of a tournament, `tournament` and its id, which is no player. */
  creator: string;
  /** The members of the room, in the order in which they joined. */
  players: MemberView[];
  /** The number of connected spectators, null like `presence`; see the frame `presence`. */
  watchers: number | null;
  /** The seats, in turn order. */
  seats: SeatView[];
  /** Null without a series. */
  series: SeriesView | null;
  /** Changes by `configure` that will apply after the running match; null if nothing changes. */
  next: NextMatchView | null;
  /** The SHA-256 of the next match's seed, in hex; null during a match, at whose end it is published. */
  next_seed_hash: string | null;
  /** The table of a tournament that the room is for; null for other rooms. */
  tournament: TournamentTable | null;
  /** The seats for which the next match waits: empty, not ready, or their player is absent; none during a match. */
  waiting_for: number[];
  /** The version of the room: the number of its latest event. */
  version: number;
  /** The running match, or the latest one until the next one starts; null before the first. */
  match: TernioMatchView | null;
  /** The open offers. */
  offers: OfferView[];
  /** When the next match begins by itself; null if it does not, or waits for somebody, see `waiting_for`. */
  restart_at: string | null;
  /** The time of the server when it sent this. */
  server_time: string;
  /** When the room closes unless its creator sends another request for it; absent once anybody else has entered. */
  expires_at?: string;
};

/** The number of cells by seat. */
export type TriboardScores = {
  /** Blue's cells. */
  blue: number;
  /** Red's cells. */
  red: number;
  /** Green's cells. */
  green: number;
};

/** The view of all audiences: eleven rows, the top row first, and the scores. */
export type TriboardView = {
  /** Eleven rows, the top row first: `.` is empty, `#` a wall, `b`, `r` and `g` are cells of a seat. */
  board: string[];
  /** The number of cells by seat. */
  scores: TriboardScores;
  /** The latest events on the board, for highlighting. */
  last: TriboardEvent[];
};

/** The running match, or the latest one until the next one starts. */
export type TriboardMatchView = {
  /** The number of the match in its room, from 1. */
  number: number;
  /** The match's id, as in its address. */
  id: string;
  /** Whether the match is played, or has ended. */
  status: "finished" | "playing";
  /** When the match started. */
  started: string;
  /** When the match ended; null while it is played. */
  ended: string | null;
  /** The game's own view, with the latest events as `last`. */
  state: TriboardView;
  /** The numbers of the seats that are to move. */
  to_move: number[];
  /** The legal moves of the viewer's seat; each can be sent unchanged. */
  legal_moves: TriboardMove[];
  /** Null if time is not limited. */
  clock: ClockView | null;
  /** How the match ended; null while it is played. */
  result: MatchResult | null;
  /** Whether the match counts for a rating. */
  rated: boolean;
  /** Whether the viewer's seat has a turn for which it can request a takeback. */
  can_take_back: boolean;
};

/** The options: the layout, and whether the first seat to move is drawn at random or is blue. */
export type TriboardOptions = {
  /** Whether the first seat to move is drawn at random or is blue. `"random"` by default. */
  first: "blue" | "random";
  /** Whether the layout is drawn at random or is that of the lesson. `"random"` by default. */
  start: "lesson" | "random";
};

/** A room at one version, as one viewer may see it. */
export type TriboardRoomView = {
  /** The room's name. */
  room: string;
  /** The title that is shown to people. */
  title: string;
  /** The id of the room among all rooms of its name. */
  epoch: string;
  /** The slug of the game. */
  game: "triboard";
  /** The options of the game. */
  options: TriboardOptions;
  /** The settings of the room. */
  settings: RoomSettings;
  /** The status: what can happen next. */
  status: "closed" | "finished" | "open" | "playing";
  /** The player who opened the room; for a match of a tournament, `tournament` and its id, which is no player. */
  creator: string;
  /** The members of the room, in the order in which they joined. */
  players: MemberView[];
  /** The number of connected spectators, null like `presence`; see the frame `presence`. */
  watchers: number | null;
  /** The seats, in turn order. */
  seats: SeatView[];
  /** Null without a series. */
  series: SeriesView | null;
  /** Changes by `configure` that will apply after the running match; null if nothing changes. */
  next: NextMatchView | null;
  /** The SHA-256 of the next match's seed, in hex; null during a match, at whose end it is published. */
  next_seed_hash: string | null;
  /** The table of a tournament that the room is for; null for other rooms. */
  tournament: TournamentTable | null;
  /** The seats for which the next match waits: empty, not ready, or their player is absent; none during a match. */
  waiting_for: number[];
  /** The version of the room: the number of its latest event. */
  version: number;
  /** The running match, or the latest one until the next one starts; null before the first. */
  match: TriboardMatchView | null;
  /** The open offers. */
  offers: OfferView[];
  /** When the next match begins by itself; null if it does not, or waits for somebody, see `waiting_for`. */
  restart_at: string | null;
  /** The time of the server when it sent this. */
  server_time: string;
  /** When the room closes unless its creator sends another request for it; absent once anybody else has entered. */
  expires_at?: string;
};

/** The view of a seat or of the public; `own_selection` is null for the public, and before the seat has selected. */
export type TurncoatView = {
  /** Both boards, each of eight rows, the top row first: `B` black, `W` white, `.` none. */
  boards: Record<string, string[]>;
  /** The number of the round, from 1. */
  round: number;
  /** How many black discs each board has. */
  black: Record<string, number>;
  /** Whether each seat has selected a square in this round. */
  selected: Record<string, boolean>;
  /** Whether each seat has committed to its selection. */
  committed: Record<string, boolean>;
  /** The viewer's own selection; null for the public, and before the seat has selected. */
  own_selection: string | null;
  /** The latest events on the board, for highlighting. */
  last: TurncoatEvent[];
};

/** The running match, or the latest one until the next one starts. */
export type TurncoatMatchView = {
  /** The number of the match in its room, from 1. */
  number: number;
  /** The match's id, as in its address. */
  id: string;
  /** Whether the match is played, or has ended. */
  status: "finished" | "playing";
  /** When the match started. */
  started: string;
  /** When the match ended; null while it is played. */
  ended: string | null;
  /** The game's own view, with the latest events as `last`. */
  state: TurncoatView;
  /** The numbers of the seats that are to move. */
  to_move: number[];
  /** The legal moves of the viewer's seat; each can be sent unchanged. */
  legal_moves: TurncoatMove[];
  /** Null if time is not limited. */
  clock: ClockView | null;
  /** How the match ended; null while it is played. */
  result: MatchResult | null;
  /** Whether the match counts for a rating. */
  rated: boolean;
  /** Whether the viewer's seat has a turn for which it can request a takeback. */
  can_take_back: boolean;
};

/** The options; a `round_limit` of 0 means no limit. */
export type TurncoatOptions = {
  /** Which squares can be selected: any, or only those with a white disc. `"any"` by default. */
  selectable: "any" | "white_only";
  /** The number of rounds after which the match ends; 0 = no limit. `60` by default. */
  round_limit: number;
  /** How the match ends at the limit: in a draw, or for the seat with the fewest white discs. `"draw"` by default. */
  at_limit: "draw" | "fewest_white";
  /**
   * Whether the layout is drawn at random or is that of the lesson, in which few discs are white. `"random"` by
   * default.
   */
  start: "lesson" | "random";
};

/** A room at one version, as one viewer may see it. */
export type TurncoatRoomView = {
  /** The room's name. */
  room: string;
  /** The title that is shown to people. */
  title: string;
  /** The id of the room among all rooms of its name. */
  epoch: string;
  /** The slug of the game. */
  game: "turncoat";
  /** The options of the game. */
  options: TurncoatOptions;
  /** The settings of the room. */
  settings: RoomSettings;
  /** The status: what can happen next. */
  status: "closed" | "finished" | "open" | "playing";
  /** The player who opened the room; for a match of a tournament, `tournament` and its id, which is no player. */
  creator: string;
  /** The members of the room, in the order in which they joined. */
  players: MemberView[];
  /** The number of connected spectators, null like `presence`; see the frame `presence`. */
  watchers: number | null;
  /** The seats, in turn order. */
  seats: SeatView[];
  /** Null without a series. */
  series: SeriesView | null;
  /** Changes by `configure` that will apply after the running match; null if nothing changes. */
  next: NextMatchView | null;
  /** The SHA-256 of the next match's seed, in hex; null during a match, at whose end it is published. */
  next_seed_hash: string | null;
  /** The table of a tournament that the room is for; null for other rooms. */
  tournament: TournamentTable | null;
  /** The seats for which the next match waits: empty, not ready, or their player is absent; none during a match. */
  waiting_for: number[];
  /** The version of the room: the number of its latest event. */
  version: number;
  /** The running match, or the latest one until the next one starts; null before the first. */
  match: TurncoatMatchView | null;
  /** The open offers. */
  offers: OfferView[];
  /** When the next match begins by itself; null if it does not, or waits for somebody, see `waiting_for`. */
  restart_at: string | null;
  /** The time of the server when it sent this. */
  server_time: string;
  /** When the room closes unless its creator sends another request for it; absent once anybody else has entered. */
  expires_at?: string;
};

/** A room at one version, as one viewer may see it. */
export type RoomView = MorrisRoomView | TernioRoomView | RainbowRoomView | TriboardRoomView | TurncoatRoomView;

/** The room that was opened. */
export type OpenRoomResponse = {
  /** The room's name. */
  room: string;
  /** The version of the room: the number of its latest event. */
  version: number;
  /** The new room as its creator may see it. */
  view: RoomView;
  /** The token of the new guest, if the request had none. */
  token?: string | null;
};

/** An open seek, as everybody sees it. */
export type SeekEntry = {
  /** The id of the seek, by which it can be accepted. */
  id: string;
  /** The player's id. */
  player: string;
  /** The name that is shown for the player. */
  nickname: string;
  /** Whether the player was declared a bot. */
  bot: boolean;
  /** The slug of the game. */
  game: string;
  /** The options that the player insists on. */
  options: Record<string, boolean | number | string>;
  /** The clock that the player insists on; null for any. */
  clock: NoClock | PerMoveClock | FischerClock | DaysClock | null;
  /** The seat that the player insists on; null for any. */
  seat: number | null;
  /** Whether the match is rated. */
  rated: boolean;
  /** The player's rating with this clock, in points; null with an open clock. */
  rating: number | null;
  /** By how many points the ratings of others may differ at first; null for any number. */
  rating_range: number | null;
  /** Whether the player also wants to play with bots. */
  bots: boolean;
  /** When the seek was made. */
  made: string;
};

/** Open seeks, the oldest first. */
export type OpenSeeks = {
  /** The open seeks. */
  seeks: SeekEntry[];
  /** How many there are, on all pages. */
  total: number;
  /** The `cursor` of the next page; null on the last one. */
  next: string | null;
};

/** A seek of the caller. */
export type OwnSeek = {
  /** The id of the seek. */
  id: string;
  /** The slug of the game. */
  game: string;
  /** The options that you insist on. */
  options: Record<string, boolean | number | string>;
  /** The clock that you insist on; null for any. */
  clock: NoClock | PerMoveClock | FischerClock | DaysClock | null;
  /** The seat that you insist on; null for any. */
  seat: number | null;
  /** Whether the match is rated. */
  rated: boolean;
  /** By how many points the ratings of others may differ from yours at first; null for any number. */
  rating_range: number | null;
  /** Whether you also want to play with bots. */
  bots: boolean;
  /** When the seek was made. */
  made: string;
  /** When it ends unless the same request is sent again. */
  expires: string;
  /** Whether others were found immediately; then the seek has ended, and your own feed names the room. */
  paired: boolean;
};

/** Players who were found for the caller, until all of them are ready. */
export type PairingView = {
  /** The slug of the game. */
  game: string;
  /** The seat of the caller. */
  seat: number;
  /** The room; null until it is open, which takes a moment. */
  room: string | null;
  /** The id of the room among all rooms of its name. */
  epoch: string | null;
  /** Until when the caller has to be ready in the room; null until it is open. */
  deadline: string | null;
};

/** The seeks of the caller, and the pairing that waits for them. */
export type OwnSeeks = {
  /** The open seeks. */
  seeks: OwnSeek[];
  /** The room that waits for the caller; null if there is none. */
  pairing: PairingView | null;
};

/** Ask for a `pong`. */
export type PingFrame = {
  /** What this is; it determines the other fields. */
  type: "ping";
  /** The `pong` has the same id. */
  id?: string | number | null;
};

/** The client has everything up to this version; the frames after this one are live. */
export type PlayerCaughtUpFrame = {
  /** What this is; it determines the other fields. */
  type: "player_caught_up";
  /** The version of the feed. */
  version: number;
};

/** A player accepted a challenge; the match begins once all have. */
export type ChallengeAcceptedEvent = {
  /** What this is; it determines the other fields. */
  type: "challenge_accepted";
  /** The event's number in its player's feed. */
  version: number;
  /** When it happened. */
  time: string;
  /** The id of the challenge. */
  challenge: string;
  /** The id of the player. */
  player: string;
  /** The player's nickname. */
  nickname: string;
  /** Whether the player declared that a program plays for them. */
  bot?: boolean;
  /** Where the nickname is stored. */
  name_ref?: string;
};

/** A player declined a challenge, which ends it. */
export type ChallengeDeclinedEvent = {
  /** What this is; it determines the other fields. */
  type: "challenge_declined";
  /** The event's number in its player's feed. */
  version: number;
  /** When it happened. */
  time: string;
  /** The id of the challenge. */
  challenge: string;
  /** The id of the player. */
  player: string;
  /** The reason; null if the player gave none. */
  reason: "no_bots" | "not_now" | "other" | "other_clock" | "other_game" | "other_options" | "rated" | null;
};

/** A challenge ended without a match. */
export type ChallengeEndedEvent = {
  /** What this is; it determines the other fields. */
  type: "challenge_ended";
  /** The event's number in its player's feed. */
  version: number;
  /** When it happened. */
  time: string;
  /** The id of the challenge. */
  challenge: string;
  /** The player who made it withdrew it; not all accepted in time; or a player could not enter the room. */
  reason: "expired" | "refused" | "withdrawn";
  /** The player who could not enter the room. */
  player?: string | null;
  /** The code of that refusal, as in GET /v1/codes. */
  code?: string | null;
};

/** Another player asks you to play. */
export type ChallengeMadeEvent = {
  /** What this is; it determines the other fields. */
  type: "challenge_made";
  /** The event's number in its player's feed. */
  version: number;
  /** When it happened. */
  time: string;
  /** The challenge. */
  challenge: Challenge;
};

/** The room of a challenge was opened; the match begins when all players are ready. */
export type ChallengeOpenedEvent = {
  /** What this is; it determines the other fields. */
  type: "challenge_opened";
  /** The event's number in its player's feed. */
  version: number;
  /** When it happened. */
  time: string;
  /** The id of the challenge. */
  challenge: string;
  /** The name of the room. */
  room: string;
  /** The id of the room among all rooms of its name. */
  epoch: string;
  /** The game's slug. */
  game: string;
  /** The seats of the players, by their ids. */
  seats: Record<string, number>;
};

/** A match began in which the player has a seat. */
export type MatchBeganEvent = {
  /** What this is; it determines the other fields. */
  type: "match_began";
  /** The event's number in its player's feed. */
  version: number;
  /** When it happened. */
  time: string;
  /** The name of the room. */
  room: string;
  /** The id of the room among all rooms of its name. */
  epoch: string;
  /** The slug of the game. */
  game: string;
  /** The number of the match in its room. */
  match: number;
  /** The id of the match. */
  match_id: string;
  /** The player's seats. */
  seats: number[];
};

/** A match ended in which the player had a seat, even if the player left it before the end. */
export type MatchFinishedEvent = {
  /** What this is; it determines the other fields. */
  type: "match_finished";
  /** The event's number in its player's feed. */
  version: number;
  /** When it happened. */
  time: string;
  /** The name of the room. */
  room: string;
  /** The id of the room among all rooms of its name. */
  epoch: string;
  /** The slug of the game. */
  game: string;
  /** The number of the match in its room. */
  match: number;
  /** The id of the match. */
  match_id: string;
  /** How the match ended. */
  result: MatchResult;
};

/** Another player made an offer that waits for the player's answer. */
export type OfferReceivedEvent = {
  /** What this is; it determines the other fields. */
  type: "offer_received";
  /** The event's number in its player's feed. */
  version: number;
  /** When it happened. */
  time: string;
  /** The name of the room. */
  room: string;
  /** The id of the room among all rooms of its name. */
  epoch: string;
  /** The slug of the game. */
  game: string;
  /** The number of the offer in its room. */
  offer: number;
  /** What is offered. */
  kind: "draw" | "kick" | "new" | "restart" | "takeback";
  /** Who made the offer. */
  by: string;
};

/** Somebody joined the room by an invitation that the player made. */
export type OwnInvitationAcceptedEvent = {
  /** What this is; it determines the other fields. */
  type: "invitation_accepted";
  /** The event's number in its player's feed. */
  version: number;
  /** When it happened. */
  time: string;
  /** The name of the room. */
  room: string;
  /** The id of the room among all rooms of its name. */
  epoch: string;
  /** The slug of the game. */
  game: string;
  /** The number of the invitation in its room. */
  invitation: number;
  /** Who joined. */
  by: string;
};

/** Somebody declined an invitation that the player made; it stays open. */
export type OwnInvitationDeclinedEvent = {
  /** What this is; it determines the other fields. */
  type: "invitation_declined";
  /** The event's number in its player's feed. */
  version: number;
  /** When it happened. */
  time: string;
  /** The name of the room. */
  room: string;
  /** The id of the room among all rooms of its name. */
  epoch: string;
  /** The slug of the game. */
  game: string;
  /** The number of the invitation in its room. */
  invitation: number;
  /** Who declined it. */
  by: string;
};

/** The player made an invitation, perhaps on another device. */
export type OwnInvitationMadeEvent = {
  /** What this is; it determines the other fields. */
  type: "invitation_made";
  /** The event's number in its player's feed. */
  version: number;
  /** When it happened. */
  time: string;
  /** The name of the room. */
  room: string;
  /** The id of the room among all rooms of its name. */
  epoch: string;
  /** The slug of the game. */
  game: string;
  /** The number of the invitation in its room. */
  invitation: number;
};

/** A match of the player was rated, or an operator voided it. */
export type RatingChangedEvent = {
  /** What this is; it determines the other fields. */
  type: "rating_changed";
  /** The event's number in its player's feed. */
  version: number;
  /** When it happened. */
  time: string;
  /** The id of the match. */
  match_id: string;
  /** The slug of the game. */
  game: string;
  /** The rating class: by the clock, or `bots` for matches against bots of the service. */
  rating_class: "blitz" | "bullet" | "correspondence" | "rapid" | "bots";
  /** The player's rating after that. */
  rating: number;
  /** The standard deviation of the rating. */
  deviation: number;
  /** By how much the match changed the rating, or how much of that was undone. */
  change: number;
  /** Whether the match was voided and no longer counts. */
  voided: boolean;
};

/** The player was removed from a room, and cannot join it again. */
export type RemovedFromRoomEvent = {
  /** What this is; it determines the other fields. */
  type: "removed_from_room";
  /** The event's number in its player's feed. */
  version: number;
  /** When it happened. */
  time: string;
  /** The name of the room. */
  room: string;
  /** The id of the room among all rooms of its name. */
  epoch: string;
  /** The slug of the game. */
  game: string;
};

/** A seek of the player ended without a match. */
export type SeekDroppedEvent = {
  /** What this is; it determines the other fields. */
  type: "seek_dropped";
  /** The event's number in its player's feed. */
  version: number;
  /** When it happened. */
  time: string;
  /** The slug of the game. */
  game: string;
  /** The id of the seek. */
  seek: string;
  /** It was not renewed; the player was not ready in time; or the player could not enter the room. */
  reason: "absent" | "expired" | "refused";
};

/** A room was opened for the player's seek; the player has to be ready there before the deadline. */
export type SeekMatchedEvent = {
  /** What this is; it determines the other fields. */
  type: "seek_matched";
  /** The event's number in its player's feed. */
  version: number;
  /** When it happened. */
  time: string;
  /** The name of the room. */
  room: string;
  /** The id of the room among all rooms of its name. */
  epoch: string;
  /** The slug of the game. */
  game: string;
  /** The id of the seek. */
  seek: string;
  /** The number of the seat, from 0 in turn order. */
  seat: number;
  /** Until when the player has to be ready. */
  deadline: string;
};

/** Another player did not appear: the player's seek is in its place in the queue again. */
export type SeekResumedEvent = {
  /** What this is; it determines the other fields. */
  type: "seek_resumed";
  /** The event's number in its player's feed. */
  version: number;
  /** When it happened. */
  time: string;
  /** The slug of the game. */
  game: string;
  /** The id of the seek. */
  seek: string;
};

/** The player gets no further match in a tournament, and did not withdraw. */
export type TournamentLeftEvent = {
  /** What this is; it determines the other fields. */
  type: "tournament_left";
  /** The event's number in its player's feed. */
  version: number;
  /** When it happened. */
  time: string;
  /** The id of the tournament. */
  tournament: string;
  /** The tournament's title. */
  title: string;
  /** The reason. */
  reason: "absent" | "not_checked_in" | "removed" | "withdrew";
};

/** A match of a tournament in which the player takes part began. */
export type TournamentMatchEvent = {
  /** What this is; it determines the other fields. */
  type: "tournament_match";
  /** The event's number in its player's feed. */
  version: number;
  /** When it happened. */
  time: string;
  /** The id of the tournament. */
  tournament: string;
  /** The tournament's title. */
  title: string;
  /** The number of the round. */
  round: number;
  /** The game's slug. */
  game: string;
  /** The name of the room of the match. */
  room: string;
  /** The id of the room among all rooms of its name. */
  epoch: string;
  /** The player's seat. */
  seat: number;
};

/** A tournament in which the player took part has finished or was cancelled. */
export type TournamentOverEvent = {
  /** What this is; it determines the other fields. */
  type: "tournament_over";
  /** The event's number in its player's feed. */
  version: number;
  /** When it happened. */
  time: string;
  /** The id of the tournament. */
  tournament: string;
  /** The tournament's title. */
  title: string;
  /** Why it was cancelled; null if it has finished. */
  cancelled: "by_operator" | "by_organiser" | "too_few_players" | null;
};

/** It is the player's turn. It is not sent in a room whose other seats are all held by bots of the service. */
export type TurnBeganEvent = {
  /** What this is; it determines the other fields. */
  type: "turn_began";
  /** The event's number in its player's feed. */
  version: number;
  /** When it happened. */
  time: string;
  /** The name of the room. */
  room: string;
  /** The id of the room among all rooms of its name. */
  epoch: string;
  /** The slug of the game. */
  game: string;
  /** The number of the match in its room. */
  match: number;
  /** The player's seats that are to move. */
  seats: number[];
};

/** Nothing is sent to a webhook of the player until it is verified again. */
export type WebhookDisabledEvent = {
  /** What this is; it determines the other fields. */
  type: "webhook_disabled";
  /** The event's number in its player's feed. */
  version: number;
  /** When it happened. */
  time: string;
  /** The id of the webhook. */
  webhook: string;
  /** The URL of the endpoint. */
  url: string;
  /** It failed for a day; the endpoint answered 410; or its secret is lost and has to be rotated. */
  reason: "failing" | "gone" | "no_secret";
};

/** An event of a player's own feed. */
export type PlayerEvent = TurnBeganEvent | MatchBeganEvent | MatchFinishedEvent | OfferReceivedEvent | RemovedFromRoomEvent | OwnInvitationMadeEvent | OwnInvitationAcceptedEvent | OwnInvitationDeclinedEvent | SeekMatchedEvent | SeekResumedEvent | SeekDroppedEvent | WebhookDisabledEvent | RatingChangedEvent | ChallengeMadeEvent | ChallengeAcceptedEvent | ChallengeDeclinedEvent | ChallengeEndedEvent | ChallengeOpenedEvent | TournamentMatchEvent | TournamentLeftEvent | TournamentOverEvent;

/** A match in the list of one of its players. */
export type PlayerMatch = {
  /** The match's id, as in its address. */
  id: string;
  /** The number of the match in its room, from 1. */
  number: number;
  /** The room's name. */
  room: string;
  /** The id of the room among all rooms of its name. */
  epoch: string;
  /** The slug of the game. */
  game: string;
  /** Whether the match is played (`playing`), or has ended (`finished`). */
  status: string;
  /** When the match started. */
  started: string;
  /** When the match ended; null while it is played. */
  ended: string | null;
  /** The players of the seats when the match began. */
  players: MatchPlayer[];
  /** The versions of the match's events. */
  versions: VersionRange;
  /** How the match ended; null while it is played. */
  result: MatchResult | null;
  /**
   * Whether the match counts for its players; null while it is played.
   *
   * One in which fewer than two players had moved does not, except at a tournament's table.
   */
  counts: boolean | null;
  /** The place of the match among the player's matches, for `cursor` and `since`. */
  cursor: string;
  /** The player's seats. */
  seats: number[];
  /** The player's place, from 1; null without a result, and for a player who had several seats. */
  place: number | null;
  /**
   * How the match ended for the player: a shared first place is a draw; null without a place.
   *
   * Also null if the match does not count, see `counts`.
   */
  outcome: "drawn" | "lost" | "won" | null;
  /** Whether the match counts for ratings. */
  rated: boolean;
  /** Why it does not; null if it does. */
  not_rated: "aborted" | "bot" | "casual" | "no_result" | "pair_limit" | "pending" | "too_late" | "voided" | null;
  /** The class of the clock; null without one. */
  rating_class: "blitz" | "bullet" | "correspondence" | "rapid" | null;
  /** Whether only members of the room see the match in this list. */
  members_only: boolean;
};

/** A page of a player's matches, the latest first. */
export type PlayerMatches = {
  /** The player's id. */
  player: string;
  /** The matches; with filters, a page that is not the last one may have fewer than `limit`. */
  matches: PlayerMatch[];
  /** The cursor of the next page. */
  next: string | null;
};

/** A player's rating in a list. */
export type PlayerRating = {
  /** The slug of the game. */
  game: string;
  /** The rating class: by the clock, or `bots` for matches against bots of the service. */
  rating_class: "blitz" | "bullet" | "correspondence" | "rapid" | "bots";
  /** The rating, in points. */
  rating: number;
  /** Its standard deviation. */
  deviation: number;
  /** How many rated matches the player has played; those for members only count for the player and operators only. */
  matches: number;
  /** How many of them the player won alone. */
  wins: number;
  /** How many of them the player drew by sharing the first place. */
  draws: number;
  /**
   * How many different opponents, whose own deviation was small enough for a place when the match ended, up to ten.
   *
   * In the list `bots`, a match against bots of the service counts as one.
   */
  opponents: number;
  /** The place on the leaderboard, from 1; null until the player has what `place_needs` there says. */
  place: number | null;
  /** Whether the leaderboard is provisional, so that everybody in the list has a place. */
  provisional: boolean;
};

/** A player, as the caller may see them. */
export type PlayerProfile = {
  /** The player's id. */
  player: string;
  /** The player's nickname in their latest match; null without a match. */
  nickname: string | null;
  /** Whether the player was declared a bot in their latest match. */
  bot: boolean;
  /** Whether others may not see the profile. */
  hidden: boolean;
  /** When their first match ended; null without a match. */
  since: string | null;
  /** The ratings in all lists in which the player has a rated match. */
  ratings: PlayerRating[];
  /** The results by game, the game with the most matches first. */
  results: GameResult[];
  /** The latest matches, up to ten. */
  latest: PlayerMatch[];
};

/** The ratings of a player. */
export type PlayerRatings = {
  /** The player's id. */
  player: string;
  /** The ratings in all lists in which the reader may know of a rated match of the player. */
  ratings: PlayerRating[];
};

/** The caller's rooms, and whether it is their turn there. It replaces everything before. */
export type PlayerSnapshotFrame = {
  /** What this is; it determines the other fields. */
  type: "player_snapshot";
  /** The version of the feed. */
  version: number;
  /** The mark of that version, which a client sends to resume. */
  mark: string;
  /** Why it is sent instead of the events. */
  reason: "history_changed" | "subscribed" | "too_slow" | "trimmed";
  /** The caller's rooms. */
  rooms: JoinedRoom[];
};

/** The subscription to the caller's own feed was accepted. */
export type PlayerSubscribedFrame = {
  /** What this is; it determines the other fields. */
  type: "player_subscribed";
  /** The version of the feed. */
  version: number;
  /** The mark of that version, which a client sends to resume. */
  mark: string;
  /** Whether the events after the client's version follow; otherwise a snapshot does. */
  recovered: boolean;
};

/** New events of the caller's own feed. */
export type PlayerUpdateFrame = {
  /** What this is; it determines the other fields. */
  type: "player_update";
  /** The version of the last event. */
  version: number;
  /** The mark of that version, which a client sends to resume. */
  mark: string;
  /** The events, oldest first. */
  events: PlayerEvent[];
};

/** The answer to `ping`. */
export type PongFrame = {
  /** What this is; it determines the other fields. */
  type: "pong";
  /** The id of the `ping`, if it had one. */
  id?: string | number;
};

/** Who is connected to the room; sent soon after subscribing, and whenever it changes. */
export type PresenceFrame = {
  /** What this is; it determines the other fields. */
  type: "presence";
  /** The room's name. */
  room: string;
  /** All members of the room by their id. */
  players: Record<string, PlayerPresence>;
  /** The number of connected spectators: connections without a token, and people who are not players of the room. */
  watchers: number;
};

/** Who may see a profile. */
export type ProfileSettings = {
  /** Whether others may not see it. */
  hidden: boolean;
};

/** An entry of a list. */
export type RatingEntry = {
  /** Its number in the list, from 1. */
  version: number;
  /** When it happened. */
  time: string;
  /** `match_rated`, or `rating_voided` for a match that an operator voided. */
  type: string;
  /** The id of the match; null if only members of its room may read it. */
  match_id: string | null;
  /** The seats, with the ratings of their players; empty if only members may read the match. */
  seats: RatedPlayer[];
  /** The parameters of the model; null for a match that was voided. */
  parameters: Parameters | null;
};

/** A page of the entries of a list, the oldest first. */
export type RatingEntries = {
  /** The slug of the game. */
  game: string;
  /** The rating class: by the clock, or `bots` for matches against bots of the service. */
  rating_class: "blitz" | "bullet" | "correspondence" | "rapid" | "bots";
  /** The entries. */
  entries: RatingEntry[];
  /** The `since` of the next page. */
  next: number | null;
};

/** A player's rating after a match. */
export type RatingPoint = {
  /** When the match ended. */
  time: string;
  /** The rating, in points. */
  rating: number;
  /** Its standard deviation. */
  deviation: number;
  /** Whether an operator voided the match later, so that the current rating is without its change. */
  voided: boolean;
};

/** The history of a player's rating in a list. */
export type RatingHistory = {
  /** The player's id. */
  player: string;
  /** The slug of the game. */
  game: string;
  /** The rating class: by the clock, or `bots` for matches against bots of the service. */
  rating_class: "blitz" | "bullet" | "correspondence" | "rapid" | "bots";
  /** The current rating; null without a rated match. */
  rating: number | null;
  /** Its standard deviation. */
  deviation: number | null;
  /** Up to 500, evenly spread over the player's matches, with the first and the latest; none for members only. */
  points: RatingPoint[];
};

/** A rating list at a glance. */
export type RatingListSummary = {
  /** The slug of the game. */
  game: string;
  /** The rating class: by the clock, or `bots` for matches against bots of the service. */
  rating_class: "blitz" | "bullet" | "correspondence" | "rapid" | "bots";
  /** How many players are on the leaderboard. */
  total: number;
  /** Whether fewer than twenty players have what a place requires; until then everybody is on the leaderboard. */
  provisional: boolean;
  /** The first place of the leaderboard; null while nobody is on it. */
  best: LeaderboardPlace | null;
};

/** All rating lists. */
export type RatingLists = {
  /** One for each game and rating class, in the order of the games and the classes. */
  lists: RatingListSummary[];
};

/** The last event of a dry run if what follows depends on a reveal or on chance. */
export type UnknownEvent = {
  /** What this is; it determines the other fields. */
  type: "unknown";
};

/** The events of a command and the view after it; for a dry run, the foreseeable events and the current view. */
export type CommandResponse = {
  /** The version after the command's last event, or of the room for a dry run. */
  version: number;
  /** The events, oldest first. */
  events: (AnyEvent | UnknownEvent)[];
  /** Left out with `Prefer: return=minimal`, and on a socket that follows the room unless the command asks for it. */
  view?: RoomView;
  /** After `invite`, and when that is repeated with its key. */
  invitation?: NewInvitation;
};

/** The answer to a command: its result or its problem, as over HTTP; to another request with an id: no result. */
export type ReplyFrame = {
  /** What this is; it determines the other fields. */
  type: "reply";
  /** The id of the command, or of the other request. */
  id: string | number;
  /** The result, if the command was executed. */
  result?: CommandResponse;
  /** The problem, if it was refused. */
  problem?: Problem;
  /** The seek, after a frame `seek`. */
  seek?: OwnSeek;
  /** Whether the command was already accepted before; this repeats its first answer. */
  replayed?: boolean;
};

/** A report about a player. */
export type ReportRequest = {
  /** The player's id. */
  player: string;
  /** What happened: 1 to 500 visible characters after normalisation. */
  reason: string;
  /** The name of the room where it happened. */
  room?: string | null;
};

/** The state of a match's review. */
export type ReviewState = {
  /** The match's id. */
  match: string;
  /** Whether it is still `waiting`, or `done`. */
  status: "done" | "none" | "waiting";
};

/** A request to be paired with other players. */
export type SeekRequest = {
  /** The game's slug. */
  game: string;
  /** The options that you insist on; all others are open. */
  options?: Record<string, boolean | number | string>;
  /** The clock that you insist on; by default any clock, and none if nobody insists on one. */
  clock?: NoClock | PerMoveClock | FischerClock | DaysClock | null;
  /** The seat that you insist on; by default any seat. */
  seat?: number | null;
  /** Whether the match is rated, which needs a clock; see the setting `rated`. `false` by default. */
  rated?: boolean;
  /**
   * By how many points the ratings of others may differ from yours, which needs a clock; by default by any number.
   *
   * It widens with waiting: after ten seconds it is twice as wide, after twenty three times.
   */
  rating_range?: number | null;
  /**
   * Whether you also want to play with players that were declared bots; by default only with people. `false` by
   * default.
   */
  bots?: boolean;
};

/** The full view: after a subscription without `since`, after history was lost or replaced, or for a slow socket. */
export type SnapshotFrame = {
  /** What this is; it determines the other fields. */
  type: "snapshot";
  /** The room's name. */
  room: string;
  /** The version of the view. */
  version: number;
  /** The id of the room among all rooms of its name. */
  epoch: string;
  /** The mark of that version, which a client sends to resume. */
  mark: string;
  /** Why it is sent instead of events. */
  reason: "history_changed" | "subscribed" | "too_slow";
  /** The room as the subscriber may see it. */
  view: RoomView;
};

/** A page of the standings. */
export type StandingsPage = {
  /** How many rows there are. */
  players: number;
  /** Where the player of `around` is among them, from 1; null if they have no row, and without `around`. */
  place: number | null;
  /** The best first. */
  standings: StandingView[];
  /** The `cursor` of the next page; null on the last one. */
  next: number | null;
};

/** Follow a room, the lobby, your own feed, TV, a tournament or the chat. The first can have the socket's token. */
export type SubscribeFrame = {
  /** What this is; it determines the other fields. */
  type: "subscribe";
  /** For a room: its name. */
  room?: string | null;
  /** True for the lobby, without `room`. `false` by default. */
  lobby?: boolean;
  /** True for the caller's own feed, without `room`. `false` by default. */
  me?: boolean;
  /** For TV: the channel, which is a game's slug, or `best` for all games. */
  tv?: string | null;
  /** For a tournament: its id. */
  tournament?: string | null;
  /** For the chat: the view, which is `all` (the lobby and the caller's rooms), `lobby`, or a room's name. */
  chat?: string | null;
  /** For the lobby: only rooms of this game. */
  game?: string | null;
  /**
   * For the lobby: only rooms in which others can take a seat; a room is removed when that ends. `false` by
   * default.
   */
  joinable?: boolean;
  /** The last version that the client has; it receives the events after it. */
  since?: number | null;
  /** The mark of that version, which shows whether the room's history was replaced. */
  mark?: string | null;
  /** The token of the subscriber, which authenticates the whole socket. */
  token?: string | null;
  /** The seat whose view to send, if the player holds several. */
  seat?: number | null;
  /** With an id, a `reply` with the same id says that the subscription began, or why not. */
  id?: string | number | null;
  /** Whether updates have the view; with `patch` they have its changes as a JSON Patch. `true` by default. */
  state?: boolean | "patch";
  /**
   * Lists that are empty in views, for smaller updates: `legal_moves` of the match, and `last`, the latest events,
   * which an update contains anyway.
   */
  omit?: ("last" | "legal_moves")[];
};

/** The subscription was accepted; if `recovered`, the events since the client's version follow. */
export type SubscribedFrame = {
  /** What this is; it determines the other fields. */
  type: "subscribed";
  /** The room's name. */
  room: string;
  /** The version of the room: the number of its latest event. */
  version: number;
  /** The id of the room among all rooms of its name. */
  epoch: string;
  /** The mark of that version, which a client sends to resume. */
  mark: string;
  /** Whether the events after the client's version follow; otherwise a snapshot does. */
  recovered: boolean;
};

/** A player without a match in a round. */
export type Bye = {
  /** The id of the player. */
  player: string;
  /** The player's nickname. */
  nickname: string;
  /** Whether the player was declared a bot. */
  bot: boolean;
  /** The number of the round. */
  round: number;
};

/** A page of the tables of a tournament. */
export type TablesPage = {
  /** By number, the latest first. */
  tables: PairedTable[];
  /** The players without a match in the rounds of these tables, the latest round first; none in an arena. */
  byes: Bye[];
  /** The `cursor` of the next page; null on the last one. */
  next: number | null;
};

/** The tokens of the caller, the oldest first. */
export type TokenList = {
  /** The tokens that are neither revoked nor expired, without the guest token. */
  tokens: TokenEntry[];
};

/** A new token. */
export type TokenRequest = {
  /** The name by which you recognise it: 1 to 40 visible characters after normalisation. */
  name: string;
  /**
   * The scopes. `read`: what only you may read. `play`: commands, rooms, seeks and invitations. `chat`: lines of
   * chat. `account`: tokens, codes and webhooks. `tournaments`: creating and managing tournaments. With `bot`, it
   * is the token of a declared bot.
   */
  scopes: ("account" | "bot" | "chat" | "play" | "read" | "tournaments")[];
  /** After how many days it expires; by default never. */
  expires_days?: number | null;
};

/** The caller in a tournament. */
export type OwnEntry = {
  /** Whether the caller has checked in. */
  checked_in: boolean;
  /** Why the caller gets no further match; null while the caller takes part. */
  left: "absent" | "not_checked_in" | "removed" | "withdrew" | null;
  /** The caller's running match, or the one that is about to begin. */
  table: PairedTable | null;
};

/** A tournament as one caller sees it. */
export type TournamentAnswer = {
  /** The tournament. */
  tournament: TournamentView;
  /** The caller's part in it; null for a caller who has none, and without a token. */
  own: OwnEntry | null;
};

/** A tournament: its terms and its progress. */
export type TournamentSummary = {
  /** The id of the tournament. */
  id: string;
  /** The title of the tournament. */
  title: string;
  /** The game's slug. */
  game: string;
  /** All options of the game. */
  options: GameOptions;
  /** How many players a match has. */
  seats: number;
  /** How players are paired. */
  format: "arena" | "round_robin" | "swiss";
  /** The clock of every match. */
  clock: NoClock | PerMoveClock | FischerClock | DaysClock;
  /** When the first round begins. */
  starts: string;
  /** For how many milliseconds before the start players have to check in; 0 if no check-in is needed. */
  check_in_ms: number;
  /** Whether players are admitted after the start. */
  late_entry: boolean;
  /** Whether programs may take part. */
  bots: boolean;
  /** The maximum number of players. */
  max_players: number;
  /** The player who created it; null for an operator. */
  organiser: NamedPlayer | null;
  /** The status of the tournament. */
  status: "cancelled" | "finished" | "playing" | "registration";
  /** How many players take part. */
  players: number;
  /** The number of the latest round, 0 before the first one. */
  round: number;
  /** How many rounds there will be at most; null in an arena, and before the start unless its organiser has chosen. */
  rounds: number | null;
  /** For how many milliseconds matches begin in an arena; null in other formats. */
  duration_ms: number | null;
  /** Until when matches begin in an arena; null in other formats, and before the start. */
  ends: string | null;
};

/** A page of the list of tournaments. */
export type TournamentList = {
  /** The latest created one comes first. */
  tournaments: TournamentSummary[];
  /** The `cursor` of the next page; null on the last one. */
  next: number | null;
};

/** The current tournament: sent after the subscription, and to a slow socket. It replaces everything before. */
export type TournamentSnapshotFrame = {
  /** What this is; it determines the other fields. */
  type: "tournament_snapshot";
  /** The id of the tournament. */
  tournament: string;
  /** The version of the tournament. */
  version: number;
  /** The tournament as everybody sees it. */
  view: FollowedTournament;
};

/** One operation of a JSON Patch (RFC 6902). */
export type PatchOperation = {
  /** What is done at the path. */
  op: "add" | "remove" | "replace";
  /** A JSON Pointer (RFC 6901) into the view. */
  path: string;
  /** Left out with `remove`. */
  value?: unknown;
};

/** What has changed in a tournament. */
export type TournamentUpdateFrame = {
  /** What this is; it determines the other fields. */
  type: "tournament_update";
  /** The id of the tournament. */
  tournament: string;
  /** The version of the tournament. */
  version: number;
  /** The version of the view that the patch changes: the latest view that was sent. */
  from: number;
  /** The JSON Patch (RFC 6902) that turns that view into the view at this version. */
  patch: PatchOperation[];
};

/** A seat of the match on TV, as it was when the channels first saw the match; an erased player is not named. */
export type TvSeat = {
  /** The number of the seat, from 0 in turn order. */
  seat: number;
  /** The id of the player; null for an empty seat. */
  player: string | null;
  /** The player's nickname; null for an empty seat. */
  nickname: string | null;
  /** Whether it is a bot of the service, or was declared a bot. */
  bot: boolean;
  /** The player's rating for the clock of the match, in points; null without rated matches. */
  rating: number | null;
};

/** A match on TV. Its frames are those of its room: subscribe to it. */
export type TvMatch = {
  /** The id of the match. */
  match_id: string;
  /** The room's name. */
  room: string;
  /** The id of the room among all rooms of its name. */
  epoch: string;
  /** The number of the match in its room. */
  number: number;
  /** The slug of the game. */
  game: string;
  /** Whether the match is rated. */
  rated: boolean;
  /** When it began. */
  started: string;
  /** The seats, in turn order. */
  seats: TvSeat[];
};

/** What a channel shows: sent after subscribing, and whenever it changes. Subscribe to the room to see the match. */
export type TvFrame = {
  /** What this is; it determines the other fields. */
  type: "tv";
  /** The channel: a game's slug, or `best`. */
  tv: string;
  /** The match; null while none can be shown. */
  match: TvMatch | null;
};

/** Stop following a room, the lobby, your own feed, TV, a tournament, or the chat. */
export type UnsubscribeFrame = {
  /** What this is; it determines the other fields. */
  type: "unsubscribe";
  /** For a room: its name. */
  room?: string | null;
  /** True for the lobby, without `room`. `false` by default. */
  lobby?: boolean;
  /** True for the caller's own feed, without `room`. `false` by default. */
  me?: boolean;
  /** For TV: the channel, which is a game's slug, or `best` for all games. */
  tv?: string | null;
  /** For a tournament: its id. */
  tournament?: string | null;
  /** For the chat: the view, which is `all` (the lobby and the caller's rooms), `lobby`, or a room's name. */
  chat?: string | null;
  /** With an id, a `reply` with the same id says that nothing more follows. */
  id?: string | number | null;
};

/** The events of one command, and the view after them if it was requested and they are the latest. */
export type UpdateFrame = {
  /** What this is; it determines the other fields. */
  type: "update";
  /** The room's name. */
  room: string;
  /** The version of the last of the events. */
  version: number;
  /** The mark of that version, which a client sends to resume. */
  mark: string;
  /** The events, oldest first. */
  events: AnyEvent[];
  /** The room after the events, as the subscriber may see it. */
  view?: RoomView;
  /** The current clocks, if time is limited and there is no view. */
  clock?: ClockView;
  /** With a patch: the version of the view that it changes, the last one that was sent to this subscription. */
  from?: number;
  /** With `state: "patch"`: the JSON Patch (RFC 6902) that turns that view into the view after these events. */
  patch?: PatchOperation[];
};

/** A link code, typed on another device. */
export type UsedLinkCode = {
  /** The code; case, spaces and hyphens do not matter. */
  code: string;
  /** The name of the new token. `"Linked device"` by default. */
  name?: string;
};

/** A recovery code. */
export type UsedRecoveryCode = {
  /** The code. */
  code: string;
  /** The name of the new token. `"Recovered"` by default. */
  name?: string;
};

/** What changes in a webhook. */
export type WebhookChange = {
  /** A new URL, which has to be verified before events are sent; by default the same. */
  url?: string | null;
  /** The types of the events that are sent; an empty list means all; by default the same. */
  events?: string[] | null;
};

/** An event that was sent to an endpoint, or could not be. */
export type DeliveryView = {
  /** The header `webhook-id` of its messages: the same for every attempt. */
  id: string;
  /** The version of the event in its owner's feed, by which it can be sent again. */
  event: number;
  /** The type of the event. */
  event_type: string;
  /** How many attempts were made. */
  attempts: number;
  /** The latest attempt. */
  last: AttemptView;
};

/** A webhook with its log. */
export type WebhookDetails = {
  /** The webhook. */
  webhook: WebhookEntry;
  /** The latest 50 events that were sent or failed, the newest first. */
  deliveries: DeliveryView[];
  /** The events that wait to be sent again. */
  replays: number[];
};

/** Webhooks, the oldest first. */
export type WebhookList = {
  /** The webhooks. */
  webhooks: WebhookEntry[];
};

/** A new webhook. */
export type WebhookRequest = {
  /** Where events are sent: an https URL. */
  url: string;
  /** The types of the events that are sent, as in your own feed; all by default. */
  events?: string[];
};

/** The stable code of an error; later releases of the service may have more. */
export type Code =
  | "admin_only"
  | "already_challenged"
  | "already_committed"
  | "already_declined"
  | "already_dropped"
  | "already_joined"
  | "already_offered"
  | "already_paired"
  | "already_ready"
  | "already_seated"
  | "already_so"
  | "bad_line"
  | "bad_name"
  | "bad_nickname"
  | "banned"
  | "body_too_large"
  | "busy"
  | "captures_nothing"
  | "coloured_pegs_first"
  | "counter_damaged"
  | "draw_offered_here"
  | "history_damaged"
  | "internal"
  | "invitation_ended"
  | "invited_to_seat"
  | "is_spectator"
  | "key_not_supported"
  | "key_reused"
  | "kicked"
  | "leaving"
  | "malformed"
  | "match_running"
  | "members_only"
  | "men_in_hand"
  | "method_not_allowed"
  | "muted"
  | "muted_by_operator"
  | "name_taken"
  | "needs_a_seat"
  | "newer_events"
  | "nickname_taken"
  | "no_check_in"
  | "no_disc"
  | "no_hints"
  | "no_men_in_hand"
  | "no_programs"
  | "no_review"
  | "no_spectators"
  | "no_such_challenge"
  | "no_such_code"
  | "no_such_event"
  | "no_such_game"
  | "no_such_invitation"
  | "no_such_level"
  | "no_such_match"
  | "no_such_offer"
  | "no_such_player"
  | "no_such_ply"
  | "no_such_rating_list"
  | "no_such_report"
  | "no_such_room"
  | "no_such_seat"
  | "no_such_seek"
  | "no_such_side"
  | "no_such_token"
  | "no_such_tournament"
  | "no_such_version"
  | "no_such_webhook"
  | "not_a_bot"
  | "not_a_bot_token"
  | "not_a_member"
  | "not_abandoned"
  | "not_acceptable"
  | "not_adjacent"
  | "not_an_opponents_man"
  | "not_asked"
  | "not_found"
  | "not_over"
  | "not_playing"
  | "not_ready"
  | "not_registered"
  | "not_seated"
  | "not_the_creator"
  | "not_the_organiser"
  | "not_white"
  | "not_you"
  | "not_your_invitation"
  | "not_your_man"
  | "not_your_offer"
  | "not_your_peg"
  | "not_your_seat"
  | "not_your_turn"
  | "not_yourself"
  | "nothing_due"
  | "nothing_selected"
  | "nothing_to_remove"
  | "nothing_to_take_back"
  | "nothing_to_veto"
  | "occupied"
  | "opponent_unavailable"
  | "outcome_unknown"
  | "own_block"
  | "own_report"
  | "passwords_busy"
  | "peg_on_board"
  | "peg_rests"
  | "player_erased"
  | "position_over"
  | "position_too_late"
  | "profile_hidden"
  | "protected_by_mill"
  | "rate_limited"
  | "rated_match"
  | "registration_closed"
  | "removal_owed"
  | "removed_from_tournament"
  | "room_closed"
  | "room_crowded"
  | "room_full"
  | "salt_too_early"
  | "same_cell"
  | "same_point"
  | "scope_missing"
  | "seat_required"
  | "seat_taken"
  | "seats_count"
  | "seats_empty"
  | "seek_not_compatible"
  | "seeking_paused"
  | "starts_by_itself"
  | "still_playing"
  | "store_full"
  | "store_lost_data"
  | "store_unavailable"
  | "store_unfit"
  | "time_is_up"
  | "too_few_players"
  | "too_many_blocks"
  | "too_many_bots"
  | "too_many_challenges"
  | "too_many_exports"
  | "too_many_hints"
  | "too_many_invitations"
  | "too_many_nicknames"
  | "too_many_replays"
  | "too_many_reviews"
  | "too_many_rooms"
  | "too_many_seeks"
  | "too_many_sockets"
  | "too_many_subscriptions"
  | "too_many_tokens"
  | "too_many_tournaments"
  | "too_many_watchers"
  | "too_many_webhooks"
  | "tournament_full"
  | "tournament_over"
  | "trimmed"
  | "unauthenticated"
  | "unfit"
  | "unknown_player"
  | "unsupported_media_type"
  | "version_mismatch"
  | "webhook_not_active"
  | "wrong_colour"
  | "wrong_host";
