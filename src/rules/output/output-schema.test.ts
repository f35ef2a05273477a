import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { measureThreadMs } from '../../../test/support/base/thread-time.ts';
import { z } from 'zod';
import { checkOutputSchema } from './output-schema.ts';

type Schema = Record<string, unknown>;

const text = { type: 'string' };
const nothing = { type: 'null' };

function objectOf(properties: Schema, more: Schema = {}): Schema {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false, ...more };
}

function listOf(count: number, make: (at: number) => [string, unknown]): Schema {
  return Object.fromEntries(Array.from({ length: count }, (_, at) => make(at)));
}

function refTo(name: string): Schema {
  return { $ref: `#/$defs/${name}` };
}

/** `schema` as the only property of an otherwise sound schema. */
function check(schema: unknown, $defs: Schema = {}): string | null {
  return checkOutputSchema(objectOf({ price: schema }, { $defs }));
}

function findPath(schema: unknown, $defs: Schema = {}): string | undefined {
  return check(schema, $defs)?.split(': ')[1];
}

function wrap(kind: string, inner: Schema): Schema {
  return kind === 'object' ? objectOf({ a: inner }) : { type: 'array', items: inner };
}

function repeatTwenty(property: Schema): Schema {
  return objectOf(listOf(20, (at) => [`p${at}`, property]));
}

function deepen(wrapOnce: (inner: unknown) => unknown): unknown {
  return Array.from({ length: 100_000 }).reduce<unknown>((inner) => wrapOnce(inner), text);
}

describe('a valid schema', () => {
  const sound: Record<string, Schema> = {
    'without properties': { type: 'object', additionalProperties: false },
    'with every type': objectOf({
      string: text,
      number: { type: 'number' },
      integer: { type: 'integer' },
      boolean: { type: 'boolean' },
      null: nothing,
      array: { type: 'array', items: text },
      object: objectOf({}),
    }),
    'with nullable fields in all their spellings': objectOf({
      list: { type: ['string', 'null'] },
      union: { anyOf: [objectOf({ a: text }), nothing] },
      choice: { type: ['string', 'null'], enum: ['a', null] },
    }),
    'with the annotations that schema generators write': objectOf(
      { a: { type: 'string', title: 'A', description: 'text', default: 'x', examples: ['y'], deprecated: false } },
      { $schema: 'https://json-schema.org/draft/2020-12/schema', $comment: 'none', title: 'Root' },
    ),
    'with a description beside a reference': objectOf({ a: { ...refTo('A'), description: 'text' } }, { $defs: { A: text } }),
    'that contains itself through a nullable': objectOf({ next: { anyOf: [{ $ref: '#' }, nothing] } }),
    'that contains itself through an array': objectOf(
      { tree: refTo('Node') },
      { $defs: { Node: objectOf({ name: text, children: { type: 'array', items: refTo('Node') } }) } },
    ),
    'with mutual recursion that a second branch ends': objectOf(
      { a: refTo('A') },
      { $defs: { A: { anyOf: [objectOf({ b: refTo('B') }), text] }, B: objectOf({ a: refTo('A') }) } },
    ),
    'with a reference to any position, escaped or not': objectOf(
      { 'a/b ~c': objectOf({ x: text }), same: { $ref: '#/properties/a~1b%20~0c' }, x: { $ref: '#/properties/same' } },
      {},
    ),
    'with property names that JavaScript objects inherit': objectOf({ constructor: text, toString: text, hasOwnProperty: text }),
  };

  it.each(Object.entries(sound))('%s is accepted', (_, schema) => {
    expect(checkOutputSchema(schema)).toBeNull();
  });

  it('can come from zod', () => {
    const node = z.object({
      name: z.string().describe('as shown').meta({ title: 'Name' }),
      kind: z.enum(['file', 'folder']).nullable(),
      size: z.number().default(0),
      get children() {
        return z.array(node);
      },
    });
    expect(checkOutputSchema(z.toJSONSchema(node))).toBeNull();
    expect(checkOutputSchema(z.toJSONSchema(z.object({ tree: node, more: z.union([z.null(), z.boolean()]) })))).toBeNull();
  });
});

