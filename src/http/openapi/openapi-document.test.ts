import { Ajv2020, type AnySchema } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { adminOperations, operations } from '../../api/index.ts';
import { legacyOperations } from '../../legacy/index.ts';
import { describeApi } from './openapi-document.ts';
import { examples, legacyExamples, queryExamples } from './openapi-examples.ts';
import { legacyId } from './openapi-legacy.ts';

type JsonObject = Record<string, unknown>;

const families = ['service', 'manus'];
const document = describeApi({ operations, legacyOperations }, '1.2.3', families) as {
  tags: { name: string }[];
  paths: Record<string, Record<string, JsonObject>>;
  components: { schemas: Record<string, AnySchema>; securitySchemes: JsonObject };
};

function* references(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    if (key === '$ref') yield String(inner);
    else yield* references(inner);
  }
}

const described = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]): JsonObject & { path: string } => ({
    ...operation,
    path,
    method: method.toUpperCase(),
  })),
);

/** All fields of a schema by their paths. */
function* fieldsOf(schema: unknown, path: string): Generator<[path: string, field: JsonObject]> {
  const { properties = {}, anyOf = [] } = (schema ?? {}) as { properties?: Record<string, JsonObject>; anyOf?: unknown[] };
  for (const inner of anyOf) yield* fieldsOf(inner, path);
  for (const [name, field] of Object.entries(properties)) {
    yield [`${path}.${name}`, field];
    yield* fieldsOf(field, `${path}.${name}`);
  }
}

