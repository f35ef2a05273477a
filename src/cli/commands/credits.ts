import { cleanLine } from '@errand/base/text/terminal-text.ts';
import { UsageFault } from '../exit-code.ts';
import { accountOption } from '../input/options.ts';
import { formatTable, formatTime, printReport, reportList } from '../output/print.ts';
import { withConnection } from '../transport/connect.ts';
import { defineCommand } from './command.ts';
import { defineRequest } from './request-command.ts';

/** `12 MB of 20480 MB, 3 of 1000000 files` */
function describeStorage(storage: Record<'bytes' | 'files' | 'max_bytes' | 'max_files', number>): string {
  const [used, limit] = [storage.bytes, storage.max_bytes].map((bytes) => `${Math.ceil(bytes / 1024 / 1024)} MB`);
  return `${used} of ${limit}, ${storage.files} of ${storage.max_files} files`;
}

const show = defineCommand({
  name: 'credits show',
  summary: 'Show the credits of an account, how much it stores, and its latest transactions.',
  options: accountOption,
  examples: [['credits show --account ann@example.com', 'her credits and how she used them']],
  async run(shell, { options: { account, json } }) {
    return withConnection(shell, { account }, async (connection) => {
      const { data: credits } = await connection.call('usage.availableCredits');
      const { data: records } = await connection.call('usage.list');
      const { total_credits, refresh_credits, periodic_credits, event_credits, addon_credits, free_credits } = credits;
      const kinds = { total_credits, refresh_credits, periodic_credits, event_credits, addon_credits, free_credits };
      const { text: transactions } = reportList(records, 'none', {
        'TIME (UTC)': (record) => formatTime(record.created_at),
        TYPE: (record) => record.type,
        CREDITS: (record) => String(record.credits),
        TITLE: (record) => cleanLine(record.title, 80),
      });
      const lines = Object.entries(kinds).map(([name, value]) => [name, String(value)]);
      if (credits.storage) lines.push(['storage', describeStorage(credits.storage)]);
      const balance = formatTable(lines);
      return printReport(shell, json, {
        text: transactions === undefined ? balance : `${balance}\n${transactions}`,
        json: { credits, records },
      });
    });
  },
});

const grant = defineRequest('credits grant', 'credits.grant', {
  summary: 'Give an account credits, or take some away.',
  args: { CREDITS: 'Number of credits.' },
  options: {
    take: { type: 'boolean', about: 'Take the credits away instead.' },
    title: { type: 'string', value: 'TEXT', about: 'Title of the transaction, shown to the account.' },
  },
  examples: [['credits grant 1000 --account ann@example.com --title "Welcome"', 'adds a transaction that usage.list shows']],
  input({ options: { take, title }, args: { CREDITS: credits } }) {
    if (!/^[1-9]\d{0,9}$/.test(credits)) throw new UsageFault('CREDITS must be a whole number above 0');
    return { credits: take ? -Number(credits) : Number(credits), title };
  },
  report: (_, { options, args }) => ({ text: `${options.take ? 'took' : 'granted'} ${args.CREDITS}` }),
});

/** `errand credits …` */
export const creditsCommands = [show, grant];
