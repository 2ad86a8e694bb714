/** The server's time, on which clocks and deadlines are based. */
import type { RoomView } from '../schema.d.ts';
export type MatchView = NonNullable<RoomView['match']>;
/** @import { RoomView } from '../schema.d.ts' */
/** @typedef {NonNullable<RoomView['match']>} MatchView the running match of a room, or its last one */
export declare class ServerClock {
    #private;
    /**
     * Compare clocks. Frames arrive late, so the greatest difference is the most exact.
     * @param {string} serverTime
     */
    measure(serverTime: string): void;
    /** Drop the comparisons: the device's clock may have been set while there was no connection. */
    reset(): void;
    /** The server's time in milliseconds since 1970. */
    now(): number;
    /**
     * The milliseconds that each seat has left now, null where time is not limited.
     * @param {MatchView | null} match
     */
    remainingMs(match: MatchView | null): number[] | null;
}
