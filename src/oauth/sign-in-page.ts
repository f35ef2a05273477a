import { formTokenOf } from './form-guard.ts';
import { html, type Html } from './html.ts';
import { answerPage, renderNote } from './page.ts';
import type { SessionDesk } from './session-desk.ts';
import type { SignInWays, WebAnswer, WebParts, WebRequest } from './web-request.ts';

/** Why nobody was signed in, in words for who tried. */
export interface SignInTrouble {
  problem: string;
  status: number;
  headers?: Record<string, string>;
}

export interface SignInPage {
  request: Pick<WebRequest, 'headers'>;
  /** Where it leads, as `readNext` found it. */
  next: string;
  /** What was typed before. */
  email?: string;
  trouble?: SignInTrouble;
  /** Lines for cookies beside those of the form. */
  setCookie?: readonly string[];
}

function renderPasswordForm(formToken: string, { next, email = '' }: SignInPage): Html {
  return html`<form method="post" action="/sign-in">
<input type="hidden" name="form_token" value="${formToken}"><input type="hidden" name="next" value="${next}">
<label for="email">E-mail address</label>
<input id="email" name="email" type="email" autocomplete="username" required autofocus value="${email}">
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required>
<div class="row"><button>Sign in</button></div></form>`;
}

function renderProvider({ sso, acceptsPasswords }: SignInWays, next: string): Html | false {
  if (sso === null) return false;
  const href = next === '/' ? '/sign-in/oidc' : `/sign-in/oidc?next=${encodeURIComponent(next)}`;
  const divider = acceptsPasswords && html`<p class="or soft small">or with a password</p>`;
  return html`<p><a class="button wide" href="${href}">Continue with ${sso.settings.name}</a></p>${divider}`;
}

/** The page where people sign in, in all the ways that there are. */
export function answerSignIn({ signIn }: Pick<WebParts, 'signIn'>, desk: SessionDesk, page: SignInPage): WebAnswer {
  const { request, next, trouble } = page;
  const { secret, setCookie } = desk.anonymousSecret(request);
  const body = html`<div class="card"><h1>Sign in</h1>${trouble && renderNote('wrong', trouble.problem)}
${renderProvider(signIn, next)}${signIn.acceptsPasswords && renderPasswordForm(formTokenOf(secret), page)}</div>`;
  return answerPage({
    title: 'Sign in',
    body,
    status: trouble?.status ?? 200,
    headers: { ...trouble?.headers, 'set-cookie': [...setCookie, ...(page.setCookie ?? [])] },
  });
}
