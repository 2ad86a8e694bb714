/** Light, dark, or as the device has it. */

const PLACE = 'turnstream.theme';
const THEMES = ['device', 'light', 'dark'];

/** @returns {string} */
export function themeName() {
  return document.documentElement.dataset.theme ?? 'device';
}

/** Show the next of the themes, and remember it. */
export function nextTheme() {
  const next = THEMES[(THEMES.indexOf(themeName()) + 1) % THEMES.length];
  if (next === 'device') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = next;
  try {
    localStorage.setItem(PLACE, next);
  } catch {
    /* it lasts as long as the page */
  }
}
