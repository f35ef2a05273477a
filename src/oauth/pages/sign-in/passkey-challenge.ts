import { createHmac, timingSafeEqual } from 'node:crypto';

/** How long a sign-in page can be answered with a passkey. */
const validMs = 10 * 60 * 1000;
const timeBytes = 8;

function sign(cookieSecret: string, time: Buffer): Buffer {
  return createHmac('sha256', cookieSecret).update('passkey').update(time).digest();
}

/**
 * A challenge for the browser with this secret in its cookie. Nothing is stored, so that strangers who open sign-in pages fill nothing: it is
 * recognized by its signature, and the time in it lets it count once.
 * @returns Base64url
 */
export function newPasskeyChallenge(cookieSecret: string, nowMs: number): string {
  const time = Buffer.alloc(timeBytes);
  time.writeBigUInt64BE(BigInt(nowMs));
  return Buffer.concat([time, sign(cookieSecret, time)]).toString('base64url');
}

/** When a challenge was made, in milliseconds since the epoch; null for one of another browser, or too old. */
export function readPasskeyChallenge(cookieSecret: string, challenge: string, nowMs: number): number | null {
  const bytes = Buffer.from(challenge, 'base64url');
  const [time, signature] = [bytes.subarray(0, timeBytes), bytes.subarray(timeBytes)];
  const expected = sign(cookieSecret, time);
  if (signature.length !== expected.length || !timingSafeEqual(signature, expected)) return null;
  const madeAtMs = Number(time.readBigUInt64BE());
  return madeAtMs <= nowMs && nowMs - madeAtMs < validMs ? madeAtMs : null;
}
