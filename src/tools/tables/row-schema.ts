import { isJsonObject } from '@errand/base/json-object.ts';

type Schema = Record<string, unknown>;

/** Limits that models are told in words, because no schema checks them. */
const limitWords = new Set([
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  ...['minLength', 'maxLength', 'pattern', 'format', 'minItems', 'maxItems', 'uniqueItems'],
]);
/** Deeper ones are refused. */
const deepest = 16;

function mapParts(part: unknown, depth: number): unknown {
  if (Array.isArray(part)) return part.map((each) => describeLimits(each, depth));
  return describeLimits(part, depth);
}

/** A schema whose limits of values are words of its descriptions, and whose constants are choices of one. */
export function describeLimits(schema: unknown, depth = 0): unknown {
  if (!isJsonObject(schema) || depth > deepest) return schema;
  const kept: Schema = {};
  const words: string[] = [];
  for (const [keyword, value] of Object.entries(schema)) {
    if (limitWords.has(keyword)) words.push(`${keyword} ${JSON.stringify(value)}`);
    else if (keyword === 'const') kept['enum'] = [value];
    else if (keyword === 'properties' && isJsonObject(value)) {
      kept[keyword] = Object.fromEntries(Object.entries(value).map(([name, part]) => [name, describeLimits(part, depth + 1)]));
    } else kept[keyword] = keyword === 'items' || keyword === 'anyOf' ? mapParts(value, depth + 1) : value;
  }
  if (words.length === 0) return kept;
  const own = typeof schema['description'] === 'string' ? `${schema['description']} ` : '';
  return { ...kept, description: `${own}(${words.join(', ')})` };
}
