/** For the page that is shown without a connection: opens the one that was wanted as soon as that is possible. */

const EVERY_MS = 5000;

async function tryAgain() {
  const answer = await fetch('/health/live', { cache: 'no-store' }).catch(() => null);
  if (answer?.ok) location.reload();
  else setTimeout(() => void tryAgain(), EVERY_MS);
}

document.getElementById('again')?.addEventListener('click', (event) => {
  event.preventDefault();
  location.reload();
});
addEventListener('online', () => location.reload());
setTimeout(() => void tryAgain(), EVERY_MS);
