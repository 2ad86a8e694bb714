/** The errors of this library. */

/** @import { Code, Problem } from '../schema.d.ts' */

/** The base class of all errors of this library. */
export class TurnstreamError extends Error {}

/** The server refused a request; `code` is stable, and `GET /v1/codes` lists all codes. */
export class RefusedError extends TurnstreamError {
  /** @param {Problem} problem the server's answer */
  constructor(problem) {
    super(`${problem.code}: ${problem.detail}`);
    this.problem = problem;
    /** Why it was refused, such as `not_your_turn`. @type {Code | (string & {})} */
    this.code = problem.code;
    /** The HTTP status, also of what was sent over a socket. */
    this.status = problem.status;
  }
}

/** No answer came within the client's patience, so whether the request was executed is unknown. */
export class UnreachableError extends TurnstreamError {}

/** The server closed the socket with a code that forbids to resume, such as 4100 for an invalid token. */
export class FeedClosedError extends TurnstreamError {
  /**
   * @param {number} code
   * @param {string} reason
   */
  constructor(code, reason) {
    super(`the server closed the socket: ${code} ${reason}`);
    this.code = code;
    this.reason = reason;
  }
}

/** The room was closed, and another one has its name. */
export class RoomReplacedError extends TurnstreamError {
  /** @param {string} room */
  constructor(room) {
    super(`another room is called ${room} now`);
  }
}

/** Events are missing, because history changed or the client was too slow. Start again from the room's view. */
export class EventsMissedError extends TurnstreamError {
  /** @param {string} reason of the snapshot: `history_changed` or `too_slow` */
  constructor(reason) {
    super(`events are missing: ${reason}`);
    this.reason = reason;
  }
}

/**
 * The problem in an error response, which may be a proxy's instead of the service's.
 * @param {Response} response
 * @returns {Promise<Problem>}
 */
export async function problemOf(response) {
  if (response.headers.get('content-type')?.startsWith('application/problem+json')) return response.json();
  const { status, statusText: title } = response;
  return { type: 'about:blank', title, status, code: `http_${status}`, detail: (await response.text()).slice(0, 200) };
}

/**
 * Wait for a command, and accept a refusal with this code as success.
 * @param {string} code
 * @param {Promise<unknown>} sent
 */
export async function unless(code, sent) {
  try {
    await sent;
  } catch (error) {
    if (!(error instanceof RefusedError && error.code === code)) throw error;
  }
}
