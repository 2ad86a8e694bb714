/** The server's time, on which clocks and deadlines are based. */

/** @import { RoomView } from '../schema.d.ts' */
/** @typedef {NonNullable<RoomView['match']>} MatchView the running match of a room, or its last one */

export class ServerClock {
  /** How far the server's clock is ahead, in milliseconds. @type {number | null} */
  #ahead = null;

  /**
   * Compare clocks. Frames arrive late, so the greatest difference is the most exact.
   * @param {string} serverTime
   */
  measure(serverTime) {
    const ahead = Date.parse(serverTime) - Date.now();
    this.#ahead = this.#ahead === null ? ahead : Math.max(ahead, this.#ahead);
  }

  /** Drop the comparisons: the device's clock may have been set while there was no connection. */
  reset() {
    this.#ahead = null;
  }

  /** The server's time in milliseconds since 1970. */
  now() {
    return Date.now() + (this.#ahead ?? 0);
  }

  /**
   * The milliseconds that each seat has left now, null where time is not limited.
   * @param {MatchView | null} match
   */
  remainingMs(match) {
    if (!match?.clock) return null;
    const { remaining, deadline, server_time: measured } = match.clock;
    const passed = deadline ? this.now() - Date.parse(measured) : 0;
    return remaining.map((left, seat) => Math.max(0, left - (match.to_move.includes(seat) ? passed : 0)));
  }
}
