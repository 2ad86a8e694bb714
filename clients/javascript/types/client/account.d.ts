/** The player's account: named tokens, codes for other devices, and blocked and reported players. */
import type { BlockList, LetIn, MadeLinkCode, MadeRecoveryCode, MadeToken, ReportRequest, TokenList, TokenRequest } from '../schema.d.ts';
import type { Requests } from './requests.js';
/** `client.account`. Every method throws `RefusedError` and `UnreachableError`. */
export declare class Account {
    #private;
    /** @param {Requests} requests */
    constructor(requests: Requests);
    /**
     * The player's named tokens, the oldest first, without their secrets.
     * @returns {Promise<TokenList>}
     */
    tokens(): Promise<TokenList>;
    /**
     * Create a token for another program, such as `{ name: 'My bot', scopes: ['read', 'play'] }`. It is shown once.
     * @param {TokenRequest} request
     * @returns {Promise<MadeToken>}
     */
    makeToken(request: TokenRequest): Promise<MadeToken>;
    /**
     * Revoke a token.
     * @param {string} token its id in the list
     * @returns {Promise<void>}
     */
    revokeToken(token: string): Promise<void>;
    /**
     * Revoke all tokens except the current one; if that is a named token, also the guest token.
     * @returns {Promise<void>}
     */
    signOutElsewhere(): Promise<void>;
    /**
     * Create a code with which another device can sign in, once and within five minutes.
     * @returns {Promise<MadeLinkCode>}
     */
    makeLinkCode(): Promise<MadeLinkCode>;
    /**
     * Become the player who created the code.
     * @param {string} code
     * @param {{name?: string}} [options] `name` is that of the new token
     * @returns {Promise<LetIn>}
     */
    useLinkCode(code: string, { name }?: {
        name?: string;
    }): Promise<LetIn>;
    /**
     * Create the code that recovers a lost player. It replaces an earlier one.
     * @returns {Promise<MadeRecoveryCode>}
     */
    makeRecoveryCode(): Promise<MadeRecoveryCode>;
    /**
     * Become the player of the code again. All earlier tokens are revoked, and the code is used up.
     * @param {string} code
     * @param {{name?: string}} [options] `name` is that of the new token
     * @returns {Promise<LetIn>}
     */
    useRecoveryCode(code: string, { name }?: {
        name?: string;
    }): Promise<LetIn>;
    /**
     * The players whom this one has blocked, the earliest first.
     * @returns {Promise<BlockList>}
     */
    blocks(): Promise<BlockList>;
    /**
     * Block a player: no seeks, challenges and lines of chat between the two.
     * @param {string} player
     * @returns {Promise<void>}
     */
    block(player: string): Promise<void>;
    /**
     * End a block; nothing happens if there is none.
     * @param {string} player
     * @returns {Promise<void>}
     */
    unblock(player: string): Promise<void>;
    /**
     * Report a player to the operators of the service, who alone can read it.
     * @param {ReportRequest} report
     * @returns {Promise<void>}
     */
    report(report: ReportRequest): Promise<void>;
    /**
     * Erase the player permanently: their name, lines and account. Their matches are kept.
     * @param {string} player their own id, as a confirmation
     * @returns {Promise<void>}
     */
    erase(player: string): Promise<void>;
}
