/**
 * The types of the API, written by `clients/generate.py` from `openapi/`; a test compares them.
 */

/** Give a bot of the service the seat named or the lowest free one; creator only, at any time. */
export type AddBotCommand = {
  type: "add_bot";
  level: "easy" | "hard" | "medium";
  seat?: number | null;
};

/** Accept or decline an offer; a player with several seats answers once. */
export type AnswerCommand = {
  type: "answer";
  offer: number;
  accept: boolean;
};

/** Assign the seats, and thereby colours and turn order; creator only, between matches. */
export type AssignSeatsCommand = {
  type: "assign_seats";
  seats: (string | null)[];
};

/** Claim a win, a draw or a bot because a seat's player has been absent for longer than `grace_ms`. */
export type ClaimAbandonedCommand = {
  type: "claim_abandoned";
  seat: number;
  /** The seat forfeits the match; the match is drawn, if the other human players agree; or a bot takes the seat. */
  outcome: "bot" | "draw" | "win";
};

/** Close the room and free its name; creator only. */
export type CloseCommand = {
  type: "close";
};

/** Change options and settings from the next match on; creator only. What is left out stays as it is. */
export type ConfigureCommand = {
  type: "configure";
  /** The options of the game that change. */
  options?: Record<string, unknown> | null;
  /** The settings of the room that change. */
  settings?: Record<string, unknown> | null;
};

/** Join the room: as a player with the seat named or the lowest free one, or as a spectator. */
export type JoinCommand = {
  type: "join";
  as?: "player" | "spectator";
  nickname?: string | null;
  seat?: number | null;
  /** The password of a private room. */
  password?: string | null;
};

/**
 * Remove somebody from the room for good; creator only.
 *
 * For a player of the running match this makes an offer that the other players have to accept.
 */
export type KickCommand = {
  type: "kick";
  player: string;
};

/** Leave the room and all seats. */
export type LeaveCommand = {
  type: "leave";
};

/** Leave a seat, but stay in the room. */
export type LeaveSeatCommand = {
  type: "leave_seat";
  seat?: number | null;
};

/** Mute somebody in the room's chat, or let them write again; creator only. */
export type MuteCommand = {
  type: "mute";
  player: string;
  on: boolean;
};

/**
 * Offer a draw; this accepts an open draw offer of another player, and so do the three commands below.
 *
 * Bots evaluate the position and answer, too; against bots a draw can be offered once in each position.
 */
export type OfferDrawCommand = {
  type: "offer_draw";
};

/** Place a man from the hand on a point. */
export type MorrisPlaceMove = {
  type: "place";
  at: string;
};

/** Remove an opponent's man from the board. */
export type MorrisRemoveMove = {
  type: "remove";
  at: string;
};

/** Move a man along a line to the next point, or to any point when flying. */
export type MorrisShiftMove = {
  type: "move";
  from: string;
  to: string;
};

/** A move of Nine Men's Morris. */
export type MorrisMove = MorrisPlaceMove | MorrisShiftMove | MorrisRemoveMove;

/** Flip a peg of your own. */
export type RainbowFlipMove = {
  type: "flip";
  at: string;
};

/** Place a peg on an empty cell with this side up. */
export type RainbowPlaceMove = {
  type: "place";
  peg: "BV" | "GB" | "OY" | "RO" | "VR" | "WK" | "YG";
  side: "B" | "G" | "K" | "O" | "R" | "V" | "W" | "Y";
  at: string;
};

/** Move a peg of your own to any empty cell, with the same side up. */
export type RainbowShiftMove = {
  type: "move";
  from: string;
  to: string;
};

/** A move of Tic-Tac-Rainbow. */
export type RainbowMove = RainbowPlaceMove | RainbowFlipMove | RainbowShiftMove;

/** Place a disc on an empty square. */
export type TernioPlaceMove = {
  type: "place";
  at: string;
};

/** A move of Ternio. */
export type TernioMove = TernioPlaceMove;

/** Take an empty cell by jumping from it. */
export type TriboardPlaceMove = {
  type: "place";
  at: string;
};

/** A move of Triboard. */
export type TriboardMove = TriboardPlaceMove;

/** Commit to the selection. */
export type TurncoatCommitMove = {
  type: "commit";
};

/** Select a square of your own board; this replaces an earlier selection and withdraws a commit. */
export type TurncoatSelectMove = {
  type: "select";
  at: string;
};

/** A move of Turncoat. */
export type TurncoatMove = TurncoatSelectMove | TurncoatCommitMove;

/** A move of any game. */
export type AnyMove = MorrisMove | TernioMove | RainbowMove | TriboardMove | TurncoatMove;

/** Make a move, in the form of the room's game. */
export type PlayCommand = {
  type: "play";
  move: AnyMove;
  seat?: number | null;
};

/** Declare that you are ready for the next match; sent again with another salt, it replaces the salt. */
export type ReadyCommand = {
  type: "ready";
  /** Is mixed into the chance of the next match; not accepted before `match_ended` has published its seed's hash. */
  salt?: string | null;
};

/** Remove the bot that holds a seat; creator only, at any time. */
export type RemoveBotCommand = {
  type: "remove_bot";
  seat: number;
};

/** Ask for another match at once, instead of the running one or after it. */
export type RequestNewCommand = {
  type: "request_new";
};

/** Ask to repeat the match with its layout and first player, during the match or after it. */
export type RequestRestartCommand = {
  type: "request_restart";
};

/** Ask to return to the position before your last turn. */
export type RequestTakebackCommand = {
  type: "request_takeback";
};

/** Drop out of the running match. */
export type ResignCommand = {
  type: "resign";
  seat?: number | null;
};

/** Start the next match, in rooms in which the creator does so; creator only. */
export type StartCommand = {
  type: "start";
};

/** Take a free seat; between matches, a seated player moves to it. */
export type TakeSeatCommand = {
  type: "take_seat";
  seat: number;
};

/** Declare that you are no longer ready. */
export type UnreadyCommand = {
  type: "unready";
};

/** Keep the next match from starting automatically until you are ready again; during a match or after it. */
export type VetoNextCommand = {
  type: "veto_next";
};

/** Withdraw your offer. */
export type WithdrawCommand = {
  type: "withdraw";
  offer: number;
};

/** A command for a room; `type` names it. */
export type AnyCommand = JoinCommand | PlayCommand | ResignCommand | OfferDrawCommand | RequestTakebackCommand | RequestRestartCommand | RequestNewCommand | AnswerCommand | WithdrawCommand | ClaimAbandonedCommand | LeaveCommand | TakeSeatCommand | LeaveSeatCommand | ReadyCommand | UnreadyCommand | AssignSeatsCommand | AddBotCommand | RemoveBotCommand | KickCommand | MuteCommand | ConfigureCommand | VetoNextCommand | StartCommand | CloseCommand;

/** A seat rolled the higher number and has the first turn. */
export type MorrisBeganEvent = {
  type: "began";
  /** The event's number in its room. */
  version: number;
  time: string;
  /** The number of the match that the event belongs to, if any. */
  match?: number;
  /** The player whose command caused the event; absent if the service caused it. */
  by?: string;
  /** The game that the event belongs to. */
  game: "morris";
  seat: number;
};

/** A seat dropped out of the running match; its pieces stay, and it is passed over from now on. */
export type MorrisDroppedEvent = {
  type: "dropped";
  /** The event's number in its room. */
  version: number;
  time: string;
  /** The number of the match that the event belongs to, if any. */
  match?: number;
  /** The player whose command caused the event; absent if the service caused it. */
  by?: string;
  /** The game that the event belongs to. */
  game: "morris";
  seat: number;
  reason: "forfeited" | "resigned" | "timed_out";
};

