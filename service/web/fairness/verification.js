/** The verification of a match: whether its chance follows from what was published before anybody could know it. */

import { client } from '../app.js';
import { gameTexts } from '../languages/games.js';
import { Draw, drawKey, seedHash } from './chance.js';
import { recomputationOf } from './draws.js';
import { isOwnSalt } from './salts.js';

/** @import { EventPage, MatchPage, RoomEvent, Values } from '../types.d.ts' */
/**
 * One thing that was checked; `holds` is null if it could not be.
 * @typedef {{holds: boolean | null, text: string}} Check
 */
/**
 * The fields of `match_started` and `match_ended` that describe how chance was derived.
 * @typedef {object} Derivation
 * @property {string} game
 * @property {Values} options
 * @property {string[]} salts by seat
 * @property {string} seed_hash
 * @property {string | null} [layout_of]
 * @property {string | null} [layout_seed]
 * @property {string[]} [layout_salts]
 */

const { fairness: WORDS } = gameTexts;

/**
 * Check a finished match.
 * @param {string} room its address under `/v1`
 * @param {number} number that of the match in its room
 * @param {RoomEvent[]} events those of the match
 * @returns {Promise<Check[]>}
 */
export async function verify(room, number, events) {
  const started = events.find(({ type }) => type === 'match_started');
  const ended = events.findLast(({ type }) => type === 'match_ended');
  if (!started || !ended) return [{ holds: null, text: WORDS.notLoaded }];
  const derivation = /** @type {Derivation} */ (/** @type {unknown} */ (started));
  const { seed } = /** @type {{seed: string}} */ (/** @type {unknown} */ (ended));
  return [
    await seedCheck(derivation, seed),
    await publicationCheck(room, number, derivation),
    saltCheck(derivation),
    await drawCheck(derivation, seed, events),
  ];
}

/**
 * @param {Derivation} derivation
 * @param {string} seed
 * @returns {Promise<Check>}
 */
async function seedCheck({ seed_hash: published }, seed) {
  const holds = (await seedHash(seed)) === published;
  return { holds, text: holds ? WORDS.seedHolds : WORDS.seedBroken };
}

/**
 * @param {string} room
 * @param {number} number
 * @param {Derivation} derivation
 * @returns {Promise<Check>}
 */
async function publicationCheck(room, number, { seed_hash: hash }) {
  const since = number > 1 ? await endOf(room, number - 1) : 0;
  /** @type {EventPage | null} */
  const page = since === null ? null : await client.get(`${room}/events?since=${since}&limit=1`);
  const published = /** @type {{next_seed_hash?: string} | undefined} */ (page?.events[0])?.next_seed_hash;
  if (!published) return { holds: null, text: WORDS.notStored };
  const holds = published === hash;
  return { holds, text: holds ? WORDS.published : WORDS.notPublished };
}

/**
 * The version before the end of a match, null if it is not listed.
 * @param {string} room
 * @param {number} number
 */
async function endOf(room, number) {
  /** @type {MatchPage} */
  const { matches } = await client.get(`${room}/matches?cursor=${number}&limit=1`);
  const last = matches.find((match) => match.number === number)?.versions.last;
  return last ? last - 1 : null;
}

/**
 * @param {Derivation} derivation
 * @returns {Check}
 */
function saltCheck({ salts }) {
  const count = salts.filter(Boolean).length;
  if (salts.some(isOwnSalt)) return { holds: true, text: WORDS.saltMixed };
  return { holds: null, text: WORDS.noSalt(count) };
}

/**
 * @param {Derivation} derivation
 * @param {string} seed
 * @param {RoomEvent[]} events
 * @returns {Promise<Check>}
 */
async function drawCheck({ game, options, salts, layout_seed: layoutSeed, layout_salts: layoutSalts }, seed, events) {
  const own = await drawKey(seed, salts);
  const layout = layoutSeed ? await drawKey(layoutSeed, layoutSalts ?? []) : own;
  let count = 0;
  for (const event of events) {
    const recomputation = recomputationOf(game, event.type);
    if (!recomputation || !('draw' in event)) continue;
    const draw = new Draw(recomputation.isSetup ? layout : own, Number(event.draw));
    const expected = await recomputation.fields(draw, options);
    const recorded = /** @type {Record<string, unknown>} */ (/** @type {unknown} */ (event));
    const wrong = Object.keys(expected).find((name) => String(expected[name]) !== String(recorded[name]));
    if (wrong) return { holds: false, text: WORDS.wrongDraw(String(event.draw), event.version) };
    count += 1;
  }
  return { holds: true, text: WORDS.drawsHold(count) };
}
