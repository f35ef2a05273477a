import { UsageFault } from '../exit-code.ts';
import { requireEmail } from '../input/options.ts';
import { passwordOption, readPassword } from '../input/standard-input.ts';
import { formatTable } from '../output/print.ts';
import { defineRequest } from './request-command.ts';

const create = defineRequest('account create', 'account.create', {
  summary: 'Create an account and print its ID and first API key.',
  options: {
    email: { type: 'string', value: 'EMAIL', about: 'E-mail address of its owner.' },
    plan: { type: 'string', choices: ['free', 'pro', 'team'], about: 'Plan of the account (default: pro).' },
    ...passwordOption,
  },
  examples: [['account create --email ann@example.com --plan free', 'prints account_id and api_key']],
  isForInstance: true,
  async input({ options }, shell) {
    const email = requireEmail(options);
    return { email, plan: options.plan, password: options['password-stdin'] ? await readPassword(shell) : undefined };
  },
  report: ({ account_id, api_key }) => ({
    text: formatTable(Object.entries({ account_id, api_key })),
    notes: ['the key is shown only once'],
  }),
});

const password = defineRequest('account password', 'account.setPassword', {
  summary: 'Set the password that the user of an account signs in with.',
  options: passwordOption,
  examples: [['account password --account ann@example.com --password-stdin < password.txt', 'from a file']],
  async input({ options }, shell) {
    if (!options['password-stdin']) throw new UsageFault('--password-stdin is missing');
    return { password: await readPassword(shell) };
  },
  report: () => ({ notes: ['the password is set'] }),
});

const signOut = defineRequest('account sign-out', 'account.signOut', {
  summary: 'Sign the user of an account out of all browsers.',
  details: 'API keys and connected apps keep working; revoke those with key revoke and in the settings of the account.',
  examples: [['account sign-out --account ann@example.com', 'when someone has left']],
  report: ({ ended }) => ({ notes: [`signed out of ${ended} ${ended === 1 ? 'browser' : 'browsers'}`] }),
});

/** `errand account …` */
export const accountCommands = [create, password, signOut];