/** A seat moved a man from one point to another; the other fields are those of `Placed`. */
export type MorrisMovedEvent = {
  type: "moved";
  /** The event's number in its room. */
  version: number;
  time: string;
  /** The number of the match that the event belongs to, if any. */
  match?: number;
  /** The player whose command caused the event; absent if the service caused it. */
  by?: string;
  /** The game that the event belongs to. */
  game: "morris";
  seat: number;
  from: string;
  to: string;
  mills: [string, string, string][];
  removals_owed: number;
  ends?: "no_legal_move" | "quiet_limit" | "repetition" | "too_few_men" | null;
};

/** A seat placed a man from the hand. */
export type MorrisPlacedEvent = {
  type: "placed";
  /** The event's number in its room. */
  version: number;
  time: string;
  /** The number of the match that the event belongs to, if any. */
  match?: number;
  /** The player whose command caused the event; absent if the service caused it. */
  by?: string;
  /** The game that the event belongs to. */
  game: "morris";
  seat: number;
  at: string;
  /** The mills that it closed. */
  mills: [string, string, string][];
  /** How many men the seat now has to remove before its turn ends. */
  removals_owed: number;
  /** Why the match is over now, if it is. */
  ends?: "no_legal_move" | "quiet_limit" | "repetition" | "too_few_men" | null;
};

/** A seat removed a man of the other seat; `removals_owed` no longer counts a removal without a target. */
export type MorrisRemovedEvent = {
  type: "removed";
  /** The event's number in its room. */
  version: number;
  time: string;
  /** The number of the match that the event belongs to, if any. */
  match?: number;
  /** The player whose command caused the event; absent if the service caused it. */
  by?: string;
  /** The game that the event belongs to. */
  game: "morris";
  seat: number;
  at: string;
  removals_owed: number;
  ends?: "no_legal_move" | "quiet_limit" | "repetition" | "too_few_men" | null;
};

/** A seat rolled a die to decide who begins. */
export type MorrisRolledEvent = {
  type: "rolled";
  /** The event's number in its room. */
  version: number;
  time: string;
  /** The number of the match that the event belongs to, if any. */
  match?: number;
  /** The player whose command caused the event; absent if the service caused it. */
  by?: string;
  /** The game that the event belongs to. */
  game: "morris";
  seat: number;
  value: number;
  draw: number;
};

/** An event of Nine Men's Morris. */
export type MorrisEvent = MorrisPlacedEvent | MorrisMovedEvent | MorrisRemovedEvent | MorrisRolledEvent | MorrisBeganEvent | MorrisDroppedEvent;

/** A seat dropped out of the running match; its pieces stay, and it is passed over from now on. */
export type RainbowDroppedEvent = {
  type: "dropped";
  /** The event's number in its room. */
  version: number;
  time: string;
  /** The number of the match that the event belongs to, if any. */
  match?: number;
  /** The player whose command caused the event; absent if the service caused it. */
  by?: string;
  /** The game that the event belongs to. */
  game: "rainbow";
  seat: number;
  reason: "forfeited" | "resigned" | "timed_out";
};

/** A seat flipped a peg; the fields are those of `Placed`. */
export type RainbowFlippedEvent = {
  type: "flipped";
  /** The event's number in its room. */
  version: number;
  time: string;
  /** The number of the match that the event belongs to, if any. */
  match?: number;
  /** The player whose command caused the event; absent if the service caused it. */
  by?: string;
  /** The game that the event belongs to. */
  game: "rainbow";
  seat: number;
  peg: "BV" | "GB" | "OY" | "RO" | "VR" | "WK" | "YG";
  side: "B" | "G" | "K" | "O" | "R" | "V" | "W" | "Y";
  at: string;
  line?: [string, string, string] | null;
  ends?: "line" | "quiet_limit" | "repetition" | null;
};

/** A seat moved a peg to another cell; the fields are those of `Placed`. */
export type RainbowMovedEvent = {
  type: "moved";
  /** The event's number in its room. */
  version: number;
  time: string;
  /** The number of the match that the event belongs to, if any. */
  match?: number;
  /** The player whose command caused the event; absent if the service caused it. */
  by?: string;
  /** The game that the event belongs to. */
  game: "rainbow";
  seat: number;
  peg: "BV" | "GB" | "OY" | "RO" | "VR" | "WK" | "YG";
  side: "B" | "G" | "K" | "O" | "R" | "V" | "W" | "Y";
  from: string;
  to: string;
  line?: [string, string, string] | null;
  ends?: "line" | "quiet_limit" | "repetition" | null;
};

/** A seat placed a peg. */
export type RainbowPlacedEvent = {
  type: "placed";
  /** The event's number in its room. */
  version: number;
  time: string;
  /** The number of the match that the event belongs to, if any. */
  match?: number;
  /** The player whose command caused the event; absent if the service caused it. */
  by?: string;
  /** The game that the event belongs to. */
  game: "rainbow";
  seat: number;
  peg: "BV" | "GB" | "OY" | "RO" | "VR" | "WK" | "YG";
  /** The side that is up now. */
  side: "B" | "G" | "K" | "O" | "R" | "V" | "W" | "Y";
  at: string;
  /** The line that there is now, the first one if there are several. */
  line?: [string, string, string] | null;
  /** Why the match is over now, if it is. */
  ends?: "line" | "quiet_limit" | "repetition" | null;
};

/** A colour was rolled for a seat's turn; `ends` is present only if this is a position's third occurrence. */
export type RainbowRolledEvent = {
  type: "rolled";
  /** The event's number in its room. */
  version: number;
  time: string;
  /** The number of the match that the event belongs to, if any. */
  match?: number;
  /** The player whose command caused the event; absent if the service caused it. */
  by?: string;
  /** The game that the event belongs to. */
  game: "rainbow";
  seat: number;
  value: "B" | "G" | "O" | "R" | "V" | "Y";
  draw: number;
  ends?: "repetition";
};

/** An event of Tic-Tac-Rainbow. */
export type RainbowEvent = RainbowPlacedEvent | RainbowFlippedEvent | RainbowMovedEvent | RainbowRolledEvent | RainbowDroppedEvent;

/** The service was down, and the seats to move got back the time that they lost. */
export type ClocksExtendedEvent = {
  type: "clocks_extended";
  /** The event's number in its room. */
  version: number;
  time: string;
  /** The number of the match that the event belongs to, if any. */
  match?: number;
  /** The player whose command caused the event; absent if the service caused it. */
  by?: string;
  /** Milliseconds by seat; 0 for a seat that was not to move. */
  by_seat: number[];
};

/** The creator left, and the player who has been in the room longest is the creator now. */
export type CreatorChangedEvent = {
  type: "creator_changed";
  /** The event's number in its room. */
  version: number;
  time: string;
  /** The number of the match that the event belongs to, if any. */
  match?: number;
  /** The player whose command caused the event; absent if the service caused it. */
  by?: string;
  player: string;
};

/** How a match ended; lists are in seat order, and empty if the match was ended without a result. */
export type MatchResult = {
  reason: string;
  places: number[];
  scores: number[] | null;
  winners: number[];
};

/** A match ended; its seed is revealed, and the hash of the next match's seed is published. */
export type MatchEndedEvent = {
  type: "match_ended";
  /** The event's number in its room. */
  version: number;
  time: string;
  /** The number of the match that the event belongs to, if any. */
  match?: number;
  /** The player whose command caused the event; absent if the service caused it. */
  by?: string;
  result: MatchResult;
  seed: string;
  /** The SHA-256 of the next match's seed, in hex; absent in matches that an earlier release started. */
  next_seed_hash?: string;
};

/** The options; the defaults are the basic game. */
export type MorrisOptions = {
  /** Who begins: white, or the player who rolls the higher number. */
  first: "roll" | "seat0";
  /** Who flies once a player has three men left: both players, only that player, or nobody. */
  flying: "both" | "off" | "reduced";
  /** Which men can be removed when all are in mills: none, any of a player with three men, or any. */
  all_in_mills: "any" | "none" | "three";
  /** How many removals two mills closed by one man allow. */
  double_mill: "one" | "two";
  /** Whether the third occurrence of a position is a draw. */
  repetition: boolean;
  /** The number of turns in a row without a placement or removal that is a draw; 0 = no limit. */
  quiet_limit: number;
};

