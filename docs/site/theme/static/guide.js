// The search, and the theme that the player has chosen. What is found is compared in the page: no request leaves it.
(() => {
  try {
    const theme = localStorage.getItem('turnstream.theme');
    if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
  } catch {
    // Without storage the theme is the device's.
  }
  if (matchMedia('(max-width: 56rem)').matches) document.querySelector('#pages details').open = false;

  document.querySelector('#pages [aria-current]')?.scrollIntoView({ block: 'nearest' });

  const MOST = 30;
  const AROUND = 90;
  const [field, found, text] = ['#words', '#found', '#text'].map((selector) => document.querySelector(selector));
  let sections;

  const load = () => (sections ??= import('/guide/search.js').then((module) => module.default));
  const element = (name, props, ...children) => {
    const made = Object.assign(document.createElement(name), props);
    made.append(...children);
    return made;
  };

  // Each word has to begin a word of the section; those in titles count most.
  const points = (words, [, title, content]) => {
    let sum = 0;
    for (const word of words) {
      const isTitle = word.test(title);
      if (!isTitle && !word.test(content)) return 0;
      sum += isTitle ? 10 : 1;
    }
    return sum - title.length / 1000;
  };

  const excerpt = (words, content) => {
    const at = Math.max(0, ...words.map((word) => content.search(word)));
    const from = at < AROUND ? 0 : content.indexOf(' ', at - AROUND) + 1;
    const shown = content.slice(from, at + 2 * AROUND);
    const all = new RegExp(words.map((word) => word.source).join('|'), 'giu');
    const parts = [from ? '… ' : ''];
    let end = 0;
    for (const match of shown.matchAll(all)) {
      parts.push(shown.slice(end, match.index), element('mark', { textContent: match[0] }));
      end = match.index + match[0].length;
    }
    return [...parts, shown.slice(end), '…'];
  };

  const search = async () => {
    const typed = field.value.trim().split(/\s+/).filter(Boolean);
    found.hidden = !typed.length;
    text.hidden = !!typed.length;
    if (!typed.length) return;
    const words = typed.map(
      (word) => new RegExp(`(?<![\\p{L}\\p{N}])${word.replace(/[\^$\\.*+?()[\]{}|/]/g, '\\$&')}`, 'iu'),
    );
    const rated = (await load()).map((section) => ({ section, sum: points(words, section) }));
    const best = rated.filter(({ sum }) => sum > 0).sort((one, other) => other.sum - one.sum);
    const items = best
      .slice(0, MOST)
      .map(({ section: [address, title, content] }) =>
        element(
          'li',
          {},
          element('a', { href: `/guide/${address}`, textContent: title }),
          element('p', {}, ...excerpt(words, content)),
        ),
      );
    const count = best.length ? `Sections: ${best.length}` : 'Nothing was found.';
    found.replaceChildren(element('p', { textContent: count }), element('ol', {}, ...items));
  };

  field.addEventListener('focus', load, { once: true });
  field.addEventListener('input', search);
  found.addEventListener('click', ({ target }) => {
    if (target.closest('a')) field.value = ''; // an address of this page shows it again
    search();
  });
  document.addEventListener('keydown', (event) => {
    if (event.key === '/' && event.target === document.body) {
      event.preventDefault();
      field.focus();
    }
  });
  if (field.value) search();
})();
