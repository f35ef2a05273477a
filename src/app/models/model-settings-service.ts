import type { Clock } from '@errand/base/clock.ts';
import { Fault, invalidField, missingField } from '@errand/base/fault.ts';
import { newId } from '@errand/base/ids.ts';
import type { SealedBox } from '@errand/base/secrets/sealed-box.ts';
import type { ModelChange, ModelService, ProfileModels } from '../../api/contract/services/model-service.ts';
import { readModelNames } from '../../config/model-settings.ts';
import { readSecret, readWebAddress } from '../../config/setting-readers.ts';
import { WrongValue } from '../../config/setting.ts';
import { testConnection } from '../../models/connection-test.ts';
import type { CurrentModels } from '../../models/current-models.ts';
import {
  modelVariables,
  openProfiles,
  type ModelSettings,
  type OpenedProfile,
  type OpenedProfiles,
} from '../../models/model-registry.ts';
import { offlineName } from '../../models/offline/offline-model.ts';
import { findProvider } from '../../models/providers/providers.ts';
import { ownerOfAccess, type StoredModels, type StoredProfiles } from '../../models/providers/stored-access.ts';
import { profiles, type Profile, standardProfile } from '../../rules/instance/model-profile.ts';
import { sealedPlaces } from '../../rules/instance/sealed-places.ts';
import { splitModelNames } from '../../rules/instance/model-tuning.ts';
import { listModelSettings, type StoredModelSettings } from '../../store/instance/model-settings.ts';
import type { Database } from '../../store/db/database.ts';
import { openStored } from './stored-models.ts';

