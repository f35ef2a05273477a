import { isEmailAddress } from '@errand/base/text/email-address.ts';

/** The users whom the operator admits through the identity provider. */
export interface SignInPolicy {
  /** Domains of e-mail addresses that may sign in, in lower case; empty for any. */
  domains: readonly string[];
  /** Whether an address without an account gets one. */
  canSignUp: boolean;
  /** Whether every address from the provider counts as verified, whatever its claims say. */
  trustsEmail: boolean;
}

/** The relevant claims of a provider about a user; any may be missing or of the wrong type. */
export interface IdentityClaims {
  email?: unknown;
  email_verified?: unknown;
}

/** Why a user whom the provider has signed in is not admitted. */
export type SignInRefusal = 'unverified' | 'domain' | 'none' | 'taken';

export type AdmissionVerdict = { email: string | null } | { refusal: 'unverified' | 'domain'; email: string | null };

/**
 * Lower case for ASCII letters only. Unicode has other letters whose lower case is ASCII (the Kelvin sign), which would let a user
 * imitate another's address.
 */
function lowerAscii(text: string): string {
  return text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
}

function readEmail({ email }: IdentityClaims): string | null {
  if (typeof email !== 'string' || !isEmailAddress(email)) return null;
  return email.isWellFormed() ? lowerAscii(email) : null;
}

/** A user's verified address, or null if the provider gives none or does not vouch for it. Some write `true` as text. */
export function readVerifiedEmail(claims: IdentityClaims, { trustsEmail }: Pick<SignInPolicy, 'trustsEmail'>): string | null {
  const isVouchedFor = trustsEmail || claims.email_verified === true || claims.email_verified === 'true';
  return isVouchedFor ? readEmail(claims) : null;
}

/**
 * Whether a user whom the provider has signed in is admitted, and with which verified address. Without a list of
 * domains, a known identity needs no address; with one, everyone needs a verified address of these domains each time, so that former
 * members stay out.
 */
export function decideAdmission(claims: IdentityClaims, policy: SignInPolicy, isKnown: boolean): AdmissionVerdict {
  const email = readVerifiedEmail(claims, policy);
  if (email === null) {
    return isKnown && policy.domains.length === 0 ? { email } : { refusal: 'unverified', email: readEmail(claims) };
  }
  const domain = email.slice(email.lastIndexOf('@') + 1);
  return policy.domains.length === 0 || policy.domains.includes(domain) ? { email } : { refusal: 'domain', email };
}
