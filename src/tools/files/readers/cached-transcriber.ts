import { createHash } from 'node:crypto';
import type { Clock } from '@errand/base/clock.ts';
import { type Heard, hearRecording } from '../../../models/speech/recording-transcription.ts';
import type { Transcriber } from '../../../models/speech/transcriber.ts';

/** Transcribes recordings; who reads on in a transcript does not have it made again. */
export interface Listener {
  /** The largest recording that can be; 0 where none can. */
  readonly maxBytes: number;
  hear(bytes: Uint8Array, signal: AbortSignal): Promise<Heard>;
}

const mostKept = 32;

export function createListener(transcriber: Transcriber | null, clock: Clock): Listener {
  /** By what the recording is, the one used last at the end. */
  const kept = new Map<string, Heard>();
  return {
    maxBytes: transcriber?.maxBytes ?? 0,
    async hear(bytes, signal) {
      const digest = createHash('sha256').update(bytes).digest('hex');
      const heard = kept.get(digest) ?? (await hearRecording(transcriber, bytes, clock, signal));
      kept.delete(digest);
      if (heard.text !== null) kept.set(digest, heard);
      for (const oldest of kept.keys()) if (kept.size > mostKept) kept.delete(oldest);
      return heard;
    },
  };
}
