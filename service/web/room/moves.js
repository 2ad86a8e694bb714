/**
 * Turns a list of legal moves into what can be picked next, for any game: a move is read as a row of steps, first its
 * choices (a peg, a side, a column), then its cells (`from`, `to`, `at`).
 */

/** @typedef {Record<string, any>} Move */
/** @typedef {{kind: string, value: any}} Step `kind` is `cell`, or the name of the field that is chosen */

const CELLS_IN_ORDER = ['from', 'at', 'to'];

/**
 * The steps of a move.
 * @param {Move} move
 * @param {Set<string>} cells the names of the board's cells
 * @returns {Step[]}
 */
export function steps(move, cells) {
  const fields = Object.keys(move).filter((field) => field !== 'type');
  const onBoard = fields.filter((field) => cells.has(move[field]));
  const order = (/** @type {string} */ field) => CELLS_IN_ORDER.indexOf(field) + 1 || CELLS_IN_ORDER.length + 1;
  return [
    ...fields.filter((field) => !onBoard.includes(field)).map((field) => ({ kind: field, value: move[field] })),
    ...onBoard.sort((one, other) => order(one) - order(other)).map((field) => ({ kind: 'cell', value: move[field] })),
  ];
}

/** @param {Step} one @param {Step} other */
function same(one, other) {
  return one.kind === other.kind && one.value === other.value;
}

/** A list of legal moves, and how far one of them has been picked. */
export class Picking {
  /**
   * @param {Move[]} legal
   * @param {Set<string>} cells
   * @param {Step[]} picks
   */
  constructor(legal, cells, picks) {
    this.cells = cells;
    /** @type {Step[]} */
    this.picks = picks;
    this.paths = legal.map((move) => ({ move, steps: steps(move, cells) }));
    this.open = this.paths.filter((path) =>
      picks.every((pick, place) => path.steps[place] && same(path.steps[place], pick)),
    );
    if (!this.open.length && picks.length) this.picks = [];
    if (!this.picks.length) this.open = this.paths;
  }

  /** The steps that can be picked next. @returns {Step[]} */
  get next() {
    return this.open.map((path) => path.steps[this.picks.length]).filter((step) => step !== undefined);
  }

  /** The cells that can be picked next. @returns {Set<string>} */
  get targets() {
    return new Set(this.next.filter((step) => step.kind === 'cell').map((step) => step.value));
  }

  /** What else can be chosen next: values by field. @returns {Map<string, any[]>} */
  get choices() {
    /** @type {Map<string, any[]>} */
    const choices = new Map();
    for (const { kind, value } of this.next) {
      if (kind === 'cell') continue;
      const values = choices.get(kind) ?? [];
      if (!values.includes(value)) choices.set(kind, [...values, value]);
    }
    return choices;
  }

  /** Moves that are complete as picked: they are offered as buttons where there is more to pick as well. @returns {Move[]} */
  get ready() {
    return this.open.filter((path) => path.steps.length === this.picks.length).map((path) => path.move);
  }

  /** The cells picked so far. @returns {string[]} */
  get pickedCells() {
    return this.picks.filter((pick) => pick.kind === 'cell').map((pick) => pick.value);
  }

  /**
   * Pick one step more; if that can't follow, begin a new move with it.
   * @param {Step} step
   * @returns {{picks: Step[], move: Move | null} | null} the move once nothing is left to pick, null if no move fits
   */
  pick(step) {
    for (const picks of [[...this.picks, step], [step]]) {
      const open = this.paths.filter((path) =>
        picks.every((pick, place) => path.steps[place] && same(path.steps[place], pick)),
      );
      if (open.length === 1 && open[0].steps.length === picks.length) return { picks: [], move: open[0].move };
      if (open.length) return { picks, move: null };
    }
    return null;
  }
}

/** A move in a few words: `Flip`, `Commit`. @param {Move} move */
export function moveWord(move) {
  return humane(move.type);
}

/** A name of the wire for people: `best_of` is `Best of`. @param {string} name */
export function humane(name) {
  const words = String(name).replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
