/** One delivery as received, and the key it should be signed with. */
export interface Delivery {
  /** The body, exactly as received. */
  body: string | Uint8Array;
  /** Names in lower case, or a `Headers`. */
  headers: Headers | Record<string, string | string[] | undefined>;
  /** The webhook's URL, exactly as registered. */
  url: string;
  /** `public_key` of webhook.publicKey. */
  publicKey: string;
  /** Unix time in seconds; by default the current time. */
  nowSeconds?: number;
}

/** Older deliveries, and those from the future, are rejected: they may be replayed. */
const toleranceSeconds = 300;

/** A `CryptoKey`; only browsers have a global type of that name. */
type VerifyKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

const algorithm = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' };

function readHeader(headers: Delivery['headers'], name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : headers[name];
  return (Array.isArray(value) ? value[0] : value) ?? '';
}

function decodeBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

async function digestHex(body: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', body));
  return [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

async function importKey(pem: string): Promise<VerifyKey | null> {
  const der = decodeBase64(pem.replaceAll(/-----[^-]+-----|\s/g, ''));
  return der && crypto.subtle.importKey('spki', der, algorithm, false, ['verify']).catch(() => null);
}

/**
 * True if the service that owns the key sent exactly this, to this URL, within the last five minutes. During key rotation, a
 * delivery carries the signatures of both keys.
 */
export async function verifyWebhook({ body, headers, url, publicKey, nowSeconds }: Delivery): Promise<boolean> {
  const timestamp = readHeader(headers, 'x-webhook-timestamp');
  const age = Math.abs((nowSeconds ?? Date.now() / 1000) - Number(timestamp));
  if (!/^\d+$/.test(timestamp) || age > toleranceSeconds) return false;
  const key = await importKey(publicKey);
  if (!key) return false;
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : new Uint8Array(body);
  const signed = new TextEncoder().encode(`${timestamp}.${url}.${await digestHex(bytes)}`);
  const texts = [readHeader(headers, 'x-webhook-signature'), ...readHeader(headers, 'x-webhook-signature-previous').split(' ')];
  for (const text of texts) {
    const signature = decodeBase64(text);
    if (signature && (await crypto.subtle.verify(algorithm, key, signature, signed))) return true;
  }
  return false;
}
