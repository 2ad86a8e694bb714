/**
 * Browser notifications, if the player wants them: what waits for the player in any room. There are none while
 * the page is visible.
 */

import { announce, app, loadCatalogue, NOTIFY_KEY, isNotifying, notify, redraw, titleOf } from '../app.js';
import { roomTitle, store } from '../dom.js';
import { peopleTexts } from '../languages/people.js';
import { listen } from './own_events.js';

/** @import { PlayerEvent } from '../../schema.d.ts' */
/** News, and the page that a click leads to. @typedef {{title: string, body: string, path: string}} News */

const { notices: WORDS } = peopleTexts;

/** The shown notifications, by the page that they lead to. @type {Map<string, Notification>} */
const shown = new Map();
/** Removes the listener. @type {(() => void) | null} */
let end = null;

/** Turn notifications on, which the player has to permit, or off. */
export async function toggle() {
  if (isNotifying()) {
    store(NOTIFY_KEY, 'off');
    stop();
    announce(WORDS.off);
  } else if ((await Notification.requestPermission()) === 'granted') {
    store(NOTIFY_KEY, 'on');
    announce(WORDS.on);
    void start();
  } else notify(WORDS.denied, 'error');
  redraw();
}

/** Notify the player from now on. */
export async function start() {
  if (end) return;
  end = () => {};
  void loadCatalogue().catch(() => {}); // without it games have no titles
  document.addEventListener('visibilitychange', closeAll);
  const unlisten = await listen({ onEvent });
  if (isNotifying()) end = unlisten;
  else unlisten();
}

function stop() {
  end?.();
  end = null;
  document.removeEventListener('visibilitychange', closeAll);
  closeAll();
}

/** The player is back, and sees the news on the page. */
function closeAll() {
  for (const notification of shown.values()) notification.close();
  shown.clear();
}

/** @param {PlayerEvent} event */
function onEvent(event) {
  const news = newsOf(event);
  if (news && document.visibilityState === 'hidden') void show(news);
}

/**
 * The notification of an event to the player, or null.
 * @param {PlayerEvent} event
 * @returns {News | null}
 */
function newsOf(event) {
  if (event.type === 'turn_began') return about(WORDS.turn, event);
  if (event.type === 'match_began') return about(WORDS.began, event);
  if (event.type === 'tournament_match') return about(WORDS.tournament(event.title), event);
  if (event.type === 'seek_matched') return about(WORDS.found, event);
  if (event.type === 'offer_received') return about(WORDS.offers[event.kind], event);
  if (event.type === 'challenge_made')
    return { title: WORDS.challenged, body: titleOf(event.challenge.game), path: location.pathname };
  return null;
}

/**
 * @param {string} title
 * @param {{room: string, game: string}} event
 * @returns {News}
 */
function about(title, { room, game }) {
  const name = roomTitle(room, '');
  return { title, body: [titleOf(game), name].filter(Boolean).join(' · '), path: `/r/${encodeURIComponent(room)}` };
}

/**
 * Show news; they replace those about the same page, including those of other tabs.
 * @param {News} news
 */
async function show({ title, body, path }) {
  const { href: icon } = new URL('../install/icon-192.png', import.meta.url);
  const options = { body, icon, tag: path };
  try {
    const notification = new Notification(title, options);
    shown.set(path, notification);
    notification.onclick = () => {
      window.focus();
      notification.close();
      if (location.pathname !== path) app.go(path);
    };
  } catch {
    // On phones only the service worker may show them; it also opens the page.
    const registration = await navigator.serviceWorker?.getRegistration();
    await registration?.showNotification(title, { ...options, data: path });
  }
}
