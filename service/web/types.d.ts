/**
 * The shapes of the API that this client uses, and the parts of a game's view.
 * `tests/web/test_types.py` compares the shapes with `openapi/`.
 */

import type { Step } from './room/moves.js';
import type { Room } from './room/room.js';

// Trees of elements, see `dom.js`.

/** Attributes, properties and handlers of an element. Their types depend on the element. */
export type Props = Record<string, any>;

export type VNode = { tag: string; props: Props; key: string | undefined; children: Child[] };

export type Child = VNode | string;

export type Content = Child | number | null | undefined | false | Content[];

// Games.

export type Cell = { name: string; x: number; y: number };

export type Geometry = {
  kind: 'grid' | 'graph' | 'hexagons';
  width: number;
  height: number;
  cells: Cell[];
  edges: string[][];
  lines: string[][];
  boards: string[];
};

export type SeatName = { seat: number; colour: string };

export type Level = 'easy' | 'casual' | 'medium' | 'skilled' | 'hard' | 'expert';

/** A bot of the service by its level, or a player who was declared a bot. */
export type BotKind = Level | 'external';

/** The options of rooms and their values, by name. */
export type Values = Record<string, unknown>;

export type Game = {
  slug: string;
  title: string;
  tagline: string;
  summary: string[];
  rules: string;
  seats: { options: Values; seats: SeatName[] }[];
  simultaneous: boolean;
  telling_ms: number;
  options: Schema;
  bots: Level[];
  geometry: Geometry;
  lesson_steps: number;
  lesson: Lesson | null;
  geometries: { options: Values; geometry: Geometry }[];
  endings: Record<string, string>;
  labels: { colours: Record<string, string>; options: Record<string, OptionLabel> };
  measure: { unit: string; meaning: string } | null;
};

/** What forms call an option and its values. */
export type OptionLabel = { title: string; values: Record<string, string> };

/** A game as listed in the catalogue. */
export type GameSummary = Pick<Game, 'slug' | 'title' | 'tagline' | 'seats' | 'bots' | 'lesson_steps'>;

export type LessonMove = { seat: number; move: Move };

/** A step of a lesson: what is played before it, and the moves that solve it. */
export type LessonStep = {
  text: string;
  before: LessonMove[];
  solutions: LessonMove[][];
  hint: string;
  praise: string;
  /** What shows the game in three moves; in one step only. */
  positions: Values[];
};

export type Lesson = { options: Values; steps: LessonStep[] };

export type Catalogue = { games: GameSummary[] };

/** The refusal codes. */
export type Codes = { codes: { code: string; meaning: string }[] };

/** A JSON Schema, limited to what forms are made from. */
export type Schema = {
  $ref?: string;
  $defs?: Record<string, Schema>;
  properties?: Record<string, Schema>;
  type?: string;
  enum?: (string | number)[];
  default?: unknown;
  minimum?: number;
  maximum?: number;
};

// Players.

export type Player = { id: string; nickname: string; bot?: boolean };

export type MyRoom = {
  room: string;
  title: string;
  game: string;
  status: string;
  my_turn: boolean;
  /** Who holds its seats. */
  seated: Player[];
};

export type Me = { player: Player; rooms: MyRoom[] };

// Rooms.

export type ClockSetting =
  | { type: 'none' }
  | { type: 'per_move'; ms: number }
  | { type: 'fischer'; initial_ms: number; increment_ms: number }
  | { type: 'days'; days: number };

export type Settings = {
  visibility: 'public' | 'unlisted' | 'private';
  start: 'ready' | 'full' | 'creator';
  restart: number | null;
  clock: ClockSetting;
  on_timeout: 'lose' | 'random_move' | 'bot_move';
  bot_pause: number;
  bots_resign?: boolean;
  seats_next: 'keep' | 'rotate';
  best_of: number;
  hints: 'bots_only' | 'off' | 'on';
  hot_seat: boolean;
  spectators: boolean;
  grace_ms: number;
  rated: boolean;
};

export type Seat = {
  seat: number;
  colour: string;
  player: string | null;
  ready: boolean;
  bot: Level | null;
  claimable_at: string | null;
};

export type Member = {
  id: string;
  nickname: string;
  as: 'player' | 'spectator';
  bot: BotKind | null;
  muted: boolean;
  /** Null in a view of the past. */
  presence: { online: boolean } | null;
};

