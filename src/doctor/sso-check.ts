import type { Clock } from '@errand/base/clock.ts';
import { createSafeFetch } from '@errand/base/net/safe-fetch.ts';
import type { Config } from '../config/config.ts';
import { callbackPath } from '../oauth/pages/sign-in/sso-ticket.ts';
import { ProviderProblem } from '../sso/provider-problem.ts';
import { OidcProvider } from '../sso/oidc-provider.ts';
import { buildSsoParts } from '../app/build-sso.ts';

export interface SsoCheck {
  /** Whether the provider knows this service; null where it does not tell. */
  knowsClient: boolean | null;
  /** What is wrong with the provider's document; null for nothing. */
  problem: string | null;
}

/** Asks the provider of the configuration what it says of itself, and whether it knows this service. Null where there is none. */
export async function trySso(config: Config, clock: Clock): Promise<SsoCheck | null> {
  const parts = buildSsoParts(config, createSafeFetch({ allow: config.outboundAllow, clock }), null, clock);
  if (parts === null) return null;
  const provider = new OidcProvider({ ...parts, clock });
  const publicUrl = config.publicUrl ?? `http://localhost:${config.port}`;
  try {
    return { knowsClient: await provider.knowsClient(publicUrl + callbackPath), problem: null };
  } catch (error) {
    if (error instanceof ProviderProblem) return { knowsClient: null, problem: error.message };
    throw error;
  }
}
