import { Ajv2020, type AnySchema } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { adminOperations, operations } from '../api/index.ts';
import { describeApi } from './openapi.ts';

type JsonObject = Record<string, unknown>;

const families = ['service', 'manus'];
const document = describeApi(operations, '1.2.3', families) as {
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

describe('the OpenAPI document', () => {
  it('has every operation of the public face and none of the operator', () => {
    const listed = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId }]) => [path, method.toUpperCase(), operationId]),
    );
    expect(listed).toEqual(operations.map(({ path, method, name }) => [path, method, name]));
    for (const { path } of adminOperations) expect(document.paths).not.toHaveProperty([path]);
  });

  it('refers to nothing that is not in it, and has nothing that is not referred to', () => {
    const referred = new Set(references(document));
    const known = Object.keys(document.components.schemas).map((name) => `#/components/schemas/${name}`);
    expect([...referred].toSorted()).toEqual(known.toSorted());
  });

  it('consists of valid schemas', () => {
    const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, validateFormats: false });
    ajv.addVocabulary(['components']);
    ajv.addSchema({ $id: 'https://errand.test/openapi', components: document.components });
    for (const name of Object.keys(document.components.schemas)) {
      expect(typeof ajv.getSchema(`https://errand.test/openapi#/components/schemas/${name}`)).toBe('function');
    }
  });

  it('tells query parameters as what they mean, not as the text they arrive as', () => {
    const operation = document.paths['/v2/task.listMessages']?.get as { parameters: JsonObject[] } | undefined;
    const find = (wanted: string) => operation?.parameters.find(({ name }) => name === wanted);
    expect(find('limit')).toEqual({
      name: 'limit',
      in: 'query',
      required: false,
      schema: { type: 'integer', minimum: 1, maximum: 200, default: 50 },
    });
    expect(find('verbose')).toMatchObject({ required: false, schema: { type: 'boolean', default: false } });
    expect(find('task_id')).toMatchObject({ required: true, schema: { type: 'string' } });
  });

  it('names the key header of every family, and where applications get their tokens', () => {
    expect(document.components.securitySchemes).toMatchObject({
      serviceKey: { type: 'apiKey', in: 'header', name: 'x-service-api-key' },
      manusKey: { type: 'apiKey', in: 'header', name: 'x-manus-api-key' },
      oauth: { type: 'oauth2', flows: { authorizationCode: { authorizationUrl: '/oauth/authorize', tokenUrl: '/oauth/token' } } },
    });
  });
});
