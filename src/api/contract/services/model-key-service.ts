import type { SaveModelKeyArgs } from '../../../store/accounts/model-keys/model-keys.ts';
import type { Profile } from '../../../rules/instance/model-profile.ts';
import type { ModelChange, ModelTest, ProfileModels } from './model-service.ts';

/** A profile for which an account has brought a key, as the account sees it. */
export interface OwnProfile
  extends Pick<ProfileModels, 'profile' | 'models' | 'baseUrl' | 'hasApiKey' | 'apiKeyTail' | 'problem'> {
  changedAtMs: number;
}

/** The models that accounts use with keys of their own. */
export interface ModelKeyService {
  /** Whether this service accepts keys of accounts; others are stored and not used. */
  readonly isAccepting: boolean;
  list(accountId: string): Promise<OwnProfile[]>;
  /** What to store for a change. Throws a `Fault` if it cannot work, or if no keys are accepted. */
  planSave(accountId: string, change: ModelChange): Promise<Omit<SaveModelKeyArgs, 'actor' | 'now'>>;
  /** What the removal was checked with. Throws a `Fault` if another profile needs the key. */
  planRemoval(accountId: string, profile: Profile): Promise<SaveModelKeyArgs['seen']>;
  /** Asks each model of a profile one short question, as if the change were made. */
  test(accountId: string, change: ModelChange, signal: AbortSignal): Promise<ModelTest[]>;
}
