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
for await (const rooms of lobby.changes()) if (rooms.some(({ room }) => room === name)) break;
const other = await client.followLobby({ game: 'morris' });
if (other.rooms.some(({ room }) => room === name)) throw new Error('this lobby is that of another game');
other.close();
const open = await client.followLobby({ joinable: true });
if (open.rooms.some(({ room }) => room === name)) throw new Error('nobody can join this room');
open.close();
const lobbyLines = lobby.lines();
await client.say(null, 'good evening');
if ((await lobbyLines.next()).value?.text !== 'good evening') throw new Error('this is another line');
lobby.close();
const tv = await client.followTv('turncoat');
if (tv.match && tv.match.game !== 'turncoat') throw new Error('this is the channel of another game');
tv.close();
const { games } = await client.games();
if ((await client.game('turncoat')).slug !== games.find(({ slug }) => slug === 'turncoat')?.slug)
  throw new Error('no game');

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
const heard = room.lines();
const chat = await client.followChat();
await client.say(name, 'good luck');
for await (const lines of chat.changes()) if (lines.at(-1)?.text === 'good luck') break;
const last = (await client.chatView('all')).lines.slice(-2);
if (last.map(({ room }) => room).join() !== `,${name}`) throw new Error('these are not the lines of both');
chat.close();
const { value: line } = await heard.next();
const { lines } = await client.chat(name);
const { rooms } = await client.me();
await room.send({ type: 'close' });
const { done } = await heard.next();
room.close();
const said = [line, ...lines].map((each) => each?.text);
console.log(JSON.stringify({ selections, versions, said, rooms: rooms.length, done }));
