/**
 * Shows a round step by step before the page shows its consequences: the result, the list of moves, the
 * countdown to the next match.
 */

import { announce, redraw } from '../app.js';
import { gameViewOf } from '../boards/game_views.js';

/** @import { Room } from './room.js' */
/** @import { AnimationStep, RoomEvent, RoomView } from '../types.d.ts' */

/**
 * What has happened, and the view after it. `steps` are the positions on the way there.
 * @typedef {{view: RoomView, events: RoomEvent[], steps: AnimationStep[]}} Update
 */

/** The maximum time for which a step is shown. */
const STEP_MS = 1100;

export class Playback {
  /** @param {Room} room */
  constructor(room) {
    this.room = room;
    /** The updates that are not shown yet; the first one is being shown step by step. @type {Update[]} */
    this.updates = [];
    /** The steps that are still to be shown. The first one is on the screen. @type {AnimationStep[]} */
    this.steps = [];
    this.timer = 0;
  }

  /**
   * Show an update, after the steps that are on the screen.
   * @param {RoomView} view
   * @param {RoomEvent[]} events
   */
  add(view, events) {
    const steps = (view.match && gameViewOf(view.game).animationSteps?.(view.match, events)) ?? [];
    this.updates.push({ view, events, steps });
    if (!this.steps.length) this.proceed();
  }

  /** Show the waiting updates. Only the last one is shown in steps, because the page would fall behind. */
  proceed() {
    const last = this.updates.findLastIndex(({ steps }) => steps.length);
    for (const update of this.updates.splice(0, last < 0 ? Infinity : last)) this.room.show(update);
    const [next] = this.updates;
    if (next) this.play(next.steps);
  }

  /** @param {AnimationStep[]} steps */
  play(steps) {
    const stepMs = Math.min(STEP_MS, this.room.game.telling_ms / (this.updates[0]?.steps.length ?? 1));
    this.steps = steps;
    this.timer = setTimeout(() => this.next(), stepMs);
    announce(steps[0]?.description ?? '');
  }

  next() {
    const [, ...others] = this.steps;
    if (others.length) this.play(others);
    else this.skip();
    redraw();
  }

  /** Show the position after the last step, and continue with what has arrived meanwhile. */
  skip() {
    clearTimeout(this.timer);
    this.steps = [];
    const [update] = this.updates.splice(0, 1);
    if (update) this.room.show(update);
    this.proceed();
    redraw();
  }

  /** Drop everything that waits, because a complete view has arrived or the room is left. */
  clear() {
    clearTimeout(this.timer);
    [this.steps, this.updates] = [[], []];
  }
}
