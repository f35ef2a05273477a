import { z } from 'zod';
import type { LegacyOperation } from '../../legacy/legacy-operation.ts';
import { legacyEffectOf } from './openapi-effect.ts';
import { legacyExamples } from './openapi-examples.ts';
import { describeQuery, describeSchemas, type JsonObject, schemaPlace } from './openapi-schemas.ts';

const errorName = 'LegacyError';

const legacyError = z
  .object({ code: z.int(), message: z.string(), details: z.array(z.unknown()) })
  .meta({ description: '`code` is that of gRPC.' });

/** `get.v1.tasks.task_id` for `GET /v1/tasks/:task_id`: an id that no other operation has. */
export function legacyId({ method, path }: Pick<LegacyOperation, 'method' | 'path'>): string {
  return [method.toLowerCase(), ...path.split('/').filter(Boolean)].join('.').replaceAll(':', '');
}

const requestName = (operation: LegacyOperation) => `${legacyId(operation)}.request`;
const responseName = (operation: LegacyOperation) => `${legacyId(operation)}.response`;
const hasBody = ({ method }: LegacyOperation) => method === 'POST' || method === 'PUT';

function pathNames({ path }: LegacyOperation): string[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
}

/** The request without its path parameters, and these. */
function splitRequest(operation: LegacyOperation, request: JsonObject): { inPath: JsonObject[]; rest: JsonObject } {
  const names = new Set(pathNames(operation));
  const { properties = {}, required = [], ...more } = request as { properties?: Record<string, JsonObject>; required?: string[] };
  const parameters = describeQuery({ properties, required }).filter(({ name }) => names.has(String(name)));
  const others = required.filter((name) => !names.has(name));
  const kept = Object.fromEntries(Object.entries(properties).filter(([name]) => !names.has(name)));
  return {
    inPath: parameters.map((parameter) => ({ ...parameter, in: 'path', required: true })),
    rest: { ...more, properties: kept, ...(others.length > 0 && { required: others }) },
  };
}

/** The form that the OpenAI SDK sends for a file. */
const formSchema = {
  type: 'object',
  properties: {
    file: {
      type: 'string',
      contentMediaType: 'application/octet-stream',
      description: 'With a filename; the form has at most 32 MB.',
    },
    purpose: { type: 'string' },
  },
  required: ['file'],
};

const bytesSchema = { type: 'string', contentMediaType: 'application/octet-stream' };

function describeAnswer(operation: LegacyOperation): JsonObject {
  if (operation.givesFile) return { 200: { description: 'The bytes', content: { '*/*': { schema: bytesSchema } } } };
  if (operation.response === null) return { 204: { description: 'Done' } };
  const schema = { $ref: schemaPlace + responseName(operation) };
  return { 200: { description: 'Success', content: { 'application/json': { schema } } } };
}

function describeOperation(
  operation: LegacyOperation,
  { inPath, rest }: ReturnType<typeof splitRequest>,
  keys: readonly JsonObject[],
): JsonObject {
  const { path, summary, access, takesAnyCredential } = operation;
  const query = hasBody(operation) ? [] : describeQuery(rest);
  const parameters = [...inPath, ...query];
  const effect = legacyEffectOf(operation);
  const refused = { 'application/json': { schema: { $ref: schemaPlace + errorName } } };
  return {
    operationId: legacyId(operation),
    summary,
    description: summary,
    tags: [/^(\/v1)?\/(responses|files)/.test(path) ? 'openai' : 'legacy'],
    ...(effect !== null && { 'x-effect': effect }),
    ...(parameters.length > 0 && { parameters }),
    ...(hasBody(operation) && {
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: { $ref: schemaPlace + requestName(operation) },
            example: legacyExamples[legacyId(operation)],
          },
          ...(operation.takesForm && { 'multipart/form-data': { schema: formSchema } }),
        },
      },
    }),
    security: access === 'visitor' ? [] : [{ legacyKey: [] }, ...(takesAnyCredential ? keys : [])],
    responses: {
      ...describeAnswer(operation),
      '4XX': { description: 'Rejected', content: refused },
      '5XX': { description: 'Failed', content: refused },
    },
  };
}

/** What the first version of the API adds to the OpenAPI document; `keys` are the requirements of the second. */
export function describeLegacy(operations: readonly LegacyOperation[], keys: readonly JsonObject[]) {
  const requests = describeSchemas(new Map(operations.map((row) => [requestName(row), row.request])), 'input');
  const answers = operations.flatMap((row) =>
    row.response && !row.givesFile ? [[responseName(row), row.response] as const] : [],
  );
  const responses = describeSchemas(new Map<string, z.ZodType>([[errorName, legacyError], ...answers]), 'output');
  const paths: Record<string, JsonObject> = {};
  const bodies = new Map<string, JsonObject>();
  for (const operation of operations) {
    const parts = splitRequest(operation, requests.get(requestName(operation)) ?? {});
    if (hasBody(operation)) bodies.set(requestName(operation), parts.rest);
    const address = operation.path.replaceAll(/:(\w+)/g, '{$1}');
    paths[address] = { ...paths[address], [operation.method.toLowerCase()]: describeOperation(operation, parts, keys) };
  }
  return {
    paths,
    schemas: [...bodies, ...responses],
    securitySchemes: { legacyKey: { type: 'apiKey', in: 'header', name: 'API_KEY' } },
  };
}
