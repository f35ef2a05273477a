import { readRecoveryCode } from '../../../rules/accounts/recovery-code.ts';
import { findTotpStep, readTotpCode } from '../../../rules/accounts/totp.ts';
import { sealedPlaces } from '../../../rules/instance/sealed-places.ts';
import { recordSecurityEvent } from '../../../store/accounts/security-events.ts';
import { clearAttempts, takeAttempt } from '../../../store/accounts/sign-in-attempts.ts';
import type { Authenticator } from '../../../store/accounts/two-step/authenticators.ts';
import { digestOfRecoveryCode } from '../../../store/accounts/two-step/new-recovery-codes.ts';
import {
  findPendingSignIn,
  passPendingSignIn,
  type PendingSignIn,
  type PendingSignInKey,
  type SecondStep,
} from '../../../store/accounts/two-step/pending-sign-ins.ts';
import { html } from '../layout/html.ts';
import { PageFault } from '../layout/page-fault.ts';
import { answerPage, redirect, renderNote } from '../layout/page-layout.ts';
import type { Said } from '../layout/page-texts.ts';
import { checkForm, formTokenOf } from '../session/form-guard.ts';
import { readNext, signInPath } from '../session/next-page.ts';
import type { PageHandler, PageRequest } from '../session/page-request.ts';
import { describeVisit, type SessionService } from '../session/session-service.ts';
import { keyOfPendingSignIn, secondStepAttempts, secondStepPath, secondStepUrl } from './second-step.ts';
import { SignInPace } from './sign-in-pace.ts';
import { answerSignIn } from './sign-in-page.ts';
import type { PageParts, WebAnswer } from '../../request/web-request.ts';

interface Shown {
  next: string;
  /** The kind of code that the field is made for; both kinds are accepted. */
  asks: 'app' | 'recovery';
  trouble?: { problem: Said; status: number; waitS?: number };
}

function show(sessions: SessionService, request: PageRequest, { next, asks, trouble }: Shown): WebAnswer {
  const { texts } = request;
  const words = texts.twoStep;
  const { secret, setCookie } = sessions.anonymousSecret(request);
  const [lead, label, other, otherUrl] =
    asks === 'app'
      ? [words.lead, words.code, words.useRecovery, secondStepUrl(next, { use: 'recovery' })]
      : [words.recoveryLead, words.recoveryCode, words.useApp, secondStepUrl(next)];
  const field =
    asks === 'app'
      ? html`<input id="code" name="code" inputmode="numeric" autocomplete="one-time-code" maxlength="40" required autofocus>`
      : html`<input id="code" name="code" autocomplete="off" autocapitalize="none" spellcheck="false" maxlength="40" required autofocus>`;
  const body = html`<div class="card"><h1>${words.title}</h1><p class="soft">${lead}</p>${trouble && renderNote('wrong', trouble.problem(texts))}
<form method="post" action="${secondStepPath}"><input type="hidden" name="form_token" value="${formTokenOf(secret)}">
<input type="hidden" name="next" value="${next}"><input type="hidden" name="use" value="${asks}">
<label for="code">${label}</label>
${field}
<div class="row"><button>${words.submit}</button></div></form>
<p class="small"><a href="${otherUrl}">${other}</a></p>${asks === 'recovery' && html`<p class="soft small">${words.lost}</p>`}
<p class="small"><a href="${signInPath(next)}">${words.restart}</a></p></div>`;
  const waiting = trouble?.waitS !== undefined && { 'retry-after': String(trouble.waitS) };
  return answerPage({
    texts,
    title: words.title,
    body,
    status: trouble?.status ?? 200,
    headers: { 'set-cookie': setCookie, ...waiting },
  });
}

/** The period whose code was typed; null for a wrong code and one that was used. */
function verifyAppCode({ seal, clock, log }: PageParts, { id, secret, lastStep }: Authenticator, typed: string): number | null {
  const code = readTotpCode(typed);
  if (code === null) return null;
  try {
    if (!seal) throw new Error('this process has not the secret of the instance');
    const opened = Buffer.from(seal.open(secret, sealedPlaces.authenticator(id)), 'base64');
    return findTotpStep(opened, code, { now: clock.now(), lastStep });
  } catch (error) {
    log.error({ error }, 'the secret of an authenticator app cannot be opened');
    throw new PageFault('unavailable', ({ twoStep }) => twoStep.noSecret);
  }
}

