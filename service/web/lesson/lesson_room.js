/**
 * The room of a lesson. The guest holds all seats: the learner's, and those whose moves the lesson gives. A legal move
 * that does not solve the step is not sent.
 */

import { announce, redraw } from '../app.js';
import { gameTexts } from '../languages/games.js';
import { Room } from '../room/room.js';
import { remember } from './lesson_offer.js';

/** @import { AnyMove } from '../../schema.d.ts' */
/** @import { Lesson, LessonMove, Move } from '../types.d.ts' */
/** @import { Step } from '../room/moves.js' */
/**
 * What happens now: the moves before a step are played, the learner is to move, a solution has been sent and is shown,
 * or the step is solved.
 * @typedef {'preparing' | 'asking' | 'showing' | 'solved'} Phase
 */

const LEARNER = 0;
/** The pause before each move that the lesson makes, and the maximum time for all moves before a step. */
const PAUSES = { one: 550, all: 3000 };

export class LessonRoom extends Room {
  /**
   * @param {string} name
   * @param {Lesson} lesson
   */
  constructor(name, lesson) {
    super(name);
    this.viewerSeat = LEARNER;
    this.lesson = lesson;
    /** The number of the step, from 0. */
    this.index = 0;
    /** @type {Phase} */
    this.phase = 'preparing';
    /** What the learner has played in this step. @type {Move[]} */
    this.made = [];
    /** The version that contains the solution. */
    this.solvedBy = Infinity;
    /** Why the latest attempt was not a solution, or a hint. */
    this.advice = '';
    this.isClosed = false;
    this.showsTargets = true;
  }

  get step() {
    const step = this.lesson.steps[this.index];
    if (!step) throw new Error(`The lesson has no step ${this.index}.`);
    return step;
  }

  get isLast() {
    return this.index === this.lesson.steps.length - 1;
  }

  /** The learner's seat while a move is awaited. @override */
  get actingSeat() {
    const { match } = this.view;
    const isAwaited = this.phase === 'asking' && match?.status === 'playing' && match.to_move.includes(LEARNER);
    return isAwaited ? LEARNER : null;
  }

  /**
   * Play the moves before a step, then let the learner move. Throws `TurnstreamError`.
   * @param {number} index
   */
  async begin(index) {
    Object.assign(this, { index, phase: 'preparing', made: [], solvedBy: Infinity, advice: '' });
    const { before, text } = this.step;
    const pause = Math.min(PAUSES.one, PAUSES.all / before.length);
    redraw();
    for (const { seat, move } of before) {
      await new Promise((resolve) => setTimeout(resolve, pause));
      if (this.isClosed) return;
      await this.followed.send({ type: 'play', move: /** @type {AnyMove} */ (move), seat });
    }
    this.phase = 'asking';
    announce(gameTexts.lesson.stepText(index + 1, this.lesson.steps.length, text));
    redraw();
  }

  /** The solutions that begin with what the learner has played. @returns {LessonMove[][]} */
  get openSolutions() {
    return this.step.solutions.filter((solution) => this.made.every((move, n) => isSame(move, solution[n]?.move)));
  }

  /**
   * Play a move that belongs to a solution; answer any other one with advice.
   * @override
   * @param {Move} move
   */
  async play(move) {
    if (this.pending) return null;
    const count = this.made.length;
    const fitting = this.openSolutions.filter((solution) => isSame(move, solution[count]?.move));
    if (!fitting.length) {
      this.picks = [];
      this.advise(this.step.hint);
      return null;
    }
    this.advice = '';
    this.made.push(move); // at once: the feed may be faster than the answer
    const playing = super.play(move);
    const isComplete = fitting.some(({ length }) => length === count + 1);
    if (isComplete) this.phase = 'showing';
    const version = await playing;
    if (version === null) {
      this.made = this.made.filter((one) => one !== move);
      this.phase = 'asking';
    } else if (isComplete) {
      this.solvedBy = version;
      this.finish();
    }
    return version;
  }

  /** The step is solved once its solution is on the board, with everything that follows from it. */
  finish() {
    if (this.phase !== 'showing' || this.view.version < this.solvedBy) return;
    this.phase = 'solved';
    if (this.isLast) remember(this.game.slug, 'finished');
    announce(this.step.praise);
    redraw();
  }

  /** @override */
  afterView() {
    super.afterView();
    this.finish();
  }

  /** Mark a solution on the board. */
  showSolution() {
    const move = this.openSolutions[0]?.[this.made.length]?.move ?? {};
    this.picks = [];
    this.hinted = new Set(Object.values(move));
    this.advise(this.step.hint);
  }

  /**
   * @override
   * @param {string} text
   */
  advise(text) {
    this.advice = text;
    announce(text);
    redraw();
  }

  /**
   * @override
   * @param {Step} step
   */
  explain(step) {
    if (this.phase === 'solved') return this.isLast ? gameTexts.lesson.over : gameTexts.lesson.chooseNext;
    if (this.phase !== 'asking') return gameTexts.lesson.othersMove;
    return super.explain(step);
  }
}

/**
 * Whether two moves are the same, regardless of the order of their fields.
 * @param {Move} one
 * @param {Move | undefined} other
 */
function isSame(one, other) {
  const names = Object.keys(one);
  return other !== undefined && names.length === Object.keys(other).length && names.every((n) => one[n] === other[n]);
}
