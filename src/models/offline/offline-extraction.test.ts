import { describe, expect, it } from 'vitest';
import { findMismatch } from '../../rules/output/output-value.ts';
import type { TranscriptEntry } from '../../rules/context/transcript.ts';
import { extractValue } from './offline-extraction.ts';

function object(properties: Record<string, unknown>): Record<string, unknown> {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
}

const person = object({
  name: { type: 'string' },
  age: { type: 'integer' },
  e_mail: { type: ['string', 'null'] },
  is_adult: { anyOf: [{ type: 'boolean' }, { type: 'null' }] },
});

function user(text: string): TranscriptEntry {
  return { role: 'user', text };
}

/** What the agent appends for an extraction. */
const question = user(`Extract the result as JSON of this JSON Schema:\n${JSON.stringify(person)}`);

describe('extractValue', () => {
  it('finds the latest conforming object, wherever it appears', () => {
    const ada = { name: 'Ada', age: 36, e_mail: null, is_adult: true };
    const bob = { ...ada, name: 'Bob' };
    const places: TranscriptEntry[] = [
      user(`take ${JSON.stringify(ada)} for example`),
      {
        role: 'tool',
        results: [{ callId: 'c', tool: 't', output: `{"other":1} \`\`\`json\n${JSON.stringify(bob)}\n\`\`\` {`, isError: false }],
      },
      { role: 'assistant', parts: [{ type: 'text', text: 'Nothing {here}.' }] },
    ];
    expect(extractValue(person, [...places, question])).toEqual(bob);
    expect(extractValue(person, [...places, user(JSON.stringify(ada)), question])).toEqual(ada);
  });

  it('converts field lines to the types of the schema', () => {
    const value = extractValue(person, [user('Name: Ada Lovelace\n- Age: 36\nis adult: yes'), question]);
    expect(value).toEqual({ name: 'Ada Lovelace', age: 36, e_mail: null, is_adult: true });
    expect(findMismatch(person, value)).toBeNull();
  });

  it('uses the last line of a field', () => {
    expect(extractValue(object({ n: { type: 'number' } }), [user('n: 1\nn: 2'), user('n: 3')])).toEqual({ n: 3 });
  });

  it('invents nothing', () => {
    const value = extractValue(person, [user('Nobody knows.'), question]);
    expect(value).toEqual({ e_mail: null, is_adult: null });
    expect(findMismatch(person, value)).not.toBeNull();
  });

  it('handles texts full of braces quickly', () => {
    const texts = [
      '{'.repeat(200_000),
      '{"'.repeat(100_000),
      `${'{'.repeat(100_000)}${'}'.repeat(100_000)}`,
      '{}'.repeat(100_000),
    ];
    for (const text of texts) expect(extractValue(person, [user(text)])).toEqual({ e_mail: null, is_adult: null });
  });
});
