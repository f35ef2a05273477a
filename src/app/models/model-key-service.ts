import type { Clock } from '@errand/base/clock.ts';
import { Fault, invalidField } from '@errand/base/fault.ts';
import { newId } from '@errand/base/ids.ts';
import { OutboundFault } from '@errand/base/net/outbound-fault.ts';
import { checkTarget, type SafeDial } from '@errand/base/net/safe-connect.ts';
import type { SealedBox } from '@errand/base/secrets/sealed-box.ts';
import type { ModelKeyService, OwnProfile } from '../../api/contract/services/model-key-service.ts';
import type { ModelChange, ModelTest } from '../../api/contract/services/model-service.ts';
import type { ModelSettings, OpenedProfiles } from '../../models/model-registry.ts';
import type { StoredProfiles } from '../../models/providers/stored-access.ts';
import { profiles, type Profile } from '../../rules/instance/model-profile.ts';
import { sealedPlaces } from '../../rules/instance/sealed-places.ts';
import { splitModelNames } from '../../rules/instance/model-tuning.ts';
import { listModelKeys, type SaveModelKeyArgs, type StoredModelKey } from '../../store/accounts/model-keys/model-keys.ts';
import type { Database } from '../../store/db/database.ts';
import { isDraft, mergeChange, refuseHarm, refuseProblem, sealKey, testModels } from './model-change.ts';
import { openOwnProfiles } from './own-models.ts';
import { openStored } from './stored-models.ts';

export interface ModelKeyParts {
  database: Database;
  clock: Clock;
  /** Null for a process that cannot open the secrets of this instance. */
  box: SealedBox | null;
  /** The model settings of the environment. */
  environment: ModelSettings;
  dial: SafeDial;
  /** CIDR blocks of private addresses that outbound requests may reach. */
  allow: readonly string[];
  /** Whether accounts may bring keys at all. */
  isAccepting: boolean;
}

/** Providers with an own key. Local ones are on machines of the operator; `compatible` reaches the same servers by their URL. */
const ownProviders = ['openai', 'anthropic', 'google', 'compatible'];

/** Tests of one account at the same time; each waits for a server that the account has chosen, and holds its reply. */
const mostTests = 3;

function checkProviders(models: string): void {
  if (splitModelNames(models).every((name) => ownProviders.includes(name.split('/', 1)[0] ?? ''))) return;
  throw invalidField('models', `must be of the providers ${ownProviders.join(', ')}`);
}

/** Refuses at once what no call could reach; where a name leads, each call decides. */
function checkAddress(text: string, allow: readonly string[]): void {
  try {
    checkTarget(text, allow);
  } catch (error) {
    throw error instanceof OutboundFault ? invalidField('base_url', error.message) : error;
  }
}

/** Shows, changes, and tests the models that accounts have brought keys for. */
export class AccountModelKeys implements ModelKeyService {
  readonly #parts: ModelKeyParts;
  /** Running tests by account. */
  readonly #tests = new Map<string, number>();

  constructor(parts: ModelKeyParts) {
    this.#parts = parts;
  }

  get isAccepting(): boolean {
    return this.#parts.isAccepting;
  }

  async list(accountId: string): Promise<OwnProfile[]> {
    const { rows, stored } = await this.#read(accountId);
    const opened = this.#open(stored);
    return profiles.flatMap((profile) => {
      const row = rows.find((each) => each.profile === profile);
      return row ? [describe(row, opened)] : [];
    });
  }

  async planSave(accountId: string, change: ModelChange): Promise<Omit<SaveModelKeyArgs, 'actor' | 'now'>> {
    this.#refuseClosed();
    const { profile } = change;
    const { rows, stored } = await this.#read(accountId);
    const { models, baseUrl, apiKey, keepsKey } = this.#merge(stored, change);
    this.#checkChange(profile, stored, { ...stored, [profile]: { models, baseUrl, apiKey } });
    const place = sealedPlaces.accountModelKey(accountId, profile);
    const secret = keepsKey ? null : sealKey(this.#parts.box, place, apiKey);
    const key = { models, baseUrl, revision: newId(this.#parts.clock.now()) };
    return { accountId, profile, seen: rows, key, secret, isNewKey: apiKey !== null && !keepsKey };
  }

  async planRemoval(accountId: string, profile: Profile): ReturnType<ModelKeyService['planRemoval']> {
    const { rows, stored } = await this.#read(accountId);
    const { [profile]: _, ...others } = stored;
    refuseHarm(profile, this.#open(stored), this.#open(others), others);
    return rows;
  }

  async test(accountId: string, change: ModelChange, signal: AbortSignal): Promise<ModelTest[]> {
    this.#refuseClosed();
    const running = this.#tests.get(accountId) ?? 0;
    if (running >= mostTests) throw new Fault('resource_exhausted', 'Too many tests at the same time; wait for the others.');
    this.#tests.set(accountId, running + 1);
    try {
      return await this.#test(accountId, change, signal);
    } finally {
      const left = (this.#tests.get(accountId) ?? 1) - 1;
      if (left > 0) this.#tests.set(accountId, left);
      else this.#tests.delete(accountId);
    }
  }

  async #test(accountId: string, change: ModelChange, signal: AbortSignal): Promise<ModelTest[]> {
    const { profile } = change;
    const { stored } = await this.#read(accountId);
    const isDrafted = isDraft(change);
    if (!isDrafted && !stored[profile]) throw new Fault('not_found', `This account has no model key for ${profile}.`);
    const opened = this.#open(isDrafted ? { ...stored, [profile]: this.#merge(stored, change) } : stored)[profile];
    if (isDrafted && opened.problem !== null) throw refuseProblem(opened.problem, opened);
    return testModels(opened, this.#parts.clock, signal);
  }

  async #read(accountId: string): Promise<{ rows: StoredModelKey[]; stored: StoredProfiles }> {
    const { database, box } = this.#parts;
    const rows = await database.run(listModelKeys, { accountId });
    return { rows, stored: openStored(rows, box, (profile) => sealedPlaces.accountModelKey(accountId, profile)) };
  }

  #open(stored: StoredProfiles): OpenedProfiles {
    const { environment, clock, dial } = this.#parts;
    return openOwnProfiles(stored, environment, clock, dial);
  }

  #merge(stored: StoredProfiles, change: ModelChange) {
    const draft = mergeChange(stored[change.profile], change);
    checkProviders(draft.models);
    if (draft.baseUrl !== null) checkAddress(draft.baseUrl, this.#parts.allow);
    return draft;
  }

  #refuseClosed(): void {
    if (this.#parts.isAccepting) return;
    throw new Fault('failed_precondition', 'This service accepts no model keys of accounts; whoever runs it can change that.');
  }

  #checkChange(profile: Profile, before: StoredProfiles, after: StoredProfiles): void {
    const is = this.#open(after);
    refuseHarm(profile, this.#open(before), is, after);
    const { problem } = is[profile];
    if (problem !== null) throw refuseProblem(problem, is[profile]);
  }
}

function describe(
  { profile, models, baseUrl, sealedKey, keyTail, changedAtMs }: StoredModelKey,
  opened: OpenedProfiles,
): OwnProfile {
  const shared = { profile, models: splitModelNames(models), baseUrl, changedAtMs, problem: opened[profile].problem };
  return { ...shared, hasApiKey: sealedKey !== null, apiKeyTail: keyTail || null };
}
