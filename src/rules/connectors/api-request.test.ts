import { describe, expect, it } from 'vitest';
import * as fc from 'fast-check';
import { findInputProblem } from './api-input.ts';
import type { ApiParameter, ApiRequest } from './api-operation.ts';
import { composeRequest } from './api-request.ts';

const base = 'https://api.example/v1';
const parameter = (part: Partial<ApiParameter> & { name: string }): ApiParameter => ({
  ...{ field: part.name, in: 'query', style: 'repeat' },
  ...part,
});
const requestOf = (part: Partial<ApiRequest>): ApiRequest => ({
  method: 'get',
  path: '/pets',
  parameters: [],
  body: null,
  ...part,
});

describe('the request of a call', () => {
  it.each([
    ['repeat', [1, 'a b'], 'x=1&x=a+b'],
    ['comma', [1, 2], 'x=1%2C2'],
    ['pipe', [1, 2], 'x=1%7C2'],
    ['deep', { a: 1, b: 'c' }, 'x%5Ba%5D=1&x%5Bb%5D=c'],
    ['json', { a: 1 }, 'x=%7B%22a%22%3A1%7D'],
    ['repeat', { a: 1 }, 'a=1'],
  ] as const)('writes a query in the style %s', (style, value, query) => {
    const request = requestOf({ parameters: [parameter({ name: 'x', style })] });
    expect(composeRequest(base, request, { x: value }).url.href).toBe(`${base}/pets?${query}`);
  });

  it('stays below the address of the API, whatever a value is', () => {
    const request = requestOf({ path: '/pets/{id}/toys', parameters: [parameter({ name: 'id', in: 'path', style: 'comma' })] });
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.constantFrom('..', '.', '../..', '%2e%2e', '//evil', '\\', '?', '#x', '@')), (id) => {
        try {
          const { url } = composeRequest(base, request, { id });
          expect([url.origin, url.pathname.split('/').length, url.search, url.hash]).toEqual(['https://api.example', 5, '', '']);
          expect(url.pathname).toMatch(/^\/v1\/pets\/.*\/toys$/);
        } catch (error) {
          expect(String(error)).toMatch(/must not be empty/);
        }
      }),
    );
    for (const path of ['/../../x', '/%2e%2e/%2e%2e/x']) {
      expect(() => composeRequest(base, requestOf({ path }), {})).toThrow('leads out of the API');
    }
  });

  it('sends a body as JSON, as form fields, or as text', () => {
    const send = (kind: 'json' | 'form' | 'text', mediaType: string, body: unknown) =>
      composeRequest(base, requestOf({ method: 'post', body: { kind, mediaType } }), { body });
    expect(send('json', 'application/json', { a: [1] })).toMatchObject({
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"a":[1]}',
    });
    expect(send('form', 'application/x-www-form-urlencoded', { a: 'b c', d: [1, 2] }).body).toBe('a=b+c&d=1&d=2');
    expect(send('text', 'text/plain', 'hello').body).toBe('hello');
    expect(() => send('text', 'text/plain', 'x'.repeat(1024 * 1024 + 1))).toThrow('`body` must have at most');
  });

  it('sets no header that is not the call’s own', () => {
    const request = (name: string) => requestOf({ parameters: [parameter({ name, in: 'header', style: 'comma' })] });
    expect(composeRequest(base, request('X-Region'), { 'X-Region': 'eu' }).headers).toEqual({ 'x-region': 'eu' });
    expect(() => composeRequest(base, request('Authorization'), { Authorization: 'x' })).toThrow('is a header');
    expect(() => composeRequest(base, request('X-A'), { 'X-A': 'a\r\nHost: b' })).toThrow('is a header');
  });
});

describe('the input of a call', () => {
  const schema = {
    type: 'object',
    additionalProperties: false,
    required: ['id'],
    properties: {
      id: { type: 'integer' },
      kind: { type: 'string', enum: ['cat', 'dog'] },
      body: {
        type: 'object',
        required: ['name'],
        properties: { name: { type: 'string' }, tags: { type: 'array', items: { type: 'string' } } },
      },
    },
  };

  it.each([
    [{}, '`id` is missing. Give it.'],
    [{ id: '7' }, '`id` must be of type integer; it is a string.'],
    [{ id: 7, kind: 'cow' }, '`kind` must be one of "cat", "dog".'],
    [{ id: 7, other: 1 }, 'There is no field `other`. The fields are: id, kind, body.'],
    [{ id: 7, body: '{}' }, '`body` must be of type object; it is a string.'],
    [{ id: 7, body: {} }, '`body.name` is missing. Give it.'],
    [{ id: 7, name: 'x' }, '`name` belongs into `body`: {"body": {"name": …}}.'],
    [{ id: 7, body: { name: 'x', tags: ['a', 1] } }, '`body.tags[1]` must be of type string; it is an integer.'],
    [{ id: 7, body: { name: 'x', more: true } }, null],
  ])('%j', (input, problem) => {
    expect(findInputProblem(schema, input)).toBe(problem);
  });
});
