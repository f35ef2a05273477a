import { expect, it } from 'vitest';
import { type GovernedCall, applyPolicies, type Policy, type PolicyRule, type PolicyScope } from './policy.ts';

const shell: GovernedCall = { tool: 'run_shell', params: { command: 'git push origin' } };
const issue: GovernedCall = { tool: 'mcp__tickets__create', serverName: 'create', connectorId: 'c1', params: { title: 'Tea' } };
const of = (scope: PolicyScope, ...rules: PolicyRule[]): Policy => ({ scope, rules });
const decide = (call: GovernedCall, ...policies: Policy[]) => applyPolicies(policies, call)?.decision ?? null;

it('says nothing of a call that no rule matches', () => {
  expect(decide(shell)).toBe(null);
  expect(decide(shell, of('account', { tool: 'run', decision: 'never' }, { tool: 'RUN_SHELL', decision: 'never' }))).toBe(null);
});

it('decides by the first rule of a policy that fulfills all conditions', () => {
  const rules = of(
    'account',
    { tool: 'run_shell', argument: 'git status', decision: 'always' },
    { tool: 'run_shell', argument: 'git push', decision: 'never' },
    { tool: '*', decision: 'ask' },
  );
  expect(decide(shell, rules)).toBe('never');
  expect(decide({ ...shell, params: { command: 'git status' } }, rules)).toBe('always');
  expect(decide({ ...shell, params: { command: 'ls' } }, rules)).toBe('ask');
  expect(decide(issue, rules)).toBe('ask');
});

it('decides by the strictest of several policies, in any order', () => {
  const policies = [
    of('project', { tool: '*', decision: 'always' }),
    of('team', { tool: 'run_shell', decision: 'never' }),
    of('account', { tool: '*', decision: 'ask' }),
  ];
  for (const each of [policies, policies.toReversed()]) {
    expect(applyPolicies(each, shell)).toEqual({ decision: 'never', scope: 'team' });
    expect(applyPolicies(each, issue)).toEqual({ decision: 'ask', scope: 'account' });
  }
});

it('knows tools of a connector by its id, and only with it by the names of its server', () => {
  expect(decide(issue, of('account', { tool: '*', connector: 'c1', decision: 'never' }))).toBe('never');
  expect(decide(issue, of('account', { tool: 'create', connector: 'c1', decision: 'never' }))).toBe('never');
  expect(decide(issue, of('account', { tool: issue.tool, decision: 'never' }))).toBe('never');
  expect(decide(issue, of('account', { tool: 'create', decision: 'never' }))).toBe(null);
  expect(decide(issue, of('account', { tool: '*', connector: 'c2', decision: 'never' }))).toBe(null);
  expect(decide(shell, of('account', { tool: '*', connector: 'c1', decision: 'never' }))).toBe(null);
});

it('looks for an argument as a plain text in the JSON of the arguments', () => {
  const about = (argument: string) => decide(shell, of('account', { tool: '*', argument, decision: 'ask' }));
  expect(['"command":"git', 'push', '}'].map(about)).toEqual(['ask', 'ask', 'ask']);
  expect(['.*', 'git*', 'Push', 'git  push'].map(about)).toEqual([null, null, null, null]);
});
