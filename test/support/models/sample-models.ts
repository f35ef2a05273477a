import { type Clock, systemClock } from '@errand/base/clock.ts';
import { OutboundFault } from '@errand/base/net/outbound-fault.ts';
import { createSafeDial, type SafeDial } from '@errand/base/net/safe-connect.ts';
import { SealedBox } from '@errand/base/secrets/sealed-box.ts';
import type { HandlerServices } from '../../../src/api/contract/operation.ts';
import { AccountModelKeys } from '../../../src/app/models/model-key-service.ts';
import { ModelSettingsService } from '../../../src/app/models/model-settings-service.ts';
import { CurrentModels } from '../../../src/models/current-models.ts';
import { type ModelSettings, openProfiles } from '../../../src/models/model-registry.ts';
import type { Database } from '../../../src/store/db/database.ts';

const usual = 'offline/offline-1';

/** The models of a service with these settings in its environment. */
export function sampleModels(
  database: Database,
  clock: Clock = systemClock,
  environment: ModelSettings = {},
): ModelSettingsService {
  const current = new CurrentModels(openProfiles(environment, {}, usual, { clock }), clock);
  const box = new SealedBox('a secret of the test');
  return new ModelSettingsService({
    database,
    clock,
    box,
    environment,
    usual,
    current,
    findLocal: () => Promise.resolve('ollama/found'),
  });
}

/** The own models of accounts. Without `allow`, their providers cannot be reached. */
export function sampleModelKeys(
  database: Database,
  clock: Clock = systemClock,
  { allow = [], isAccepting = true, dial: ownDial }: { allow?: readonly string[]; isAccepting?: boolean; dial?: SafeDial } = {},
): AccountModelKeys {
  const box = new SealedBox('a secret of the test');
  const nowhere = () => Promise.reject(new OutboundFault('blocked', 'must lead to a public address'));
  const dial = ownDial ?? (allow.length > 0 ? createSafeDial({ allow, clock }) : nowhere);
  return new AccountModelKeys({ database, clock, box, environment: {}, dial, allow, isAccepting });
}

/** What operations on models need. */
export type ModelServices = Pick<HandlerServices, 'models' | 'modelKeys'>;

export function sampleModelServices(
  database: Database,
  clock: Clock,
  { models = sampleModels(database, clock), modelKeys = sampleModelKeys(database, clock) }: Partial<ModelServices>,
): ModelServices {
  return { models, modelKeys };
}
