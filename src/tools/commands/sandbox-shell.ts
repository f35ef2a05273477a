import { toOneLine } from '@errand/base/text/one-line.ts';
import { type SandboxProcess, shellCommand, shellFolderFile, type PersistentSandbox } from '@errand/sandbox/persistent-sandbox';
import { workspaceMount } from '@errand/sandbox/workspace-path';
import { BackgroundProcess } from './background-process.ts';
import {
  type SandboxCall,
  CallOutput,
  callInSandbox,
  describeCut,
  describeLostSandbox,
  startTimer,
  waitForKilled,
} from './sandbox-call.ts';
import { addEnding, describeExit } from './command-outcome.ts';
import { homeFolder } from '../toolbox/closed-folders.ts';
import type { ToolOutcome } from '../toolbox/tool.ts';

/** How long the first output of a background process is waited for. */
const firstLookMs = 1_000;
const longestFolder = 300;

interface Started {
  process: SandboxProcess;
  background: BackgroundProcess;
  output: CallOutput;
  /** What is written from now on is for later calls. */
  detach(): void;
}

async function start(call: SandboxCall, sandbox: PersistentSandbox, command: string, input?: 'stdin'): Promise<Started> {
  const background = new BackgroundProcess(call.parts.clock.monotonic());
  const output = new CallOutput(call.context.report);
  let isDetached = false;
  const onOutput = (chunk: Buffer) => (isDetached ? background.receive(chunk) : output.receive(chunk));
  const process = await sandbox.start({ command: shellCommand(command), ...(input && { input }), onOutput });
  background.follow(process);
  return { process, background, output, detach: () => (isDetached = true) };
}

/** Where the shell of the next command begins, if it is not where the first one did. */
async function describeFolder({ context }: SandboxCall): Promise<string> {
  const file = await context.workspace.readStart(`${homeFolder}/${shellFolderFile}`, longestFolder).catch(() => null);
  const folder = toOneLine(file?.toString() ?? '');
  return folder === '' || folder === workspaceMount ? '' : `; the shell is in ${folder}`;
}

/** Runs a command to its end; what it leaves running becomes a background process. */
export function runShellInSandbox(call: SandboxCall, command: string, timeoutS: number): Promise<ToolOutcome> {
  return callInSandbox(call, async (sandbox) => {
    const { process, background, output, detach } = await start(call, sandbox, command);
    const timer = startTimer(call, timeoutS * 1000, 'time' as const);
    const end = await Promise.race([process.ended, output.exceeded, timer.late]);
    timer.cancel();
    if (end === 'time' || end === 'output') {
      // Without what the shell says about its own killed processes.
      const { text } = output;
      process.signal('KILL');
      await waitForKilled(call, process.closed);
      return describeCut(call, end, timeoutS, text);
    }
    if ('lost' in end) return describeLostSandbox(call, end.lost, output.text);
    const status = end.exitCode === 0 ? 'success' : 'error';
    const ending = describeExit(end.exitCode) + (await describeFolder(call));
    if (end.left === 0) return { status, output: addEnding(output.text, ending) };
    detach();
    const id = call.task.adopt(command, background);
    return { status, output: addEnding(output.text, `${ending}; what it started runs on as process ${id}`) };
  });
}

/** Starts a command that runs on, and shows what it writes first. */
export function startInSandbox(call: SandboxCall, command: string): Promise<ToolOutcome> {
  return callInSandbox(call, async (sandbox) => {
    if (!call.task.canAdopt) {
      return { status: 'error', output: 'Too many background processes run; end one with read_process first.' };
    }
    const { process, background, output, detach } = await start(call, sandbox, command, 'stdin');
    const timer = startTimer(call, firstLookMs, 'running' as const);
    const end = await Promise.race([process.ended, output.exceeded, timer.late]);
    timer.cancel();
    if (typeof end === 'object' && 'lost' in end) return describeLostSandbox(call, end.lost, output.text);
    if (typeof end === 'object' && end.left === 0) {
      return { status: end.exitCode === 0 ? 'success' : 'error', output: addEnding(output.text, describeExit(end.exitCode)) };
    }
    detach();
    const id = call.task.adopt(command, background);
    return { status: 'success', output: addEnding(output.text, `runs in the background as process ${id}`) };
  });
}
