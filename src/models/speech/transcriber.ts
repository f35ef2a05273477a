import type { TranscriptionModelV4 } from '@ai-sdk/provider';
import type { Clock } from '@errand/base/clock.ts';
import type { Endpoint } from '../providers/provider-endpoint.ts';
import { toModelFault } from '../providers/provider-failure.ts';
import { ModelFault } from '../model.ts';

export interface Recording {
  /** Detected from the bytes, not from the file name. */
  mediaType: string;
  bytes: Uint8Array;
}

/** Transcribes speech. */
export interface Transcriber {
  /** `provider/model`, as shown to people. */
  readonly name: string;
  /** The size limit of recordings. */
  readonly maxBytes: number;
  /** The transcript, possibly empty. Rejects with a `ModelFault`, or with the reason of an abort. */
  transcribe(recording: Recording, signal: AbortSignal): Promise<string>;
}

export interface TranscriberOptions {
  name: string;
  endpoint: Endpoint;
  load(): Promise<TranscriptionModelV4>;
  clock: Clock;
}

/** A speech model behind the port, over the SDK's provider contract, without the SDK's retries. Loaded on first use. */
export function createTranscribe({ name, endpoint, load, clock }: TranscriberOptions): Transcriber['transcribe'] {
  let model: Promise<TranscriptionModelV4> | null = null;

  return async ({ mediaType, bytes }, signal) => {
    signal.throwIfAborted();
    try {
      model ??= load();
      const { text } = await (await model).doGenerate({ audio: bytes, mediaType, abortSignal: signal });
      return text.toWellFormed().trim();
    } catch (error) {
      signal.throwIfAborted();
      // The original error is not attached as cause, because causes are logged and some providers echo the rejected key.
      const { kind, message, retryAfterMs } = toModelFault(error, clock.now(), endpoint.apiKey);
      throw new ModelFault(kind, `${name}: ${message}`, retryAfterMs === undefined ? {} : { retryAfterMs });
    }
  };
}
