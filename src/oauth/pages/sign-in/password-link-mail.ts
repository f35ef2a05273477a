import { newId } from '@errand/base/ids.ts';
import { findSignIn } from '../../../store/accounts/account-passwords.ts';
import { newPasswordLink, passwordLinkTtlMs } from '../../../store/accounts/recovery/new-password-link.ts';
import { createPasswordLink } from '../../../store/accounts/recovery/password-links.ts';
import { takeAttempt } from '../../../store/accounts/sign-in-attempts.ts';
import { textsFor } from '../layout/page-texts.ts';
import { describeVisit } from '../session/session-service.ts';
import type { PageParts, WebRequest } from '../../request/web-request.ts';

/**
 * Mails for one account. Strangers who use them up keep nobody out: a refused one means that others went to the mailbox within the time for
 * which their links work.
 */
const accountPace = { count: 5, windowMs: passwordLinkTtlMs };

/**
 * Mails a link that sets a password to the owner of an address, if the address has an active account with a password. Accounts without one
 * sign in at a provider, whose rules a password would bypass.
 */
export async function mailPasswordLink(parts: PageParts, request: WebRequest, email: string): Promise<void> {
  const { database, clock, log, publicUrl, signIn } = parts;
  const known = await database.run(findSignIn, email);
  if (!known || known.hash === null || known.status !== 'active' || signIn.mail === null) return;
  const { accountId, email: to, locale } = known.account;
  if ((await database.run(takeAttempt, [{ name: `password link ${accountId}`, ...accountPace }])) > 0) return;
  const now = clock.now();
  const { path, digest, expiresAtMs } = newPasswordLink(accountId, now);
  const by = { isForInstance: false, actor: 'browser', detail: describeVisit(request) };
  await database.run(createPasswordLink, { accountId, digest, expiresAtMs, ...by, now });
  const { mail } = textsFor({ locale }, {}).password;
  const sent = await signIn.mail.send({ to, subject: mail.subject, text: mail.text(publicUrl() + path), id: newId(now) });
  if ('problem' in sent) log.warn({ account_id: accountId, reason: sent.problem }, 'a link that sets a password was not mailed');
}
