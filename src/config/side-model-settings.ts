import { needsOf, readModelName } from './model-settings.ts';
import { readSecret, readWebAddress } from './setting-readers.ts';
import { setting, WrongValue } from './setting.ts';

/** No model for speech, or for pictures. */
export const none = 'none';

/** A model of a provider that can do this. */
function readSideModel(can: 'listens' | 'draws', models: string): (text: string) => string {
  return (text) => {
    if (text === none) return text;
    const name = readModelName(text);
    if (!needsOf(name)[can]) throw new WrongValue(`names a provider without ${models} models`);
    return name;
  };
}

/** Speech-to-text settings. */
export const speechSettings = {
  ERRAND_SPEECH_MODEL: setting<string | null>({
    about: 'Model that transcribes voice messages and recordings, as `provider/model`, or `none`.',
    fallback: null,
    fallbackText: "the default of ERRAND_MODEL's provider if that is `openai` or `google`, else none",
    example: 'openai/gpt-4o-mini-transcribe',
    read: readSideModel('listens', 'speech'),
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

function readCredits(text: string): number {
  const value = /^\d{1,6}(\.\d{1,6})?$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isNaN(value)) throw new WrongValue('must be a number of credits, such as 4 or 0.5');
  return value;
}

/** Settings for making pictures. */
export const imageSettings = {
  ERRAND_IMAGE_MODEL: setting<string | null>({
    about: 'Model that makes and changes pictures, as `provider/model`, or `none`.',
    fallback: null,
    fallbackText: "the default of ERRAND_MODEL's provider if that is `openai` or `google`, else none",
    example: 'openai/gpt-image-2.5-flare',
    read: readSideModel('draws', 'image'),
  }),
  ERRAND_IMAGE_BASE_URL: setting<string | null>({
    about: "Base URL of the image model's API; required for `compatible`.",
    fallback: null,
    fallbackText: "ERRAND_MODEL_BASE_URL if the provider is the same, else the provider's own",
    example: 'http://localhost:8000/v1',
    read: readWebAddress,
  }),
  ERRAND_IMAGE_API_KEY: setting<string | null>({
    about: 'API key for the image model.',
    fallback: null,
    fallbackText: 'ERRAND_MODEL_API_KEY if the provider is the same, else OPENAI_API_KEY or GOOGLE_GENERATIVE_AI_API_KEY',
    example: 'key-of-the-provider',
    read: readSecret(1),
  }),
  ERRAND_IMAGE_PRICE: setting<number | null>({
    about: 'Credits for each picture.',
    fallback: null,
    fallbackText: "by its tokens, at ERRAND_PRICES of that model or the provider's list price; nothing if neither is known",
    example: '4',
    read: readCredits,
  }),
};
