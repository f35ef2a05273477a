import type { TranscriptionModelV4 } from '@ai-sdk/provider';
import type { Clock } from '@errand/base/clock.ts';
import type { Endpoint } from '../providers/provider-endpoint.ts';
import { toModelFault } from '../providers/provider-failure.ts';
import { ModelFault } from '../model.ts';

export interface Recording {
  /** As the bytes tell, not as a stranger's name for it says. */
  mediaType: string;
  bytes: Uint8Array;
}

/** Turns speech into text. */
export interface Transcriber {
  /** `provider/model`, as it is shown to people. */
  readonly name: string;
  /** The largest recording that it takes. */
  readonly maxBytes: number;
  /** What is said, which may be nothing at all. Rejects with a `ModelFault`, or with the reason of an abort. */
  transcribe(recording: Recording, signal: AbortSignal): Promise<string>;
}

export interface TranscriberOptions {
  name: string;
  endpoint: Endpoint;
  load(): Promise<TranscriptionModelV4>;
  clock: Clock;
}

/** What the strictest provider takes in one request. */
const maxBytes = 20_000_000;

/** A speech model behind the port, over the SDK's provider contract, without the SDK's retries. Loaded with its first use. */
export function createTranscriber({ name, endpoint, load, clock }: TranscriberOptions): Transcriber {
  let model: Promise<TranscriptionModelV4> | null = null;

  return {
    name,
    maxBytes,
    async transcribe({ mediaType, bytes }, signal) {
      signal.throwIfAborted();
      try {
        model ??= load();
        const { text } = await (await model).doGenerate({ audio: bytes, mediaType, abortSignal: signal });
        return text.toWellFormed().trim();
      } catch (error) {
        signal.throwIfAborted();
        // The fault as it came is no cause, because causes are logged too and some providers repeat the key they refuse.
        const { kind, message, retryAfterMs } = toModelFault(error, clock.now(), endpoint.apiKey);
        throw new ModelFault(kind, `${name}: ${message}`, retryAfterMs === undefined ? {} : { retryAfterMs });
      }
    },
  };
}
