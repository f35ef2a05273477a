import type { ModelSource, Profile } from '../../../rules/instance/model-profile.ts';
import type { SaveModelSettingsArgs } from '../../../store/instance/model-settings.ts';

/** The models of a profile, as the operator sees them. */
export interface ProfileModels {
  profile: Profile;
  source: ModelSource;
  models: readonly string[];
  /** Whether the profile uses the models of the standard profile. */
  isInherited: boolean;
  baseUrl: string | null;
  hasApiKey: boolean;
  /** The last characters of a key that is set in the service; null for none. */
  apiKeyTail: string | null;
  problem: string | null;
  /** When the models were set in the service; null if they were not. */
  changedAtMs: number | null;
}

/** A change of settings: undefined keeps a value, null removes it. */
export interface ModelChange {
  profile: Profile;
  models?: string | undefined;
  baseUrl?: string | null | undefined;
  apiKey?: string | null | undefined;
}

/** The outcome of one test call of a model. */
export interface ModelTest {
  model: string;
  latencyMs: number;
  /** Why the model did not answer; null if it did. */
  problem: string | null;
}

/** The models of the profiles, for administrators of the instance. */
export interface ModelService {
  list(): Promise<ProfileModels[]>;
  show(profile: Profile): Promise<ProfileModels>;
  /** What to store for a change. Throws a `Fault` if it cannot work, or if the environment sets these models. */
  planSave(change: ModelChange): Promise<Pick<SaveModelSettingsArgs, 'profile' | 'from' | 'settings' | 'isNewKey'>>;
  /** The revision of the settings to remove; null if there are none. Throws a `Fault` if another profile needs their key. */
  planRemoval(profile: Profile): Promise<string | null>;
  /** False while the standard profile only has the built-in model and nobody has chosen that deliberately. */
  isConnected(): boolean;
  /** Waits until this process uses the stored settings. */
  settle(): Promise<void>;
  /** A model that Ollama or LM Studio offers on this machine, or null. */
  findLocal(): Promise<string | null>;
  /** Asks each model of a profile one short question, as if the change were made. */
  test(change: ModelChange, signal: AbortSignal): Promise<ModelTest[]>;
}
