import { createHash } from 'node:crypto';
import type { ToolResult } from '../context/transcript.ts';
import type { CallPart } from '../events/task-event.ts';

/** Digests of a tool call and its result. */
export interface CallTrace {
  call: string;
  result: string;
}

/** How many recent calls are compared. */
const remembered = 16;
const notedAt = 3;
const refusedAt = 5;

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 16);
}

function traceCall({ tool, input }: Pick<CallPart, 'tool' | 'input'>): string {
  return digest(`${tool}\0${JSON.stringify(input ?? null)}`);
}

/** The latest calls with one added. */
export function addTrace(traces: readonly CallTrace[], call: CallPart, status: string, output: string): CallTrace[] {
  return [...traces, { call: traceCall(call), result: digest(`${status}\0${output}`) }].slice(-remembered);
}

/** How often a call was recently made in a row with identical input and result. */
function countRepeats(
  traces: readonly CallTrace[],
  call: Pick<CallPart, 'tool' | 'input'>,
): { count: number; result: string | null } {
  const key = traceCall(call);
  const results = traces.flatMap((trace) => (trace.call === key ? [trace.result] : []));
  const result = results.at(-1) ?? null;
  const differs = results.findLastIndex((each) => each !== result);
  return { count: results.length - differs - 1, result };
}

/** Why a call is not repeated; null if it may be. */
export function refuseRepeat(traces: readonly CallTrace[], call: Pick<CallPart, 'tool' | 'input'>): string | null {
  const { count } = countRepeats(traces, call);
  if (count < refusedAt - 1) return null;
  return `Not done: this very call was made ${count} times and gave the same result each time. Do something else, or say what keeps you from going on.`;
}

/** Whether a result tells the model nothing: its call was refused, or gave the same result so often that it would be. */
export function isFruitless(
  traces: readonly CallTrace[],
  call: Pick<CallPart, 'tool' | 'input'>,
  { isRefused, status, output }: { isRefused?: true; status: string; output: string },
): boolean {
  if (isRefused === true) return true;
  const { count, result } = countRepeats(traces, call);
  return count >= refusedAt - 1 && result === digest(`${status}\0${output}`);
}

/** Whether another call of the same reply failed before this one, which may have needed what that one makes. */
function followsFailure(results: readonly ToolResult[], { tool }: CallPart): boolean {
  return results.some((each) => each.isError && each.tool !== tool);
}

/** The note to a model with a repeated result; null if there is none, or if an earlier call of the same reply may be why. */
export function noteRepeat(
  { traces, results }: { traces: readonly CallTrace[]; results: readonly ToolResult[] },
  call: CallPart,
  status: string,
  output: string,
): string | null {
  if (status === 'error' && followsFailure(results, call)) return null;
  const { count, result } = countRepeats(traces, call);
  if (count + 1 < notedAt || result !== digest(`${status}\0${output}`)) return null;
  return `[This is the same call with the same result for the ${count + 1}th time. Repeating it will not help.]`.replace(
    '3th',
    '3rd',
  );
}
