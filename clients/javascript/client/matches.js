/** Finished matches: their analysis, its review by bots, and their text. */

/** @import { MatchAnalysis, ReviewState } from '../schema.d.ts' */
/** @import { Requests } from './requests.js' */

/**
 * @param {Requests} client
 * @param {string} match
 * @param {number} [ply]
 * @returns {Promise<MatchAnalysis>}
 */
export async function readAnalysis(client, match, ply) {
  const path = `/v1/matches/${encodeURIComponent(match)}/analysis`;
  const found = await client.get(ply === undefined ? path : `${path}?ply=${ply}`);
  while (found.next) {
    const { positions, next } = await client.get(`${path}?cursor=${found.next}`);
    found.positions.push(...positions);
    found.next = next;
  }
  return found;
}

/**
 * @param {Requests} client
 * @param {string} match
 * @returns {Promise<ReviewState>}
 */
export function requestReview(client, match) {
  return client.post(`/v1/matches/${encodeURIComponent(match)}/review`, {});
}

/**
 * @param {Requests} client
 * @param {string} match
 * @param {'text/plain' | 'application/x-ndjson'} [type]
 * @returns {Promise<string>}
 */
export function readMatchText(client, match, type = 'text/plain') {
  return client.text(`/v1/matches/${encodeURIComponent(match)}/export`, type);
}
