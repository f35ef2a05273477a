import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';

/**
 * Shows a page that its frame's owner sends, and does nothing of its own accord. Links open beside it, keys that turn pages go to the
 * owner. What is parsed here cannot run: scripts made by a parser without a window stay off, and the policy admits none but this one.
 */
const stillScript = `addEventListener('message', (event) => {
  if (event.source !== parent || typeof event.data?.html !== 'string') return;
  const made = new DOMParser().parseFromString(event.data.html, 'text/html');
  document.documentElement.replaceWith(document.importNode(made.documentElement, true));
});
addEventListener('click', (event) => {
  const link = event.target.closest?.('a[href], area[href]');
  if (!link || link.getAttribute('href').startsWith('#')) return;
  event.preventDefault();
  if (/^(https?|mailto):/i.test(link.href)) open(link.href, '_blank', 'noopener,noreferrer');
}, true);
addEventListener('submit', (event) => event.preventDefault(), true);
addEventListener('keydown', ({ key, ctrlKey, metaKey, altKey }) => {
  if (!ctrlKey && !metaKey && !altKey) parent.postMessage({ key }, '*');
});
parent.postMessage({ room: 'ready' }, '*');`;

/** Becomes the page that is sent, with its scripts. Asked for by a person, who is told what that means. */
const liveScript = `addEventListener('message', (event) => {
  if (event.source !== parent || typeof event.data?.html !== 'string') return;
  document.open();
  document.write(event.data.html);
  document.close();
});
parent.postMessage({ room: 'ready' }, '*');`;

const sealed = "default-src 'none'; img-src data: blob:; media-src data: blob:; font-src data: blob:; style-src 'unsafe-inline'";
const closed = "form-action 'none'; base-uri 'none'";

function digest(script: string): string {
  return `'sha256-${createHash('sha256').update(script).digest('base64')}'`;
}

function makeRoom(script: string, scripts: string) {
  const sandbox = 'sandbox allow-scripts allow-popups allow-popups-to-escape-sandbox';
  return {
    body: `<!doctype html><html lang="en"><meta charset="utf-8"><title>Preview</title><script>${script}</script></html>`,
    policy: `${sandbox}; ${sealed}; script-src ${scripts}; ${closed}`,
  };
}

const rooms = {
  '/room': makeRoom(stillScript, digest(stillScript)),
  '/room/live': makeRoom(liveScript, "'unsafe-inline'"),
};

/**
 * Rooms of nobody's origin, where the application shows pages that agents or strangers wrote: frames with neither cookies nor a
 * network. In `/room` nothing of a page runs; in `/room/live` its own scripts do.
 */
export function mountContentRoom(face: FastifyInstance): void {
  for (const [url, { body, policy }] of Object.entries(rooms)) {
    face.route({
      method: ['GET', 'HEAD'],
      url,
      handler: (request, reply) =>
        reply
          .headers({
            'content-type': 'text/html; charset=utf-8',
            'content-security-policy': policy,
            'x-content-type-options': 'nosniff',
            'referrer-policy': 'no-referrer',
            'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
            'cache-control': 'public, max-age=3600',
            'x-request-id': request.id,
          })
          .send(body),
    });
  }
}
