import { readCallInput } from '../call-input.ts';

/** Each brace that starts no object costs a scan of the remaining text; a hostile text has many. */
const mostAttempts = 200;

/** The end of the object that starts at `start`, or -1. Brackets in strings do not count. */
function findEnd(text: string, start: number): number {
  let depth = 0;
  let inString = false;
  for (let at = start; at < text.length; at++) {
    const char = text[at];
    if (inString) {
      if (char === '\\') at += 1;
      else if (char === '"') inString = false;
    } else if (char === '"') inString = true;
    else if (char === '{') depth += 1;
    else if (char === '}') {
      depth -= 1;
      if (depth === 0) return at;
    }
  }
  return -1;
}

/** The outermost JSON objects in a text, in order. */
export function findObjects(text: string): unknown[] {
  const objects: unknown[] = [];
  let start = text.indexOf('{');
  for (let attempts = 0; start !== -1 && attempts < mostAttempts; attempts++) {
    const end = findEnd(text, start);
    const value = end === -1 ? null : readCallInput(text.slice(start, end + 1));
    const isFound = typeof value === 'object' && value !== null;
    if (isFound) objects.push(value);
    start = text.indexOf('{', isFound ? end : start + 1);
  }
  return objects;
}
