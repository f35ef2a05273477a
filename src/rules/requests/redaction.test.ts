import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { redactBody, redactQuery } from './redaction.ts';

const canary = 'canary-3f9c2d';

describe('what is kept of a request', () => {
  it('is its body as it was sent, where nothing in it is secret', () => {
    const body = '{ "task_id": "a",  "message": {"content": "Write a poem about keys and tokens."}, "limit": 20 }';
    expect(redactBody(body)).toEqual({ text: body, isRedacted: false });
    expect(redactQuery('task_id=a&cursor=b&limit=3')).toEqual({ text: 'task_id=a&cursor=b&limit=3', isRedacted: false });
  });

  it.each([
    { secret: canary },
    { verification: { type: 'hmac_sha256', client_secret: canary } },
    { list: [{ headers: { 'x-anything': canary } }] },
    { env: { PLAIN: canary } },
    { password: canary },
    { refreshToken: canary },
    { 'X-Api-Key': canary },
    { note: `Bearer ${canary}` },
    { note: `sk-${canary.replaceAll('-', '')}` },
    { value: `sk-proj-${canary}-xyz` },
    { value: `sk-ant-api03-${canary}` },
    { value: `github_pat_11ABCDEF0_${canary}` },
    { value: `eyJhbGciOiJIUzI1NiJ9.${canary}.x` },
    { value: `-----BEGIN RSA PRIVATE KEY-----\n${canary}` },
    { url: `https://ann:${canary}@example.com/` },
    { url: `https://example.com/?access_token=${canary}` },
    { content: `data:text/plain;base64,${canary}` },
    { content: 'QUJD'.repeat(150) },
  ])('is without what is secret or a file: %j', (value) => {
    const kept = redactBody(JSON.stringify(value));
    expect(kept?.isRedacted).toBe(true);
    expect(kept?.text).not.toContain(canary);
    expect(kept?.text).not.toContain('QUJDQUJD');
  });

  it('is without a secret wherever it is in the body', () => {
    const place = fc.array(fc.oneof(fc.constant('[]'), fc.string({ minLength: 1 })), { maxLength: 12 });
    fc.assert(
      fc.property(place, (names) => {
        const nest = (inner: unknown, name: string) => (name === '[]' ? [1, inner] : { [name]: inner, other: true });
        const kept = redactBody(JSON.stringify(names.reduce(nest, { password: canary })));
        expect(kept?.text).not.toContain(canary);
        expect(kept?.isRedacted).toBe(true);
      }),
    );
  });

  it('is nothing of what is no JSON or nested without end', () => {
    expect(redactBody('{"a":')).toBeNull();
    expect(redactBody(`${'['.repeat(5000)}${']'.repeat(5000)}`)).toBeNull();
  });

  it('is its query without secrets', () => {
    const kept = redactQuery(`query=hello&access_token=${canary}&x=sk-${canary.replaceAll('-', '')}`);
    expect(kept.isRedacted).toBe(true);
    expect(kept.text).not.toContain('canary');
    expect(kept.text).toContain('query=hello');
  });
});
