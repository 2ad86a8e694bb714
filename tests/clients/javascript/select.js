// Selects one square of Turncoat after the other until its input ends, then resigns, and prints what it did and heard:
// node select.js URL TOKEN ROOM socket|request
import { Client, RefusedError } from '../../../clients/javascript/client.js';

const [url = '', token, name = '', way] = process.argv.slice(2);
const client = new Client(url, { token, retries: { first: 10, longest: 50, patience: 60_000 } });
const room = await client.follow(name);
const first = room.version;
/** @type {[number, string][]} */
const heard = [];
/** @type {Record<number, string>} */
const selected = {};
let isOver = false;
process.stdin.on('end', () => (isOver = true)).resume();

const hearing = (async () => {
  for await (const { version, type } of room.events()) {
    heard.push([version, type]);
    if (type === 'match_ended') return;
  }
})();
while (!isOver) {
  const moves = (room.match?.legal_moves ?? []).flatMap((move) => (move.type === 'select' ? [move] : []));
  const move = moves[Math.floor(Math.random() * moves.length)];
  if (!move) throw new Error('a seat may always select');
  let version;
  try {
    version = await (way === 'socket' ? room.play(move) : client.send(name, { type: 'play', move }));
  } catch (error) {
    if (error instanceof RefusedError && error.code === 'not_playing') break; // the other side has resigned
    throw error;
  }
  if (way === 'socket' && room.view.version < version) throw new Error('the view is behind');
  selected[version] = move.at;
}
if (way === 'socket') await room.send({ type: 'resign' });
await hearing;
room.close();
console.log(JSON.stringify({ first, heard, selected }));
