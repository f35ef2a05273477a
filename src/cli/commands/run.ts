import { cleanLine, cleanText } from '@errand/base/text/terminal-text.ts';
import { exitCode, UsageFault } from '../exit-code.ts';
import { accountOption } from '../input/options.ts';
import { printJson, printNote, printText } from '../output/print.ts';
import type { Shell } from '../shell.ts';
import { copyArtifacts, type CopiedFile } from '../tasks/artifact-copy.ts';
import { Progress } from '../tasks/progress.ts';
import { followTask } from '../tasks/task-follower.ts';
import { messageOptions, promptArgument, readMessage, writeMessage } from '../tasks/task-message.ts';
import type { TaskTurn } from '../tasks/task-turn.ts';
import { connect } from '../transport/connect.ts';
import type { Connection } from '../transport/connection.ts';
import { defineCommand } from './command.ts';

interface Outcome {
  taskId: string;
  title: string;
  url: string;
  turn: TaskTurn;
  files: CopiedFile[] | null;
}

function reportJson(shell: Shell, { taskId, title, url, turn, files }: Outcome): void {
  const stopReasons: Record<string, string> = { stopped: 'finish', waiting: 'ask' };
  printJson(shell, {
    task_id: taskId,
    task_title: title,
    task_url: url,
    status: turn.status,
    stop_reason: stopReasons[turn.status] ?? null,
    message: turn.message ?? turn.question,
    ...(turn.error !== null && { error: { code: 'task_error', message: turn.error } }),
    ...(turn.output !== null && { structured_output: turn.output }),
    ...(files !== null && { files }),
  });
}

function reportText(shell: Shell, { taskId, turn, files }: Outcome, folder: string | undefined): void {
  const said = turn.question ?? turn.message;
  if (said !== null) printText(shell, cleanText(said));
  if (turn.output !== null) printText(shell, JSON.stringify(turn.output.value, null, 2));
  if (turn.output?.error) printNote(shell, `no structured output: ${cleanLine(turn.output.error)}`);
  for (const { path } of files ?? []) printNote(shell, `wrote ${folder}/${cleanLine(path)}`);
  if (turn.status === 'waiting') printNote(shell, `The task is waiting for your answer: errand task send ${taskId} "…"`);
}

/** Follows the task to the end of its turn. An interrupt stops the task. */
async function followToEnd(shell: Shell, connection: Connection, taskId: string): Promise<TaskTurn> {
  const progress = new Progress(shell, { print: (line) => printNote(shell, line), withConversation: false });
  const turn = await followTask(connection, taskId, {
    clock: shell.clock,
    signal: shell.signal,
    onItem: (item) => progress.onItem(item),
    onTrouble: (problem) => progress.onTrouble(problem),
  });
  progress.end();
  if (shell.signal.aborted && !turn.isOver) {
    await connection.call('task.stop', { task_id: taskId });
    turn.status = 'stopped';
    printNote(shell, `stopped task ${taskId}`);
  }
  return turn;
}

/** `errand run` */
export const run = defineCommand({
  name: 'run',
  summary: 'Run a task, wait for it to finish and print the result.',
  args: promptArgument,
  options: {
    ...messageOptions,
    out: { type: 'string', short: 'o', value: 'DIR', about: 'Write the files that the task delivers to this folder.' },
    interactive: { type: 'boolean', about: 'Let the agent ask questions (default).' },
    unattended: { type: 'boolean', about: 'Never ask; the agent makes its own assumptions.' },
    profile: { type: 'string', value: 'PROFILE', about: 'service-1.6 (default), service-1.6-lite or service-1.6-max.' },
    ...accountOption,
  },
  details: `Progress goes to standard error, the final message to standard output. Interrupting (Ctrl-C) stops the task.
Exit code: 0 finished, 1 ended with an error, 2 the agent asks a question, 130 interrupted.`,
  examples: [
    ['run "write hello.md with Hello" --out ./result', 'writes the files to ./result'],
    ['run "Who leads the table?" --schema answer.schema.json --json', 'structured output for a program'],
  ],
  async run(shell, { options, args }) {
    if (options.interactive && options.unattended) throw new UsageFault('--interactive cannot be combined with --unattended');
    const message = await readMessage(shell, args.PROMPT, options);
    const connection = await connect(shell, { account: options.account, isWorking: true });
    try {
      const created = await connection.call('task.create', {
        ...(await writeMessage(message, connection)),
        agent_profile: options.profile,
        interactive_mode: options.unattended !== true,
      });
      const { task_id: taskId, task_title: title, task_url: url } = created;
      printNote(shell, `task ${taskId}`);
      const turn = await followToEnd(shell, connection, taskId);
      const files = options.out === undefined ? null : await copyArtifacts(connection, taskId, options.out);
      const outcome = { taskId, title, url, turn, files };
      if (options.json) reportJson(shell, outcome);
      else reportText(shell, outcome, options.out);
      return shell.signal.aborted ? exitCode.interrupted : turn.exit;
    } finally {
      await connection.close();
    }
  },
});
