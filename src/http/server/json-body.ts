import { isUtf8 } from 'node:buffer';
import { Fault, invalidField } from '@errand/base/fault.ts';

/** Far deeper than any accepted input; the parser itself allows a million. */
const deepest = 64;

/** The position after a string's closing quote, for a string that opens at `start`. */
function skipString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text[end - 1 - slashes] === '\\') slashes++;
    if (slashes % 2 === 0) return end + 1;
  }
  return text.length;
}

function isTooDeep(text: string): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; ) {
    const char = text[at];
    if (char === '"') {
      at = skipString(text, at);
      continue;
    }
    if (char === '{' || char === '[') depth++;
    else if (char === '}' || char === ']') depth--;
    if (depth > deepest) return true;
    at++;
  }
  return false;
}

/** A request body as a JSON value; 400 `invalid_argument` for anything else. A missing body is undefined. */
export function parseJsonBody(body: Buffer | undefined): unknown {
  if (body === undefined) return undefined;
  if (!isUtf8(body)) throw invalidField('body', 'must be UTF-8');
  const text = body.toString();
  if (isTooDeep(text)) throw invalidField('body', `must not nest deeper than ${deepest} levels`);
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Fault('invalid_argument', 'body: must be valid JSON', { cause, param: 'body' });
  }
}
