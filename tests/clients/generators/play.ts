// Plays a match of a game with the generated types alone: `node play.js URL GAME`. Prints how the match ended.
import type { components } from './api';

type Schemas = components['schemas'];

declare const process: { argv: string[] };

const [url, game] = process.argv.slice(2);
const OPENINGS: { [slug: string]: Schemas['OpenRoomRequest'] } = {
  ternio: { game: 'ternio', seats: ['me', 'me', 'me'], settings: { hot_seat: true } },
  triboard: { game: 'triboard', seats: ['me', 'me', 'me'], settings: { hot_seat: true } },
  morris: { game: 'morris', seats: ['me', 'me'], settings: { hot_seat: true }, options: { quiet_limit: 10 } },
  turncoat: { game: 'turncoat', seats: ['me', 'me'], settings: { hot_seat: true }, options: { round_limit: 3 } },
  rainbow: { game: 'rainbow', seats: ['me', 'me'], settings: { hot_seat: true }, options: { quiet_limit: 10 } },
};

async function request<T>(method: string, path: string, token?: string, body?: unknown): Promise<T> {
  const headers = { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) };
  const response = await fetch(url + path, { method, headers, body: body ? JSON.stringify(body) : undefined });
  if (!response.ok) throw new Error(((await response.json()) as Schemas['Problem']).code);
  return response.json() as Promise<T>;
}

const guest: Schemas['NewPlayer'] = { nickname: 'Ada' };
const { token } = await request<Schemas['Guest']>('POST', '/v1/players', undefined, guest);
const { room } = await request<Schemas['OpenRoomResponse']>('POST', '/v1/rooms', token, OPENINGS[game]);

for (;;) {
  const { match } = await request<Schemas['RoomView']>('GET', `/v1/rooms/${room}`, token);
  if (!match) throw new Error('the match has not started');
  if (match.status === 'finished') {
    console.log(match.result?.reason);
    break;
  }
  const seat = match.to_move[0];
  const legal = await request<Schemas['LegalMoves']>('GET', `/v1/rooms/${room}/legal-moves?seat=${seat}`, token);
  const moves: Schemas['AnyMove'][] = legal.legal_moves;
  const move = moves.find(({ type }) => type === 'commit') ?? moves[Math.floor(Math.random() * moves.length)];
  const command: Schemas['PlayCommand'] = { type: 'play', move, seat };
  await request<Schemas['CommandResponse']>('POST', `/v1/rooms/${room}/commands`, token, command);
}
