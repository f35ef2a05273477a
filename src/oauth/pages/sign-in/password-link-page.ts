import { networkOf } from '@errand/base/net/address-block.ts';
import { keyOfPasswordLink, passwordLinkPath } from '../../../store/accounts/recovery/new-password-link.ts';
import { consumePasswordLink, findPasswordLink } from '../../../store/accounts/recovery/password-links.ts';
import { html } from '../layout/html.ts';
import { PageFault } from '../layout/page-fault.ts';
import { answerPage, renderNote } from '../layout/page-layout.ts';
import type { Said } from '../layout/page-texts.ts';
import { checkForm, formTokenOf } from '../session/form-guard.ts';
import type { PageHandler, PageRequest } from '../session/page-request.ts';
import { describeVisit, type SessionService } from '../session/session-service.ts';
import { checkNewPassword } from './new-password.ts';
import type { PageParts, WebAnswer } from '../../request/web-request.ts';

interface OpenLink {
  accountId: string;
  digest: string;
  token: string;
  email: string;
}

function show(sessions: SessionService, request: PageRequest, { token, email }: OpenLink, problem?: Said): WebAnswer {
  const { texts } = request;
  const words = texts.password;
  const { secret, setCookie } = sessions.anonymousSecret(request);
  const body = html`<div class="card"><h1>${words.setTitle}</h1><p class="soft">${words.setLead(email)}</p>${problem && renderNote('wrong', problem(texts))}
<form method="post" action="${passwordLinkPath}"><input type="hidden" name="form_token" value="${formTokenOf(secret)}">
<input type="hidden" name="token" value="${token}"><input type="hidden" autocomplete="username" value="${email}">
<label for="password">${words.password} <span class="hint">${words.hint}</span></label>
<input id="password" name="password" type="password" autocomplete="new-password" minlength="8" required autofocus>
<label for="again">${words.again}</label>
<input id="again" name="again" type="password" autocomplete="new-password" minlength="8" required>
<div class="row"><button>${words.save}</button></div></form></div>`;
  const status = problem === undefined ? 200 : 400;
  return answerPage({ texts, title: words.setTitle, body, status, headers: { 'set-cookie': setCookie } });
}

function answerBroken({ texts }: PageRequest, canAsk: boolean): WebAnswer {
  const words = texts.password;
  const ask = canAsk && html`<p><a class="button" href="/sign-in/forgot">${words.title}</a></p>`;
  const body = html`<div class="card"><h1>${words.brokenTitle}</h1><p>${words.broken}</p>${ask}<p class="small"><a href="/sign-in">${words.toSignIn}</a></p></div>`;
  return answerPage({ texts, title: words.brokenTitle, body, status: 404 });
}

function answerDone({ texts }: PageRequest): WebAnswer {
  const words = texts.password;
  const body = html`<div class="card"><h1>${words.doneTitle}</h1>${renderNote('fine', words.done)}<p><a class="button" href="/sign-in">${words.signIn}</a></p></div>`;
  return answerPage({ texts, title: words.doneTitle, body });
}

/** `/sign-in/password`: sets a new password by a link. Looking at the page does not use the link, because mail programs do that, too. */
export function buildPasswordLinkPage(parts: PageParts, sessions: SessionService): { show: PageHandler; submit: PageHandler } {
  const { database, clock, passwords, signIn } = parts;
  const open = async (token = ''): Promise<OpenLink | null> => {
    if (!signIn.acceptsPasswords) throw new PageFault('permission_denied', (texts) => texts.signIn.noPasswords);
    const key = keyOfPasswordLink(token);
    const found = key && (await database.run(findPasswordLink, { ...key, now: clock.now() }));
    return found && { ...key, token, email: found.email };
  };
  const canAsk = signIn.mail !== null;
  return {
    async show(request) {
      const link = await open(request.query.token);
      return link ? show(sessions, request, link) : answerBroken(request, canAsk);
    },
    async submit(request) {
      checkForm(request, sessions.jar.read(request.headers.cookie, 'errand_form'), parts.publicUrl());
      const link = await open(request.fields.token);
      if (!link) return answerBroken(request, canAsk);
      const { password = '', again = '' } = request.fields;
      const problem = checkNewPassword(password, again);
      if (problem) return show(sessions, request, link, problem);
      const hash = await passwords.hash(password, networkOf(request.remoteAddress));
      const { accountId, digest } = link;
      const isSet = await database.run(consumePasswordLink, {
        accountId,
        digest,
        hash,
        visit: describeVisit(request),
        now: clock.now(),
      });
      return isSet ? answerDone(request) : answerBroken(request, canAsk);
    },
  };
}
