// Runs before anything is drawn, so that the page does not flash in the wrong theme, and requests its language early.
(() => {
  const LANGUAGES = ['en', 'de'];
  const root = document.documentElement;
  /** @param {string} key */
  const recall = (key) => {
    try {
      return localStorage.getItem(key) ?? '';
    } catch {
      return ''; // without storage the choices are the device's
    }
  };
  const theme = recall('turnstream.theme');
  if (theme === 'light' || theme === 'dark') root.dataset.theme = theme;
  /** @param {readonly string[]} tags */
  const best = (tags) => tags.map((tag) => tag.split('-')[0] ?? '').find((tag) => LANGUAGES.includes(tag)) ?? 'en';
  const preferred = best(navigator.languages);
  root.lang = best([recall('turnstream.language'), preferred]);
  const { src } = /** @type {HTMLScriptElement} */ (document.currentScript);
  const folder = new URL('../languages/', src);
  const [isRoom, isInvitation] = [/^\/(r|m|learn|games)\//, /^\/i\//].map((kind) => kind.test(location.pathname));
  const parts = isRoom ? ['', '_room', '_games'] : isInvitation ? ['', '_room', '_people'] : [''];
  /** @param {Record<string, string>} props */
  const link = (props) => document.head.append(Object.assign(document.createElement('link'), props));
  // From the second visit on, the typeface is in the cache and part of the first view.
  const { href: typeface } = new URL('../typeface/figtree.woff2', src);
  if (recall('turnstream.typeface') === typeface) {
    root.dataset.typeface = '';
    link({ rel: 'preload', as: 'font', type: 'font/woff2', href: typeface, crossOrigin: 'anonymous' });
  }
  for (const part of parts) {
    link({ rel: 'modulepreload', href: new URL(`${root.lang}${part}.js`, folder).href });
  }
  // The browser asks for the games in the language that it prefers itself.
  const isLobby = location.pathname === '/';
  if (isLobby && root.lang === preferred) {
    link({ rel: 'preload', as: 'fetch', href: '/v1/games', crossOrigin: 'anonymous' });
  }
})();
