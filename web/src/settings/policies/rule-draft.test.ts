import { expect, it } from 'vitest';
import { draftOf, movedUp, rulesOf } from './rule-draft.ts';

it('a rule survives its form, where empty fields mean any', () => {
  const rules = [
    { tool: 'run_shell', argument: 'git push', decision: 'ask' as const },
    { tool: '*', connector: 'c1', decision: 'never' as const },
  ];
  const drafts = rules.map(draftOf);
  expect(drafts[1]?.tool).toBe('');
  expect(rulesOf(drafts)).toEqual(rules);
  expect(rulesOf([draftOf()])).toEqual([{ tool: '*', decision: 'ask' }]);
});

it('a rule moves before the one above it, and the first one stays', () => {
  expect([movedUp(['a', 'b', 'c'], 2), movedUp(['a', 'b'], 0)]).toEqual([
    ['a', 'c', 'b'],
    ['a', 'b'],
  ]);
});