describe('the documented messages', () => {
  const keywords = [
    ...['pattern', 'format', 'minLength', 'maxLength', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'],
    ...['multipleOf', 'minItems', 'maxItems', 'uniqueItems', 'allOf', 'oneOf', 'not', 'if', 'then', 'else'],
    ...['const', 'nullable', 'prefixItems', 'patternProperties', 'definitions', '$id', '$anchor', '$dynamicRef', 'x-mine'],
  ];

  it.each(keywords)('name the unsupported keyword %s', (keyword) => {
    expect(check({ type: 'number', [keyword]: 1 })).toBe(`structured_output_schema: .price: unsupported keyword "${keyword}"`);
  });

  const object = objectOf({ a: text });
  const open = { type: 'object', properties: { a: text }, required: ['a'] };
  const optional = { type: 'object', properties: { a: text }, additionalProperties: false };
  const cases: [string, unknown, string][] = [
    ['an object without additionalProperties', open, '"additionalProperties" must be set to false'],
    [
      'an object with additionalProperties',
      { ...object, additionalProperties: true },
      '"additionalProperties" must be set to false',
    ],
    ['additionalProperties by schema', { ...object, additionalProperties: {} }, '"additionalProperties" must be set to false'],
    ['an object without required', optional, '"required" must include all properties'],
    ['a property that is not required', { ...object, required: [] }, '"required" must include all properties'],
    ['no type', { description: 'text' }, 'must have a "type" field'],
    ['an enum without type', { enum: ['a'] }, 'must have a "type" field'],
    ['a number', 5, 'not a valid JSON Schema'],
    ['null', null, 'not a valid JSON Schema'],
    ['true', true, 'not a valid JSON Schema'],
    ['an unknown type', { type: 'text' }, 'not a valid JSON Schema'],
    ['no types', { type: [] }, 'not a valid JSON Schema'],
    ['a type twice', { type: ['string', 'string'] }, 'not a valid JSON Schema'],
    ['an empty enum', { type: 'string', enum: [] }, 'not a valid JSON Schema'],
    ['an empty anyOf', { anyOf: [] }, 'not a valid JSON Schema'],
    ['required that is not a list of names', { ...object, required: ['a', 1] }, 'not a valid JSON Schema'],
    ['required that is null', { ...object, required: null }, 'not a valid JSON Schema'],
    ['required with a name twice', { ...object, required: ['a', 'a'] }, 'not a valid JSON Schema'],
    ['properties that are a list', { ...object, properties: [] }, 'not a valid JSON Schema'],
    ['a description that is not text', { ...text, description: 1 }, 'not a valid JSON Schema'],
    ['definitions that are a list', { ...text, $defs: [] }, 'not a valid JSON Schema'],
    ['a reference that is not text', { $ref: 1 }, 'not a valid JSON Schema'],
  ];

  it.each(cases)('report %s', (_, schema, problem) => {
    expect(check(schema)).toBe(`structured_output_schema: .price: ${problem}`);
  });

  const ours: [string, unknown, string][] = [
    ['an array without items', { type: 'array' }, 'must have an "items" field'],
    [
      'a required name that is not a property',
      { ...object, required: ['a', 'b'] },
      '"required" must name nothing but properties',
    ],
    ['an enum value of another type', { type: 'string', enum: ['a', 1] }, 'every "enum" value must be of the given "type"'],
    ['an enum of objects', { type: 'string', enum: [{}] }, '"enum" values must be strings, numbers, booleans or null'],
    ['an enum beside objects', { ...object, enum: [1] }, '"enum" cannot be combined with an object or array type'],
    ['items of a string', { ...text, items: text }, '"items" needs the type "array"'],
    ['properties of a string', { ...text, properties: {} }, '"properties" needs the type "object"'],
    ['anyOf beside a type', { ...text, anyOf: [text] }, '"type" cannot be combined with "anyOf"'],
    ['$ref beside a type', { ...text, $ref: '#' }, '"type" cannot be combined with "$ref"'],
    ['__proto__', objectOf(JSON.parse('{"__proto__":{"type":"string"}}') as Schema), 'a property cannot be named "__proto__"'],
  ];

  it.each(ours)('report %s', (_, schema, problem) => {
    expect(check(schema)).toBe(`structured_output_schema: .price: ${problem}`);
  });

  it.each([
    '#/$defs/Other',
    '#Other',
    'other.json',
    'https://example.com/a',
    '#/$defs',
    '#/properties',
    '#/type',
    '#/%',
    '',
    '/',
  ])('reject the reference %s, which does not point to a schema of this document', (ref) => {
    expect(check({ $ref: ref })).toBe(
      'structured_output_schema: .price: "$ref" must point into this schema, as in "#/$defs/Name"',
    );
  });
});

describe('the root', () => {
  it.each([undefined, null, 'x', 5, [], true])('is rejected if it is %j', (schema) => {
    expect(checkOutputSchema(schema)).toBe('structured_output_schema: not a valid JSON Schema');
  });

  it('must be an object and nothing else', () => {
    const problem = 'structured_output_schema: must be of type "object"';
    expect(checkOutputSchema(text)).toBe(problem);
    expect(checkOutputSchema({ type: 'array', items: text })).toBe(problem);
    expect(checkOutputSchema(objectOf({}, { type: ['object', 'null'] }))).toBe(problem);
    expect(checkOutputSchema({ $ref: '#/$defs/A', $defs: { A: objectOf({}) } })).toBe(
      'structured_output_schema: must have a "type" field',
    );
    expect(checkOutputSchema(objectOf({}, { anyOf: [text] }))).toBe(
      'structured_output_schema: "type" cannot be combined with "anyOf"',
    );
  });
});

describe('the path in a message', () => {
  const wrong = { type: 'number', minimum: 1 };

  it('leads through objects, arrays, branches and definitions', () => {
    expect(findPath(objectOf({ net: wrong }))).toBe('.price.net');
    expect(findPath({ type: 'array', items: { type: 'array', items: objectOf({ net: wrong }) } })).toBe('.price[][].net');
    expect(findPath({ anyOf: [text, wrong] })).toBe('.price.anyOf[1]');
    expect(findPath(refTo('Money'), { Money: objectOf({ amount: wrong }) })).toBe('.$defs.Money.amount');
  });

  it('quotes names that need it, and truncates long ones', () => {
    expect(findPath(objectOf({ 'unit price': wrong }))).toBe('.price["unit price"]');
    expect(findPath(objectOf({ 'a.b"\n': wrong }))).toBe(String.raw`.price["a.b\"\n"]`);
    expect(findPath(objectOf({ 価格: wrong }))).toBe('.price.価格');
    expect(check({ type: 'number', ['k'.repeat(1000)]: 1 })?.length).toBeLessThan(200);
    const long = Array.from({ length: 4 }).reduce<Schema>((inner) => objectOf({ ['n'.repeat(1000)]: inner }), wrong);
    expect(checkOutputSchema(long)?.length).toBeLessThan(300);
  });
});

describe('nesting', () => {
  const levels = fc.array(fc.constantFrom('object', 'array'), { minLength: 0, maxLength: 8 });

  it('is accepted up to 5 levels of objects and arrays, including the root', () => {
    fc.assert(
      fc.property(levels, (kinds) => {
        const schema = objectOf({ a: kinds.reduceRight((inner, kind) => wrap(kind, inner), text as Schema) });
        const problem =
          kinds.length + 1 <= 5 ? /^accepted$/ : /: \.a.*: must not nest deeper than 5 levels of objects and arrays$/;
        expect(checkOutputSchema(schema) ?? 'accepted').toMatch(problem);
      }),
    );
  });

  it('counts the same through definitions, in any order, and through branches', () => {
    fc.assert(
      fc.property(levels, fc.boolean(), (kinds, reverse) => {
        const defs = kinds.map((kind, at): [string, Schema] => [
          `d${at}`,
          wrap(kind, at + 1 < kinds.length ? { anyOf: [nothing, refTo(`d${at + 1}`)] } : text),
        ]);
        const $defs = Object.fromEntries(reverse ? defs.toReversed() : defs);
        const schema = objectOf({ a: kinds.length > 0 ? refTo('d0') : text }, { $defs });
        expect(checkOutputSchema(schema) === null).toBe(kinds.length + 1 <= 5);
      }),
    );
  });

  it('names the place where the sixth level begins', () => {
    const six = ['f', 'e', 'd', 'c', 'b'].reduce<Schema>((inner, name) => objectOf({ [name]: inner, z: text }), objectOf({}));
    expect(checkOutputSchema(six)).toBe(
      'structured_output_schema: .b.c.d.e.f: must not nest deeper than 5 levels of objects and arrays',
    );
  });
});

describe('recursion', () => {
  it('of references and branches alone is rejected', () => {
    const problem = 'leads back to itself by "$ref" without an object or array between';
    const loops: Schema[] = [
      { A: refTo('A') },
      { A: refTo('B'), B: refTo('A') },
      { A: { anyOf: [text, refTo('B')] }, B: { anyOf: [refTo('A'), nothing] } },
    ];
    for (const $defs of loops) expect(check(refTo('A'), $defs)).toBe(`structured_output_schema: .$defs.A: ${problem}`);
    expect(check(text, { A: refTo('A') })).toContain(problem);
  });

  it('that no finite value can satisfy is rejected', () => {
    const problem = 'requires itself without end: make it nullable or the items of an array';
    expect(checkOutputSchema(objectOf({ me: { $ref: '#' } }))).toBe(`structured_output_schema: .me: ${problem}`);
    expect(check(refTo('A'), { A: objectOf({ b: refTo('B') }), B: objectOf({ a: refTo('A') }) })).toContain(problem);
    expect(check(refTo('A'), { A: { anyOf: [objectOf({ a: refTo('A') }), objectOf({ b: refTo('A') })] } })).toContain(problem);
    expect(check({ anyOf: [refTo('A'), nothing] }, { A: objectOf({ a: refTo('A') }) })).toContain(problem);
  });
});

describe('limits', () => {
  it('of 64 KB in UTF-8 and 500 properties are exact', () => {
    const available = 65_536 - Buffer.byteLength(JSON.stringify(objectOf({}, { description: '' })));
    expect(checkOutputSchema(objectOf({}, { description: 'x'.repeat(available) }))).toBeNull();
    const tooLarge = 'structured_output_schema: must not be larger than 65536 bytes';
    expect(checkOutputSchema(objectOf({}, { description: 'x'.repeat(available + 1) }))).toBe(tooLarge);
    expect(checkOutputSchema(objectOf({}, { description: 'é'.repeat(available / 2 + 1) }))).toBe(tooLarge);
    const flat = (count: number) => objectOf(listOf(count, (at) => [`p${at}`, nothing]));
    expect(checkOutputSchema(flat(500))).toBeNull();
    expect(checkOutputSchema(flat(501))).toBe('structured_output_schema: must not have more than 500 properties in all');
    const halves = objectOf({ ...listOf(250, (at) => [`p${at}`, nothing]) }, { $defs: { A: flat(251) } });
    expect(checkOutputSchema(halves)).toBe('structured_output_schema: must not have more than 500 properties in all');
  });

  it('can be set by the operator', () => {
    const schema = objectOf({ a: text, b: text });
    expect(checkOutputSchema(schema, { bytes: 1000, properties: 1 })).toContain('more than 1 properties');
    expect(checkOutputSchema(schema, { bytes: 50, properties: 500 })).toContain('larger than 50 bytes');
  });

  it('reject a small schema that requires a huge object', () => {
    const $defs = { B: repeatTwenty(refTo('C')), C: repeatTwenty(refTo('D')), D: repeatTwenty(text) };
    expect(check(refTo('D'), { D: repeatTwenty(text) })).toBeNull();
    expect(checkOutputSchema({ ...repeatTwenty(refTo('B')), $defs })).toBe(
      'structured_output_schema: needs more than 10000 values to conform, because objects are repeated by "$ref"',
    );
  });
});

/** Schemas made to be slow or to overflow the stack, most of them as large as 64 KB allow. */
function makeHostileSchemas(): Record<string, unknown> {
  const lastBack = (count: number, make: (to: string) => Schema) =>
    objectOf({ a: refTo('d0') }, { $defs: listOf(count, (at) => [`d${at}`, make(`d${(at + 1) % count}`)]) });
  const climbing = listOf(400, (at) => {
    const up = at === 399 ? [] : [refTo(`u${at + 1}`)];
    return [`u${at}`, { anyOf: [...up, at === 0 ? text : objectOf({ a: refTo(`u${at - 1}`) })] }];
  });
  return {
    'objects 100,000 deep': deepen((inner) => objectOf({ a: inner })),
    'arrays 100,000 deep': objectOf({ a: deepen((inner) => ({ type: 'array', items: inner })) }),
    'branches 100,000 deep': objectOf({ a: deepen((inner) => ({ anyOf: [inner] })) }),
    'a default 100,000 deep': objectOf({}, { default: deepen((inner) => [inner]) }),
    '10,000 properties': objectOf(listOf(10_000, (at) => [`p${at}`, text])),
    '10,000 properties that are unknown keywords': listOf(10_000, (at) => [`p${at}`, text]),
    'a ring of 1,900 references': lastBack(1900, refTo),
    'a ring of 480 objects': lastBack(480, (to) => objectOf({ n: refTo(to) })),
    'a union of 3,500 types': objectOf({ a: { anyOf: Array.from({ length: 3500 }, () => text) } }),
    'a union of 3,500 references to the root': objectOf({ a: { anyOf: Array.from({ length: 3500 }, () => ({ $ref: '#' })) } }),
    'an enum of 30,000 values': objectOf({ a: { type: 'integer', enum: Array.from({ length: 30_000 }, () => 1) } }),
    'recursion that is resolved one definition at a time': objectOf({ a: refTo('u0') }, { $defs: climbing }),
    'one megabyte of numbers': objectOf({}, { default: Array.from({ length: 500_000 }, () => 1) }),
  };
}

describe('a hostile schema', () => {
  it.each(Object.entries(makeHostileSchemas()))('%s is checked in bounded time', (_, schema) => {
    let problem: string | null = null;
    const measure = () => (problem = checkOutputSchema(schema));
    // The best of several: what the machine does beside it makes computing slower too.
    expect(Math.min(...[1, 2, 3].map(() => measureThreadMs(measure)))).toBeLessThan(1000);
    expect(String(problem).length).toBeLessThan(300);
  });
});
