import { createHash, createPublicKey, verify } from 'node:crypto';

/** A request as received. */
export interface WebhookRequest {
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

/** Verifies `X-Webhook-Signature` like a receiver (docs/reference/wire-format.md#signature), implemented independently of our code. */
export function verifyRsa({ headers, body }: WebhookRequest, registeredUrl: string, publicPem: string): boolean {
  const digest = createHash('sha256').update(body, 'utf8').digest('hex');
  const content = `${String(headers['x-webhook-timestamp'])}.${registeredUrl}.${digest}`;
  return verify('RSA-SHA256', Buffer.from(content), publicPem, Buffer.from(String(headers['x-webhook-signature']), 'base64'));
}

/** Verifies a Standard Webhooks signature (asymmetric): one valid signature of the list is enough. */
export function verifyStandard({ headers, body }: WebhookRequest, publicKey: string): boolean {
  if (!publicKey.startsWith('whpk_')) throw new Error('not a public key of Standard Webhooks');
  const raw = Buffer.from(publicKey.slice(5), 'base64');
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: raw.toString('base64url') }, format: 'jwk' });
  const content = Buffer.from(`${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`);
  const signatures = String(headers['webhook-signature'])
    .split(' ')
    .filter((entry) => entry.startsWith('v1a,'));
  return signatures.some((entry) => verify(null, content, key, Buffer.from(entry.slice(4), 'base64')));
}