describe('the OpenAPI document', () => {
  it("has every operation of the public server and none of the operator's", () => {
    const listed = described.map(({ path, method, operationId }) => [path, method, operationId]);
    const current = operations.map(({ path, method, name }) => [path, method, name]);
    expect(listed.slice(0, current.length)).toEqual(current);
    const legacy = listed.slice(current.length).map(([path, method]) => `${String(method)} ${String(path)}`);
    const expected = legacyOperations.map(({ path, method }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`);
    expect(legacy.toSorted()).toEqual(expected.toSorted());
    for (const { path } of adminOperations) expect(document.paths).not.toHaveProperty([path]);
  });

  it('has no dangling references and no unreferenced components', () => {
    const referred = new Set(references(document));
    const known = Object.keys(document.components.schemas).map((name) => `#/components/schemas/${name}`);
    expect([...referred].toSorted()).toEqual(known.toSorted());
  });

  it('documents for every operation its purpose, tag, access, and responses', () => {
    const tags = document.tags.map(({ name }) => name);
    for (const operation of described) {
      expect(operation.summary).toMatch(/^[A-Z].*\.$/);
      expect(operation.description).toMatch(/\.$/);
      expect(tags).toEqual(expect.arrayContaining(operation.tags as string[]));
      expect(operation.tags).toHaveLength(1);
      // What everyone may read needs no credential.
      const isForEveryone = operation.operationId === 'get.v1.webhook.public_key';
      expect((operation.security as JsonObject[]).length === 0).toBe(isForEveryone);
      expect(Object.keys(operation.responses as JsonObject)).toEqual([expect.stringMatching(/^20[024]$/), '4XX', '5XX']);
      const parameters = (operation.parameters ?? []) as JsonObject[];
      const inPath = parameters.flatMap((parameter) => (parameter.in === 'path' ? [`{${String(parameter.name)}}`] : []));
      expect(inPath).toEqual(operation.path.match(/\{\w+\}/g) ?? []);
    }
    expect(new Set(described.flatMap(({ tags: own }) => own as string[]))).toEqual(new Set(tags));
    const ids = described.map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('has a valid example of every request body', () => {
    const bodies = operations.filter(({ method }) => method === 'POST');
    expect(new Set(Object.keys(examples))).toEqual(new Set(bodies.map(({ name }) => name)));
    for (const { name, request } of bodies) expect([name, request.safeParse(examples[name]).success]).toEqual([name, true]);
    const legacyBodies = legacyOperations.filter(({ method }) => method === 'POST' || method === 'PUT');
    expect(new Set(Object.keys(legacyExamples))).toEqual(new Set(legacyBodies.map(legacyId)));
    for (const operation of legacyBodies) {
      const input = { task_id: 'x', ...legacyExamples[legacyId(operation)] };
      expect([operation.name, operation.request.safeParse(input).success]).toEqual([operation.name, true]);
    }
    // Identified by one of two fields, neither of which the schema requires.
    const needsOneOf = (name: string) => name.startsWith('website.') || name === 'artifact.archive';
    const needy = operations.filter(
      ({ name, method, request }) => method === 'GET' && (!request.safeParse({}).success || needsOneOf(name)),
    );
    expect(new Set(Object.keys(queryExamples))).toEqual(new Set(needy.map(({ name }) => name)));
    for (const { name, request } of needy) expect([name, request.safeParse(queryExamples[name]).success]).toEqual([name, true]);
  });

  it('consists of valid schemas', () => {
    const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, validateFormats: false });
    ajv.addVocabulary(['components']);
    ajv.addSchema({ $id: 'https://errand.test/openapi', components: document.components });
    for (const name of Object.keys(document.components.schemas)) {
      expect(typeof ajv.getSchema(`https://errand.test/openapi#/components/schemas/${name}`)).toBe('function');
    }
  });

  it('documents query parameters by their types, not as the text they arrive as', () => {
    const operation = document.paths['/v2/task.listMessages']?.get as { parameters: JsonObject[] } | undefined;
    const find = (wanted: string) => operation?.parameters.find(({ name }) => name === wanted);
    expect(find('limit')).toEqual({
      name: 'limit',
      in: 'query',
      required: false,
      schema: { type: 'integer', minimum: 1, maximum: 200, default: 50 },
      example: 20,
    });
    expect(find('verbose')).toMatchObject({ required: false, schema: { type: 'boolean', default: false } });
    expect(find('task_id')).toMatchObject({ required: true, schema: { type: 'string' } });
  });

  it('marks what deletes permanently and what makes a model work, and nothing that only reads', () => {
    const effects = new Map(described.map((operation) => [operation.operationId, operation['x-effect']]));
    for (const name of ['task.delete', 'task.clear', 'webhook.delete', 'instance.revokeKey', 'instance.removeTwoStep'])
      expect([name, effects.get(name)]).toEqual([name, 'deletes']);
    for (const name of ['task.create', 'task.sendMessage', 'task.confirmAction', 'recipe.run', 'inbox.decide', 'model.testKey'])
      expect([name, effects.get(name)]).toEqual([name, 'costs']);
    expect(described.filter((operation) => operation.method === 'GET' && operation['x-effect'] !== undefined)).toEqual([]);
    expect(effects.get('task.update')).toBeUndefined();
  });

  it('marks what a sample would replace in the account or the instance of whoever sends it', () => {
    const effects = new Map(described.map((operation) => [operation.operationId, operation['x-effect']]));
    for (const name of ['instance.setModel', 'policy.set', 'memory.write', 'memory.restore', 'website.publish', 'agent.update'])
      expect([name, effects.get(name)]).toEqual([name, 'replaces']);
    for (const name of ['task.create', 'model.testKey']) expect(effects.get(name)).toBe('costs');
  });

  it('marks what deletes and what starts work in the first version and the OpenAI-compatible API too', () => {
    const effects = new Map(described.map((operation) => [operation.operationId, operation['x-effect']]));
    const deleting = described.filter(({ method }) => method === 'DELETE');
    expect(deleting.length).toBeGreaterThan(3);
    expect(deleting.filter((operation) => operation['x-effect'] !== 'deletes')).toEqual([]);
    for (const name of ['post.v1.tasks', 'post.v1.responses', 'post.responses'])
      expect([name, effects.get(name)]).toEqual([name, 'costs']);
  });

  it('marks the secrets of requests, and nothing that is returned', () => {
    const isSecret = (name: string) => /(^|_)(secret|password|api_key|secret_access_key)$/.test(name) && name !== 'rotate_secret';
    const secrets: string[] = [];
    for (const [name, schema] of Object.entries(document.components.schemas)) {
      for (const [path, field] of fieldsOf(schema, name)) {
        const isGiven = name.endsWith('.request') && isSecret(path.split('.').at(-1) ?? '');
        if (isGiven) secrets.push(path);
        if (isGiven || !name.endsWith('.request')) expect([path, field.writeOnly === true]).toEqual([path, isGiven]);
      }
    }
    expect(secrets).toEqual(
      expect.arrayContaining(['model.setKey.request.api_key', 'trigger.create.request.verification.secret']),
    );
  });

  it('names the key header of every family, and the OAuth endpoints', () => {
    expect(document.components.securitySchemes).toMatchObject({
      serviceKey: { type: 'apiKey', in: 'header', name: 'x-service-api-key' },
      manusKey: { type: 'apiKey', in: 'header', name: 'x-manus-api-key' },
      oauth: { type: 'oauth2', flows: { authorizationCode: { authorizationUrl: '/oauth/authorize', tokenUrl: '/oauth/token' } } },
    });
  });
});
