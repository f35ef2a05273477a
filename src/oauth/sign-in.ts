import type { Clock } from '../base/clock.ts';
import { Fault } from '../base/fault.ts';
import { findSignIn } from '../store/account-passwords.ts';
import { recordSecurityEvent } from '../store/security-events.ts';
import { signOut } from '../store/sessions.ts';
import { checkForm, formTokenOf } from './form-guard.ts';
import { html, type Html } from './html.ts';
import { readNext } from './next-page.ts';
import { answerPage, redirect, renderNote } from './page.ts';
import { Pace } from '../base/pace.ts';
import type { SessionDesk } from './session-desk.ts';
import { isSetUpOpen } from './set-up.ts';
import type { Handler, WebAnswer, WebParts, WebRequest } from './web-request.ts';

/**
 * Tries in a quarter of an hour: for one account from one address, for one account from anywhere, and from one address. Whoever
 * guesses uses up his own, so that he does not lock the owner out.
 */
const tries = { own: 10, account: 100, address: 200 } as const;
const windowMs = 15 * 60 * 1000;

function buildPaces(clock: Clock) {
  const [own, account, address] = [tries.own, tries.account, tries.address].map((count) => new Pace(clock, count, windowMs));
  return {
    /** Counts an attempt, and answers 0; or in how many seconds the next one may come. */
    take: (email: string, from: string): number =>
      Math.max(own?.take(`${email} ${from}`) ?? 0, account?.take(email) ?? 0, address?.take(from) ?? 0),
    clear: (email: string, from: string): void => own?.clear(`${email} ${from}`),
  };
}

interface Given {
  email?: string | undefined;
  problem?: string;
  status?: number;
  headers?: Record<string, string>;
}

function renderForm(formToken: string, next: string, { email, problem }: Given): Html {
  return html`<div class="card"><h1>Sign in</h1>${problem !== undefined && renderNote('wrong', problem)}
<form method="post" action="/sign-in">
<input type="hidden" name="form_token" value="${formToken}"><input type="hidden" name="next" value="${next}">
<label for="email">E-mail address</label>
<input id="email" name="email" type="email" autocomplete="username" required autofocus value="${email ?? ''}">
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required>
<div class="row"><button>Sign in</button></div></form></div>`;
}

function show(desk: SessionDesk, request: WebRequest, next: string, given: Given = {}): WebAnswer {
  const { secret, setCookie } = desk.anonymousSecret(request);
  return answerPage({
    title: 'Sign in',
    body: renderForm(formTokenOf(secret), next, given),
    status: given.status ?? 200,
    headers: { ...given.headers, 'set-cookie': setCookie },
  });
}

function problemOfPace(waitS: number): Given {
  const problem = 'There were too many attempts. Wait a while and try again.';
  return { problem, status: 429, headers: { 'retry-after': String(waitS) } };
}

/** The account of an address and password, or null. Takes the same time whether or not the address has an account. */
async function checkPassword({ database, passwords, clock }: WebParts, email: string, password: string): Promise<string | null> {
  const known = await database.run(findSignIn, email);
  const isRight = await passwords.verify(password, known?.hash ?? null);
  if (!known) return null;
  const { accountId } = known.account;
  const kind = isRight ? ('signed_in' as const) : ('sign_in_failed' as const);
  await database.run(recordSecurityEvent, { accountId, atMs: clock.now(), kind, actor: 'browser', detail: {} });
  return isRight ? accountId : null;
}

export function buildSignIn(parts: WebParts, desk: SessionDesk): { show: Handler; submit: Handler } {
  const paces = buildPaces(parts.clock);
  return {
    async show(request) {
      const next = readNext(request.query.next);
      if (await desk.find(request)) return redirect(next);
      if (await isSetUpOpen(parts, request)) return redirect('/set-up');
      return show(desk, request, next);
    },
    async submit(request) {
      const { email = '', password = '' } = request.fields;
      const next = readNext(request.fields.next);
      checkForm(request, desk.jar.read(request.headers.cookie, 'errand_form'), parts.publicUrl());
      const account = email.trim().toLowerCase();
      const waitS = paces.take(account, request.remoteAddress);
      if (waitS > 0) return show(desk, request, next, { email, ...problemOfPace(waitS) });
      if (password.length > 1000) throw new Fault('invalid_argument', 'password: must have at most 1000 characters');
      const accountId = await checkPassword(parts, account, password);
      if (accountId === null) {
        return show(desk, request, next, { email, problem: 'The e-mail address or the password is wrong.', status: 401 });
      }
      paces.clear(account, request.remoteAddress);
      return redirect(next, { 'set-cookie': await desk.begin(request, accountId) });
    },
  };
}

/** `POST /sign-out`. */
export function buildSignOut(parts: WebParts, desk: SessionDesk): Handler {
  return async (request) => {
    const visitor = await desk.find(request);
    if (!visitor) return redirect('/sign-in');
    checkForm(request, visitor.cookie, parts.publicUrl());
    const { accountId, sessionId } = visitor;
    const by = { actor: `session:${sessionId}`, now: parts.clock.now() };
    await parts.database.run(signOut, { accountId, choice: { sessionId }, ...by });
    return redirect('/sign-in', { 'set-cookie': desk.jar.remove('errand_session') });
  };
}
