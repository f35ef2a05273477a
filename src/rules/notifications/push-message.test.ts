import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import { expect, it } from 'vitest';
import { encryptPush, pushAuthorization, pushServerKey, readPushKeys } from './push-message.ts';

/** RFC 8291, appendix A. */
const example = {
  text: 'When I grow up, I want to be a watermelon',
  privateKey: 'yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw',
  salt: 'DGv6ra1nlYgDCS1FRnbzlw',
  p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  body:
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4M' +
    'qgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
};
const bytes = (text: string) => Buffer.from(text, 'base64url');

it('messages are encrypted as in the example of the standard', () => {
  const keys = readPushKeys(example);
  if (!keys) throw new Error('these are keys');
  const body = encryptPush(example.text, keys, { privateKey: bytes(example.privateKey), salt: bytes(example.salt) });
  expect(body.toString('base64url')).toBe(example.body);
});

it('keys that are too short, too long, or not on the curve are refused', () => {
  const { p256dh, auth } = example;
  const offCurve = Buffer.from(bytes(p256dh));
  offCurve[64] = (offCurve[64] ?? 0) ^ 1;
  for (const wrong of [
    { p256dh: '', auth },
    { p256dh, auth: 'AAAA' },
    { p256dh: `${p256dh}AAAA`, auth },
    { p256dh: offCurve.toString('base64url'), auth },
    { p256dh: Buffer.concat([Buffer.of(3), bytes(p256dh).subarray(1)]).toString('base64url'), auth },
  ])
    expect(readPushKeys(wrong)).toBeNull();
});

it('the service identifies itself to the origin of the endpoint alone, for less than a day, with the key that browsers know', () => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const header = pushAuthorization(
    'https://push.example:8443/a/b?c',
    { privateKey, subject: 'https://errand.example' },
    1_000_500,
  );
  const [, head = '', claims = '', signature = '', key = ''] =
    /^vapid t=([\w-]+)\.([\w-]+)\.([\w-]+), k=([\w-]+)$/.exec(header) ?? [];
  const content = Buffer.from(`${head}.${claims}`);
  const publicKey = createPublicKey(privateKey);
  expect(verify('sha256', content, { key: publicKey, dsaEncoding: 'ieee-p1363' }, bytes(signature))).toBe(true);
  expect(JSON.parse(bytes(claims).toString())).toEqual({
    aud: 'https://push.example:8443',
    exp: 1000 + 43_200,
    sub: 'https://errand.example',
  });
  expect(key).toBe(pushServerKey(privateKey));
  expect(bytes(key)).toHaveLength(65);
});
