import type { Principal } from '../../rules/accounts/access.ts';

/** The session of the browser that asks; operations for browsers alone are called by nobody else. */
export function sessionIdOf({ via }: Principal): string {
  if (via.kind !== 'session') throw new Error('only a browser that is signed in can be answered here');
  return via.sessionId;
}
