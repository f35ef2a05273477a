import { Fault, invalidField } from '@errand/base/fault.ts';

function decode(text: string): string {
  if (!text.includes('%') && !text.includes('+')) return text;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw new Fault('invalid_argument', 'The query is not valid percent-encoding.');
  }
}

/**
 * Query parameters by name. A parameter without a value counts as absent. Duplicates are rejected, because two readers of the same request
 * could choose differently.
 */
export function parseQuery(text: string): Record<string, string> {
  const parameters: Record<string, string> = Object.create(null) as Record<string, string>;
  if (text === '') return parameters;
  const seen = new Set<string>();
  for (const pair of text.split('&')) {
    const equals = pair.indexOf('=');
    const name = decode(equals === -1 ? pair : pair.slice(0, equals));
    const value = equals === -1 ? '' : decode(pair.slice(equals + 1));
    if (name === '') continue;
    if (seen.has(name)) throw invalidField(name.slice(0, 64).toWellFormed(), 'must be given only once');
    seen.add(name);
    if (value !== '') parameters[name] = value;
  }
  return parameters;
}
