/**
 * A piece of a reply that is still being written. Deltas are transient: they are not logged, and a reader that was not
 * listening missed them. A reader drops the text of attempt 1 when attempt 2 of the same step begins. `at` is where the piece
 * is in the reply, in UTF-16 units: a reader that came late sees that it did. Workers of the first version leave it out.
 */
export interface ReplyDelta {
  step: number;
  attempt: number;
  at?: number;
  text: string;
}

/**
 * A piece of what a tool writes while it runs. `at` is its offset in the whole output of this run, in UTF-16
 * units: a reader that sees 0 begins anew, and one that came late sees that it did.
 */
export interface OutputDelta {
  callId: string;
  tool: string;
  at: number;
  text: string;
}

export type Delta = ReplyDelta | OutputDelta;

export interface DeltaSink {
  publish(taskId: string, delta: Delta): void;
}

export interface DeltaSource {
  /** Calls `listener` for each delta of the task; the returned function ends it. */
  subscribe(taskId: string, listener: (delta: Delta) => void): () => void;
}

/** What a delta is a piece of: one attempt at a reply, or one call of a tool. */
export function sourceOf(delta: Delta): string {
  return 'callId' in delta ? delta.callId : `${delta.step}.${delta.attempt}`;
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

/** The piece in parts of at most `maxLength` units each; a pair of surrogates is never torn apart. */
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

/** Deltas inside one process. */
export class LocalDeltas implements DeltaSink, DeltaSource {
  readonly #listeners = new Map<string, Set<(delta: Delta) => void>>();

  publish(taskId: string, delta: Delta): void {
    const listeners = this.#listeners.get(taskId);
    if (listeners) for (const listener of [...listeners]) listener(delta);
  }

  subscribe(taskId: string, listener: (delta: Delta) => void): () => void {
    const listeners = this.#listeners.get(taskId) ?? new Set();
    this.#listeners.set(taskId, listeners);
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.#listeners.get(taskId) === listeners) this.#listeners.delete(taskId);
    };
  }
}
