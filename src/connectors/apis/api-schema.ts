import { isJsonObject } from '@errand/base/json-object.ts';

/** A document, or a part of it, as parsed: nothing in it is known to be what it should be. */
export type Json = Readonly<Record<string, unknown>>;

/** Why an operation cannot be used, for the person who chooses it. */
export class Unusable extends Error {}

/** The same for what may fit if less of it is written. */
export class TooLarge extends Unusable {
  constructor() {
    super('its input has too many fields');
  }
}

/** Places that one operation may visit, so that references to references cannot multiply without end. */
const mostVisits = 20_000;
const longestText = 300;
const mostValues = 100;

const numbers = ['minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems', 'multipleOf'];

/** Text of a document on one line, of at most so many characters. */
export function clean(text: unknown, most = longestText): string {
  if (typeof text !== 'string') return '';
  const line = text
    .slice(0, most * 4)
    .toWellFormed()
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  return line.length <= most ? line : `${line.slice(0, most - 1).toWellFormed()}…`;
}

function unescape(part: string): string {
  try {
    return decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
  } catch {
    return part;
  }
}

/** Follows the references of one document, for one operation. */
export class References {
  readonly #root: Json;
  #visits = 0;

  constructor(root: Json) {
    this.#root = root;
  }

  /** Forgets how much was visited. */
  restart(): this {
    this.#visits = 0;
    return this;
  }

  #look(ref: string): unknown {
    if (!ref.startsWith('#/')) {
      throw new Unusable(`it refers to another document (${clean(ref, 80)}); bundle them into one`);
    }
    let value: unknown = this.#root;
    for (const part of ref.slice(2).split('/').map(unescape)) {
      const isThere = typeof value === 'object' && value !== null && Object.hasOwn(value, part);
      if (!isThere) throw new Unusable(`it refers to ${clean(ref, 80)}, which the document does not contain`);
      value = (value as Json)[part];
    }
    return value;
  }

  /** What is there or where it refers to, with the references that were followed. Throws for a circle that leads to nothing. */
  resolve(value: unknown): { value: unknown; refs: string[] } {
    const refs: string[] = [];
    let current = value;
    for (;;) {
      this.#visits += 1;
      if (this.#visits > mostVisits) throw new TooLarge();
      if (!isJsonObject(current) || typeof current['$ref'] !== 'string') return { value: current, refs };
      const ref = current['$ref'];
      if (refs.includes(ref)) throw new Unusable(`its references go in a circle (${clean(ref, 80)})`);
      refs.push(ref);
      current = this.#look(ref);
    }
  }

  /** The object there; null for anything else. */
  object(value: unknown): Json | null {
    const found = this.resolve(value).value;
    return isJsonObject(found) ? found : null;
  }
}

interface Conversion {
  references: References;
  /** Levels that are written; what is deeper is left open. */
  depth: number;
  /** References on the way to here: a schema that contains itself is left open at its second place. */
  above: readonly string[];
}

function readTypes(schema: Json): string[] {
  const types = [schema['type']].flat().filter((type) => typeof type === 'string');
  if (types.length > 0 && schema['nullable'] === true && !types.includes('null')) types.push('null');
  return types;
}

/** The bounds of OpenAPI 3.0 (`exclusiveMinimum: true`) and of 3.1 (`exclusiveMinimum: 5`). */
function readBounds(schema: Json): Json {
  const { exclusiveMinimum: above, exclusiveMaximum: below, minimum, maximum } = schema;
  const lower = above === true ? minimum : above;
  const upper = below === true ? maximum : below;
  const isDropped = (name: string) => (name === 'minimum' && above === true) || (name === 'maximum' && below === true);
  const plain = numbers.filter((name) => typeof schema[name] === 'number' && !isDropped(name));
  return {
    ...Object.fromEntries(plain.map((name) => [name, schema[name]])),
    ...(typeof lower === 'number' && { exclusiveMinimum: lower }),
    ...(typeof upper === 'number' && { exclusiveMaximum: upper }),
  };
}

