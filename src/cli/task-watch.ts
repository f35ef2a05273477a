import { accountOption, defineCommand } from './command.ts';
import { withConnection } from './connect.ts';
import type { Connection } from './connection.ts';
import { CommandFault, exitCode } from './exit-code.ts';
import { Narrator } from './narrator.ts';
import type { TaskEvent } from './operations.ts';
import { printJson, printNote, printText } from './output.ts';
import type { Shell } from './shell.ts';
import { followStream } from './task-follower.ts';
import { taskIdArgument } from './task-id.ts';

/** Nothing happens to a running task in a data folder that no service runs on. */
async function refuseUnattended(shell: Shell, connection: Connection, taskId: string): Promise<void> {
  const { task } = await connection.call('task.detail', { task_id: taskId });
  if (task.status !== 'running' || connection.kind !== 'own' || shell.config.secrets.databaseUrl !== null) return;
  throw new CommandFault(`no service runs on ${shell.config.dataDir}, so nothing happens to this task; start one: errand serve`);
}

export const taskWatch = defineCommand({
  name: 'task watch',
  summary: 'Tell what happens in a task, from its beginning until it stops.',
  args: taskIdArgument,
  options: accountOption,
  details: `A connection that breaks is taken up again where it was. Leaving (Ctrl-C) does not stop the task.
Exit code: 0 stopped, 1 ended with an error, 2 the agent asks a question, 130 interrupted.
With --json the task and all its messages are printed when it has stopped.`,
  examples: [['task watch 0Ab…', 'the conversation, the plan and what was done']],
  async run(shell, { options, args }) {
    return withConnection(shell, { account: options.account }, async (connection) => {
      await refuseUnattended(shell, connection, args.TASK_ID);
      const messages: TaskEvent[] = [];
      const report = options.json ? () => undefined : (line: string) => printText(shell, line);
      const narrator = new Narrator(shell, { report, withConversation: true });
      const readerGone = new AbortController();
      shell.stdout.once('error', () => readerGone.abort());
      const turn = await followStream(connection, args.TASK_ID, {
        clock: shell.clock,
        signal: AbortSignal.any([shell.signal, readerGone.signal]),
        onItem(item) {
          if (options.json && item.kind === 'event') messages.push(item.event);
          else narrator.onItem(item);
        },
        onTrouble: (problem) => narrator.onTrouble(problem),
      });
      narrator.end();
      if (options.json) {
        const { task } = await connection.call('task.detail', { task_id: args.TASK_ID });
        printJson(shell, { task, messages });
      } else if (turn.isOver) printNote(shell, `task ${args.TASK_ID} is ${turn.status}`);
      if (!turn.isOver) return exitCode.interrupted;
      if (turn.status === 'waiting') return exitCode.asked;
      return turn.status === 'stopped' ? exitCode.done : exitCode.failed;
    });
  },
});
