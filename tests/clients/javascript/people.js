// Uses accounts, challenges, the list of bots and webhooks, and prints what it gets: node people.js URL ENDPOINT
import { Client, RefusedError } from '../../../clients/javascript/client.js';

/** @import { PlayerEvent } from '../../../clients/javascript/schema.d.ts' */

const [url = '', endpoint = ''] = process.argv.slice(2);

/**
 * @param {string} nickname
 * @param {{bot?: boolean}} [options]
 */
async function guest(nickname, options) {
  const client = new Client(url);
  await client.createGuest(nickname, options);
  return client;
}

/** @param {Promise<unknown>} refused */
async function codeOf(refused) {
  const error = await refused.catch((/** @type {unknown} */ problem) => problem);
  if (!(error instanceof RefusedError)) throw new Error('this was not refused');
  return error.code;
}

/**
 * @template {PlayerEvent['type']} T
 * @param {AsyncGenerator<PlayerEvent, void>} events
 * @param {T} type
 */
async function next(events, type) {
  for (;;) {
    const { value, done } = await events.next();
    if (done || !value) throw new Error('a feed has no end');
    if (value.type === type) return /** @type {Extract<PlayerEvent, {type: T}>} */ (value);
  }
}

async function useTokens() {
  const ada = await guest('Ada');
  const { token, entry } = await ada.account.makeToken({ name: 'My bot', scopes: ['read'], expires_days: 1 });
  const refused = await codeOf(new Client(url, { token }).openRoom({ game: 'morris' }));
  await ada.account.revokeToken(entry.id);
  return [entry.name, entry.current, refused, (await ada.account.tokens()).tokens.length];
}

/** @param {Client} ada */
async function link(ada) {
  const phone = new Client(url);
  const { code } = await ada.account.makeLinkCode();
  const { entry, player } = await phone.account.useLinkCode(code, { name: 'Phone' });
  await phone.account.signOutElsewhere();
  const { tokens } = await phone.account.tokens();
  return { phone, result: [entry.name, player.id === ada.id && phone.id === ada.id, tokens.map(({ name }) => name)] };
}

/** @param {Client} lost */
async function recover(lost) {
  const found = new Client(url);
  const { code } = await lost.account.makeRecoveryCode();
  const { entry } = await found.account.useRecoveryCode(code);
  return [entry.name, entry.current, found.id === lost.id];
}

async function block() {
  const [ada, ben] = [await guest('Ada'), await guest('Ben')];
  await ada.account.block(ben.id ?? '');
  const { blocks } = await ada.account.blocks();
  const refused = await codeOf(ben.challenges.make({ game: 'morris', opponents: [ada.id ?? ''] }));
  await ada.account.report({ player: ben.id ?? '', reason: 'asks too often' });
  await ada.account.unblock(ben.id ?? '');
  return [blocks.length, refused, (await ada.account.blocks()).blocks.length];
}

async function admit() {
  const [ada, ben] = [await guest('Ada'), await guest('Ben')];
  const feeds = [await ada.followMe(), await ben.followMe()];
  const [mine, his] = feeds.map((feed) => feed.events());
  if (!mine || !his) throw new Error('there are two feeds');
  const make = () => ben.challenges.make({ game: 'morris', opponents: [ada.id ?? ''] });
  const before = await ada.challenges.challengers();
  const after = await ada.challenges.admit('nobody');
  const refused = await codeOf(make());
  await ada.challenges.admit('everybody');
  await make();
  await next(mine, 'challenge_made');
  await ada.challenges.declineAll({ reason: 'other_game' });
  const { reason } = await next(his, 'challenge_declined');
  for (const feed of feeds) feed.close();
  return [before.challengers, after.challengers, refused, reason];
}

async function erase() {
  const [ada, ben] = [await guest('Ada'), await guest('Ben')];
  const refused = await codeOf(ada.account.erase(ben.id ?? ''));
  await ada.account.erase(ada.id ?? '');
  return [refused, await codeOf(ada.account.tokens())];
}

async function challenge() {
  const [ada, ben] = [await guest('Ada'), await guest('Ben')];
  const feeds = [await ada.followMe(), await ben.followMe()];
  const [mine, his] = feeds.map((feed) => feed.events());
  if (!mine || !his) throw new Error('there are two feeds');
  const make = () => ada.challenges.make({ game: 'morris', opponents: [ben.id ?? ''], seat: 1 });
  const refused = await make();
  if ((await next(his, 'challenge_made')).challenge.id !== refused.id) throw new Error('this is another challenge');
  await ben.challenges.decline(refused.id, { reason: 'not_now' });
  const { reason } = await next(mine, 'challenge_declined');
  await ada.challenges.withdraw((await make()).id);
  const ended = await next(his, 'challenge_ended');
  const accepted = await make();
  await next(his, 'challenge_made');
  const { received } = await ben.challenges.open();
  await ben.challenges.accept(accepted.id);
  const { room, seats } = await next(mine, 'challenge_opened');
  for (const client of [ada, ben]) await client.send(room, { type: 'ready' });
  for (const feed of feeds) feed.close();
  const { status } = await ada.view(room);
  return [reason, ended.reason, received.length, seats[ada.id ?? ''], status];
}

