import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { describePasskeyUse, passkeySiteOf, readNewPasskey, readPasskeyClaim, verifyPasskeyUse } from './passkeys.ts';

const site = { id: 'errand.example', origin: 'https://errand.example' };
const challenge = 'Y2hhbGxlbmdl';
const base64url = (value: Uint8Array | string) => Buffer.from(value).toString('base64url');
const userFlags = 0x05;

function authData(flags = userFlags, count = 0, id = ''): Buffer {
  const counted = Buffer.alloc(5);
  counted.writeUInt8(flags);
  counted.writeUInt32BE(count, 1);
  const idBytes = Buffer.from(id);
  const attested = id === '' ? Buffer.alloc(0) : Buffer.concat([Buffer.alloc(16), Buffer.from([0, idBytes.length]), idBytes]);
  return Buffer.concat([createHash('sha256').update(site.id).digest(), counted, attested]);
}

function credential(type: string, response: object): string {
  const clientDataJSON = base64url(JSON.stringify({ type, challenge, origin: site.origin }));
  return JSON.stringify({ id: base64url('key'), response: { clientDataJSON, ...response } });
}

function made(publicKey: KeyObject, data = authData(userFlags | 0x40, 0, 'key')): string {
  const spki = publicKey.export({ format: 'der', type: 'spki' });
  return credential('webauthn.create', {
    authenticatorData: base64url(data),
    publicKey: base64url(spki),
    transports: ['usb', 7],
  });
}

function used(privateKey: KeyObject, digest: string | null, data: Buffer): string {
  const answer = JSON.parse(credential('webauthn.get', {})) as { response: Record<string, string> };
  const hash = createHash('sha256')
    .update(Buffer.from(answer.response.clientDataJSON ?? '', 'base64url'))
    .digest();
  const signature = base64url(sign(digest, Buffer.concat([data, hash]), privateKey));
  return credential('webauthn.get', { authenticatorData: base64url(data), signature, userHandle: base64url('ann') });
}

describe('passkeys', () => {
  it.each([
    ['http://127.0.0.1:7070', 'http://localhost:7070'],
    ['http://[::1]:7070', 'http://localhost:7070'],
    ['https://errand.example', 'https://errand.example'],
    ['https://errand.example:8443', 'https://errand.example:8443'],
    ['http://errand.example', null],
    ['https://192.0.2.7', null],
    ['https://[2001:db8::1]', null],
  ])('of %s are made at %s', (publicUrl, origin) => {
    expect(passkeySiteOf(publicUrl)?.origin ?? null).toBe(origin);
  });

  it.each([
    ['P-256', generateKeyPairSync('ec', { namedCurve: 'P-256' }), 'sha256'],
    ['Ed25519', generateKeyPairSync('ed25519'), null],
    ['RSA', generateKeyPairSync('rsa', { modulusLength: 2048 }), 'sha256'],
  ] as const)('with a key of %s are read, and their use is proved', (_, { publicKey, privateKey }, digest) => {
    const passkey = readNewPasskey(made(publicKey), { site, challenge });
    expect(passkey).toMatchObject({ id: base64url('key'), signCount: 0, isSynced: false, transports: ['usb'] });
    if (!passkey) throw new Error('no passkey');
    const answer = used(privateKey, digest, authData());
    expect(readPasskeyClaim(answer)).toEqual({ id: passkey.id, userId: 'ann', challenge });
    expect(verifyPasskeyUse(answer, passkey, { site, challenge })).toBe(0);
    expect(verifyPasskeyUse(answer, passkey, { site, challenge: 'bm90aGVy' })).toBe(null);
    expect(verifyPasskeyUse(answer, { ...passkey, id: 'b3RoZXI' }, { site, challenge })).toBe(null);
    const broken = answer.replace(/"signature":"./, '"signature":"_');
    expect(broken === answer ? null : verifyPasskeyUse(broken, passkey, { site, challenge })).toBe(null);
  });

  it('with weak keys are not read', () => {
    const weak = [generateKeyPairSync('ec', { namedCurve: 'secp256k1' }), generateKeyPairSync('rsa', { modulusLength: 1024 })];
    for (const { publicKey } of weak) expect(readNewPasskey(made(publicKey), { site, challenge })).toBe(null);
  });

  it('count upward, once they count', () => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const passkey = readNewPasskey(made(publicKey), { site, challenge });
    if (!passkey) throw new Error('no passkey');
    const countOf = (known: number, said: number) =>
      verifyPasskeyUse(used(privateKey, null, authData(userFlags, said)), { ...passkey, signCount: known }, { site, challenge });
    expect([countOf(0, 0), countOf(0, 5), countOf(5, 6)]).toEqual([0, 5, 6]);
    expect([countOf(5, 5), countOf(5, 4), countOf(5, 0)]).toEqual([null, null, null]);
  });

  it('are refused without a user who was verified, and in every shorter form of an answer', () => {
    const { publicKey } = generateKeyPairSync('ed25519');
    for (const flags of [0x00, 0x01, 0x04, 0x41, 0x44]) {
      expect(readNewPasskey(made(publicKey, authData(flags | 0x40, 0, 'key')), { site, challenge }), String(flags)).toBe(null);
    }
    const data = authData(userFlags | 0x40, 0, 'key');
    for (let length = 0; length < data.length; length++) {
      expect(readNewPasskey(made(publicKey, data.subarray(0, length)), { site, challenge })).toBe(null);
    }
    const whole = made(publicKey);
    for (let length = 0; length < whole.length; length += 7) {
      expect(readNewPasskey(whole.slice(0, length), { site, challenge })).toBe(null);
      expect(readPasskeyClaim(whole.slice(0, length))).toBe(null);
    }
  });

  it('are asked for without a list of the passkeys of anybody', () => {
    expect(describePasskeyUse(site, challenge)).toMatchObject({
      rpId: site.id,
      allowCredentials: [],
      userVerification: 'required',
    });
  });
});
