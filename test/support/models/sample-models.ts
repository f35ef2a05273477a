import { type Clock, systemClock } from '@errand/base/clock.ts';
import { SealedBox } from '@errand/base/secrets/sealed-box.ts';
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
