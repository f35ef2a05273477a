import { z } from 'zod';
import { isRiskyCommand } from '../../rules/tasks/confirmation.ts';
import { keepSandbox } from './sandbox-call.ts';
import { runShellInSandbox, startInSandbox } from './sandbox-shell.ts';
import { type CommandParts, describeSandbox, timeoutField } from './command-parts.ts';
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
  background: z.boolean().default(false).describe('See read_process.').meta({ disclosure: 'bare' }),
});

export function createRunShell(parts: CommandParts): Tool {
  return defineTool({
    name: 'run_shell',
    description: `Runs bash in /workspace, the only folder that is kept; cd and variables last. ${describeSandbox(parts)}`,
    input,
    effect: 'repeat',
    asksFor: ({ command }) => (isRiskyCommand(command) ? 'terminalExecute' : null),
    reads: 'files',
    summarize: ({ command }) => ({ brief: `Running ${command}`, action: 'Running a command', param: command }),
    run({ command, timeout_seconds: timeoutS, background }, context) {
      const call = { parts, context, task: keepSandbox(parts, context) };
      return background ? startInSandbox(call, command) : runShellInSandbox(call, command, timeoutS);
    },
  });
}
