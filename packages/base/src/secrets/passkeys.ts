import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto';
import { isIP } from 'node:net';

/** The site that passkeys are made for: browsers offer them nowhere else. */
export interface PasskeySite {
  /** The relying party of WebAuthn: a host name. */
  id: string;
  origin: string;
}

/** The stored part of a passkey, none of which is secret. */
export interface StoredPasskey {
  /** Base64url, given by the authenticator. */
  id: string;
  /** SubjectPublicKeyInfo, in Base64url. */
  publicKey: string;
  /** How often the authenticator says it was used; always 0 in one that does not count. */
  signCount: number;
}

/** A passkey that a browser has just made. */
export interface NewPasskey extends StoredPasskey {
  /** Whether it is also on other devices of its user, who does not lose it with this one. */
  isSynced: boolean;
  transports: string[];
}

/** What a browser claims about the passkey that it used. Nothing of it is proved. */
export interface PasskeyClaim {
  id: string;
  /** The user to whom the passkey belongs, as given to `describeNewPasskey`. */
  userId: string;
  challenge: string;
}

type Json = Readonly<Record<string, unknown>>;

/** ES256, EdDSA, and RS256, as COSE numbers them: every authenticator has one of these. */
const algorithms = [-7, -8, -257];
const timeoutMs = 5 * 60 * 1000;
/** The longest accepted text, far more than any browser sends. */
const mostText = 20_000;
const mostTransports = 10;

/**
 * The site of a service, or null where browsers make no passkeys: at IP addresses, and without TLS. A service on this machine is visited as
 * localhost.
 */
export function passkeySiteOf(publicUrl: string): PasskeySite | null {
  const { protocol, hostname, port, origin } = new URL(publicUrl);
  if (['localhost', '127.0.0.1', '[::1]'].includes(hostname)) {
    return { id: 'localhost', origin: `${protocol}//localhost${port === '' ? '' : `:${port}`}` };
  }
  if (protocol !== 'https:' || hostname.startsWith('[') || isIP(hostname) !== 0) return null;
  return { id: hostname, origin };
}

/** The options for a passkey to be created. */
export interface PasskeyQuestion {
  site: PasskeySite;
  /** Base64url. */
  challenge: string;
  /** Stays the same for a user, and reveals nobody's identity. */
  userId: string;
  email: string;
  /** Known passkeys; authenticators that have one of these create no second one. */
  known: readonly { id: string; transports: readonly string[] }[];
}

/** The request to a browser to create a passkey: `PublicKeyCredentialCreationOptionsJSON` of WebAuthn. */
export function describeNewPasskey({ site, challenge, userId, email, known }: PasskeyQuestion): Json {
  const type = 'public-key';
  return {
    rp: { id: site.id, name: site.id },
    user: { id: Buffer.from(userId).toString('base64url'), name: email, displayName: email },
    challenge,
    pubKeyCredParams: algorithms.map((alg) => ({ type, alg })),
    excludeCredentials: known.map(({ id, transports }) => ({ type, id, transports })),
    // Found without an email, and unlocked by a fingerprint, a face, or a PIN: that is two steps in one.
    authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
    attestation: 'none',
    timeout: timeoutMs,
  };
}

/** The request to a browser to use a passkey: `PublicKeyCredentialRequestOptionsJSON` of WebAuthn. */
export function describePasskeyUse({ id }: PasskeySite, challenge: string): Json {
  return { challenge, rpId: id, userVerification: 'required', allowCredentials: [], timeout: timeoutMs };
}

function parseObject(text: string): Json {
  try {
    const value: unknown = text.length > mostText ? null : JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Json) : {};
  } catch {
    return {};
  }
}

/** The bytes of a field in Base64url; none for what is no text. */
function bytesOf(value: unknown): Buffer {
  return Buffer.from(typeof value === 'string' ? value : '', 'base64url');
}

/** The answer of a browser, with what it signs. */
interface Answer {
  id: string;
  response: Json;
  clientData: Buffer;
  /** The challenge, origin, and purpose that the browser has seen. */
  seen: Json;
}

function readAnswer(credential: string): Answer {
  const { id, response } = parseObject(credential);
  const parts = typeof response === 'object' && response !== null ? (response as Json) : {};
  const clientData = bytesOf(parts.clientDataJSON);
  return { id: typeof id === 'string' ? id : '', response: parts, clientData, seen: parseObject(clientData.toString()) };
}

/** The data that an authenticator signs (WebAuthn, section 6.1). */
interface AuthenticatorData {
  signCount: number;
  isSynced: boolean;
  /** The id of the new passkey, present only in the answer that creates one; otherwise null. */
  newId: string | null;
}

