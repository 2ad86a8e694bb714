/** Challenges: asking particular players to play. */
import type { Challenge, ChallengeRequest, ChallengeSettings, Decline, OpenChallenges } from '../schema.d.ts';
import type { Requests } from './requests.js';
/**
 * `client.challenges`. Every method throws `RefusedError` and `UnreachableError`. Challenges and answers arrive in the
 * own feed: `challenge_made`, `challenge_opened` with the room, and others.
 */
export declare class Challenges {
    #private;
    /** @param {Requests} requests */
    constructor(requests: Requests);
    /**
     * Ask others to play, such as `{ game: 'morris', opponents: ['p-aaaaaaaaaaaaaaaa'] }`.
     * @param {ChallengeRequest} request
     * @returns {Promise<Challenge>}
     */
    make(request: ChallengeRequest): Promise<Challenge>;
    /**
     * The open challenges that this player made, and those that others made.
     * @returns {Promise<OpenChallenges>}
     */
    open(): Promise<OpenChallenges>;
    /**
     * Accept a challenge. When all have, `challenge_opened` names the room in which to be `ready`.
     * @param {string} challenge
     * @returns {Promise<void>}
     */
    accept(challenge: string): Promise<void>;
    /**
     * Decline a challenge, which ends it for everybody; `{ reason: 'not_now' }` gives a reason.
     * @param {string} challenge
     * @param {Decline} [decline]
     * @returns {Promise<void>}
     */
    decline(challenge: string, decline?: Decline): Promise<void>;
    /**
     * Decline all challenges that this player has received and not accepted.
     * @param {Decline} [decline]
     * @returns {Promise<void>}
     */
    declineAll(decline?: Decline): Promise<void>;
    /**
     * Who may challenge this player: everybody, those whom they have met, or nobody.
     * @returns {Promise<ChallengeSettings>}
     */
    challengers(): Promise<ChallengeSettings>;
    /**
     * Choose who may challenge this player; others are refused as if this player had blocked them.
     * @param {ChallengeSettings['challengers']} challengers
     * @returns {Promise<ChallengeSettings>}
     */
    admit(challengers: ChallengeSettings['challengers']): Promise<ChallengeSettings>;
    /**
     * Withdraw a challenge that this player made.
     * @param {string} challenge
     * @returns {Promise<void>}
     */
    withdraw(challenge: string): Promise<void>;
}
