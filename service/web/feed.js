/**
 * The feed: one WebSocket for as long as the page is open. After a lost connection it subscribes again from where each
 * subscriber is, so no frame is missed and none arrives twice.
 */

import { redraw } from './app.js';
import { clearGuest, guest } from './guest.js';

/** @import { ClientFrame, Cursor, Frame, Topic } from './types.d.ts' */

/**
 * What receives the frames of a topic.
 * @typedef {object} Subscriber
 * @property {Topic} topic
 * @property {() => Cursor} cursor from where on to subscribe
 * @property {(frame: Frame) => boolean} accepts whether a frame is for this subscriber
 * @property {(frame: Frame) => void} onFrame
 */

/** @typedef {'connecting' | 'connected' | 'reconnecting' | 'closed'} FeedStatus */

const FIRST_WAIT_MS = 300;
const LONGEST_WAIT_MS = 8000;
const SILENCE_MS = 40_000;
const PONG_WAIT_MS = 8000;

class Feed {
  /** @param {string} path of the WebSocket */
  constructor(path) {
    this.path = path;
    /** @type {FeedStatus} */
    this.status = 'connecting';
    /** @type {Set<Subscriber>} */
    this.subscribers = new Set();
    /** @type {WebSocket | null} */
    this.socket = null;
    this.failures = 0;
    this.retryTimer = 0;
    this.watchdog = 0;
    addEventListener('online', () => this.reconnectNow());
    addEventListener('pagehide', () => this.suspend());
    addEventListener('pageshow', () => this.reconnectNow());
    document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && this.reconnectNow());
  }

  /** @param {Subscriber} subscriber */
  subscribe(subscriber) {
    this.subscribers.add(subscriber);
    if (this.isOpen) this.sendSubscription(subscriber);
    else this.connect();
  }

  /** @param {Subscriber} subscriber */
  unsubscribe(subscriber) {
    this.subscribers.delete(subscriber);
    if (this.isOpen) this.send({ type: 'unsubscribe', ...subscriber.topic });
  }

  get isOpen() {
    return this.socket?.readyState === WebSocket.OPEN;
  }

  /** @param {ClientFrame} frame */
  send(frame) {
    this.socket?.send(JSON.stringify(frame));
  }

  /** @param {Subscriber} subscriber */
  sendSubscription(subscriber) {
    const token = guest.token ? { token: guest.token } : {};
    this.send({ type: 'subscribe', ...token, ...subscriber.topic, ...subscriber.cursor() });
  }

  connect() {
    if (this.socket || !this.subscribers.size) return;
    clearTimeout(this.retryTimer);
    const socket = new WebSocket(`${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}${this.path}`);
    this.socket = socket;
    socket.onopen = () => this.onOpen();
    socket.onmessage = ({ data }) => this.socket === socket && this.onFrame(JSON.parse(data));
    socket.onclose = ({ code }) => this.socket === socket && this.onClose(code);
  }

  onOpen() {
    this.setStatus('connected');
    for (const subscriber of this.subscribers) this.sendSubscription(subscriber);
    this.startWatchdog();
  }

  /** @param {Frame} frame */
  onFrame(frame) {
    this.failures = 0;
    this.startWatchdog();
    for (const subscriber of this.subscribers) if (subscriber.accepts(frame)) subscriber.onFrame(frame);
  }

  /**
   * The close codes are listed in `/asyncapi.json`: after 42xx there is no use in another try, 41xx is about the token.
   * @param {number} code
   */
  onClose(code) {
    this.closeSocket();
    if (code === 1009 || (code >= 4200 && code < 4300)) {
      this.setStatus('closed');
      return;
    }
    if (code >= 4100 && code < 4200) clearGuest();
    this.retry();
  }

  /** Ping after a silence, and reconnect without an answer: a dead socket does not always report it. */
  startWatchdog() {
    clearTimeout(this.watchdog);
    this.watchdog = setTimeout(() => {
      this.send({ type: 'ping' });
      this.watchdog = setTimeout(() => this.onSilence(), PONG_WAIT_MS);
    }, SILENCE_MS);
  }

  onSilence() {
    this.closeSocket();
    this.retry();
  }

  retry() {
    this.setStatus('reconnecting');
    const wait = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** this.failures);
    this.failures += 1;
    clearTimeout(this.retryTimer);
    this.retryTimer = setTimeout(() => this.connect(), wait * (0.75 + Math.random() / 2));
  }

  /** Called when the device is online again or the page is visible again. */
  reconnectNow() {
    if (this.status === 'reconnecting' && !this.socket) this.connect();
  }

  /** Disconnect while the page is in the browser's back/forward cache. */
  suspend() {
    if (!this.socket) return;
    this.closeSocket();
    this.setStatus('reconnecting');
  }

  closeSocket() {
    clearTimeout(this.watchdog);
    const socket = this.socket;
    this.socket = null;
    socket?.close();
  }

  /** @param {FeedStatus} status */
  setStatus(status) {
    if (this.status === status) return;
    this.status = status;
    redraw();
  }
}

/** The feed of this page. */
export const feed = new Feed('/v1/feed');
