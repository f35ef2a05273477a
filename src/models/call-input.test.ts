import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readCallInput } from './call-input.ts';

describe('readCallInput', () => {
  it('parses any JSON that a tool can receive', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 20 }), (json) => {
        expect(readCallInput(json)).toEqual(JSON.parse(json));
      }),
    );
  });

  it('treats an empty text as an empty input', () => {
    expect(readCallInput(' ')).toEqual({});
  });

  it('returns invalid JSON as text', () => {
    expect(readCallInput('{"path": ')).toBe('{"path": ');
  });

  it('returns JSON that is too deep to serialize as text', () => {
    const deep = `{"a":${'['.repeat(200_000)}${']'.repeat(200_000)}}`;
    expect(readCallInput(deep)).toBe(deep);
  });

  it('does not count brackets inside strings', () => {
    const json = JSON.stringify({ text: '{["\\'.repeat(1_000) });
    expect(readCallInput(json)).toEqual(JSON.parse(json));
  });
});
