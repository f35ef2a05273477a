import { z } from 'zod';
import type { CodeLanguage, SandboxCommand } from '@errand/sandbox';
import { workspaceMount } from '@errand/sandbox/workspace-path';
import { keepBench } from './bench-call.ts';
import { runCodeInBench } from './bench-code.ts';
import { type CommandPlace, runInSandbox, timeoutField } from './command-runner.ts';
import { defineTool, type Tool } from '../toolbox/tool.ts';

const maxCodeLength = 200_000;

interface Interpreter extends Required<Pick<SandboxCommand, 'command' | 'env'>> {
  name: string;
  example: string;
}

/**
 * How to run code of each language; it is passed on standard input. For Python it is saved to a file, so that errors show its lines and it
 * can start processes; Node does that automatically, and resolves modules from the workspace.
 */
const interpreters: Record<CodeLanguage, Interpreter> = {
  python: {
    name: 'Python 3',
    example: 'print(sum(range(10)))',
    command: 'cat >/tmp/main.py && exec python3 /tmp/main.py </dev/null',
    env: { PYTHONPATH: workspaceMount },
  },
  javascript: { name: 'JavaScript (Node)', example: 'console.log(6 * 7)', command: ['node', '-'], env: {} },
};

function describeModules({ modules }: CommandPlace['sandbox']): string {
  return modules.length === 0 ? '' : ` Python has ${modules.join(', ')}.`;
}

/** The languages available here; null if there are none. */
export function createRunCode(place: CommandPlace): Tool | null {
  const { sandbox } = place;
  const [first, ...others] = sandbox.languages;
  if (first === undefined) return null;
  const input = z.strictObject({
    language: z.enum([first, ...others]),
    code: z.string().min(1).max(maxCodeLength),
    timeout_seconds: timeoutField,
    fresh: z.boolean().default(false).describe('Forget the variables.'),
  });
  return defineTool({
    name: 'run_code',
    description: `Runs code where run_shell runs commands; shows output and last value. Variables last for the next call.${describeModules(sandbox)}`,
    input,
    effect: 'repeat',
    reads: 'files',
    account: ({ language, code }) => ({ brief: `Running ${language} code`, action: 'Running code', param: code }),
    run({ language, code, timeout_seconds: timeoutS, fresh }, context) {
      if (context.held) {
        const call = { place, context, task: keepBench(place, context, context.held) };
        return runCodeInBench(call, { language, code, isFresh: fresh, timeoutS });
      }
      const { command, env } = interpreters[language];
      return runInSandbox(place, { command, env, stdin: code }, timeoutS, context);
    },
  });
}
