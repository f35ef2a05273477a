import { Topics } from './topics.ts';

/**
 * A piece of a reply that is still being written. Deltas are transient: they are not logged, and a reader that was not listening missed
 * them. A reader drops the text of attempt 1 when attempt 2 of the same step begins. `at` is the offset of the piece in the reply, in
 * UTF-16 units: it tells late readers that they missed some. Workers of the first version omit it.
 */
export interface ReplyDelta {
  step: number;
  attempt: number;
  at?: number;
  text: string;
}

/**
 * A piece of a running tool's output. `at` is its offset in the whole output of this run, in UTF-16 units: 0 starts over, and a gap tells
 * late readers that they missed some.
 */
export interface OutputDelta {
  callId: string;
  tool: string;
  at: number;
  text: string;
  /** Present if the text is that of a file, which the model is writing as the input of this call; `at` is then the offset in the file. */
  path?: string;
}

export type Delta = ReplyDelta | OutputDelta;

export interface DeltaSink {
  publish(taskId: string, delta: Delta): void;
}

export interface DeltaSource {
  /** Calls `listener` for each delta of the task; the returned function ends it. */
  subscribe(taskId: string, listener: (delta: Delta) => void): () => void;
}

/** The source of a delta: one attempt at a reply, one call of a tool, or the file that a call writes. */
export function sourceOf(delta: Delta): string {
  if (!('callId' in delta)) return `${delta.step}.${delta.attempt}`;
  return delta.path === undefined ? delta.callId : `${delta.callId}/${delta.path}`;
}

function goesOn(before: Delta, next: Delta): boolean {
  if (sourceOf(before) !== sourceOf(next)) return false;
  return before.at === undefined || next.at === undefined || before.at + before.text.length === next.at;
}

/** Adds a piece to a list: merged into the last one if it continues it. */
export function joinDelta(list: Delta[], next: Delta): void {
  const last = list.at(-1);
  if (last && goesOn(last, next)) last.text += next.text;
  else list.push({ ...next });
}

/** Splits a piece into parts of at most `maxLength` units; surrogate pairs stay together. */
export function cutDelta(delta: Delta, maxLength: number): Delta[] {
  const parts: Delta[] = [];
  for (let from = 0; from < delta.text.length; ) {
    const end = from + maxLength;
    const isTorn = /[\ud800-\udbff]/.test(delta.text.charAt(end - 1)) && end < delta.text.length;
    const text = delta.text.slice(from, isTorn ? end - 1 : end);
    parts.push(delta.at === undefined ? { ...delta, text } : { ...delta, at: delta.at + from, text });
    from += text.length;
  }
  return parts;
}

/** Deltas inside one process, by their task. */
export class LocalDeltas extends Topics<Delta> implements DeltaSink, DeltaSource {}
