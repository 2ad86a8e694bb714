/** The API over HTTP. A refusal is thrown as a `Problem`; a command is sent until it is answered. */

import { clearGuest, guest } from './guest.js';

/** @import { ProblemBody } from './types.d.ts' */

const UNREACHABLE = { code: 'unreachable', detail: 'The server cannot be reached.' };
const MAX_TRIES = 6;

/** A refusal: `code` is stable, `message` is for people. */
export class Problem extends Error {
  /** @param {Partial<ProblemBody>} body */
  constructor(body) {
    super(body.detail ?? 'Something went wrong.');
    this.code = body.code ?? 'unknown';
    /** The HTTP status, or 0 if there was no response. */
    this.status = body.status ?? 0;
    /** Seconds to wait before another try, or 0. */
    this.retryAfter = body.retry_after ?? 0;
  }
}

/**
 * Send one request and return its answer, whose type the caller knows. Throws `Problem`.
 * @param {string} path below /v1, with a leading slash
 * @param {{method?: string, body?: object, key?: string, token?: string | null}} [options] `key` makes it idempotent
 * @returns {Promise<any>}
 */
export async function request(path, { method = 'GET', body, key, token = guest.token } = {}) {
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
  if (response.status === 401 && token === guest.token) clearGuest();
  throw new Problem({ ...answer, retry_after: answer.retry_after ?? Number(response.headers.get('retry-after') ?? 0) });
}

/**
 * Send a request that takes effect once: it is repeated under one key until it is answered. Throws `Problem`.
 * @param {string} path below /v1
 * @param {object} body
 * @returns {Promise<any>}
 */
export async function post(path, body) {
  const key = newKey();
  for (let tries = 1; ; tries += 1) {
    try {
      return await request(path, { method: 'POST', body, key });
    } catch (problem) {
      if (!(problem instanceof Problem) || tries === MAX_TRIES || !isTemporary(problem)) throw problem;
      await sleep(Math.max(1000 * problem.retryAfter, 250 * 2 ** tries));
    }
  }
}

/**
 * Whether the same request may succeed a moment later.
 * @param {Problem} problem
 */
function isTemporary(problem) {
  return problem.code === 'unreachable' || problem.status === 503;
}

/**
 * @param {number} ms
 * @returns {Promise<void>}
 */
function sleep(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** A random key. `crypto.randomUUID` is missing in a LAN without TLS. */
function newKey() {
  return [...crypto.getRandomValues(new Uint8Array(12))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
