/**
 * One socket to the service, for as long as the page is open. It says again after every break what is followed, from
 * where each follower stands, so nothing is lost and nothing comes twice.
 */

import { forget, guest } from './guest.js';

/**
 * What a follower of a topic hands over.
 * @typedef {object} Follower
 * @property {Record<string, any>} topic what is followed: a room, or the lobby
 * @property {() => Record<string, any>} subscription the rest of the frame that subscribes, from where the follower stands now
 * @property {(frame: any) => boolean} concerns whether a frame is for this follower
 * @property {(frame: any) => void} take
 */

const FIRST_WAIT_MS = 300;
const LONGEST_WAIT_MS = 8000;
const SILENCE_MS = 40_000;
const ANSWER_MS = 8000;

/** @typedef {'connecting' | 'live' | 'lost' | 'over'} Condition */

export class Feed {
  /** @param {string} address the socket's path @param {() => void} changed called when `condition` has changed */
  constructor(address, changed) {
    this.address = address;
    this.changed = changed;
    /** @type {Condition} */
    this.condition = 'connecting';
    /** @type {Set<Follower>} */
    this.followers = new Set();
    /** @type {WebSocket | null} */
    this.socket = null;
    this.failures = 0;
    this.waiting = 0;
    this.watchdog = 0;
    addEventListener('online', () => this.hurry());
    addEventListener('pagehide', () => this.rest());
    addEventListener('pageshow', () => this.hurry());
    document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && this.hurry());
  }

  /** @param {Follower} follower */
  follow(follower) {
    this.followers.add(follower);
    if (this.isOpen) this.subscribe(follower);
    else this.connect();
  }

  /** @param {Follower} follower */
  unfollow(follower) {
    this.followers.delete(follower);
    if (this.isOpen) this.send({ type: 'unsubscribe', ...follower.topic });
  }

  get isOpen() {
    return this.socket?.readyState === WebSocket.OPEN;
  }

  /** @param {Record<string, any>} frame */
  send(frame) {
    this.socket?.send(JSON.stringify(frame));
  }

  connect() {
    if (this.socket || !this.followers.size) return;
    clearTimeout(this.waiting);
    const socket = new WebSocket(`${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}${this.address}`);
    this.socket = socket;
    socket.onopen = () => this.opened();
    socket.onmessage = ({ data }) => this.socket === socket && this.take(JSON.parse(data));
    socket.onclose = ({ code }) => this.socket === socket && this.closed(code);
  }

  opened() {
    this.become('live');
    for (const follower of this.followers) this.subscribe(follower);
    this.listen();
  }

  /** @param {Follower} follower */
  subscribe(follower) {
    this.send({
      type: 'subscribe',
      ...(guest.token ? { token: guest.token } : {}),
      ...follower.topic,
      ...follower.subscription(),
    });
  }

  /** @param {any} frame */
  take(frame) {
    this.failures = 0;
    this.listen();
    for (const follower of this.followers) if (follower.concerns(frame)) follower.take(frame);
  }

  /** A socket that is silent for long may be dead without knowing it. */
  listen() {
    clearTimeout(this.watchdog);
    this.watchdog = setTimeout(() => {
      this.send({ type: 'ping' });
      this.watchdog = setTimeout(() => this.lose(), ANSWER_MS);
    }, SILENCE_MS);
  }

  /** @param {number} code what the socket was closed with; see `/asyncapi.json` */
  closed(code) {
    this.drop();
    if (code === 1009 || (code >= 4200 && code < 4300)) return this.become('over');
    if (code >= 4100 && code < 4200) forget();
    return this.retry();
  }

  lose() {
    this.drop();
    this.retry();
  }

  retry() {
    this.become('lost');
    const wait = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** this.failures);
    this.failures += 1;
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => this.connect(), wait * (0.75 + Math.random() / 2));
  }

  /** Try at once when the device is back. */
  hurry() {
    if (this.condition === 'lost' && !this.socket) this.connect();
  }

  /** A page that was left may be kept for the way back; nobody is there until then. */
  rest() {
    if (!this.socket) return;
    this.drop();
    this.become('lost');
  }

  drop() {
    clearTimeout(this.watchdog);
    const socket = this.socket;
    this.socket = null;
    socket?.close();
  }

  /** @param {Condition} condition */
  become(condition) {
    if (this.condition === condition) return;
    this.condition = condition;
    this.changed();
  }
}