/** A move of any game: its type, and its fields. Those of games without their own view may be numbers. */
export type Move = { type: string; [field: string]: string };

/** A position of any game. Each game's view knows its own; see `MorrisState` and the others. */
export type GameState = { last?: GameEvent[]; [field: string]: unknown };

export type MatchClock = { remaining: number[]; deadline: string | null; server_time: string };

export type Result = { reason: string; places: number[]; scores: number[] | null; winners: number[] };

export type Match = {
  id: string;
  number: number;
  status: 'playing' | 'finished';
  state: GameState;
  to_move: number[];
  legal_moves: Move[];
  clock: MatchClock | null;
  result: Result | null;
  rated: boolean;
};

export type OfferKind = 'draw' | 'takeback' | 'restart' | 'new' | 'kick';

export type Offer = { id: number; type: OfferKind; by: string; awaits: string[] };

export type Series = {
  best_of: number;
  scores: { player: string; nickname: string | null; bot: BotKind | null; points: number }[];
  decided: boolean;
};

/** The rules and settings of a room, or of its next match. */
export type Configuration = { options: Values; settings: Settings };

export type RoomView = Configuration & {
  room: string;
  title: string;
  epoch: string;
  game: string;
  status: 'open' | 'playing' | 'finished' | 'closed';
  creator: string;
  players: Member[];
  watchers: number | null;
  seats: Seat[];
  series: Series | null;
  next: Configuration | null;
  tournament: { id: string; title: string; round: number; table: number } | null;
  version: number;
  match: Match | null;
  offers: Offer[];
  restart_at: string | null;
  waiting_for: number[];
  expires_at?: string;
  server_time: string;
};

export type MatchSummary = {
  id: string;
  number: number;
  started: string;
  players: { seat: number; player: string | null; nickname: string | null; bot: boolean }[];
  versions: { first: number; last: number | null };
  result: Result | null;
  counts: boolean | null;
};

export type MatchPage = { matches: MatchSummary[]; next: number | null };

export type EventPage = { events: RoomEvent[]; next: number | null };

export type ChatLine = {
  id: string;
  time: string;
  player: Player;
  text: string;
  /** Absent in the lobby. */
  room?: string;
  title?: string;
};

export type ChatPage = { lines: ChatLine[] };

export type Hint = { move: Move };

// Events.

type EventBase = { version: number; time: string; match?: number; by?: string };

type EventOf<Type extends string, Fields = object> = Type extends string ? EventBase & { type: Type } & Fields : never;

/** Events that the client knows by their type, whatever is played. */
export type KnownEvent =
  | EventOf<'room_opened' | 'position_copied' | 'start_called' | 'invitation_made' | 'invitation_revoked'>
  | EventOf<'invitation_declined', { player: string; nickname: string }>
  | EventOf<'match_started' | 'next_configured' | 'room_configured' | 'room_closed'>
  | EventOf<'clocks_extended'>
  | EventOf<'seats_assigned', { seats: (string | null)[] }>
  | EventOf<'match_ended', { result: Result }>
  | EventOf<'taken_back', { to_version: number; seat: number }>
  | EventOf<'player_joined', { player: string; nickname: string; as: 'player' | 'spectator' }>
  | EventOf<'player_left' | 'player_kicked' | 'player_readied' | 'player_unreadied', { player: string }>
  | EventOf<'creator_changed' | 'next_vetoed' | 'offer_accepted', { player: string }>
  | EventOf<'player_muted', { player: string; on: boolean }>
  | EventOf<'seat_taken' | 'seat_left', { seat: number; player: string }>
  | EventOf<'seat_deserted' | 'seat_returned' | 'time_ran_out', { seat: number }>
  | EventOf<'offer_made', { kind: OfferKind; player: string }>
  | EventOf<'offer_closed', { reason: string; player?: string | null }>
  | EventOf<'passed', { seat: number }>
  | EventOf<'dropped', { seat: number; reason: string }>
  | EventOf<'rolled', { seat: number; value: number | string }>
  | EventOf<'placed', { seat: number; at: string; captured?: string[] }>;

/** What events of games have in common, where they have it. */
export type GameEvent = EventBase & {
  type: string;
  seat?: number;
  player?: string | null;
  board?: string | string[];
  at?: string;
  from?: string;
  to?: string;
  captured?: string[];
  mills?: string[][];
  trapped?: string[];
};

/** An event as it arrives. `is` of `room/describe.js` checks its type. */
export type RoomEvent = GameEvent;

