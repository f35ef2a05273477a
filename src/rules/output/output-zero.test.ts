import { describe, expect, it } from 'vitest';
import { zeroValue } from './output-zero.ts';

type Schema = Record<string, unknown>;

const text = { type: 'string' };

function objectOf(properties: Schema, more: Schema = {}): Schema {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false, ...more };
}

/** The zero value of one property. */
function zeroOf(schema: Schema, $defs: Schema = {}): unknown {
  return (zeroValue(objectOf({ it: schema }, { $defs })) as Schema).it;
}

describe('the zero value', () => {
  it.each([
    ['string', ''],
    ['number', 0],
    ['integer', 0],
    ['boolean', false],
    ['null', null],
  ])('of %s is %j', (type, zero) => {
    expect(zeroOf({ type })).toBe(zero);
  });

  it('of an object has all its properties, of an array has no items', () => {
    const schema = objectOf({ a: text, b: objectOf({ c: { type: 'number' } }), d: { type: 'array', items: text } });
    expect(zeroValue(schema)).toEqual({ a: '', b: { c: 0 }, d: [] });
    expect(zeroValue(objectOf({}))).toEqual({});
  });

  it('of an enum is its first value', () => {
    expect(zeroOf({ type: 'string', enum: ['b', 'a'] })).toBe('b');
    expect(zeroOf({ type: ['integer', 'string'], enum: [7, 'a'] })).toBe(7);
  });

  it('is null wherever null conforms', () => {
    expect(zeroOf({ type: ['string', 'null'] })).toBeNull();
    expect(zeroOf({ type: ['string', 'null'], enum: ['a', null] })).toBeNull();
    expect(zeroOf({ anyOf: [objectOf({ a: text }), { type: 'null' }] })).toBeNull();
    expect(zeroOf({ anyOf: [text, { anyOf: [text, { type: 'null' }] }] })).toBeNull();
    expect(
      zeroOf({ $ref: '#/$defs/A' }, { A: { anyOf: [text, { $ref: '#/$defs/B' }] }, B: { type: ['null', 'number'] } }),
    ).toBeNull();
  });

  it('respects an enum without null', () => {
    expect(zeroOf({ type: ['string', 'null'], enum: ['a'] })).toBe('a');
  });

  it('is that of the first of several types or branches', () => {
    expect(zeroOf({ type: ['integer', 'string'] })).toBe(0);
    expect(zeroOf({ type: ['array', 'string'], items: text })).toEqual([]);
    expect(zeroOf({ anyOf: [objectOf({ a: text }), text] })).toEqual({ a: '' });
    expect(zeroOf({ anyOf: [{ $ref: '#/$defs/A' }, text] }, { A: objectOf({ a: { anyOf: [objectOf({}), text] } }) })).toEqual({
      a: {},
    });
  });

  it('of a recursive schema uses the branch that ends', () => {
    const sum = objectOf({ left: { $ref: '#/$defs/Term' }, right: { $ref: '#/$defs/Term' } });
    expect(zeroOf({ $ref: '#/$defs/Term' }, { Term: { anyOf: [sum, { type: 'number' }] } })).toBe(0);
    expect(zeroValue(objectOf({ next: { anyOf: [{ $ref: '#' }, { type: 'null' }] } }))).toEqual({ next: null });
    expect(zeroValue(objectOf({ children: { type: 'array', items: { $ref: '#' } } }))).toEqual({ children: [] });
    expect(zeroOf({ $ref: '#/$defs/A' }, { A: { ...objectOf({ a: { $ref: '#/$defs/A' } }), type: ['object', 'string'] } })).toBe(
      '',
    );
  });

  it('shares no objects between its parts', () => {
    const zero = zeroValue(
      objectOf({ a: { $ref: '#/$defs/A' }, b: { $ref: '#/$defs/A' } }, { $defs: { A: objectOf({}) } }),
    ) as Schema;
    expect(zero.a).not.toBe(zero.b);
  });

  it('has own properties only, whatever their names', () => {
    const zero = zeroValue(objectOf({ constructor: text, toString: text, hasOwnProperty: text }));
    expect(Object.keys(zero as object)).toEqual(['constructor', 'toString', 'hasOwnProperty']);
    expect(Object.getPrototypeOf(zero)).toBe(Object.prototype);
  });
});
