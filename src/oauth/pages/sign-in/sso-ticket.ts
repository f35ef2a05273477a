import type { SealedBox } from '@errand/base/secrets/sealed-box.ts';
import type { Question } from '../../../sso/oidc-provider.ts';

/** Where the provider sends browsers back to, below the address of this service. */
export const callbackPath = '/sign-in/oidc/callback';

/** How long somebody may take to sign in at the provider. */
export const ticketMs = 10 * 60 * 1000;

const clockSlackMs = 60_000;
const place = 'sign-in ticket';
/** Browsers keep cookies of four kilobytes. Whoever comes from a longer address goes to the first page. */
const longestNext = 2_000;

/** What a browser keeps while somebody signs in elsewhere. Sealed: nobody can read it out of the browser, or make one. */
export interface SsoTicket extends Question {
  /** Where it leads when it is done: a path of ours. */
  next: string;
  /** The session whose account is to get the identity, where somebody who is signed in links one; null to sign in. */
  linkSessionId: string | null;
  begunAtMs: number;
}

export function sealTicket(box: SealedBox, ticket: SsoTicket): string {
  const next = ticket.next.length > longestNext ? '/' : ticket.next;
  return box.seal(JSON.stringify({ ...ticket, next }), place);
}

/** The ticket of a cookie; null for none, for one that is not ours, and for one that is too old. */
export function openTicket(box: SealedBox, cookie: string | null, now: number): SsoTicket | null {
  if (cookie === null) return null;
  try {
    const ticket = JSON.parse(box.open(cookie, place)) as SsoTicket;
    const ageMs = now - ticket.begunAtMs;
    // It may come back to another machine, whose clock is a little behind.
    return ageMs > -clockSlackMs && ageMs < ticketMs ? ticket : null;
  } catch {
    return null;
  }
}
