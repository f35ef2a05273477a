// Shows pushed notifications and opens what they are about, and shows the offline page, which the build puts here (`self.offlinePage`). It
// caches nothing: pages always come from the service, and what it shows without the service is part of itself.
self.addEventListener('install', () => self.skipWaiting());

self.addEventListener('activate', (event) => event.waitUntil(begin()));

async function begin() {
  // Browsers that can ask the service for a page while this worker starts.
  await self.registration.navigationPreload?.enable();
  await self.clients.claim();
}

self.addEventListener('fetch', (event) => {
  const { mode, method, destination } = event.request;
  // Everything but pages takes its usual way.
  if (mode === 'navigate' && method === 'GET' && destination === 'document') event.respondWith(answerPage(event));
});

async function answerPage({ request, preloadResponse }) {
  try {
    return (await preloadResponse) ?? (await fetch(request));
  } catch {
    const { html, policy } = self.offlinePage;
    const headers = {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy,
      'cache-control': 'no-store',
      'referrer-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
    };
    return new Response(html, { status: 503, headers });
  }
}

self.addEventListener('push', (event) => {
  const { title, body, path, tag } = event.data.json();
  event.waitUntil(self.registration.showNotification(title, { body, tag, data: { path } }));
});

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(openPage(event.notification.data.path));
});

/** Opens a page of the application, in its window if there is one. */
async function openPage(path) {
  const url = new URL(path, self.location.origin);
  if (url.origin !== self.location.origin) return;
  const [open] = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  if (!open) {
    await self.clients.openWindow(url.href);
    return;
  }
  await open.focus().catch(() => undefined);
  open.postMessage({ open: url.pathname + url.search + url.hash });
}
