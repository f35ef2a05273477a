import { Fault, invalidField, missingField } from '@errand/base/fault.ts';
import type { SealedBox } from '@errand/base/secrets/sealed-box.ts';
import type { ModelChange } from '../../api/contract/services/model-service.ts';
import { readModelNames } from '../../config/model-settings.ts';
import { readSecret, readWebAddress } from '../../config/setting-readers.ts';
import { WrongValue } from '../../config/setting.ts';
import type { OpenedProfile } from '../../models/model-registry.ts';
import { ownerOfAccess, type StoredModels } from '../../models/providers/stored-access.ts';

/** Shorter keys are not hinted at: four characters would be much of them. */
const shortestHinted = 12;

function readField<Value>(field: string, text: string, read: (text: string) => Value): Value {
  try {
    return read(text);
  } catch (error) {
    throw error instanceof WrongValue ? invalidField(field, error.message) : error;
  }
}

interface Draft extends StoredModels {
  /** Whether the stored key stays. */
  keepsKey: boolean;
}

/**
 * The settings after a change. A key that is not given again stays only if provider and base URL stay, so that no other server receives it.
 */
export function mergeChange(known: StoredModels | undefined, { models, baseUrl, apiKey }: ModelChange): Draft {
  const names = models === undefined ? known?.models : readField('models', models, readModelNames);
  if (names === undefined) throw missingField('models', ': this profile has no models of its own yet');
  const isSameProvider = known !== undefined && ownerOfAccess(known.models) === ownerOfAccess(names);
  const keptUrl = isSameProvider ? known.baseUrl : null;
  const url = baseUrl === undefined ? keptUrl : baseUrl && readField('base_url', baseUrl, readWebAddress);
  const keepsKey = apiKey === undefined && isSameProvider && url === known.baseUrl;
  const ownKey = apiKey ? readField('api_key', apiKey, readSecret(1)) : null;
  return { models: names, baseUrl: url, apiKey: keepsKey ? known.apiKey : ownKey, keepsKey };
}

/** 400 that names the field which a profile lacks. */
export function refuseProblem(problem: string, { fault }: OpenedProfile): Fault {
  return invalidField(fault?.setting ?? 'models', fault?.problem ?? problem);
}

/** A key as it is stored, sealed to its place, with the end by which people recognize it; 412 if this process cannot seal. */
export function sealKey(
  box: SealedBox | null,
  place: string,
  apiKey: string | null,
): { sealedKey: string | null; keyTail: string | null } {
  if (apiKey === null) return { sealedKey: null, keyTail: null };
  if (!box) throw new Fault('failed_precondition', 'This process lacks ERRAND_SECRET, with which keys are sealed.');
  return { sealedKey: box.seal(apiKey, place), keyTail: apiKey.length >= shortestHinted ? apiKey.slice(-4) : '' };
}
