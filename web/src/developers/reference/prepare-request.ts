import type { ApiOperation, JsonObject } from './api-document.ts';

/** An HTTP request, ready to be sent or shown. */
export interface PreparedRequest {
  method: string;
  /** Path and query, relative to the service. */
  target: string;
  /** Null for none. */
  body: JsonObject | null;
}

/** A value as a part of a URL. */
function writeValue(value: unknown): string {
  if (typeof value === 'string') return value;
  return Array.isArray(value) ? value.map(writeValue).join(',') : JSON.stringify(value);
}

/** Fields of objects are parameters of their own: `metadata.<key>`. */
function* listParameters(input: JsonObject, prefix = ''): Generator<[string, string]> {
  for (const [name, value] of Object.entries(input)) {
    if (value === undefined || value === null) continue;
    if (typeof value === 'object' && !Array.isArray(value)) yield* listParameters(value as JsonObject, `${prefix}${name}.`);
    else yield [prefix + name, writeValue(value)];
  }
}

/** Puts the fields of an input where the operation expects them; those it does not know go with its others. */
export function prepareRequest({ method, path, places, hasBody }: ApiOperation, input: JsonObject): PreparedRequest {
  const rest: [string, unknown][] = [];
  const asked: [string, unknown][] = [];
  const inPath = new Map<string, string>();
  for (const [name, value] of Object.entries(input)) {
    const place = places.get(name) ?? (hasBody ? 'body' : 'query');
    if (place === 'path') inPath.set(name, writeValue(value));
    else (place === 'body' ? rest : asked).push([name, value]);
  }
  const query = new URLSearchParams([...listParameters(Object.fromEntries(asked))]).toString();
  // Without a part, or with one that browsers resolve, it would be the address of another operation.
  const filled = path.replaceAll(/\{(\w+)\}/g, (whole, name: string) => {
    const value = inPath.get(name) ?? '';
    return /^\.{0,2}$/.test(value) ? whole : encodeURIComponent(value);
  });
  return {
    method,
    target: query === '' ? filled : `${filled}?${query}`,
    body: hasBody ? Object.fromEntries(rest) : null,
  };
}
