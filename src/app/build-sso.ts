import type { Clock } from '@errand/base/clock.ts';
import { createSafeFetch, type SafeFetch } from '@errand/base/net/safe-fetch.ts';
import type { SealedBox } from '@errand/base/secrets/sealed-box.ts';
import type { Config } from '../config/config.ts';
import type { SsoParts } from '../sso/sso-parts.ts';

/** Allows every address: the operator configures the issuer, which may be self-hosted. */
const everywhere = ['0.0.0.0/0', '::/0'];

/** @param httpClient reaches the other hosts that the provider's answers name */
export function buildSsoParts(config: Config, httpClient: SafeFetch, box: SealedBox | null, clock: Clock): SsoParts | null {
  if (config.sso === null) return null;
  const httpClients = { own: createSafeFetch({ allow: everywhere, clock }), others: httpClient };
  return { settings: config.sso, clientSecret: config.secrets.oidcClientSecret, httpClients, box };
}
