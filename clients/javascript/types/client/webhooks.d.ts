/** Webhooks: endpoints to which the player's events are sent. */
import type { MadeWebhook, WebhookChange, WebhookDetails, WebhookEntry, WebhookList, WebhookRequest } from '../schema.d.ts';
import type { Requests } from './requests.js';
/** `client.webhooks`. Every method throws `RefusedError` and `UnreachableError`. */
export declare class Webhooks {
    #private;
    /** @param {Requests} requests */
    constructor(requests: Requests);
    /**
     * Register an endpoint; only its `url` is required. Its secret is shown once.
     * @param {WebhookRequest} request
     * @returns {Promise<MadeWebhook>}
     */
    make(request: WebhookRequest): Promise<MadeWebhook>;
    /**
     * The player's webhooks, the oldest first.
     * @returns {Promise<WebhookList>}
     */
    list(): Promise<WebhookList>;
    /**
     * A webhook with its latest deliveries.
     * @param {string} webhook
     * @returns {Promise<WebhookDetails>}
     */
    details(webhook: string): Promise<WebhookDetails>;
    /**
     * Change the events or the URL, which then has to be verified.
     * @param {string} webhook
     * @param {WebhookChange} change
     * @returns {Promise<WebhookEntry>}
     */
    change(webhook: string, change: WebhookChange): Promise<WebhookEntry>;
    /**
     * Create a new secret; for a day, messages are also signed with the previous one.
     * @param {string} webhook
     * @returns {Promise<MadeWebhook>}
     */
    rotate(webhook: string): Promise<MadeWebhook>;
    /**
     * Send the endpoint another challenge. When it echoes that, it gets the events that it has missed.
     * @param {string} webhook
     * @returns {Promise<WebhookEntry>}
     */
    verify(webhook: string): Promise<WebhookEntry>;
    /**
     * Send an event again, once.
     * @param {string} webhook
     * @param {number} event the number that its delivery has
     * @returns {Promise<WebhookDetails>}
     */
    replay(webhook: string, event: number): Promise<WebhookDetails>;
    /**
     * Delete a webhook.
     * @param {string} webhook
     * @returns {Promise<void>}
     */
    delete(webhook: string): Promise<void>;
}
