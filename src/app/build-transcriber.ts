import type { Clock } from '@errand/base/clock.ts';
import type { Config } from '../config/config.ts';
import type { CurrentModels } from '../models/current-models.ts';
import type { OpenedProfile } from '../models/model-registry.ts';
import { standardProfile } from '../rules/instance/model-profile.ts';
import { openTranscriber } from '../models/speech/speech-model.ts';
import type { Transcriber } from '../models/speech/transcriber.ts';

/** What transcribes speech beside this standard model, null where nothing does. Nothing is loaded or called before its first use. */
export function buildTranscriber({ speech, models, secrets }: Config, standard: OpenedProfile, clock: Clock): Transcriber | null {
  const mainModel = standard.problem === null ? standard.model.name : '';
  const settings = { ...models, ...secrets.models, ...standard.access };
  return openTranscriber({ ...speech, apiKey: secrets.speechApiKey }, settings, mainModel, clock);
}

/** The same for the standard model of the moment. */
export function followTranscriber(config: Config, models: CurrentModels, clock: Clock): () => Transcriber | null {
  let standard = models.opened[standardProfile];
  let transcriber = buildTranscriber(config, standard, clock);
  return () => {
    const current = models.opened[standardProfile];
    if (current !== standard) {
      transcriber = buildTranscriber(config, current, clock);
      standard = current;
    }
    return transcriber;
  };
}
