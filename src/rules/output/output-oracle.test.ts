import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkOutputSchema } from './output-schema.ts';
import { findMismatch } from './output-value.ts';
import { zeroValue } from './output-zero.ts';

// ajv judges the same schemas and values with an independent implementation. It only ever sees schemas that the rules accept.

type Schema = Record<string, unknown>;

const scalarTypes = ['string', 'number', 'integer', 'boolean', 'null'];
const names = ['a', 'b', 'c', 'unit price', 'constructor', 'toString'];
const scalars = ['', 'a', 'b', 0, 1, -2, 1.5, 1e300, true, false, null];
const unsupported = [
  ...['pattern', 'format', 'minLength', 'maxLength', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  ...['minItems', 'maxItems', 'uniqueItems', 'allOf', 'oneOf', 'not', 'if', 'then', 'else', 'const', 'prefixItems', 'contains'],
];

const anyName = fc.constantFrom(...names);
const anyScalar = fc.constantFrom(...scalars);
const anyJson = fc.letrec<{ json: unknown }>((tie) => ({
  json: fc.oneof(
    { depthSize: 'small' },
    anyScalar,
    fc.array(tie('json'), { maxLength: 3 }),
    fc.dictionary(anyName, tie('json'), { maxKeys: 3 }),
  ),
})).json;

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return typeof value;
}

const plainScalar: fc.Arbitrary<Schema> = fc.oneof(
  fc.record({ type: fc.constantFrom(...scalarTypes) }),
  fc.record({ type: fc.uniqueArray(fc.constantFrom(...scalarTypes), { minLength: 1 }) }),
  fc.uniqueArray(anyScalar, { minLength: 1, maxLength: 4 }).map((values) => ({
    type: [...new Set(values.map(typeOf))],
    enum: values,
  })),
);

function annotate(schema: fc.Arbitrary<Schema>): fc.Arbitrary<Schema> {
  const notes = fc.record({ title: fc.string(), description: fc.string(), default: anyScalar }, { requiredKeys: [] });
  return fc.tuple(schema, notes).map(([plain, note]) => ({ ...plain, ...note }));
}

function objectOf(property: fc.Arbitrary<Schema>): fc.Arbitrary<Schema> {
  return fc.dictionary(anyName, property, { maxKeys: 4 }).map((properties) => ({
    type: 'object',
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
  }));
}

/** A schema with at most `depth` levels of objects and arrays; `leaf` ends it. */
function nest(levels: number, leaf: fc.Arbitrary<Schema>): fc.Arbitrary<Schema> {
  if (levels === 0) return annotate(leaf);
  const inner = nest(levels - 1, leaf);
  const array = inner.map((items) => ({ type: 'array', items }));
  const either = fc.tuple(objectOf(inner), array).map(([object, { items }]) => ({ ...object, type: ['array', 'object'], items }));
  const union = fc.array(fc.oneof(inner, objectOf(inner)), { minLength: 1, maxLength: 3 }).map((anyOf) => ({ anyOf }));
  return annotate(fc.oneof(leaf, objectOf(inner), array, either, union));
}

/** References that leave a finite value: any as nullable or as items, forward ones also plainly. */
function refsFrom(count: number, at: number): fc.Arbitrary<Schema>[] {
  const $ref = fc.constantFrom('#', ...Array.from({ length: count }, (_, index) => `#/$defs/D${index}`));
  const nullable = fc.record({ $ref }).map((target) => ({ anyOf: [target, { type: 'null' }] }));
  const later = Array.from({ length: count - at - 1 }, (_, index) => ({ $ref: `#/$defs/D${at + 1 + index}` }));
  return [nullable, ...later.map((ref) => fc.constant(ref))];
}

/** Levels add up to five at most: a chain of references passes each definition once. */
function withDefinitions(count: number, levelsOfEach: number, levelsOfRoot: number): fc.Arbitrary<Schema> {
  const define = (at: number) => objectOf(nest(levelsOfEach - 1, fc.oneof(plainScalar, ...refsFrom(count, at))));
  const definitions = fc.tuple(...Array.from({ length: count }, (_, at) => define(at)));
  const root = objectOf(nest(levelsOfRoot - 1, fc.oneof(plainScalar, ...refsFrom(count, -1))));
  return fc.tuple(root, definitions).map(([schema, defs]) => ({
    ...schema,
    $defs: Object.fromEntries(defs.map((definition, at) => [`D${at}`, definition])),
  }));
}

