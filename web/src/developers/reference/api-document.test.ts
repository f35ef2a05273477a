import { describe, expect, it } from 'vitest';
import { type ApiDocument, readApi } from './api-document.ts';
import { prepareRequest } from './prepare-request.ts';
import { writeSample } from './samples.ts';
import { boundsOf, describeType, objectsOf } from './schema-parts.ts';
import { createSearch } from './search.ts';

const document: ApiDocument = {
  tags: [
    { name: 'task', description: 'Work.' },
    { name: 'legacy', description: 'Old.' },
  ],
  paths: {
    '/v2/task.create': {
      post: {
        operationId: 'task.create',
        summary: 'Creates a task.',
        description: 'It begins at once.',
        tags: ['task'],
        security: [{ serviceKey: [] }, { manusKey: [] }],
        parameters: [{ name: 'Idempotency-Key', in: 'header', schema: { type: 'string' } }],
        requestBody: {
          content: {
            'application/json': {
              schema: { $ref: '#/components/schemas/task.create.request' },
              example: { message: { content: 'it’s `hello`' }, title: 'A' },
            },
          },
        },
        responses: {
          200: { content: { 'application/json': { schema: { $ref: '#/components/schemas/task.create.response' } } } },
        },
        'x-effect': 'costs',
      },
    },
    '/v2/task.list': {
      get: {
        operationId: 'task.list',
        summary: 'Lists tasks.',
        tags: ['task'],
        security: [{ serviceKey: [] }],
        parameters: [
          {
            name: 'limit',
            in: 'query',
            required: true,
            description: 'How many at once.',
            schema: { type: 'integer', minimum: 5 },
          },
        ],
        responses: { 200: { content: {} } },
      },
    },
    '/v1/tasks/{task_id}': {
      put: {
        operationId: 'put.v1.tasks.task_id',
        summary: 'Updates a task.',
        tags: ['legacy'],
        security: [{ legacyKey: [] }],
        parameters: [{ name: 'task_id', in: 'path', required: true, schema: { type: 'string' } }],
        requestBody: {
          content: { 'application/json': { schema: { type: 'object', properties: { title: { type: 'string' } } } } },
        },
        responses: { 204: {} },
      },
    },
  },
  components: {
    schemas: {
      'task.create.request': {
        type: 'object',
        properties: {
          message: { $ref: '#/components/schemas/Message' },
          title: { type: 'string', minLength: 1, maxLength: 200 },
        },
        required: ['message'],
      },
      'task.create.response': {
        type: 'object',
        properties: { ok: { const: true }, request_id: { type: 'string' }, task: { $ref: '#/components/schemas/Task' } },
      },
      Message: {
        type: 'object',
        properties: { content: { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] } },
        required: ['content'],
      },
      // It contains others of its own kind.
      Task: {
        type: 'object',
        properties: {
          id: { type: 'string', description: 'Its `name`.' },
          subtasks: { type: 'array', items: { $ref: '#/components/schemas/Task' } },
        },
      },
    },
    securitySchemes: {
      serviceKey: { type: 'apiKey', name: 'x-service-api-key' },
      legacyKey: { type: 'apiKey', name: 'API_KEY' },
    },
  },
};

const api = readApi(document);
const find = (wanted: string) => {
  const operation = api.subjects.flatMap(({ operations }) => operations).find(({ id }) => id === wanted);
  if (!operation) throw new Error(wanted);
  return operation;
};

describe('the document of the service', () => {
  it('is read as operations by subject, with one object of input each, and without what all have', () => {
    expect(api.subjects.map(({ name, operations }) => [name, operations.length])).toEqual([
      ['task', 2],
      ['legacy', 1],
    ]);
    const create = find('task.create');
    expect(Object.keys(create.input.properties ?? {})).toEqual(['message', 'title']);
    expect(Object.keys(create.answer?.properties ?? {})).toEqual(['task']);
    expect([create.effect, create.keyHeader, create.takesSession]).toEqual(['costs', 'x-service-api-key', true]);
    const update = find('put.v1.tasks.task_id');
    expect([update.keyHeader, update.takesSession, update.answer]).toEqual(['API_KEY', false, null]);
    expect(Object.fromEntries(update.places)).toEqual({ task_id: 'path', title: 'body' });
    expect(find('task.list').sample).toEqual({ limit: 5 });
  });

  it('describes types and bounds, and finds the objects in a value', () => {
    const { message, title } = find('task.create').input.properties ?? {};
    expect(describeType(api, message ?? {})).toBe('object');
    expect(objectsOf(api, message ?? {}).map(({ schema }) => describeType(api, schema.properties?.content ?? {}))).toEqual([
      'string | array of string',
    ]);
    expect(boundsOf(api, title ?? {})).toEqual({ unit: 'characters', low: 1, high: 200 });
    expect(boundsOf(api, message ?? {})).toBeNull();
  });

  it('is searched by operation, field, and description, and ends where objects contain their own kind', () => {
    const search = createSearch(api);
    const ids = (words: string) =>
      search(words).flatMap(({ found }) => found.map(({ operation, field }) => [operation.id, field]));
    expect(ids('')).toHaveLength(3);
    expect(ids('CREATES task')).toEqual([['task.create', null]]);
    expect(ids('how many')).toEqual([['task.list', 'limit']]);
    expect(ids('legacy content')).toEqual([]);
    expect(ids('task message.content')).toEqual([['task.create', 'message.content']]);
    expect(ids('subtasks.subtasks')).toEqual([['task.create', 'task.subtasks.subtasks']]);
  });
});

describe('a request', () => {
  it('has its fields where the operation expects them, and ids cannot lead elsewhere', () => {
    expect(prepareRequest(find('put.v1.tasks.task_id'), { task_id: '../v2/x?y', title: 'A' })).toEqual({
      method: 'PUT',
      target: '/v1/tasks/..%2Fv2%2Fx%3Fy',
      body: { title: 'A' },
    });
    expect(prepareRequest(find('put.v1.tasks.task_id'), { task_id: '..' }).target).toBe('/v1/tasks/{task_id}');
    expect(prepareRequest(find('task.list'), { limit: 5, metadata: { order: '7' }, cursor: null }).target).toBe(
      '/v2/task.list?limit=5&metadata.order=7',
    );
  });

  it('is written in every language without the key', () => {
    const parts = { operation: find('task.create'), input: find('task.create').sample, origin: 'https://errand.example' };
    expect(writeSample('curl', parts)).toBe(
      [
        "curl -X POST 'https://errand.example/v2/task.create'",
        '-H "x-service-api-key: $ERRAND_API_KEY"',
        "-H 'content-type: application/json'",
        `-d '{\n  "message": {\n    "content": "it’s \`hello\`"\n  },\n  "title": "A"\n}'`,
      ].join(' \\\n  '),
    );
    expect(writeSample('typescript', parts)).toContain(
      'errand.task.create({\n  message: {\n    content: "it’s `hello`"\n  },\n  title: "A"\n});',
    );
    expect(writeSample('python', parts)).toContain(
      'errand.task.create(\n        message={\n            "content": "it’s `hello`",\n        },\n        title="A",\n    )',
    );
    // A backtick would end the text of Go.
    expect(writeSample('go', parts)).toContain(String.raw`it’s \u0060hello\u0060`);
  });
});
