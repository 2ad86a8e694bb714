// The operators' page: the admin routes and nothing else. The token stays in this page's memory.
const by = (id) => document.getElementById(id);
let token = "";
let next = null;

async function ask(path, body) {
  const headers = { authorization: `Bearer ${token}` };
  if (body !== undefined) headers["content-type"] = "application/json";
  const method = body === undefined ? "GET" : "POST";
  const answer = await fetch(`/v1/admin/${path}`, { method, headers, body: body && JSON.stringify(body) });
  const told = await answer.json();
  if (!answer.ok) throw new Error(told.detail);
  return told;
}

function say(text) {
  by("said").textContent = text;
}

async function attempt(work) {
  try {
    await work();
  } catch (failure) {
    say(failure.message);
  }
}

function element(name, ...parts) {
  const made = document.createElement(name);
  made.append(...parts);
  return made;
}

function row(room) {
  const name = `${room.room}:${room.epoch}`;
  const who = Object.entries(room.members).map(([id, nickname]) => `${nickname} (${id})`).join(", ");
  const cells = [name, room.game, room.status, room.version, who, room.changed].map((text) => element("td", String(text)));
  const button = element("button", "Close");
  button.type = "button";
  button.disabled = room.status === "closed";
  button.addEventListener("click", () => attempt(() => close(name)));
  return element("tr", ...cells, element("td", button));
}

async function close(name) {
  const reason = prompt(`Close ${name}? A running match counts for nobody. Why?`);
  if (reason === null) return;
  await ask(`rooms/${name}/close`, { reason });
  say(`${name} is closed.`);
  await look();
}

async function more() {
  const query = new URLSearchParams(by("all").checked ? { all: "true" } : {});
  if (next) query.set("cursor", next);
  const page = await ask(`rooms?${query}`);
  by("rooms").append(...page.rooms.map(row));
  next = page.next;
  by("more").hidden = next === null;
}

async function look() {
  next = null;
  by("rooms").replaceChildren();
  await more();
  const { entries } = await ask("log");
  by("log").replaceChildren(...entries.map((entry) => element("li", `${entry.time} ${JSON.stringify(entry.deed)}`)));
}

by("enter").addEventListener("submit", (event) => {
  event.preventDefault();
  token = by("token").value;
  attempt(async () => {
    await look();
    by("enter").hidden = true;
    by("inside").hidden = false;
    say("");
  });
});
by("look").addEventListener("click", () => attempt(look));
by("more").addEventListener("click", () => attempt(more));
by("sanction").addEventListener("submit", (event) => {
  event.preventDefault();
  const [what, on] = by("what").value.split(" ");
  attempt(async () => {
    await ask(`players/${by("player").value}/${what}`, { on: on === "on", reason: by("why").value });
    say("Done.");
    await look();
  });
});
