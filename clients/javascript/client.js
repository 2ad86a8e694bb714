/**
 * A client of Turnstream, the multiplayer board-game service, for browsers, Node and Deno.
 *
 * `Client` is a player and sends requests. `client.follow` resolves to a `Room`, which follows one room over a socket,
 * resumes after a lost connection, and sends commands that are executed once. `client.followMe` follows what happens to
 * the player in all rooms, and `client.findMatches` looks for other players. The types are in `schema.d.ts`.
 */

import { Account } from './client/account.js';
import { Bots } from './client/bots.js';
import { Challenges } from './client/challenges.js';
import { Chat } from './client/chat.js';
import { Lobby } from './client/feed.js';
import { acceptInvitation, declineInvitation, invite, readInvitation, readInvitations } from './client/invitations.js';
import { readAnalysis, readMatchText, requestReview } from './client/matches.js';
import { OwnFeed } from './client/own_feed.js';
import { Players } from './client/players.js';
import { Ratings } from './client/ratings.js';
import { Requests, unless } from './client/requests.js';
import { Room } from './client/room.js';
import { acceptSeek, findMatches, makeSeek, openSeeks, ownSeeks, withdrawSeek } from './client/seeks.js';
import { Tournament } from './client/tournament.js';
import { Tournaments } from './client/tournaments.js';
import { Tv } from './client/tv.js';
import { Webhooks } from './client/webhooks.js';

export {
  EventsMissedError,
  FeedClosedError,
  RefusedError,
  RoomReplacedError,
  TurnstreamError,
  UnreachableError,
} from './client/requests.js';
export { Chat, Lobby, OwnFeed, Room, Tournament, Tv };

/**
 * @import { AcceptInvitation, ChatPage, InvitationList, InvitationView, InviteCommand, JoinCommand, MatchAnalysis,
 *   NewInvitation, OpenSeeks, OwnSeek, OwnSeeks, ReviewState, SeekMatchedEvent, SeekRequest } from './schema.d.ts'
 */
/** @typedef {import('./client/clock.js').MatchView} MatchView */
/** @typedef {import('./client/feed.js').Frame} Frame */
/** @typedef {import('./client/requests.js').Retries} Retries */

/**
 * A player of one server, or a spectator without a token: sends requests, and follows rooms and the lobby. Every method
 * throws `RefusedError` and `UnreachableError`.
 */
export class Client extends Requests {
  /** Tokens, link codes, the recovery code, and blocked players. */
  account = new Account(this);
  /** Requests to particular players to play. */
  challenges = new Challenges(this);
  /** The list of bots that can be challenged. */
  bots = new Bots(this);
  /** Profiles, matches and results of players. */
  players = new Players(this);
  /** Leaderboards, ratings, and the data from which they are computed. */
  ratings = new Ratings(this);
  /** Round robins, Swiss systems and arenas. */
  tournaments = new Tournaments(this);
  /** Endpoints to which the player's events are sent. */
  webhooks = new Webhooks(this);

  /**
   * @param {string} url of the server, such as `http://127.0.0.1:8000`
   * @param {ConstructorParameters<typeof Requests>[1]} [options] as for `Requests`
   */
  constructor(url, options) {
    super(url, options);
    if (typeof WebSocket === 'undefined') {
      throw new Error('turnstream-client needs WebSocket: use Node 22 or later, Deno or a browser.');
    }
  }

  /**
   * Follow the public rooms, of all games or of one, until `close` is called. Resolves when the rooms have arrived.
   * @param {{game?: string, joinable?: boolean}} [options] with `joinable` only rooms in which others can take a seat
   * @returns {Promise<Lobby>}
   */
  async followLobby(options = {}) {
    const lobby = new Lobby(this, options);
    await lobby.open();
    return lobby;
  }

  /**
   * Follow a view of the chat until `close` is called: the lobby and the player's rooms in one order, `lobby`, or a
   * room. Resolves when the latest lines have arrived.
   * @param {string} [view]
   * @returns {Promise<Chat>}
   */
  async followChat(view = 'all') {
    const chat = new Chat(this, view);
    await chat.open();
    return chat;
  }

  /**
   * The latest lines of a view of the chat (`all`, `lobby` or a room) in one order, or those before or after a line.
   * @param {string} [view]
   * @param {{cursor?: string, since?: string}} [query]
   * @returns {Promise<ChatPage>}
   */
  chatView(view = 'all', query = {}) {
    return this.get(`/v1/chat?${new URLSearchParams({ view, ...query })}`);
  }

  /**
   * Join a room and follow it; a player who has already joined only follows it. `command` names a seat, a nickname, or
   * the password of a private room, which only its members can follow.
   * @param {string} room
   * @param {Omit<JoinCommand, 'type'>} [command]
   * @returns {Promise<Room>}
   */
  async join(room, command = {}) {
    await unless('already_joined', this.send(room, { type: 'join', ...command }));
    return this.follow(room);
  }

