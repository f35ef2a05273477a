import { accountOption, defineCommand } from './command.ts';
import { withConnection } from './connect.ts';
import { exitCode, UsageFault } from './exit-code.ts';
import { terminalLine, formatTable, formatTime, printJson, printNote, printText } from './output.ts';

export const taskList = defineCommand({
  name: 'task list',
  summary: 'List tasks, the newest first.',
  args: {},
  options: {
    limit: { type: 'string', short: 'n', value: 'N', about: 'How many, 1 to 100 (default: 20).' },
    order: { type: 'string', choices: ['desc', 'asc'], about: 'By creation: newest first (desc, default) or oldest first.' },
    cursor: { type: 'string', value: 'CURSOR', about: 'Goes on where an earlier list ended.' },
    ...accountOption,
  },
  examples: [
    ['task list --limit 5', 'the five newest'],
    ['task list --json', 'for a program; next_cursor continues the list'],
  ],
  async run(shell, { options }) {
    const { limit, order, cursor } = options;
    if (limit !== undefined && !/^([1-9]\d?|100)$/.test(limit)) throw new UsageFault('--limit must be a number from 1 to 100');
    return withConnection(shell, { account: options.account }, async (connection) => {
      const page = await connection.call('task.list', { limit, order, cursor });
      if (options.json) {
        printJson(shell, page);
        return exitCode.done;
      }
      const rows = page.data.map((task) => [
        task.id,
        terminalLine(task.status),
        formatTime(task.created_at),
        terminalLine(task.title, 80),
      ]);
      if (rows.length === 0) printNote(shell, 'no tasks');
      else printText(shell, formatTable([['ID', 'STATUS', 'CREATED (UTC)', 'TITLE'], ...rows]));
      if (page.next_cursor !== undefined) printNote(shell, `more: errand task list --cursor ${page.next_cursor}`);
      return exitCode.done;
    });
  },
});
