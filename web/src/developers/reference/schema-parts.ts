import { type Api, resolve, type Schema, typeOf } from './api-document.ts';

/** A bound of a value: of its size or, for numbers, of itself. */
export interface Bounds {
  unit: 'characters' | 'items' | null;
  low: number | undefined;
  high: number | undefined;
}

/** The alternatives of a schema; itself if there are none. */
function formsOf(schema: Schema): Schema[] {
  return schema.oneOf ?? schema.anyOf ?? [schema];
}

/** The type of a value in a few words, such as `array of string`. */
export function describeType(api: Pick<Api, 'schemas'>, schema: Schema): string {
  if (schema.enum) return schema.enum.map((choice) => JSON.stringify(choice)).join(' | ');
  if ('const' in schema) return JSON.stringify(schema.const);
  if (schema.oneOf ?? schema.anyOf) {
    const words = formsOf(schema).map((form) => describeType(api, form));
    return [...new Set(words)].join(' | ');
  }
  if (schema.$ref !== undefined) return describeType(api, resolve(api, schema));
  const type = typeOf(schema);
  if (type === 'array') return `array of ${describeType(api, schema.items ?? {})}`;
  return Array.isArray(schema.type) ? schema.type.join(' | ') : (type ?? 'any');
}

/** What limits a value; null if nothing does. */
export function boundsOf(api: Pick<Api, 'schemas'>, schema: Schema): Bounds | null {
  const own = resolve(api, schema);
  const bounds: Bounds[] = [
    { unit: 'characters', low: own.minLength, high: own.maxLength },
    { unit: 'items', low: own.minItems, high: own.maxItems },
    { unit: null, low: own.minimum, high: own.maximum },
  ];
  return bounds.find(({ low, high }) => low !== undefined || high !== undefined) ?? null;
}

/** An object in a value, with the name of its form if there are several. */
export interface Form {
  /** Such as `type: "user_message"`; empty for the only one. */
  label: string;
  schema: Schema;
}

function labelOf({ properties = {} }: Schema): string {
  const fixed = Object.entries(properties).find(([, field]) => 'const' in field);
  return fixed ? `${fixed[0]}: ${JSON.stringify(fixed[1].const)}` : '';
}

/** The objects of a value whose fields can be shown: itself, its items, or its forms. */
export function objectsOf(api: Pick<Api, 'schemas'>, schema: Schema): Form[] {
  const own = resolve(api, schema);
  if (own.properties) return [{ label: '', schema: own }];
  if (own.items) return objectsOf(api, own.items);
  const forms = (own.oneOf ?? own.anyOf ?? []).flatMap((form) => objectsOf(api, form));
  return forms.length === 1 ? forms : forms.map((form) => ({ label: labelOf(form.schema), schema: form.schema }));
}

/** Deeper fields are not listed: some objects contain others of their own kind. */
const deepest = 4;

/** Names and descriptions of all fields, those of inner objects as `message.content`. */
export function* listFields(api: Pick<Api, 'schemas'>, schema: Schema, prefix = '', depth = 0): Generator<[string, string]> {
  if (depth >= deepest) return;
  for (const { schema: object } of objectsOf(api, schema)) {
    for (const [name, field] of Object.entries(object.properties ?? {})) {
      yield [prefix + name, field.description ?? ''];
      yield* listFields(api, field, `${prefix}${name}.`, depth + 1);
    }
  }
}
