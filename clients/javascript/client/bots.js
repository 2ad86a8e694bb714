/** The list of bots that can be challenged. */

/** @import { BotRegistration, Bots as BotList, ListedBot } from '../schema.d.ts' */
/** @import { Requests } from './requests.js' */

/** `client.bots`. Every method throws `RefusedError` and `UnreachableError`. */
export class Bots {
  /** @type {Requests} */ #requests;

  /** @param {Requests} requests */
  constructor(requests) {
    this.#requests = requests;
  }

  /**
   * The service's own bots, and those that others run; of all games or of one.
   * @param {{game?: string}} [query]
   * @returns {Promise<BotList>}
   */
  list(query = {}) {
    return this.#requests.get(`/v1/bots?${new URLSearchParams(query)}`);
  }

  /**
   * List the bot for a day, or for another one. This requires the token of a declared bot.
   * @param {BotRegistration} registration
   * @returns {Promise<ListedBot>}
   */
  register(registration) {
    return this.#requests.put('/v1/bots/me', registration);
  }

  /**
   * Leave the list.
   * @returns {Promise<void>}
   */
  leave() {
    return this.#requests.delete('/v1/bots/me');
  }
}
