// A bot of your own: it joins a room and plays in it until it closes. Replace `choose` with your own strategy.
//
//     node bot.mjs http://127.0.0.1:8000 friday-night "Deep Thought"        (Node 22 or later)

import { Client, RefusedError, TurnstreamError } from '../../clients/javascript/client.js'; // or 'turnstream-client'

const [server, name, nickname] = process.argv.slice(2);
if (!nickname) {
  console.error('Usage: node bot.mjs http://127.0.0.1:8000 friday-night "Deep Thought"');
  process.exit(1);
}

/** Return one of the legal moves; `match.state` has what this seat may know. */
function choose({ legal_moves: moves }) {
  const commits = moves.filter(({ type }) => type === 'commit'); // Turncoat: keep the selection
  const choices = commits.length ? commits : moves;
  return choices[Math.floor(Math.random() * choices.length)];
}

/** Play until the room is closed. */
async function play(room) {
  await room.ready();
  for await (const match of room.turns()) {
    try {
      const move = choose(match);
      await room.play(move);
      console.log(`Match ${match.number}:`, move);
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      console.log(`Refused: ${error.message}`); // the room has changed meanwhile; the next turn shows how
    }
  }
  console.log('The room is closed.');
}

let room;
try {
  const client = new Client(server);
  await client.createGuest(nickname, { bot: true });
  room = await client.join(name);
  console.log(`${nickname} has joined ${room.view.title}.`);
  await play(room);
} catch (error) {
  if (!(error instanceof TurnstreamError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
} finally {
  room?.close();
}
