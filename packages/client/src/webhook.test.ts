import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type Delivery, verifyWebhook } from './webhook.ts';

const [own, other] = [generateKeyPairSync('rsa', { modulusLength: 2048 }), generateKeyPairSync('rsa', { modulusLength: 2048 })];
const publicKey = own.publicKey.export({ type: 'spki', format: 'pem' }).toString();
const url = 'https://example.com/hook?a=1';
const body = '{"event_id":"task_stopped_1"}';
const sentAt = 1_800_000_000;

function signWith(key: typeof own.privateKey, text = body, timestamp = sentAt): string {
  const digest = createHash('sha256').update(text).digest('hex');
  return sign('sha256', Buffer.from(`${timestamp}.${url}.${digest}`), key).toString('base64');
}

function delivery(changes: Partial<Delivery> = {}, headers: Record<string, string> = {}): Delivery {
  const signed = { 'x-webhook-timestamp': String(sentAt), 'x-webhook-signature': signWith(own.privateKey), ...headers };
  return { body, url, publicKey, nowSeconds: sentAt + 10, headers: signed, ...changes };
}

describe('verifyWebhook', () => {
  it('accepts a signed request, as text, as bytes and with Fetch headers', async () => {
    expect(await verifyWebhook(delivery())).toBe(true);
    expect(await verifyWebhook(delivery({ body: new TextEncoder().encode(body) }))).toBe(true);
    const headers = new Headers(delivery().headers as Record<string, string>);
    expect(await verifyWebhook(delivery({ headers }))).toBe(true);
  });

  it('accepts the signature of the previous key while keys are rotated', async () => {
    const both = { 'x-webhook-signature': signWith(other.privateKey), 'x-webhook-signature-previous': signWith(own.privateKey) };
    expect(await verifyWebhook(delivery({}, both))).toBe(true);
  });

  it.each([
    ['another body', delivery({ body: `${body} ` })],
    ['another URL', delivery({ url: `${url}&b=2` })],
    ['another key', delivery({}, { 'x-webhook-signature': signWith(other.privateKey) })],
    ['another timestamp', delivery({}, { 'x-webhook-timestamp': String(sentAt + 1) })],
    ['an old delivery', delivery({ nowSeconds: sentAt + 301 })],
    ['a delivery from the future', delivery({ nowSeconds: sentAt - 301 })],
    ['no signature', delivery({ headers: {} })],
    ['a signature that is not Base64', delivery({}, { 'x-webhook-signature': '%%%' })],
    ['an invalid key', delivery({ publicKey: 'nonsense' })],
  ])('rejects %s', async (_name, refused) => {
    expect(await verifyWebhook(refused)).toBe(false);
  });
});
