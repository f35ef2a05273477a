import { cleanLine } from '@errand/base/text/terminal-text.ts';
import { UsageFault } from '../exit-code.ts';
import type { ResultOf } from '../transport/operations.ts';
import { limitOption, readLimit, readRunningTasks, requireEmail } from '../input/options.ts';
import { passwordOption, readPassword } from '../input/standard-input.ts';
import { columns, formatTable, formatTime, reportRows } from '../output/print.ts';
import { accountArchiveCommands } from './instance/account-archive.ts';
import { defineRequest, reportDone } from './request-command.ts';

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

const accountArgument = { ACCOUNT: 'E-mail address or ID of the account.' };

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

const passwordLink = defineRequest('account password-link', 'instance.createPasswordLink', {
  summary: 'Print a link with which the user of an account sets a new password.',
  details: 'The link works once, for 30 minutes. Whoever has it can set the password: send it to that user alone.',
  args: accountArgument,
  examples: [['account password-link ann@example.com', 'for a user who forgot the password, or never had one']],
  isForInstance: true,
  input: ({ args }) => ({ account_id: args.ACCOUNT }),
  report: ({ url, expires_at }) => ({ text: url, notes: [`it works once, until ${formatTime(expires_at)}`] }),
});

const twoStepOff = defineRequest('account two-step-off', 'instance.removeTwoStep', {
  summary: 'Turn two-step sign-in off for a user who lost the authenticator app and the recovery codes.',
  details:
    'Make sure who asks: the password alone is enough from then on. The user is told by mail, where the service sends any.',
  args: accountArgument,
  examples: [['account two-step-off ann@example.com', 'for a user who is locked out']],
  isForInstance: true,
  input: ({ args }) => ({ account_id: args.ACCOUNT }),
  report: ({ is_mailed }) => ({
    notes: [`two-step sign-in is off; ${is_mailed ? 'the user was sent a mail' : 'no mail was sent'}`],
  }),
});

const signOut = defineRequest('account sign-out', 'account.signOut', {
  summary: 'Sign the user of an account out of all browsers.',
  details: 'API keys and connected apps keep working; revoke those with key revoke and in the settings of the account.',
  examples: [['account sign-out --account ann@example.com', 'when someone has left']],
  report: ({ ended }) => ({ notes: [`signed out of ${ended} ${ended === 1 ? 'browser' : 'browsers'}`] }),
});

const list = defineRequest('account list', 'instance.listAccounts', {
  summary: 'List the accounts of the instance, oldest first.',
  options: {
    status: { type: 'string', choices: ['active', 'disabled', 'deleting'], about: 'Only accounts with this status.' },
    query: { type: 'string', value: 'TEXT', about: 'Only accounts whose address contains this text.' },
    cursor: { type: 'string', value: 'CURSOR', about: 'next_cursor of the page before, as printed with --json.' },
    ...limitOption,
  },
  examples: [['account list --query example.com', 'the accounts of one domain']],
  isForInstance: true,
  input: ({ options }) => {
    const { status, query, cursor } = options;
    return { status, query, cursor, limit: readLimit(options) };
  },
  report: reportRows('no accounts', {
    ...columns.id,
    ...columns.status,
    PLAN: ({ plan }) => plan,
    ...columns.created,
    EMAIL: ({ email }) => email,
  }),
});

function describeQuotas(quotas: ResultOf<'instance.updateAccount'>['account']['quotas']): string {
  const { max_running_tasks: running, weight, retention_days: days = null } = quotas;
  return `${running ?? 'default number of'} tasks at once, weight ${weight}${days === null ? '' : `, tasks kept for ${days} days`}`;
}

const show = defineRequest('account show', 'instance.accountDetail', {
  summary: 'Show what an account has: credits, storage, tasks, and keys.',
  args: accountArgument,
  examples: [['account show ann@example.com', 'by its address']],
  isForInstance: true,
  input: ({ args }) => ({ account_id: args.ACCOUNT }),
  report: ({ account }) => {
    const { id, email, plan, status, created_at, usage, storage, packed_workspaces, tasks, keys, quotas, has_two_step } = account;
    const counts = Object.entries(tasks).map(([state, count]) => `${count} ${state}`);
    const rows = {
      id,
      email,
      status,
      plan,
      created: formatTime(created_at),
      credits: String(usage.total_credits),
      'two-step sign-in': has_two_step ? 'on' : 'off',
      quota: describeQuotas(quotas),
      storage: `${storage.bytes} of ${storage.max_bytes} bytes, ${storage.files} of ${storage.max_files} files`,
      'packed workspaces': `${packed_workspaces.count} in ${packed_workspaces.bytes} bytes`,
      tasks: counts.join(', '),
      keys: keys.map(({ name, tail }) => `${name} …${tail}`).join(', ') || 'none',
    };
    return { text: formatTable(Object.entries(rows).map(([name, value]) => [name, cleanLine(value, 400)])) };
  },
});

