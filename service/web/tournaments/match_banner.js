/** A line under the bar of every page: a match of the player's in a tournament has begun elsewhere. */

import { announce, app, redraw } from '../app.js';
import { h, isolated } from '../dom.js';
import { tournamentTexts } from '../languages/ratings.js';
import { play } from '../motion/sound.js';
import { listen } from '../people/own_events.js';

const { banner: WORDS, page: PAGE_WORDS } = tournamentTexts;
const KEY = 'tournament match';

/** Removes the line that is shown. */
let remove = () => {};

/**
 * Show the way to a match until the player goes there or it is over.
 * @param {{title: string, room: string}} match
 */
export async function showMatch({ title, room }) {
  remove();
  const path = `/r/${encodeURIComponent(room)}`;
  if (location.pathname === path) return;
  let end = () => {};
  const removeThis = () => {
    if (remove !== removeThis) return;
    remove = () => {};
    app.banners.delete(KEY);
    app.alerts.delete(KEY);
    end();
    redraw();
  };
  remove = removeThis;
  play('found');
  announce(WORDS.begun(title));
  app.alerts.set(KEY, WORDS.alert);
  app.banners.set(KEY, () => {
    if (location.pathname !== path) return line(title, path);
    queueMicrotask(removeThis);
    return null;
  });
  redraw();
  end = await listen({ onEvent: (event) => event.type === 'match_finished' && event.room === room && removeThis() });
  if (remove !== removeThis) end();
}

/**
 * @param {string} title
 * @param {string} path
 */
function line(title, path) {
  return h(
    'section',
    { key: KEY, class: 'quick-banner found', 'aria-label': WORDS.label },
    h('span', { class: 'quick-sign', 'aria-hidden': 'true' }),
    h('p', { key: 'words' }, h('strong', null, WORDS.begun(isolated(title)))),
    h('a', { key: 'go', class: 'button primary', href: path }, PAGE_WORDS.go),
  );
}
