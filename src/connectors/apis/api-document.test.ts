import { describe, expect, it } from 'vitest';
import { apiLimits } from '../../rules/connectors/api-operation.ts';
import { readApiDocument } from './api-document.ts';

const all = { names: null, taken: null };
type Json = Record<string, unknown>;

function documentOf(paths: Json, more: Json = {}): Json {
  return { openapi: '3.0.3', info: { title: 'Pets' }, servers: [{ url: 'https://api.example/v1/' }], paths, ...more };
}

function readOne(operation: Json, more: Json = {}, path = '/pets') {
  const { tools, operations } = readApiDocument(documentOf({ [path]: { post: { operationId: 'op', ...operation } } }, more), all);
  return { tool: tools[0], problem: operations[0]?.problem };
}

describe('an OpenAPI document', () => {
  it('becomes tools with names, descriptions, and inputs without references', () => {
    const document = documentOf(
      {
        '/pets/{pet-id}': {
          parameters: [{ $ref: '#/components/parameters/Pet' }],
          get: {
            operationId: 'pets/get one',
            summary: 'One pet',
            parameters: [{ name: 'filter[age]', in: 'query', schema: { type: 'integer' } }],
          },
          put: {
            requestBody: { required: true, content: { 'application/json': { schema: { $ref: '#/components/schemas/Pet' } } } },
          },
        },
      },
      {
        components: {
          parameters: { Pet: { name: 'pet-id', in: 'path', required: true, schema: { type: 'string' }, description: 'Its\nid' } },
          schemas: {
            Pet: {
              allOf: [{ $ref: '#/components/schemas/Base' }, { properties: { tag: { type: 'string', nullable: true } } }],
            },
            Base: {
              type: 'object',
              required: ['name', 'id'],
              properties: {
                id: { type: 'integer', readOnly: true },
                name: { type: 'string' },
                age: { type: 'integer', minimum: 0, exclusiveMinimum: true },
              },
            },
          },
          securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } },
        },
      },
    );
    const { title, baseUrl, signIn, tools, operations } = readApiDocument(document, all);
    expect({ title, baseUrl, signIn }).toEqual({
      title: 'Pets',
      baseUrl: 'https://api.example/v1',
      signIn: { type: 'header', name: 'X-Key' },
    });
    expect(operations.map(({ name, method, problem }) => [name, method, problem])).toEqual([
      ['pets_get_one', 'get', null],
      ['put_pets_pet-id', 'put', null],
    ]);
    expect(tools[0]).toMatchObject({
      description: 'One pet. (GET /pets/{pet-id})',
      isReadOnly: true,
      inputSchema: {
        properties: { 'pet-id': { type: 'string', description: 'Its id' }, filter_age: { type: 'integer' } },
        required: ['pet-id'],
        additionalProperties: false,
      },
    });
    expect(tools[1]).toMatchObject({
      isReadOnly: false,
      inputSchema: {
        required: ['pet-id', 'body'],
        properties: {
          body: {
            type: 'object',
            required: ['name'],
            properties: {
              name: { type: 'string' },
              tag: { type: ['string', 'null'] },
              age: { type: 'integer', exclusiveMinimum: 0 },
            },
          },
        },
      },
      request: { method: 'put', path: '/pets/{pet-id}', body: { kind: 'json', mediaType: 'application/json' } },
    });
    expect(JSON.stringify(tools[1]?.inputSchema)).not.toContain('"id"');
  });

  it('may contain itself: its second level is left open', () => {
    const schemas = {
      Node: { type: 'object', properties: { child: { $ref: '#/components/schemas/Node' }, name: { type: 'string' } } },
    };
    const { tool } = readOne(
      { requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Node' } } } } },
      { components: { schemas } },
    );
    expect(tool?.inputSchema['properties']).toEqual({
      body: { type: 'object', properties: { child: { type: 'object' }, name: { type: 'string' } } },
    });
  });

  it('that refers to others, to nothing, or in a circle says so of the operation', () => {
    const withBody = (ref: string, schemas: Json = {}) =>
      readOne({ requestBody: { content: { 'application/json': { schema: { $ref: ref } } } } }, { components: { schemas } })
        .problem;
    expect(withBody('https://other.example/pets.json#/Pet')).toMatch(
      /^it refers to another document \(https:.*bundle them into one$/,
    );
    expect(withBody('#/components/schemas/None')).toBe(
      'it refers to #/components/schemas/None, which the document does not contain',
    );
    expect(withBody('#/constructor')).toContain('does not contain');
    const circle = { A: { $ref: '#/components/schemas/B' }, B: { $ref: '#/components/schemas/A' } };
    expect(withBody('#/components/schemas/A', circle)).toContain('go in a circle');
  });

  it('whose schemas multiply is written to the depth that fits', () => {
    const schemas: Json = { S0: { type: 'object', properties: { leaf: { type: 'string' } } } };
    for (let level = 1; level < 12; level += 1) {
      const ref = { $ref: `#/components/schemas/S${level - 1}` };
      schemas[`S${level}`] = { type: 'object', properties: Object.fromEntries('abcdefgh'.split('').map((name) => [name, ref])) };
    }
    const { tool } = readOne(
      { requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/S11' } } } } },
      { components: { schemas } },
    );
    expect(Buffer.byteLength(JSON.stringify(tool?.inputSchema))).toBeLessThanOrEqual(apiLimits.schemaBytes);
    expect(tool?.inputSchema).toMatchObject({ properties: { body: { properties: { a: { type: 'object' } } } } });
  });

  it.each([
    [{ requestBody: { required: true, content: { 'multipart/form-data': {} } } }, '/pets', 'it takes multipart/form-data'],
    [{ parameters: [{ name: 'sid', in: 'cookie', required: true }] }, '/pets', 'it requires the cookie sid'],
    [{ parameters: [{ name: 'Host', in: 'header', required: true }] }, '/pets', 'it requires the header Host'],
    [{}, '/pets/{id}', 'nothing describes {id} of its path'],
    [{}, '@evil.example/', 'its path is not one of an HTTP API'],
    [{}, '/a/../../b', 'its path is not one of an HTTP API'],
    [{}, '/a?b=c', 'its path is not one of an HTTP API'],
  ])('cannot use %j at %s', (operation, path, problem) => {
    expect(readOne(operation, {}, path).problem).toContain(problem);
  });

  it.each([
    [[], 'must be an OpenAPI document'],
    [{ swagger: '2.0' }, 'is Swagger 2.0'],
    [{ openapi: '4.0.0' }, 'version 3.0 or 3.1'],
    [{ openapi: '3.1.0', paths: {} }, 'describes no operation'],
  ])('%j is refused', (document, problem) => {
    expect(() => readApiDocument(document, all)).toThrow(problem);
  });

  it('whose path refers to nothing or to another document says so of that path', () => {
    const get = { operationId: 'a' };
    const document = documentOf({ '/a': { get }, '/b': { $ref: '#/none' }, '/c': { $ref: 'other.yaml' } });
    const { tools, operations } = readApiDocument(document, all);
    expect(tools.map(({ name }) => name)).toEqual(['a']);
    expect(operations.map(({ path, problem }) => [path, problem])).toEqual([
      ['/a', null],
      ['/b', 'it refers to #/none, which the document does not contain'],
      ['/c', 'it refers to another document (other.yaml); bundle them into one'],
    ]);
  });

  it.each([
    [{ url: '/v2' }, null],
    [{ url: 'https://{host}/', variables: { host: { default: 'api.example' } } }, null],
    [{ url: 'https://upload.example/v1' }, 'it is at another server (https://upload.example)'],
    [{}, 'it is at another server (unknown)'],
  ])('has an operation at %j', (server, problem) => {
    expect(readOne({ servers: [server] }).problem).toBe(problem);
    const path = { servers: [server], get: {} };
    expect(readApiDocument(documentOf({ '/a': path }), all).operations[0]?.problem).toBe(problem);
  });

  it('has an address of at most 2000 characters, with its variables, or none', () => {
    const long = { a: { default: '/'.repeat(1980) } };
    const address = (server: Json, place?: string) =>
      readApiDocument(documentOf({ '/a': { get: {} } }, { servers: [server] }), all, place).baseUrl;
    expect(address({ url: 'https://a.b{a}', variables: long })).toBe('https://a.b');
    expect(address({ url: 'https://a.b/{a}/', variables: { a: { default: 'v1' } } })).toBe('https://a.b/v1');
    expect(address({ url: 'https://a.b{a}{a}', variables: long })).toBe(null);
    expect(address({ url: `https://a.b${'/'.repeat(3_000_000)}x` })).toBe(null);
    expect(address({ url: '/v1' })).toBe(null);
    expect(address({ url: '/v1/' }, 'https://c.d/x/openapi.yaml')).toBe('https://c.d/v1');
    expect(address({ url: 'javascript:x' })).toBe(null);
  });

  it('may have a property __proto__, which is left out', () => {
    const schema = JSON.parse('{"properties":{"__proto__":{},"a":{}},"required":["__proto__","a"]}') as Json;
    const { tool } = readOne({ requestBody: { content: { 'application/json': { schema: { allOf: [schema] } } } } });
    expect(tool?.inputSchema['properties']).toEqual({ body: { type: 'object', properties: { a: {} }, required: ['a'] } });
  });

  it('leaves out what the sign-in sends', () => {
    const parameters = [{ name: 'Api_Key', in: 'query', required: true, schema: { type: 'string' } }];
    const document = documentOf({ '/pets': { get: { parameters } } });
    const { tools } = readApiDocument(document, { names: null, taken: { in: 'query', name: 'api_key' } });
    expect(tools[0]?.inputSchema).toEqual({ type: 'object', properties: {}, additionalProperties: false });
  });
});
