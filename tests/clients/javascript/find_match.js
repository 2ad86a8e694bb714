// Lets two players find each other and a third one wait, and prints what happened: node find_match.js URL
import { Client, RefusedError } from '../../../clients/javascript/client.js';

/** @import { SeekRequest } from '../../../clients/javascript/schema.d.ts' */

const [url = ''] = process.argv.slice(2);
const [ada, ben, cyd] = [new Client(url), new Client(url), new Client(url)];
await Promise.all([ada.createGuest('Ada'), ben.createGuest('Ben'), cyd.createGuest('Cyd')]);
/** @type {SeekRequest} */
const wish = { game: 'morris', clock: { type: 'per_move', ms: 78_000 } };

/** @param {Client} client */
async function findMatch(client) {
  for await (const { room: name } of client.findMatches(wish)) {
    const room = await client.follow(name);
    await room.ready();
    for await (const { match } of room.views()) if (match) break;
    room.close();
    return name;
  }
  throw new Error('a search has no end');
}

const rooms = await Promise.all([findMatch(ada), findMatch(ben)]);
const { status } = await ada.view(rooms[0] ?? '');
const stop = new AbortController();
const found = cyd.findMatches(wish, { signal: stop.signal }).next();
while (!(await cyd.ownSeeks()).seeks.length);
const open = (await ada.openSeeks({ game: 'morris' })).seeks.filter(({ clock }) => clock?.type === 'per_move');
stop.abort();
const { done } = await found;
const { seeks } = await cyd.ownSeeks();
await cyd.withdrawSeek('no-such-seek');
const taken = await ada.makeSeek({ game: 'turncoat', clock: { type: 'per_move', ms: 79_000 } });
const { paired } = await cyd.acceptSeek(taken.id);
const refusal = await ben
  .findMatches({ game: 'morris', rated: true })
  .next()
  .catch((/** @type {unknown} */ error) => error);
console.log(
  JSON.stringify({
    rooms: new Set(rooms).size,
    playing: status === 'playing',
    left: [done, seeks.length],
    open: open.map(({ nickname }) => nickname),
    paired,
    refused: refusal instanceof RefusedError ? refusal.code : null,
  }),
);
