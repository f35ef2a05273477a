import { describe, expect, it } from 'vitest';
import * as fc from 'fast-check';
import { findInputProblem } from './api-input.ts';
import type { ApiParameter, ApiRequest } from './api-operation.ts';
import { composeRequest, isBelow } from './api-request.ts';

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

type Input = Readonly<Record<string, unknown>>;
const compose = (request: ApiRequest, input: Input, inputSchema: Input = {}) =>
  composeRequest(base, { request, inputSchema }, input);

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
    const schema = { properties: { x: { properties: { a: {} } } } };
    expect(compose(request, { x: value }, schema).url.href).toBe(`${base}/pets?${query}`);
  });

  it('stays below the address of the API, whatever a value is', () => {
    const request = requestOf({ path: '/pets/{id}/toys', parameters: [parameter({ name: 'id', in: 'path', style: 'comma' })] });
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.constantFrom('..', '.', '../..', 'x/..', '..\\x', '%2e%2e', '//evil', '\\', '?', '#x', '@')),
        (id) => {
          try {
            const { url } = compose(request, { id });
            expect([url.origin, url.pathname.split('/').length, url.search, url.hash]).toEqual([
              'https://api.example',
              5,
              '',
              '',
            ]);
            expect(url.pathname).toMatch(/^\/v1\/pets\/.*\/toys$/);
            expect(decodeURIComponent(url.pathname)).not.toMatch(/[/\\]\.{1,2}[/\\]/);
          } catch (error) {
            expect(String(error)).toMatch(/must not be empty/);
          }
        },
      ),
    );
    for (const path of ['/../../x', '/%2e%2e/%2e%2e/x']) {
      expect(() => compose(requestOf({ path }), {})).toThrow('leads out of the API');
    }
  });

  it('names the value that leads elsewhere where slashes are decoded', () => {
    const request = requestOf({ path: '/pets/{id}', parameters: [parameter({ name: 'id', in: 'path', style: 'comma' })] });
    for (const id of ['', '.', '..', '../../admin', 'a/./b', 'a\\..']) {
      expect(() => compose(request, { id })).toThrow(/^`id` is part of the address/);
    }
    expect(compose(request, { id: 'a/..b.c' }).url.pathname).toBe('/v1/pets/a%2F..b.c');
    expect(() => compose(requestOf({ path: '/a%2F..%2F..%2fb' }), {})).toThrow('leads out of the API');
  });

  it.each([
    ['https://api.example/v1', true],
    ['https://api.example/v1/pets', true],
    ['https://api.example/v1x', false],
    ['https://api.example/admin', false],
    ['https://api.example/v1/%2e%2E%2Fadmin', false],
    ['https://api.example/v1/..%5cadmin', false],
    ['http://api.example/v1/pets', false],
  ])('%s is below its address: %s', (url, isInside) => {
    expect([isBelow(new URL(url), base), isBelow(new URL(url), 'https://api.example/v1/')]).toEqual([isInside, isInside]);
  });

  it('sends only fields that are the input’s own', () => {
    const parameters = (['query', 'header'] as const).map((place) => parameter({ name: 'constructor', in: place }));
    const { url, headers } = compose(requestOf({ parameters }), {});
    expect([url.search, Object.keys(headers)]).toEqual(['', []]);
  });

  it('sends of an object whose fields are parameters those that are described', () => {
    const request = requestOf({ parameters: [parameter({ name: 'x' })] });
    const schema = { properties: { x: { anyOf: [{ properties: { a: {} } }, { properties: { b: {} } }] } } };
    expect(compose(request, { x: { a: 1, b: 2 } }, schema).url.search).toBe('?a=1&b=2');
    expect(() => compose(request, { x: { a: 1, admin: 2 } }, schema)).toThrow(
      'There is no field `x.admin`. The fields are: a, b.',
    );
  });

  it('sends a body as JSON, as form fields, or as text', () => {
    const send = (kind: 'json' | 'form' | 'text', mediaType: string, body: unknown) =>
      compose(requestOf({ method: 'post', body: { kind, mediaType } }), { body });
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
    expect(compose(request('X-Region'), { 'X-Region': 'eu' }).headers).toEqual({ 'x-region': 'eu' });
    expect(() => compose(request('Authorization'), { Authorization: 'x' })).toThrow('is a header');
    for (const name of ['X-HTTP-Method-Override', 'x-method-override', 'X-HTTP-Method', 'X-Original-URL', 'X-Forwarded-For']) {
      expect(() => compose(request(name), { [name]: 'x' })).toThrow('is a header');
    }
    expect(() => compose(request('X-A'), { 'X-A': 'a\r\nHost: b' })).toThrow('is a header');
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
