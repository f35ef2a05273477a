import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { TestClock } from '../../../test/support/base/test-clock.ts';
import { verifyRsa, verifyStandard } from '../../../test/support/webhooks/webhook-verifier.ts';
import { OutboundFault } from '@errand/base/net/outbound-fault.ts';
import type { OutboundReply, OutboundRequest } from '@errand/base/net/safe-fetch.ts';
import { presentPublicKey } from '../../rules/webhooks/webhook-signature.ts';
import { WebhookSecrets } from './webhook-secrets.ts';
import { createWebhookSender } from './webhook-sender.ts';

const key = {
  rsa: generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey,
  ed25519: generateKeyPairSync('ed25519').privateKey,
  createdAtMs: 1,
};
const message = {
  webhookId: 'w',
  sealedSecrets: [],
  url: 'https://hooks.example.com/a',
  eventId: 'task_stopped_1_2',
  body: '{"a":1}',
};

function openTestBed(answer: () => Partial<OutboundReply>) {
  const clock = new TestClock();
  const requests: OutboundRequest[] = [];
  const httpClient = {
    async request(request: OutboundRequest) {
      requests.push(request);
      await clock.advance(40);
      const nothing = { headers: {}, body: Buffer.alloc(0), isTruncated: false, finalUrl: request.url, address: '192.0.2.1' };
      return { status: 200, ...nothing, ...answer() };
    },
  };
  const keys = { current: () => Promise.resolve([key]) };
  return {
    clock,
    requests,
    sender: createWebhookSender({ httpClient, keys, secrets: new WebhookSecrets(null), clock, allowHttp: false }),
  };
}

describe('a webhook message', () => {
  it('is the unchanged body, signed with the time of the attempt', async () => {
    const { clock, requests, sender } = openTestBed(() => ({}));
    await sender.send(message, { totalMs: 15_000 });
    clock.jump(5000);
    await sender.send(message, { totalMs: 15_000 });
    const [first, second] = requests;
    expect(first).toMatchObject({ url: message.url, method: 'POST', body: message.body, allowHttp: false, totalMs: 15_000 });
    expect(first?.redirects).toBeUndefined();
    const times = requests.map(({ headers }) => Number(headers?.['webhook-timestamp']));
    expect((times[1] ?? 0) - (times[0] ?? 0)).toBe(5);
    expect(second?.body).toBe(first?.body);
    expect(second?.headers?.['webhook-id']).toBe(message.eventId);
    const published = presentPublicKey(key);
    for (const { headers = {} } of requests) {
      expect(verifyRsa({ headers, body: message.body }, message.url, published.rsaPem)).toBe(true);
      expect(verifyStandard({ headers, body: message.body }, published.standard)).toBe(true);
    }
  });

  it('reports the response as displayable text', async () => {
    const { sender } = openTestBed(() => ({
      status: 503,
      headers: { 'retry-after': '120' },
      body: Buffer.concat([Buffer.from('too\u0000 busy\r\n\u001b[31m 🙂'), Buffer.from([0xf0, 0x9f])]),
    }));
    expect(await sender.send(message, { totalMs: 15_000 })).toEqual({
      status: 503,
      retryAfterMs: 120_000,
      error: null,
      durationMs: 40,
      excerpt: 'too  busy [31m 🙂',
    });
  });

  it('reports why there is no response', async () => {
    const { sender } = openTestBed(() => {
      throw new OutboundFault('connect', 'the host hooks.example.com refuses connections on port 443');
    });
    expect(await sender.send(message, { totalMs: 15_000 })).toMatchObject({
      status: null,
      error: 'the host hooks.example.com refuses connections on port 443',
      durationMs: 40,
    });
  });

  it('has no result if it is aborted', async () => {
    const { sender } = openTestBed(() => {
      throw new OutboundFault('aborted', 'the request was aborted');
    });
    expect(await sender.send(message, { totalMs: 15_000 })).toBeNull();
  });

  it('passes on a defect instead of treating it as a failure of the receiver', async () => {
    const { sender } = openTestBed(() => {
      throw new TypeError('a defect');
    });
    await expect(sender.send(message, { totalMs: 15_000 })).rejects.toThrow(TypeError);
  });
});
