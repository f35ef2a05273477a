import { needsOf, readModelName } from './model-settings.ts';
import { readSecret, readWebAddress } from './setting-readers.ts';
import { setting, WrongValue } from './setting.ts';

/** `none`, or a speech model. */
export const noSpeech = 'none';

function readSpeechModel(text: string): string {
  if (text === noSpeech) return text;
  const name = readModelName(text);
  if (!needsOf(name).listens) throw new WrongValue('names a provider without speech models');
  return name;
}

/** Speech-to-text settings. */
export const speechSettings = {
  ERRAND_SPEECH_MODEL: setting<string | null>({
    about: 'Model that transcribes voice messages and recordings, as `provider/model`, or `none`.',
    fallback: null,
    fallbackText: "the default of ERRAND_MODEL's provider if that is `openai` or `google`, else none",
    example: 'openai/gpt-4o-mini-transcribe',
    read: readSpeechModel,
  }),
  ERRAND_SPEECH_BASE_URL: setting<string | null>({
    about: "Base URL of the speech model's API; required for `compatible`.",
    fallback: null,
    fallbackText: "ERRAND_MODEL_BASE_URL if the provider is the same, else the provider's own",
    example: 'http://localhost:8000/v1',
    read: readWebAddress,
  }),
  ERRAND_SPEECH_API_KEY: setting<string | null>({
    about: 'API key for the speech model.',
    fallback: null,
    fallbackText: 'ERRAND_MODEL_API_KEY if the provider is the same, else OPENAI_API_KEY or GOOGLE_GENERATIVE_AI_API_KEY',
    example: 'key-of-the-provider',
    read: readSecret(1),
  }),
};
