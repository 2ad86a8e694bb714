/** The player's events in all rooms, for all parts of the page that listen: one feed for all of them. */

import { OwnFeed } from '../../client/own_feed.js';
import { client, forgetUnknownGuest, guest, keepTrying } from '../app.js';

/** @import { Frame } from '../../client/feed.js' */
/** @import { PlayerEvent } from '../../schema.d.ts' */

/**
 * A listener. `onEvent` gets each event once; `onRestart` is called when events may be missing, as after a long time
 * without a connection.
 * @typedef {{onEvent: (event: PlayerEvent) => void, onRestart?: () => void}} Listener
 */

/** @type {Set<Listener>} */
const listeners = new Set();
/** @type {OwnFeed | null} */
let feed = null;
/** The player of the feed, once it is opened. @type {string | null} */
let token = null;
/** @type {Promise<void>} */
let opening = Promise.resolve();

/**
 * Call a listener from now on, and resolve once it misses no events. Returns the function that ends this.
 * @param {Listener} listener
 */
export async function listen(listener) {
  listeners.add(listener);
  await follow();
  return () => {
    listeners.delete(listener);
    if (!listeners.size) stop();
  };
}

/** Follow the feed of the guest, who may have changed. */
export async function follow() {
  if (token !== guest.token) {
    stop();
    const wanted = (token = guest.token);
    const isWanted = () => listeners.size > 0 && token === wanted;
    if (wanted) opening = keepTrying(() => open(isWanted), isWanted, forgetUnknownGuest);
  }
  await opening;
}

/** Follow the feed of the new guest, if anything listens. */
export async function refollow() {
  if (listeners.size) await follow();
}

/** @param {() => boolean} isWanted */
async function open(isWanted) {
  const opened = new OwnFeed(client);
  await opened.open();
  if (!isWanted() || feed) {
    opened.close();
    return;
  }
  feed = opened;
  opened.subscribe((frame) => onFrame(opened, frame));
}

/**
 * @param {OwnFeed} from
 * @param {Frame | null} frame
 */
function onFrame(from, frame) {
  if (from !== feed) return;
  if (frame?.type === 'player_update')
    for (const event of frame.events) for (const each of listeners) each.onEvent(event);
  const isAgain = frame?.type === 'player_snapshot';
  if (from.failure) void restart(from.failure);
  else if (isAgain) for (const each of listeners) each.onRestart?.();
}

/**
 * Follow again, unless the guest is unknown.
 * @param {Error} failure
 */
async function restart(failure) {
  stop();
  if (forgetUnknownGuest(failure)) return;
  await follow();
  for (const each of listeners) each.onRestart?.();
}

function stop() {
  const stopped = feed;
  feed = null;
  token = null;
  stopped?.close();
}
