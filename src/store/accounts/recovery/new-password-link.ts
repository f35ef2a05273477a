import { randomBase62 } from '@errand/base/ids.ts';
import { digestSecret } from '@errand/base/secrets/secret-digest.ts';
import type { PasswordLinkKey } from './password-links.ts';

/** How long a link that sets a password can be used, in milliseconds. */
export const passwordLinkTtlMs = 30 * 60 * 1000;

/** The page of the service to which such links lead. */
export const passwordLinkPath = '/sign-in/password';

const tokenForm = /^([0-9A-Za-z]{22})[0-9A-Za-z]{43}$/;

export interface NewPasswordLink extends PasswordLinkKey {
  /** Path and query of the link, with its token; only the receiver may have it. */
  path: string;
  /** Milliseconds since the epoch. */
  expiresAtMs: number;
}

/** A new link for an account; it works once it is stored. */
export function newPasswordLink(accountId: string, now: number): NewPasswordLink {
  const token = `${accountId}${randomBase62(43)}`;
  const path = `${passwordLinkPath}?token=${token}`;
  return { accountId, digest: digestSecret(token), path, expiresAtMs: now + passwordLinkTtlMs };
}

/** The account and purpose of a link's token; null for a malformed one. */
export function keyOfPasswordLink(token: string): PasswordLinkKey | null {
  const [, accountId] = tokenForm.exec(token) ?? [];
  return accountId === undefined ? null : { accountId, digest: digestSecret(token) };
}
