import { passkeySiteOf } from '@errand/base/secrets/passkeys.ts';
import { hasPasskeys } from '../../../store/accounts/passkeys/passkeys.ts';
import { formTokenOf } from '../session/form-guard.ts';
import { html, type Html } from '../layout/html.ts';
import { answerPage, renderNote } from '../layout/page-layout.ts';
import type { PageRequest } from '../session/page-request.ts';
import type { SessionService } from '../session/session-service.ts';
import type { Said } from '../layout/page-texts.ts';
import { newPasskeyChallenge } from './passkey-challenge.ts';
import { passkeyScriptHash, renderPasskeyForm } from './passkey-form.ts';
import type { SignInWays, WebAnswer, PageParts } from '../../request/web-request.ts';

/** Why the sign-in failed, in words for the user. */
export interface SignInTrouble {
  problem: Said;
  status: number;
  headers?: Record<string, string>;
}

/** Shown for the right password or identity of a disabled account. */
export const disabledTrouble: SignInTrouble = { problem: ({ signIn }) => signIn.disabled, status: 403 };

export interface SignInPage {
  request: Pick<PageRequest, 'headers' | 'texts'>;
  /** Where to continue, as read by `readNext`. */
  next: string;
  /** The email entered before. */
  email?: string;
  trouble?: SignInTrouble;
  /** Further cookies to set besides the form's. */
  setCookie?: readonly string[];
}

function renderPasswordForm(formToken: string, canReset: boolean, { request, next, email = '' }: SignInPage): Html {
  const { signIn, password } = request.texts;
  return html`<form method="post" action="/sign-in">
<input type="hidden" name="form_token" value="${formToken}"><input type="hidden" name="next" value="${next}">
<label for="email">${signIn.email}</label>
<input id="email" name="email" type="email" autocomplete="username" required autofocus value="${email}">
<label for="password">${signIn.password}</label>
<input id="password" name="password" type="password" autocomplete="current-password" required>
<div class="row"><button>${signIn.submit}</button></div></form>${canReset && html`<p class="small"><a href="/sign-in/forgot">${password.forgot}</a></p>`}`;
}

function renderProvider({ sso, acceptsPasswords }: SignInWays, { request, next }: SignInPage): Html | false {
  const words = request.texts.signIn;
  if (sso === null) return false;
  const href = next === '/' ? '/sign-in/oidc' : `/sign-in/oidc?next=${encodeURIComponent(next)}`;
  const divider = acceptsPasswords && html`<p class="or soft small">${words.orPassword}</p>`;
  return html`<p><a class="button wide" href="${href}">${words.continueWith(sso.settings.name)}</a></p>${divider}`;
}

type Parts = Pick<PageParts, 'signIn' | 'database' | 'clock' | 'publicUrl'>;

/** The form for passkeys; false where nobody has one. */
async function renderPasskeys(
  { signIn, database, clock, publicUrl }: Parts,
  { secret, page: { request, next } }: { secret: string; page: SignInPage },
): Promise<Html | false> {
  const site = signIn.acceptsPasswords ? passkeySiteOf(publicUrl()) : null;
  if (site === null || !(await database.run(hasPasskeys, null))) return false;
  const challenge = newPasskeyChallenge(secret, clock.now());
  return renderPasskeyForm({ site, challenge, formToken: formTokenOf(secret), next, texts: request.texts });
}

/** The sign-in page, with all available methods. */
export async function answerSignIn(parts: Parts, sessions: SessionService, page: SignInPage): Promise<WebAnswer> {
  const { signIn } = parts;
  const { request, trouble } = page;
  const { texts } = request;
  const { secret, setCookie } = sessions.anonymousSecret(request);
  const passkeys = await renderPasskeys(parts, { secret, page });
  const body = html`<div class="card"><h1>${texts.signIn.title}</h1>${trouble && renderNote('wrong', trouble.problem(texts))}
${renderProvider(signIn, page)}${signIn.acceptsPasswords && renderPasswordForm(formTokenOf(secret), signIn.mail !== null, page)}${passkeys}</div>`;
  return answerPage({
    texts,
    title: texts.signIn.title,
    body,
    status: trouble?.status ?? 200,
    ...(passkeys && { scriptHash: passkeyScriptHash }),
    headers: { ...trouble?.headers, 'set-cookie': [...setCookie, ...(page.setCookie ?? [])] },
  });
}
