// A bot of your own: joins a room and plays in it until it closes. Only `choose` has to become cleverer.
//
//     node bot.mjs http://127.0.0.1:8000 friday-night "Deep Thought"        (Node 20 or later)

const [server, room, nickname] = process.argv.slice(2);
const headers = { 'Content-Type': 'application/json' };
const pause = () => new Promise((done) => setTimeout(done, 1000));

/** Return one of the legal moves; all that this seat may know is in the view. */
function choose(view, moves) {
  const finishing = moves.filter((move) => move.type === 'commit'); // Turncoat: stand by a selection
  const among = finishing.length ? finishing : moves;
  return among[Math.floor(Math.random() * among.length)];
}

/** Return the answer to a request, or null where the rules refuse it; what got no answer is sent again. */
async function post(path, body, key = crypto.randomUUID()) {
  for (;;) {
    try {
      const sent = { method: 'POST', headers: { ...headers, 'Idempotency-Key': key }, body: JSON.stringify(body) };
      const answer = await fetch(`${server}/v1${path}`, sent);
      if (answer.ok) return await answer.json();
      if (answer.status < 500 && answer.status !== 429) return console.log(await answer.text()) ?? null;
    } catch { /* the connection broke: the key makes it safe to ask again */ }
    await pause();
  }
}

/** Yield the room as this bot may see it, whenever something has happened. */
async function* views() {
  for (;;) {
    try {
      const { body } = await fetch(`${server}/v1/rooms/${room}/feed`, { headers });
      let rest = '';
      for await (const text of body.pipeThrough(new TextDecoderStream())) {
        const lines = (rest + text).split('\n');
        rest = lines.pop();
        for (const line of lines.filter((each) => each.startsWith('data: '))) {
          const frame = JSON.parse(line.slice(6));
          if (frame.view) yield frame.view;
        }
      }
    } catch { /* the stream broke: the next one begins with the whole view */ }
    await pause();
  }
}

const guest = await post('/players', { nickname, bot: true });
headers.Authorization = `Bearer ${guest.token}`;
for (const type of ['join', 'ready']) await post(`/rooms/${room}/commands`, { type });
let moved = 0; // the version after its latest move: what is told from before that is out of date
for await (const view of views()) {
  if (view.status === 'closed') break;
  const mine = view.seats.find((seat) => seat.player === guest.player.id && view.match?.to_move.includes(seat.seat));
  if (!mine || view.version < moved) continue;
  const play = { type: 'play', move: choose(view, view.match.legal_moves) };
  moved = (await post(`/rooms/${room}/commands`, play, `${view.match.id}-${view.version}`) ?? view).version;
}
process.exit();
