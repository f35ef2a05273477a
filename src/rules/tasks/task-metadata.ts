import { invalidField } from '@errand/base/fault.ts';

/** Data that callers attach to a task; agents do not see it. */
export type TaskMetadata = Readonly<Record<string, string>>;

/** Null deletes a key. */
export type MetadataChange = Readonly<Record<string, string | null>>;

export const maxMetadataKeys = 16;

/** Metadata with a change applied; 400 if it gets more keys than a task can have. */
export function changeMetadata(current: TaskMetadata, change: MetadataChange): TaskMetadata {
  const entries = Object.entries({ ...current, ...change }).filter((entry): entry is [string, string] => entry[1] !== null);
  if (entries.length > maxMetadataKeys) throw invalidField('metadata', `must have at most ${maxMetadataKeys} keys`);
  return Object.fromEntries(entries);
}
