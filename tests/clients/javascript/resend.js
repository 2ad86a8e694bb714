// Sends a command while there is no connection, and prints what happened: node resend.js URL TOKEN ROOM
import { Client } from '../../../clients/javascript/client.js';

const [url = '', token, name = ''] = process.argv.slice(2);
const client = new Client(url, { token, retries: { first: 10, longest: 20, patience: 60_000 } });
const room = await client.follow(name);
console.log('"following"');
await new Promise((resolve) => room.subscribe(() => room.status === 'reconnecting' && resolve(null)));
// From now on a request that fails is sent again after an hour, or when the feed has reconnected.
Object.assign(client.retries, { first: 3_600_000, longest: 3_600_000 });
const sent = client.send(name, { type: 'ready' }, { patience: Infinity });
console.log('"waiting"');
console.log(JSON.stringify({ version: await sent }));
room.close();
