import { cleanLine } from '@errand/base/text/terminal-text.ts';
import { UsageFault } from '../exit-code.ts';
import { accountOption, limitOption, readLimit } from '../input/options.ts';
import { formatTime, printReport, reportRows } from '../output/print.ts';
import { withConnection } from '../transport/connect.ts';
import { defineCommand } from './command.ts';

function describeDetail(detail: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(detail).map(([name, value]) => `${name}=${value}`);
  return cleanLine(pairs.join(' '), 160);
}

const reportEvents = reportRows<{ kind: string; actor: string; detail: Record<string, string>; created_at: number }>(
  'no events',
  {
    'TIME (UTC)': ({ created_at }) => formatTime(created_at),
    EVENT: ({ kind }) => kind,
    BY: ({ actor }) => cleanLine(actor, 60),
    DETAILS: ({ detail }) => describeDetail(detail),
  },
);

const list = defineCommand({
  name: 'audit list',
  summary: 'Show the security log of an account: sign-ins, keys, teams and applications.',
  options: {
    instance: { type: 'boolean', about: 'What was done to the instance and its accounts in place of one account.' },
    ...limitOption,
    ...accountOption,
  },
  examples: [
    ['audit list --account ann@example.com', 'newest first'],
    ['audit list --instance', 'accounts that were created, changed, or deleted, and by whom'],
  ],
  run(shell, { options }) {
    const { instance, account, json } = options;
    if (instance && account !== undefined) throw new UsageFault('--instance cannot be combined with --account');
    const limit = readLimit(options);
    return withConnection(shell, { account }, async (connection) => {
      const result = await connection.call(instance ? 'instance.listEvents' : 'audit.list', { limit });
      return printReport(shell, json, { json: result, ...reportEvents(result) });
    });
  },
});

/** `errand audit …` */
export const auditCommands = [list];