/** What was typed, as a proof; null if it cannot be one. */
function readProof(parts: PageParts, accountId: string, { authenticator }: PendingSignIn, typed: string): SecondStep | null {
  const recovery = readRecoveryCode(typed);
  if (recovery !== null) return { recoveryDigest: digestOfRecoveryCode(accountId, recovery) };
  const step = verifyAppCode(parts, authenticator, typed);
  return step === null ? null : { authenticatorId: authenticator.id, step };
}

interface Waiting extends PendingSignIn {
  key: PendingSignInKey;
}

/** The cookies of the new session, or that the code is wrong or the sign-in no longer waits. */
async function pass(
  { database }: PageParts,
  sessions: SessionService,
  request: PageRequest,
  { key, proof }: { key: PendingSignInKey; proof: SecondStep },
): Promise<string[] | 'wrong' | 'gone'> {
  const { session, setCookie } = sessions.prepare(request, key.accountId);
  const visit = describeVisit(request);
  const outcome = await database.run(passPendingSignIn, { ...key, proof, session, visit, now: session.now });
  if (outcome !== 'passed') return outcome;
  await sessions.endPrevious(request);
  return [...setCookie, sessions.jar.remove('errand_step')];
}

/** `/sign-in/code`: the second step of a sign-in, for whoever has done the first. */
export function buildSecondStepPage(parts: PageParts, sessions: SessionService): { show: PageHandler; submit: PageHandler } {
  const { database, clock } = parts;
  const pace = new SignInPace(parts);
  const find = async ({ headers }: PageRequest): Promise<Waiting | null> => {
    const key = keyOfPendingSignIn(sessions.jar.read(headers.cookie, 'errand_step'));
    const pending = key && (await database.run(findPendingSignIn, { ...key, now: clock.now() }));
    return pending && { ...pending, key };
  };
  const expire = (request: PageRequest, next: string) =>
    answerSignIn(parts, sessions, { request, next, trouble: { problem: ({ twoStep }) => twoStep.expired, status: 401 } });
  return {
    async show(request) {
      const next = readNext(request.query.next);
      if (!(await find(request))) return redirect(signInPath(next));
      return show(sessions, request, { next, asks: request.query.use === 'recovery' ? 'recovery' : 'app' });
    },
    async submit(request) {
      checkForm(request, sessions.jar.read(request.headers.cookie, 'errand_form'), parts.publicUrl());
      const { code = '', use } = request.fields;
      const next = readNext(request.fields.next);
      const waiting = await find(request);
      if (!waiting) return expire(request, next);
      const { accountId } = waiting.key;
      const asks = use === 'recovery' ? 'recovery' : 'app';
      const kind = readRecoveryCode(code) === null ? 'app' : 'recovery';
      const attempts = secondStepAttempts(accountId, request.remoteAddress, kind);
      const waitS = await database.run(takeAttempt, attempts);
      if (waitS > 0) {
        return show(sessions, request, {
          next,
          asks,
          trouble: { problem: ({ twoStep }) => twoStep.tooMany, status: 429, waitS },
        });
      }
      const proof = readProof(parts, accountId, waiting, code);
      const passed = proof === null ? 'wrong' : await pass(parts, sessions, request, { key: waiting.key, proof });
      if (passed === 'gone') return expire(request, next);
      if (passed === 'wrong') {
        const event = { accountId, atMs: clock.now(), kind: 'sign_in_failed' as const, actor: 'browser' };
        await database.run(recordSecurityEvent, { ...event, detail: { ...describeVisit(request), by: 'code' } });
        return show(sessions, request, { next, asks, trouble: { problem: ({ twoStep }) => twoStep.wrong, status: 401 } });
      }
      for (const { name } of attempts) await database.run(clearAttempts, name);
      await pace.clear(waiting.email, request.remoteAddress);
      return redirect(next, { 'set-cookie': passed });
    },
  };
}
