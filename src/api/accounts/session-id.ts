import type { Principal } from '../../rules/accounts/access.ts';

/** The session of the calling browser; only sessions can call operations of the web application. */
export function sessionIdOf({ via }: Principal): string {
  if (via.kind !== 'session') throw new Error('only a browser that is signed in can be answered here');
  return via.sessionId;
}