// Commands.

export type Command =
  | { type: 'join'; nickname?: string; as?: 'player' | 'spectator'; password?: string }
  | { type: 'play'; move: Move; seat?: number }
  | { type: 'resign'; seat?: number }
  | { type: 'ready'; salt?: string }
  | { type: 'unready' | 'leave' | 'leave_seat' | 'start' | 'close' | 'veto_next' }
  | { type: 'offer_draw' | 'request_takeback' | 'request_restart' | 'request_new' }
  | { type: 'take_seat' | 'remove_bot'; seat: number }
  | { type: 'add_bot'; seat: number; level: Level }
  | { type: 'assign_seats'; seats: (string | null)[] }
  | { type: 'answer'; offer: number; accept: boolean }
  | { type: 'withdraw'; offer: number }
  | { type: 'mute'; player: string; on: boolean }
  | { type: 'kick'; player: string }
  | { type: 'claim_abandoned'; seat: number; outcome: 'win' | 'draw' | 'bot' }
  | { type: 'configure'; options: Values; settings: Values }
  | { type: 'revoke_invitation'; invitation: number };

/** The body that opens a room. */
export type RoomRequest = {
  game: string;
  salt?: string;
  name?: string;
  nickname?: string;
  options?: Values;
  settings?: Values;
  seats?: ('me' | { bot: Level } | null)[];
};

// The games' positions, moves and events, for their views.

/** A position of Ternio or Triboard. */
export type ColourState = { board: string[]; scores: Record<string, number>; last: GameEvent[] };

export type MorrisState = {
  points: Record<string, string | null>;
  phase: Record<string, string>;
  hand: Record<string, number>;
  on_board: Record<string, number>;
  lost: Record<string, number>;
  mills: string[][];
  removals_owed: number;
  last: GameEvent[];
};

export type MorrisEvent = EventBase &
  (
    | { type: 'placed'; seat: number; at: string; mills: string[][] }
    | { type: 'moved'; seat: number; from: string; to: string; mills: string[][] }
    | { type: 'removed'; seat: number; at: string }
    | { type: 'rolled'; seat: number; value: number | string }
    | { type: 'began' | 'dropped'; seat: number }
  );

export type Peg = { owner: string; peg: string; up: string };

export type RainbowState = {
  cells: Record<string, Peg>;
  off_board: Record<string, string[]>;
  resting: Record<string, string[]>;
  die: string | null;
  line: string[] | null;
  last: GameEvent[];
};

export type RainbowEvent = EventBase &
  (
    | { type: 'placed' | 'flipped'; seat: number; peg: string; side: string; at: string }
    | { type: 'moved'; seat: number; from: string; to: string }
    | { type: 'rolled'; seat: number; value: string }
    | { type: 'dropped'; seat: number }
  );

export type TurncoatState = {
  boards: Record<string, string[]>;
  round: number;
  black: Record<string, number>;
  selected: Record<string, boolean>;
  committed: Record<string, boolean>;
  own_selection: string | null;
  last: GameEvent[];
};

/** A square that turned, with the discs trapped by it. */
export type Turned = EventBase & {
  type: 'turned';
  board: string;
  half: 1 | 2;
  at: string;
  to: 'B' | 'W';
  trapped: string[];
};

export type TurncoatEvent =
  | Turned
  | (EventBase & { type: 'selected' | 'committed' | 'dropped'; seat: number })
  | (EventBase & { type: 'round_begun'; round: number })
  | (EventBase & { type: 'laid_out' });

// What a game's view consists of.

/** A position shown for a moment on the way to the present one. */
export type AnimationStep = {
  state: GameState;
  description: string;
  /** The board it is about. */
  board?: string;
  /** Marked cells, by board. */
  marks?: Record<string, string>;
};

