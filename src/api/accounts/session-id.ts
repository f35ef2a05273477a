import type { Principal } from '../../rules/accounts/access.ts';

/** Whether the caller is an owner of the instance, signed in with a browser. */
export function isInstanceOwner({ via }: Principal): boolean {
  return via.kind === 'session' && via.isInstanceOwner === true;
}

/** The session of the calling browser; only sessions can call operations of the web application. */
export function sessionIdOf({ via }: Principal): string {
  if (via.kind !== 'session') throw new Error('only a browser that is signed in can be answered here');
  return via.sessionId;
}