async function listBots() {
  const { bots, id } = await guest('Deep Mill', { bot: true });
  const { player } = await bots.register({ games: ['morris'], description: 'Looks three mills ahead.' });
  const found = await Promise.all([bots.list({ game: 'morris' }), bots.list({ game: 'ternio' })]);
  await bots.leave();
  const { listed } = await bots.list();
  return [
    ...found.map(({ listed }) => listed.some((each) => each.player === id)),
    player === id && !listed.some((each) => each.player === id),
  ];
}

async function hook() {
  const [{ id, webhooks }, ben] = [await guest('Ada'), await guest('Ben')];
  const { webhook, secret } = await webhooks.make({ url: endpoint });
  const read = () => webhooks.details(webhook.id);
  while ((await read()).webhook.status !== 'active');
  const rotated = await webhooks.rotate(webhook.id);
  await ben.challenges.make({ game: 'morris', opponents: [id ?? ''] });
  while (!(await read()).deliveries.length);
  const [delivery] = (await read()).deliveries;
  await webhooks.replay(webhook.id, delivery?.event ?? 0);
  const { status, events } = await webhooks.change(webhook.id, { events: ['turn_began'] });
  await webhooks.verify(webhook.id);
  await webhooks.delete(webhook.id);
  const left = (await webhooks.list()).webhooks.length;
  return [status, rotated.secret !== secret, delivery?.event_type, events, left];
}

/**
 * @param {Client} ada
 * @param {Client} ben
 */
async function playRated(ada, ben) {
  const settings = { rated: true, clock: { type: 'per_move', ms: 10_000 }, start: 'full', restart: null };
  const { room } = await ada.openRoom({ game: 'morris', settings: /** @type {any} */ (settings) });
  await ben.send(room, { type: 'join' });
  await ada.send(room, { type: 'play', move: { type: 'place', at: 'a1' } });
  await ben.send(room, { type: 'play', move: { type: 'place', at: 'd1' } });
  const id = (await ada.view(room)).match?.id ?? '';
  await ben.send(room, { type: 'resign' });
  while (!(await ada.ratings.ofMatch(id)).rating_class);
  while (!(await ada.players.profile(ada.id ?? '')).latest.length);
  return id;
}

async function readPlayers() {
  const [ada, ben] = [await guest('Ada'), await guest('Ben')];
  const match = await playRated(ada, ben);
  const [player, other] = [ada.id ?? '', ben.id ?? ''];
  const { nickname, results } = await ben.players.profile(player);
  const { matches } = await ben.players.matches(player, { rated: 'true', opponent: other });
  const all = [];
  for await (const each of ben.players.allMatches(player)) all.push(each);
  const against = await ben.players.against(other, player);
  const { points } = await ben.players.ratingHistory(player, 'morris', 'blitz');
  const { ratings } = await ben.ratings.ofPlayer(player);
  const { place_needs: needs } = await ben.ratings.leaderboard('morris', 'blitz', { limit: '10' });
  const { lists } = await ben.ratings.lists();
  const entries = [];
  for await (const each of ben.ratings.entries('morris', 'blitz')) entries.push(each.match_id);
  const { matches: notable } = await ben.players.notableMatches({ game: 'morris' });
  await ada.players.hide(true);
  const code = await codeOf(ben.players.profile(player));
  const counts = [results[0]?.wins, matches.length, all.length, against.results[0]?.losses, points.length];
  return {
    players: [nickname, ...counts, notable.length, code],
    ratings: [ratings[0]?.matches, needs.opponents, lists.length > 0, entries.includes(match)],
  };
}

async function organise() {
  const ada = await guest('Ada');
  const starts = new Date(Date.now() + 3_600_000).toISOString();
  const clock = { type: /** @type {const} */ ('fischer'), initial_ms: 180_000, increment_ms: 2_000 };
  const wanted = { title: 'Friday', game: 'morris', format: /** @type {const} */ ('swiss'), clock, starts };
  const { id } = (await ada.tournaments.make(wanted)).tournament;
  const followed = await ada.followTournament(id);
  await ada.tournaments.register(id);
  for await (const view of followed.changes()) if (view.tournament.players) break;
  const { standings } = await ada.tournaments.standings(id);
  const player = standings[0]?.player ?? '';
  const { tournaments } = await ada.tournaments.list({ status: 'registration', game: 'morris', player });
  const code = await codeOf(ada.tournaments.begin(id));
  const { reason } = (await ada.tournaments.cancel(id)).tournament;
  for await (const view of followed.changes()) if (view.tournament.status === 'cancelled') break;
  followed.close();
  const isListed = tournaments.some((each) => each.id === id);
  const rows = [...(await ada.tournaments.allStandings(id)), ...(await ada.tournaments.allTables(id))];
  return [standings.length, rows.length, isListed, code, reason, followed.view?.tournament.status];
}

const { phone, result } = await link(await guest('Ada'));
console.log(
  JSON.stringify({
    token: await useTokens(),
    link: result,
    recovery: await recover(phone),
    blocks: await block(),
    erased: await erase(),
    admitted: await admit(),
    challenges: await challenge(),
    bots: await listBots(),
    webhooks: await hook(),
    ...(await readPlayers()),
    tournaments: await organise(),
  }),
);
