/** The line under the bar of every page while other players are looked for, and when they have been found. */

import { isNotifying, notifyButton } from '../app.js';
import { h, minutesAndSeconds } from '../dom.js';
import { clockInWords } from '../forms/settings_form.js';
import { peopleTexts } from '../languages/people.js';

/** @import { quickPlay } from './quick_play.js' */
/** @import { Arrival } from './arrival.js' */
/** @import { ClockSetting } from '../types.d.ts' */
/** @typedef {typeof quickPlay} QuickPlay */

const { quick: WORDS } = peopleTexts;

/** How long the players of a room have to be ready. */
const PATIENCE_MS = 20_000;

/** @param {QuickPlay} search */
export function banner(search) {
  const { found, phase } = search;
  const look = found ? 'found' : 'seeking';
  return h(
    'section',
    { class: `quick-banner ${look}`, key: 'banner', 'aria-label': WORDS.label },
    h('span', { class: 'quick-sign', 'aria-hidden': 'true' }),
    found ? foundWords(search, found) : seekingWords(search),
    phase === 'seeking' ? [isNotifying() ? null : notifyButton(), cancelButton(search)] : null,
  );
}

/** @param {QuickPlay} search */
function seekingWords({ phase, kept, elapsed, title }) {
  if (phase === 'opening') return h('p', { key: 'words' }, h('strong', null, WORDS.opening));
  const { clock, rated, rating_range: range, bots } = kept?.request ?? {};
  const wishes = [
    clock ? clockInWords(/** @type {ClockSetting} */ (clock)) : WORDS.anyClock,
    rated ? WORDS.rated : '',
    range ? WORDS.withinShort(range) : '',
    bots ? WORDS.orBots : '',
  ];
  return h(
    'p',
    { key: 'words' },
    h('strong', null, WORDS.looking(title)),
    h('span', { class: 'soft quick-wishes' }, ` · ${wishes.filter(Boolean).join(' · ')}`),
    ' · ',
    h('span', { class: 'quick-time', role: 'timer', 'aria-label': WORDS.elapsed }, minutesAndSeconds(elapsed)),
  );
}

/** @param {QuickPlay} search */
function cancelButton(search) {
  return h('button', { key: 'cancel', type: 'button', onclick: () => void search.cancel() }, WORDS.cancel);
}

/**
 * @param {QuickPlay} search
 * @param {Arrival} found
 */
function foundWords(search, { isAsked, isReady }) {
  const seconds = Math.ceil(search.left / 1000);
  const text = isAsked ? WORDS.asked : isReady ? WORDS.ready : WORDS.go;
  return [
    h(
      'p',
      { key: 'words' },
      h('strong', null, WORDS.found(search.title)),
      h('span', { class: 'soft' }, ` · ${text} `),
      h('span', { class: 'quick-time', role: 'timer', 'aria-label': WORDS.left }, WORDS.seconds(seconds)),
    ),
    search.isThere
      ? null
      : h(
          'span',
          { key: 'way', class: 'row' },
          h('button', { key: 'go', type: 'button', class: 'primary', onclick: () => search.accept() }, WORDS.goThere),
          isAsked ? h('button', { key: 'no', type: 'button', onclick: () => search.stop('') }, WORDS.notNow) : null,
        ),
    h('span', { key: 'left', class: 'quick-left', '--left': Math.min(1, search.left / PATIENCE_MS) }),
  ];
}
