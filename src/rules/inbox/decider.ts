import type { Principal } from '../accounts/access.ts';
import { actorOf } from '../accounts/security-event.ts';

/** The caller, person or rule that decides an item of the inbox. */
export interface Decider {
  /** The caller in the form of `actorOf`; `schedule:` or `trigger:` with its id for what continues a failed task automatically. */
  actor: string;
  /** The account of the credential: the owner of the task, or a member of their team. Null if there is none. */
  accountId: string | null;
}

/** The decider of items that nobody has decided in time. */
export const timeLimit: Decider = { actor: 'time_limit', accountId: null };

/** The caller as a decider. */
export function deciderOf(principal: Principal): Decider {
  return { actor: actorOf(principal), accountId: principal.accountId };
}
