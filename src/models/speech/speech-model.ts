import { type Clock, systemClock } from '@errand/base/clock.ts';
import { StartFault } from '@errand/base/start-fault.ts';
import { chooseEndpoint, type ModelSettings } from '../providers/provider-endpoint.ts';
import { findProvider } from '../providers/providers.ts';
import type { Transcriber } from './transcriber.ts';
import { createSender, defaultWireLimits, type ModelLimits } from '../providers/model-exchange.ts';

/** The operator's settings for speech. */
export interface SpeechSettings {
  /** ERRAND_SPEECH_MODEL: `provider/model`, `none`, or unset for the default of the provider in use. */
  model: string | null;
  /** ERRAND_SPEECH_BASE_URL and ERRAND_SPEECH_API_KEY. */
  baseUrl: string | null;
  apiKey: string | null;
}

const variables = { model: 'ERRAND_SPEECH_MODEL', baseUrl: 'ERRAND_SPEECH_BASE_URL', apiKey: 'ERRAND_SPEECH_API_KEY' };

/** The limit of the strictest provider. */
const maxBytes = 20_000_000;

/** An hour of speech may take this long without any response bytes. */
const stallMs = 5 * 60_000;

function providerNameOf(name: string): string {
  return name.slice(0, Math.max(name.indexOf('/'), 0));
}

/** The default speech model of the provider in use, null if it has none. */
function findUsual(mainModel: string): string | null {
  const provider = providerNameOf(mainModel);
  const usual = findProvider(provider)?.speech?.usual;
  return usual === undefined ? null : `${provider}/${usual}`;
}

/**
 * The transcriber, null if there is none. Only the provider already in use receives what users say, unless the operator names another:
 * `mainModel` is the model of the standard profile.
 */
export function openTranscriber(
  speech: SpeechSettings,
  models: ModelSettings,
  mainModel: string,
  clock: Clock = systemClock,
  limits: ModelLimits = { ...defaultWireLimits, firstByteMs: stallMs, stallMs },
): Transcriber | null {
  const name = speech.model ?? findUsual(mainModel);
  if (name === null || name === 'none') return null;
  const isInUse = providerNameOf(name) === providerNameOf(mainModel);
  // A key is only sent to the provider that it was set for.
  const baseUrl = speech.baseUrl ?? (isInUse ? models.baseUrl : null);
  const apiKey = speech.apiKey ?? (isInUse ? models.apiKey : null);
  const endpoint = chooseEndpoint({ variable: variables.model, value: name }, { ...models, baseUrl, apiKey }, variables);
  const { provider } = endpoint;
  const { speech: source } = provider;
  if (!source) throw new StartFault(`${variables.model}=${name}: this provider has no model for speech.`);
  const send = createSender(clock, limits);
  const load = () => source.load({ ...endpoint, send });
  let made: Promise<Transcriber['transcribe']> | null = null;
  const findTranscribe = async () => (await import('./transcriber.ts')).createTranscribe({ name, endpoint, load, clock });
  return {
    name,
    maxBytes,
    transcribe: async (recording, signal) => (await (made ??= findTranscribe()))(recording, signal),
  };
}
