import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readPayload } from './payload.ts';
import { composeMessage, findDedupeKeys, meetsFilters, usualDedupe } from './payload-rules.ts';

const json = (value: unknown) => readPayload(Buffer.from(JSON.stringify(value)), 'application/json');
const read = (text: string, type = '') => readPayload(Buffer.from(text), type);

describe('a payload', () => {
  it('is JSON by its content type or its looks, the fields of a form, or only a text', () => {
    expect(read('{"a":1}', 'application/json; charset=utf-8').document).toEqual({ a: 1 });
    expect(read('"text"', 'application/vnd.x+json').document).toBe('text');
    expect(read(' [1]').document).toEqual([1]);
    expect(read('{not json}').document).toBeUndefined();
    expect(read('12', 'text/plain').document).toBeUndefined();
    expect(read('a=1&b=x+y', 'application/x-www-form-urlencoded').document).toEqual({ a: '1', b: 'x y' });
    expect(read('payload=%7B%22a%22%3A1%7D', 'application/x-www-form-urlencoded').document).toEqual({ a: 1 });
    expect(read('payload=x', 'application/x-www-form-urlencoded').document).toEqual({ payload: 'x' });
    expect(read('', 'application/json')).toEqual({ text: '', document: undefined });
  });

  it('is refused if it is no text, no JSON though it says so, or nested without end', () => {
    expect(() => readPayload(Uint8Array.of(0xff), '')).toThrow(/^body: must be text in UTF-8/);
    expect(() => read('a\0b')).toThrow(/NUL/);
    expect(() => read('{', 'application/json')).toThrow(/^body: must be valid JSON/);
    for (const type of ['application/json', 'text/plain']) expect(() => read('['.repeat(65), type)).toThrow(/deeper than 64/);
    expect(read(`payload=${'['.repeat(500_000)}`, 'application/x-www-form-urlencoded').document).toHaveProperty('payload');
  });

  it('meets a filter if each value is the same, type included', () => {
    const payload = json({ action: 'opened', n: 1, list: [1, { a: null }], gone: null });
    const meets = (pointer: string, equals: unknown) => meetsFilters(payload, [{ pointer, equals }]);
    expect([meets('/action', 'opened'), meets('/n', 1), meets('/list', [1, { a: null }]), meets('/gone', null)]).not.toContain(
      false,
    );
    expect([meets('/action', 'closed'), meets('/n', '1'), meets('/none', null), meets('/list/0', true)]).not.toContain(true);
    expect(meetsFilters(payload, [])).toBe(true);
    expect(
      meetsFilters(payload, [
        { pointer: '/n', equals: 1 },
        { pointer: '/action', equals: 'x' },
      ]),
    ).toBe(false);
  });
});

describe('the message of a delivery', () => {
  it('has values as texts, everything else as JSON, and the whole body', () => {
    const payload = json({ title: 'Crash', n: 5, ok: false, none: null, list: ['a', 1] });
    const template = '{{/title}} {{/n}} {{/ok}} {{/none}} {{/list}} {{/list/0}}\n{{body}}';
    expect(composeMessage(template, payload).text).toBe(`Crash 5 false null ["a",1] a\n${payload.text}`);
  });

  it('has nothing where a pointer finds nothing, with a note for each', () => {
    const { text, notes, quoted } = composeMessage('[{{/a}}{{/b/c}}{{/a}}]', json({ b: 1 }));
    expect(text).toBe('[]');
    expect(quoted).toEqual([]);
    expect(notes).toEqual([expect.stringContaining('/a is not in the payload'), expect.stringContaining('/b/c')]);
  });

  it('has at most 200,000 characters, with a note about what was cut', () => {
    const { text, notes } = composeMessage('Read {{body}} now', read('x'.repeat(900_000)));
    expect(text).toHaveLength(200_000);
    expect(text.endsWith('x […] now')).toBe(true);
    expect(notes).toEqual(['body was cut: a message has at most 200000 characters.']);
  });

  it('quotes exactly what is from the payload, and has no character that a database refuses', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), (value) => {
        const { text, quoted } = composeMessage('Title: {{/a}}.', json({ a: value }));
        expect(text).not.toContain('\0');
        const shown = value.replaceAll('\0', '').toWellFormed();
        expect(quoted.map(([start, end]) => text.slice(start, end)).join('')).toBe(shown);
        expect(text).toBe(`Title: ${shown}.`);
      }),
    );
  });
});

describe('the id by which a delivery is recognized', () => {
  const payload = json({ id: 'evt_1', n: 7 });
  const keyAt = (dedupe: string | null, headers = {}) =>
    findDedupeKeys({ verification: 'hmac_sha256', dedupe }, payload, headers);

  it('is the value of a header or of a pointer', () => {
    const key = keyAt('X-Delivery', { 'x-delivery': 'evt_1' });
    expect(key).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/)]);
    expect(keyAt('/id')).toEqual(key);
    expect(keyAt('/n')).toHaveLength(1);
  });

  it('is none if the owner named no place or the sender gave nothing there', () => {
    expect([keyAt(null), keyAt('/none'), keyAt('x-delivery')]).toEqual([[], [], []]);
  });

  it('is where each sender puts it unless the owner says otherwise', () => {
    expect([usualDedupe('github'), usualDedupe('stripe'), usualDedupe('none')]).toEqual(['x-github-delivery', '/id', null]);
    const [one, other] = ['webhook-id', 'svix-id'].map((name) => keyAt('webhook-id', { [name]: 'msg_1' }));
    expect(one).toHaveLength(1);
    expect(other).toEqual(one);
  });

  const stripe = (n: number, signature: string, dedupe: string | null = '/id', headers = {}) =>
    findDedupeKeys({ verification: 'stripe', dedupe }, json({ n }), { 'stripe-signature': signature, ...headers });

  it('is the signed time and the body where Stripe has sent no id, so that no caught request counts twice', () => {
    const [key = '', ...more] = stripe(1, 't=100,v1=ab');
    expect([key, more]).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/), []]);
    // Neither what else the header says nor its order is signed.
    expect(stripe(1, 'v0=x,v1=ab, t=100')).toEqual([key]);
    expect([...stripe(1, 't=101,v1=ab'), ...stripe(2, 't=100,v1=ab')]).not.toContain(key);
    expect(stripe(1, 't=100,v1=ab', null)).toEqual([]);
  });

  it('in a header is not signed by Stripe, so that time and body count as well', () => {
    const [one, other] = ['a', 'b'].map((id) => stripe(1, 't=100,v1=ab', 'x-id', { 'x-id': id }));
    expect([one?.length, other?.length, one?.[1]]).toEqual([2, 2, other?.[1]]);
    expect(one?.[0]).not.toBe(other?.[0]);
  });

  it('of GitHub is not signed, so that the body counts as well, except where people send the same twice', () => {
    const github = (body: object, id: string, dedupe = 'x-github-delivery') =>
      findDedupeKeys({ verification: 'github', dedupe }, json(body), { 'x-github-delivery': id });
    const push = { after: 'c0ffee', ref: 'refs/heads/main' };
    expect(github(push, 'a')[1]).toBe(github(push, 'b')[1]);
    expect(github(push, 'a')[1]).not.toBe(github({ ...push, after: 'beef' }, 'a')[1]);
    expect(github(push, 'a', '/after')).toHaveLength(1);
    expect(new Set(github(push, JSON.stringify(push))).size).toBe(2);
    for (const sent of [
      { workflow: 'ci.yml', inputs: null, ref: 'main' },
      { action: 'deploy', client_payload: {} },
    ]) {
      expect(github(sent, 'a')).toHaveLength(1);
    }
  });
});
