import type { ModelSource, Profile } from '../../../rules/instance/model-profile.ts';
import type { SaveModelSettingsArgs } from '../../../store/accounts/model-settings.ts';

/** The models of a profile, as the operator sees them. */
export interface ProfileModels {
  profile: Profile;
  source: ModelSource;
  models: readonly string[];
  /** Whether it uses those of the standard profile. */
  isInherited: boolean;
  baseUrl: string | null;
  hasApiKey: boolean;
  /** The last characters of a key that is set in the service. */
  apiKeyTail: string | null;
  problem: string | null;
  /** Null unless they are set in the service. */
  changedAtMs: number | null;
}

/** What to set; undefined keeps what is set, null removes it. */
export interface ModelChange {
  profile: Profile;
  models?: string | undefined;
  baseUrl?: string | null | undefined;
  apiKey?: string | null | undefined;
}

/** What came of one call of a model. */
export interface ModelTest {
  model: string;
  latencyMs: number;
  /** Null if it answered. */
  problem: string | null;
}

/** The models of the profiles, for those who administer the instance. */
export interface ModelService {
  list(): Promise<ProfileModels[]>;
  show(profile: Profile): Promise<ProfileModels>;
  /** What to store for a change. Throws a `Fault` if it cannot work, or if the environment sets these models. */
  planSave(change: ModelChange): Promise<Pick<SaveModelSettingsArgs, 'profile' | 'from' | 'settings' | 'isNewKey'>>;
  /** The revision of the settings to remove; null if there are none. Throws a `Fault` if another profile needs their key. */
  planRemoval(profile: Profile): Promise<string | null>;
  /** False while the standard profile has only the built-in model, and nobody chose that. */
  isConnected(): boolean;
  /** Waits until this process uses what is stored. */
  settle(): Promise<void>;
  /** A model that Ollama or LM Studio offers on this machine, or null. */
  findLocal(): Promise<string | null>;
  /** Asks each model of a profile one short question, as if the change were made. */
  test(change: ModelChange, signal: AbortSignal): Promise<ModelTest[]>;
}
