import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { verifyRsa, verifyStandard } from '../../../test/support/webhooks/webhook-verifier.ts';
import { presentPublicKey, rsaContent, type SigningKey, signMessage, standardContent } from './webhook-signature.ts';
import { anyCharacter } from '../../../test/support/base/any-character.ts';

function makeKey(): SigningKey {
  return {
    rsa: generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey,
    ed25519: generateKeyPairSync('ed25519').privateKey,
    createdAtMs: 1,
  };
}

const key = makeKey();
const olderKey = makeKey();
const url = 'https://hooks.example.com/errand?team=a%20b&x=1';
const body = '{"event_id":"task_stopped_1_2","event_type":"task_stopped"}';
const message = { eventId: 'task_stopped_1_2', url, body, timestamp: 1_767_225_600 };
const published = presentPublicKey(key);

/** The same text with one bit of it the other way round. */
function flipBit(text: string, chance: number): string {
  const bytes = Buffer.from(text);
  const bit = chance % (bytes.length * 8);
  bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7));
  return bytes.toString('latin1');
}

describe('the signature of a webhook request', () => {
  it('covers exactly these characters', () => {
    expect(rsaContent(message)).toBe(`1767225600.${url}.f3a22c6fd762af90c4fd0faec44f14c2d6719717c0baf5a051fb7c6de17483de`);
    expect(standardContent(message)).toBe(`task_stopped_1_2.1767225600.${body}`);
  });

  it('is deterministic, as known answers show', async () => {
    // RFC 8032, test 1: the key pair; the signature was made by OpenSSL's command line.
    const seed = Buffer.from('9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60', 'hex');
    const der = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed]);
    const known = { createdAtMs: 1, rsa: key.rsa, ed25519: createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }) };
    expect(presentPublicKey(known).standard).toBe('whpk_11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=');
    const headers = await signMessage({ ...message, body: '{}' }, [known]);
    expect(headers['webhook-signature']).toBe(
      'v1a,0gMgTdnVvtrKuhLAftSrRemXzDHQV8+m3GV3ATCj9YNM4CzUY2w9xy2PHR0UdXPiFZMH8+1Ly/J21H8v8AgTBw==',
    );
  });

  it('verifies with plain node:crypto in both schemes, whatever is in the message', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: anyCharacter }), fc.webUrl({ withQueryParameters: true }), async (text, anyUrl) => {
        const any = { ...message, url: anyUrl, body: JSON.stringify({ text }) };
        const request = { headers: await signMessage(any, [key]), body: any.body };
        expect(verifyRsa(request, anyUrl, published.rsaPem)).toBe(true);
        expect(verifyStandard(request, published.standard)).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });

  it('fails if one bit of the body, timestamp, URL or id differs', async () => {
    const headers = await signMessage(message, [key]);
    fc.assert(
      fc.property(fc.nat(), (chance) => {
        const request = { headers, body: flipBit(body, chance) };
        expect(verifyRsa(request, url, published.rsaPem) || verifyStandard(request, published.standard)).toBe(false);
        const times = {
          'x-webhook-timestamp': flipBit('1767225600', chance),
          'webhook-timestamp': flipBit('1767225600', chance),
        };
        const late = { headers: { ...headers, ...times }, body };
        expect(verifyRsa(late, url, published.rsaPem) || verifyStandard(late, published.standard)).toBe(false);
        expect(verifyRsa({ headers, body }, flipBit(url, chance), published.rsaPem)).toBe(false);
        const renamed = { headers: { ...headers, 'webhook-id': flipBit(message.eventId, chance) }, body };
        expect(verifyStandard(renamed, published.standard)).toBe(false);
      }),
    );
  });

  it("fails with another service's keys", async () => {
    const request = { headers: await signMessage(message, [key]), body };
    const other = presentPublicKey(olderKey);
    expect(verifyRsa(request, url, other.rsaPem)).toBe(false);
    expect(verifyStandard(request, other.standard)).toBe(false);
  });

  it('verifies with the new and the old keys while both are valid', async () => {
    const headers = await signMessage(message, [key, olderKey]);
    const older = presentPublicKey(olderKey);
    expect(headers['webhook-signature']?.split(' ')).toHaveLength(2);
    for (const { standard } of [published, older]) expect(verifyStandard({ headers, body }, standard)).toBe(true);
    expect(verifyRsa({ headers, body }, url, published.rsaPem)).toBe(true);
    const previous = { ...headers, 'x-webhook-signature': headers['x-webhook-signature-previous'] };
    expect(verifyRsa({ headers: previous, body }, url, older.rsaPem)).toBe(true);
  });

  it('omits previous keys if there are none', async () => {
    expect(await signMessage(message, [key])).not.toHaveProperty('x-webhook-signature-previous');
  });

  it('is published in the formats that receivers accept', () => {
    expect(published.rsaPem).toMatch(/^-----BEGIN PUBLIC KEY-----\n[A-Za-z0-9+/=\n]+-----END PUBLIC KEY-----\n$/);
    expect(published.standard).toMatch(/^whpk_[A-Za-z0-9+/]{43}=$/);
  });
});
