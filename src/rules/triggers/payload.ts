import { isUtf8 } from 'node:buffer';
import { invalidField } from '@errand/base/fault.ts';
import { isTooDeep, maxJsonDepth } from '../http/json-depth.ts';

/** What a sender has sent. */
export interface Payload {
  /** The body as text. */
  text: string;
  /** What pointers look into: the JSON value, or the fields of a form; undefined for any other text. */
  document: unknown;
}

function parseJson(text: string): unknown {
  if (isTooDeep(text)) throw invalidField('body', `must not nest deeper than ${maxJsonDepth} levels`);
  return JSON.parse(text) as unknown;
}

/** A form's fields. Some senders put JSON into its one field `payload`. */
function parseForm(text: string): unknown {
  const fields = Object.fromEntries(new URLSearchParams(text));
  const names = Object.keys(fields);
  if (names.length !== 1 || names[0] !== 'payload') return fields;
  try {
    return parseJson(fields.payload ?? '');
  } catch {
    return fields;
  }
}

/**
 * Reads a body by its content type; without a known one, a text that looks like JSON is taken for it. 400 `invalid_argument` for bytes that
 * are no text, and for JSON that is announced but malformed.
 */
export function readPayload(body: Uint8Array, contentType: string): Payload {
  if (!isUtf8(body) || body.includes(0)) throw invalidField('body', 'must be text in UTF-8 without NUL characters');
  const text = Buffer.from(body).toString();
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (type === 'application/x-www-form-urlencoded') return { text, document: parseForm(text) };
  const isJson = type === 'application/json' || type.endsWith('+json');
  if (text.trim() === '' || (!isJson && !/^\s*[[{]/.test(text))) return { text, document: undefined };
  try {
    return { text, document: parseJson(text) };
  } catch (error) {
    if (isJson || !(error instanceof SyntaxError)) throw isJson && error instanceof SyntaxError ? notJson() : error;
    return { text, document: undefined };
  }
}

function notJson() {
  return invalidField('body', 'must be valid JSON, as its content type says');
}
