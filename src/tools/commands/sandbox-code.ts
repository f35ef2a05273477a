import type { CodeLanguage } from '@errand/sandbox';
import type { CodeEnd } from '@errand/sandbox/code-session';
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
import type { ToolOutcome } from '../toolbox/tool.ts';

/** How long interrupted code has to give its session back. */
const interruptMs = 1_000;
const sessionGone = 'its session has ended with it, and the variables are gone';

interface CodeCall {
  language: CodeLanguage;
  code: string;
  isFresh: boolean;
  timeoutS: number;
}

/** Runs code in the session of its language. */
export function runCodeInSandbox(call: SandboxCall, { language, code, isFresh, timeoutS }: CodeCall): Promise<ToolOutcome> {
  return callInSandbox(call, async (sandbox) => {
    const session = await call.task.session(sandbox, language, isFresh);
    const output = new CallOutput(call.context.report);
    const running = session.run(code, (chunk) => output.receive(chunk));
    const timer = startTimer(call, timeoutS * 1000, 'time' as const);
    const end = await Promise.race([running, output.exceeded, timer.late]);
    timer.cancel();
    if (typeof end === 'object') return describeEnd(call, end, output.text);
    session.interrupt();
    const grace = startTimer(call, interruptMs, 'late' as const);
    const first = await Promise.race([running, grace.late]);
    grace.cancel();
    const survives = typeof first === 'object' && 'exitCode' in first;
    if (survives) return describeCut(call, end, timeoutS, output.text, 'its session goes on');
    session.kill();
    await waitForKilled(call, running);
    return describeCut(call, end, timeoutS, output.text, sessionGone);
  });
}

function describeEnd(call: SandboxCall, end: CodeEnd, text: string): ToolOutcome {
  if ('exitCode' in end) {
    return { status: end.exitCode === 0 ? 'success' : 'error', output: addEnding(text, describeExit(end.exitCode)) };
  }
  const { sessionEnd } = end;
  if ('lost' in sessionEnd) return describeLostSandbox(call, sessionEnd.lost, text);
  const status = sessionEnd.exitCode === 0 ? 'success' : 'error';
  return { status, output: addEnding(text, `${describeExit(sessionEnd.exitCode)}; ${sessionGone}`) };
}
