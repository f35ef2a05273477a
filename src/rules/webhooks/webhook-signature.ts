import { createHash, createHmac, createPublicKey, type KeyObject, sign } from 'node:crypto';
import { promisify } from 'node:util';

/** The private halves of one generation of signing keys. */
export interface SigningKey {
  rsa: KeyObject;
  ed25519: KeyObject;
  createdAtMs: number;
}

/** One attempt to deliver one event. */
export interface SignedMessage {
  eventId: string;
  /** Exactly as registered. */
  url: string;
  body: string;
  /** When the attempt is made, in Unix seconds. */
  timestamp: number;
}

const signAside = promisify(sign);

/** The content of the RSA signature (docs/reference/wire-format.md#signature). */
export function rsaContent({ timestamp, url, body }: Omit<SignedMessage, 'eventId'>): string {
  return `${timestamp}.${url}.${createHash('sha256').update(body).digest('hex')}`;
}

/** The content of the signatures of Standard Webhooks. */
export function standardContent({ eventId, timestamp, body }: Omit<SignedMessage, 'url'>): string {
  return `${eventId}.${timestamp}.${body}`;
}

/** The prefix of a webhook's secret; the key follows in Base64. */
export const secretPrefix = 'whsec_';

function signWithSecret(content: Buffer, secret: string): string {
  const key = Buffer.from(secret.slice(secretPrefix.length), 'base64');
  return `v1,${createHmac('sha256', key).update(content).digest('base64')}`;
}

/**
 * The headers that authenticate a message, in all schemes (docs/reference/choices.md#webhook-signatures). Signing
 * happens on other threads: an RSA signature takes the better part of a millisecond.
 * @param keys the valid keys, newest first. Older ones also sign, for receivers that do not know the newest yet
 * @param secrets the valid secrets of the webhook, likewise
 */
export async function signMessage(
  message: SignedMessage,
  keys: readonly SigningKey[],
  secrets: readonly string[] = [],
): Promise<Record<string, string>> {
  if (keys.length === 0) throw new Error('there is no signing key');
  const rsaBytes = Buffer.from(rsaContent(message));
  const standardBytes = Buffer.from(standardContent(message));
  const [rsa, standard] = await Promise.all([
    signWithEach(keys, (key) => signAside('sha256', rsaBytes, key.rsa)),
    signWithEach(keys, (key) => signAside(null, standardBytes, key.ed25519)),
  ]);
  const [newest = '', ...previous] = rsa;
  return {
    'x-webhook-signature': newest,
    ...(previous.length > 0 && { 'x-webhook-signature-previous': previous.join(' ') }),
    'x-webhook-timestamp': String(message.timestamp),
    'webhook-id': message.eventId,
    'webhook-timestamp': String(message.timestamp),
    'webhook-signature': [
      ...standard.map((signature) => `v1a,${signature}`),
      ...secrets.map((secret) => signWithSecret(standardBytes, secret)),
    ].join(' '),
  };
}

async function signWithEach(keys: readonly SigningKey[], signWith: (key: SigningKey) => Promise<Buffer>): Promise<string[]> {
  return (await Promise.all(keys.map(signWith))).map((signature) => signature.toString('base64'));
}

/** The public keys as receivers use them: PEM, and the Standard Webhooks format. */
export interface PublicSigningKey {
  createdAtMs: number;
  rsaPem: string;
  standard: string;
}

/** The last bytes of a DER-encoded ed25519 public key are the key. */
const rawKeyBytes = 32;

export function presentPublicKey({ rsa, ed25519, createdAtMs }: SigningKey): PublicSigningKey {
  const raw = createPublicKey(ed25519).export({ type: 'spki', format: 'der' }).subarray(-rawKeyBytes);
  return {
    createdAtMs,
    rsaPem: String(createPublicKey(rsa).export({ type: 'spki', format: 'pem' })),
    standard: `whpk_${raw.toString('base64')}`,
  };
}
