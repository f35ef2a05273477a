import { accountOption, defineCommand } from './command.ts';
import { withConnection } from './connect.ts';
import { exitCode, UsageFault } from './exit-code.ts';
import { terminalLine, formatTable, formatTime, printJson, printNote, printText } from './output.ts';

function describeDetail(detail: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(detail).map(([name, value]) => `${name}=${value}`);
  return terminalLine(pairs.join(' '), 160);
}

export const auditList = defineCommand({
  name: 'audit list',
  summary: 'Show what happened to the security of an account: sign-ins, keys, teams, applications.',
  args: {},
  options: {
    limit: { type: 'string', value: 'N', about: 'How many lines, 1 to 100 (default: 20).' },
    ...accountOption,
  },
  examples: [['audit list --account ann@example.com', 'the newest first']],
  async run(shell, { options }) {
    if (options.limit !== undefined && !/^([1-9]\d?|100)$/.test(options.limit)) {
      throw new UsageFault('--limit must be a number from 1 to 100');
    }
    return withConnection(shell, { account: options.account }, async (connection) => {
      const list = await connection.call('audit.list', { limit: options.limit });
      const rows = list.data.map((event) => [
        formatTime(event.created_at),
        event.kind,
        terminalLine(event.actor, 60),
        describeDetail(event.detail),
      ]);
      if (options.json) printJson(shell, list);
      else if (rows.length === 0) printNote(shell, 'nothing has happened');
      else printText(shell, formatTable([['TIME (UTC)', 'WHAT', 'BY', 'DETAIL'], ...rows]));
      return exitCode.done;
    });
  },
});
