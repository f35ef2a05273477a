import type { Operation } from '../api/operation.ts';
import {
  describeRequests,
  describeResponses,
  type JsonObject,
  requestName,
  responseName,
  schemaPlace,
} from './openapi-schemas.ts';

function queryParameters(schema: JsonObject): JsonObject[] {
  const required = new Set((schema.required as string[] | undefined) ?? []);
  return Object.entries((schema.properties ?? {}) as Record<string, JsonObject>).map(([name, { description, ...rest }]) => ({
    name,
    in: 'query',
    required: required.has(name),
    ...(description !== undefined && { description }),
    schema: rest,
  }));
}

const idempotencyParameter = {
  name: 'Idempotency-Key',
  in: 'header',
  description: 'Within 24 hours the same key gives the same answer and does nothing again.',
  schema: { type: 'string', maxLength: 255, pattern: '^[!-~]+$' },
};

function describeOperation(operation: Operation, requests: ReadonlyMap<string, JsonObject>): JsonObject {
  const { method, name, summary, details, kind } = operation;
  const schemaOf = (schema: string) => ({ schema: { $ref: schemaPlace + schema } });
  const isQuery = method === 'GET';
  const mediaType = kind === 'stream' ? 'text/event-stream' : 'application/json';
  return {
    operationId: name,
    summary,
    ...(details !== undefined && { description: details }),
    ...(isQuery && { parameters: queryParameters(requests.get(requestName(operation)) ?? {}) }),
    ...(!isQuery && {
      parameters: [idempotencyParameter],
      requestBody: { required: true, content: { 'application/json': schemaOf(requestName(operation)) } },
    }),
    responses: {
      200: { description: 'Success', content: { [mediaType]: schemaOf(responseName(operation)) } },
      '4XX': { description: 'Refused', content: { 'application/json': schemaOf('Error') } },
      '5XX': { description: 'Failed', content: { 'application/json': schemaOf('Error') } },
    },
  };
}

/** The OpenAPI 3.1 document of the operation table. */
export function describeApi(operations: readonly Operation[], version: string, families: readonly string[]): JsonObject {
  const requests = describeRequests(operations);
  const queries = new Set(operations.filter(({ method }) => method === 'GET').map(requestName));
  const bodies = [...requests].filter(([name]) => !queries.has(name));
  const keys = families.map((family) => [`${family}Key`, { type: 'apiKey', in: 'header', name: `x-${family}-api-key` }] as const);
  const paths = operations.map((operation) => [
    operation.path,
    { [operation.method.toLowerCase()]: describeOperation(operation, requests) },
  ]);
  return {
    openapi: '3.1.0',
    info: { title: 'Errand', version, license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
    servers: [{ url: '/' }],
    security: keys.map(([name]) => ({ [name]: [] })),
    paths: Object.fromEntries(paths) as JsonObject,
    components: {
      securitySchemes: Object.fromEntries(keys),
      schemas: Object.fromEntries([...bodies, ...describeResponses(operations)]),
    },
  };
}
