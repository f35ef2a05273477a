import type { Clock } from '@errand/base/clock.ts';
import type { Log } from '@errand/base/log.ts';
import type { SealedBox } from '@errand/base/secrets/sealed-box.ts';
import { modelsKey } from '@errand/base/signals/hints.ts';
import type { Config } from '../../config/config.ts';
import { CurrentModels } from '../../models/current-models.ts';
import { findUsualModel, type Models, type ModelSettings, openProfiles } from '../../models/model-registry.ts';
import { offlineName } from '../../models/offline/offline-model.ts';
import { listModelSettings } from '../../store/accounts/model-settings.ts';
import type { Database } from '../../store/db/database.ts';
import { openStored } from './stored-models.ts';

/** The models of a process. */
export interface ProcessModels {
  environment: ModelSettings;
  /** What is used where nothing is set. */
  usual: string;
  current: CurrentModels;
}

/** What the environment says about models. */
export function modelEnvironment({ models, secrets, prices }: Config): ModelSettings {
  return { ...models, ...secrets.models, prices };
}

/** The models that the environment sets. Throws a `StartFault` that names the invalid variable. */
export async function openEnvironmentModels(config: Config, clock: Clock, log: Log): Promise<ProcessModels> {
  const environment = modelEnvironment(config);
  const usual = await findUsualModel(environment);
  return { environment, usual, current: new CurrentModels(openProfiles(environment, {}, usual, { clock }), clock, log) };
}

/** Models in place of those that are set anywhere, for tests. */
export function replaceModels(config: Config, models: Models): ProcessModels {
  return { environment: modelEnvironment(config), usual: offlineName, current: CurrentModels.fixed(models) };
}

/** From here on, the models are also those that are set in the service, also by other processes. */
export async function followSettings(
  { environment, usual, current }: ProcessModels,
  { database, box }: { database: Database; box: SealedBox | null },
  clock: Clock,
): Promise<void> {
  await current.follow(async () => {
    const rows = await database.run(listModelSettings, null);
    return openProfiles(environment, openStored(rows, box), usual, { clock });
  });
  // Lives as long as the process, like the models themselves.
  database.hints.subscribe(modelsKey, () => current.refresh());
}
