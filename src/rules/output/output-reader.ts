import { isJsonObject, type JsonObject } from '@errand/base/json-object.ts';
import { type Fault, invalidField } from '@errand/base/fault.ts';
import { propertyPath, quoteName, describeAt } from './output-path.ts';
import {
  isOfType,
  isScalar,
  type OutputShapes,
  type Plain,
  type Scalar,
  type Shape,
  type TypeName,
  typeNames,
} from './output-shape.ts';

interface Reference {
  readonly path: string;
  readonly ref: string;
  readonly branches: Shape[];
}

interface Reading {
  readonly all: Shape[];
  /** Shapes by their source JSON object, for resolving `$ref`s. */
  readonly shapes: Map<unknown, Shape>;
  readonly references: Reference[];
}

const notASchema = 'not a valid JSON Schema';

const isString = (value: unknown): boolean => typeof value === 'string';
const isBoolean = (value: unknown): boolean => typeof value === 'boolean';

/** Keywords without effect on conformance. Schema generators (zod, pydantic) write them, so they are accepted. */
const annotations = new Map<string, (value: unknown) => boolean>([
  ['$schema', isString],
  ['$comment', isString],
  ['title', isString],
  ['description', isString],
  ['default', () => true],
  ['examples', Array.isArray],
  ['deprecated', isBoolean],
  ['readOnly', isBoolean],
  ['writeOnly', isBoolean],
]);

const objectKeywords = ['properties', 'required', 'additionalProperties'];
const effective = new Set(['type', 'enum', 'anyOf', '$ref', 'items', ...objectKeywords]);

/** The 400 for the caller (docs/reference/api.md#schema-errors). */
export function refuseSchema(path: string, problem: string): Fault {
  return invalidField('structured_output_schema', describeAt(path, problem));
}

function checkKeywords(raw: JsonObject, path: string): void {
  for (const [keyword, value] of Object.entries(raw)) {
    const isSound = keyword === '$defs' ? isJsonObject : annotations.get(keyword);
    if (!isSound && !effective.has(keyword)) throw refuseSchema(path, `unsupported keyword ${quoteName(keyword)}`);
    if (isSound && !isSound(value)) throw refuseSchema(path, notASchema);
  }
}

function readTypes(raw: JsonObject, path: string): readonly TypeName[] {
  if (!Object.hasOwn(raw, 'type')) throw refuseSchema(path, 'must have a "type" field');
  const given: readonly unknown[] = Array.isArray(raw.type) ? raw.type : [raw.type];
  const types = given.flatMap((type) => typeNames.find((name) => name === type) ?? []);
  if (types.length === 0 || new Set(types).size !== given.length) throw refuseSchema(path, notASchema);
  return types;
}

function checkRootType(raw: JsonObject, path: string): void {
  readTypes(raw, path);
  if (raw.type !== 'object') throw refuseSchema(path, 'must be of type "object"');
}

function readValues(raw: JsonObject, types: readonly TypeName[], path: string): ReadonlySet<Scalar> | null {
  if (!Object.hasOwn(raw, 'enum')) return null;
  const values: unknown = raw.enum;
  if (!Array.isArray(values) || values.length === 0) throw refuseSchema(path, notASchema);
  if (!values.every(isScalar)) throw refuseSchema(path, '"enum" values must be strings, numbers, booleans or null');
  if (!values.every((value) => types.some((type) => isOfType(value, type)))) {
    throw refuseSchema(path, 'every "enum" value must be of the given "type"');
  }
  return new Set(values);
}

function checkRequired(required: unknown, names: readonly string[], path: string): void {
  if (!Array.isArray(required) || !required.every(isString)) throw refuseSchema(path, notASchema);
  const listed = new Set<unknown>(required);
  if (listed.size !== required.length) throw refuseSchema(path, notASchema);
  if (!names.every((name) => listed.has(name))) throw refuseSchema(path, '"required" must include all properties');
  if (listed.size !== names.length) throw refuseSchema(path, '"required" must name nothing but properties');
}

function readProperties(raw: JsonObject, path: string, reading: Reading): ReadonlyMap<string, Shape> {
  if (raw.additionalProperties !== false) throw refuseSchema(path, '"additionalProperties" must be set to false');
  const properties = Object.hasOwn(raw, 'properties') ? raw.properties : {};
  if (!isJsonObject(properties)) throw refuseSchema(path, notASchema);
  const names = Object.keys(properties);
  if (names.includes('__proto__')) throw refuseSchema(path, 'a property cannot be named "__proto__"');
  checkRequired(Object.hasOwn(raw, 'required') ? raw.required : [], names, path);
  return new Map(names.map((name) => [name, readShape(properties[name], propertyPath(path, name), reading)]));
}

