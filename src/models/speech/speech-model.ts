import { systemClock } from '@errand/base/clock.ts';
import { StartFault } from '@errand/base/start-fault.ts';
import type { ModelSettings } from '../providers/provider-endpoint.ts';
import { chooseSideEndpoint, connectSide, type SidePorts, type SideSettings } from '../providers/side-endpoint.ts';
import { findProvider } from '../providers/providers.ts';
import type { Transcriber } from './transcriber.ts';
import { defaultWireLimits } from '../providers/wire-limits.ts';

/** The operator's settings for speech: ERRAND_SPEECH_MODEL, ERRAND_SPEECH_BASE_URL and ERRAND_SPEECH_API_KEY. */
export type SpeechSettings = SideSettings;

const variables = { model: 'ERRAND_SPEECH_MODEL', baseUrl: 'ERRAND_SPEECH_BASE_URL', apiKey: 'ERRAND_SPEECH_API_KEY' };

/** The limit of the strictest provider. */
const maxBytes = 20_000_000;

/** An hour of speech may take this long without any response bytes. */
const stallMs = 5 * 60_000;

/** The transcriber, null if there is none (see `chooseSideEndpoint`). */
export function openTranscriber(
  speech: SpeechSettings,
  models: ModelSettings,
  mainModel: string,
  ports: SidePorts = {},
): Transcriber | null {
  const side = chooseSideEndpoint(speech, models, mainModel, {
    variables,
    findUsual: (provider) => findProvider(provider)?.speech?.usual,
  });
  if (side === null) return null;
  const { endpoint } = side;
  const { provider } = endpoint;
  const { speech: source } = provider;
  if (!source) throw new StartFault(`${variables.model}=${side.name}: this provider has no model for speech.`);
  const { clock = systemClock, limits = { ...defaultWireLimits, firstByteMs: stallMs, stallMs } } = ports;
  const { name, send } = connectSide(side.name, clock, limits, ports);
  const load = () => source.load({ ...endpoint, send });
  let made: Promise<Transcriber['transcribe']> | null = null;
  const findTranscribe = async () => (await import('./transcriber.ts')).createTranscribe({ name, endpoint, load, clock });
  return {
    name,
    maxBytes,
    transcribe: async (recording, signal) => (await (made ??= findTranscribe()))(recording, signal),
  };
}
