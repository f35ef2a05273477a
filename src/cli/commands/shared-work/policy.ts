import { cleanLine } from '@errand/base/text/terminal-text.ts';
import { UsageFault } from '../../exit-code.ts';
import { limitOption, readLimit } from '../../input/options.ts';
import { formatTime, reportRows } from '../../output/print.ts';
import type { ResultOf } from '../../transport/operations.ts';
import { defineRequest } from '../request-command.ts';

const scopes = ['account', 'team', 'project'];

/** `never run_shell "git push"`. */
function describeRule({ decision, tool, connector, argument }: ResultOf<'policy.list'>['data'][number]['rules'][number]): string {
  const from = connector === undefined ? '' : ` of ${connector}`;
  const about = argument === undefined ? '' : ` ${JSON.stringify(argument)}`;
  return `${decision} ${tool}${from}${about}`;
}

const list = defineRequest('policy list', 'policy.list', {
  summary: 'List what agents of an account may do without asking, have to ask for, and may not do.',
  options: limitOption,
  examples: [['policy list', 'the rules of the account, its projects, and its team']],
  input: ({ options }) => ({ limit: readLimit(options) }),
  report: reportRows('no policies', {
    SCOPE: ({ scope }) => scope,
    ID: ({ id }) => id,
    'CHANGED (UTC)': ({ updated_at: updatedAt }) => formatTime(updatedAt),
    RULES: ({ rules }) => cleanLine(rules.map(describeRule).join('; '), 200),
  }),
});

function readRules(text: string): unknown[] {
  if (text === 'none') return [];
  try {
    const rules: unknown = JSON.parse(text);
    if (Array.isArray(rules)) return rules;
  } catch {
    // Reported below, as any other value that is no list.
  }
  throw new UsageFault('RULES is a JSON array of rules, or none');
}

const set = defineRequest('policy set', 'policy.set', {
  summary: 'Set or remove the policy of an account, a team, or a project.',
  args: {
    SCOPE: `What it applies to: ${scopes.join(', ')}.`,
    RULES: 'All rules as a JSON array of {tool, connector, argument, decision}; none removes the policy.',
  },
  options: { id: { type: 'string', value: 'ID', about: 'ID of the project; not needed for account and team.' } },
  details: 'A decision is always, ask, or never. The first rule that matches decides, and of several policies the strictest.',
  examples: [
    [`policy set account '[{"tool":"run_shell","argument":"git push","decision":"never"}]'`, 'no push from any task'],
    [`policy set project '[{"tool":"*","decision":"ask"}]' --id 0Ab…`, 'every call in a project is confirmed'],
    ['policy set account none', 'removes the policy'],
  ],
  input({ args, options }) {
    if (!scopes.includes(args.SCOPE)) throw new UsageFault(`SCOPE is one of ${scopes.join(', ')}`);
    return { scope: args.SCOPE, id: options.id, rules: readRules(args.RULES) };
  },
  report({ policy }) {
    return { text: policy ? policy.rules.map(describeRule).join('\n') : 'removed' };
  },
});

/** `errand policy …` */
export const policyCommands = [list, set];
