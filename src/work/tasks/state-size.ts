import type { TaskState } from '../../rules/tasks/task-state.ts';

/** Characters are counted as two bytes, which is what the engine takes for text outside Latin-1. */
const bytesPerCharacter = 2;
const bytesPerValue = 16;

const knownSizes = new WeakMap<object, number>();

/** About how much memory a value takes. Sizes of objects are cached: nothing in a state ever changes. */
function sizeOf(value: unknown): number {
  if (typeof value === 'string') return bytesPerValue + value.length * bytesPerCharacter;
  if (typeof value !== 'object' || value === null) return bytesPerValue;
  const known = knownSizes.get(value);
  if (known !== undefined) return known;
  let bytes = bytesPerValue;
  for (const [key, part] of Object.entries(value)) bytes += key.length + sizeOf(part);
  knownSizes.set(value, bytes);
  return bytes;
}

/** The size of a state, from which that of its successors is measured. */
export interface StateSize {
  bytes: number;
  transcriptBytes: number;
  of: Pick<TaskState, 'transcript' | 'clearedBefore'>;
}

/** Whether the conversation of `now` is that of `before` with more at its end: rewriting replaces entries, growing does not. */
function hasGrown(before: StateSize['of'], now: StateSize['of']): boolean {
  const last = before.transcript.length - 1;
  return (
    last >= 0 &&
    before.clearedBefore === now.clearedBefore &&
    before.transcript[0] === now.transcript[0] &&
    before.transcript[last] === now.transcript[last]
  );
}

/** About how much memory a state takes. Of a conversation that has only grown since `before`, just the new end is measured. */
export function measureState(state: TaskState, before: StateSize | null): StateSize {
  const { transcript, ...rest } = state;
  const isGrown = before !== null && hasGrown(before.of, state);
  let transcriptBytes = isGrown ? before.transcriptBytes : 0;
  for (const entry of isGrown ? transcript.slice(before.of.transcript.length) : transcript) transcriptBytes += sizeOf(entry);
  return {
    bytes: transcriptBytes + sizeOf(rest),
    transcriptBytes,
    of: { transcript, clearedBefore: state.clearedBefore },
  };
}