/** The options; the defaults are the basic game. */
export type RainbowOptions = {
  /** Which diagonals have lines: both kinds, or only those parallel to a1-e5. */
  grid: "hex" | "square";
  /** Whether a player who makes a line loses. */
  misere: boolean;
  /** In how many successive turns of its owner a peg can be used only once; 0 = no limit. */
  rest: 0 | 2 | 3;
  /** Whether a colour is rolled at the start of each turn, which the peg used must have on one side. */
  dice: boolean;
  players: 2 | 3;
  /** Whether the third occurrence of a position is a draw. */
  repetition: boolean;
  /** The number of turns in a row without a placement that is a draw; 0 = no limit. */
  quiet_limit: number;
};

/** The options: the layout of the first nine discs. */
export type TernioOptions = {
  start: "even" | "first" | "latin";
};

/** The options: whether the first seat to move is drawn at random or is blue. */
export type TriboardOptions = {
  first: "blue" | "random";
};

/** The options; a `round_limit` of 0 means no limit. */
export type TurncoatOptions = {
  selectable: "any" | "white_only";
  round_limit: number;
  at_limit: "draw" | "fewest_white";
};

/** The options of any game. */
export type AnyOptions = MorrisOptions | TernioOptions | RainbowOptions | TriboardOptions | TurncoatOptions;

/** A match started, with its players, all its options, and the hash of its seed, which was published before. */
export type MatchStartedEvent = {
  type: "match_started";
  /** The event's number in its room. */
  version: number;
  time: string;
  /** The number of the match that the event belongs to, if any. */
  match?: number;
  /** The player whose command caused the event; absent if the service caused it. */
  by?: string;
  id: string;
  game: string;
  rules_version: number;
  options: AnyOptions;
  seats: (string | null)[];
  salts: string[];
  /** The SHA-256 of the seed's 32 bytes, in hex. */
  seed_hash: string;
  /** The id of the match whose layout and first player are repeated; null for a match with its own. */
  layout_of?: string | null;
  /** The seed of that match, which its end has revealed. */
  layout_seed?: string | null;
  /** The salts of that match by seat; empty without such a match. */
  layout_salts?: string[];
};

/** A number of days for each turn. */
export type DaysClock = {
  type: "days";
  days: number;
};

/** A number of milliseconds for the match, and an increment after each turn that was completed in time. */
export type FischerClock = {
  type: "fischer";
  initial_ms: number;
  increment_ms?: number;
};

/** No time limit. */
export type NoClock = {
  type: "none";
};

/** A number of milliseconds for each turn. */
export type PerMoveClock = {
  type: "per_move";
  ms: number;
};

/** The settings of a room. */
export type RoomSettings = {
  /** Whether the lobby lists the room; an unlisted one is found by its name, a private one only with its password. */
  visibility?: "private" | "public" | "unlisted";
  /** What starts the first match: all players being ready, all seats being taken, or the creator's `start`. */
  start?: "creator" | "full" | "ready";
  /**
   * Milliseconds from the end of a match to the start of the next one; null: it starts when all players are ready.
   *
   * In a match of bots only, no next one starts later than a day after the latest command of a player.
   */
  restart?: number | null;
  /** How much time the players have. */
  clock?: NoClock | PerMoveClock | FischerClock | DaysClock;
  /** What happens to a seat whose time runs out: it drops out, or the service moves for it until the turn ends. */
  on_timeout?: "bot_move" | "lose" | "random_move";
  /** Milliseconds that a bot waits before it moves, so that people can follow the match. */
  bot_pause?: number;
  /** Whether the players rotate by one seat from match to match. */
  seats_next?: "keep" | "rotate";
  /** How many matches make a series, which ends early once a player cannot be overtaken; 0: no series. */
  best_of?: number;
  /** Who may ask for hints: a player whose opponents are all bots of the service, nobody, or every player. */
  hints?: "bots_only" | "off" | "on";
  /** Whether a player may hold several seats, to play with others on one device. */
  hot_seat?: boolean;
  /** Whether players and spectators share the chat (`together`) or each have their own (`apart`). */
  chat?: "apart" | "together";
  /** Whether spectators are admitted; if not, only members can read the room. */
  spectators?: boolean;
  /** Milliseconds of absence after which the other players can claim against a seat. */
  grace_ms?: number;
};

/** Other options and settings will apply after the running match. */
export type NextConfiguredEvent = {
  type: "next_configured";
  /** The event's number in its room. */
  version: number;
  time: string;
  /** The number of the match that the event belongs to, if any. */
  match?: number;
  /** The player whose command caused the event; absent if the service caused it. */
  by?: string;
  options: AnyOptions;
  settings: RoomSettings;
};

/** A player vetoed the automatic start of the next match, and is no longer ready. */
export type NextVetoedEvent = {
  type: "next_vetoed";
  /** The event's number in its room. */
  version: number;
  time: string;
  /** The number of the match that the event belongs to, if any. */
  match?: number;
  /** The player whose command caused the event; absent if the service caused it. */
  by?: string;
  player: string;
};

/** A player accepted an offer. */
export type OfferAcceptedEvent = {
  type: "offer_accepted";
  /** The event's number in its room. */
  version: number;
  time: string;
  /** The number of the match that the event belongs to, if any. */
  match?: number;
  /** The player whose command caused the event; absent if the service caused it. */
  by?: string;
  offer: number;
  player: string;
};

/** An offer was closed; if all agreed, the events that it leads to follow at once. */
export type OfferClosedEvent = {
  type: "offer_closed";
  /** The event's number in its room. */
  version: number;
  time: string;
  /** The number of the match that the event belongs to, if any. */
  match?: number;
  /** The player whose command caused the event; absent if the service caused it. */
  by?: string;
  offer: number;
  reason: "agreed" | "declined" | "lapsed" | "withdrawn";
  /** Who declined or withdrew it. */
  player?: string | null;
};

/** A player made an offer that the other human players, and for a draw the bots too, have to accept. */
export type OfferMadeEvent = {
  type: "offer_made";
  /** The event's number in its room. */
  version: number;
  time: string;
  /** The number of the match that the event belongs to, if any. */
  match?: number;
  /** The player whose command caused the event; absent if the service caused it. */
  by?: string;
  /** The offer's number in this room, from 1. */
  offer: number;
  kind: "draw" | "kick" | "new" | "restart" | "takeback";
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
  type: "player_joined";
  /** The event's number in its room. */
  version: number;
  time: string;
  /** The number of the match that the event belongs to, if any. */
  match?: number;
  /** The player whose command caused the event; absent if the service caused it. */
  by?: string;
  player: string;
  nickname: string;
  as: "player" | "spectator";
  /** The kind of bot that joined; null for people. */
  bot?: "easy" | "hard" | "medium" | "external" | null;
  /** The creator's contribution to the chance of the first match; absent for everybody else. */
  salt?: string;
};

/** A player was removed, by the creator or by all other players, and cannot join this room again. */
export type PlayerKickedEvent = {
  type: "player_kicked";
  /** The event's number in its room. */
  version: number;
  time: string;
  /** The number of the match that the event belongs to, if any. */
  match?: number;
  /** The player whose command caused the event; absent if the service caused it. */
  by?: string;
  player: string;
};

/** A player or a bot left the room. */
export type PlayerLeftEvent = {
  type: "player_left";
  /** The event's number in its room. */
  version: number;
  time: string;
  /** The number of the match that the event belongs to, if any. */
  match?: number;
  /** The player whose command caused the event; absent if the service caused it. */
  by?: string;
  player: string;
};

/** The creator muted somebody in the chat, or let them write again. */
export type PlayerMutedEvent = {
  type: "player_muted";
  /** The event's number in its room. */
  version: number;
  time: string;
  /** The number of the match that the event belongs to, if any. */
  match?: number;
  /** The player whose command caused the event; absent if the service caused it. */
  by?: string;
  player: string;
  on: boolean;
};

