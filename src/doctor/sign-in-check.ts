import { createSafeFetch } from '@errand/base/net/safe-fetch.ts';
import { cleanLine } from '@errand/base/text/terminal-text.ts';
import { buildSsoParts } from '../app/build-sso.ts';
import { callbackPath } from '../oauth/pages/sign-in/sso-ticket.ts';
import { OidcProvider } from '../sso/oidc-provider.ts';
import { ProviderProblem } from '../sso/provider-problem.ts';
import type { Check, DoctorContext } from './check.ts';

type SignInContext = Pick<DoctorContext, 'config' | 'clock'>;

const name = 'sign-in';

/** Whether the provider knows this service, or why it cannot be used. Null if no provider is configured. */
async function tryProvider({
  config,
  clock,
}: SignInContext): Promise<{ knowsClient: boolean | null } | { problem: string } | null> {
  const parts = buildSsoParts(config, createSafeFetch({ allow: config.outboundAllow, clock }), null, clock);
  if (parts === null) return null;
  const publicUrl = config.publicUrl ?? `http://localhost:${config.port}`;
  try {
    return { knowsClient: await new OidcProvider({ ...parts, clock }).knowsClient(publicUrl + callbackPath) };
  } catch (error) {
    if (error instanceof ProviderProblem) return { problem: error.message };
    throw error;
  }
}

/** How users sign in, and whether the configured provider answers and knows this service. */
export async function checkSignIn({ config, clock }: SignInContext): Promise<Check> {
  const check = await tryProvider({ config, clock });
  if (check === null || config.sso === null) return { name, state: 'ok', found: 'with a password (docs/operate/sign-in.md)' };
  const { issuer, canSignUp, domains, trustsEmail } = config.sso;
  const meanwhile = config.acceptsPasswords ? 'only passwords work' : 'nobody can sign in';
  if ('problem' in check) {
    const remedy = `check ERRAND_OIDC_ISSUER and the provider; until then, ${meanwhile}`;
    return { name, state: 'missing', found: `${issuer}: ${cleanLine(check.problem)}`, remedy };
  }
  if (check.knowsClient === false) {
    const remedy = `check ERRAND_OIDC_CLIENT_ID and ERRAND_OIDC_CLIENT_SECRET; until then, ${meanwhile}`;
    return { name, state: 'missing', found: `${issuer} does not know this service`, remedy };
  }
  const known = check.knowsClient ? 'answers and knows this service' : 'answers but does not tell whether it knows this service';
  const found = `${issuer} ${known}${config.acceptsPasswords ? '; passwords work, too' : ''}`;
  if (domains.length > 0 || (!canSignUp && !trustsEmail)) return { name, state: 'ok', found };
  const risk = canSignUp ? 'everyone it signs in gets an account' : 'the e-mail addresses it reports are trusted';
  const remedy = 'set ERRAND_OIDC_DOMAINS unless the provider knows only your users';
  return { name, state: 'ok', found: `${found}; ${risk}`, remedy };
}
