// The minimal server of Colyseus's documentation with one room: `node colyseus.mjs PORT`. Patches are sent at once.

import { Server, Room } from '@colyseus/core';
import { schema } from '@colyseus/schema';
import { WebSocketTransport } from '@colyseus/ws-transport';
import points from './points.cjs';

const State = schema({ cells: ['string'], moves: 'number' });

class Morris extends Room {
  maxClients = 2;
  patchRate = null;
  seats = [];

  onCreate() {
    this.setState(this.begin(new State()));
    this.onMessage('play', (client, move) => this.play(client, move));
    this.onMessage('start', () => {
      this.begin(this.state);
      this.broadcastPatch();
    });
  }

  onJoin(client) {
    this.seats.push(client.sessionId);
  }

  begin(state) {
    state.cells = Array(points.COUNT).fill('');
    state.moves = 0;
    return state;
  }

  play(client, move) {
    const seat = String(this.seats.indexOf(client.sessionId));
    const changed = points.changes(this.state.cells, seat, move);
    if (changed === null) {
      client.send('refused', move);
      return;
    }
    for (const [at, who] of changed) this.state.cells[at] = who;
    this.state.moves += 1;
    this.broadcastPatch();
  }
}

const server = new Server({ greet: false, transport: new WebSocketTransport() });
server.define('morris', Morris);
await server.listen(Number(process.argv[2]));
