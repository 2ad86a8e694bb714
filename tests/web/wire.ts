/**
 * Compares the types of the browser client with those of the API: what the service sends has to fit what the client
 * reads, and what the client sends has to fit what the service reads. Each line fails to compile where it does not.
 */

import type { Answers } from './answers';
import type { Bodies } from './bodies';
import type * as client from './client';

/** Fails to compile unless a value of the one type is one of the other. */
type Fits<From extends To, To> = [From, To];

type WireRoom = Answers['GET /v1/rooms/{room}'];
type WireMatch<Game> = NonNullable<Extract<WireRoom, { game: Game }>['match']>;
type State<Game> = WireMatch<Game>['state'];
type LastEvent<Game> = State<Game> extends { last: (infer Event)[] } ? Event : never;
type WireEvent = Answers['GET /v1/rooms/{room}/events']['events'][number];
type Known = client.KnownEvent['type'];

export type Checked = [
  // Answers.
  Fits<Answers['GET /v1/games'], client.Catalogue>,
  Fits<Answers['GET /v1/games/{game}'], Omit<client.Game, 'options'>>,
  Fits<Answers['GET /v1/players/me'], client.Me>,
  Fits<WireRoom, client.RoomView>,
  Fits<Answers['GET /v1/rooms/{room}/hint'], client.Hint>,
  Fits<Answers['GET /v1/rooms/{room}/matches'], client.MatchPage>,
  Fits<Answers['GET /v1/rooms/{room}/events'], client.EventPage>,
  Fits<Answers['GET /v1/rooms/{room}/chat'], client.ChatPage>,
  Fits<Answers['GET /v1/lobby/chat'], client.ChatPage>,
  Fits<Answers['POST /v1/rooms/{room}/chat'], client.ChatLine>,
  Fits<Answers['POST /v1/lobby/chat'], client.ChatLine>,

  // Events.
  Fits<Extract<WireEvent, { type: Known }>, client.KnownEvent>,
  Fits<Known, WireEvent['type']>,

  // Requests. A move fits the game only by its contents, and so do options.
  Fits<Exclude<client.Command, { type: 'play' }>, Bodies['POST /v1/rooms/{room}/commands']>,
  Fits<keyof client.RoomRequest, keyof Bodies['POST /v1/rooms']>,
  Fits<client.RoomRequest['seats'], Bodies['POST /v1/rooms']['seats']>,
  Fits<Partial<client.Settings>, NonNullable<Bodies['POST /v1/rooms']['settings']>>,

  // Games.
  Fits<State<'ternio' | 'triboard'>, client.ColourState>,
  Fits<State<'morris'>, client.MorrisState>,
  Fits<State<'rainbow'>, client.RainbowState>,
  Fits<State<'turncoat'>, client.TurncoatState>,
  Fits<LastEvent<'morris'>, client.MorrisEvent>,
  Fits<LastEvent<'rainbow'>, client.RainbowEvent>,
  Fits<LastEvent<'turncoat'>, client.TurncoatEvent>,
  Fits<LastEvent<WireRoom['game']>, client.GameEvent>,
];