/** Keywords without effect are mistakes worth reporting. */
function checkStrays(raw: JsonObject, types: readonly TypeName[], path: string): void {
  const isObject = types.includes('object');
  const isArray = types.includes('array');
  const stray = isObject ? undefined : objectKeywords.find((keyword) => Object.hasOwn(raw, keyword));
  if (stray !== undefined) throw refuseSchema(path, `"${stray}" needs the type "object"`);
  if (!isArray && Object.hasOwn(raw, 'items')) throw refuseSchema(path, '"items" needs the type "array"');
  if (isArray && !Object.hasOwn(raw, 'items')) throw refuseSchema(path, 'must have an "items" field');
  if ((isObject || isArray) && Object.hasOwn(raw, 'enum')) {
    throw refuseSchema(path, '"enum" cannot be combined with an object or array type');
  }
}

function readPlain(raw: JsonObject, path: string, reading: Reading): Plain {
  const types = readTypes(raw, path);
  checkStrays(raw, types, path);
  const values = readValues(raw, types, path);
  const properties = types.includes('object') ? readProperties(raw, path, reading) : new Map<string, Shape>();
  const items = types.includes('array') ? readShape(raw.items, `${path}[]`, reading) : null;
  return { kind: 'plain', path, types, values, properties, items };
}

/** `$ref` and `anyOf` exclude other keywords, so that no position is the intersection of two. */
function readUnion(raw: JsonObject, keyword: '$ref' | 'anyOf', path: string, reading: Reading): Shape {
  const other = Object.keys(raw).find((key) => key !== keyword && effective.has(key));
  if (other !== undefined) throw refuseSchema(path, `"${other}" cannot be combined with "${keyword}"`);
  const given = raw[keyword];
  const branches: Shape[] = [];
  if (keyword === 'anyOf' && Array.isArray(given) && given.length > 0) {
    for (const [at, branch] of given.entries()) branches.push(readShape(branch, `${path}.anyOf[${at}]`, reading));
  } else if (keyword === '$ref' && typeof given === 'string') {
    reading.references.push({ path, ref: given, branches });
  } else {
    throw refuseSchema(path, notASchema);
  }
  return { kind: 'union', path, branches };
}

function readShape(raw: unknown, path: string, reading: Reading): Shape {
  if (!isJsonObject(raw)) throw refuseSchema(path, notASchema);
  checkKeywords(raw, path);
  if (path === '') checkRootType(raw, path);
  const alone = (['$ref', 'anyOf'] as const).find((keyword) => Object.hasOwn(raw, keyword));
  const shape = alone ? readUnion(raw, alone, path, reading) : readPlain(raw, path, reading);
  reading.all.push(shape);
  reading.shapes.set(raw, shape);
  for (const [name, inner] of Object.entries(raw.$defs ?? {})) readShape(inner, propertyPath(`${path}.$defs`, name), reading);
  return shape;
}

/** The steps of a local reference such as `#/$defs/Name` (RFC 6901 in a URI fragment), null for any other. */
function splitReference(ref: string): string[] | null {
  if (!ref.startsWith('#')) return null;
  try {
    const [start, ...steps] = decodeURIComponent(ref.slice(1)).split('/');
    return start === '' ? steps : null;
  } catch {
    return null;
  }
}

function followReference(root: unknown, ref: string): unknown {
  const steps = splitReference(ref);
  if (!steps) return undefined;
  let at = root;
  for (const step of steps) {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) return undefined;
    at = Reflect.get(at, name);
  }
  return at;
}

/**
 * Reads a schema of the supported subset (docs/reference/api.md#schema-subset) as far as each position can be
 * checked separately, and resolves its `$ref`s. Recursive: the JSON must not nest deeply. Throws the 400 for the first problem.
 */
export function readOutputSchema(schema: unknown): OutputShapes {
  const reading: Reading = { all: [], shapes: new Map(), references: [] };
  const root = readShape(schema, '', reading);
  for (const { path, ref, branches } of reading.references) {
    const target = reading.shapes.get(followReference(schema, ref));
    if (!target) throw refuseSchema(path, '"$ref" must point into this schema, as in "#/$defs/Name"');
    branches.push(target);
  }
  return { root, all: reading.all };
}
