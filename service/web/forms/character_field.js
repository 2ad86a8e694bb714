/** The choice of the bots to play against: a character for each level, and the player's record against it. */

import { Players } from '../../client/players.js';
import { client, guest, redraw } from '../app.js';
import { characterName, h, levelOf } from '../dom.js';
import { roomTexts } from '../languages/room.js';
import { avatar } from '../looks/avatar.js';

/** @import { Level } from '../types.d.ts' */
/** @typedef {{won: number, drawn: number, lost: number}} Tally */

const { characters: WORDS } = roomTexts;
/** How many of the latest matches of the game count for a record. */
const READ = '100';

/** The player's results against the bots of a game. */
export class Records {
  /** @type {Map<string, Tally>} */ byLevel = new Map();

  /**
   * Throws `TurnstreamError`.
   * @param {string} game its slug
   */
  async load(game) {
    if (!guest.id) return;
    const { matches } = await new Players(client).matches(guest.id, { game, limit: READ });
    for (const { outcome, players } of matches) {
      const levels = new Set(players.map(({ nickname }) => levelOf(nickname ?? '')).filter(Boolean));
      for (const level of levels) {
        const tally = this.byLevel.get(level) ?? { won: 0, drawn: 0, lost: 0 };
        if (outcome) tally[outcome] += 1;
        this.byLevel.set(level, tally);
      }
    }
    redraw();
  }
}

/**
 * @param {Level[]} levels
 * @param {Level} chosen
 * @param {Records | null} records
 * @param {(level: Level) => void} onChange
 */
export function characterField(levels, chosen, records, onChange) {
  const cards = levels.map((level) => {
    const id = `create-level-${level}`;
    const input = { type: 'radio', name: 'level', id, value: level, checked: level === chosen };
    return h(
      'label',
      { key: level, class: 'character' },
      h('input', { ...input, class: 'unseen', onchange: () => onChange(level) }),
      avatar('', level),
      h('strong', null, characterName(level)),
      h('small', null, roomTexts.levels[level]),
    );
  });
  const tally = records?.byLevel.get(chosen);
  return h(
    'fieldset',
    { key: 'characters' },
    h('legend', null, roomTexts.create.level),
    h('div', { class: 'characters' }, cards),
    h(
      'p',
      { class: 'character-words', 'aria-live': 'polite' },
      WORDS.sentences[chosen],
      h('small', { class: 'soft' }, tally ? WORDS.record(tally.won, tally.drawn, tally.lost) : WORDS.noRecord),
    ),
  );
}
