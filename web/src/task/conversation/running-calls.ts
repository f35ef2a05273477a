import type { OutputDelta } from '@errand/client';
import { GrowingFiles } from './growing-file.ts';
import type { LogRow, ToolCall } from './row.ts';

/** Longer output of a running call would be slow to show; only its end is kept. */
const mostCharacters = 100_000;

/**
 * Calls with streaming output. Pieces have offsets, so duplicates are dropped and gaps noticed; pieces after the end of their call are
 * late.
 */
export class RunningCalls {
  /** What is written as the input of a call that has not begun. */
  readonly files = new GrowingFiles();
  #calls: readonly ToolCall[] = [];
  readonly #ends = new Map<string, number>();
  readonly #finished = new Set<string>();

  get calls(): readonly ToolCall[] {
    return this.#calls;
  }

  /** Adds a piece; false when it changes nothing. */
  add(piece: OutputDelta): boolean {
    if (piece.path !== undefined) return this.files.add(piece);
    const { action_id: actionId, tool, at, text } = piece;
    if (this.#finished.has(actionId) || text === '') return false;
    const known = this.#calls.find((call) => call.actionId === actionId);
    const end = known ? (this.#ends.get(actionId) ?? 0) : 0;
    const call = known ?? begin(actionId, tool);
    if (at > 0 && at + text.length <= end) return false;
    const goesOn = at > 0 && at <= end;
    const output = at === 0 ? text : goesOn ? call.output + text.slice(end - at) : text;
    const isCut = at === 0 ? false : call.isCut || !goesOn;
    this.#ends.set(actionId, at + text.length);
    const isLong = output.length > mostCharacters;
    const grown = { ...call, output: isLong ? output.slice(-mostCharacters) : output, isCut: isCut || isLong };
    this.#calls = known ? this.#calls.map((each) => (each === known ? grown : each)) : [...this.#calls, grown];
    return true;
  }

  finish(actionId: string): void {
    this.files.finish(actionId);
    this.#finished.add(actionId);
    this.#ends.delete(actionId);
    this.#calls = this.#calls.filter((call) => call.actionId !== actionId);
  }

  /** The turn is over. */
  clear(): void {
    this.files.clear();
    for (const { actionId } of this.#calls) this.finish(actionId);
  }
}

function begin(actionId: string, tool: string): ToolCall {
  const account = { brief: '', action: '', param: '', output: '', pictures: [], isCut: false };
  return { key: actionId, actionId, tool, state: 'running', ...account, atMs: null };
}

/** The last row of the log with the calls that run; null without any. */
export function rowWithRunning(last: LogRow | undefined, running: readonly ToolCall[]): LogRow | null {
  const [first] = running;
  if (!first) return null;
  if (last?.kind === 'work') return { ...last, calls: [...last.calls, ...running] };
  const fromMs = last?.atMs ?? 0;
  return { kind: 'work', key: `work:${first.key}`, atMs: fromMs, calls: running, fromMs };
}
