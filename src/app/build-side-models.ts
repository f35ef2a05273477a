import type { Clock } from '@errand/base/clock.ts';
import type { Config } from '../config/config.ts';
import type { CurrentModels } from '../models/current-models.ts';
import type { OpenedProfile } from '../models/model-registry.ts';
import { findProvider } from '../models/providers/providers.ts';
import { type ModelSettings, ownsAccess } from '../models/providers/provider-endpoint.ts';
import { openPictureModel } from '../models/pictures/open-picture-model.ts';
import type { PictureModel } from '../models/pictures/picture-model.ts';
import { standardProfile } from '../rules/instance/model-profile.ts';
import { openTranscriber } from '../models/speech/speech-model.ts';
import type { Transcriber } from '../models/speech/transcriber.ts';

function providerNameOf(name: string): string {
  return name.split('/', 1)[0] ?? '';
}

/**
 * The settings for access to the standard model. In a list of several providers, one with its own key uses that, because the common key
 * belongs to another.
 */
export function findAccess({ models, secrets }: Pick<Config, 'models' | 'secrets'>, standard: OpenedProfile): ModelSettings {
  const settings = { ...models, ...secrets.models, ...standard.access };
  if (standard.problem !== null) return settings;
  const { model } = standard;
  const names = [model, ...(model.fallbacks ?? [])].map(({ name }) => providerNameOf(name));
  const provider = findProvider(providerNameOf(model.name));
  const isOwn = provider && ownsAccess({ isMixed: new Set(names).size > 1 }, provider, settings);
  return isOwn ? { ...settings, baseUrl: null, apiKey: null } : settings;
}

/** The transcriber beside this standard model; null for none. Nothing is loaded or called before its first use. */
export function buildTranscriber(config: Config, standard: OpenedProfile, clock: Clock): Transcriber | null {
  const mainModel = standard.problem === null ? standard.model.name : '';
  const speech = { ...config.speech, apiKey: config.secrets.speechApiKey };
  return openTranscriber(speech, findAccess(config, standard), mainModel, { clock });
}

/** The maker of pictures beside this standard model; null for none. */
export function buildPictureModel(config: Config, standard: OpenedProfile, clock: Clock): PictureModel | null {
  const mainModel = standard.problem === null ? standard.model.name : '';
  const images = { ...config.images, apiKey: config.secrets.imageApiKey };
  return openPictureModel(images, { prices: config.prices, ...findAccess(config, standard) }, mainModel, { clock });
}

/** What `build` makes of the current standard model; built again when the model changes. */
export function followStandard<Built>(models: CurrentModels, build: (standard: OpenedProfile) => Built): () => Built {
  let standard = models.opened[standardProfile];
  let built = build(standard);
  return () => {
    const current = models.opened[standardProfile];
    if (current !== standard) {
      built = build(current);
      standard = current;
    }
    return built;
  };
}