/** A player is ready for the next match and those after it, and may add a salt to the next one's chance. */
export type PlayerReadiedEvent = {
  type: "player_readied";
  /** The event's number in its room. */
  version: number;
  time: string;
  /** The number of the match that the event belongs to, if any. */
  match?: number;
  /** The player whose command caused the event; absent if the service caused it. */
  by?: string;
  player: string;
  /** Replaces the salt that the player sent before for that match; null keeps it. */
  salt?: string | null;
};

/** A player is no longer ready for the next match. */
export type PlayerUnreadiedEvent = {
  type: "player_unreadied";
  /** The event's number in its room. */
  version: number;
  time: string;
  /** The number of the match that the event belongs to, if any. */
  match?: number;
  /** The player whose command caused the event; absent if the service caused it. */
  by?: string;
  player: string;
};

/** The room was closed, and its name is free. */
export type RoomClosedEvent = {
  type: "room_closed";
  /** The event's number in its room. */
  version: number;
  time: string;
  /** The number of the match that the event belongs to, if any. */
  match?: number;
  /** The player whose command caused the event; absent if the service caused it. */
  by?: string;
  reason: "by_creator" | "by_operator" | "deserted" | "idle";
};

/** Other options and settings apply from now on. */
export type RoomConfiguredEvent = {
  type: "room_configured";
  /** The event's number in its room. */
  version: number;
  time: string;
  /** The number of the match that the event belongs to, if any. */
  match?: number;
  /** The player whose command caused the event; absent if the service caused it. */
  by?: string;
  options: AnyOptions;
  settings: RoomSettings;
  /** Who holds which seat under these options; players who lost a seat stay in the room. */
  seats: (string | null)[];
};

/** A room was opened. */
export type RoomOpenedEvent = {
  type: "room_opened";
  /** The event's number in its room. */
  version: number;
  time: string;
  /** The number of the match that the event belongs to, if any. */
  match?: number;
  /** The player whose command caused the event; absent if the service caused it. */
  by?: string;
  name: string;
  epoch: string;
  title: string;
  game: string;
  options: AnyOptions;
  settings: RoomSettings;
  /** The SHA-256 of the first match's seed, in hex; absent in rooms of releases that did not publish it. */
  next_seed_hash?: string;
};

/** The player of a seat is absent; after `grace_ms` the others may claim against the seat. */
export type SeatDesertedEvent = {
  type: "seat_deserted";
  /** The event's number in its room. */
  version: number;
  time: string;
  /** The number of the match that the event belongs to, if any. */
  match?: number;
  /** The player whose command caused the event; absent if the service caused it. */
  by?: string;
  seat: number;
};

/** A player left a seat; a running match waits for the next player who takes it. */
export type SeatLeftEvent = {
  type: "seat_left";
  /** The event's number in its room. */
  version: number;
  time: string;
  /** The number of the match that the event belongs to, if any. */
  match?: number;
  /** The player whose command caused the event; absent if the service caused it. */
  by?: string;
  seat: number;
  player: string;
};

/** The player of a seat is present again. */
export type SeatReturnedEvent = {
  type: "seat_returned";
  /** The event's number in its room. */
  version: number;
  time: string;
  /** The number of the match that the event belongs to, if any. */
  match?: number;
  /** The player whose command caused the event; absent if the service caused it. */
  by?: string;
  seat: number;
};

/** A player took a seat. */
export type SeatTakenEvent = {
  type: "seat_taken";
  /** The event's number in its room. */
  version: number;
  time: string;
  /** The number of the match that the event belongs to, if any. */
  match?: number;
  /** The player whose command caused the event; absent if the service caused it. */
  by?: string;
  seat: number;
  player: string;
};

/** The seats were assigned, by the creator or by a rotation; null is an empty seat. */
export type SeatsAssignedEvent = {
  type: "seats_assigned";
  /** The event's number in its room. */
  version: number;
  time: string;
  /** The number of the match that the event belongs to, if any. */
  match?: number;
  /** The player whose command caused the event; absent if the service caused it. */
  by?: string;
  seats: (string | null)[];
};

/** The creator, or all human players together, called for the next match to start. */
export type StartCalledEvent = {
  type: "start_called";
  /** The event's number in its room. */
  version: number;
  time: string;
  /** The number of the match that the event belongs to, if any. */
  match?: number;
  /** The player whose command caused the event; absent if the service caused it. */
  by?: string;
  /** The id of the match to repeat; absent for a match with a layout of its own. */
  layout_of?: string;
};

/** The match returned to the position before a seat's turn; no event is deleted, and no draw is reused. */
export type TakenBackEvent = {
  type: "taken_back";
  /** The event's number in its room. */
  version: number;
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
  type: "time_ran_out";
  /** The event's number in its room. */
  version: number;
  time: string;
  /** The number of the match that the event belongs to, if any. */
  match?: number;
  /** The player whose command caused the event; absent if the service caused it. */
  by?: string;
  seat: number;
};

/** An event of the room itself, the same in every game. */
export type RoomEvent = RoomOpenedEvent | PlayerJoinedEvent | PlayerLeftEvent | PlayerKickedEvent | PlayerMutedEvent | SeatDesertedEvent | SeatReturnedEvent | CreatorChangedEvent | SeatTakenEvent | SeatLeftEvent | SeatsAssignedEvent | PlayerReadiedEvent | PlayerUnreadiedEvent | StartCalledEvent | OfferMadeEvent | OfferAcceptedEvent | OfferClosedEvent | TakenBackEvent | NextVetoedEvent | NextConfiguredEvent | RoomConfiguredEvent | MatchStartedEvent | MatchEndedEvent | TimeRanOutEvent | ClocksExtendedEvent | RoomClosedEvent;

/** A seat dropped out of the running match; its pieces stay, and it is passed over from now on. */
export type TernioDroppedEvent = {
  type: "dropped";
  /** The event's number in its room. */
  version: number;
  time: string;
  /** The number of the match that the event belongs to, if any. */
  match?: number;
  /** The player whose command caused the event; absent if the service caused it. */
  by?: string;
  /** The game that the event belongs to. */
  game: "ternio";
  seat: number;
  reason: "forfeited" | "resigned" | "timed_out";
};

/** The start layout was placed on the board: nine rows, the top row first. */
export type TernioLaidOutEvent = {
  type: "laid_out";
  /** The event's number in its room. */
  version: number;
  time: string;
  /** The number of the match that the event belongs to, if any. */
  match?: number;
  /** The player whose command caused the event; absent if the service caused it. */
  by?: string;
  /** The game that the event belongs to. */
  game: "ternio";
  board: string[];
};

/** A seat was passed over because it had no legal move. */
export type TernioPassedEvent = {
  type: "passed";
  /** The event's number in its room. */
  version: number;
  time: string;
  /** The number of the match that the event belongs to, if any. */
  match?: number;
  /** The player whose command caused the event; absent if the service caused it. */
  by?: string;
  /** The game that the event belongs to. */
  game: "ternio";
  seat: number;
};

/** A seat placed a disc, and the captured discs turned to its colour. */
export type TernioPlacedEvent = {
  type: "placed";
  /** The event's number in its room. */
  version: number;
  time: string;
  /** The number of the match that the event belongs to, if any. */
  match?: number;
  /** The player whose command caused the event; absent if the service caused it. */
  by?: string;
  /** The game that the event belongs to. */
  game: "ternio";
  seat: number;
  at: string;
  captured: string[];
};

/** An event of Ternio. */
export type TernioEvent = TernioLaidOutEvent | TernioPlacedEvent | TernioPassedEvent | TernioDroppedEvent;

/** A seat dropped out of the running match; its pieces stay, and it is passed over from now on. */
export type TriboardDroppedEvent = {
  type: "dropped";
  /** The event's number in its room. */
  version: number;
  time: string;
  /** The number of the match that the event belongs to, if any. */
  match?: number;
  /** The player whose command caused the event; absent if the service caused it. */
  by?: string;
  /** The game that the event belongs to. */
  game: "triboard";
  seat: number;
  reason: "forfeited" | "resigned" | "timed_out";
};

