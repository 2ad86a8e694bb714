/** Webhooks: endpoints to which the player's events are sent. */

/**
 * @import { MadeWebhook, WebhookChange, WebhookDetails, WebhookEntry, WebhookList, WebhookRequest }
 *   from '../schema.d.ts'
 */
/** @import { Requests } from './requests.js' */

const WEBHOOKS = '/v1/players/me/webhooks';

/** `client.webhooks`. Every method throws `RefusedError` and `UnreachableError`. */
export class Webhooks {
  /** @type {Requests} */ #requests;

  /** @param {Requests} requests */
  constructor(requests) {
    this.#requests = requests;
  }

  /**
   * Register an endpoint; only its `url` is required. Its secret is shown once.
   * @param {WebhookRequest} request
   * @returns {Promise<MadeWebhook>}
   */
  make(request) {
    return this.#requests.postWithoutKey(WEBHOOKS, request);
  }

  /**
   * The player's webhooks, the oldest first.
   * @returns {Promise<WebhookList>}
   */
  list() {
    return this.#requests.get(WEBHOOKS);
  }

  /**
   * A webhook with its latest deliveries.
   * @param {string} webhook
   * @returns {Promise<WebhookDetails>}
   */
  details(webhook) {
    return this.#requests.get(pathOf(webhook));
  }

  /**
   * Change the events or the URL, which then has to be verified.
   * @param {string} webhook
   * @param {WebhookChange} change
   * @returns {Promise<WebhookEntry>}
   */
  change(webhook, change) {
    return this.#requests.patch(pathOf(webhook), change);
  }

  /**
   * Create a new secret; for a day, messages are also signed with the previous one.
   * @param {string} webhook
   * @returns {Promise<MadeWebhook>}
   */
  rotate(webhook) {
    return this.#requests.postWithoutKey(`${pathOf(webhook)}/rotate`, {});
  }

  /**
   * Send the endpoint another challenge. When it echoes that, it gets the events that it has missed.
   * @param {string} webhook
   * @returns {Promise<WebhookEntry>}
   */
  verify(webhook) {
    return this.#requests.post(`${pathOf(webhook)}/verify`, {});
  }

  /**
   * Send an event again, once.
   * @param {string} webhook
   * @param {number} event the number that its delivery has
   * @returns {Promise<WebhookDetails>}
   */
  replay(webhook, event) {
    return this.#requests.post(`${pathOf(webhook)}/deliveries/${event}/replay`, {});
  }

  /**
   * Delete a webhook.
   * @param {string} webhook
   * @returns {Promise<void>}
   */
  delete(webhook) {
    return this.#requests.delete(pathOf(webhook));
  }
}

/** @param {string} webhook */
function pathOf(webhook) {
  return `${WEBHOOKS}/${encodeURIComponent(webhook)}`;
}
