import { z } from 'zod';
import { invalidField } from '@errand/base/fault.ts';
import { boundUserOf, type Principal } from '../../rules/accounts/access.ts';
import { optional } from './fields.ts';
import { isLongerThan } from './text-length.ts';

const longest = 128;

/** The caller's id of the person for whom a task is created, in a request. */
export const externalUserField = optional(z.string()).meta({
  description: `Your own id of the person for whom the task is created; at most ${longest} characters.`,
});

/** The caller's id of the person for whom the task was created, in a response. */
export const shownExternalUser = z.string().optional().meta({ description: 'Set at creation; absent if it was not.' });

/** The person's id as stored; null if it is missing or empty. A caller restricted to one person cannot name another. */
export function readExternalUser(id: string | undefined, principal: Principal): string | null {
  const bound = boundUserOf(principal);
  const read = readUserId(id);
  if (bound !== null && read !== null && read !== bound) throw invalidField('external_user_id', 'must be that of Errand-User');
  return bound ?? read;
}

/** A person's id as it is stored; null for none, or an empty one. */
export function readUserId(id = '', field = 'external_user_id'): string | null {
  if (isLongerThan(id, longest)) throw invalidField(field, `must have at most ${longest} characters`);
  if (id.includes('\0')) throw invalidField(field, 'must not contain the character NUL');
  return id === '' ? null : id.toWellFormed();
}
