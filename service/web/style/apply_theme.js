// Runs before anything is drawn, so that the page does not flash in the wrong theme.
try {
  const chosen = localStorage.getItem('turnstream.theme');
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen;
} catch {
  // Without storage the theme is the device's.
}
