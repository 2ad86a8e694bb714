// Prints how many milliseconds the seats of a match have left, and how far the server is ahead: node clock.js MATCH TIME...
import { ServerClock } from '../../../clients/javascript/client/clock.js';

const [match = '', ...times] = process.argv.slice(2);
const clock = new ServerClock();
for (const time of times) clock.measure(time);
console.log(JSON.stringify({ remaining: clock.remainingMs(JSON.parse(match)), ahead: clock.now() - Date.now() }));
