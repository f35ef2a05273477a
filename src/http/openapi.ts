import type { Operation } from '../api/operation.ts';
import { accessRules } from '../rules/access.ts';
import { scopeSentences } from '../rules/oauth-scopes.ts';
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

/** An API key everywhere, and an access token where applications may come: with one of the scopes, or trusted where there is none. */
function describeSecurity({ access }: Operation, families: readonly string[]): JsonObject {
  const rule: { callers: readonly string[]; scopes?: readonly string[] } = accessRules[access];
  const tokens = (rule.scopes?.length ? rule.scopes : [null]).map((scope) => ({ oauth: scope === null ? [] : [scope] }));
  const keys = families.map((family) => ({ [keyScheme(family)]: [] }));
  return { security: rule.callers.includes('oauth') ? [...keys, ...tokens] : keys };
}

function keyScheme(family: string): string {
  return `${family}Key`;
}

const oauthScheme = {
  type: 'oauth2',
  description: 'Authorization code with PKCE (S256) for everybody; see /.well-known/oauth-authorization-server.',
  flows: {
    authorizationCode: {
      authorizationUrl: '/oauth/authorize',
      tokenUrl: '/oauth/token',
      refreshUrl: '/oauth/token',
      scopes: scopeSentences,
    },
  },
};

function describeOperation(
  operation: Operation,
  requests: ReadonlyMap<string, JsonObject>,
  families: readonly string[],
): JsonObject {
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
    ...describeSecurity(operation, families),
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
  const keys = families.map(
    (family) => [keyScheme(family), { type: 'apiKey', in: 'header', name: `x-${family}-api-key` }] as const,
  );
  const paths = operations.map((operation) => [
    operation.path,
    { [operation.method.toLowerCase()]: describeOperation(operation, requests, families) },
  ]);
  return {
    openapi: '3.1.0',
    info: { title: 'Errand', version, license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
    servers: [{ url: '/' }],
    security: keys.map(([name]) => ({ [name]: [] })),
    paths: Object.fromEntries(paths) as JsonObject,
    components: {
      securitySchemes: { ...Object.fromEntries(keys), oauth: oauthScheme },
      schemas: Object.fromEntries([...bodies, ...describeResponses(operations)]),
    },
  };
}
