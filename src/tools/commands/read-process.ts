import { z } from 'zod';
import { type SandboxCall, keepSandbox, startTimer, waitForKilled } from './sandbox-call.ts';
import { addEnding, describeExit, explainEnd } from './command-outcome.ts';
import type { CommandParts } from './command-parts.ts';
import type { BackgroundProcess } from './background-process.ts';
import { defineTool, type Tool, type ToolOutcome } from '../toolbox/tool.ts';

const longestWaitS = 300;

const input = z.strictObject({
  process: z.string().min(1).max(20),
  input: z.string().max(100_000).optional().describe('With line ends.'),
  wait_seconds: z.number().min(0).max(longestWaitS).optional().describe('For output or its end.').meta({ disclosure: 'bare' }),
  until_end: z
    .boolean()
    .default(false)
    .describe('Waits for its end, whatever it writes, 300 seconds at most.')
    .meta({ disclosure: 'bare' }),
  end: z.boolean().default(false),
});

/** How exactly a running time is told: waits for a silent process have different results, while hasty polls repeat theirs. */
const runningStepS = 30;

function describeRunning(runningMs: number): string {
  const seconds = Math.floor(runningMs / 1000 / runningStepS) * runningStepS;
  if (seconds === 0) return 'still running';
  const minutes = Math.floor(seconds / 60);
  const times = [minutes > 0 ? `${minutes} min` : null, seconds % 60 > 0 ? `${seconds % 60} s` : null];
  return `still running after ${times.filter((time) => time !== null).join(' ')}`;
}

function describeState(process: BackgroundProcess, { context, parts }: SandboxCall): string {
  if (!process.isOver) return describeRunning(parts.clock.monotonic() - process.startedAtMs);
  const { lostBy } = process;
  if (lostBy === 'memory' || lostBy === 'disk') {
    return `${explainEnd(lostBy, 0, context.workspace.quota?.text)}; all processes and sessions of the sandbox have ended with it`;
  }
  return process.exitCode === null ? 'ended' : describeExit(process.exitCode);
}

async function waitFor(call: SandboxCall, seconds: number, change: Promise<void>): Promise<void> {
  const { signal } = call.context;
  const timer = startTimer(call, seconds * 1000, undefined);
  signal.addEventListener('abort', timer.cancel, { once: true });
  await Promise.race([change, timer.late]);
  signal.removeEventListener('abort', timer.cancel);
  timer.cancel();
  signal.throwIfAborted();
}

/** Reads, feeds and ends the background processes of run_shell. */
export function createReadProcess(parts: CommandParts): Tool {
  return defineTool({
    name: 'read_process',
    description: 'Reads a background process (p1); can wait, or end it.',
    input,
    effect: 'repeat',
    reads: 'files',
    summarize: ({ process, end }) => ({
      brief: end ? `Ending process ${process}` : `Reading process ${process}`,
      action: end ? 'Ending a process' : 'Reading a process',
      param: process,
    }),
    async run({ process: id, input: text, wait_seconds: waitS, until_end: isForEnd, end }, context): Promise<ToolOutcome> {
      const task = keepSandbox(parts, context);
      const process = task.find(id);
      if (!process) {
        const running = task.list().flatMap((one) => (one.kind === 'process' ? [one.id] : []));
        const known = running.length === 0 ? 'None runs.' : `Running: ${running.join(', ')}.`;
        return { status: 'error', output: `There is no process ${id}. ${known}` };
      }
      const call = { parts, context, task };
      const longestS = waitS ?? (isForEnd ? longestWaitS : 0);
      if (text !== undefined) process.write(text);
      if (end && !process.isOver) {
        process.kill();
        await waitForKilled(call, process.over());
      } else if (longestS > 0) {
        await waitFor(call, longestS, isForEnd ? process.over() : process.change());
      }
      const taints = task.connectedHosts.length > 0 ? { taints: ['untrusted' as const] } : {};
      return {
        status: 'success',
        output: addEnding(process.read(), describeState(process, call)),
        ...taints,
      };
    },
  });
}
