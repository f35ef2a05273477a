import type { Clock } from '@errand/base/clock.ts';
import { createSafeDial, type SafeDial } from '@errand/base/net/safe-connect.ts';
import { modelKeysKey } from '@errand/base/signals/hints.ts';
import type { Config } from '../../config/config.ts';
import { AccountModels, type OwnModels, type OwnSideModels } from '../../models/account-models.ts';
import { type ModelSettings, type OpenedProfiles, openProfiles } from '../../models/model-registry.ts';
import { offlineName } from '../../models/offline/offline-model.ts';
import { openPictureModel } from '../../models/pictures/open-picture-model.ts';
import type { StoredProfiles } from '../../models/providers/stored-access.ts';
import { openTranscriber } from '../../models/speech/speech-model.ts';
import { profiles } from '../../rules/instance/model-profile.ts';
import { unmarkOwn } from '../../rules/instance/own-model.ts';
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

/** Nothing is named: the usual model of the provider is meant, with the access of the profile. */
const usual = { model: null, baseUrl: null, apiKey: null };

/** The models that work, each with its access. The standard profile comes first. */
function listAccess(opened: OpenedProfiles): { name: string; access: ModelSettings }[] {
  return profiles.flatMap((profile) => {
    const { source, problem, model, access } = opened[profile];
    if (source !== 'settings' || problem !== null || !access) return [];
    return [{ name: unmarkOwn(model.name), access: { ...access, providerKeys: null } }];
  });
}

/** What an account's keys open for pictures and for speech: the first of its profiles whose provider has such models decides. */
export function openOwnSideModels(opened: OpenedProfiles, clock: Clock, ownDial: SafeDial): OwnSideModels {
  const ports = { clock, ownDial };
  let sides: OwnSideModels = {};
  for (const { name, access } of listAccess(opened)) {
    const pictureModel = sides.pictureModel ?? openPictureModel({ ...usual, price: null }, access, name, ports);
    const transcriber = sides.transcriber ?? openTranscriber(usual, access, name, ports);
    sides = { ...(pictureModel && { pictureModel }), ...(transcriber && { transcriber }) };
  }
  return sides;
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
      const opened = openOwnProfiles(stored, environment, clock, ownDial);
      return { ...pickOwn(meterProfiles(opened, metrics, clock)), ...openOwnSideModels(opened, clock, ownDial) };
    },
  });
  // Lives as long as the process, like the models themselves.
  database.hints.subscribe(modelKeysKey, () => followed.refresh());
  return followed;
}
