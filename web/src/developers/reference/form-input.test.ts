import { describe, expect, it } from 'vitest';
import type { Schema } from './api-document.ts';
import { getField, inputKind, isAbout, readInput, readJson, setField, writeInput } from './form-input.ts';

const api = { schemas: { Message: { type: 'object', properties: { content: { type: 'string' } } } satisfies Schema } };

describe('the form of a request', () => {
  it('fills in a field by what its schema takes', () => {
    const kinds: [Schema, string][] = [
      [{ type: 'string' }, 'text'],
      [{ type: 'string', maxLength: 10_000 }, 'long'],
      [{ type: 'integer' }, 'number'],
      [{ type: 'boolean' }, 'flag'],
      [{ enum: ['a', 'b'] }, 'choice'],
      [{ anyOf: [{ type: 'string' }, { type: 'array' }] }, 'mixed'],
      [{ type: 'array', items: { type: 'string' } }, 'json'],
      [{ type: 'object', additionalProperties: { type: 'string' } }, 'json'],
      [{ $ref: '#/components/schemas/Message' }, 'group'],
    ];
    expect(kinds.map(([schema]) => inputKind(api, schema))).toEqual(kinds.map(([, kind]) => kind));
    expect(inputKind(api, { $ref: '#/components/schemas/Message' }, 3)).toBe('json');
  });

  it('changes one field and nothing else, and drops what becomes empty', () => {
    const value = { message: { content: 'say hello' }, title: 'A' };
    expect(setField(value, ['message', 'content'], 'say bye')).toEqual({ message: { content: 'say bye' }, title: 'A' });
    expect(setField(value, ['message', 'content'], undefined)).toEqual({ title: 'A' });
    expect(setField({}, ['budget', 'credits'], 5)).toEqual({ budget: { credits: 5 } });
    expect(setField(value, ['nothing', 'here'], undefined)).toEqual(value);
    expect(getField(value, ['message', 'content'])).toBe('say hello');
    expect(getField(value, ['title', 'content'])).toBeUndefined();
  });

  it('reads what was typed by its kind, and refuses what cannot be read', () => {
    expect(readInput('number', '12')).toEqual({ value: 12 });
    expect(readInput('number', 'twelve')).toBeNull();
    expect(readInput('number', '')).toEqual({ value: undefined });
    expect(readInput('flag', 'false')).toEqual({ value: false });
    expect(readInput('json', '["a"')).toBeNull();
    expect(readInput('json', '["a"]')).toEqual({ value: ['a'] });
    expect(readInput('text', '12')).toEqual({ value: '12' });
    expect(readInput('mixed', '[{"type":"text"}]')).toEqual({ value: [{ type: 'text' }] });
    // A number is a text where texts are taken.
    expect(readInput('mixed', '12')).toEqual({ value: '12' });
    expect(readInput('mixed', '[not json')).toEqual({ value: '[not json' });
  });

  it('shows every value so that it is read back as the same', () => {
    const values: [Parameters<typeof writeInput>[0], unknown][] = [
      ['text', ' a '],
      ['number', 0],
      ['flag', true],
      ['mixed', [{ type: 'text', text: 'a' }]],
      ['json', { a: null }],
      ['json', 'a'],
    ];
    for (const [kind, value] of values) expect([kind, readInput(kind, writeInput(kind, value))]).toEqual([kind, { value }]);
  });

  it('takes JSON that is an object, and nothing else', () => {
    expect(readJson('{"a":1}')).toEqual({ a: 1 });
    expect(readJson(' ')).toEqual({});
    expect(['[]', 'null', '1', '{"a":'].map(readJson)).toEqual([null, null, null, null]);
  });

  it('shows a refusal at the field that it is about', () => {
    expect(isAbout('message.content[0].text', ['message', 'content'], 'mixed')).toBe(true);
    expect(isAbout('message.content', ['message'], 'group')).toBe(false);
    expect(isAbout('message', ['message'], 'group')).toBe(true);
    expect(isAbout('titles', ['title'], 'text')).toBe(false);
  });
});
