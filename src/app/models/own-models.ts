import type { Clock } from '@errand/base/clock.ts';
import { createSafeDial, type SafeDial } from '@errand/base/net/safe-connect.ts';
import { modelKeysKey } from '@errand/base/signals/hints.ts';
import type { Config } from '../../config/config.ts';
import { AccountModels, type OwnModels } from '../../models/account-models.ts';
import { type ModelSettings, type OpenedProfiles, openProfiles } from '../../models/model-registry.ts';
import { offlineName } from '../../models/offline/offline-model.ts';
import type { StoredProfiles } from '../../models/providers/stored-access.ts';
import { profiles } from '../../rules/instance/model-profile.ts';
import { sealedPlaces } from '../../rules/instance/sealed-places.ts';
import { hasModelKeys, listModelKeys } from '../../store/accounts/model-keys/model-keys.ts';
import { meterProfiles } from '../monitoring/metered-models.ts';
import type { Stores } from '../open-stores.ts';
import type { Runtime } from '../runtime.ts';
import { openStored } from './stored-models.ts';

/** Connects to the providers of accounts by the rules for outbound requests. */
export function createOwnDial({ outboundAllow: allow }: Config, clock: Clock): SafeDial {
  return createSafeDial({ allow, clock });
}

/** Of the operator's settings, own models have only the patience: neither keys nor URLs, nor what fits the operator's models. */
function settingsOfOwn({ tuning = {} }: ModelSettings): ModelSettings {
  const patience = Object.entries(tuning).flatMap(([profile, { patienceMs } = {}]) =>
    patienceMs === undefined ? [] : [[profile, { patienceMs }] as const],
  );
  return { providerKeys: null, tuning: Object.fromEntries(patience) };
}

/** Opens what an account has stored; profiles that it does not cover have the source `built_in`. */
export function openOwnProfiles(
  stored: StoredProfiles,
  environment: ModelSettings,
  clock: Clock,
  ownDial: SafeDial,
): OpenedProfiles {
  return openProfiles(settingsOfOwn(environment), stored, offlineName, { clock, ownDial });
}

function pickOwn(opened: OpenedProfiles): OwnModels {
  return Object.fromEntries(
    profiles.flatMap((profile) => {
      const { source, model } = opened[profile];
      return source === 'settings' ? [[profile, model] as const] : [];
    }),
  );
}

/** The models of tasks: those of their accounts, otherwise those of the service. Follows changes by all processes. */
export function followAccountModels(
  { config, models, clock, metrics }: Pick<Runtime, 'config' | 'models' | 'clock' | 'metrics'>,
  { database, box }: Pick<Stores, 'database' | 'box'>,
): AccountModels {
  const { current, environment } = models;
  const ownDial = createOwnDial(config, clock);
  const followed = new AccountModels({
    current,
    clock,
    isAny: () => (config.acceptsModelKeys ? database.run(hasModelKeys, null) : Promise.resolve(false)),
    load: async (accountId) => {
      const rows = await database.run(listModelKeys, { accountId });
      const stored = openStored(rows, box, (profile) => sealedPlaces.accountModelKey(accountId, profile));
      return pickOwn(meterProfiles(openOwnProfiles(stored, environment, clock, ownDial), metrics, clock));
    },
  });
  // Lives as long as the process, like the models themselves.
  database.hints.subscribe(modelKeysKey, () => followed.refresh());
  return followed;
}
