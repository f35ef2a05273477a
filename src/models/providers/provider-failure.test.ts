import { APICallError, InvalidPromptError, JSONParseError, UnsupportedFunctionalityError } from '@ai-sdk/provider';
import { describe, expect, it } from 'vitest';
import { toModelFault } from './provider-failure.ts';
import { ModelFault } from '../model.ts';

function apiError(statusCode: number, extra: Partial<ConstructorParameters<typeof APICallError>[0]> = {}): APICallError {
  return new APICallError({ message: 'said so', url: 'http://secret-host', requestBodyValues: {}, statusCode, ...extra });
}

describe('toModelFault', () => {
  it.each([
    [301, 'refused'],
    [400, 'refused'],
    [401, 'refused'],
    [402, 'refused'],
    [403, 'refused'],
    [404, 'refused'],
    [413, 'refused'],
    [422, 'refused'],
    [408, 'unavailable'],
    [409, 'unavailable'],
    [429, 'overloaded'],
    [500, 'unavailable'],
    [503, 'unavailable'],
    [529, 'overloaded'],
    [599, 'unavailable'],
    [200, 'malformed'],
  ])('maps status %i to %s', (status, kind) => {
    expect(toModelFault(apiError(status), 0).kind).toBe(kind);
  });

  it('keeps the connection error, however deeply the SDK wraps it', () => {
    const fault = new ModelFault('unavailable', 'the connection failed (ECONNRESET)');
    expect(toModelFault(apiError(200, { cause: new Error('wrapped', { cause: fault }) }), 0)).toBe(fault);
  });

  it('maps a request that the SDK does not send to refused', () => {
    expect(toModelFault(new UnsupportedFunctionalityError({ functionality: 'x' }), 0).kind).toBe('refused');
    expect(toModelFault(new InvalidPromptError({ prompt: [], message: 'x' }), 0).kind).toBe('refused');
  });

  it('maps anything unknown to malformed, even values that are not errors', () => {
    const odd = [
      new JSONParseError({ text: '{', cause: null }),
      new TypeError('oops'),
      'text',
      null,
      undefined,
      7,
      {},
      Object.create(null),
    ];
    for (const error of odd) expect(toModelFault(error, 0).kind).toBe('malformed');
  });

  it('reads the retry delay of outages and overloads', () => {
    const responseHeaders = { 'retry-after': '2' };
    expect(toModelFault(apiError(503, { responseHeaders }), 0).retryAfterMs).toBe(2_000);
    expect(toModelFault(apiError(429, { responseHeaders }), 0).retryAfterMs).toBe(2_000);
    expect(toModelFault(apiError(429), 0).retryAfterMs).toBeUndefined();
  });

  it('quotes the provider in one short line without URLs', () => {
    const { message } = toModelFault(apiError(404, { message: `no such\n\nmodel ${'x'.repeat(10_000)}` }), 0);
    expect(message).toMatch(/^the request was refused \(404\): no such model x+$/);
    expect(message.length).toBeLessThan(400);
    expect(message).not.toContain('secret-host');
  });

  it('does not hang on circular causes', () => {
    const error = new Error('a');
    error.cause = error;
    expect(toModelFault(error, 0).kind).toBe('malformed');
  });
});
