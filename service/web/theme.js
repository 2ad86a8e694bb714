/** The theme: light, dark, or as set on the device. */

const STORAGE_KEY = 'turnstream.theme';

/** @typedef {'device' | 'light' | 'dark'} Theme */

/** What comes after each theme. @type {Record<Theme, Theme>} */
const NEXT = { device: 'light', light: 'dark', dark: 'device' };

/** @returns {Theme} */
export function currentTheme() {
  const { theme } = document.documentElement.dataset;
  return theme === 'light' || theme === 'dark' ? theme : 'device';
}

/** Switch to the next theme and remember it. */
export function switchTheme() {
  const next = NEXT[currentTheme()];
  if (next === 'device') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = next;
  try {
    localStorage.setItem(STORAGE_KEY, next);
  } catch {
    // Without storage the theme lasts as long as the page.
  }
}
