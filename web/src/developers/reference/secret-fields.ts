import { type Api, isObject, type JsonObject, resolve, type Schema } from './api-document.ts';

/** What is shown of a secret. */
const hidden = '…';

function hide(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return hidden;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, hide(inner)]));
}

/** The request as the samples show it: an ellipsis for each secret, whose schemas are `writeOnly`. */
export function hideSecrets(api: Pick<Api, 'schemas'>, schema: Schema, value: JsonObject): JsonObject {
  const { properties = {} } = resolve(api, schema);
  const entries = Object.entries(value).map(([name, inner]): [string, unknown] => {
    const field = resolve(api, properties[name] ?? {});
    if (field.writeOnly === true) return [name, inner === null || inner === '' ? inner : hide(inner)];
    return [name, isObject(inner) ? hideSecrets(api, field, inner) : inner];
  });
  return Object.fromEntries(entries);
}
