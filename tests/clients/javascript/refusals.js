// Meets refusals and prints their codes: node refusals.js URL
import { Client, RefusedError, TurnstreamError, UnreachableError } from '../../../clients/javascript/client.js';

const [url = ''] = process.argv.slice(2);
const retries = { first: 10, patience: 100 };
const ada = new Client(url);
await ada.createGuest('Ada');
await ada.createGuest('Ada'); // the first one is forgotten
const { room: name } = await ada.openRoom({ game: 'morris', settings: { clock: { type: 'per_move', ms: 60_000 } } });
const room = await ada.join(name);
await room.ready();
await room.ready();

/**
 * @param {Promise<unknown>} refused
 * @returns {Promise<string>}
 */
async function codeOf(refused) {
  try {
    await refused;
  } catch (error) {
    if (error instanceof RefusedError) return `${error.status} ${error.code}`;
    if (error instanceof UnreachableError) return 'unreachable';
    if (error instanceof TurnstreamError) return 'ended';
    throw error;
  }
  return 'accepted';
}

const codes = [
  await codeOf(ada.send('no-such-room', { type: 'ready' })),
  await codeOf(ada.follow('no-such-room')),
  await codeOf(room.send({ type: 'join' })),
  await codeOf(new Client('http://127.0.0.1:9', { retries }).rooms()),
  await codeOf(new Client('http://127.0.0.1:9', { retries }).follow(name)),
];
room.close();
codes.push(await codeOf(room.ready()));
console.log(JSON.stringify(codes));
