import { invalidField } from '@errand/base/fault.ts';
import { toOneLine } from '@errand/base/text/one-line.ts';
import { isLongerThan } from './text-length.ts';

const maxNameLength = 100;

/** A name chosen by a user: one line of at most 100 characters. */
export function readName(name: string, field = 'name'): string {
  const clean = toOneLine(name);
  if (clean === '') throw invalidField(field, 'must not be empty');
  if (isLongerThan(clean, maxNameLength)) throw invalidField(field, `must have at most ${maxNameLength} characters`);
  return clean;
}
