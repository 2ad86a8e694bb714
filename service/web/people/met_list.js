/** People with whom the player has played, the latest first, and the way to another match like the last one. */

import { Players } from '../../client/players.js';
import { RefusedError, TurnstreamError } from '../../client/requests.js';
import { app, attempt, client, guest, loadStyle, redraw, titleOf } from '../app.js';
import { ago, h, isolated, markedName } from '../dom.js';
import { peopleTexts } from '../languages/people.js';
import { ratingTexts } from '../languages/ratings.js';
import { avatar } from '../looks/avatar.js';

/** @import { PlayerMatch } from '../../schema.d.ts' */
/** @import { RoomView } from '../types.d.ts' */
/** @typedef {{id: string, nickname: string, bot: boolean, match: PlayerMatch}} Met somebody, and the last match */

const { met: WORDS } = peopleTexts;

/** How many of the latest matches are read. */
const READ = '40';
/** The statuses of matches that the player may no longer read, or that are gone. */
const UNREADABLE = [403, 404];
/** The ids of the service's own bots. */
const HOUSE_BOT = /^bot-\d+$/;

export class MetList {
  /** @type {Met[]} */ people = [];

  /**
   * @param {string} look the class of the list
   * @param {number} most how many people are shown
   */
  constructor(look, most) {
    this.look = look;
    this.most = most;
  }

  /** Read the player's latest matches. */
  async load() {
    if (!guest.id) return;
    try {
      const read = new Players(client).matches(guest.id, { limit: READ });
      const [{ matches }] = await Promise.all([read, loadStyle('people')]);
      this.people = metIn(matches).slice(0, this.most);
    } catch (problem) {
      if (!(problem instanceof TurnstreamError)) throw problem; // they can be found in other ways
    }
    redraw();
  }

  view() {
    const shown = this.people.filter(({ id }) => !app.blocked.has(id));
    if (!shown.length) return null;
    return h(
      'section',
      { key: 'met', class: this.look, 'aria-labelledby': 'met-title' },
      h('h2', { id: 'met-title' }, WORDS.title),
      h('ul', { class: 'met' }, shown.map(line)),
    );
  }
}

/**
 * Everybody in the matches but the player, each once with their latest match, without the service's own bots.
 * @param {PlayerMatch[]} matches the latest first
 */
function metIn(matches) {
  /** @type {Map<string, Met>} */
  const found = new Map();
  for (const match of matches)
    for (const { player, nickname, bot } of match.players) {
      const isMet = player && nickname && player !== guest.id && !HOUSE_BOT.test(player);
      if (isMet && !found.has(player)) found.set(player, { id: player, nickname, bot, match });
    }
  return [...found.values()];
}

/** @param {Met} met */
function line({ id, nickname, bot, match }) {
  const { game, outcome, ended } = match;
  const result = outcome ? ratingTexts.profile.outcomes[outcome] : '';
  const facts = [titleOf(game), result, ended ? ago(ended, Date.now()) : ''];
  const onclick = () => void playAgain({ id, nickname }, match);
  const label = WORDS.againWith(isolated(nickname));
  return h(
    'li',
    { key: id },
    h('a', { class: 'met-name', href: `/players/${id}` }, avatar(id), markedName({ nickname, bot })),
    h('small', { class: 'soft' }, facts.filter(Boolean).join(' · ')),
    h('button', { type: 'button', class: 'small-button', 'aria-label': label, onclick }, WORDS.again),
  );
}

/**
 * Ask for the match of a challenge; at first it has the game, the options and the clock of an earlier one.
 * @param {{id: string, nickname: string}} opponent
 * @param {Pick<PlayerMatch, 'id' | 'game'>} match
 */
export async function playAgain(opponent, { id, game }) {
  await attempt(async () => {
    const [{ openChallengeDialog }, initial] = await Promise.all([
      import('../challenges/challenge_dialog.js'),
      configurationOf(id),
    ]);
    await openChallengeDialog(opponent, game, initial);
  });
}

/**
 * What was played in a match; nothing if it can no longer be read. Throws `TurnstreamError`.
 * @param {string} match its id
 */
async function configurationOf(match) {
  try {
    const found = await client.get(`/v1/matches/${encodeURIComponent(match)}`);
    const { options, settings } = /** @type {{view: RoomView}} */ (found).view;
    return { options, settings: { clock: settings.clock, rated: settings.rated } };
  } catch (problem) {
    if (!(problem instanceof RefusedError && UNREADABLE.includes(problem.status))) throw problem;
    return undefined;
  }
}
