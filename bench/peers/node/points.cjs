// The 24 points of Nine Men's Morris, and what a move changes. No more is checked than that a point is as it has to be.

const NAMES =
  'a7 d7 g7 b6 d6 f6 c5 d5 e5 a4 b4 c4 e4 f4 g4 c3 d3 e3 b2 d2 f2 a1 d1 g1'.split(' ');
const INDEX = new Map(NAMES.map((name, index) => [name, index]));

/** What a move sets, as pairs of a point's index and who is there then ('' for nobody); null for an illegal move. */
function changes(cells, seat, move) {
  const at = INDEX.get(move.at ?? move.to);
  switch (move.type) {
    case 'place':
      return cells[at] === '' ? [[at, seat]] : null;
    case 'remove':
      return cells[at] !== '' && cells[at] !== seat ? [[at, '']] : null;
    case 'move': {
      const from = INDEX.get(move.from);
      return cells[from] === seat && cells[at] === '' ? [[from, ''], [at, seat]] : null;
    }
    default:
      return null;
  }
}

module.exports = { changes, COUNT: NAMES.length };
