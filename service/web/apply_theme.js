// Runs before anything is drawn, so that a chosen theme never flashes.
try {
  const chosen = localStorage.getItem('turnstream.theme');
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen;
} catch {
  /* without storage the device's own theme is shown */
}