/** The layout was drawn: eleven rows, the top row first, and the first seat to move. */
export type TriboardLaidOutEvent = {
  type: "laid_out";
  /** The event's number in its room. */
  version: number;
  time: string;
  /** The number of the match that the event belongs to, if any. */
  match?: number;
  /** The player whose command caused the event; absent if the service caused it. */
  by?: string;
  /** The game that the event belongs to. */
  game: "triboard";
  board: string[];
  first: number;
  draw: number;
};

/** A seat was passed over because it had no legal move. */
export type TriboardPassedEvent = {
  type: "passed";
  /** The event's number in its room. */
  version: number;
  time: string;
  /** The number of the match that the event belongs to, if any. */
  match?: number;
  /** The player whose command caused the event; absent if the service caused it. */
  by?: string;
  /** The game that the event belongs to. */
  game: "triboard";
  seat: number;
};

/** A seat took a cell, and the cells that it jumped over from there. */
export type TriboardPlacedEvent = {
  type: "placed";
  /** The event's number in its room. */
  version: number;
  time: string;
  /** The number of the match that the event belongs to, if any. */
  match?: number;
  /** The player whose command caused the event; absent if the service caused it. */
  by?: string;
  /** The game that the event belongs to. */
  game: "triboard";
  seat: number;
  at: string;
  captured: string[];
};

/** An event of Triboard. */
export type TriboardEvent = TriboardLaidOutEvent | TriboardPlacedEvent | TriboardPassedEvent | TriboardDroppedEvent;

/** A seat committed to its selection. */
export type TurncoatCommittedEvent = {
  type: "committed";
  /** The event's number in its room. */
  version: number;
  time: string;
  /** The number of the match that the event belongs to, if any. */
  match?: number;
  /** The player whose command caused the event; absent if the service caused it. */
  by?: string;
  /** The game that the event belongs to. */
  game: "turncoat";
  seat: number;
};

/** A seat dropped out of the running match; its pieces stay, and it is passed over from now on. */
export type TurncoatDroppedEvent = {
  type: "dropped";
  /** The event's number in its room. */
  version: number;
  time: string;
  /** The number of the match that the event belongs to, if any. */
  match?: number;
  /** The player whose command caused the event; absent if the service caused it. */
  by?: string;
  /** The game that the event belongs to. */
  game: "turncoat";
  seat: number;
  reason: "forfeited" | "resigned" | "timed_out";
};

/** The layout of both boards was drawn: 8 rows, the top row first. */
export type TurncoatLaidOutEvent = {
  type: "laid_out";
  /** The event's number in its room. */
  version: number;
  time: string;
  /** The number of the match that the event belongs to, if any. */
  match?: number;
  /** The player whose command caused the event; absent if the service caused it. */
  by?: string;
  /** The game that the event belongs to. */
  game: "turncoat";
  board: string[];
  draw: number;
};

/** A new round began; both seats select again. */
export type TurncoatRoundBegunEvent = {
  type: "round_begun";
  /** The event's number in its room. */
  version: number;
  time: string;
  /** The number of the match that the event belongs to, if any. */
  match?: number;
  /** The player whose command caused the event; absent if the service caused it. */
  by?: string;
  /** The game that the event belongs to. */
  game: "turncoat";
  round: number;
};

/** A seat selected a square, which only this seat may know; an earlier commit of the seat is withdrawn. */
export type TurncoatSelectedEvent = {
  type: "selected";
  /** The event's number in its room. */
  version: number;
  time: string;
  /** The number of the match that the event belongs to, if any. */
  match?: number;
  /** The player whose command caused the event; absent if the service caused it. */
  by?: string;
  /** The game that the event belongs to. */
  game: "turncoat";
  seat: number;
  /** Sent to this seat only. */
  at?: string;
};

/**
 * A disc of one board was turned `to` black or white, with the discs that it trapped.
 *
 * In half 1 the board's owner had selected the disc, in half 2 the opponent.
 */
export type TurncoatTurnedEvent = {
  type: "turned";
  /** The event's number in its room. */
  version: number;
  time: string;
  /** The number of the match that the event belongs to, if any. */
  match?: number;
  /** The player whose command caused the event; absent if the service caused it. */
  by?: string;
  /** The game that the event belongs to. */
  game: "turncoat";
  board: "red" | "yellow";
  half: 1 | 2;
  at: string;
  to: "B" | "W";
  trapped: string[];
};

/** An event of Turncoat. */
export type TurncoatEvent = TurncoatLaidOutEvent | TurncoatSelectedEvent | TurncoatCommittedEvent | TurncoatTurnedEvent | TurncoatRoundBegunEvent | TurncoatDroppedEvent;

/** An event of a room or of the game played in it. */
export type AnyEvent = RoomEvent | MorrisEvent | TernioEvent | RainbowEvent | TriboardEvent | TurncoatEvent;

/** The client has everything up to this version; the frames after this one are live. */
export type CaughtUpFrame = {
  type: "caught_up";
  room: string;
  version: number;
};

/** A player; a command to join can set another nickname for its room. */
export type Player = {
  id: string;
  nickname: string;
  /** Whether the player declared that a program plays for them; absent for people. */
  bot?: boolean;
};

/** A line of a chat. */
export type ChatLine = {
  /** The line's id; later lines have greater ids. */
  id: string;
  time: string;
  /** Who wrote it, with the nickname that they had there. */
  player: Player;
  /** Who can read it: everyone, or, in a room with `chat` set to `apart`, only players or only spectators. */
  audience: "all" | "players" | "spectators";
  /** Plain text. */
  text: string;
};

/** A new line of chat in a room, or without `room` in the lobby. */
export type ChatFrame = {
  type: "chat";
  line: ChatLine;
  room?: string;
};

/** A command to a room; `reply` answers it with the same id. */
export type CommandFrame = {
  type: "command";
  id: string | number;
  room: string;
  command: AnyCommand;
  /** The idempotency key, like the header Idempotency-Key over HTTP. */
  key?: string | null;
  /** The version that the room must be at, like If-Match over HTTP. */
  if_version?: number | null;
  /** Whether the reply has the view even if this socket follows the room. */
  view?: boolean;
};

/** An error as `application/problem+json` (RFC 9457); `code` is stable, `detail` is for people. */
export type Problem = {
  type: string;
  title: string;
  status: number;
  code: string;
  detail: string;
  /** A JSON pointer to the invalid part of the body, or the name of the invalid parameter. */
  pointer?: string;
  params?: Record<string, unknown>;
  version?: number;
  legal_moves?: AnyMove[];
  /** The number of seconds to wait before retrying. */
  retry_after?: number;
};

/** The problem with a frame or a subscription that was refused or has ended. */
export type ErrorFrame = {
  type: "error";
  problem: Problem;
  room?: string;
};

/** A new guest and the token that authenticates them. A lost token cannot be replaced. */
export type Guest = {
  player: Player;
  token: string;
};

/** The clocks of a match at `server_time`; those of the seats to move are running. */
export type ClockView = {
  /** Milliseconds by seat. */
  remaining: number[];
  /** When the next seat runs out of time if it does not move; null if no clock is running. */
  deadline: string | null;
  /** Milliseconds after its deadline within which a move is still in time if it reaches the store. */
  allowance_ms: number;
  server_time: string;
};

/** The version of an idle room. */
export type HeartbeatFrame = {
  type: "heartbeat";
  room: string;
  version: number;
  server_time: string;
  /** The current clocks, if time is limited. */
  clock?: ClockView;
};

/** A room in the lobby. */
export type LobbyEntry = {
  room: string;
  title: string;
  epoch: string;
  game: string;
  options: AnyOptions;
  status: string;
  seats: number;
  seats_taken: number;
  players: number;
  opened: string;
};

/** A room of the lobby by its name and its epoch, as the next room with the name is another one. */
export type LobbyEntryKey = {
  room: string;
  epoch: string;
};

