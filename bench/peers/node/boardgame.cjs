// The minimal server of boardgame.io's documentation with one game: `node boardgame.cjs PORT`.

const { Server, Origins } = require('boardgame.io/server');
const { INVALID_MOVE, ActivePlayers } = require('boardgame.io/core');
const { changes, COUNT } = require('./points.cjs');

const morris = {
  name: 'morris',
  setup: () => ({ cells: Array(COUNT).fill('') }),
  turn: { activePlayers: ActivePlayers.ALL },
  moves: {
    play: ({ G, playerID }, move) => {
      const changed = changes(G.cells, playerID, move);
      if (changed === null) return INVALID_MOVE;
      for (const [at, who] of changed) G.cells[at] = who;
    },
  },
};

Server({ games: [morris], origins: [Origins.LOCALHOST] }).run(Number(process.argv[2]));