  /**
   * Follow a room until its `close` is called. Resolves when the view has arrived. `seat` is for a player who holds
   * several: the one whose view to receive.
   * @param {string} room
   * @param {{seat?: number | null}} [options]
   * @returns {Promise<Room>}
   */
  async follow(room, { seat = null } = {}) {
    await this.player();
    const followed = new Room(this, room, seat);
    await followed.open();
    return followed;
  }

  /**
   * Follow what happens to the player in all rooms, until `close` is called: turns, matches, offers, seeks. Resolves
   * when the rooms have arrived.
   * @returns {Promise<OwnFeed>}
   */
  async followMe() {
    const feed = new OwnFeed(this);
    await feed.open();
    return feed;
  }

  /**
   * Follow a channel of TV, which shows the best running match of a game, or with `best` of all games, until `close` is
   * called. Resolves when it is known what it shows.
   * @param {string} [channel]
   * @returns {Promise<Tv>}
   */
  async followTv(channel = 'best') {
    const tv = new Tv(this, channel);
    await tv.open();
    return tv;
  }

  /**
   * Follow a tournament with its standings and tables, until `close` is called. Resolves when the view has arrived.
   * @param {string} tournament the id
   * @returns {Promise<Tournament>}
   */
  async followTournament(tournament) {
    const followed = new Tournament(this, tournament);
    await followed.open();
    return followed;
  }

  /**
   * Create an invitation to a room, by default for one player and a day. The page to send: `/i/` and its code.
   * @param {string} room
   * @param {Omit<InviteCommand, 'type'>} [command]
   * @returns {Promise<NewInvitation>}
   */
  invite(room, command = {}) {
    return invite(this, room, command);
  }

  /**
   * The invitations of a room that this player may see, with the codes of the player's own ones.
   * @param {string} room
   * @returns {Promise<InvitationList>}
   */
  invitations(room) {
    return readInvitations(this, room);
  }

  /**
   * A finished match: all its positions, or with `ply` that one, and how bots evaluate them once that was requested.
   * @param {string} match its id
   * @param {number} [ply]
   * @returns {Promise<MatchAnalysis>}
   */
  analysis(match, ply) {
    return readAnalysis(this, match, ply);
  }

  /**
   * Have bots evaluate a finished match, once for everybody; its analysis has `review: 'done'` when they have.
   * @param {string} match its id
   * @returns {Promise<ReviewState>}
   */
  requestReview(match) {
    return requestReview(this, match);
  }

  /**
   * A match as text: a finished one in notation, or the events of any match, one per line.
   * @param {string} match its id
   * @param {'text/plain' | 'application/x-ndjson'} [type]
   * @returns {Promise<string>}
   */
  matchText(match, type) {
    return readMatchText(this, match, type);
  }

  /**
   * Who invites, and to which game and settings. Reading an invitation does not use it.
   * @param {string} code
   * @returns {Promise<InvitationView>}
   */
  invitation(code) {
    return readInvitation(this, code);
  }

  /**
   * Join by an invitation; without a token, this first becomes a guest with the nickname. Resolves to the room's name.
   * @param {string} code
   * @param {AcceptInvitation} [request]
   * @returns {Promise<string>}
   */
  acceptInvitation(code, request = {}) {
    return acceptInvitation(this, code, request);
  }

  /**
   * Show the room that this player is not coming; without a token, the nickname is required.
   * @param {string} code
   * @param {{nickname?: string}} [request]
   * @returns {Promise<void>}
   */
  declineInvitation(code, request = {}) {
    return declineInvitation(this, code, request);
  }

  /**
   * Look for other players, such as `{ game: 'morris' }`: each time they are found, the room in which to be `ready`
   * before the deadline. Looks again when the next one is asked for, and stops when the iteration is left, or when the
   * signal is aborted.
   * @param {SeekRequest} request
   * @param {{signal?: AbortSignal}} [options]
   * @returns {AsyncGenerator<SeekMatchedEvent, void>}
   */
  findMatches(request, { signal } = {}) {
    return findMatches(this, request, signal);
  }

  /**
   * Look for other players for a minute, or for another minute if the same request was sent before. `findMatches` does
   * this for as long as needed.
   * @param {SeekRequest} request
   * @returns {Promise<OwnSeek>}
   */
  makeSeek(request) {
    return makeSeek(this, request);
  }

  /**
   * Take a given seek of another player; the own feed names the room.
   * @param {string} id
   * @returns {Promise<OwnSeek>}
   */
  acceptSeek(id) {
    return acceptSeek(this, id);
  }

  /**
   * End a seek; nothing happens if it has already ended.
   * @param {string} id
   * @returns {Promise<void>}
   */
  withdrawSeek(id) {
    return withdrawSeek(this, id);
  }

  /**
   * The player's own seeks, and the room that waits for the player.
   * @returns {Promise<OwnSeeks>}
   */
  ownSeeks() {
    return ownSeeks(this);
  }

  /**
   * A page of what others are looking for, in all games or in one; its `next` is the `cursor` of the following page.
   * @param {{game?: string, cursor?: string, limit?: string}} [query]
   * @returns {Promise<OpenSeeks>}
   */
  openSeeks(query = {}) {
    return openSeeks(this, query);
  }
}
