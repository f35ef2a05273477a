import { createCipheriv, createECDH, createPublicKey, hkdfSync, type KeyObject, sign } from 'node:crypto';

const curve = 'prime256v1';
const pointBytes = 65;
const authBytes = 16;
const saltBytes = 16;
const recordHeadBytes = 21;

/** The keys of a browser to which messages are encrypted. */
export interface PushKeys {
  /** The browser's public key: an uncompressed point of P-256. */
  p256dh: Buffer;
  auth: Buffer;
}

/** Where a browser takes messages, as it says it. */
export interface PushTarget {
  endpoint: string;
  /** Base64url, as the next one. */
  p256dh: string;
  auth: string;
}

/** Reads keys as browsers give them, in Base64url; null for what is no key. */
export function readPushKeys(keys: Pick<PushTarget, 'p256dh' | 'auth'>): PushKeys | null {
  const [p256dh, auth] = [Buffer.from(keys.p256dh, 'base64url'), Buffer.from(keys.auth, 'base64url')];
  if (p256dh.length !== pointBytes || auth.length !== authBytes) return null;
  try {
    // Rejects points that are not on the curve.
    createPublicKey({ key: { kty: 'EC', crv: 'P-256', ...coordinatesOf(p256dh) }, format: 'jwk' });
    return p256dh[0] === 4 ? { p256dh, auth } : null;
  } catch {
    return null;
  }
}

function coordinatesOf(point: Buffer): { x: string; y: string } {
  return { x: point.subarray(1, 33).toString('base64url'), y: point.subarray(33).toString('base64url') };
}

/** New for every message. */
export interface PushSecrets {
  /** A private key of P-256. */
  privateKey: Buffer;
  /** 16 random bytes. */
  salt: Buffer;
}

/** The body of a pushed message that only this browser can read: one `aes128gcm` record (RFC 8188, RFC 8291). */
export function encryptPush(text: string, { p256dh, auth }: PushKeys, { privateKey, salt }: PushSecrets): Buffer {
  const own = createECDH(curve);
  own.setPrivateKey(privateKey);
  const point = own.getPublicKey();
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), p256dh, point]);
  const secret = Buffer.from(hkdfSync('sha256', own.computeSecret(p256dh), auth, info, 32));
  const derive = (name: string, bytes: number) =>
    Buffer.from(hkdfSync('sha256', secret, salt, Buffer.from(`Content-Encoding: ${name}\0`), bytes));
  const cipher = createCipheriv('aes-128-gcm', derive('aes128gcm', 16), derive('nonce', 12));
  // The delimiter of the last record.
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.update(Buffer.of(2)), cipher.final(), cipher.getAuthTag()]);
  const head = Buffer.alloc(recordHeadBytes);
  salt.copy(head, 0, 0, saltBytes);
  head.writeUInt32BE(4096, saltBytes);
  head.writeUInt8(pointBytes, saltBytes + 4);
  return Buffer.concat([head, point, sealed]);
}

/** The public half of the key with which the service identifies itself, as browsers take it: Base64url of an uncompressed point. */
export function pushServerKey(privateKey: KeyObject): string {
  const { x = '', y = '' } = createPublicKey(privateKey).export({ format: 'jwk' });
  return Buffer.concat([Buffer.of(4), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]).toString('base64url');
}

export interface PushIdentity {
  privateKey: KeyObject;
  /** The contact for operators of push services, or the service's URL. */
  subject: string;
}

/** How long a token is accepted; push services refuse more than a day. */
const tokenTtlS = 12 * 60 * 60;

/** The `Authorization` header for a push service: voluntary identification (RFC 8292). */
export function pushAuthorization(endpoint: string, { privateKey, subject }: PushIdentity, nowMs: number): string {
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
  const claims = { aud: new URL(endpoint).origin, exp: Math.floor(nowMs / 1000) + tokenTtlS, sub: subject };
  const content = `${encode({ typ: 'JWT', alg: 'ES256' })}.${encode(claims)}`;
  const signature = sign('sha256', Buffer.from(content), { key: privateKey, dsaEncoding: 'ieee-p1363' });
  return `vapid t=${content}.${signature.toString('base64url')}, k=${pushServerKey(privateKey)}`;
}