const anySchema = fc.oneof(objectOf(nest(4, plainScalar)), withDefinitions(2, 2, 1), withDefinitions(3, 1, 2));

/** A value made after the schema, by choices that fast-check shrinks; recursion ends where `fuel` does. */
function makeValue(root: Schema, schema: Schema, choose: (count: number) => number, fuel: number): unknown {
  const pick = <T>(list: readonly T[]): T => list[choose(list.length)] as T;
  if (typeof schema.$ref === 'string') {
    const name = schema.$ref.split('/').at(-1) ?? '';
    const target = schema.$ref === '#' ? root : ((root.$defs as Schema)[name] as Schema);
    return makeValue(root, target, choose, fuel - 1);
  }
  if (Array.isArray(schema.anyOf)) {
    const branches = schema.anyOf as Schema[];
    return makeValue(root, fuel > 0 ? pick(branches) : (branches.at(-1) ?? {}), choose, fuel - 1);
  }
  if (Array.isArray(schema.enum)) return pick(schema.enum as unknown[]);
  const type = pick(Array.isArray(schema.type) ? (schema.type as string[]) : [schema.type as string]);
  if (type === 'object') {
    const entries = Object.entries(schema.properties as Record<string, Schema>);
    return Object.fromEntries(entries.map(([name, property]) => [name, makeValue(root, property, choose, fuel - 1)]));
  }
  if (type === 'array') {
    const length = fuel > 0 ? choose(3) : 0;
    return Array.from({ length }, () => makeValue(root, schema.items as Schema, choose, fuel - 1));
  }
  const ofType = scalars.filter((value) => typeOf(value) === type || (typeof value === 'number' && type === 'number'));
  return type === 'integer' ? pick([0, 1, -2, 1e300]) : pick(ofType);
}

/** Every object and array in a value, so that one can be damaged. */
function listContainers(value: unknown): object[] {
  if (typeof value !== 'object' || value === null) return [];
  return [value, ...Object.values(value).flatMap(listContainers)];
}

function damage(value: unknown, choose: (count: number) => number, part: unknown): unknown {
  const copy = structuredClone(value);
  const containers = listContainers(copy);
  const container = containers[choose(containers.length)];
  if (!container || choose(8) === 0) return part;
  const keys = Object.keys(container);
  const key = keys[choose(keys.length)] ?? 'a';
  const fresh = names[choose(names.length)] ?? 'a';
  const kind = choose(3);
  if (Array.isArray(container)) container.splice(kind === 0 ? Number(key) || 0 : container.length, 1, part);
  else if (kind === 0) Reflect.deleteProperty(container, key);
  else Reflect.set(container, kind === 1 ? key : fresh, part);
  return copy;
}

const ajv = new Ajv2020({ strict: false, ownProperties: true, logger: false });

/** Endless choices out of a finite list. */
function chooseBy(numbers: readonly number[]): (count: number) => number {
  let at = 0;
  return (count) => (numbers[at++ % numbers.length] ?? 0) % Math.max(count, 1);
}

const anyChoices = fc.array(fc.nat(), { minLength: 1, maxLength: 40 });