const quota = defineRequest('account quota', 'instance.updateAccount', {
  summary: 'Set how many tasks of an account run at once, its share of the workers, and how long tasks are kept.',
  args: accountArgument,
  options: {
    'running-tasks': {
      type: 'string',
      value: 'N',
      about: 'How many of its tasks run at once; default for the limit of the instance.',
    },
    weight: { type: 'string', value: 'N', about: 'Its share beside other accounts, 1 (default) to 1000.' },
    'retention-days': {
      type: 'string',
      value: 'N',
      about: 'Days after their end that its tasks are deleted; default for those of the instance.',
    },
  },
  examples: [
    ['account quota ann@example.com --running-tasks 20', 'on all workers together'],
    ['account quota ann@example.com --weight 3', 'three times the share of others while workers are busy'],
    ['account quota ann@example.com --retention-days 90', 'its tasks are deleted 90 days after their end'],
  ],
  isForInstance: true,
  input({ args, options }) {
    const { 'running-tasks': running, weight, 'retention-days': days } = options;
    if ([running, weight, days].every((one) => one === undefined)) {
      throw new UsageFault('name --running-tasks, --weight, or --retention-days');
    }
    if (days !== undefined && !/^([1-9]\d{0,4}|default)$/.test(days))
      throw new UsageFault('--retention-days takes a number of days, or default');
    if (weight !== undefined && !/^[1-9]\d{0,3}$/.test(weight)) throw new UsageFault('--weight takes a number from 1 to 1000');
    const most = running === undefined || running === 'default' ? null : readRunningTasks('--running-tasks', running);
    return {
      account_id: args.ACCOUNT,
      quotas: {
        ...(running !== undefined && { max_running_tasks: most }),
        ...(weight !== undefined && { weight: Number(weight) }),
        ...(days !== undefined && { retention_days: days === 'default' ? null : Number(days) }),
      },
    };
  },
  report: ({ account: { quotas } }) => ({
    text: describeQuotas(quotas),
  }),
});

const disable = defineRequest('account disable', 'instance.updateAccount', {
  summary: 'Refuse the credentials of an account and stop its tasks until it is enabled.',
  args: accountArgument,
  examples: [['account disable ann@example.com', 'its keys are answered with 403']],
  isForInstance: true,
  input: ({ args }) => ({ account_id: args.ACCOUNT, status: 'disabled' }),
  report: reportDone('disabled'),
});

const enable = defineRequest('account enable', 'instance.updateAccount', {
  summary: 'Restore an account that was disabled.',
  args: accountArgument,
  examples: [['account enable ann@example.com', 'its keys work again']],
  isForInstance: true,
  input: ({ args }) => ({ account_id: args.ACCOUNT, status: 'active' }),
  report: reportDone('enabled'),
});

const owner = defineRequest('account owner', 'instance.updateAccount', {
  summary: 'Let the user of an account administer the instance in the web application.',
  args: accountArgument,
  options: { revoke: { type: 'boolean', about: 'Take that back.' } },
  examples: [
    ['account owner ann@example.com', 'she finds the instance in the sidebar'],
    ['account owner ann@example.com --revoke', 'her tasks and keys stay as they are'],
  ],
  isForInstance: true,
  input: ({ args, options }) => ({ account_id: args.ACCOUNT, instance_owner: options.revoke !== true }),
  report: reportDone('changed'),
});

const remove = defineRequest('account delete', 'instance.deleteAccount', {
  summary: 'Permanently delete an account and everything of it.',
  args: accountArgument,
  options: { yes: { type: 'boolean', about: 'Required, because nothing can be restored but from a backup.' } },
  examples: [['account delete ann@example.com --yes', 'its tasks, files, and records are removed']],
  isForInstance: true,
  input: ({ args, options }) => {
    if (!options.yes)
      throw new UsageFault('--yes is missing: the account, its tasks, files, and records are removed permanently');
    return { account_id: args.ACCOUNT };
  },
  report: ({ account_id }) => ({
    text: `deleting ${account_id}`,
    notes: ['a running service removes what the account has; account show no longer finds it when that is done'],
  }),
});

/** `errand account …` */
export const accountCommands = [
  ...[create, list, show, quota, disable, enable, owner, remove],
  ...accountArchiveCommands,
  ...[password, passwordLink, twoStepOff, signOut],
];
