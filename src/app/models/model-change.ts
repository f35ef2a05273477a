import { Fault, invalidField, missingField } from '@errand/base/fault.ts';
import type { SealedBox } from '@errand/base/secrets/sealed-box.ts';
import type { Clock } from '@errand/base/clock.ts';
import type { ModelChange, ModelTest } from '../../api/contract/services/model-service.ts';
import { readModelNames } from '../../config/model-settings.ts';
import { readSecret, readWebAddress } from '../../config/setting-readers.ts';
import { WrongValue } from '../../config/setting.ts';
import { testConnection } from '../../models/connection-test.ts';
import type { OpenedProfile, OpenedProfiles } from '../../models/model-registry.ts';
import { ownerOfAccess, type StoredModels, type StoredProfiles } from '../../models/providers/stored-access.ts';
import { type Profile, profiles } from '../../rules/instance/model-profile.ts';
import { unmarkOwn } from '../../rules/instance/own-model.ts';

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

/** Whether a test is asked for other settings than those that are stored. */
export function isDraft({ models, baseUrl, apiKey }: ModelChange): boolean {
  return models !== undefined || baseUrl !== undefined || apiKey !== undefined;
}

/** 412 if a change of a profile would keep another one, which has models of its own, from working. */
export function refuseHarm(profile: Profile, was: OpenedProfiles, is: OpenedProfiles, after: StoredProfiles): void {
  const harmed = profiles.find(
    (each) => each !== profile && after[each] && was[each].problem === null && is[each].problem !== null,
  );
  if (harmed) throw new Fault('failed_precondition', `${harmed} uses the api_key of ${profile}; give it one of its own first.`);
}

/** Calls each model of a profile once. */
export function testModels({ model }: OpenedProfile, clock: Clock, signal: AbortSignal): Promise<ModelTest[]> {
  return Promise.all(
    [model, ...(model.fallbacks ?? [])].map(async (each) => ({
      model: unmarkOwn(each.name),
      ...(await testConnection(each, clock, signal)),
    })),
  );
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
