// The operators' page, which uses only the admin routes. The token is kept in the memory of this page.
const byId = (id) => document.getElementById(id);
let token = '';
let next = null;

async function request(path, body) {
  const headers = { authorization: `Bearer ${token}` };
  if (body !== undefined) headers['content-type'] = 'application/json';
  const method = body === undefined ? 'GET' : 'POST';
  const response = await fetch(`/v1/admin/${path}`, { method, headers, body: body && JSON.stringify(body) });
  const result = await response.json();
  if (!response.ok) throw new Error(result.detail);
  return result;
}

function showMessage(text) {
  byId('message').textContent = text;
}

async function attempt(action) {
  try {
    await action();
  } catch (error) {
    showMessage(error.message);
  }
}

function element(name, ...children) {
  const created = document.createElement(name);
  created.append(...children);
  return created;
}

function roomRow(room) {
  const name = `${room.room}:${room.epoch}`;
  const members = Object.entries(room.members)
    .map(([id, nickname]) => `${nickname} (${id})`)
    .join(', ');
  const texts = [name, room.game, room.status, room.version, members, room.changed];
  const cells = texts.map((text) => element('td', String(text)));
  const button = element('button', 'Close');
  button.type = 'button';
  button.disabled = room.status === 'closed';
  button.addEventListener('click', () => attempt(() => closeRoom(name)));
  return element('tr', ...cells, element('td', button));
}

async function closeRoom(name) {
  const reason = prompt(`Close ${name}? A running match will not count. Enter the reason:`);
  if (reason === null) return;
  await request(`rooms/${name}/close`, { reason });
  showMessage(`${name} is closed.`);
  await load();
}

async function loadMoreRooms() {
  const query = new URLSearchParams(byId('all').checked ? { all: 'true' } : {});
  if (next) query.set('cursor', next);
  const page = await request(`rooms?${query}`);
  byId('rooms').append(...page.rooms.map(roomRow));
  next = page.next;
  byId('more').hidden = next === null;
}

async function load() {
  next = null;
  byId('rooms').replaceChildren();
  await loadMoreRooms();
  const { entries } = await request('log');
  byId('log').replaceChildren(...entries.map((entry) => element('li', `${entry.time} ${JSON.stringify(entry.deed)}`)));
}

byId('enter').addEventListener('submit', (event) => {
  event.preventDefault();
  token = byId('token').value;
  attempt(async () => {
    await load();
    byId('enter').hidden = true;
    byId('content').hidden = false;
    showMessage('');
  });
});
byId('load').addEventListener('click', () => attempt(load));
byId('more').addEventListener('click', () => attempt(loadMoreRooms));
byId('moderation').addEventListener('submit', (event) => {
  event.preventDefault();
  const [action, on] = byId('action').value.split(' ');
  attempt(async () => {
    await request(`players/${byId('player').value}/${action}`, { on: on === 'on', reason: byId('reason').value });
    showMessage('Done.');
    await load();
  });
});
