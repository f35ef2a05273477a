import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readCallInput } from './call-input.ts';

describe('readCallInput', () => {
  it('reads any JSON a tool can be given', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 20 }), (json) => {
        expect(readCallInput(json)).toEqual(JSON.parse(json));
      }),
    );
  });

  it('takes nothing at all as an empty input', () => {
    expect(readCallInput(' ')).toEqual({});
  });

  it('leaves as text what is no JSON', () => {
    expect(readCallInput('{"path": ')).toBe('{"path": ');
  });

  it('leaves as text what could not be written out again without overflowing the stack', () => {
    const deep = `{"a":${'['.repeat(200_000)}${']'.repeat(200_000)}}`;
    expect(readCallInput(deep)).toBe(deep);
  });

  it('does not count brackets inside strings', () => {
    const json = JSON.stringify({ text: '{["\\'.repeat(1_000) });
    expect(readCallInput(json)).toEqual(JSON.parse(json));
  });
});
