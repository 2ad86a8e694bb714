/** The API over HTTP: answers as values, refusals as `Problem`s, commands sent until they are answered. */

import { forget, guest } from './guest.js';

/** A refusal: `code` is stable, `detail` is for people. */
export class Problem extends Error {
  /** @param {Record<string, any>} body */
  constructor(body) {
    super(body.detail ?? 'Something went wrong.');
    /** @type {string} */
    this.code = body.code ?? 'unknown';
    /** @type {number} */
    this.status = body.status ?? 0;
    /** @type {string | undefined} */
    this.pointer = body.pointer;
    /** @type {any[] | undefined} */
    this.legalMoves = body.legal_moves;
    /** @type {number | undefined} */
    this.retryAfter = body.retry_after;
    /** @type {number | undefined} */
    this.version = body.version;
  }
}

const UNREACHABLE = { code: 'unreachable', detail: 'The server can’t be reached just now.' };
const TRIES = 6;

/**
 * Ask once. Throws `Problem`.
 * @param {string} path below /v1, with its leading slash
 * @param {{method?: string, body?: any, key?: string, token?: string | null}} [how]
 * @returns {Promise<any>}
 */
export async function ask(path, { method = 'GET', body, key, token = guest.token } = {}) {
  /** @type {Record<string, string>} */
  const headers = { accept: 'application/json' };
  if (token) headers.authorization = `Bearer ${token}`;
  if (body !== undefined) headers['content-type'] = 'application/json';
  if (key) headers['idempotency-key'] = key;
  let response;
  try {
    response = await fetch(`/v1${path}`, {
      method,
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch {
    throw new Problem(UNREACHABLE);
  }
  const answer = await response.json().catch(() => ({ status: response.status }));
  if (response.ok) return answer;
  if (response.status === 401 && token === guest.token) forget();
  throw new Problem({ ...answer, retry_after: answer.retry_after ?? Number(response.headers.get('retry-after') ?? 0) });
}

/**
 * Ask for something to be done, again and again under one key until it is answered: it is done once.
 * @param {string} path
 * @param {any} body
 */
export async function order(path, body) {
  const key = newKey();
  for (let tried = 1; ; tried += 1) {
    try {
      return await ask(path, { method: 'POST', body, key });
    } catch (problem) {
      if (!(problem instanceof Problem) || tried === TRIES || !isPassing(problem)) throw problem;
      await pause(Math.max(1000 * (problem.retryAfter ?? 0), 250 * 2 ** tried));
    }
  }
}

/** Whether the same request may do better a moment later. @param {Problem} problem */
function isPassing(problem) {
  return problem.code === 'unreachable' || problem.status === 503;
}

/** @param {number} ms */
export function pause(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** A key for a command. `randomUUID` is missing on a LAN without TLS. */
function newKey() {
  return [...crypto.getRandomValues(new Uint8Array(12))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
