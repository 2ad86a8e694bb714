/** Seeks: looking for other players. */
import type { OpenSeeks, OwnSeek, OwnSeeks, SeekMatchedEvent, SeekRequest } from '../schema.d.ts';
import type { Requests } from './requests.js';
/** @import { OpenSeeks, OwnSeek, OwnSeeks, PlayerEvent, SeekMatchedEvent, SeekRequest } from '../schema.d.ts' */
/** @import { Requests } from './requests.js' */
/** The interval in which a seek is renewed; the service ends it after a minute. */
export declare const RENEW_MS = 25000;
/**
 * @param {Requests} client
 * @param {SeekRequest} request
 * @returns {Promise<OwnSeek>}
 */
export declare function makeSeek(client: Requests, request: SeekRequest): Promise<OwnSeek>;
/**
 * @param {Requests} client
 * @param {string} id
 * @returns {Promise<OwnSeek>}
 */
export declare function acceptSeek(client: Requests, id: string): Promise<OwnSeek>;
/**
 * @param {Requests} client
 * @param {string} id
 * @returns {Promise<void>}
 */
export declare function withdrawSeek(client: Requests, id: string): Promise<void>;
/**
 * @param {Requests} client
 * @returns {Promise<OwnSeeks>}
 */
export declare function ownSeeks(client: Requests): Promise<OwnSeeks>;
/**
 * @param {Requests} client
 * @param {{game?: string, cursor?: string, limit?: string}} query
 * @returns {Promise<OpenSeeks>}
 */
export declare function openSeeks(client: Requests, query: {
    game?: string;
    cursor?: string;
    limit?: string;
}): Promise<OpenSeeks>;
/**
 * Each room that is opened for the player, as long as it waits for the player, until the signal is aborted.
 * @param {Requests} client
 * @param {SeekRequest} request
 * @param {AbortSignal} [signal]
 * @returns {AsyncGenerator<SeekMatchedEvent, void>}
 */
export declare function findMatches(client: Requests, request: SeekRequest, signal?: AbortSignal): AsyncGenerator<SeekMatchedEvent, void>;
