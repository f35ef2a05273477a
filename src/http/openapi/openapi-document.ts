import type { Operation } from '../../api/contract/operation.ts';
import { accessRules } from '../../rules/accounts/access.ts';
import { scopeSentences } from '../../rules/oauth/oauth-scopes.ts';
import type { LegacyOperation } from '../../legacy/legacy-operation.ts';
import { examples } from './openapi-examples.ts';
import { describeLegacy } from './openapi-legacy.ts';
import {
  describeQuery,
  describeRequests,
  describeResponses,
  type JsonObject,
  requestName,
  responseName,
  schemaPlace,
} from './openapi-schemas.ts';

const idempotencyParameter = {
  name: 'Idempotency-Key',
  in: 'header',
  description: 'Within 24 hours the same key gives the same answer and does nothing again.',
  schema: { type: 'string', maxLength: 255, pattern: '^[!-~]+$' },
};

/** An API key everywhere, and an access token where applications are allowed: with one of the scopes, or trusted if there is none. */
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
    description: details ?? summary,
    tags: [tagOf(name)],
    ...(isQuery && { parameters: describeQuery(requests.get(requestName(operation)) ?? {}) }),
    ...(!isQuery && {
      parameters: [idempotencyParameter],
      requestBody: {
        required: true,
        content: { 'application/json': { ...schemaOf(requestName(operation)), ...exampleOf(name) } },
      },
    }),
    ...describeSecurity(operation, families),
    responses: {
      200: { description: 'Success', content: { [mediaType]: schemaOf(responseName(operation)) } },
      '4XX': { description: 'Refused', content: { 'application/json': schemaOf('Error') } },
      '5XX': { description: 'Failed', content: { 'application/json': schemaOf('Error') } },
    },
  };
}

/** Descriptions of the resources, in the order of the reference. */
const resources: Readonly<Record<string, string>> = {
  task: 'Work that an agent does in the background.',
  project: 'Tasks that share an instruction.',
  agent: 'Agents that stay, and their main task.',
  browser: 'Browsers that are connected.',
  connector: 'Servers of tools that tasks may use.',
  skill: 'Instructions and scripts for a kind of work.',
  file: 'Uploads that messages can name.',
  artifact: 'What tasks have made.',
  website: 'Sites among what tasks have made, and who may see them.',
  webhook: 'Addresses that are told of tasks.',
  usage: 'What tasks cost.',
  legacy: 'The first version: the key in `API_KEY`, no envelope. New clients use the operations above.',
  openai: 'For the SDK of OpenAI: responses and files, the key in `API_KEY`.',
};

function tagOf(name: string): string {
  return name.split('.', 1)[0] ?? name;
}

function exampleOf(name: string): JsonObject {
  const example = examples[name];
  return example === undefined ? {} : { example };
}

const about = [
  'Every operation of this service for programs. A success is an object with `ok: true`, a failure has `ok: false` and `error`;',
  'both carry a `request_id`. Fields that are not named are ignored. The endpoints by which applications get their tokens are',
  'those of OAuth 2.0 and are described at /.well-known/oauth-authorization-server.',
].join(' ');

/** The OpenAPI 3.1 document of both versions' operation tables. */
export function describeApi(
  { operations, legacyOperations }: { operations: readonly Operation[]; legacyOperations: readonly LegacyOperation[] },
  version: string,
  families: readonly string[],
): JsonObject {
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
  const requirements = keys.map(([name]) => ({ [name]: [] }));
  const legacy = describeLegacy(legacyOperations, requirements);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Errand',
      version,
      description: about,
      contact: { name: 'Whoever runs this instance' },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    security: requirements,
    tags: Object.entries(resources).map(([name, description]) => ({ name, description })),
    paths: { ...(Object.fromEntries(paths) as JsonObject), ...legacy.paths },
    components: {
      securitySchemes: { ...Object.fromEntries(keys), ...legacy.securitySchemes, oauth: oauthScheme },
      schemas: Object.fromEntries([...bodies, ...describeResponses(operations), ...legacy.schemas]),
    },
  };
}
