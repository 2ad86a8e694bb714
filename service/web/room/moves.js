/**
 * Turns a list of legal moves into what can be picked next, for any game. A move is a sequence of steps: first its
 * choices (a peg, a side), then its cells (`from`, `at`, `to`).
 */

/** @import { Move } from '../types.d.ts' */
/**
 * A step of a move. `kind` is `cell`, or the name of the field that is chosen.
 * @typedef {{kind: string, value: string}} Step
 */

const CELL_FIELDS = ['from', 'at', 'to'];

/**
 * The steps of a move.
 * @param {Move} move
 * @param {Set<string>} cells the names of the board's cells
 * @returns {Step[]}
 */
function steps({ type: _, ...fields }, cells) {
  const rank = (/** @type {string} */ field) => CELL_FIELDS.indexOf(field) + 1 || CELL_FIELDS.length + 1;
  const entries = Object.entries(fields).map(([field, value]) => /** @type {const} */ ([field, String(value)]));
  const choices = entries.filter(([, value]) => !cells.has(value)).map(([kind, value]) => ({ kind, value }));
  const onBoard = entries.filter(([, value]) => cells.has(value)).sort(([one], [other]) => rank(one) - rank(other));
  return [...choices, ...onBoard.map(([, value]) => ({ kind: 'cell', value }))];
}

/** A list of legal moves, and the steps of one that have been picked. */
export class Picking {
  /**
   * @param {Move[]} legalMoves
   * @param {Set<string>} cells
   * @param {Step[]} picks
   */
  constructor(legalMoves, cells, picks) {
    this.paths = legalMoves.map((move) => ({ move, steps: steps(move, cells) }));
    const open = this.pathsAfter(picks);
    /** @type {Step[]} */
    this.picks = open.length ? picks : [];
    this.open = open.length ? open : this.paths;
  }

  /**
   * The moves that begin with these steps.
   * @param {Step[]} picks
   */
  pathsAfter(picks) {
    return this.paths.filter((path) =>
      picks.every(({ kind, value }, index) => path.steps[index]?.kind === kind && path.steps[index]?.value === value),
    );
  }

  /** The steps that can be picked next. @returns {Step[]} */
  get next() {
    return this.open.map((path) => path.steps[this.picks.length]).filter((step) => step !== undefined);
  }

  /** The cells that can be picked next. @returns {Set<string>} */
  get targets() {
    return new Set(this.next.filter(({ kind }) => kind === 'cell').map(({ value }) => value));
  }

  /** The choices that can be picked next: values by field. */
  get choices() {
    /** @type {Map<string, Set<string>>} */
    const choices = new Map();
    for (const { kind, value } of this.next) {
      if (kind !== 'cell') choices.set(kind, (choices.get(kind) ?? new Set()).add(value));
    }
    return choices;
  }

  /** Moves that are complete as picked, even if others have further steps. @returns {Move[]} */
  get ready() {
    return this.open.filter((path) => path.steps.length === this.picks.length).map(({ move }) => move);
  }

  /** The cells picked so far. @returns {string[]} */
  get pickedCells() {
    return this.picks.filter(({ kind }) => kind === 'cell').map(({ value }) => value);
  }

  /**
   * Pick one more step. If no move has it there, it begins a new move.
   * @param {Step} step
   * @returns {{picks: Step[], move: Move | null} | null} the move if nothing is left to pick; null if no move fits
   */
  pick(step) {
    for (const picks of [[...this.picks, step], [step]]) {
      const open = this.pathsAfter(picks);
      const [first] = open;
      if (open.length === 1 && first?.steps.length === picks.length) return { picks: [], move: first.move };
      if (open.length) return { picks, move: null };
    }
    return null;
  }
}
