import { networkOf } from '@errand/base/net/address-block.ts';
import { passkeySiteOf, readPasskeyClaim, verifyPasskeyUse } from '@errand/base/secrets/passkeys.ts';
import { type ClaimedPasskey, findPasskey, passWithPasskey } from '../../../store/accounts/passkeys/passkeys.ts';
import { recordSecurityEvent } from '../../../store/accounts/security-events.ts';
import { type Attempt, takeAttempt } from '../../../store/accounts/sign-in-attempts.ts';
import { PageFault } from '../layout/page-fault.ts';
import { redirect } from '../layout/page-layout.ts';
import { checkForm } from '../session/form-guard.ts';
import { readNext } from '../session/next-page.ts';
import type { PageHandler, PageRequest } from '../session/page-request.ts';
import { describeVisit, type SessionService } from '../session/session-service.ts';
import { readPasskeyChallenge } from './passkey-challenge.ts';
import { answerSignIn, disabledTrouble, type SignInTrouble } from './sign-in-page.ts';
import type { PageParts } from '../../request/web-request.ts';

const accountIdForm = /^[0-9A-Za-z]{22}$/;

/** A passkey cannot be guessed: the limit only bounds the work that strangers can cause. */
function attemptsFrom(remoteAddress: string): Attempt[] {
  return [{ name: `passkey from ${networkOf(remoteAddress)}`, count: 100, windowMs: 15 * 60 * 1000 }];
}

const wrong: SignInTrouble = { problem: ({ passkey }) => passkey.wrong, status: 401 };

/** A passkey of an account, with when it was asked. */
interface Answer extends ClaimedPasskey {
  accountId: string;
  challenge: string;
  challengedAtMs: number;
}

/** The stored passkey that an answer claims to be of; null for none, and for an answer to a question of another browser. */
async function findClaimed(
  { database, clock }: PageParts,
  { credential, cookieSecret }: { credential: string; cookieSecret: string | null },
): Promise<Answer | null> {
  const claim = readPasskeyClaim(credential);
  if (claim === null || cookieSecret === null || !accountIdForm.test(claim.userId) || claim.id.includes('\0')) return null;
  const challengedAtMs = readPasskeyChallenge(cookieSecret, claim.challenge, clock.now());
  if (challengedAtMs === null) return null;
  const found = await database.run(findPasskey, { accountId: claim.userId, id: claim.id.toWellFormed() });
  return found && { ...found, accountId: claim.userId, challenge: claim.challenge, challengedAtMs };
}

/** The cookies of the new session, or null if the answer proves nothing. */
async function pass(
  { database, publicUrl }: PageParts,
  sessions: SessionService,
  request: PageRequest,
  { answer, credential }: { answer: Answer; credential: string },
): Promise<string[] | null> {
  const { accountId, passkey, challenge, challengedAtMs } = answer;
  const site = passkeySiteOf(publicUrl());
  const signCount = site && verifyPasskeyUse(credential, passkey, { site, challenge });
  if (signCount === null) return null;
  const { session, setCookie } = sessions.prepare(request, accountId);
  const used = { accountId, id: passkey.id, signCount, challengedAtMs };
  if (!(await database.run(passWithPasskey, { ...used, session, visit: describeVisit(request), now: session.now }))) return null;
  await sessions.endPrevious(request);
  return setCookie;
}

/** `POST /sign-in/passkey`: signs in with a passkey, which is both steps in one: a device, and what its user unlocks it with. */
export function buildPasskeySignIn(parts: PageParts, sessions: SessionService): PageHandler {
  const { database, clock } = parts;
  return async (request) => {
    const cookieSecret = sessions.jar.read(request.headers.cookie, 'errand_form');
    checkForm(request, cookieSecret, parts.publicUrl());
    if (!parts.signIn.acceptsPasswords) throw new PageFault('permission_denied', ({ signIn }) => signIn.noPasswords);
    const { credential = '' } = request.fields;
    const next = readNext(request.fields.next);
    const refuse = (trouble: SignInTrouble) => answerSignIn(parts, sessions, { request, next, trouble });
    const waitS = await database.run(takeAttempt, attemptsFrom(request.remoteAddress));
    if (waitS > 0) {
      return refuse({ problem: ({ signIn }) => signIn.tooMany, status: 429, headers: { 'retry-after': String(waitS) } });
    }
    const answer = await findClaimed(parts, { credential, cookieSecret });
    if (answer === null) return refuse(wrong);
    if (answer.status === 'disabled') return refuse(disabledTrouble);
    const setCookie = await pass(parts, sessions, request, { answer, credential });
    if (setCookie !== null) return redirect(next, { 'set-cookie': setCookie });
    const event = { accountId: answer.accountId, atMs: clock.now(), kind: 'sign_in_failed' as const, actor: 'browser' };
    await database.run(recordSecurityEvent, { ...event, detail: { ...describeVisit(request), by: 'passkey' } });
    return refuse(wrong);
  };
}