/** The lobby: first the newest rooms, then rooms with new or changed entries, and rooms no longer listed. */
export type LobbyFrame = {
  type: "lobby";
  /** Entries that are new, or replace those of the same room; in a snapshot the newest room is first. */
  upsert?: LobbyEntry[];
  /** Rooms that are no longer listed, of any game. */
  remove?: LobbyEntryKey[];
  /** Whether this replaces everything sent before: after subscribing, and after changes were missed. */
  snapshot?: boolean;
  /** For a snapshot without all rooms: the `cursor` with which `GET /v1/rooms` continues. */
  next?: string;
};

/** A page of the lobby, newest room first. */
export type LobbyPage = {
  rooms: LobbyEntry[];
  /** The cursor of the next page. */
  next: string | null;
};

/** A seat for a bot of the service. */
export type BotSeat = {
  /** The bot's level; `bots` at GET /v1/games/{game} lists the levels. */
  bot: "easy" | "hard" | "medium";
};

/** The options; the defaults are the basic game. */
export type MorrisRequestedOptions = {
  /** Who begins: white, or the player who rolls the higher number. */
  first?: "roll" | "seat0";
  /** Who flies once a player has three men left: both players, only that player, or nobody. */
  flying?: "both" | "off" | "reduced";
  /** Which men can be removed when all are in mills: none, any of a player with three men, or any. */
  all_in_mills?: "any" | "none" | "three";
  /** How many removals two mills closed by one man allow. */
  double_mill?: "one" | "two";
  /** Whether the third occurrence of a position is a draw. */
  repetition?: boolean;
  /** The number of turns in a row without a placement or removal that is a draw; 0 = no limit. */
  quiet_limit?: number;
};

/** Settings as clients send them. */
export type RequestedSettings = {
  /** Whether the lobby lists the room; an unlisted one is found by its name, a private one only with its password. */
  visibility?: "private" | "public" | "unlisted";
  /** What starts the first match: all players being ready, all seats being taken, or the creator's `start`. */
  start?: "creator" | "full" | "ready";
  /**
   * Milliseconds from the end of a match to the start of the next one; null: it starts when all players are ready.
   *
   * In a match of bots only, no next one starts later than a day after the latest command of a player.
   */
  restart?: number | null;
  /** How much time the players have. */
  clock?: NoClock | PerMoveClock | FischerClock | DaysClock;
  /** What happens to a seat whose time runs out: it drops out, or the service moves for it until the turn ends. */
  on_timeout?: "bot_move" | "lose" | "random_move";
  /** Milliseconds that a bot waits before it moves, so that people can follow the match. */
  bot_pause?: number;
  /** Whether the players rotate by one seat from match to match. */
  seats_next?: "keep" | "rotate";
  /** How many matches make a series, which ends early once a player cannot be overtaken; 0: no series. */
  best_of?: number;
  /** Who may ask for hints: a player whose opponents are all bots of the service, nobody, or every player. */
  hints?: "bots_only" | "off" | "on";
  /** Whether a player may hold several seats, to play with others on one device. */
  hot_seat?: boolean;
  /** Whether players and spectators share the chat (`together`) or each have their own (`apart`). */
  chat?: "apart" | "together";
  /** Whether spectators are admitted; if not, only members can read the room. */
  spectators?: boolean;
  /** Milliseconds of absence after which the other players can claim against a seat. */
  grace_ms?: number;
  /** The password of a private room, 6 to 128 characters, which `join` needs; only a salted scrypt hash is stored. */
  password?: string | null;
};

/** A request for a new room. */
export type MorrisOpenRoomRequest = {
  /** The game's slug. */
  game: "morris";
  /**
   * The room's name, in which case and spaces do not matter; the title shows it as sent. Generated if left out.
   *
   * Eight random letters and digits are appended to a private room's name: use `room` from the response.
   */
  name?: string | null;
  /** The game's options; those left out have their defaults. */
  options?: MorrisRequestedOptions;
  settings?: RequestedSettings;
  /** The creator's nickname in this room. */
  nickname?: string | null;
  /**
   * Who takes which seat at once; by default the creator takes the first one. Several "me" need `hot_seat`.
   *
   * If no seat is null the match starts at once. If no seat is "me" the creator is a spectator.
   */
  seats?: ("me" | BotSeat | null)[] | null;
  /** The creator's contribution to the chance of the first match, as in `ready`; not for a creator without a seat. */
  salt?: string | null;
};

/** The options; the defaults are the basic game. */
export type RainbowRequestedOptions = {
  /** Which diagonals have lines: both kinds, or only those parallel to a1-e5. */
  grid?: "hex" | "square";
  /** Whether a player who makes a line loses. */
  misere?: boolean;
  /** In how many successive turns of its owner a peg can be used only once; 0 = no limit. */
  rest?: 0 | 2 | 3;
  /** Whether a colour is rolled at the start of each turn, which the peg used must have on one side. */
  dice?: boolean;
  players?: 2 | 3;
  /** Whether the third occurrence of a position is a draw. */
  repetition?: boolean;
  /** The number of turns in a row without a placement that is a draw; 0 = no limit. */
  quiet_limit?: number;
};

/** A request for a new room. */
export type RainbowOpenRoomRequest = {
  /** The game's slug. */
  game: "rainbow";
  /**
   * The room's name, in which case and spaces do not matter; the title shows it as sent. Generated if left out.
   *
   * Eight random letters and digits are appended to a private room's name: use `room` from the response.
   */
  name?: string | null;
  /** The game's options; those left out have their defaults. */
  options?: RainbowRequestedOptions;
  settings?: RequestedSettings;
  /** The creator's nickname in this room. */
  nickname?: string | null;
  /**
   * Who takes which seat at once; by default the creator takes the first one. Several "me" need `hot_seat`.
   *
   * If no seat is null the match starts at once. If no seat is "me" the creator is a spectator.
   */
  seats?: ("me" | BotSeat | null)[] | null;
  /** The creator's contribution to the chance of the first match, as in `ready`; not for a creator without a seat. */
  salt?: string | null;
};

/** The options: the layout of the first nine discs. */
export type TernioRequestedOptions = {
  start?: "even" | "first" | "latin";
};

/** A request for a new room. */
export type TernioOpenRoomRequest = {
  /** The game's slug. */
  game: "ternio";
  /**
   * The room's name, in which case and spaces do not matter; the title shows it as sent. Generated if left out.
   *
   * Eight random letters and digits are appended to a private room's name: use `room` from the response.
   */
  name?: string | null;
  /** The game's options; those left out have their defaults. */
  options?: TernioRequestedOptions;
  settings?: RequestedSettings;
  /** The creator's nickname in this room. */
  nickname?: string | null;
  /**
   * Who takes which seat at once; by default the creator takes the first one. Several "me" need `hot_seat`.
   *
   * If no seat is null the match starts at once. If no seat is "me" the creator is a spectator.
   */
  seats?: ("me" | BotSeat | null)[] | null;
  /** The creator's contribution to the chance of the first match, as in `ready`; not for a creator without a seat. */
  salt?: string | null;
};

/** The options: whether the first seat to move is drawn at random or is blue. */
export type TriboardRequestedOptions = {
  first?: "blue" | "random";
};

/** A request for a new room. */
export type TriboardOpenRoomRequest = {
  /** The game's slug. */
  game: "triboard";
  /**
   * The room's name, in which case and spaces do not matter; the title shows it as sent. Generated if left out.
   *
   * Eight random letters and digits are appended to a private room's name: use `room` from the response.
   */
  name?: string | null;
  /** The game's options; those left out have their defaults. */
  options?: TriboardRequestedOptions;
  settings?: RequestedSettings;
  /** The creator's nickname in this room. */
  nickname?: string | null;
  /**
   * Who takes which seat at once; by default the creator takes the first one. Several "me" need `hot_seat`.
   *
   * If no seat is null the match starts at once. If no seat is "me" the creator is a spectator.
   */
  seats?: ("me" | BotSeat | null)[] | null;
  /** The creator's contribution to the chance of the first match, as in `ready`; not for a creator without a seat. */
  salt?: string | null;
};

