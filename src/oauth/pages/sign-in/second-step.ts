import { randomBase62 } from '@errand/base/ids.ts';
import { digestSecret } from '@errand/base/secrets/secret-digest.ts';
import { networkOf } from '@errand/base/net/address-block.ts';
import type { Attempt } from '../../../store/accounts/sign-in-attempts.ts';
import { createPendingSignIn, hasTwoStep, type PendingSignInKey } from '../../../store/accounts/two-step/pending-sign-ins.ts';
import { redirect } from '../layout/page-layout.ts';
import type { PageRequest } from '../session/page-request.ts';
import type { SessionService } from '../session/session-service.ts';
import type { PageParts, WebAnswer } from '../../request/web-request.ts';

/** The page that asks for the second step. */
export const secondStepPath = '/sign-in/code';

/** How long a sign-in waits for its second step. */
const pendingTtlMs = 10 * 60 * 1000;

const cookieForm = /^([0-9A-Za-z]{22})[0-9A-Za-z]{43}$/;

/** The page that asks for the second step and continues to a path. */
export function secondStepUrl(next: string, more: Readonly<Record<string, string>> = {}): string {
  const query = new URLSearchParams({ ...(next !== '/' && { next }), ...more }).toString();
  return query === '' ? secondStepPath : `${secondStepPath}?${query}`;
}

/** The waiting sign-in that a cookie names, or null for a malformed one. */
export function keyOfPendingSignIn(cookie: string | null): PendingSignInKey | null {
  const [, accountId] = cookieForm.exec(cookie ?? '') ?? [];
  return accountId === undefined || cookie === null ? null : { accountId, digest: digestSecret(cookie) };
}

/** A first step that succeeded. */
export interface FirstStep {
  accountId: string;
  /** Where to continue afterwards: a path of this service. */
  next: string;
  /** Further cookies to set. */
  setCookie?: readonly string[];
}

/**
 * Continues after the first step of every sign-in, be it a password or an identity of a provider: signs in, or asks for the second step
 * if the account has one.
 */
export async function finishFirstStep(
  { database, clock }: Pick<PageParts, 'database' | 'clock'>,
  sessions: SessionService,
  request: PageRequest,
  { accountId, next, setCookie = [] }: FirstStep,
): Promise<WebAnswer> {
  if (!(await database.run(hasTwoStep, { accountId }))) {
    return redirect(next, { 'set-cookie': [...(await sessions.begin(request, accountId)), ...setCookie] });
  }
  const cookie = `${accountId}${randomBase62(43)}`;
  const expiresAtMs = clock.now() + pendingTtlMs;
  await database.run(createPendingSignIn, { accountId, digest: digestSecret(cookie), expiresAtMs });
  const kept = sessions.jar.write('errand_step', cookie, pendingTtlMs / 1000);
  return redirect(secondStepUrl(next), { 'set-cookie': [kept, ...setCookie] });
}

/**
 * The limits on second steps, over all processes. Only who has given the password counts against them, so strangers cannot lock the owner
 * out; and who stole it cannot either, because recovery codes, too long to guess, are counted for each address alone.
 */
export function secondStepAttempts(accountId: string, remoteAddress: string, kind: 'app' | 'recovery'): Attempt[] {
  const own = { name: `${kind} code ${accountId} from ${networkOf(remoteAddress)}`, count: 10, windowMs: 15 * 60 * 1000 };
  return kind === 'recovery' ? [own] : [own, { name: `app code ${accountId}`, count: 50, windowMs: 24 * 60 * 60 * 1000 }];
}
