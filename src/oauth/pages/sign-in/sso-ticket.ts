import type { SealedBox } from '@errand/base/secrets/sealed-box.ts';
import type { Question } from '../../../sso/oidc-provider.ts';

/** The callback path to which the provider redirects browsers. */
export const callbackPath = '/sign-in/oidc/callback';

/** How long a sign-in at the provider may take. */
export const ticketTtlMs = 10 * 60 * 1000;

const clockSlackMs = 60_000;
const place = 'sign-in ticket';
/** Browsers limit cookies to 4 KB. Longer return paths fall back to the home page. */
const longestNext = 2_000;

/** The state a browser keeps during a sign-in elsewhere. Sealed: it can be neither read from the browser nor forged. */
export interface SsoTicket extends Question {
  /** Where to go afterwards: a path of this service. */
  next: string;
  /** The session whose account gets the identity when linking one; null when signing in. */
  linkSessionId: string | null;
  begunAtMs: number;
}

export function sealTicket(box: SealedBox, ticket: SsoTicket): string {
  const next = ticket.next.length > longestNext ? '/' : ticket.next;
  return box.seal(JSON.stringify({ ...ticket, next }), place);
}

/** The ticket in a cookie; null when it is missing, forged or expired. */
export function openTicket(box: SealedBox, cookie: string | null, now: number): SsoTicket | null {
  if (cookie === null) return null;
  try {
    const ticket = JSON.parse(box.open(cookie, place)) as SsoTicket;
    const ageMs = now - ticket.begunAtMs;
    // It may return to another machine whose clock is slightly behind.
    return ageMs > -clockSlackMs && ageMs < ticketTtlMs ? ticket : null;
  } catch {
    return null;
  }
}
