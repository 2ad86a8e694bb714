/** Who plays on this device: a guest's id, nickname and token, kept in the browser's storage and never in an address. */

const PLACE = 'turnstream.guest';

/** @type {{id: string | null, nickname: string, token: string | null}} */
export const guest = { id: null, nickname: '', token: null, ...remembered() };

/** @returns {Record<string, any>} */
function remembered() {
  try {
    return JSON.parse(localStorage.getItem(PLACE) ?? '{}');
  } catch {
    return {};
  }
}

function keep() {
  try {
    localStorage.setItem(PLACE, JSON.stringify(guest));
  } catch {
    /* without storage the guest lasts as long as the page */
  }
}

/** Become this guest. @param {{id: string, nickname: string}} player @param {string} token */
export function become(player, token) {
  Object.assign(guest, player, { token });
  keep();
}

/** Use another nickname from now on, as the same guest. @param {string} nickname */
export function rename(nickname) {
  guest.nickname = nickname;
  keep();
}

/** Be nobody again, under the same nickname. */
export function forget() {
  Object.assign(guest, { id: null, token: null });
  keep();
}