export interface ModelSettingsParts {
  database: Database;
  clock: Clock;
  /** Null for a process that cannot open the secrets of this instance. */
  box: SealedBox | null;
  /** The model settings of the environment. */
  environment: ModelSettings;
  /** The models used where nothing is set. */
  usual: string;
  findLocal(): Promise<string | null>;
  /** The models that this process uses. */
  current: CurrentModels;
}

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
function merge(known: StoredModels | undefined, { models, baseUrl, apiKey }: ModelChange): Draft {
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
function refuseProblem(problem: string, { fault }: OpenedProfile): Fault {
  return invalidField(fault?.setting ?? 'models', fault?.problem ?? problem);
}

/** Shows and changes the models for the operator. */
export class ModelSettingsService implements ModelService {
  readonly #parts: ModelSettingsParts;

  constructor(parts: ModelSettingsParts) {
    this.#parts = parts;
  }

  async list(): Promise<ProfileModels[]> {
    const { rows, stored } = await this.#read();
    const opened = this.#open(stored);
    return profiles.map((profile) => this.#describe(profile, opened, rows));
  }

  async show(profile: Profile): Promise<ProfileModels> {
    const { rows, stored } = await this.#read();
    return this.#describe(profile, this.#open(stored), rows);
  }

  async planSave(change: ModelChange): ReturnType<ModelService['planSave']> {
    const { profile } = change;
    this.#refuseEnvironment(profile);
    const { rows, stored } = await this.#read();
    const row = rows.find((each) => each.profile === profile);
    const { models, baseUrl, apiKey, keepsKey } = merge(stored[profile], change);
    const opened = this.#checkChange(profile, stored, { ...stored, [profile]: { models, baseUrl, apiKey } });
    if (opened.problem !== null) throw refuseProblem(opened.problem, opened);
    const sealed = keepsKey ? { sealedKey: row?.sealedKey ?? null, keyTail: row?.keyTail ?? null } : this.#seal(profile, apiKey);
    const settings = { models, baseUrl, ...sealed, revision: newId(this.#parts.clock.now()) };
    return { profile, from: row?.revision ?? null, settings, isNewKey: apiKey !== null && !keepsKey };
  }

  async planRemoval(profile: Profile): Promise<string | null> {
    const { rows, stored } = await this.#read();
    const { [profile]: removed, ...others } = stored;
    if (removed) this.#checkChange(profile, stored, others);
    return rows.find((each) => each.profile === profile)?.revision ?? null;
  }

  isConnected(): boolean {
    const { source, model } = this.#parts.current.opened[standardProfile];
    return source !== 'built_in' || model.name !== offlineName;
  }

  settle(): Promise<void> {
    return this.#parts.current.settle();
  }

  findLocal(): Promise<string | null> {
    return this.#parts.findLocal();
  }

  async test(change: ModelChange, signal: AbortSignal): ReturnType<ModelService['test']> {
    const { profile, models, baseUrl, apiKey } = change;
    const { stored } = await this.#read();
    const isDraft = models !== undefined || baseUrl !== undefined || apiKey !== undefined;
    if (isDraft) this.#refuseEnvironment(profile);
    const opened = this.#open(isDraft ? { ...stored, [profile]: merge(stored[profile], change) } : stored)[profile];
    const { model, problem } = opened;
    if (isDraft && problem !== null) throw refuseProblem(problem, opened);
    return Promise.all(
      [model, ...(model.fallbacks ?? [])].map(async (each) => ({
        model: each.name,
        ...(await testConnection(each, this.#parts.clock, signal)),
      })),
    );
  }

  async #read(): Promise<{ rows: StoredModelSettings[]; stored: StoredProfiles }> {
    const rows = await this.#parts.database.run(listModelSettings, null);
    return { rows, stored: openStored(rows, this.#parts.box) };
  }

  #open(stored: StoredProfiles): OpenedProfiles {
    const { environment, usual, clock } = this.#parts;
    return openProfiles(environment, stored, usual, { clock });
  }

  #refuseEnvironment(profile: Profile): void {
    const { variable, models } = modelVariables(this.#parts.environment)[profile];
    if (models === null) return;
    const remedy = `remove it from there and restart the service to set the models of ${profile} here`;
    throw new Fault('failed_precondition', `${variable} is set in the environment, which wins; ${remedy}.`);
  }

  /** The changed profile; throws 412 if another profile would lose what it needs. */
  #checkChange(profile: Profile, before: StoredProfiles, after: StoredProfiles): OpenedProfile {
    const [was, is] = [this.#open(before), this.#open(after)];
    const harmed = profiles.find(
      (each) => each !== profile && after[each] && was[each].problem === null && is[each].problem !== null,
    );
    if (!harmed) return is[profile];
    throw new Fault('failed_precondition', `${harmed} uses the api_key of ${profile}; give it one of its own first.`);
  }

  #seal(profile: Profile, apiKey: string | null): { sealedKey: string | null; keyTail: string | null } {
    if (apiKey === null) return { sealedKey: null, keyTail: null };
    const { box } = this.#parts;
    if (!box) throw new Fault('failed_precondition', 'This process lacks ERRAND_SECRET, with which keys are sealed.');
    const keyTail = apiKey.length >= shortestHinted ? apiKey.slice(-4) : '';
    return { sealedKey: box.seal(apiKey, sealedPlaces.modelKey(profile)), keyTail };
  }

  #describe(profile: Profile, opened: OpenedProfiles, rows: readonly StoredModelSettings[]): ProfileModels {
    const { source, models, problem } = opened[profile];
    const ownRow = rows.find((each) => each.profile === profile);
    const { environment } = this.#parts;
    const isOwn = modelVariables(environment)[profile].models !== null || ownRow !== undefined || profile === standardProfile;
    const shared = { profile, source, models: splitModelNames(models), isInherited: !isOwn, problem };
    if (source === 'settings') {
      const row = ownRow ?? rows.find((each) => each.profile === standardProfile);
      const { baseUrl = null, sealedKey = null, keyTail = null, changedAtMs = null } = row ?? {};
      return { ...shared, baseUrl, hasApiKey: sealedKey !== null, apiKeyTail: keyTail || null, changedAtMs };
    }
    const keyName = findProvider(ownerOfAccess(models))?.keyName;
    const hasApiKey = source === 'environment' && Boolean(environment.apiKey || (keyName && environment.providerKeys?.[keyName]));
    return { ...shared, baseUrl: environment.baseUrl ?? null, hasApiKey, apiKeyTail: null, changedAtMs: null };
  }
}
