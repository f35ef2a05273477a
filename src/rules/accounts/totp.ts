import { createHmac, timingSafeEqual } from 'node:crypto';

/** How long a code is shown, in milliseconds. */
const periodMs = 30_000;
const digits = 6;
/** Clocks of telephones may be off by this many periods, and people take a while to type. */
const slack = 1;

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Bytes in Base32 (RFC 4648) without padding, the form in which authenticator apps take secrets. */
export function encodeBase32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{1,5}/g) ?? []).map((chunk) => alphabet.charAt(Number.parseInt(chunk.padEnd(5, '0'), 2))).join('');
}

/** The number of the period that a time, in milliseconds since the epoch, is in. */
export function totpStepAt(now: number): number {
  return Math.floor(now / periodMs);
}

/** The code of six digits for a period (RFC 6238 with SHA-1, which is all that many authenticator apps know). */
export function totpCode(secret: Uint8Array, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', secret).update(counter).digest();
  const offset = (mac.at(-1) ?? 0) & 0x0f;
  const number = mac.readUInt32BE(offset) & 0x7fff_ffff;
  return String(number % 10 ** digits).padStart(digits, '0');
}

/** What was typed as a code of six digits, also in groups; null for anything else. */
export function readTotpCode(typed: string): string | null {
  const code = typed.slice(0, 40).replaceAll(/[\s-]/g, '');
  return /^\d{6}$/.test(code) ? code : null;
}

/**
 * The period whose code was entered: this one, the one before, or the next; null for a wrong code and for one of a period up to `lastStep`,
 * because each code counts once.
 */
export function findTotpStep(
  secret: Uint8Array,
  code: string,
  { now, lastStep }: { now: number; lastStep: number },
): number | null {
  const current = totpStepAt(now);
  const near = Array.from({ length: 2 * slack + 1 }, (_, at) => current - slack + at);
  const given = Buffer.from(code);
  const matching = near
    .filter((step) => step > lastStep && step >= 0)
    .filter((step) => {
      const expected = Buffer.from(totpCode(secret, step));
      return expected.length === given.length && timingSafeEqual(expected, given);
    });
  return matching[0] ?? null;
}

/** The content of the QR code by which an authenticator app takes a secret. `site` tells instances of this service apart. */
export function totpUri(secret: string, { email, site }: { email: string; site: string }): string {
  const issuer = site.startsWith('localhost') ? 'Errand' : `Errand ${site}`;
  const query = `secret=${secret}&issuer=${encodeURIComponent(issuer)}&algorithm=SHA1&digits=${digits}&period=${periodMs / 1000}`;
  return `otpauth://totp/${encodeURIComponent(issuer)}:${encodeURIComponent(email)}?${query}`;
}
