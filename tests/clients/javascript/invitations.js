// Invites to a private room, reads, declines and accepts, and prints what it gets: node invitations.js URL
import { Client } from '../../../clients/javascript/client.js';

const [url = ''] = process.argv.slice(2);
const [ada, bob, eve] = [new Client(url), new Client(url), new Client(url)];
const settings = { visibility: /** @type {const} */ ('private'), password: 'open sesame' };
const { room } = await ada.openRoom({ game: 'ternio', nickname: 'Ada', settings });
const { code } = await ada.invite(room, { uses: 2 });
const view = await bob.invitation(code);
await eve.declineInvitation(code, { nickname: 'Eve' });
const joined = await bob.acceptInvitation(code, { nickname: 'Bob', seat: 2 });
const [listed] = (await ada.invitations(room)).invitations;
const seats = (await bob.view(joined)).seats.map(({ player }) => player === bob.id);
const { room: open } = await ada.openRoom({ game: 'ternio' });
const lobbies = [await ada.rooms({ joinable: 'true' }), await ada.rooms({ live: 'true' })];
const found = lobbies.map(({ rooms }) => rooms.some((entry) => entry.room === open));
console.log(
  JSON.stringify({
    view: [view.host, view.game, view.room, view.uses_left],
    same: [joined === room, listed?.code === code],
    listed: [listed?.used, listed?.declined],
    seats,
    found,
  }),
);