/** How a game is drawn and described. Everything but `draw` and `picture` may be missing. */
export interface GameView<Event extends RoomEvent = RoomEvent> {
  /** The boards. */
  draw(room: Room): Content;
  /** A small position for the lobby, or the board without pieces, as large as the one that follows. */
  picture(game: Game, isEmpty?: boolean): Content;
  /** What is beside the boards, such as the player's pieces in hand. */
  tray?(room: Room): Content;
  /** What a seat has beside the board, such as men in hand. */
  held?(room: Room, seat: number): Content;
  /** The number beside a seat. */
  count?(room: Room, seat: number): string | null;
  /** Whether a seat has nothing left on the board and only passes from then on. */
  isOut?(room: Room, seat: number): boolean;
  /** What that number counts, if not pieces on the board. */
  countLabel?: string;
  /** What the player to move is expected to do. */
  phase?(room: Room): string | null;
  /** How far the match is, if the game counts that, such as `Round 2 of 60`. */
  progress?(room: Room): string;
  /** The position after a move of this colour, as far as it is known before the service answers. */
  preview?(state: GameState, move: Move, colour: string): GameState;
  /** Positions to show one after the other, instead of jumping to the latest. */
  animationSteps?(match: Match, events: RoomEvent[]): AnimationStep[];
  /** Whether these steps, entered while others move, are a move, the beginning of one, or none. */
  premove?(room: Room, steps: Step[]): 'more' | 'complete' | 'none';
  /** Why a step cannot be picked. */
  explain?(room: Room, step: Step): string | null;
  /** The message for a piece that can be picked up although it cannot move. */
  stuckMessage?(room: Room, cell: string): string | null;
  /** An event as a sentence; null for the common one. */
  describe?(event: Event, room: Room): string | null;
  /** An event's entry in the list of moves; null for none, undefined for the common one. */
  ply?(event: Event, room: Room): string | null | undefined;
  /** A hint as a clause after "A bot would"; null for the common one. */
  describeMove?(move: Move): string | null;
  /** Whether possible moves are shown only on request. */
  showsTargetsOnRequest?: boolean;
  /** Whether the view has its own buttons for the choices of a move, such as a peg's side. */
  hasChoiceButtons?: boolean;
  /** Whether the view has its own buttons for moves that need no further choice. */
  hasMoveButtons?: boolean;
}

/** What a room's page remembers while the room is open. */
export type UiState = {
  /** The seat whose player is being moved. */
  moving?: number;
  /** Whether "Resign" has been pressed once. */
  resigning?: boolean;
  /** Which part of the menu "Match …" is open: its buttons, or the confirmation of one of them. */
  menu?: 'open' | 'request_restart' | 'request_new';
  /** Whether "Close the room" has been pressed once. */
  closing?: boolean;
  /** The seat on this device whose player is being named. */
  naming?: number;
  /** What has been changed in the dialog for the next match. */
  configuring?: { options: Values; settings: Values };
  /** Whether the numbers of a review's graph are shown as a table. */
  showsNumbers?: boolean;
  /** The seats of which the player knows that they have nothing left. */
  out?: number[];
  /** Whether the next match was postponed by a touch of the board. */
  isPostponed?: boolean;
  /** The board's tab in Turncoat. */
  tab?: string;
  /** The board's look in Tic-Tac-Rainbow. */
  grid?: 'square' | 'hex';
  /** The cell whose move is previewed. */
  hover?: string | undefined;
  /** The cell whose piece is being dragged. */
  dragged?: string;
  /** What the player has drawn on the boards, by board. */
  drawings?: Record<string, { from: string; to: string; kind?: string }[]>;
  /** The position that was drawn last, and the version of its latest event. */
  drawn?: { state: GameState; version: number };
  /** The cell that Tab comes to, by board. */
  focus: Record<string, string>;
};

// What the compiler does not know of browsers.

/** Makes the policies by which strings become addresses of scripts. */
export type TrustedTypes = {
  createPolicy(
    name: string,
    rules: { createScriptURL: (address: string) => string },
  ): { createScriptURL(address: string): unknown };
};

export type WorkerEvent = { waitUntil(work: Promise<unknown>): void };

export type NotificationEvent = WorkerEvent & { notification: { data: unknown; close(): void } };

export type RequestEvent = WorkerEvent & { request: Request; respondWith(response: Promise<Response>): void };

/** The global scope of a service worker. */
export interface WorkerScope {
  clients: {
    claim(): Promise<void>;
    matchAll(options: { type: 'window' }): Promise<{ focus(): Promise<unknown>; navigate(path: string): unknown }[]>;
    openWindow(path: string): Promise<unknown>;
  };
  skipWaiting(): Promise<void>;
  addEventListener(type: 'install' | 'activate', listener: (event: WorkerEvent) => void): void;
  addEventListener(type: 'fetch', listener: (event: RequestEvent) => void): void;
  addEventListener(type: 'notificationclick', listener: (event: NotificationEvent) => void): void;
}
