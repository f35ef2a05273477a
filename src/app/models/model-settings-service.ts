import type { Clock } from '@errand/base/clock.ts';
import { Fault } from '@errand/base/fault.ts';
import { newId } from '@errand/base/ids.ts';
import type { SealedBox } from '@errand/base/secrets/sealed-box.ts';
import type { ModelChange, ModelService, ProfileModels } from '../../api/contract/services/model-service.ts';
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
import { ownerOfAccess, type StoredProfiles } from '../../models/providers/stored-access.ts';
import { profiles, type Profile, standardProfile } from '../../rules/instance/model-profile.ts';
import { sealedPlaces } from '../../rules/instance/sealed-places.ts';
import { splitModelNames } from '../../rules/instance/model-tuning.ts';
import { listModelSettings, type StoredModelSettings } from '../../store/instance/model-settings.ts';
import type { Database } from '../../store/db/database.ts';
import { isDraft, mergeChange, refuseHarm, refuseProblem, sealKey, testModels } from './model-change.ts';
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
    const { models, baseUrl, apiKey, keepsKey } = mergeChange(stored[profile], change);
    const opened = this.#checkChange(profile, stored, { ...stored, [profile]: { models, baseUrl, apiKey } });
    if (opened.problem !== null) throw refuseProblem(opened.problem, opened);
    const sealed = keepsKey
      ? { sealedKey: row?.sealedKey ?? null, keyTail: row?.keyTail ?? null }
      : sealKey(this.#parts.box, sealedPlaces.modelKey(profile), apiKey);
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
    const { profile } = change;
    const { stored } = await this.#read();
    const isDrafted = isDraft(change);
    if (isDrafted) this.#refuseEnvironment(profile);
    const opened = this.#open(isDrafted ? { ...stored, [profile]: mergeChange(stored[profile], change) } : stored)[profile];
    if (isDrafted && opened.problem !== null) throw refuseProblem(opened.problem, opened);
    return testModels(opened, this.#parts.clock, signal);
  }

  async #read(): Promise<{ rows: StoredModelSettings[]; stored: StoredProfiles }> {
    const rows = await this.#parts.database.run(listModelSettings, null);
    return { rows, stored: openStored(rows, this.#parts.box, sealedPlaces.modelKey) };
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
    const is = this.#open(after);
    refuseHarm(profile, this.#open(before), is, after);
    return is[profile];
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
