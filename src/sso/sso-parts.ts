import type { SealedBox } from '@errand/base/secrets/sealed-box.ts';
import type { SignInPolicy } from '../rules/accounts/sign-in-policy.ts';
import type { ProviderHttpClients } from './provider-fetch.ts';

/** Everything needed for sign-in with a provider, loaded and fetched on first use. */
export interface SsoParts {
  settings: SignInPolicy & { issuer: string; clientId: string; scopes: string; name: string; team: string | null };
  clientSecret: string | null;
  httpClients: ProviderHttpClients;
  /** Seals what browsers keep meanwhile; null if this process has a different secret than the others. */
  box: SealedBox | null;
}
