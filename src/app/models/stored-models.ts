import { SealBroken, type SealedBox } from '@errand/base/secrets/sealed-box.ts';
import type { StoredModels, StoredProfiles } from '../../models/providers/stored-access.ts';
import type { Profile } from '../../rules/instance/model-profile.ts';
import type { StoredModelSettings } from '../../store/instance/model-settings.ts';

const otherSecret = 'this process cannot read the stored api_key, because its ERRAND_SECRET is not that of the others';

type StoredRow = Pick<StoredModelSettings, 'profile' | 'models' | 'baseUrl' | 'sealedKey'>;

function openKey(sealedKey: string | null, place: string, box: SealedBox | null): Pick<StoredModels, 'apiKey' | 'problem'> {
  if (sealedKey === null) return { apiKey: null };
  try {
    return box ? { apiKey: box.open(sealedKey, place) } : { apiKey: null, problem: otherSecret };
  } catch (error) {
    if (error instanceof SealBroken) return { apiKey: null, problem: otherSecret };
    throw error;
  }
}

/**
 * Opens the stored settings, with keys in plain text.
 * @param box null for a process that cannot open the secrets of this instance
 * @param placeOf what the key of a profile is sealed to
 */
export function openStored(
  rows: readonly StoredRow[],
  box: SealedBox | null,
  placeOf: (profile: Profile) => string,
): StoredProfiles {
  const entries = rows.map(({ profile, models, baseUrl, sealedKey }) => {
    return [profile, { models, baseUrl, ...openKey(sealedKey, placeOf(profile), box) }] as const;
  });
  return Object.fromEntries(entries);
}
