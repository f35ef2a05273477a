import { isJsonObject } from '@errand/base/json-object.ts';
import {
  type ApiChoice,
  type ApiDocument,
  apiLimits,
  type ApiMethod,
  apiMethods,
  type ApiSignIn,
  type ListedOperation,
  trimSlashes,
} from '../../rules/connectors/api-operation.ts';
import { type ConnectorTool, connectorLimits } from '../../rules/connectors/connector.ts';
import { readInput } from './api-operation-input.ts';
import { clean, type Json, References, Unusable } from './api-schema.ts';
import { readServer } from './api-server.ts';

/** Why a document cannot be read, for the person who gave it. */
export class Unreadable extends Error {}

interface Found {
  name: string;
  method: ApiMethod;
  path: string;
  operation: Json;
  /** Parameters of all operations at this path. */
  common: unknown;
  /** Its own, or those of its path, in place of the document's. */
  servers: unknown;
  /** Why nothing more is known of it. */
  problem: string | null;
}

function readScheme(scheme: Json | null): ApiSignIn | null {
  if (!scheme) return null;
  const { type, in: place, name, scheme: kind } = scheme;
  if (type === 'apiKey' && (place === 'header' || place === 'query') && typeof name === 'string') {
    return { type: place, name: clean(name, 64) };
  }
  if (type === 'oauth2' || type === 'openIdConnect') return { type: 'bearer' };
  if (type !== 'http' || typeof kind !== 'string') return null;
  const lower = kind.toLowerCase();
  return lower === 'bearer' || lower === 'basic' ? { type: lower } : null;
}

function readSignIn(document: Json): ApiSignIn | null {
  const components = isJsonObject(document['components']) ? document['components'] : {};
  const schemes = isJsonObject(components['securitySchemes']) ? components['securitySchemes'] : {};
  const references = new References(document);
  for (const scheme of Object.values(schemes).slice(0, 20)) {
    try {
      const signIn = readScheme(references.object(scheme));
      if (signIn) return signIn;
    } catch (error) {
      if (!(error instanceof Unusable)) throw error;
    }
  }
  return null;
}

/** A name as models and people write it: that of the document, or one made of method and path. */
function nameOperation({ operationId }: Json, method: string, path: string, taken: Set<string>): string {
  const given = typeof operationId === 'string' ? operationId : `${method}_${path}`;
  const plain =
    given
      .slice(0, 300)
      .replaceAll(/[^A-Za-z0-9-]+/g, '_')
      .replaceAll(/^_+|_+$/g, '')
      .slice(0, 60) || method;
  let name = plain;
  for (let count = 2; taken.has(name); count += 1) name = `${plain.slice(0, 55)}_${count}`;
  taken.add(name);
  return name;
}

/** A path, which may be described elsewhere in the document. */
function readPath(document: Json, item: unknown): { item: Json; problem: string | null } {
  const here = isJsonObject(item) ? item : {};
  try {
    return { item: (typeof here['$ref'] === 'string' ? new References(document).object(here) : here) ?? {}, problem: null };
  } catch (error) {
    if (!(error instanceof Unusable)) throw error;
    return { item: { get: {} }, problem: error.message };
  }
}

function findOperations(document: Json): Found[] {
  const paths = isJsonObject(document['paths']) ? document['paths'] : {};
  const taken = new Set<string>();
  const found: Found[] = [];
  for (const [path, described] of Object.entries(paths)) {
    const { item, problem } = readPath(document, described);
    for (const method of apiMethods) {
      const operation = item[method];
      if (!isJsonObject(operation)) continue;
      const name = nameOperation(operation, method, path, taken);
      const servers = operation['servers'] ?? item['servers'];
      found.push({ name, method, path, operation, common: item['parameters'], servers, problem });
      if (found.length > apiLimits.listed) throw new Unreadable(`describes more than ${apiLimits.listed} operations`);
    }
  }
  return found;
}

/** A summary is a heading, and what follows it a sentence of its own. */
function endSentence(text: string): string {
  return text === '' || /[.!?:…]$/.test(text) ? text : `${text}.`;
}

function describe({ operation, method, path }: Found): string {
  const { summary, description, deprecated } = operation;
  const parts = [
    deprecated === true ? 'Deprecated.' : '',
    endSentence(clean(summary, 300)),
    description === summary ? '' : clean(description, 1500),
    `(${method.toUpperCase()} ${clean(path, 200)})`,
  ];
  return parts
    .filter((part) => part !== '')
    .join(' ')
    .slice(0, connectorLimits.descriptionLength);
}

/** Throws for an operation that is only at other servers than the document: calls go to one address. */
function checkServers({ servers }: Found, base: URL | null, place: string | undefined): void {
  if (!base || !Array.isArray(servers) || servers.length === 0) return;
  const origins = servers.slice(0, 20).map((server) => readServer(server, place ?? base.href)?.origin);
  if (!origins.includes(base.origin)) throw new Unusable(`it is at another server (${clean(origins[0] ?? 'unknown', 100)})`);
}

function readTool(document: Json, found: Found, taken: ApiChoice['taken']): ConnectorTool {
  const { method, path, name, problem } = found;
  if (problem !== null) throw new Unusable(problem);
  if (!path.startsWith('/') || path.length > 1000 || /[\s?#\\]|(^|\/)\.{1,2}(\/|$)/.test(path)) {
    throw new Unusable('its path is not one of an HTTP API');
  }
  const { inputSchema, parameters, body } = readInput(new References(document), found, taken);
  const isReadOnly = method === 'get';
  return { name, description: describe(found), inputSchema, isReadOnly, request: { method, path, parameters, body } };
}

function checkVersion(document: Json): void {
  if (typeof document['swagger'] === 'string') {
    throw new Unreadable('is Swagger 2.0; convert it to OpenAPI 3.0 or 3.1');
  }
  if (typeof document['openapi'] !== 'string' || !/^3\.[01]\./.test(`${document['openapi']}.`)) {
    throw new Unreadable('must be an OpenAPI document of version 3.0 or 3.1, which says so in its field openapi');
  }
}

/**
 * Reads a parsed OpenAPI document. Throws `Unreadable`; what is wrong with one operation is said of that one.
 * @param place the URL of the document, if it has one
 */
export function readApiDocument(document: unknown, { names, taken }: ApiChoice, place?: string): ApiDocument<ConnectorTool> {
  if (!isJsonObject(document)) throw new Unreadable('must be an OpenAPI document: an object in JSON or YAML');
  checkVersion(document);
  const found = findOperations(document);
  if (found.length === 0) throw new Unreadable('describes no operation in its field paths');
  const { info, servers } = document;
  const base = Array.isArray(servers) ? readServer(servers[0], place) : null;
  const tools: ConnectorTool[] = [];
  const operations = found.map((each): ListedOperation => {
    const { name, method, path, operation } = each;
    const listed = {
      name,
      method,
      path: clean(path, 200),
      summary: clean(operation['summary'] ?? operation['description'], 200),
    };
    try {
      checkServers(each, base, place);
      const tool = readTool(document, each, taken);
      if (names?.includes(name) ?? true) tools.push(tool);
      return { ...listed, problem: null };
    } catch (error) {
      if (!(error instanceof Unusable)) throw error;
      return { ...listed, problem: error.message };
    }
  });
  const title = clean(isJsonObject(info) ? info['title'] : '', 100);
  return {
    title,
    baseUrl: base && trimSlashes(base.href),
    signIn: readSignIn(document),
    operations,
    tools: tools.slice(0, apiLimits.listed),
  };
}
