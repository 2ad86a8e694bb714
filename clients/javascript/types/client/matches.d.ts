/** Finished matches: their analysis, its review by bots, and their text. */
import type { MatchAnalysis, ReviewState } from '../schema.d.ts';
import type { Requests } from './requests.js';
/** @import { MatchAnalysis, ReviewState } from '../schema.d.ts' */
/** @import { Requests } from './requests.js' */
/**
 * @param {Requests} client
 * @param {string} match
 * @param {number} [ply]
 * @returns {Promise<MatchAnalysis>}
 */
export declare function readAnalysis(client: Requests, match: string, ply?: number): Promise<MatchAnalysis>;
/**
 * @param {Requests} client
 * @param {string} match
 * @returns {Promise<ReviewState>}
 */
export declare function requestReview(client: Requests, match: string): Promise<ReviewState>;
/**
 * @param {Requests} client
 * @param {string} match
 * @param {'text/plain' | 'application/x-ndjson'} [type]
 * @returns {Promise<string>}
 */
export declare function readMatchText(client: Requests, match: string, type?: 'text/plain' | 'application/x-ndjson'): Promise<string>;