function readValues(schema: Json): Json {
  const { enum: values, default: usual, format, pattern } = schema;
  const isPlain = (value: unknown) => typeof value !== 'object' || value === null;
  return {
    ...(Array.isArray(values) && values.length <= mostValues && values.every(isPlain) && { enum: values }),
    ...(schema['const'] !== undefined && isPlain(schema['const']) && { enum: [schema['const']] }),
    ...(usual !== undefined && isPlain(usual) && { default: usual }),
    ...(typeof format === 'string' && { format: clean(format, 40) }),
    ...(typeof pattern === 'string' && pattern.length <= 100 && { pattern }),
  };
}

/** The description of a parameter or schema with its example, in at most about so many characters. */
export function describeValue({ description, example }: Json, most = longestText): string {
  const shown = typeof example === 'string' || typeof example === 'number' ? ` Example: ${clean(String(example), 60)}` : '';
  return `${clean(description, most)}${shown}`.trim();
}

function describe(schema: Json, depth: number): Json {
  const text = describeValue(schema, depth > 4 ? longestText : 120);
  return text === '' ? {} : { description: text };
}

/** Properties of an object that a caller may send, and which it must. */
function readProperties(schema: Json, inner: Conversion): Json {
  const { properties, required, additionalProperties: more } = schema;
  if (!isJsonObject(properties)) return more === false ? { additionalProperties: false } : {};
  const known = Object.entries(properties).flatMap(([name, property]): [string, Json][] => {
    // The one name that is no field of its own in what is copied from this.
    if (name === '__proto__') return [];
    const isForReading = inner.references.object(property)?.['readOnly'] === true;
    return isForReading ? [] : [[name, convertSchema(property, inner)]];
  });
  const names = new Set(known.map(([name]) => name));
  const needed = Array.isArray(required) ? required.filter((name) => typeof name === 'string' && names.has(name)) : [];
  return {
    properties: Object.fromEntries(known),
    ...(needed.length > 0 && { required: needed }),
    ...(more === false && { additionalProperties: false }),
  };
}

/** Parts that all apply become one object, which models read more easily; what is not about objects is left out. */
function mergeParts(parts: readonly Json[]): Json {
  const properties = Object.assign({}, ...parts.map((part) => part['properties'] ?? {})) as Json;
  const required = [
    ...new Set(parts.flatMap((part) => (Array.isArray(part['required']) ? (part['required'] as unknown[]) : []))),
  ];
  const merged = Object.assign({}, ...parts) as Json;
  const isObjectLike = Object.keys(properties).length > 0;
  return {
    ...merged,
    ...(isObjectLike && { type: 'object', properties }),
    ...(required.length > 0 && { required }),
  };
}

function convertInside(schema: Json, { depth, ...rest }: Conversion): Json {
  const inner = { ...rest, depth: depth - 1 };
  const choices = [schema['anyOf'], schema['oneOf']].find((each) => Array.isArray(each)) as unknown[] | undefined;
  const types = readTypes(schema);
  const isOfObjects = types.includes('object') || isJsonObject(schema['properties']);
  const own: Json = {
    ...(types.length > 0 && { type: types.length === 1 ? types[0] : types }),
    ...describe(schema, depth),
    ...readValues(schema),
    ...readBounds(schema),
    ...(isOfObjects && { type: types.length > 1 ? types : 'object', ...readProperties(schema, inner) }),
    ...(schema['items'] !== undefined && { items: convertSchema(schema['items'], inner) }),
    ...(choices && choices.length <= mostValues && { anyOf: choices.map((each) => convertSchema(each, inner)) }),
  };
  const all = schema['allOf'];
  if (!Array.isArray(all) || all.length > mostValues) return own;
  return mergeParts([...all.map((each) => convertSchema(each, { ...rest, depth })), own]);
}

/** A schema of OpenAPI 3.0 or 3.1 as plain JSON Schema without references, to the depth that is wanted. */
export function convertSchema(value: unknown, conversion: Conversion): Json {
  const { value: schema, refs } = conversion.references.resolve(value);
  if (!isJsonObject(schema)) return {};
  const types = readTypes(schema);
  const isCut = conversion.depth <= 0 || refs.some((ref) => conversion.above.includes(ref));
  if (isCut) return { ...(types.length > 0 && { type: types.length === 1 ? types[0] : types }), ...describe(schema, 0) };
  return convertInside(schema, { ...conversion, above: [...conversion.above, ...refs] });
}
