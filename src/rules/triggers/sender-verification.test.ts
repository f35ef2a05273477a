import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { Webhook as SvixWebhook } from 'svix';
import { describe, expect, it } from 'vitest';
import { anyCharacter } from '../../../test/support/base/any-character.ts';
import { verifySender, type RequestHeaders, type SenderVerification, type VerificationType } from './sender-verification.ts';

const nowMs = 1_800_000_000_000;
const nowS = nowMs / 1000;
const standardSecret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

function verification(type: VerificationType, secret: string, header = ''): SenderVerification {
  return { type, secret, header };
}

function verify(checked: SenderVerification, headers: RequestHeaders, body: string | Uint8Array, atMs = nowMs) {
  return verifySender(checked, { headers, body: typeof body === 'string' ? Buffer.from(body) : body, nowMs: atMs });
}

function hex(secret: string, ...parts: (string | Uint8Array)[]): string {
  const hmac = createHmac('sha256', secret);
  for (const part of parts) hmac.update(part);
  return hmac.digest('hex');
}

/** The headers of a genuine request of each kind. */
const senders: Record<Exclude<VerificationType, 'none'>, { checked: SenderVerification; sign(body: Buffer): RequestHeaders }> = {
  secret: { checked: verification('secret', 's3cret', 'x-key'), sign: () => ({ 'x-key': 's3cret' }) },
  hmac_sha256: {
    checked: verification('hmac_sha256', 's3cret', 'x-signature'),
    sign: (body) => ({ 'x-signature': hex('s3cret', body) }),
  },
  github: {
    checked: verification('github', 's3cret'),
    sign: (body) => ({ 'x-hub-signature-256': `sha256=${hex('s3cret', body)}` }),
  },
  stripe: {
    checked: verification('stripe', 'whsec_test'),
    sign: (body) => ({ 'stripe-signature': `t=${nowS},v1=${hex('whsec_test', `${nowS}.`, body)},v0=abc` }),
  },
  standard_webhooks: {
    checked: verification('standard_webhooks', standardSecret),
    sign: (body) => ({
      'webhook-id': 'msg_1',
      'webhook-timestamp': String(nowS),
      'webhook-signature': new StandardWebhook(standardSecret).sign('msg_1', new Date(nowMs), body.toString()),
    }),
  },
};
const signedTypes = ['hmac_sha256', 'github', 'stripe', 'standard_webhooks'] as const;

