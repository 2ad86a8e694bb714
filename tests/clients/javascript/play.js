// Plays any legal move until a match is over: node play.js URL TOKEN ROOM
import { Client, RefusedError } from '../../../clients/javascript/client.js';

const [url = '', token, name = ''] = process.argv.slice(2);
const client = new Client(url, { token });
const room = await client.follow(name);
for await (const { match } of room.views()) {
  if (match?.status === 'finished') break;
  if (!match || !room.isToMove) continue;
  const commits = match.legal_moves.filter(({ type }) => type === 'commit');
  const moves = commits.length ? commits : match.legal_moves;
  const move = moves[Math.floor(Math.random() * moves.length)];
  try {
    if (move) await room.play(move);
  } catch (error) {
    // In Turncoat, the other side may have ended the round meanwhile.
    if (!(error instanceof RefusedError)) throw error;
  }
}
console.log(JSON.stringify([room.view, await client.view(name)]));
room.close();
