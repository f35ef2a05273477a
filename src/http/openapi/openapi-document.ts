import type { Operation } from '../../api/contract/operation.ts';
import { accessRules } from '../../rules/accounts/access.ts';
import { scopeSentences } from '../../rules/oauth/oauth-scopes.ts';
import type { LegacyOperation } from '../../legacy/legacy-operation.ts';
import { effectOf } from './openapi-effect.ts';
import { examples, queryExamples } from './openapi-examples.ts';
import { describeLegacy } from './openapi-legacy.ts';
import { describeWebhooks } from './openapi-webhooks.ts';
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
  description: 'Repeating a key within 24 hours returns the first response without running the operation again.',
  schema: { type: 'string', maxLength: 255, pattern: '^[!-~]+$' },
};

/** An API key everywhere, and an access token if applications are allowed: with one of the scopes, or trusted if there are none. */
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
  description: 'Authorization code with PKCE (S256), required for all clients; see /.well-known/oauth-authorization-server.',
  flows: {
    authorizationCode: {
      authorizationUrl: '/oauth/authorize',
      tokenUrl: '/oauth/token',
      refreshUrl: '/oauth/token',
      scopes: scopeSentences,
    },
  },
};

/** The parameters of a read, with those of its sample request. */
function describeParameters(name: string, request: JsonObject): JsonObject[] {
  return describeQuery(request).map((parameter) => {
    const sample = queryExamples[name]?.[String(parameter.name)];
    const { type } = parameter.schema as JsonObject;
    return sample === undefined ? parameter : { ...parameter, example: type === 'integer' ? Number(sample) : sample };
  });
}

function describeOperation(
  operation: Operation,
  requests: ReadonlyMap<string, JsonObject>,
  families: readonly string[],
): JsonObject {
  const { method, name, summary, details, kind } = operation;
  const schemaOf = (schema: string) => ({ schema: { $ref: schemaPlace + schema } });
  const isQuery = method === 'GET';
  const mediaType = kind === 'stream' ? 'text/event-stream' : 'application/json';
  const effect = effectOf(operation);
  return {
    operationId: name,
    summary,
    description: details ?? summary,
    tags: [tagOf(name)],
    ...(effect !== null && { 'x-effect': effect }),
    ...(isQuery && { parameters: describeParameters(name, requests.get(requestName(operation)) ?? {}) }),
    ...(!isQuery && {
      parameters: [idempotencyParameter],
      requestBody: {
        required: true,
        content: { 'application/json': { ...schemaOf(requestName(operation)), ...exampleOf(name) } },
      },
    }),
    ...describeSecurity(operation, families),
    responses: {
      [operation.status ?? 200]: { description: 'Success', content: { [mediaType]: schemaOf(responseName(operation)) } },
      '4XX': { description: 'Rejected', content: { 'application/json': schemaOf('Error') } },
      '5XX': { description: 'Failed', content: { 'application/json': schemaOf('Error') } },
    },
  };
}

/** Descriptions of the resources, in the order of the reference. */
const resources: Readonly<Record<string, string>> = {
  task: 'Work that an agent performs in the background.',
  project: 'Tasks that share an instruction.',
  schedule: 'What starts tasks at set times.',
  trigger: 'URLs at which other systems start tasks.',
  recipe: 'Tasks saved with fields to fill in.',
  agent: 'Persistent agents and their main tasks.',
  browser: 'Connected browsers.',
  connector: 'Tool servers available to tasks.',
  skill: 'Instructions and scripts for a kind of work.',
  inbox: 'What waits for a person.',
  notification: 'What you are notified of, where and when.',
  policy: 'What agents may do without asking, have to ask for, and may not do.',
  brand: 'The look of what agents make: colors, fonts, logo, templates.',
  budget: 'What tasks may cost in a day or month.',
  limit: 'How many tasks run at once.',
  memory: 'Files that tasks of an account, a project, or an agent share.',
  model: 'Models that tasks of an account use with keys of its own.',
  file: 'Uploads that messages can attach.',
  artifact: 'Files and websites that tasks created.',
  website: 'Websites that tasks created, and who can see them.',
  webhook: 'URLs that are notified of task events.',
  request: 'What programs asked of the API.',
  usage: 'Credits that tasks used.',
  instance: 'Accounts, tasks, and workers of the whole instance; with an instance key in place of an API key.',
  legacy: 'API v1: the key in `API_KEY`, no envelope. New clients should use the operations above.',
  openai: 'For the OpenAI SDK: responses and files, the key in `API_KEY`.',
};

function tagOf(name: string): string {
  return name.split('.', 1)[0] ?? name;
}

function exampleOf(name: string): JsonObject {
  const example = examples[name];
  return example === undefined ? {} : { example };
}

const about = [
  'All operations of this service. A successful response is an object with `ok: true`, an error has `ok: false` and `error`;',
  'both have a `request_id`. Unknown request fields are ignored. The endpoints for obtaining application tokens follow',
  'OAuth 2.0 and are described at /.well-known/oauth-authorization-server.',
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
  const { webhooks, schemas: bodiesOfWebhooks } = describeWebhooks();
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
    webhooks,
    components: {
      securitySchemes: { ...Object.fromEntries(keys), ...legacy.securitySchemes, oauth: oauthScheme },
      schemas: Object.fromEntries([...bodies, ...describeResponses(operations), ...bodiesOfWebhooks, ...legacy.schemas]),
    },
  };
}
