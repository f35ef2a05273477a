import type { Clock } from '@errand/base/clock.ts';
import type { Config } from '../config/config.ts';
import type { CurrentModels } from '../models/current-models.ts';
import type { OpenedProfile } from '../models/model-registry.ts';
import { openPictureModel } from '../models/pictures/open-picture-model.ts';
import type { PictureModel } from '../models/pictures/picture-model.ts';
import { standardProfile } from '../rules/instance/model-profile.ts';
import { openTranscriber } from '../models/speech/speech-model.ts';
import type { Transcriber } from '../models/speech/transcriber.ts';

/** What transcribes speech beside this standard model, null where nothing does. Nothing is loaded or called before its first use. */
export function buildTranscriber({ speech, models, secrets }: Config, standard: OpenedProfile, clock: Clock): Transcriber | null {
  const mainModel = standard.problem === null ? standard.model.name : '';
  const settings = { ...models, ...secrets.models, ...standard.access };
  return openTranscriber({ ...speech, apiKey: secrets.speechApiKey }, settings, mainModel, clock);
}

/** What makes pictures beside this standard model, null where nothing does. */
export function buildPictureModel(
  { images, models, secrets, prices }: Config,
  standard: OpenedProfile,
  clock: Clock,
): PictureModel | null {
  const mainModel = standard.problem === null ? standard.model.name : '';
  const settings = { ...models, ...secrets.models, prices, ...standard.access };
  return openPictureModel({ ...images, apiKey: secrets.imageApiKey }, settings, mainModel, clock);
}

/** What `build` makes of the standard model of the moment. */
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
