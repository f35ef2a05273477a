import { readEmail } from '../api/email-field.ts';
import { checkPassword } from '../api/password-field.ts';
import { Fault } from '../base/fault.ts';
import { findPasswordless, setFirstPassword } from '../store/first-password.ts';
import { checkForm, formTokenOf } from './form-guard.ts';
import { html } from './html.ts';
import { answerPage, redirect, renderNote } from './page.ts';
import type { SessionDesk } from './session-desk.ts';
import type { Handler, WebAnswer, WebParts, WebRequest } from './web-request.ts';

const loopbackAddress = /^(127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/;
export const loopbackHost = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i;
const proxyHeaders = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip'];

/**
 * Whether somebody at this machine sent the request, and no proxy for somebody elsewhere: the connection comes from here, was
 * made to a name of this machine (which a page of another site cannot pretend), and carries no trace of a proxy.
 */
export function isFromThisMachine({ headers, remoteAddress }: Pick<WebRequest, 'headers' | 'remoteAddress'>, publicUrl: string) {
  return (
    loopbackAddress.test(remoteAddress) &&
    loopbackHost.test(headers.host ?? '') &&
    loopbackHost.test(new URL(publicUrl).host) &&
    proxyHeaders.every((name) => headers[name] === undefined)
  );
}

/** Whether this visitor may set the owner's password: on an embedded instance whose owner has none, from the same machine, where passwords sign in. */
export async function isSetUpOpen(
  { database, canBeSetUpHere, publicUrl, signIn }: WebParts,
  request: WebRequest,
): Promise<boolean> {
  if (!canBeSetUpHere || !signIn.acceptsPasswords || !isFromThisMachine(request, publicUrl())) return false;
  return (await database.run(findPasswordless, null)) !== null;
}

function show(desk: SessionDesk, request: WebRequest, email: string, problem?: string): WebAnswer {
  const { secret, setCookie } = desk.anonymousSecret(request);
  const body = html`<div class="card"><h1>Welcome to Errand</h1>
<p class="soft">This instance is new. Choose the password with which its owner signs in.</p>${problem !== undefined && renderNote('wrong', problem)}
<form method="post" action="/set-up"><input type="hidden" name="form_token" value="${formTokenOf(secret)}">
<label for="email">E-mail address</label>
<input id="email" name="email" type="email" autocomplete="username" required value="${email}">
<label for="password">Password <span class="hint">at least 8 characters</span></label>
<input id="password" name="password" type="password" autocomplete="new-password" minlength="8" required autofocus>
<label for="again">The same password again</label>
<input id="again" name="again" type="password" autocomplete="new-password" minlength="8" required>
<div class="row"><button>Set up</button></div></form></div>`;
  return answerPage({ title: 'Set up', body, status: problem === undefined ? 200 : 400, headers: { 'set-cookie': setCookie } });
}

function refuse(): Fault {
  return new Fault('not_found', 'There is nothing to set up here.');
}

/** What the owner chose, or what is wrong with it. */
function readChoice(email: string, password: string): { email: string } | { problem: string } {
  try {
    checkPassword(password);
    return { email: readEmail(email.trim()) };
  } catch (error) {
    if (error instanceof Fault) return { problem: error.message };
    throw error;
  }
}

/** The first visit to a fresh instance. */
export function buildSetUp(parts: WebParts, desk: SessionDesk): { show: Handler; submit: Handler } {
  const { database, passwords, clock } = parts;
  const open = async (request: WebRequest) => {
    const owner = (await isSetUpOpen(parts, request)) ? await database.run(findPasswordless, null) : null;
    if (!owner) throw refuse();
    return owner;
  };
  return {
    async show(request) {
      return show(desk, request, (await open(request)).email);
    },
    async submit(request) {
      const owner = await open(request);
      checkForm(request, desk.jar.read(request.headers.cookie, 'errand_form'), parts.publicUrl());
      const { email = '', password = '', again = '' } = request.fields;
      if (password !== again) return show(desk, request, email, 'The two passwords differ.');
      const chosen = readChoice(email, password);
      if ('problem' in chosen) return show(desk, request, email, chosen.problem);
      const hash = await passwords.hash(password);
      const { accountId } = owner;
      const isMine = await database.run(setFirstPassword, { accountId, email: chosen.email, hash, now: clock.now() });
      if (!isMine) throw refuse();
      return redirect('/', { 'set-cookie': await desk.begin(request, accountId) });
    },
  };
}
