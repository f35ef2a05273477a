import { z } from 'zod';
import { invalidField } from '@errand/base/fault.ts';
import type { MetadataChange } from '../../rules/tasks/task-metadata.ts';
import { optional } from '../contract/fields.ts';
import { isLongerThan } from '../contract/text-length.ts';

const keyForm = /^[A-Za-z0-9_.-]{1,64}$/;
const longestValue = 512;

/** Metadata in a request. */
export const metadataField = optional(z.record(z.string(), z.unknown())).meta({
  description:
    'At most 16 keys of letters, digits, `_`, `.` and `-`; values are strings of at most 512 characters, numbers or booleans.',
});

/** Metadata in a response. */
export const shownMetadata = z
  .record(z.string(), z.string())
  .optional()
  .meta({ description: 'Set by callers; absent if empty.' });

function checkKey(key: string): void {
  if (!keyForm.test(key)) throw invalidField('metadata', 'keys must be 1 to 64 letters, digits, _, . and -');
}

function readValue(key: string, value: unknown): string | null {
  if (value === null) return null;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const isText = typeof value === 'string' && !isLongerThan(value, longestValue) && !value.includes('\0');
  if (!isText) throw invalidField(`metadata.${key}`, `must be a string of at most ${longestValue} characters`);
  return value.toWellFormed();
}

/** The metadata change of a request; 400 `invalid_argument` names the key. */
export function readMetadata(metadata: Record<string, unknown> = {}): MetadataChange {
  return Object.fromEntries(
    Object.entries(metadata).map(([key, value]) => {
      checkKey(key);
      return [key, readValue(key, value)];
    }),
  );
}

const filterPrefix = 'metadata.';

/** Combines the query parameters `metadata.<key>` into one object `metadata`. */
export function gatherMetadata(query: unknown): unknown {
  if (typeof query !== 'object' || query === null) return query;
  const filters = Object.entries(query).filter(([name]) => name.startsWith(filterPrefix));
  if (filters.length === 0) return query;
  const others = Object.entries(query).filter(([name]) => !name.startsWith(filterPrefix));
  const metadata = Object.fromEntries(filters.map(([name, value]) => [name.slice(filterPrefix.length), value as unknown]));
  return { ...Object.fromEntries(others), metadata };
}
