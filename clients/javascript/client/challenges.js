/** Challenges: asking particular players to play. */

/** @import { Challenge, ChallengeRequest, ChallengeSettings, Decline, OpenChallenges } from '../schema.d.ts' */
/** @import { Requests } from './requests.js' */

const CHALLENGERS = '/v1/players/me/challengers';

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
   * Decline all challenges that this player has received and not accepted.
   * @param {Decline} [decline]
   * @returns {Promise<void>}
   */
  declineAll(decline = {}) {
    return this.#requests.post('/v1/players/me/challenges/decline', decline);
  }

  /**
   * Who may challenge this player: everybody, those whom they have met, or nobody.
   * @returns {Promise<ChallengeSettings>}
   */
  challengers() {
    return this.#requests.get(CHALLENGERS);
  }

  /**
   * Choose who may challenge this player; others are refused as if this player had blocked them.
   * @param {ChallengeSettings['challengers']} challengers
   * @returns {Promise<ChallengeSettings>}
   */
  admit(challengers) {
    return this.#requests.put(CHALLENGERS, { challengers });
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
