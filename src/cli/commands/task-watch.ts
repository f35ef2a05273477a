import { exitCode } from '../exit-code.ts';
import { accountOption } from '../input/options.ts';
import { printJson, printNote, printText } from '../output/print.ts';
import { Progress } from '../tasks/progress.ts';
import { followTask } from '../tasks/task-follower.ts';
import { refuseUnattended } from '../tasks/unattended.ts';
import { withConnection } from '../transport/connect.ts';
import type { TaskEvent } from '../transport/operations.ts';
import { defineCommand } from './command.ts';

/** `errand task watch` */
export const taskWatch = defineCommand({
  name: 'task watch',
  summary: 'Follow a task from its beginning until it stops.',
  args: { TASK_ID: 'Task ID.' },
  options: accountOption,
  details: `A lost connection resumes where it broke off. Leaving (Ctrl-C) does not stop the task.
Exit code: 0 stopped, 1 ended with an error, 2 the agent asks a question, 130 interrupted.
With --json, the task and all its messages are printed once it has stopped.`,
  examples: [['task watch 0Ab…', 'the conversation, the plan and the actions']],
  async run(shell, { options, args }) {
    return withConnection(shell, { account: options.account }, async (connection) => {
      await refuseUnattended(shell, connection, args.TASK_ID);
      const messages: TaskEvent[] = [];
      const print = options.json ? () => undefined : (line: string) => printText(shell, line);
      const progress = new Progress(shell, { print, withConversation: true });
      const readerGone = new AbortController();
      shell.stdout.once('error', () => readerGone.abort());
      const turn = await followTask(connection, args.TASK_ID, {
        clock: shell.clock,
        signal: AbortSignal.any([shell.signal, readerGone.signal]),
        onItem(item) {
          if (options.json && item.kind === 'event') messages.push(item.event);
          else progress.onItem(item);
        },
        onTrouble: (problem) => progress.onTrouble(problem),
      });
      progress.end();
      if (options.json) {
        const { task } = await connection.call('task.detail', { task_id: args.TASK_ID });
        printJson(shell, { task, messages });
      } else if (turn.isOver) printNote(shell, `task ${args.TASK_ID} is ${turn.status}`);
      return turn.isOver ? turn.exit : exitCode.interrupted;
    });
  },
});
