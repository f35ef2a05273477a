import { networkOf } from '@errand/base/net/address-block.ts';
import { takeAttempt } from '../../../store/accounts/sign-in-attempts.ts';
import { html } from '../layout/html.ts';
import { PageFault } from '../layout/page-fault.ts';
import { answerPage, renderNote } from '../layout/page-layout.ts';
import { checkForm, formTokenOf } from '../session/form-guard.ts';
import type { PageHandler, PageRequest } from '../session/page-request.ts';
import type { SessionService } from '../session/session-service.ts';
import { mailPasswordLink } from './password-link-mail.ts';
import type { PageParts, WebAnswer } from '../../request/web-request.ts';

const addressPace = { count: 20, windowMs: 15 * 60 * 1000 };

function show(sessions: SessionService, request: PageRequest, waitS = 0): WebAnswer {
  const { texts } = request;
  const words = texts.password;
  const { secret, setCookie } = sessions.anonymousSecret(request);
  const body = html`<div class="card"><h1>${words.title}</h1><p class="soft">${words.lead}</p>${waitS > 0 && renderNote('wrong', words.tooMany)}
<form method="post" action="/sign-in/forgot"><input type="hidden" name="form_token" value="${formTokenOf(secret)}">
<label for="email">${words.email}</label>
<input id="email" name="email" type="email" autocomplete="username" required autofocus>
<div class="row"><button>${words.send}</button></div></form>
<p class="small"><a href="/sign-in">${words.toSignIn}</a></p></div>`;
  const headers = { 'set-cookie': setCookie, ...(waitS > 0 && { 'retry-after': String(waitS) }) };
  return answerPage({ texts, title: words.title, body, status: waitS > 0 ? 429 : 200, headers });
}

/** What to do on an instance without mail. That is no fault, so the page keeps its own title. */
function showWithoutMail({ texts }: PageRequest): WebAnswer {
  const { title, notHere, toSignIn } = texts.password;
  const body = html`<div class="card"><h1>${title}</h1><p>${notHere}</p><p><a class="button" href="/sign-in">${toSignIn}</a></p></div>`;
  return answerPage({ texts, title, body, status: 412 });
}

/** `/sign-in/forgot`: mails a link that sets a new password. */
export function buildForgottenPassword(parts: PageParts, sessions: SessionService): { show: PageHandler; submit: PageHandler } {
  const { database, signIn, log } = parts;
  const checkAvailable = () => {
    if (!signIn.acceptsPasswords) throw new PageFault('permission_denied', (texts) => texts.signIn.noPasswords);
  };
  return {
    async show(request) {
      checkAvailable();
      if (signIn.mail === null) return showWithoutMail(request);
      return show(sessions, request);
    },
    async submit(request) {
      checkAvailable();
      if (signIn.mail === null) return showWithoutMail(request);
      checkForm(request, sessions.jar.read(request.headers.cookie, 'errand_form'), parts.publicUrl());
      const pace = { name: `password links from ${networkOf(request.remoteAddress)}`, ...addressPace };
      const waitS = await database.run(takeAttempt, [pace]);
      if (waitS > 0) return show(sessions, request, waitS);
      // Not awaited: neither what is answered nor when may tell whether the address has an account.
      mailPasswordLink(parts, request, (request.fields.email ?? '').trim().slice(0, 320)).catch((error: unknown) => {
        log.error({ error }, 'a link that sets a password was not made');
      });
      const { texts } = request;
      const words = texts.password;
      const body = html`<div class="card"><h1>${words.sentTitle}</h1><p>${words.sent}</p><p class="small"><a href="/sign-in">${words.toSignIn}</a></p></div>`;
      return answerPage({ texts, title: words.sentTitle, body });
    },
  };
}