const flags = { userPresent: 0x01, userVerified: 0x04, backupEligible: 0x08, attested: 0x40 };
/** Offsets of the parts: after the digest of the site, the flags, the count, and the model of the authenticator. */
const at = { flags: 32, count: 33, idLength: 53, id: 55 };

/** Null for data of another site, and of an authenticator that has not verified its user. */
function readAuthenticatorData(bytes: Buffer, site: PasskeySite): AuthenticatorData | null {
  if (bytes.length < at.count + 4) return null;
  const isOurs = createHash('sha256').update(site.id).digest().equals(bytes.subarray(0, at.flags));
  const set = bytes.readUInt8(at.flags);
  const has = (flag: number) => (set & flag) !== 0;
  if (!isOurs || !has(flags.userPresent) || !has(flags.userVerified)) return null;
  const idEnd = has(flags.attested) && bytes.length >= at.id ? at.id + bytes.readUInt16BE(at.idLength) : 0;
  const newId = idEnd > at.id && bytes.length >= idEnd ? bytes.subarray(at.id, idEnd).toString('base64url') : null;
  return { signCount: bytes.readUInt32BE(at.count), isSynced: has(flags.backupEligible), newId };
}

/** What an answer must match. */
export interface Expected {
  site: PasskeySite;
  challenge: string;
}

function isFor({ seen }: Answer, type: string, { site, challenge }: Expected): boolean {
  return seen.type === type && seen.challenge === challenge && seen.origin === site.origin && seen.crossOrigin !== true;
}

/** A key of one of the algorithms that were asked for, or null. */
function readPublicKey(spki: Buffer): KeyObject | null {
  try {
    const key = createPublicKey({ key: spki, format: 'der', type: 'spki' });
    const { asymmetricKeyType: kind, asymmetricKeyDetails: details } = key;
    const isStrong =
      kind === 'ed25519' ||
      (kind === 'ec' && details?.namedCurve === 'prime256v1') ||
      (kind === 'rsa' && (details?.modulusLength ?? 0) >= 2048);
    return isStrong ? key : null;
  } catch {
    return null;
  }
}

/**
 * The passkey in the answer of a browser to `describeNewPasskey`; null if it is none, or not for this challenge and site. The browser of
 * somebody who has just given the password is believed what key it made: a statement of its maker is not asked for.
 */
export function readNewPasskey(credential: string, expected: Expected): NewPasskey | null {
  const answer = readAnswer(credential);
  if (!isFor(answer, 'webauthn.create', expected)) return null;
  const data = readAuthenticatorData(bytesOf(answer.response.authenticatorData), expected.site);
  const spki = bytesOf(answer.response.publicKey);
  if (data === null || data.newId === null || data.newId !== answer.id || readPublicKey(spki) === null) return null;
  const { transports } = answer.response;
  const named = (Array.isArray(transports) ? transports : []).filter(
    (one) => typeof one === 'string' && /^[a-z-]{1,32}$/.test(one),
  );
  return {
    id: data.newId,
    publicKey: spki.toString('base64url'),
    signCount: data.signCount,
    isSynced: data.isSynced,
    transports: (named as string[]).slice(0, mostTransports),
  };
}

/** The claim in a browser's answer to `describePasskeyUse`; null if it is not a valid answer. */
export function readPasskeyClaim(credential: string): PasskeyClaim | null {
  const { id, response, seen } = readAnswer(credential);
  if (id === '' || typeof response.userHandle !== 'string' || typeof seen.challenge !== 'string') return null;
  return { id, userId: bytesOf(response.userHandle).toString(), challenge: seen.challenge };
}

/**
 * The new count of a passkey whose use is proved: signed for this challenge on this site, after the authenticator has verified its user
 * (WebAuthn, section 7.2). Null for everything else, and for a count that did not grow, as that of a copied authenticator.
 */
export function verifyPasskeyUse(credential: string, passkey: StoredPasskey, expected: Expected): number | null {
  const answer = readAnswer(credential);
  if (answer.id !== passkey.id || !isFor(answer, 'webauthn.get', expected)) return null;
  const said = bytesOf(answer.response.authenticatorData);
  const data = readAuthenticatorData(said, expected.site);
  const key = readPublicKey(bytesOf(passkey.publicKey));
  if (data === null || key === null) return null;
  const signed = Buffer.concat([said, createHash('sha256').update(answer.clientData).digest()]);
  const digest = key.asymmetricKeyType === 'ed25519' ? null : 'sha256';
  if (!verify(digest, signed, key, bytesOf(answer.response.signature))) return null;
  const isCounted = data.signCount > 0 || passkey.signCount > 0;
  return isCounted && data.signCount <= passkey.signCount ? null : data.signCount;
}
