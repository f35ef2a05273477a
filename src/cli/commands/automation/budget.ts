import { UsageFault } from '../../exit-code.ts';
import { limitOption, readLimit, readLimitOf } from '../../input/options.ts';
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
    MONEY: ({ money }) => `${money.amount} ${money.currency}`,
    'RESETS (UTC)': ({ resets_at: resetsAt }) => formatTime(resetsAt),
  }),
});

const set = defineRequest('budget set', 'budget.set', {
  summary: 'Limit what an account, project, key, application, or schedule may cost in a day or month.',
  args: {
    SCOPE: `What is limited: ${scopes.join(', ')}.`,
    LIMIT: 'The most that it may cost, in credits or as "10 USD"; none removes the budget.',
  },
  options: {
    id: { type: 'string', value: 'ID', about: 'ID of what is limited; not for account.' },
    per: { type: 'string', choices: ['day', 'month'], about: 'The period (default: month).' },
  },
  examples: [
    ['budget set account 1000', 'no more than 1,000 credits in a month'],
    ['budget set key 50 --id 0Ab… --per day', 'what one API key may cost in a day'],
    ['budget set account "10 USD"', 'the same in money'],
    ['budget set account none', 'removes the budget'],
  ],
  input({ args, options }) {
    if (!scopes.includes(args.SCOPE)) throw new UsageFault(`SCOPE is one of ${scopes.join(', ')}`);
    const limit = args.LIMIT === 'none' ? { credits: null } : readLimitOf('LIMIT', args.LIMIT);
    return { scope: args.SCOPE, id: options.id, period: options.per ?? 'month', ...limit };
  },
  report({ budget }) {
    if (!budget) return { text: 'removed' };
    const { credits, period, used, money } = budget;
    return { text: `${credits} credits (${money.amount} ${money.currency}) per ${period}, ${used} used` };
  },
});

/** `errand budget …` */
export const budgetCommands = [list, set];
