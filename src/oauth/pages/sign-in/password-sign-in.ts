import { networkOf } from '@errand/base/net/address-block.ts';
import type { AccountStatus } from '../../../rules/accounts/account-status.ts';
import { findSignIn } from '../../../store/accounts/account-passwords.ts';
import { isAnyPasswordSet } from '../../../store/accounts/first-password.ts';
import { recordSecurityEvent } from '../../../store/accounts/security-events.ts';
import { signOut } from '../../../store/accounts/sessions.ts';
import { checkForm } from '../session/form-guard.ts';
import { readNext, setUpPath } from '../session/next-page.ts';
import { PageFault } from '../layout/page-fault.ts';
import type { PageHandler } from '../session/page-request.ts';
import { redirect } from '../layout/page-layout.ts';
import { describeVisit, type SessionService } from '../session/session-service.ts';
import { findJoinPage } from './join-page.ts';
import { finishFirstStep } from './second-step.ts';
import { SignInPace } from './sign-in-pace.ts';
import { isSetUpOpen } from './set-up-page.ts';
import { answerSignIn, disabledTrouble, type SignInTrouble } from './sign-in-page.ts';
import type { PageParts, WebRequest } from '../../request/web-request.ts';

function problemOfPace(waitS: number): SignInTrouble {
  return { problem: ({ signIn }) => signIn.tooMany, status: 429, headers: { 'retry-after': String(waitS) } };
}

/** The account for an email and password, or null. Takes the same time whether or not the email has an account. */
async function checkPassword(
  { database, passwords, clock }: PageParts,
  request: WebRequest,
  email: string,
): Promise<{ accountId: string; status: AccountStatus; hasTwoStep: boolean } | null> {
  const known = await database.run(findSignIn, email);
  const isRight = await passwords.verify(request.fields.password ?? '', known?.hash ?? null, networkOf(request.remoteAddress));
  if (!known) return null;
  const { accountId } = known.account;
  const { status, hasTwoStep } = known;
  const succeeded = hasTwoStep ? ('two_step_asked' as const) : ('signed_in' as const);
  const kind = isRight && status === 'active' ? succeeded : ('sign_in_failed' as const);
  const event = { accountId, atMs: clock.now(), kind, actor: 'browser', detail: describeVisit(request) };
  await database.run(recordSecurityEvent, event);
  return isRight ? { accountId, status, hasTwoStep } : null;
}

/** Whether to welcome this visitor to a fresh instance: not whoever came for something and may have a password. */
async function shouldSetUp(parts: PageParts, request: WebRequest, next: string): Promise<boolean> {
  if (!(await isSetUpOpen(parts, request))) return false;
  return next === '/' || !(await parts.database.run(isAnyPasswordSet, null));
}

export function buildSignIn(parts: PageParts, sessions: SessionService): { show: PageHandler; submit: PageHandler } {
  const pace = new SignInPace(parts);
  return {
    async show(request) {
      const next = readNext(request.query.next);
      if (request.visitor) return redirect(next);
      if (await shouldSetUp(parts, request, next)) return redirect(setUpPath(next));
      const joinPage = await findJoinPage(parts, next);
      if (joinPage !== null) return redirect(joinPage);
      return answerSignIn(parts, sessions, { request, next });
    },
    async submit(request) {
      const { email = '', password = '' } = request.fields;
      const next = readNext(request.fields.next);
      checkForm(request, sessions.jar.read(request.headers.cookie, 'errand_form'), parts.publicUrl());
      if (!parts.signIn.acceptsPasswords) throw new PageFault('permission_denied', ({ signIn }) => signIn.noPasswords);
      const account = email.trim().toLowerCase();
      const waitS = await pace.take(account, request.remoteAddress);
      if (waitS > 0) return answerSignIn(parts, sessions, { request, next, email, trouble: problemOfPace(waitS) });
      if (password.length > 1000) throw new PageFault('invalid_argument', ({ signIn }) => signIn.passwordTooLong);
      const known = await checkPassword(parts, request, account);
      if (known === null || known.status === 'deleting') {
        const trouble: SignInTrouble = { problem: ({ signIn }) => signIn.wrong, status: 401 };
        return answerSignIn(parts, sessions, { request, next, email, trouble });
      }
      // With a second step, the count continues until that is done: each right password makes a sign-in that waits.
      if (!known.hasTwoStep) await pace.clear(account, request.remoteAddress);
      if (known.status === 'disabled') return answerSignIn(parts, sessions, { request, next, email, trouble: disabledTrouble });
      return finishFirstStep(parts, sessions, request, { accountId: known.accountId, next });
    },
  };
}

/** `POST /sign-out`. */
export function buildSignOut(parts: PageParts, sessions: SessionService): PageHandler {
  return async (request) => {
    const { visitor } = request;
    if (!visitor) return redirect('/sign-in');
    checkForm(request, visitor.cookie, parts.publicUrl());
    const { accountId, sessionId } = visitor;
    const by = { actor: `session:${sessionId}`, now: parts.clock.now() };
    await parts.database.run(signOut, { accountId, choice: { sessionId }, ...by });
    return redirect('/sign-in', { 'set-cookie': sessions.jar.remove('errand_session') });
  };
}
