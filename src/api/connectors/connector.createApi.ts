import { z } from 'zod';
import { invalidField, missingField } from '@errand/base/fault.ts';
import { newUuid } from '@errand/base/ids.ts';
import { toOneLine } from '@errand/base/text/one-line.ts';
import {
  type ApiAccess,
  apiLimits,
  type ApiChoice,
  type ApiDocument,
  trimSlashes,
} from '../../rules/connectors/api-operation.ts';
import type { ConnectorTool } from '../../rules/connectors/connector.ts';
import { createConnector } from '../../store/connectors/connectors.ts';
import { optional, requiredText } from '../contract/fields.ts';
import { defineOperation } from '../contract/operation.ts';
import { readConnectorName, readHeaders } from './connector.create.ts';
import { documentFields, documentRequestBytes, readSource, signInTypes } from './connector.readApi.ts';
import { connectorObject, presentConnector } from './connector-object.ts';

const signIn = z.object({
  type: z.enum(signInTypes),
  name: optional(z.string().max(64)).meta({
    description: 'Name of the header or query parameter that carries the key, such as `X-Api-Key`.',
  }),
  key: optional(z.string().max(4096)).meta({ description: 'The key, for `header`, `query`, and `bearer`.', writeOnly: true }),
  username: optional(z.string().max(1000)).meta({ description: 'The user name, for `basic`.' }),
  password: optional(z.string().max(1000)).meta({ description: 'The password, for `basic`.', writeOnly: true }),
});

interface Keys {
  access: ApiAccess;
  keys: Record<string, string>;
  taken: ApiChoice['taken'];
}

function readKey(key: string | undefined): string {
  const clean = key?.trim() ?? '';
  if (clean === '') throw missingField('sign_in.key');
  if (!/^[\x20-\x7e]+$/.test(clean)) throw invalidField('sign_in.key', 'must consist of printable ASCII characters');
  return clean;
}

function readQueryName(name: string): string {
  if (!/^[^\s&=#?]{1,64}$/.test(name)) throw invalidField('sign_in.name', 'must be the name of a query parameter');
  return name;
}

function asHeader(name: string, value: string): Keys {
  return { access: { keysIn: 'header' }, keys: { [name]: value }, taken: { in: 'header', name } };
}

/** What is sent with every call to prove who makes it. */
function readSignIn(given: z.output<typeof signIn> | undefined): Keys {
  const { type = 'none', name = '', key, username = '', password = '' } = given ?? {};
  if ((type === 'header' || type === 'query') && name.trim() === '') throw missingField('sign_in.name');
  switch (type) {
    case 'none':
      return { access: { keysIn: 'header' }, keys: {}, taken: null };
    case 'query': {
      const clean = readQueryName(name.trim());
      return { access: { keysIn: 'query' }, keys: { [clean]: readKey(key) }, taken: { in: 'query', name: clean } };
    }
    case 'bearer':
      return asHeader('Authorization', `Bearer ${readKey(key)}`);
    case 'basic': {
      if (username === '') throw missingField('sign_in.username');
      if (username.includes(':')) throw invalidField('sign_in.username', 'must not contain a colon');
      return asHeader('Authorization', `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`);
    }
    case 'header':
      try {
        readHeaders({ [name.trim()]: 'x' });
      } catch {
        throw invalidField('sign_in.name', 'must be the name of a header that can be set, such as X-Api-Key');
      }
      return asHeader(name.trim(), readKey(key));
  }
}

function readBaseUrl(given: string | undefined, found: string | null): string {
  const text = given?.trim() ?? found ?? '';
  if (text === '') throw missingField('base_url', ': the document names no server');
  const url = text.length <= 2000 ? URL.parse(text) : null;
  const isPlain = url && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '' && url.search === '';
  if (!isPlain)
    throw invalidField('base_url', 'must be the address below which the operations are, such as https://api.example.com/v1');
  return `${url.origin}${trimSlashes(url.pathname)}`;
}

/** The tools of the chosen operations; 400 for one that does not exist or cannot be used. */
function readTools({ operations, tools }: ApiDocument<ConnectorTool>, names: readonly string[] | null): ConnectorTool[] {
  const known = new Map(operations.map((operation) => [operation.name, operation]));
  for (const name of names ?? []) {
    const operation = known.get(name);
    const shown = name.slice(0, 100).toWellFormed();
    if (!operation) throw invalidField('operations', `the document has no operation ${shown}; connector.readApi lists them`);
    if (operation.problem !== null) throw invalidField('operations', `${shown} cannot be used: ${operation.problem}`);
  }
  if (tools.length === 0) throw invalidField('document', 'has no operation that can be used; connector.readApi says why');
  if (tools.length > apiLimits.operations) {
    throw invalidField(
      'operations',
      `the document has ${tools.length}; name the ${apiLimits.operations} that you need most, or fewer`,
    );
  }
  return tools;
}

export const connectorCreateApi = defineOperation('POST', 'connector.createApi', {
  summary: 'Connects an HTTP API by its OpenAPI document: its operations become tools.',
  details: [
    'The document is read once. Calls go to `base_url` and below it only; redirects elsewhere are refused.',
    'Operations other than GET ask for confirmation like tools with side effects.',
    'The key is stored encrypted, never shown again, and never given to a model.',
    'Only public https URLs are allowed, unless the operator has opened others.',
  ].join(' '),
  access: 'account',
  bodyLimitBytes: documentRequestBytes,
  request: z.object({
    name: requiredText('At most 100 characters.'),
    ...documentFields,
    base_url: optional(z.string().max(2000)).meta({ description: "Default: the document's first server." }),
    sign_in: optional(signIn).meta({ description: 'How calls prove who makes them. Default: type `none`.' }),
    operations: optional(z.array(z.string().max(100)).min(1).max(apiLimits.operations)).meta({
      description: `Names of operations, at most ${apiLimits.operations}. Default: all.`,
    }),
    description: optional(z.string().max(1000)),
    category: optional(z.string().max(50)).meta({ description: 'Default: `other`.' }),
    enabled_by_default: optional(z.boolean()).meta({
      description: 'Whether tasks use it when neither their message nor their project names connectors. Default: false.',
    }),
  }),
  response: z.object({ connector: connectorObject }),
  async handle(input, { principal, now, outwardSignal: signal, write, connectors }) {
    const name = readConnectorName(input.name);
    const source = readSource(input);
    const { access, keys, taken } = readSignIn(input.sign_in);
    const key = { accountId: principal.accountId, connectorId: newUuid() };
    const caller = { owner: principal.accountId, signal };
    const headers = connectors.seal(keys, key);
    const names = input.operations ?? null;
    const document = await connectors.readApi(source, { names, taken }, caller);
    const tools = readTools(document, names);
    const url = readBaseUrl(input.base_url, document.baseUrl);
    const problem = await connectors.tryApi(url, caller);
    if (problem !== null) throw invalidField('base_url', `the API cannot be used: ${problem}`);
    const connector = await write(createConnector, {
      ...{ ...key, name, url, headers, api: access, tools, signIn: null, problem: null, now },
      description: toOneLine(input.description ?? ''),
      category: toOneLine(input.category ?? '') || 'other',
      isDefault: input.enabled_by_default ?? false,
    });
    return { connector: presentConnector(connector, now) };
  },
});
