/**
 * The service worker. It caches the files of one release, which never change, and shows its own page if the
 * server cannot be reached. Pages always come from the server, so a new release is used from the next visit on. All
 * other requests, including those of the API, are not handled.
 */

/** @import { RequestEvent, WorkerScope } from '../types.d.ts' */

const RELEASE = '{release}';
const FILES = `/static/${RELEASE}/`;
const OFFLINE = `${FILES}web/install/offline.html`;
const NEEDED = [
  OFFLINE,
  `${FILES}web/install/offline.js`,
  `${FILES}web/dom.js`,
  `${FILES}web/languages/en.js`,
  `${FILES}web/languages/de.js`,
  `${FILES}web/style/apply_choices.js`,
  `${FILES}web/style/page.css`,
];

const worker = /** @type {WorkerScope} */ (/** @type {unknown} */ (self));

worker.addEventListener('install', (event) => {
  event.waitUntil(caches.open(RELEASE).then((cache) => cache.addAll(NEEDED)));
  void worker.skipWaiting();
});

worker.addEventListener('activate', (event) => {
  event.waitUntil(removeOtherReleases().then(() => worker.clients.claim()));
});

worker.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== location.origin) return;
  if (pathname.startsWith(FILES)) event.respondWith(fileOf(event));
  else if (request.mode === 'navigate') event.respondWith(fetch(request).catch(offlinePage));
});

/** A notification was chosen: show the room that it is about, in a tab that is open or in a new one. */
worker.addEventListener('notificationclick', (event) => {
  const { notification } = event;
  notification.close();
  event.waitUntil(showRoom(String(notification.data)));
});

/** @param {string} path */
async function showRoom(path) {
  const [tab] = await worker.clients.matchAll({ type: 'window' });
  if (!tab) return worker.clients.openWindow(path);
  await tab.focus();
  return tab.navigate(path);
}

async function removeOtherReleases() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name !== RELEASE).map((name) => caches.delete(name)));
}

/**
 * A file of this release: the cached one, or the server's, which is cached from then on.
 * @param {RequestEvent} event
 */
async function fileOf(event) {
  const { request } = event;
  const cache = await caches.open(RELEASE);
  const kept = await cache.match(request);
  if (kept) return kept;
  const response = await fetch(request);
  // A server of another release answers, too, but with its own files.
  if (response.ok && response.headers.get('cache-control')?.includes('immutable')) {
    event.waitUntil(cache.put(request, response.clone()).catch(() => {})); // where there is no space, it works as well
  }
  return response;
}

async function offlinePage() {
  return (await caches.match(OFFLINE)) ?? Response.error();
}
