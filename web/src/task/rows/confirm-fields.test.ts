import { expect, it } from 'vitest';
import { asksToAccept, readConfirmFields } from './confirm-fields.ts';

it('extracts the editable fields of any schema, and whether it requires a decision', () => {
  const schema = {
    type: 'object',
    properties: {
      accept: { type: 'boolean' },
      always_allow: { type: 'boolean', description: 'For all.' },
      choice: { enum: ['standard', 'premium'], title: 'Which' },
      amount: { type: 'integer' },
      name: { type: 'string' },
      secrets: { type: 'array', items: { type: 'object' } },
      odd: true,
    },
  };
  expect(asksToAccept(schema)).toBe(true);
  expect(readConfirmFields(schema)).toEqual([
    { kind: 'flag', name: 'always_allow', label: 'For all.' },
    { kind: 'choice', name: 'choice', label: 'Which', options: ['standard', 'premium'] },
    { kind: 'number', name: 'amount', label: 'amount' },
    { kind: 'text', name: 'name', label: 'name' },
  ]);
  for (const none of [{}, { properties: null }, { properties: [] }, { properties: 'accept' }]) {
    expect([asksToAccept(none), readConfirmFields(none)]).toEqual([false, []]);
  }
});
