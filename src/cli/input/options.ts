import { isEmailAddress } from '@errand/base/text/email-address.ts';
import { UsageFault } from '../exit-code.ts';
import type { OptionTable } from './command-shape.ts';

/** The option of commands that act for one account. */
export const accountOption = {
  account: {
    type: 'string',
    value: 'ACCOUNT',
    about: 'E-mail address or ID of the account to act for (default: the first account).',
  },
} as const satisfies OptionTable;

/** How many entries of a list to show. */
export const limitOption = {
  limit: { type: 'string', short: 'n', value: 'N', about: 'Number of entries, 1 to 100 (default: 20).' },
} as const satisfies OptionTable;

/** The value of an option that must be given. */
export function requireOption(options: Readonly<Record<string, unknown>>, name: string): string {
  const value = options[name];
  if (typeof value !== 'string') throw new UsageFault(`--${name} is missing`);
  return value;
}

/** The e-mail address given with `--email`, checked before anything is opened. */
export function requireEmail(options: Readonly<Record<string, unknown>>): string {
  const email = requireOption(options, 'email');
  if (!isEmailAddress(email)) throw new UsageFault('--email must be an e-mail address, such as ann@example.com');
  return email;
}

/** The value of `--limit`, checked before anything is opened. */
export function readLimit({ limit }: { limit?: string }): string | undefined {
  if (limit !== undefined && !/^([1-9]\d?|100)$/.test(limit)) throw new UsageFault('--limit must be a number from 1 to 100');
  return limit;
}

/** What replies may cost. */
export const budgetOption = {
  budget: {
    type: 'string',
    value: 'LIMIT',
    about: 'The most that each reply may cost, in credits or as 2.50 USD; at the limit the task waits.',
  },
} as const satisfies OptionTable;

type Limit = { credits: number } | { money: { amount: number; currency: string } };

/** A limit in credits, or an amount of money such as `2.50 USD`. */
export function readLimitOf(name: string, text: string): Limit {
  const [, amount = '', currency = ''] = /^(\d{1,9}(?:\.\d{1,6})?) ?([A-Za-z]{3})$/.exec(text) ?? [];
  if (currency !== '') return { money: { amount: Number(amount), currency: currency.toUpperCase() } };
  if (!/^[1-9]\d{0,9}$/.test(text)) {
    throw new UsageFault(`${name} takes a whole number of credits, at least 1, or an amount such as "2.50 USD"`);
  }
  return { credits: Number(text) };
}

/** The budget of `--budget`. */
export function readBudget({ budget }: { budget?: string }): Limit | undefined {
  return budget === undefined ? undefined : readLimitOf('--budget', budget);
}

/** The number of tasks that an option or argument names. */
export function readRunningTasks(name: string, text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new UsageFault(`${name} takes a number of tasks, at least 1`);
  return Number(text);
}

/** The priority of a task among those that wait. */
export const priorityOption = {
  priority: { type: 'string', choices: ['low', 'normal', 'high'], about: 'Which of your waiting tasks starts first.' },
} as const satisfies OptionTable;

/** A recipe in place of a message. */
export const recipeOptions = {
  recipe: { type: 'string', value: 'ID', about: 'Recipe in place of the message, as shown by recipe list.' },
  value: { type: 'string', multiple: true, value: 'NAME=TEXT', about: 'The value of a field of the recipe; repeatable.' },
} as const satisfies OptionTable;

/** The values of `--value`. */
export function readValues({ value }: { value?: readonly string[] | undefined }): Record<string, string> | undefined {
  if (value === undefined) return undefined;
  return Object.fromEntries(
    value.map((pair) => {
      const at = pair.indexOf('=');
      if (at < 1) throw new UsageFault('--value must be NAME=TEXT');
      return [pair.slice(0, at), pair.slice(at + 1)];
    }),
  );
}

/** How long tasks wait for a person. */
export const decisionOptions = {
  'decision-timeout': {
    type: 'string',
    value: 'SECONDS',
    about: 'How long it waits for a person (default: as long as it takes). Then actions are not done.',
  },
  'decision-answer': {
    type: 'string',
    value: 'TEXT',
    about: 'The answer to a question that nobody answers in time (default: its own judgement).',
  },
} as const satisfies OptionTable;

/** What `decisionOptions` ask for. */
export function readDecisionTimeout(options: {
  'decision-timeout'?: string;
  'decision-answer'?: string;
}): { seconds: number; answer: string | undefined } | undefined {
  const { 'decision-timeout': seconds, 'decision-answer': answer } = options;
  if (seconds === undefined && answer === undefined) return undefined;
  if (seconds === undefined) throw new UsageFault('--decision-answer needs --decision-timeout');
  if (!/^[1-9]\d{0,8}$/.test(seconds)) throw new UsageFault('--decision-timeout takes a number of seconds, at least 10');
  return { seconds: Number(seconds), answer };
}

/** Metadata of tasks. */
export const metadataOption = {
  metadata: { type: 'string', multiple: true, value: 'KEY=VALUE', about: 'Metadata of the task; repeatable.' },
} as const satisfies OptionTable;

/** The pairs of `--metadata`. */
export function readPairs({ metadata }: { metadata?: readonly string[] }): Record<string, string> | undefined {
  if (metadata === undefined) return undefined;
  const pairs = metadata.map((pair): [string, string] => {
    const at = pair.indexOf('=');
    if (at < 1) throw new UsageFault('--metadata must be a key and a value, such as order=42');
    return [pair.slice(0, at), pair.slice(at + 1)];
  });
  return Object.fromEntries(pairs);
}

/** The person for whom a task is created. */
export const externalUserOption = {
  'external-user': { type: 'string', value: 'ID', about: 'Your own ID of the person for whom the task is created.' },
} as const satisfies OptionTable;
