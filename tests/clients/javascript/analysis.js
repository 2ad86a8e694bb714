// Reviews a match of one move that is over, and prints what it gets: node analysis.js URL
import { Client } from '../../../clients/javascript/client.js';

const [url = ''] = process.argv.slice(2);
const ada = new Client(url);
const settings = { hot_seat: true, restart: null };
const { room } = await ada.openRoom({ game: 'morris', nickname: 'Ada', seats: ['me', 'me'], settings });
await ada.send(room, { type: 'play', move: { type: 'place', at: 'a1' } });
await ada.send(room, { type: 'resign', seat: 1 });
const id = (await ada.view(room)).match?.id ?? '';
const [whole, first, text] = [await ada.analysis(id), await ada.analysis(id, 1), await ada.matchText(id)];
const pages = [
  { ...whole, next: 1000 },
  { ...whole, next: null },
];
/** @type {string[]} */
const paths = [];
ada.get = async (path) => paths.push(path) && pages.shift();
const { positions } = await ada.analysis(id);
const { status } = await ada.requestReview(id);
console.log(
  JSON.stringify({
    plies: whole.plies,
    ply: first.positions[0]?.ply,
    isAsked: ['waiting', 'done'].includes(status),
    text: text.split('\n')[0],
    paged: [positions.length, ...paths.map((path) => path.split('/').at(-1))],
  }),
);
