import { toOneLine } from '@errand/base/text/one-line.ts';
import { invalidField } from '@errand/base/fault.ts';
import { maxTitleLength } from '../../rules/tasks/title.ts';
import { isLongerThan } from '../contract/text-length.ts';

/** A custom title as stored; undefined if it is empty, 400 if it is too long. */
export function readTitle(title: string | undefined): string | undefined {
  const clean = toOneLine(title ?? '');
  if (isLongerThan(clean, maxTitleLength)) throw invalidField('title', `must have at most ${maxTitleLength} characters`);
  return clean || undefined;
}
