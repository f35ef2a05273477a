import { z } from 'zod';
import { isRiskyCommand } from '../../rules/tasks/confirmation.ts';
import { type CommandPlace, describePlace, runInSandbox, timeoutField } from './command-runner.ts';
import { defineTool, type Tool } from '../toolbox/tool.ts';

/** The system limits an argument to 128 KB; this many characters fit in any script. */
const maxCommandLength = 30_000;

const input = z.strictObject({
  command: z
    .string()
    .min(1)
    .max(maxCommandLength)
    .refine((command) => !command.includes('\0'), 'has a NUL character'),
  timeout_seconds: timeoutField,
});

export function createRunShell(place: CommandPlace): Tool {
  return defineTool({
    name: 'run_shell',
    description:
      'Runs bash; shows what it wrote and its exit code. It starts in /workspace, the only folder that is kept; HOME is in it, ' +
      `so what is installed lasts. Nothing runs on after the call; calls of one reply run in order. ${describePlace(place)}`,
    input,
    effect: 'repeat',
    asksFor: ({ command }) => (isRiskyCommand(command) ? 'terminalExecute' : null),
    reads: 'files',
    account: ({ command }) => ({ brief: `Running ${command}`, action: 'Running a command', param: command }),
    run: ({ command, timeout_seconds: timeoutS }, context) => runInSandbox(place, { command }, timeoutS, context),
  });
}
