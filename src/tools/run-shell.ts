import { z } from 'zod';
import { isRiskyCommand } from '../rules/confirmation.ts';
import { type CommandPlace, describePlace, runInSandbox, timeoutField } from './command-outcome.ts';
import { defineTool, type Tool } from './tool.ts';

/** The system takes no argument of more than 128 KB; this many characters fit in any script. */
const maxCommandLength = 30_000;

const input = z.strictObject({
  command: z
    .string()
    .min(1)
    .max(maxCommandLength)
    .refine((command) => !command.includes('\0'), 'has a NUL character')
    .describe('The command line, for bash; it may have several lines.'),
  timeout_seconds: timeoutField,
});

export function createRunShell(place: CommandPlace): Tool {
  return defineTool({
    name: 'run_shell',
    description: `Runs a command with bash and gives back what it wrote (standard output and standard error together) and its exit code.
Use it for programs, pipes, archives, tests and everything on files that the file tools do not do. ${describePlace(place.policy)}
Each call has a shell of its own, so cd and variables are forgotten. Commands must not ask questions: their input is empty.
Examples: {"command": "ls -la && head -n 5 data.csv"}; {"command": "python3 -m pytest -q", "timeout_seconds": 300}.`,
    input,
    effect: 'retry',
    asksFor: ({ command }) => (isRiskyCommand(command) ? 'terminalExecute' : null),
    reads: 'files',
    account: ({ command }) => ({ brief: `Running ${command}`, action: 'Running a command', param: command }),
    run: ({ command, timeout_seconds: timeoutS }, context) => runInSandbox(place, { command }, timeoutS, context),
  });
}