/** The options; a `round_limit` of 0 means no limit. */
export type TurncoatRequestedOptions = {
  selectable?: "any" | "white_only";
  round_limit?: number;
  at_limit?: "draw" | "fewest_white";
};

/** A request for a new room. */
export type TurncoatOpenRoomRequest = {
  /** The game's slug. */
  game: "turncoat";
  /**
   * The room's name, in which case and spaces do not matter; the title shows it as sent. Generated if left out.
   *
   * Eight random letters and digits are appended to a private room's name: use `room` from the response.
   */
  name?: string | null;
  /** The game's options; those left out have their defaults. */
  options?: TurncoatRequestedOptions;
  settings?: RequestedSettings;
  /** The creator's nickname in this room. */
  nickname?: string | null;
  /**
   * Who takes which seat at once; by default the creator takes the first one. Several "me" need `hot_seat`.
   *
   * If no seat is null the match starts at once. If no seat is "me" the creator is a spectator.
   */
  seats?: ("me" | BotSeat | null)[] | null;
  /** The creator's contribution to the chance of the first match, as in `ready`; not for a creator without a seat. */
  salt?: string | null;
};

/** A request for a new room. */
export type OpenRoomRequest = MorrisOpenRoomRequest | TernioOpenRoomRequest | RainbowOpenRoomRequest | TriboardOpenRoomRequest | TurncoatOpenRoomRequest;

/** Whether a player is connected to the room. */
export type PlayerPresence = {
  /** True from the first connection on until some seconds after the last one, so that a reload is not noticed. */
  online: boolean;
  /** How many connections the player has to this room. */
  devices: number;
};

/** A member of the room. */
export type MemberView = {
  id: string;
  nickname: string;
  as: "player" | "spectator";
  /** The kind of the bot; null for people. */
  bot: "easy" | "hard" | "medium" | "external" | null;
  /** Whether the creator has muted this member in the chat. */
  muted: boolean;
  /** Whether the member is connected; null in a view of the past, and in a reply to a command if it is not known. */
  presence: PlayerPresence | null;
};

/** The view of all audiences; nothing in this game is secret. */
export type MorrisView = {
  points: Record<string, "black" | "white" | null>;
  phase: Record<string, "flying" | "moving" | "placing">;
  hand: Record<string, number>;
  on_board: Record<string, number>;
  lost: Record<string, number>;
  mills: [string, string, string][];
  removals_owed: number;
  /** The latest events on the board, for highlighting. */
  last: MorrisEvent[];
};

/** The running match, or the latest one until the next one starts. */
export type MorrisMatchView = {
  number: number;
  id: string;
  status: "finished" | "playing";
  started: string;
  ended: string | null;
  /** The game's own view, with the latest events as `last`. */
  state: MorrisView;
  to_move: number[];
  legal_moves: MorrisMove[];
  /** Null if time is not limited. */
  clock: ClockView | null;
  result: MatchResult | null;
  /** Whether the viewer's seat has a turn for which it can request a takeback. */
  can_take_back: boolean;
};

/** The options and settings that will apply after the running match. */
export type NextMatchView = {
  options: AnyOptions;
  settings: RoomSettings;
};

/** An open offer, which the other humans in the match have to accept, and for a draw the bots too. */
export type OfferView = {
  /** The number for `answer` and `withdraw`. */
  id: number;
  type: "draw" | "kick" | "new" | "restart" | "takeback";
  by: string;
  /** Who has not answered yet; the holder of several seats answers once. */
  awaits: string[];
  accepted: string[];
  /** For a takeback: the version to whose position the match would return. */
  to_version: number | null;
  /** For a kick: who would be removed. */
  player: string | null;
};

/** A seat, its colour, its holder, and whether they are ready for the next match. */
export type SeatView = {
  seat: number;
  colour: string;
  player: string | null;
  ready: boolean;
  /** The level of the service's bot on this seat; null for a player's seat and for an empty one. */
  bot: "easy" | "hard" | "medium" | null;
  /** When the running match can be claimed against this seat; null while its player is present. */
  claimable_at: string | null;
};

/** A player's score in the series. */
export type SeriesScore = {
  player: string;
  /** Null for a player who has left. */
  nickname: string | null;
  /** 1 for each match won alone, 0.5 for each shared first place. */
  points: number;
};

/** Matches whose results are added up; points belong to players, whichever seats they hold. */
export type SeriesView = {
  /** The number of the series in its room. */
  number: number;
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
  room: string;
  title: string;
  epoch: string;
  game: "morris";
  options: MorrisOptions;
  settings: RoomSettings;
  status: "closed" | "finished" | "open" | "playing";
  creator: string;
  players: MemberView[];
  /** The number of connected spectators, null like `presence`; see the frame `presence`. */
  watchers: number | null;
  seats: SeatView[];
  /** Null without a series. */
  series: SeriesView | null;
  /** Changes by `configure` that will apply after the running match; null if nothing changes. */
  next: NextMatchView | null;
  /** The SHA-256 of the next match's seed, in hex; null during a match, whose end publishes it. */
  next_seed_hash: string | null;
  version: number;
  match: MorrisMatchView | null;
  offers: OfferView[];
  restart_at: string | null;
  server_time: string;
};

/** A peg on the board. */
export type RainbowStanding = {
  owner: "one" | "three" | "two";
  peg: "BV" | "GB" | "OY" | "RO" | "VR" | "WK" | "YG";
  up: "B" | "G" | "K" | "O" | "R" | "V" | "W" | "Y";
};

/** The view of all audiences; nothing in this game is secret. */
export type RainbowView = {
  /** The occupied cells. */
  cells: Record<string, RainbowStanding>;
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
  number: number;
  id: string;
  status: "finished" | "playing";
  started: string;
  ended: string | null;
  /** The game's own view, with the latest events as `last`. */
  state: RainbowView;
  to_move: number[];
  legal_moves: RainbowMove[];
  /** Null if time is not limited. */
  clock: ClockView | null;
  result: MatchResult | null;
  /** Whether the viewer's seat has a turn for which it can request a takeback. */
  can_take_back: boolean;
};

/** A room at one version, as one viewer may see it. */
export type RainbowRoomView = {
  room: string;
  title: string;
  epoch: string;
  game: "rainbow";
  options: RainbowOptions;
  settings: RoomSettings;
  status: "closed" | "finished" | "open" | "playing";
  creator: string;
  players: MemberView[];
  /** The number of connected spectators, null like `presence`; see the frame `presence`. */
  watchers: number | null;
  seats: SeatView[];
  /** Null without a series. */
  series: SeriesView | null;
  /** Changes by `configure` that will apply after the running match; null if nothing changes. */
  next: NextMatchView | null;
  /** The SHA-256 of the next match's seed, in hex; null during a match, whose end publishes it. */
  next_seed_hash: string | null;
  version: number;
  match: RainbowMatchView | null;
  offers: OfferView[];
  restart_at: string | null;
  server_time: string;
};

/** The number of discs by seat. */
export type TernioScores = {
  red: number;
  green: number;
  blue: number;
};

/** The view of all audiences: nine rows, the top row first, and the scores. */
export type TernioView = {
  board: string[];
  scores: TernioScores;
  /** The latest events on the board, for highlighting. */
  last: TernioEvent[];
};

/** The running match, or the latest one until the next one starts. */
export type TernioMatchView = {
  number: number;
  id: string;
  status: "finished" | "playing";
  started: string;
  ended: string | null;
  /** The game's own view, with the latest events as `last`. */
  state: TernioView;
  to_move: number[];
  legal_moves: TernioMove[];
  /** Null if time is not limited. */
  clock: ClockView | null;
  result: MatchResult | null;
  /** Whether the viewer's seat has a turn for which it can request a takeback. */
  can_take_back: boolean;
};

