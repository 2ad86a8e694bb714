/** The player's account: named tokens, codes for other devices, and blocked and reported players. */

/**
 * @import { BlockList, LetIn, MadeLinkCode, MadeRecoveryCode, MadeToken, ReportRequest, TokenList, TokenRequest }
 *   from '../schema.d.ts'
 */
/** @import { Requests } from './requests.js' */

const TOKENS = '/v1/players/me/tokens';
const BLOCKS = '/v1/players/me/blocks';

/** `client.account`. Every method throws `RefusedError` and `UnreachableError`. */
export class Account {
  /** @type {Requests} */ #requests;

  /** @param {Requests} requests */
  constructor(requests) {
    this.#requests = requests;
  }

  // Tokens

  /**
   * The player's named tokens, the oldest first, without their secrets.
   * @returns {Promise<TokenList>}
   */
  tokens() {
    return this.#requests.get(TOKENS);
  }

  /**
   * Create a token for another program, such as `{ name: 'My bot', scopes: ['read', 'play'] }`. It is shown once.
   * @param {TokenRequest} request
   * @returns {Promise<MadeToken>}
   */
  makeToken(request) {
    return this.#requests.postWithoutKey(TOKENS, request);
  }

  /**
   * Revoke a token.
   * @param {string} token its id in the list
   * @returns {Promise<void>}
   */
  revokeToken(token) {
    return this.#requests.delete(`${TOKENS}/${encodeURIComponent(token)}`);
  }

  /**
   * Revoke all tokens except the current one; if that is a named token, also the guest token.
   * @returns {Promise<void>}
   */
  signOutElsewhere() {
    return this.#requests.delete(TOKENS);
  }

  // Codes

  /**
   * Create a code with which another device can sign in, once and within five minutes.
   * @returns {Promise<MadeLinkCode>}
   */
  makeLinkCode() {
    return this.#requests.postWithoutKey('/v1/players/me/link_codes', {});
  }

  /**
   * Become the player who created the code.
   * @param {string} code
   * @param {{name?: string}} [options] `name` is that of the new token
   * @returns {Promise<LetIn>}
   */
  useLinkCode(code, { name } = {}) {
    return this.#enter('/v1/link_codes', { code, name });
  }

  /**
   * Create the code that recovers a lost player. It replaces an earlier one.
   * @returns {Promise<MadeRecoveryCode>}
   */
  makeRecoveryCode() {
    return this.#requests.postWithoutKey('/v1/players/me/recovery_code', {});
  }

  /**
   * Become the player of the code again. All earlier tokens are revoked, and the code is used up.
   * @param {string} code
   * @param {{name?: string}} [options] `name` is that of the new token
   * @returns {Promise<LetIn>}
   */
  useRecoveryCode(code, { name } = {}) {
    return this.#enter('/v1/recovery', { code, name });
  }

  /**
   * @param {string} path
   * @param {{code: string, name: string | undefined}} used
   * @returns {Promise<LetIn>}
   */
  async #enter(path, used) {
    /** @type {LetIn} */
    const letIn = await this.#requests.postWithoutKey(path, used);
    this.#requests.become(letIn);
    return letIn;
  }

  // Blocks

  /**
   * The players whom this one has blocked, the earliest first.
   * @returns {Promise<BlockList>}
   */
  blocks() {
    return this.#requests.get(BLOCKS);
  }

  /**
   * Block a player: no seeks, challenges and lines of chat between the two.
   * @param {string} player
   * @returns {Promise<void>}
   */
  block(player) {
    return this.#requests.put(`${BLOCKS}/${encodeURIComponent(player)}`, {});
  }

  /**
   * End a block; nothing happens if there is none.
   * @param {string} player
   * @returns {Promise<void>}
   */
  unblock(player) {
    return this.#requests.delete(`${BLOCKS}/${encodeURIComponent(player)}`);
  }

  /**
   * Report a player to the operators of the service, who alone can read it.
   * @param {ReportRequest} report
   * @returns {Promise<void>}
   */
  report(report) {
    return this.#requests.post('/v1/reports', report);
  }

  // Erasure

  /**
   * Erase the player permanently: their name, lines and account. Their matches are kept.
   * @param {string} player their own id, as a confirmation
   * @returns {Promise<void>}
   */
  erase(player) {
    return this.#requests.delete(`/v1/players/${encodeURIComponent(player)}`);
  }
}
