// Reads a game in two languages, and prints its taglines: node languages.js URL
import { Client } from '../../../clients/javascript/client.js';

const [url = ''] = process.argv.slice(2);
const clients = [new Client(url), new Client(url, { language: 'de' })];
const games = await Promise.all(clients.map((client) => client.game('ternio')));
console.log(JSON.stringify(games.map(({ tagline }) => tagline)));
