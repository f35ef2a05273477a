import { Fault } from '@errand/base/fault.ts';
import { type ApiBody, apiLimits, type ApiParameter, type ApiRequest, isOpenHeader } from './api-operation.ts';

/** A request without its keys. */
export interface ComposedRequest {
  url: URL;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  headers: Record<string, string>;
  body?: string;
}

type Input = Readonly<Record<string, unknown>>;

const methods = { get: 'GET', post: 'POST', put: 'PUT', patch: 'PATCH', delete: 'DELETE' } as const;
const longestUrl = 8000;

function write(value: unknown): string {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);
}

const separators = { comma: ',', space: ' ', pipe: '|' } as const;

function refuse(problem: string): Fault {
  return new Fault('invalid_argument', problem);
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

/** The path with its parameters filled in. A value never adds a segment, nor leads to another. */
function fillPath({ path, parameters }: ApiRequest, input: Input): string {
  let filled = path;
  for (const { field, name } of parameters.filter((each) => each.in === 'path')) {
    const text = writeSimple(input[field]).toWellFormed();
    if (/^\.{0,2}$/.test(text)) throw refuse(`\`${field}\` is part of the address and must not be empty, "." or "..".`);
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
  for (const { field, name } of parameters.filter((each) => each.in === 'header' && input[each.field] !== undefined)) {
    const value = writeSimple(input[field]);
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
export function composeRequest(baseUrl: string, request: ApiRequest, input: Input): ComposedRequest {
  const base = baseUrl.replace(/\/+$/, '');
  const { origin, pathname } = new URL(base);
  const url = URL.parse(`${base}${fillPath(request, input)}`);
  if (!url || url.origin !== origin || !`${url.pathname}/`.startsWith(pathname === '/' ? '/' : `${pathname}/`)) {
    throw refuse('The address of this call leads out of the API. Call another operation.');
  }
  for (const parameter of request.parameters) {
    const value = parameter.in === 'query' ? input[parameter.field] : undefined;
    if (value === undefined) continue;
    for (const [name, text] of writeQuery(parameter, value)) url.searchParams.append(name, text);
  }
  if (url.href.length > longestUrl) {
    throw refuse(`The address of this call is longer than ${longestUrl} characters. Ask for less at once.`);
  }
  const headers = readHeaders(request, input);
  const method = methods[request.method];
  const { body } = request;
  if (!body || input['body'] === undefined) return { url, method, headers };
  return { url, method, headers: { ...headers, 'content-type': body.mediaType }, body: writeBody(body, input['body']) };
}
