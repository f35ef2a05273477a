import { UsageFault } from '../../exit-code.ts';
import { limitOption, readCredits, readLimit } from '../../input/options.ts';
import { formatTime, reportRows } from '../../output/print.ts';
import { defineRequest } from '../request-command.ts';

const scopes = ['account', 'project', 'key', 'application', 'schedule', 'external_user'];

const list = defineRequest('budget list', 'budget.list', {
  summary: 'List the budgets of an account, with what is used.',
  options: limitOption,
  examples: [['budget list', 'what keys, projects, and the account itself may cost']],
  input: ({ options }) => ({ limit: readLimit(options) }),
  report: reportRows('no budgets', {
    SCOPE: ({ scope }) => scope,
    ID: ({ id }) => id,
    PER: ({ period }) => period,
    USED: ({ used }) => String(used),
    RESERVED: ({ reserved }) => String(reserved),
    CREDITS: ({ credits }) => String(credits),
    'RESETS (UTC)': ({ resets_at: resetsAt }) => formatTime(resetsAt),
  }),
});

const set = defineRequest('budget set', 'budget.set', {
  summary: 'Limit what an account, project, key, application, or schedule may cost in a day or month.',
  args: { SCOPE: `What is limited: ${scopes.join(', ')}.`, CREDITS: 'The most that it may cost; none removes the budget.' },
  options: {
    id: { type: 'string', value: 'ID', about: 'ID of what is limited; not for account.' },
    per: { type: 'string', choices: ['day', 'month'], about: 'The period (default: month).' },
  },
  examples: [
    ['budget set account 1000', 'no more than 1,000 credits in a month'],
    ['budget set key 50 --id 0Ab… --per day', 'what one API key may cost in a day'],
    ['budget set account none', 'removes the budget'],
  ],
  input({ args, options }) {
    if (!scopes.includes(args.SCOPE)) throw new UsageFault(`SCOPE is one of ${scopes.join(', ')}`);
    const credits = args.CREDITS === 'none' ? null : readCredits('CREDITS', args.CREDITS);
    return { scope: args.SCOPE, id: options.id, period: options.per ?? 'month', credits };
  },
  report({ budget }) {
    if (!budget) return { text: 'removed' };
    return { text: `${budget.credits} credits per ${budget.period}, ${budget.used} used` };
  },
});

/** `errand budget …` */
export const budgetCommands = [list, set];
