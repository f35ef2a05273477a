import type { FastifyInstance } from 'fastify';
import { createHash } from 'node:crypto';
import { liveFrameScript, stillFrameScript } from './preview-frame-scripts.ts';

const sealed = "default-src 'none'; img-src data: blob:; media-src data: blob:; font-src data: blob:; style-src 'unsafe-inline'";
const closed = "form-action 'none'; base-uri 'none'";

function digest(script: string): string {
  return `'sha256-${createHash('sha256').update(script).digest('base64')}'`;
}

function createFrame(script: string, scripts: string) {
  const sandbox = 'sandbox allow-scripts allow-popups allow-popups-to-escape-sandbox';
  return {
    body: `<!doctype html><html lang="en"><meta charset="utf-8"><title>Preview</title><script>${script}</script></html>`,
    policy: `${sandbox}; ${sealed}; script-src ${scripts}; ${closed}`,
  };
}

const frames = {
  '/room': createFrame(stillFrameScript, digest(stillFrameScript)),
  '/room/live': createFrame(liveFrameScript, "'unsafe-inline'"),
};

/**
 * Frames with an opaque origin, in which the application shows untrusted pages without cookies or network. In `/room` nothing of a page
 * runs; in `/room/live` its own scripts do.
 */
export function mountPreviewFrames(server: FastifyInstance): void {
  for (const [url, { body, policy }] of Object.entries(frames)) {
    server.route({
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
            // Hosts in links are not resolved before someone follows them.
            'x-dns-prefetch-control': 'off',
            'cache-control': 'public, max-age=3600',
            'x-request-id': request.id,
          })
          .send(body),
    });
  }
}