describe('against an independent validator', () => {
  it('every schema of the subset is accepted, and its zero value conforms', () => {
    fc.assert(
      fc.property(anySchema, (schema) => {
        expect(checkOutputSchema(schema)).toBeNull();
        const zero = zeroValue(schema);
        expect(ajv.validate(schema, zero)).toBe(true);
        expect(findMismatch(schema, zero)).toBeNull();
      }),
      { numRuns: 150 },
    );
  });

  it('a value generated from the schema conforms, and damaged values get the same verdict', () => {
    fc.assert(
      fc.property(anySchema, anyChoices, fc.array(anyJson, { minLength: 5, maxLength: 5 }), (schema, choices, parts) => {
        const choose = chooseBy(choices);
        const value = makeValue(schema, schema, choose, 12);
        expect(findMismatch(schema, value)).toBeNull();
        const damaged = parts.map((part) => damage(value, choose, part));
        const verdicts = [value, ...damaged].map((one) => findMismatch(schema, one) === null);
        const validate = ajv.compile(schema);
        expect(verdicts).toEqual([value, ...damaged].map((one) => validate(one)));
      }),
      { numRuns: 200 },
    );
  });

  it('schemas with random keywords that are accepted are valid there too', () => {
    const keyword = fc.constantFrom(
      'type',
      'properties',
      'required',
      'additionalProperties',
      'items',
      'enum',
      'anyOf',
      '$ref',
      '$defs',
    );
    const junk = fc.letrec<{ part: unknown }>((tie) => ({
      part: fc.oneof(
        { depthSize: 'small' },
        fc.constantFrom(...scalarTypes, 'object', 'array', '#', '#/$defs/a', false, true, 1, null),
        fc.array(tie('part'), { maxLength: 2 }),
        fc.dictionary(fc.oneof(keyword, anyName), tie('part'), { maxKeys: 5 }),
        plainScalar,
        objectOf(fc.oneof(plainScalar, fc.constant({ $ref: '#/$defs/a' }))),
      ),
    })).part;
    fc.assert(
      fc.property(objectOf(plainScalar), fc.dictionary(anyName, junk, { maxKeys: 2 }), junk, (root, more, $defs) => {
        const properties = { ...(root.properties as Schema), ...more };
        const schema = { ...root, properties, required: Object.keys(properties), ...($defs === null ? {} : { $defs }) };
        const problem = checkOutputSchema(schema);
        expect(problem ?? 'structured_output_schema: ').toMatch(/^structured_output_schema: /);
        expect(problem === null ? ajv.validate(schema, zeroValue(schema)) : true).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});

/** Every position of a schema, with the keywords that hold it there. */
function listPositions(schema: Schema): Schema[] {
  const { properties = {}, $defs = {}, anyOf = [], items } = schema as { [key: string]: Record<string, Schema> | undefined };
  const inner = [
    ...Object.values(properties),
    ...Object.values($defs),
    ...Object.values(anyOf),
    ...(items ? [items as Schema] : []),
  ];
  return [schema, ...inner.flatMap(listPositions)];
}

describe('a single mistake anywhere in a valid schema', () => {
  const mistakes: Record<string, { problem: string; at: (position: Schema) => boolean; make: (position: Schema) => void }> = {
    'an open object': {
      problem: '"additionalProperties" must be set to false',
      at: (position) => position.additionalProperties === false,
      make: (position) => Object.assign(position, { additionalProperties: true }),
    },
    'an object without additionalProperties': {
      problem: '"additionalProperties" must be set to false',
      at: (position) => position.additionalProperties === false,
      make: (position) => Reflect.deleteProperty(position, 'additionalProperties'),
    },
    'a property that is not required': {
      problem: '"required" must include all properties',
      at: (position) => Array.isArray(position.required) && position.required.length > 0,
      make: (position) => (position.required as string[]).pop(),
    },
    'a missing type': {
      problem: 'must have a "type" field',
      at: (position) => position.type !== undefined,
      make: (position) => Reflect.deleteProperty(position, 'type'),
    },
    'missing items': {
      problem: 'must have an "items" field',
      at: (position) => position.items !== undefined,
      make: (position) => Reflect.deleteProperty(position, 'items'),
    },
    'a reference to nothing': {
      problem: '"$ref" must point into this schema, as in "#/$defs/Name"',
      at: (position) => position.$ref !== undefined,
      make: (position) => Object.assign(position, { $ref: '#/$defs/Missing' }),
    },
  };

  it.each(Object.entries(mistakes))('%s is rejected with its message', (_, { problem, at, make }) => {
    fc.assert(
      fc.property(anySchema, fc.nat(), (sound, chosen) => {
        const schema = structuredClone(sound);
        const positions = listPositions(schema).filter(at);
        const position = positions[chosen % positions.length];
        fc.pre(position !== undefined);
        make(position);
        expect(checkOutputSchema(schema)).toSatisfy((text: string) => text.endsWith(problem));
      }),
    );
  });

  it('an unsupported keyword is rejected by name', () => {
    fc.assert(
      fc.property(anySchema, fc.nat(), fc.constantFrom(...unsupported), anyJson, (sound, chosen, keyword, value) => {
        const schema = structuredClone(sound);
        const positions = listPositions(schema);
        Object.assign(positions[chosen % positions.length] ?? schema, { [keyword]: value });
        expect(checkOutputSchema(schema)).toSatisfy((text: string) => text.endsWith(`unsupported keyword "${keyword}"`));
      }),
    );
  });
});
