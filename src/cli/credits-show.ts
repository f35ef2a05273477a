import { accountOption, defineCommand } from './command.ts';
import { withConnection } from './connect.ts';
import { exitCode } from './exit-code.ts';
import { terminalLine, formatTable, formatTime, printJson, printText } from './output.ts';

export const creditsShow = defineCommand({
  name: 'credits show',
  summary: 'Show how many credits an account has, and the last changes.',
  args: {},
  options: accountOption,
  examples: [['credits show --account ann@example.com', 'her credits and what they were used for']],
  async run(shell, { options }) {
    return withConnection(shell, { account: options.account }, async (connection) => {
      const { data: credits } = await connection.call('usage.availableCredits');
      const { data: records } = await connection.call('usage.list');
      if (options.json) {
        printJson(shell, { credits, records });
        return exitCode.done;
      }
      const { total_credits: total, refresh_credits, periodic_credits, event_credits, addon_credits, free_credits } = credits;
      const parts = Object.entries({ refresh_credits, periodic_credits, event_credits, addon_credits, free_credits });
      const kinds = parts.map(([name, value]) => [name, String(value)]);
      printText(shell, formatTable([['total_credits', String(total)], ...kinds]));
      const rows = records.map((record) => [
        formatTime(record.created_at),
        record.type,
        String(record.credits),
        terminalLine(record.title, 80),
      ]);
      if (rows.length > 0) printText(shell, formatTable([['AT (UTC)', 'TYPE', 'CREDITS', 'FOR'], ...rows]));
      return exitCode.done;
    });
  },
});
