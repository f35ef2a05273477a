import type { Check } from './check-reports.ts';
import { terminalLine } from '../cli/output.ts';
import type { Shell } from '../cli/shell.ts';

/** How people sign in, and whether the provider that is set up for that answers and knows this service. */
export async function checkSignIn({ config, clock }: Pick<Shell, 'config' | 'clock'>): Promise<Check> {
  const name = 'sign-in';
  const { trySso } = await import('./sso-check.ts');
  const check = await trySso(config, clock);
  if (check === null || config.sso === null) return { name, state: 'ok', found: 'with a password (docs/operate/sign-in.md)' };
  const { issuer, canSignUp, domains, trustsEmail } = config.sso;
  const others = config.acceptsPasswords ? 'passwords work' : 'nobody can sign in';
  if (check.problem !== null) {
    const remedy = `check ERRAND_OIDC_ISSUER and the provider; until it works ${others}`;
    return { name, state: 'missing', found: `${issuer}: ${terminalLine(check.problem)}`, remedy };
  }
  if (check.knowsClient === false) {
    const remedy = `check ERRAND_OIDC_CLIENT_ID and ERRAND_OIDC_CLIENT_SECRET; until they are right ${others}`;
    return { name, state: 'missing', found: `${issuer} does not know this service`, remedy };
  }
  const known = check.knowsClient ? 'answers and knows this service' : 'answers; whether it knows this service, it does not tell';
  const password = config.acceptsPasswords ? ', and with a password' : '';
  const found = `${issuer} ${known}${password}`;
  if (domains.length > 0 || (!canSignUp && !trustsEmail)) return { name, state: 'ok', found };
  const remedy = 'set ERRAND_OIDC_DOMAINS, unless the provider knows only people who are meant';
  return {
    name,
    state: 'ok',
    found: `${found}; whoever it signs in ${canSignUp ? 'gets an account' : 'is believed their address'}`,
    remedy,
  };
}
