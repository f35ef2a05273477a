import { hasGrown } from '../../rules/context/transcript-growth.ts';
import type { TaskState } from '../../rules/tasks/task-state.ts';

/** Characters are counted as two bytes, which is what the engine takes for text outside Latin-1. */
const bytesPerCharacter = 2;
const bytesPerValue = 16;

const knownSizes = new WeakMap<object, number>();

/** Approximate memory of a value, in bytes. Sizes of objects are cached, because nothing in a state ever changes. */
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
  transcript: TaskState['transcript'];
}

/** Approximate memory of a state, in bytes. If the conversation has only grown since `before`, only the new end is measured. */
export function measureState({ transcript, ...rest }: TaskState, before: StateSize | null): StateSize {
  const known = before && hasGrown(before.transcript, transcript) ? before : null;
  let transcriptBytes = known?.transcriptBytes ?? 0;
  for (const entry of transcript.slice(known?.transcript.length ?? 0)) transcriptBytes += sizeOf(entry);
  return { bytes: transcriptBytes + sizeOf(rest), transcriptBytes, transcript };
}
