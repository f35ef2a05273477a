import type { Clock } from '@errand/base/clock.ts';
import type { Log } from '@errand/base/log.ts';
import type { Metrics } from '@errand/base/metrics.ts';
import type { SealedBox } from '@errand/base/secrets/sealed-box.ts';
import { modelsKey } from '@errand/base/signals/hints.ts';
import type { Config } from '../../config/config.ts';
import { CurrentModels } from '../../models/current-models.ts';
import {
  fixedProfiles,
  findUsualModel,
  type Models,
  type ModelSettings,
  type OpenedProfiles,
  openProfiles,
} from '../../models/model-registry.ts';
import type { StoredProfiles } from '../../models/providers/stored-access.ts';
import { offlineName } from '../../models/offline/offline-model.ts';
import { sealedPlaces } from '../../rules/instance/sealed-places.ts';
import { listModelSettings } from '../../store/instance/model-settings.ts';
import type { Database } from '../../store/db/database.ts';
import { meterProfiles } from '../monitoring/metered-models.ts';
import { openStored } from './stored-models.ts';

/** The models of a process. */
export interface ProcessModels {
  environment: ModelSettings;
  /** The models used where nothing is set. */
  usual: string;
  current: CurrentModels;
  /** Opens the models, given the profiles that are set in the service. */
  open(stored: StoredProfiles): OpenedProfiles;
}

interface ModelParts {
  config: Config;
  clock: Clock;
  log: Log;
  metrics: Metrics;
}

/** What the environment says about models. */
function modelEnvironment({ models, secrets, prices }: Config): ModelSettings {
  return { ...models, ...secrets.models, prices };
}

/** The models that the environment sets. Throws a `StartFault` that names the invalid variable. */
export async function openEnvironmentModels({ config, clock, log, metrics }: ModelParts): Promise<ProcessModels> {
  const environment = modelEnvironment(config);
  const usual = await findUsualModel(environment);
  const open = (stored: StoredProfiles) => meterProfiles(openProfiles(environment, stored, usual, { clock }), metrics, clock);
  return { environment, usual, open, current: new CurrentModels(open({}), clock, log) };
}

/** Models that replace all others, for tests. */
export function replaceModels(models: Models, { config, clock, metrics }: ModelParts): ProcessModels {
  const opened = meterProfiles(fixedProfiles(models), metrics, clock);
  return { environment: modelEnvironment(config), usual: offlineName, open: () => opened, current: new CurrentModels(opened) };
}

/** Follows the model settings stored in the service from now on, including changes by other processes. */
export async function followSettings(
  { open, current }: ProcessModels,
  { database, box }: { database: Database; box: SealedBox | null },
): Promise<void> {
  await current.follow(async () => open(openStored(await database.run(listModelSettings, null), box, sealedPlaces.modelKey)));
  // Lives as long as the process, like the models themselves.
  database.hints.subscribe(modelsKey, () => current.refresh());
}
