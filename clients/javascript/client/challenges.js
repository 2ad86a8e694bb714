/** Challenges: asking particular players to play. */

/** @import { Challenge, ChallengeRequest, Decline, OpenChallenges } from '../schema.d.ts' */
/** @import { Requests } from './requests.js' */

/**
 * `client.challenges`. Every method throws `RefusedError` and `UnreachableError`. Challenges and answers arrive in the
 * own feed: `challenge_made`, `challenge_opened` with the room, and others.
 */
export class Challenges {
  /** @type {Requests} */ #requests;

  /** @param {Requests} requests */
  constructor(requests) {
    this.#requests = requests;
  }

  /**
   * Ask others to play, such as `{ game: 'morris', opponents: ['p-aaaaaaaaaaaaaaaa'] }`.
   * @param {ChallengeRequest} request
   * @returns {Promise<Challenge>}
   */
  make(request) {
    return this.#requests.post('/v1/challenges', request);
  }

  /**
   * The open challenges that this player made, and those that others made.
   * @returns {Promise<OpenChallenges>}
   */
  open() {
    return this.#requests.get('/v1/players/me/challenges');
  }

  /**
   * Accept a challenge. When all have, `challenge_opened` names the room in which to be `ready`.
   * @param {string} challenge
   * @returns {Promise<void>}
   */
  accept(challenge) {
    return this.#requests.post(`${pathOf(challenge)}/accept`, {});
  }

  /**
   * Decline a challenge, which ends it for everybody; `{ reason: 'not_now' }` gives a reason.
   * @param {string} challenge
   * @param {Decline} [decline]
   * @returns {Promise<void>}
   */
  decline(challenge, decline = {}) {
    return this.#requests.post(`${pathOf(challenge)}/decline`, decline);
  }

  /**
   * Withdraw a challenge that this player made.
   * @param {string} challenge
   * @returns {Promise<void>}
   */
  withdraw(challenge) {
    return this.#requests.delete(pathOf(challenge));
  }
}

/** @param {string} challenge */
function pathOf(challenge) {
  return `/v1/challenges/${encodeURIComponent(challenge)}`;
}