describe('the verification of a sender', () => {
  it("accepts GitHub's published example", () => {
    // docs.github.com, "Validating webhook deliveries", test values.
    const signature = 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17';
    const checked = verification('github', "It's a Secret to Everybody");
    expect(verify(checked, { 'x-hub-signature-256': signature }, 'Hello, World!')).toBeNull();
    expect(verify(checked, { 'x-hub-signature-256': signature }, 'Hello, World?')).toMatch(/does not match/);
  });

  it('accepts the published example of Standard Webhooks', () => {
    const headers = {
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    };
    const checked = verification('standard_webhooks', standardSecret);
    expect(verify(checked, headers, '{"test": 2432232314}', 1_614_265_330_000)).toBeNull();
  });

  it.each(Object.keys(senders) as (keyof typeof senders)[])(
    'accepts what a %s sender sends, and refuses it without its header',
    (type) => {
      const { checked, sign } = senders[type];
      fc.assert(
        fc.property(fc.string({ unit: anyCharacter }), (text) => {
          const body = Buffer.from(text.toWellFormed());
          expect(verify(checked, sign(body), body)).toBeNull();
          expect(verify(checked, {}, body)).toMatch(/missing|required/);
        }),
      );
    },
  );

  it('agrees with the libraries of Standard Webhooks and Svix on any message', () => {
    const checked = verification('standard_webhooks', standardSecret);
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), fc.uuid(), (text, id) => {
        const body = text.toWellFormed();
        const [time, at] = [String(nowS), new Date(nowMs)];
        const standard = new StandardWebhook(standardSecret).sign(id, at, body);
        const svix = new SvixWebhook(standardSecret).sign(id, at, body);
        expect(verify(checked, { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': standard }, body)).toBeNull();
        expect(verify(checked, { 'svix-id': id, 'svix-timestamp': time, 'svix-signature': svix }, body)).toBeNull();
      }),
    );
  });

  it.each(signedTypes)('refuses what a %s sender signed if one bit of it differs', (type) => {
    const { checked, sign } = senders[type];
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1 }), fc.nat(), (bytes, chance) => {
        const body = Buffer.from(bytes.map((byte) => byte & 0x7f));
        const changed = Buffer.from(body);
        const bit = chance % (body.length * 8);
        changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
        expect(verify(checked, sign(body), changed)).not.toBeNull();
        expect(verify({ ...checked, secret: `${checked.secret}BBBB` }, sign(body), body)).not.toBeNull();
      }),
    );
  });

  it.each(['stripe', 'standard_webhooks'] as const)('refuses a %s signature five minutes after or before it was made', (type) => {
    const { checked, sign } = senders[type];
    const body = Buffer.from('{}');
    for (const distanceMs of [-300_000, 300_000]) expect(verify(checked, sign(body), body, nowMs + distanceMs)).toBeNull();
    for (const distanceMs of [-301_000, 301_000])
      expect(verify(checked, sign(body), body, nowMs + distanceMs)).toMatch(/timestamp/);
  });

  it('never accepts a time or an id that was not signed', () => {
    const body = Buffer.from('{}');
    const stripe = String(senders.stripe.sign(body)['stripe-signature']);
    expect(
      verify(senders.stripe.checked, { 'stripe-signature': stripe.replace(String(nowS), String(nowS + 1)) }, body),
    ).not.toBeNull();
    const standard = senders.standard_webhooks.sign(body);
    for (const changed of [
      { 'webhook-id': 'msg_2' },
      { 'webhook-timestamp': String(nowS + 1) },
      { 'webhook-timestamp': 'now' },
    ]) {
      expect(verify(senders.standard_webhooks.checked, { ...standard, ...changed }, body)).not.toBeNull();
    }
  });

  it('accepts one good signature among several, for senders that change their secret', () => {
    const body = Buffer.from('{}');
    const stripe = `t=${nowS},v1=${'0'.repeat(64)},v1=${hex('whsec_test', `${nowS}.`, body)}`;
    expect(verify(senders.stripe.checked, { 'stripe-signature': stripe }, body)).toBeNull();
    const headers = senders.standard_webhooks.sign(body);
    const several = { ...headers, 'webhook-signature': `v1a,abc v1,AAAA ${String(headers['webhook-signature'])}` };
    expect(verify(senders.standard_webhooks.checked, several, body)).toBeNull();
  });

  it('takes an HMAC as hex, as sha256= and hex, and as Base64', () => {
    const digest = hex('s3cret', 'text');
    const forms = [digest, digest.toUpperCase(), `sha256=${digest}`, Buffer.from(digest, 'hex').toString('base64')];
    for (const form of forms) expect(verify(senders.hmac_sha256.checked, { 'x-signature': form }, 'text')).toBeNull();
    for (const form of ['', 'sha256=', digest.slice(0, 63), `${digest}00`, `sha1=${digest}`]) {
      expect(verify(senders.hmac_sha256.checked, { 'x-signature': form }, 'text')).not.toBeNull();
    }
  });

  it('takes a secret in the header Authorization with or without Bearer, and never part of it', () => {
    const checked = verification('secret', 's3cret', 'authorization');
    for (const sent of ['s3cret', 'Bearer s3cret']) expect(verify(checked, { authorization: sent }, '')).toBeNull();
    for (const sent of ['s3cre', 's3crets', 'Bearer ', 'Bearer s3cre'])
      expect(verify(checked, { authorization: sent }, '')).not.toBeNull();
    expect(verify(senders.secret.checked, { 'x-key': 'Bearer s3cret' }, '')).not.toBeNull();
    expect(verify(senders.secret.checked, { 'x-key': ['s3cret', 's3cret'] }, '')).not.toBeNull();
  });

  it('accepts anything if there is none', () => {
    expect(verify(verification('none', ''), {}, 'x')).toBeNull();
  });
});
