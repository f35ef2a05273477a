import type { TriggerEvent } from '@errand/client';

/** A value of a payload, by its JSON pointer. */
export interface PayloadValue {
  pointer: string;
  /** The beginning of the value. */
  sample: string;
}

const mostValues = 60;
const mostDepth = 8;
const longestSample = 60;

const escape = (name: string) => name.replaceAll('~', '~0').replaceAll('/', '~1');

/** Names with braces would end a place of the template. */
const isNameable = (name: string) => !/[{}]/.test(name);

function collect(value: unknown, pointer: string, depth: number, found: PayloadValue[]): void {
  if (found.length >= mostValues) return;
  if (typeof value === 'object' && value !== null && depth < mostDepth) {
    for (const [name, inner] of Object.entries(value))
      if (isNameable(name)) collect(inner, `${pointer}/${escape(name)}`, depth + 1, found);
    return;
  }
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (pointer !== '') found.push({ pointer, sample: text.slice(0, longestSample) });
}

function readBody(body: string, contentType: string): unknown {
  if (contentType.includes('x-www-form-urlencoded')) return Object.fromEntries(new URLSearchParams(body));
  try {
    return JSON.parse(body);
  } catch {
    // It is text, or cut.
    return null;
  }
}

/** The values in the body of a delivery; none if it is only text. */
export function listValues({ body, headers }: Pick<TriggerEvent, 'body' | 'headers'>): PayloadValue[] {
  const found: PayloadValue[] = [];
  if (body !== undefined) collect(readBody(body, headers['content-type'] ?? ''), '', 0, found);
  return found;
}
