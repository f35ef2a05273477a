import type { Profile } from '../../rules/instance/model-profile.ts';
import { splitModelNames } from '../../rules/instance/model-tuning.ts';
import { chooseEndpoint, type Endpoint, type ModelSettings } from './provider-endpoint.ts';

/** The models of a profile as set in the service, with their key in plain text. */
export interface StoredModels {
  models: string;
  baseUrl: string | null;
  apiKey: string | null;
  /** Why the key cannot be read; null if it can, or if there is none. */
  problem?: string;
}

/** What is set in the service, by profile. */
export type StoredProfiles = Readonly<Partial<Record<Profile, StoredModels>>>;

/** The fields that the settings of a request come from. */
const fields = { baseUrl: 'base_url', apiKey: 'api_key' };

function providerOf(name: string): string {
  return name.split('/', 1)[0] ?? '';
}

/** The provider that base URL and key of these settings are for: that of the first model. */
export function ownerOfAccess(models: string): string {
  return providerOf(splitModelNames(models)[0] ?? '');
}

/**
 * URL and key for a model of a profile. A key is only sent to the provider that it was set for, at the URL that it was set for: that of the
 * profile, of another profile with the same provider, or of the environment.
 */
function findAccess(profile: Profile, name: string, stored: StoredProfiles, environment: ModelSettings): ModelSettings {
  const { providerKeys } = environment;
  const provider = providerOf(name);
  const others = Object.values(stored);
  const lender = [stored[profile], ...others].find(
    (each) => each && ownerOfAccess(each.models) === provider && (each.baseUrl !== null || each.apiKey !== null),
  );
  if (lender) {
    const { baseUrl, apiKey } = lender;
    return { baseUrl, apiKey, providerKeys: baseUrl === null ? providerKeys : null };
  }
  const isInUse = ownerOfAccess(environment.model ?? '') === provider;
  return isInUse ? { baseUrl: environment.baseUrl, apiKey: environment.apiKey, providerKeys } : { providerKeys };
}

/** The endpoint of a model that is set in the service. Throws a `StartFault` that names the field that is missing. */
export function chooseStoredEndpoint(
  profile: Profile,
  name: string,
  stored: StoredProfiles,
  environment: ModelSettings,
): Endpoint {
  return chooseEndpoint({ variable: 'models', value: name }, findAccess(profile, name, stored, environment), fields);
}
