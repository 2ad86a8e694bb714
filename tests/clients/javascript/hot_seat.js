// Plays both seats of Turncoat on one device, in rooms that the lobby shows: node hot_seat.js URL
import { Client } from '../../../clients/javascript/client.js';

const [url = ''] = process.argv.slice(2);
const client = new Client(url);
await client.createGuest('Ada');
const lobby = await client.followLobby();
const { room: name } = await client.openRoom({
  game: 'turncoat',
  seats: ['me', 'me'],
  settings: { hot_seat: true, start: 'full' },
});
/** @returns {boolean} */
const isShown = () => lobby.rooms.some(({ room }) => room === name);
await new Promise((resolve) => {
  if (isShown()) resolve(null);
  lobby.subscribe(() => isShown() && resolve(null));
});
lobby.close();

const room = await client.follow(name, { seat: 0 });
const first = room.version;
const events = room.events();

/** The selection that the present seat may know. */
function selection() {
  if (room.view.game !== 'turncoat') throw new Error('this is another game');
  return room.view.match?.state.own_selection ?? null;
}

/** @param {number} seat */
async function select(seat) {
  const move = room.match?.legal_moves.find(({ type }) => type === 'select');
  if (!move) throw new Error('a seat may always select');
  await room.play(move, { seat });
  return selection();
}

const selections = [await select(0)];
room.viewAs(1);
for await (const _ of room.views()) if (selection() === null) break;
selections.push(await select(1));
const versions = [];
for await (const { version } of events) {
  versions.push(version - first);
  if (version === room.version) break;
}
await client.say(name, 'good luck');
const { lines } = await client.get(`/v1/rooms/${name}/chat`);
room.close();
console.log(JSON.stringify({ selections, versions, lines: lines.map((/** @type {any} */ line) => line.text) }));
