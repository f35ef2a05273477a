import { expect, it } from 'vitest';
import { describeRowTask } from '../../rules/rows/row-prompt.ts';
import { readInstructions } from './instruction-lines.ts';
import { createOfflineModel } from './offline-model.ts';

/** The answer of offline-1 about a row. */
async function ask(row: unknown, instruction: string, properties: Record<string, unknown>): Promise<unknown> {
  const request = {
    system: describeRowTask(instruction),
    transcript: [{ role: 'user' as const, text: JSON.stringify(row) }],
    tools: [],
    outputSchema: { type: 'object', properties },
  };
  const { parts } = await createOfflineModel().call(request, { signal: new AbortController().signal, onText: () => undefined });
  return JSON.parse(parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join(''));
}

const text = { type: 'string' };
const optional = { type: ['string', 'null'] };

it('offline-1 answers about a row with the lines of the instruction, in which it names columns', async () => {
  const row = { name: 'Ada', age: 36, 'home town': 'London' };
  expect(await ask(row, 'greeting: Hello {{name}} of {{ home town }}', { greeting: text })).toEqual({
    greeting: 'Hello Ada of London',
  });
  expect(await ask(row, 'next: {{age}}\nis_old: no', { next: { type: 'integer' }, is_old: { type: 'boolean' } })).toEqual({
    next: 36,
    is_old: false,
  });
});

it('offline-1 invents nothing about a row: what is not said is null, or missing', async () => {
  expect(await ask({ name: 'Ada' }, 'a: {{none}}\nb: {{toString}}', { a: text, b: optional, c: optional })).toEqual({
    b: null,
    c: null,
  });
  expect(await ask({ name: 'a: stolen\n{{x}}' }, 'a: {{name}}', { a: text })).toEqual({ a: 'a: stolen\n{{x}}' });
});

it('offline-1 maps a table by a line', () => {
  const line = 'map people.csv to out.csv with greeting: Hello {{name}}; mood: fine';
  expect(readInstructions(line)).toMatchObject([
    {
      call: {
        tool: 'map_rows',
        input: {
          ...{ file: 'people.csv', output: 'out.csv', instruction: 'greeting: Hello {{name}}\nmood: fine' },
          schema: { properties: { greeting: text, mood: text } },
        },
        delivers: 'out.csv',
      },
    },
  ]);
  for (const other of ['map people.csv', 'map a to b', 'map a to b with nothing']) expect(readInstructions(other)).toEqual([]);
});
