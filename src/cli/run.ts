import { copyArtifacts, type CopiedFile } from './artifact-copy.ts';
import { connect } from './connect.ts';
import type { Connection } from './connection.ts';
import { accountOption, defineCommand } from './command.ts';
import { type ExitCode, exitCode, UsageFault } from './exit-code.ts';
import { Narrator } from './narrator.ts';
import { terminalLine, terminalText, printJson, printNote, printText } from './output.ts';
import type { Shell } from './shell.ts';
import { followStream } from './task-follower.ts';
import { messageOptions, readMessageArgument, writeMessage } from './task-message.ts';
import type { TaskTurn } from './task-turn.ts';

interface Outcome {
  taskId: string;
  title: string;
  url: string;
  turn: TaskTurn;
  files: CopiedFile[] | null;
}

function chooseExit({ turn }: Outcome, isInterrupted: boolean): ExitCode {
  if (isInterrupted) return exitCode.interrupted;
  if (turn.status === 'waiting') return exitCode.asked;
  return turn.status === 'stopped' ? exitCode.done : exitCode.failed;
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
  if (said !== null) printText(shell, terminalText(said));
  if (turn.output !== null) printText(shell, JSON.stringify(turn.output.value, null, 2));
  if (turn.output?.error) printNote(shell, `no structured result: ${terminalLine(turn.output.error)}`);
  for (const { path } of files ?? []) printNote(shell, `wrote ${folder}/${terminalLine(path)}`);
  if (turn.status === 'waiting') printNote(shell, `The task waits for an answer: errand task send ${taskId} "…"`);
}

/** Follows the task to the end of its turn; an interrupt stops it. */
async function attend(shell: Shell, connection: Connection, taskId: string): Promise<TaskTurn> {
  const narrator = new Narrator(shell, { report: (line) => printNote(shell, line), withConversation: false });
  const turn = await followStream(connection, taskId, {
    clock: shell.clock,
    signal: shell.signal,
    onItem: (item) => narrator.onItem(item),
    onTrouble: (problem) => narrator.onTrouble(problem),
  });
  narrator.end();
  if (shell.signal.aborted && !turn.isOver) {
    await connection.call('task.stop', { task_id: taskId });
    turn.status = 'stopped';
    printNote(shell, `stopped task ${taskId}`);
  }
  return turn;
}

export const run = defineCommand({
  name: 'run',
  summary: 'Run a task to its end and print the result.',
  args: { PROMPT: 'What to do; - reads it from standard input.' },
  options: {
    ...messageOptions,
    out: { type: 'string', short: 'o', value: 'DIR', about: 'Write what the task delivers into this folder.' },
    interactive: { type: 'boolean', about: 'Let the agent ask when it needs to know more: the default.' },
    unattended: { type: 'boolean', about: 'Let it never ask, but do its best with what it knows.' },
    profile: { type: 'string', value: 'PROFILE', about: 'service-1.6 (default), service-1.6-lite or service-1.6-max.' },
    ...accountOption,
  },
  details: `Progress goes to standard error, the final message to standard output. An interrupt (Ctrl-C) stops the task.
Exit code: 0 finished, 1 ended with an error, 2 the agent asks a question, 130 interrupted.`,
  examples: [
    ['run "write hello.md with Hello" --out ./result', 'one task, with its files in ./result'],
    ['run "Who leads the table?" --schema answer.schema.json --json', 'a result for a program'],
  ],
  async run(shell, { options, args }) {
    if (options.interactive && options.unattended) throw new UsageFault('--interactive and --unattended exclude each other');
    const message = await readMessageArgument(shell, args.PROMPT, options);
    const connection = await connect(shell, { account: options.account, isWorking: true });
    try {
      const created = await connection.call('task.create', {
        ...(await writeMessage(message, connection)),
        agent_profile: options.profile,
        interactive_mode: options.unattended !== true,
      });
      const { task_id: taskId, task_title: title, task_url: url } = created;
      printNote(shell, `task ${taskId}`);
      const turn = await attend(shell, connection, taskId);
      const files = options.out === undefined ? null : await copyArtifacts(connection, taskId, options.out);
      const outcome = { taskId, title, url, turn, files };
      if (options.json) reportJson(shell, outcome);
      else reportText(shell, outcome, options.out);
      return chooseExit(outcome, shell.signal.aborted);
    } finally {
      await connection.close();
    }
  },
});
