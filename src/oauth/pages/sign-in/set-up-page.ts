import { readEmail } from '../../../api/accounts/email-field.ts';
import { checkPassword } from '../../../api/accounts/password-field.ts';
import { Fault } from '@errand/base/fault.ts';
import { findPasswordless, setFirstPassword } from '../../../store/accounts/first-password.ts';
import { checkForm, formTokenOf } from '../session/form-guard.ts';
import { readNext } from '../session/next-page.ts';
import { html } from '../layout/html.ts';
import { PageFault } from '../layout/page-fault.ts';
import type { PageHandler, PageRequest } from '../session/page-request.ts';
import { answerPage, redirect, renderNote } from '../layout/page-layout.ts';
import type { SessionService } from '../session/session-service.ts';
import type { Said } from '../layout/page-texts.ts';
import type { WebAnswer, PageParts, WebRequest } from '../../request/web-request.ts';

const loopbackAddress = /^(127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/;
export const loopbackHost = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i;
const proxyHeaders = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip'];

/**
 * Whether the request was sent from this machine, not by a proxy for someone elsewhere: the connection is local, addressed to a local host
 * name (which a page of another site cannot fake), and has no proxy headers.
 */
function isFromThisMachine({ headers, remoteAddress }: Pick<WebRequest, 'headers' | 'remoteAddress'>, publicUrl: string) {
  return (
    loopbackAddress.test(remoteAddress) &&
    loopbackHost.test(headers.host ?? '') &&
    loopbackHost.test(new URL(publicUrl).host) &&
    proxyHeaders.every((name) => headers[name] === undefined)
  );
}

/** Whether this local visitor may set the owner's password: on an embedded instance without one, with password sign-in. */
export async function isSetUpOpen(
  { database, canBeSetUpHere, publicUrl, signIn }: PageParts,
  request: WebRequest,
): Promise<boolean> {
  if (!canBeSetUpHere || !signIn.acceptsPasswords || !isFromThisMachine(request, publicUrl())) return false;
  return (await database.run(findPasswordless, null)) !== null;
}

function show(sessions: SessionService, request: PageRequest, email: string, problem?: Said): WebAnswer {
  const { texts } = request;
  const words = texts.setUp;
  const { secret, setCookie } = sessions.anonymousSecret(request);
  const next = readNext(request.fields.next ?? request.query.next);
  const body = html`<div class="card"><h1>${words.heading}</h1>
<p class="soft">${words.lead}</p>${problem && renderNote('wrong', problem(texts))}
<form method="post" action="/set-up"><input type="hidden" name="form_token" value="${formTokenOf(secret)}">
<input type="hidden" name="next" value="${next}">
<label for="email">${words.email}</label>
<input id="email" name="email" type="email" autocomplete="username" required value="${email}">
<label for="password">${words.password} <span class="hint">${words.passwordHint}</span></label>
<input id="password" name="password" type="password" autocomplete="new-password" minlength="8" required autofocus>
<label for="again">${words.again}</label>
<input id="again" name="again" type="password" autocomplete="new-password" minlength="8" required>
<div class="row"><button>${words.submit}</button></div></form></div>`;
  const status = problem === undefined ? 200 : 400;
  return answerPage({ texts, title: words.title, body, status, headers: { 'set-cookie': setCookie } });
}

function refuse(): PageFault {
  return new PageFault('not_found', ({ setUp }) => setUp.nothing);
}

function findProblem(check: () => unknown): string | null {
  try {
    check();
    return null;
  } catch (error) {
    if (error instanceof Fault) return error.message;
    throw error;
  }
}

/** What is wrong with the owner's input, or null. */
function checkChoice(email: string, password: string): Said | null {
  const passwordProblem = findProblem(() => checkPassword(password));
  if (passwordProblem !== null) return ({ setUp }) => setUp.wrongPassword(passwordProblem);
  const emailProblem = findProblem(() => readEmail(email));
  return emailProblem === null ? null : ({ setUp }) => setUp.wrongEmail(emailProblem);
}

/** The first visit to a fresh instance. */
export function buildSetUp(parts: PageParts, sessions: SessionService): { show: PageHandler; submit: PageHandler } {
  const { database, passwords, clock } = parts;
  const open = async (request: WebRequest) => {
    const owner = (await isSetUpOpen(parts, request)) ? await database.run(findPasswordless, null) : null;
    if (!owner) throw refuse();
    return owner;
  };
  return {
    async show(request) {
      return show(sessions, request, (await open(request)).email);
    },
    async submit(request) {
      const owner = await open(request);
      checkForm(request, sessions.jar.read(request.headers.cookie, 'errand_form'), parts.publicUrl());
      const { password = '', again = '' } = request.fields;
      const email = (request.fields.email ?? '').trim();
      if (password !== again) return show(sessions, request, email, ({ setUp }) => setUp.differ);
      const problem = checkChoice(email, password);
      if (problem) return show(sessions, request, email, problem);
      const hash = await passwords.hash(password, owner.accountId);
      const { accountId } = owner;
      const isMine = await database.run(setFirstPassword, { accountId, email: readEmail(email), hash, now: clock.now() });
      if (!isMine) throw refuse();
      return redirect(readNext(request.fields.next), { 'set-cookie': await sessions.begin(request, accountId) });
    },
  };
}
