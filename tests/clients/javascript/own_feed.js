// Follows the player's own feed until a match is over, and prints its events: node own_feed.js URL TOKEN
import { Client } from '../../../clients/javascript/client.js';

const [url = '', token] = process.argv.slice(2);
const client = new Client(url, { token, retries: { first: 10, longest: 50, patience: 60_000 } });
const feed = await client.followMe();
const events = feed.events();
console.log('"following"');
for await (const { version, type } of events) {
  console.log(JSON.stringify([version, type]));
  if (type === 'match_finished') break;
}
feed.close();
