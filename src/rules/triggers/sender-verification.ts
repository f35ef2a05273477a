import { createHmac, hash, timingSafeEqual } from 'node:crypto';

/** How a trigger knows that a request is its sender's. `none`: the URL itself is the secret. */
export const verificationTypes = ['none', 'secret', 'hmac_sha256', 'github', 'stripe', 'standard_webhooks'] as const;
export type VerificationType = (typeof verificationTypes)[number];

/** The headers of a request by their names in lower case. */
export type RequestHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

export interface SenderVerification {
  type: VerificationType;
  /** The secret that the sender has; empty for `none`. */
  secret: string;
  /** The header with the secret or its HMAC, in lower case; the other schemes have their own. */
  header: string;
}

export interface SentRequest {
  headers: RequestHeaders;
  /** Exactly as received: senders sign bytes. */
  body: Uint8Array;
  nowMs: number;
}

/** How far a signed time may be from this service's. */
const toleranceS = 5 * 60;
/** A sender signs with each of its secrets while they change; nobody has more. */
const maxSignatures = 16;

const wrongSignature =
  'the signature does not match; check that the sender has the secret of this trigger and signs the unchanged body';

/** The value of a header; '' if it is absent or repeated. */
export function readHeader(headers: RequestHeaders, name: string): string {
  const value = Object.hasOwn(headers, name) ? headers[name] : undefined;
  return typeof value === 'string' ? value.trim() : '';
}

/** Takes the same time wherever the two differ, and whatever their lengths. */
function isSame(one: Uint8Array | string, other: Uint8Array | string): boolean {
  return timingSafeEqual(hash('sha256', one, 'buffer'), hash('sha256', other, 'buffer'));
}

function hmacOf(key: string | Uint8Array, ...parts: readonly (string | Uint8Array)[]): Buffer {
  const hmac = createHmac('sha256', key);
  for (const part of parts) hmac.update(part);
  return hmac.digest();
}

/** The bytes of an HMAC in one of the forms in which senders write it: hex, `sha256=` and hex, or Base64. */
function decodeHmac(text: string): Buffer {
  const digest = text.replace(/^sha256=/i, '');
  return Buffer.from(digest, /^[0-9a-f]{64}$/i.test(digest) ? 'hex' : 'base64');
}

/** The key in a secret of Standard Webhooks, `whsec_` and Base64; null for anything else. */
export function decodeStandardSecret(secret: string): Buffer | null {
  const text = secret.replace(/^whsec_/, '');
  const key = Buffer.from(text, 'base64');
  return key.length > 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(text) ? key : null;
}

/** What is wrong with the signed time; null if nothing is. */
function verifyTime(seconds: string, nowMs: number): string | null {
  if (!/^\d{1,12}$/.test(seconds)) return 'the signature has no valid timestamp';
  const isStale = Math.abs(nowMs / 1000 - Number(seconds)) > toleranceS;
  return isStale ? `the signed timestamp is more than ${toleranceS / 60} minutes from the time of this service` : null;
}

function verifySecret({ secret, header }: SenderVerification, { headers }: SentRequest): string | null {
  const sent = readHeader(headers, header);
  if (sent === '') return `the header ${header} is missing`;
  const isBearer = header === 'authorization' && isSame(sent, `Bearer ${secret}`);
  return isSame(sent, secret) || isBearer ? null : `the header ${header} does not have the secret of this trigger`;
}

function verifyHmac({ secret, header }: SenderVerification, { headers, body }: SentRequest): string | null {
  const sent = readHeader(headers, header);
  if (sent === '') return `the header ${header} is missing`;
  return isSame(decodeHmac(sent), hmacOf(secret, body)) ? null : wrongSignature;
}

/** GitHub signs the body alone. Its older header with SHA-1 is never looked at. */
function verifyGithub({ secret }: SenderVerification, { headers, body }: SentRequest): string | null {
  const sent = readHeader(headers, 'x-hub-signature-256');
  if (sent === '') return 'the header x-hub-signature-256 is missing; set the secret of this trigger at the webhook on GitHub';
  return isSame(sent, `sha256=${hmacOf(secret, body).toString('hex')}`) ? null : wrongSignature;
}

function readStripePairs(headers: RequestHeaders): string[][] {
  const sent = readHeader(headers, 'stripe-signature');
  return sent.split(',', maxSignatures).map((pair) => pair.trim().split('=', 2));
}

/** The time that Stripe has signed with the body; '' without one. */
export function readStripeTime(headers: RequestHeaders): string {
  return readStripePairs(headers).find(([name]) => name === 't')?.[1] ?? '';
}

/** `t=…,v1=…`: the HMAC of the time, a dot, and the body. */
function verifyStripe({ secret }: SenderVerification, { headers, body, nowMs }: SentRequest): string | null {
  if (readHeader(headers, 'stripe-signature') === '') return 'the header stripe-signature is missing';
  const pairs = readStripePairs(headers);
  const time = readStripeTime(headers);
  const expected = hmacOf(secret, `${time}.`, body).toString('hex');
  const isSigned = pairs.some(([name, value = '']) => name === 'v1' && isSame(value, expected));
  return isSigned ? verifyTime(time, nowMs) : wrongSignature;
}

/** The HMAC of id, time, and body, joined by dots; some senders write `svix-` before the same names. */
function verifyStandard({ secret }: SenderVerification, { headers, body, nowMs }: SentRequest): string | null {
  const prefix = standardPrefix(headers);
  const [id, time, sent] = ['id', 'timestamp', 'signature'].map((name) => readHeader(headers, `${prefix}-${name}`));
  if (!id || !time || !sent) return 'the headers webhook-id, webhook-timestamp, and webhook-signature are required';
  const expected = hmacOf(decodeStandardSecret(secret) ?? '', `${id}.${time}.`, body).toString('base64');
  const isSigned = sent.split(' ', maxSignatures).some((signature) => isSame(signature, `v1,${expected}`));
  return isSigned ? verifyTime(time, nowMs) : wrongSignature;
}

/** What the names of the headers of Standard Webhooks begin with. */
export function standardPrefix(headers: RequestHeaders): 'webhook' | 'svix' {
  return readHeader(headers, 'webhook-id') === '' && readHeader(headers, 'svix-id') !== '' ? 'svix' : 'webhook';
}

const verifiers: Record<VerificationType, (verification: SenderVerification, request: SentRequest) => string | null> = {
  none: () => null,
  secret: verifySecret,
  hmac_sha256: verifyHmac,
  github: verifyGithub,
  stripe: verifyStripe,
  standard_webhooks: verifyStandard,
};

/** Why a request is not, or no longer, proven to be from the trigger's sender, as a clause; null if it is. */
export function verifySender(verification: SenderVerification, request: SentRequest): string | null {
  return verifiers[verification.type](verification, request);
}