/** A room at one version, as one viewer may see it. */
export type TernioRoomView = {
  room: string;
  title: string;
  epoch: string;
  game: "ternio";
  options: TernioOptions;
  settings: RoomSettings;
  status: "closed" | "finished" | "open" | "playing";
  creator: string;
  players: MemberView[];
  /** The number of connected spectators, null like `presence`; see the frame `presence`. */
  watchers: number | null;
  seats: SeatView[];
  /** Null without a series. */
  series: SeriesView | null;
  /** Changes by `configure` that will apply after the running match; null if nothing changes. */
  next: NextMatchView | null;
  /** The SHA-256 of the next match's seed, in hex; null during a match, whose end publishes it. */
  next_seed_hash: string | null;
  version: number;
  match: TernioMatchView | null;
  offers: OfferView[];
  restart_at: string | null;
  server_time: string;
};

/** The number of cells by seat. */
export type TriboardScores = {
  blue: number;
  red: number;
  green: number;
};

/** The view of all audiences: eleven rows, the top row first, and the scores. */
export type TriboardView = {
  board: string[];
  scores: TriboardScores;
  /** The latest events on the board, for highlighting. */
  last: TriboardEvent[];
};

/** The running match, or the latest one until the next one starts. */
export type TriboardMatchView = {
  number: number;
  id: string;
  status: "finished" | "playing";
  started: string;
  ended: string | null;
  /** The game's own view, with the latest events as `last`. */
  state: TriboardView;
  to_move: number[];
  legal_moves: TriboardMove[];
  /** Null if time is not limited. */
  clock: ClockView | null;
  result: MatchResult | null;
  /** Whether the viewer's seat has a turn for which it can request a takeback. */
  can_take_back: boolean;
};

/** A room at one version, as one viewer may see it. */
export type TriboardRoomView = {
  room: string;
  title: string;
  epoch: string;
  game: "triboard";
  options: TriboardOptions;
  settings: RoomSettings;
  status: "closed" | "finished" | "open" | "playing";
  creator: string;
  players: MemberView[];
  /** The number of connected spectators, null like `presence`; see the frame `presence`. */
  watchers: number | null;
  seats: SeatView[];
  /** Null without a series. */
  series: SeriesView | null;
  /** Changes by `configure` that will apply after the running match; null if nothing changes. */
  next: NextMatchView | null;
  /** The SHA-256 of the next match's seed, in hex; null during a match, whose end publishes it. */
  next_seed_hash: string | null;
  version: number;
  match: TriboardMatchView | null;
  offers: OfferView[];
  restart_at: string | null;
  server_time: string;
};

/** The view of a seat or of the public; `own_selection` is null for the public, and before the seat has selected. */
export type TurncoatView = {
  boards: Record<string, string[]>;
  round: number;
  black: Record<string, number>;
  selected: Record<string, boolean>;
  committed: Record<string, boolean>;
  own_selection: string | null;
  /** The latest events on the board, for highlighting. */
  last: TurncoatEvent[];
};

/** The running match, or the latest one until the next one starts. */
export type TurncoatMatchView = {
  number: number;
  id: string;
  status: "finished" | "playing";
  started: string;
  ended: string | null;
  /** The game's own view, with the latest events as `last`. */
  state: TurncoatView;
  to_move: number[];
  legal_moves: TurncoatMove[];
  /** Null if time is not limited. */
  clock: ClockView | null;
  result: MatchResult | null;
  /** Whether the viewer's seat has a turn for which it can request a takeback. */
  can_take_back: boolean;
};

/** A room at one version, as one viewer may see it. */
export type TurncoatRoomView = {
  room: string;
  title: string;
  epoch: string;
  game: "turncoat";
  options: TurncoatOptions;
  settings: RoomSettings;
  status: "closed" | "finished" | "open" | "playing";
  creator: string;
  players: MemberView[];
  /** The number of connected spectators, null like `presence`; see the frame `presence`. */
  watchers: number | null;
  seats: SeatView[];
  /** Null without a series. */
  series: SeriesView | null;
  /** Changes by `configure` that will apply after the running match; null if nothing changes. */
  next: NextMatchView | null;
  /** The SHA-256 of the next match's seed, in hex; null during a match, whose end publishes it. */
  next_seed_hash: string | null;
  version: number;
  match: TurncoatMatchView | null;
  offers: OfferView[];
  restart_at: string | null;
  server_time: string;
};

/** A room at one version, as one viewer may see it. */
export type RoomView = MorrisRoomView | TernioRoomView | RainbowRoomView | TriboardRoomView | TurncoatRoomView;

/** The room that was opened. */
export type OpenRoomResponse = {
  room: string;
  version: number;
  view: RoomView;
  /** The token of the new guest, if the request had none. */
  token?: string | null;
};

/** Ask for a `pong`. */
export type PingFrame = {
  type: "ping";
};

/** The answer to `ping`. */
export type PongFrame = {
  type: "pong";
};

/** Who is connected to the room; sent soon after subscribing, and whenever it changes. */
export type PresenceFrame = {
  type: "presence";
  room: string;
  /** All members of the room by their id. */
  players: Record<string, PlayerPresence>;
  /** The number of connected spectators: connections without a token, and people who are not players of the room. */
  watchers: number;
};

/** The last event of a dry run if what follows depends on a reveal or on chance. */
export type UnknownEvent = {
  type: "unknown";
};

/** The events of a command and the view after it; for a dry run, the foreseeable events and the current view. */
export type CommandResponse = {
  version: number;
  events: (AnyEvent | UnknownEvent)[];
  /** Left out with `Prefer: return=minimal`, and on a socket that follows the room unless the command asks for it. */
  view?: RoomView;
};

/** The answer to a command: as over HTTP, either the result or the problem. */
export type ReplyFrame = {
  type: "reply";
  id: string | number;
  result?: CommandResponse;
  problem?: Problem;
  /** Whether the command was already accepted before; this repeats its first answer. */
  replayed?: boolean;
};

/** The full view: after a subscription without `since`, after history was lost or replaced, or for a slow socket. */
export type SnapshotFrame = {
  type: "snapshot";
  room: string;
  version: number;
  epoch: string;
  mark: string;
  reason: "history_changed" | "subscribed" | "too_slow";
  view: RoomView;
};

/** Follow a room, or the lobby. The first frame can have the token, which authenticates the whole socket. */
export type SubscribeFrame = {
  type: "subscribe";
  room?: string | null;
  /** True for the lobby, without `room`. */
  lobby?: boolean;
  /** For the lobby: only rooms of this game. */
  game?: string | null;
  /** The last version that the client has; it receives the events after it. */
  since?: number | null;
  /** The mark of that version, which shows whether the room's history was replaced. */
  mark?: string | null;
  token?: string | null;
  /** The seat whose view to send, for a holder of several seats. */
  seat?: number | null;
  /** Whether updates have the view; with `patch` they have its changes as a JSON Patch. */
  state?: boolean | "patch";
};

/** The subscription was accepted; if `recovered`, the events since the client's version follow. */
export type SubscribedFrame = {
  type: "subscribed";
  room: string;
  version: number;
  epoch: string;
  mark: string;
  recovered: boolean;
};

/** Stop following a room, or the lobby. */
export type UnsubscribeFrame = {
  type: "unsubscribe";
  room?: string | null;
  /** True for the lobby, without `room`. */
  lobby?: boolean;
};

/** One operation of a JSON Patch (RFC 6902). */
export type PatchOperation = {
  op: "add" | "remove" | "replace";
  /** A JSON Pointer (RFC 6901) into the view. */
  path: string;
  /** Left out with `remove`. */
  value?: unknown;
};

/** The events of one command, and the view after them if it was requested and they are the latest. */
export type UpdateFrame = {
  type: "update";
  room: string;
  version: number;
  mark: string;
  events: AnyEvent[];
  view?: RoomView;
  /** The current clocks, if time is limited and there is no view. */
  clock?: ClockView;
  /** With a patch: the version of the view that it changes, the last one that was sent to this subscription. */
  from?: number;
  /** With `state: "patch"`: the JSON Patch (RFC 6902) that turns that view into the view after these events. */
  patch?: PatchOperation[];
};
