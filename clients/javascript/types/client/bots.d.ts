/** The list of bots that can be challenged. */
import type { BotRegistration, Bots as BotList, ListedBot } from '../schema.d.ts';
import type { Requests } from './requests.js';
/** @import { BotRegistration, Bots as BotList, ListedBot } from '../schema.d.ts' */
/** @import { Requests } from './requests.js' */
/** `client.bots`. Every method throws `RefusedError` and `UnreachableError`. */
export declare class Bots {
    #private;
    /** @param {Requests} requests */
    constructor(requests: Requests);
    /**
     * The service's own bots, and those that others run; of all games or of one.
     * @param {{game?: string}} [query]
     * @returns {Promise<BotList>}
     */
    list(query?: {
        game?: string;
    }): Promise<BotList>;
    /**
     * List the bot for a day, or for another one. This requires the token of a declared bot.
     * @param {BotRegistration} registration
     * @returns {Promise<ListedBot>}
     */
    register(registration: BotRegistration): Promise<ListedBot>;
    /**
     * Leave the list.
     * @returns {Promise<void>}
     */
    leave(): Promise<void>;
}
