import { type Api, isObject, type JsonObject, resolve, type Schema, typeOf } from './api-document.ts';

/**
 * How a field is filled in. `group`: by those of the object inside. `mixed`: by a text, or by JSON where it also takes another type.
 * `json`: by JSON alone. `secret`: by a text that nobody sees.
 */
export type InputKind = 'text' | 'secret' | 'long' | 'number' | 'choice' | 'flag' | 'group' | 'mixed' | 'json';

/** Texts that may be longer than this are fields of several lines. */
const longText = 300;
/** Kinds whose value is what is typed, even if that is nothing. */
const texts: ReadonlySet<InputKind> = new Set(['text', 'secret', 'long']);
/** Objects deeper inside are filled in as JSON. */
const deepest = 3;

/** How a field of this schema is filled in, `depth` objects inside the request. */
export function inputKind(api: Pick<Api, 'schemas'>, field: Schema, depth = 0): InputKind {
  const schema = resolve(api, field);
  if (schema.enum?.every((choice) => typeof choice === 'string')) return 'choice';
  const forms = schema.anyOf ?? schema.oneOf;
  if (forms) return forms.some((form) => typeOf(resolve(api, form)) === 'string') ? 'mixed' : 'json';
  const type = typeOf(schema);
  if (type === 'string' && schema.writeOnly === true) return 'secret';
  if (type === 'string') return (schema.maxLength ?? 0) > longText ? 'long' : 'text';
  if (type === 'boolean') return 'flag';
  if (type === 'integer' || type === 'number') return 'number';
  if (!schema.properties || depth >= deepest) return 'json';
  return 'group';
}

/** A field inside a request, such as `['message', 'content']`. */
export type FieldPath = readonly string[];

export function getField(value: unknown, path: FieldPath): unknown {
  return path.reduce<unknown>((inner, name) => (isObject(inner) ? inner[name] : undefined), value);
}

/** The request with another value of a field. With undefined it is left out, and so are objects that become empty. */
export function setField(value: JsonObject, [name = '', ...rest]: FieldPath, leaf: unknown): JsonObject {
  const before = value[name];
  const inner = rest.length === 0 ? leaf : setField(isObject(before) ? before : {}, rest, leaf);
  const isEmpty = inner === undefined || (leaf === undefined && isObject(inner) && Object.keys(inner).length === 0);
  if (!isEmpty) return { ...value, [name]: inner };
  return Object.fromEntries(Object.entries(value).filter(([other]) => other !== name));
}

/** What a value looks like in its field. */
export function writeInput(kind: InputKind, value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' && kind !== 'json' ? value : JSON.stringify(value, null, 2);
}

function parse(text: string): { value: unknown } | null {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return null;
  }
}

/** The value that was typed; undefined for an empty field, null if it cannot be read. */
export function readInput(kind: InputKind, text: string): { value: unknown } | null {
  if (text.trim() === '' && !texts.has(kind)) return { value: undefined };
  switch (kind) {
    case 'number': {
      const number = Number(text);
      return Number.isFinite(number) ? { value: number } : null;
    }
    case 'flag':
      return { value: text === 'true' };
    case 'json':
      return parse(text);
    case 'mixed': {
      const parsed = parse(text);
      return parsed !== null && typeof parsed.value === 'object' ? parsed : { value: text };
    }
    default:
      return { value: text === '' ? undefined : text };
  }
}

/** A request that was typed as JSON; null unless it is an object. */
export function readJson(text: string): JsonObject | null {
  const parsed = parse(text.trim() === '' ? '{}' : text);
  return parsed !== null && isObject(parsed.value) ? parsed.value : null;
}

/** Whether a refusal of `param`, such as `message.content[0].text`, is about this field. A group shows only what is about itself. */
export function isAbout(param: string, path: FieldPath, kind: InputKind): boolean {
  const name = path.join('.');
  if (param === name) return true;
  return kind !== 'group' && (param.startsWith(`${name}.`) || param.startsWith(`${name}[`));
}
