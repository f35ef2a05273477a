import { createHmac, timingSafeEqual } from 'node:crypto';
import { Fault } from '@errand/base/fault.ts';

/** The claims of a token: a short list whose meaning depends on the purpose. */
export type Claims = readonly (string | number)[];

/** The HMAC-SHA256 that proves that a holder of the key wrote this for one purpose, to be used with the text `bound`. */
export function authenticate(key: Uint8Array, purpose: string, body: string, bound = ''): Buffer {
  return createHmac('sha256', key)
    .update(JSON.stringify([purpose, body, bound]))
    .digest();
}

/**
 * A text that only a holder of the key can create: `<claims and expiry>.<HMAC-SHA256>`, safe in a URL. It is valid for one purpose,
 * until it expires, and only with the text `bound`.
 */
export function signToken(key: Uint8Array, purpose: string, claims: Claims, endsAtMs: number, bound = ''): string {
  const body = Buffer.from(JSON.stringify([Math.floor(endsAtMs / 1000), ...claims])).toString('base64url');
  return `${body}.${authenticate(key, purpose, body, bound).toString('base64url')}`;
}

export interface ReadClaims {
  claims: Claims;
  endsAtMs: number;
}

/** The claims of a token. Throws 403 `permission_denied` for one that is forged, altered, or expired. */
export function readToken(key: Uint8Array, purpose: string, token: string, nowMs: number, bound = ''): ReadClaims {
  const [body = '', mac = ''] = token.split('.', 2);
  const given = Buffer.from(mac, 'base64url');
  const wanted = authenticate(key, purpose, body, bound);
  // The second comparison: Base64 has several encodings of the same bytes, and only one of them was signed.
  const isOurs =
    given.length === wanted.length && timingSafeEqual(given, wanted) && token === `${body}.${wanted.toString('base64url')}`;
  if (!isOurs) throw new Fault('permission_denied', 'This URL is not valid.');
  const [endsAtS, ...claims] = JSON.parse(Buffer.from(body, 'base64url').toString()) as [number, ...Claims];
  if (nowMs >= endsAtS * 1000) throw new Fault('permission_denied', 'This URL has expired; request a new one.');
  return { claims, endsAtMs: endsAtS * 1000 };
}
