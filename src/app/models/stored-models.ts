import { SealBroken, type SealedBox } from '@errand/base/secrets/sealed-box.ts';
import type { StoredModels, StoredProfiles } from '../../models/providers/stored-access.ts';
import { sealedPlaces } from '../../rules/instance/sealed-places.ts';
import type { StoredModelSettings } from '../../store/instance/model-settings.ts';

const otherSecret = 'this process cannot read the stored api_key, because its ERRAND_SECRET is not that of the others';

function openKey({ profile, sealedKey }: StoredModelSettings, box: SealedBox | null): Pick<StoredModels, 'apiKey' | 'problem'> {
  if (sealedKey === null) return { apiKey: null };
  try {
    return box ? { apiKey: box.open(sealedKey, sealedPlaces.modelKey(profile)) } : { apiKey: null, problem: otherSecret };
  } catch (error) {
    if (error instanceof SealBroken) return { apiKey: null, problem: otherSecret };
    throw error;
  }
}

/** Opens the stored settings, with keys in plain text. @param box null for a process that cannot open the secrets of this instance */
export function openStored(rows: readonly StoredModelSettings[], box: SealedBox | null): StoredProfiles {
  const entries = rows.map((row) => [row.profile, { models: row.models, baseUrl: row.baseUrl, ...openKey(row, box) }] as const);
  return Object.fromEntries(entries);
}
