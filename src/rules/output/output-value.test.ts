import { describe, expect, it } from 'vitest';
import { checkOutputSchema } from './output-schema.ts';
import { findMismatch } from './output-value.ts';

type Schema = Record<string, unknown>;

const text = { type: 'string' };

function objectOf(properties: Schema, more: Schema = {}): Schema {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false, ...more };
}

function check(schema: Schema, value: unknown, $defs: Schema = {}): string | null {
  return findMismatch(objectOf({ it: schema }, { $defs }), { it: value });
}

describe('conformance', () => {
  it('counts 1.0 as an integer, and neither NaN nor what JSON.parse makes of 1e400 as a number', () => {
    expect(check({ type: 'integer' }, JSON.parse('1.0'))).toBeNull();
    expect(check({ type: 'integer' }, 1e300)).toBeNull();
    expect(check({ type: 'integer' }, 1.5)).toBe('.it: expected integer, got 1.5');
    expect(check({ type: 'number' }, JSON.parse('1e400'))).toBe('.it: expected number, got Infinity');
    expect(check({ type: 'number' }, Number.NaN)).toBe('.it: expected number, got NaN');
  });

  it('considers own properties only', () => {
    const schema = objectOf({ constructor: text });
    expect(findMismatch(schema, {})).toBe('the property "constructor" is missing');
    expect(findMismatch(schema, Object.create({ constructor: 'a' }))).toBe('the property "constructor" is missing');
    expect(findMismatch(objectOf({}), JSON.parse('{"__proto__":{}}'))).toBe('the property "__proto__" is not in the schema');
  });

  it('distinguishes arrays and objects', () => {
    expect(check({ type: 'array', items: text }, {})).toBe('.it: expected array, got an object');
    expect(check(objectOf({}), [])).toBe('.it: expected object, got an array');
    expect(check({ ...objectOf({ a: text }), type: ['array', 'object', 'null'], items: text }, ['a'])).toBeNull();
  });
});

describe('the reported mismatch', () => {
  it('names the path and the expected value', () => {
    const order = objectOf({
      lines: { type: 'array', items: objectOf({ price: { type: ['number', 'null'] }, 'unit name': text }) },
    });
    expect(findMismatch(order, { lines: [{ price: 1, 'unit name': 'kg' }] })).toBeNull();
    expect(findMismatch(order, { lines: [{ price: '1', 'unit name': 'kg' }] })).toBe(
      '.lines[0].price: expected number or null, got "1"',
    );
    expect(findMismatch(order, { lines: [{ price: 1, 'unit name': null }] })).toBe(
      '.lines[0]["unit name"]: expected string, got null',
    );
    expect(findMismatch(order, { lines: [{ price: 1 }] })).toBe('.lines[0]: the property "unit name" is missing');
    expect(findMismatch(order, { lines: [], more: 1 })).toBe('the property "more" is not in the schema');
    expect(findMismatch(order, undefined)).toBe('expected object, got undefined');
  });

  it('lists the values of an enum, up to a limit', () => {
    expect(check({ type: 'string', enum: ['a', 'b'] }, 'c')).toBe('.it: expected "a" or "b", got "c"');
    const many = Array.from({ length: 1000 }, (_, at) => at);
    expect(check({ type: 'integer', enum: many }, -1)).toMatch(/^\.it: expected 0 or 1 or .* or 9 or …, got -1$/);
    expect(check(text, { a: 'x'.repeat(10_000) })).toBe('.it: expected string, got an object');
    expect(check({ type: 'null' }, 'x'.repeat(10_000))?.length).toBeLessThan(200);
  });

  it('is that of the closest branch', () => {
    const circle = objectOf({ kind: { type: 'string', enum: ['circle'] }, radius: { type: 'number' } });
    const square = objectOf({ kind: { type: 'string', enum: ['square'] }, side: { type: 'number' } });
    expect(check({ anyOf: [circle, square] }, { kind: 'square', side: '1' })).toBe('.it.side: expected number, got "1"');
    expect(check({ anyOf: [circle, square] }, 5)).toBe('.it: expected object, got 5');
  });
});

describe('recursive schemas', () => {
  const term = { $ref: '#/$defs/Term' };
  const binary = (operator: string) => objectOf({ left: term, right: term, operator: { type: 'string', enum: [operator] } });
  const Term = { anyOf: [binary('plus'), binary('minus'), { type: 'number' }] };
  const schema = objectOf({ it: term }, { $defs: { Term } });

  function grow(depth: number, innermost: unknown): unknown {
    return Array.from({ length: depth }).reduce((left) => ({ left, right: 1, operator: 'minus' }), innermost);
  }

  it('handle values of any depth, in time that does not multiply with the branches', () => {
    expect(checkOutputSchema(schema)).toBeNull();
    expect(findMismatch(schema, { it: grow(20_000, 1) })).toBeNull();
    const mismatch = findMismatch(schema, { it: grow(20_000, 'x') });
    expect(mismatch).toMatch(/^….*\.left\.left: expected object or number, got "x"$/);
    expect(mismatch?.length).toBeLessThan(300);
  });

  it('are followed through circular references', () => {
    const ring = {
      A: { anyOf: [{ $ref: '#/$defs/B' }, text] },
      B: objectOf({ a: { anyOf: [{ $ref: '#/$defs/A' }, { type: 'null' }] } }),
    };
    expect(check({ $ref: '#/$defs/A' }, { a: { a: { a: 'end' } } }, ring)).toBeNull();
    expect(check({ $ref: '#/$defs/A' }, { a: { a: { a: 1 } } }, ring)).toBe(
      '.it.a.a.a: expected object or string or null, got 1',
    );
  });
});
