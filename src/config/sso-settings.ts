import { isLoopbackName } from '@errand/base/net/loopback-name.ts';
import type { SignInPolicy } from '../rules/accounts/sign-in-policy.ts';
import { readFlag, readInteger, readSecret } from './setting-readers.ts';
import { setting, WrongValue } from './setting.ts';

/** Returned unchanged: whether it ends with a slash is part of its identity. */
function readIssuer(text: string): string {
  const url = URL.parse(text);
  const isSecure = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopbackName(url.hostname));
  if (!url || !isSecure) throw new WrongValue('must be an https address (http only for this machine)');
  if (url.username !== '' || url.password !== '') throw new WrongValue('must not contain a user name or password');
  if (/[?#\s]/.test(text)) throw new WrongValue('must not contain a query or fragment');
  if (/\/\.well-known\//.test(text)) throw new WrongValue('is the address before /.well-known/openid-configuration');
  return text;
}

function readScopes(text: string): string {
  const scopes = text.split(' ').filter(Boolean);
  if (!scopes.every((scope) => /^[\x21\x23-\x5b\x5d-\x7e]{1,100}$/.test(scope))) {
    throw new WrongValue('must be scopes with spaces between them');
  }
  if (!scopes.includes('openid')) throw new WrongValue('must contain openid');
  return [...new Set(scopes)].join(' ');
}

function readDomains(text: string): readonly string[] {
  const domains = text.split(',').map((item) => item.trim().toLowerCase());
  if (
    !domains.every((domain) =>
      /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/.test(domain),
    )
  ) {
    throw new WrongValue('must be a comma-separated list of domains, without @');
  }
  return [...new Set(domains)];
}

function readLabel(text: string): string {
  if (text.trim() === '' || text.length > 60 || /\p{Cc}/u.test(text))
    throw new WrongValue('must be a name of at most 60 characters');
  return text.trim();
}

/** Sign-in: with an OpenID Connect provider, with a password, and for how long. */
export const ssoSettings = {
  ERRAND_OIDC_ISSUER: setting<string | null>({
    about: 'Issuer URL of the OpenID Connect provider for sign-in; the redirect path is `/sign-in/oidc/callback`.',
    fallback: null,
    example: 'https://login.example.com/realms/staff',
    read: readIssuer,
  }),
  ERRAND_OIDC_CLIENT_ID: setting<string | null>({
    about: 'Client ID registered with the provider; required with ERRAND_OIDC_ISSUER.',
    fallback: null,
    example: 'errand',
    read: readSecret(1),
  }),
  ERRAND_OIDC_CLIENT_SECRET: setting<string | null>({
    about: 'Client secret; omit it for a public client.',
    fallback: null,
    example: 'secret-of-the-provider',
    read: readSecret(1),
  }),
  ERRAND_OIDC_NAME: setting<string | null>({
    about: 'Name of the provider on the sign-in page.',
    fallback: null,
    fallbackText: 'the host of ERRAND_OIDC_ISSUER',
    example: 'Example Staff',
    read: readLabel,
  }),
  ERRAND_OIDC_SCOPES: setting({
    about: 'Space-separated scopes to request from the provider.',
    fallback: 'openid email profile',
    example: 'openid email',
    read: readScopes,
  }),
  ERRAND_OIDC_DOMAINS: setting<readonly string[]>({
    about: 'Comma-separated domains of verified e-mail addresses allowed to sign in through the provider.',
    fallback: [],
    fallbackText: 'all',
    example: 'example.com,example.org',
    read: readDomains,
  }),
  ERRAND_OIDC_SIGN_UP: setting({
    about: 'Create an account on the first sign-in through the provider if the verified address has none.',
    fallback: false,
    example: 'true',
    read: readFlag,
  }),
  ERRAND_OIDC_TEAM: setting<string | null>({
    about: 'Name or ID of the team that accounts created by ERRAND_OIDC_SIGN_UP join.',
    fallback: null,
    example: 'Research',
    read: readSecret(1),
  }),
  ERRAND_OIDC_TRUST_EMAIL: setting({
    about: 'Treat all e-mail addresses from the provider as verified; only safe if users cannot change theirs.',
    fallback: false,
    example: 'true',
    read: readFlag,
  }),
  ERRAND_PASSWORD_SIGN_IN: setting({
    about: 'Allow sign-in with a password; `false` requires ERRAND_OIDC_ISSUER.',
    fallback: true,
    example: 'false',
    read: readFlag,
  }),
  ERRAND_TEAM_SIGN_UP: setting({
    about:
      'Let team invitations of all users make accounts, not only those of owners of the instance; not with ERRAND_OIDC_ISSUER.',
    fallback: false,
    example: 'true',
    read: readFlag,
  }),
  ERRAND_SESSION_HOURS: setting({
    about: 'Hours until a browser session expires.',
    fallback: 720,
    example: '24',
    read: readInteger(1, 8_760),
  }),
};

/** The identity provider; its secret is stored separately. */
export interface SsoSettings extends SignInPolicy {
  issuer: string;
  clientId: string;
  /** What people call it. */
  name: string;
  /** Display name. */
  scopes: string;
  /** Space-separated. */
  team: string | null;
}

interface SsoValues {
  ERRAND_OIDC_ISSUER: string | null;
  ERRAND_OIDC_CLIENT_ID: string | null;
  ERRAND_OIDC_NAME: string | null;
  ERRAND_OIDC_SCOPES: string;
  ERRAND_OIDC_TEAM: string | null;
  ERRAND_OIDC_DOMAINS: readonly string[];
  ERRAND_OIDC_SIGN_UP: boolean;
  ERRAND_OIDC_TRUST_EMAIL: boolean;
  ERRAND_PASSWORD_SIGN_IN: boolean;
}

type Trouble = { name: keyof SsoValues; problem: string };

/** Settings that contradict each other. */
export function findSsoTrouble(values: SsoValues): Trouble | null {
  const { ERRAND_OIDC_ISSUER: issuer, ERRAND_OIDC_CLIENT_ID: clientId, ERRAND_PASSWORD_SIGN_IN: hasPasswords } = values;
  if (issuer !== null && clientId === null) return { name: 'ERRAND_OIDC_CLIENT_ID', problem: 'is needed by ERRAND_OIDC_ISSUER' };
  if (issuer === null && clientId !== null) return { name: 'ERRAND_OIDC_ISSUER', problem: 'is needed by ERRAND_OIDC_CLIENT_ID' };
  if (issuer === null && !hasPasswords)
    return { name: 'ERRAND_OIDC_ISSUER', problem: 'is needed by ERRAND_PASSWORD_SIGN_IN=false' };
  return null;
}

export function readSso(values: SsoValues): SsoSettings | null {
  const { ERRAND_OIDC_ISSUER: issuer, ERRAND_OIDC_CLIENT_ID: clientId } = values;
  if (issuer === null || clientId === null) return null;
  return Object.freeze({
    issuer,
    clientId,
    name: values.ERRAND_OIDC_NAME ?? new URL(issuer).host,
    scopes: values.ERRAND_OIDC_SCOPES,
    team: values.ERRAND_OIDC_TEAM,
    domains: values.ERRAND_OIDC_DOMAINS,
    canSignUp: values.ERRAND_OIDC_SIGN_UP,
    trustsEmail: values.ERRAND_OIDC_TRUST_EMAIL,
  });
}
