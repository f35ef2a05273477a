import { isUtf8 } from 'node:buffer';
import { Fault, invalidField } from '@errand/base/fault.ts';
import { isTooDeep, maxJsonDepth } from '../../rules/http/json-depth.ts';

/** A request body as a JSON value; 400 `invalid_argument` for anything else. A missing body is undefined. */
export function parseJsonBody(body: Buffer | undefined): unknown {
  if (body === undefined) return undefined;
  if (!isUtf8(body)) throw invalidField('body', 'must be UTF-8');
  const text = body.toString();
  if (isTooDeep(text)) throw invalidField('body', `must not nest deeper than ${maxJsonDepth} levels`);
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Fault('invalid_argument', 'body: must be valid JSON', { cause, param: 'body' });
  }
}
