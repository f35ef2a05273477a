import { z } from 'zod';
import { keepSandbox } from './sandbox-call.ts';
import { runCodeInSandbox } from './sandbox-code.ts';
import { type CommandParts, timeoutField } from './command-parts.ts';
import { defineTool, type Tool } from '../toolbox/tool.ts';

const maxCodeLength = 200_000;

function describeModules({ modules }: CommandParts['sandbox']): string {
  return modules.length === 0 ? '' : ` Python has ${modules.join(', ')}.`;
}

/** The languages available here; null if there are none. */
export function createRunCode(parts: CommandParts): Tool | null {
  const { sandbox } = parts;
  const [first, ...others] = sandbox.languages;
  if (first === undefined) return null;
  const input = z.strictObject({
    language: z.enum([first, ...others]),
    code: z.string().min(1).max(maxCodeLength),
    timeout_seconds: timeoutField.meta({ disclosure: 'bare' }),
    fresh: z.boolean().default(false).describe('Forget the variables.').meta({ disclosure: 'bare' }),
  });
  return defineTool({
    name: 'run_code',
    description: `Runs code where run_shell does; shows output and last value; keeps variables unless fresh.${describeModules(sandbox)}`,
    input,
    effect: 'repeat',
    reads: 'files',
    summarize: ({ language, code }) => ({ brief: `Running ${language} code`, action: 'Running code', param: code }),
    run({ language, code, timeout_seconds: timeoutS, fresh }, context) {
      const call = { parts, context, task: keepSandbox(parts, context) };
      return runCodeInSandbox(call, { language, code, isFresh: fresh, timeoutS });
    },
  });
}
