import { isJsonObject } from '@errand/base/json-object.ts';
import { Fault } from '@errand/base/fault.ts';
import { type ApiBody, apiLimits, type ApiParameter, type ApiRequest, isOpenHeader, trimSlashes } from './api-operation.ts';

/** A request without its keys. */
export interface ComposedRequest {
  url: URL;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  headers: Record<string, string>;
  body?: string;
}

type Input = Readonly<Record<string, unknown>>;

/** An operation, and what its input is described to be. */
interface Described {
  request: ApiRequest;
  inputSchema: Readonly<Record<string, unknown>>;
}

const methods = { get: 'GET', post: 'POST', put: 'PUT', patch: 'PATCH', delete: 'DELETE' } as const;
const longestUrl = 8000;

function write(value: unknown): string {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);
}

const separators = { comma: ',', space: ' ', pipe: '|' } as const;

function refuse(problem: string): Fault {
  return new Fault('invalid_argument', problem);
}

function valueOf(input: Input, field: string): unknown {
  return Object.hasOwn(input, field) ? input[field] : undefined;
}

/** Names of fields that a schema describes. */
function describedNames(schema: unknown): string[] {
  if (!isJsonObject(schema)) return [];
  const own = isJsonObject(schema['properties']) ? Object.keys(schema['properties']) : [];
  return [...own, ...(Array.isArray(schema['anyOf']) ? schema['anyOf'].flatMap(describedNames) : [])];
}

/** Throws for an object whose fields become parameters of their own, if it has one that is not described. */
function checkSpread({ field, style }: ApiParameter, value: unknown, inputSchema: Described['inputSchema']): void {
  if (style !== 'repeat' || !isJsonObject(value)) return;
  const { properties } = inputSchema;
  const names = describedNames(isJsonObject(properties) ? properties[field] : undefined);
  const unknown = Object.keys(value).find((name) => !names.includes(name));
  if (unknown === undefined) return;
  const known = names.length === 0 ? 'It takes none.' : `The fields are: ${names.slice(0, 40).join(', ')}.`;
  throw refuse(`There is no field \`${field}.${unknown.slice(0, 100)}\`. ${known}`);
}

/** The pairs of a query that one parameter becomes. */
function writeQuery({ name, style }: ApiParameter, value: unknown): [string, string][] {
  if (typeof value !== 'object' || value === null || style === 'json') return [[name, write(value)]];
  const entries = Object.entries(value);
  if (style === 'deep') return entries.map(([key, each]) => [`${name}[${key}]`, write(each)]);
  if (Array.isArray(value)) {
    if (style === 'repeat') return value.map((each) => [name, write(each)]);
    return [[name, value.map(write).join(separators[style])]];
  }
  if (style === 'repeat') return entries.map(([key, each]) => [key, write(each)]);
  return [[name, entries.flat().map(write).join(separators[style])]];
}

function writeSimple(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  return (Array.isArray(value) ? value : Object.entries(value).flat()).map(write).join(',');
}

/** A segment that leads elsewhere. */
const dots = /(?:^|[/\\])\.{1,2}(?:[/\\]|$)/;

/** Whether an address is that of an API or below it, also for servers that decode slashes. */
export function isBelow(url: URL, baseUrl: string): boolean {
  const { origin, pathname } = new URL(baseUrl);
  const base = pathname.endsWith('/') ? pathname : `${pathname}/`;
  const path = `${url.pathname}/`;
  const rest = path.slice(base.length).replaceAll(/%2f/gi, '/').replaceAll(/%5c/gi, '\\').replaceAll(/%2e/gi, '.');
  return url.origin === origin && path.startsWith(base) && !dots.test(rest);
}

/** The path with its parameters filled in. A value never adds a segment, nor leads to another. */
function fillPath({ path, parameters }: ApiRequest, input: Input): string {
  let filled = path;
  for (const { field, name } of parameters.filter((each) => each.in === 'path')) {
    const text = writeSimple(valueOf(input, field)).toWellFormed();
    // Some servers decode slashes, and then follow dots.
    if (text === '' || dots.test(text)) {
      throw refuse(`\`${field}\` is part of the address and must not be empty, nor have "." or ".." alone or between slashes.`);
    }
    filled = filled.replaceAll(`{${name}}`, () => encodeURIComponent(text));
  }
  return filled;
}

function writeForm(value: unknown): string {
  const entries = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  return new URLSearchParams(
    entries.flatMap(([name, each]) => writeQuery({ field: name, name, in: 'query', style: 'repeat' }, each)),
  ).toString();
}

function writeBody({ kind }: ApiBody, value: unknown): string {
  const body = kind === 'json' ? JSON.stringify(value) : kind === 'form' ? writeForm(value) : write(value);
  if (Buffer.byteLength(body) > apiLimits.bodyBytes) {
    throw refuse(`\`body\` must have at most ${apiLimits.bodyBytes} bytes. Send less at once.`);
  }
  return body;
}

function readHeaders({ parameters }: ApiRequest, input: Input): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const { field, name } of parameters.filter((each) => each.in === 'header' && valueOf(input, each.field) !== undefined)) {
    const value = writeSimple(valueOf(input, field));
    if (!isOpenHeader(name) || !/^[\t\x20-\x7e]{0,4096}$/.test(value)) {
      throw refuse(`\`${field}\` is a header and must be at most 4096 printable ASCII characters.`);
    }
    headers[name.toLowerCase()] = value;
  }
  return headers;
}

/**
 * The request of a call, at the address of its connector and below it, whatever the document or the model has written. Throws a fault whose
 * message tells the model what is wrong. The input has passed `findInputProblem`.
 */
export function composeRequest(baseUrl: string, { request, inputSchema }: Described, input: Input): ComposedRequest {
  const base = trimSlashes(baseUrl);
  const url = URL.parse(`${base}${fillPath(request, input)}`);
  if (!url || !isBelow(url, base)) {
    throw refuse('The address of this call leads out of the API. Call another operation.');
  }
  for (const parameter of request.parameters) {
    const value = parameter.in === 'query' ? valueOf(input, parameter.field) : undefined;
    if (value === undefined) continue;
    checkSpread(parameter, value, inputSchema);
    for (const [name, text] of writeQuery(parameter, value)) url.searchParams.append(name, text);
  }
  if (url.href.length > longestUrl) {
    throw refuse(`The address of this call is longer than ${longestUrl} characters. Ask for less at once.`);
  }
  const headers = readHeaders(request, input);
  const method = methods[request.method];
  const { body } = request;
  const sent = valueOf(input, 'body');
  if (!body || sent === undefined) return { url, method, headers };
  return { url, method, headers: { ...headers, 'content-type': body.mediaType }, body: writeBody(body, sent) };
}
