import type { Clock } from '@errand/base/clock.ts';
import type { Config } from '../config/config.ts';
import type { Models } from '../models/model-registry.ts';
import { openTranscriber } from '../models/speech/speech-model.ts';
import type { Transcriber } from '../models/speech/transcriber.ts';

/** What transcribes speech by this configuration, null where nothing does. Nothing is loaded or called before its first use. */
export function buildTranscriber({ speech, models, secrets }: Config, mainModel: string, clock: Clock): Transcriber | null {
  return openTranscriber({ ...speech, apiKey: secrets.speechApiKey }, { ...models, ...secrets.models }, mainModel, clock);
}

/** The name of the model whose provider is the one in use. */
export function mainModelOf(models: Models): string {
  return models['service-1.6'].name;
}
