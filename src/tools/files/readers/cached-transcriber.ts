import { createHash } from 'node:crypto';
import type { Clock } from '@errand/base/clock.ts';
import { type TranscriptionResult, transcribeRecording } from '../../../models/speech/recording-transcription.ts';
import type { Transcriber } from '../../../models/speech/transcriber.ts';

/** Transcribes recordings, with a cache for reading on in a transcript. */
export interface CachedTranscriber {
  /** The largest supported recording; 0 if none is. */
  readonly maxBytes: number;
  transcribe(bytes: Uint8Array, signal: AbortSignal): Promise<TranscriptionResult>;
}

const mostKept = 32;

export function createListener(findTranscriber: () => Transcriber | null, clock: Clock): CachedTranscriber {
  /** Transcripts by recording, least recently used first. */
  const kept = new Map<string, TranscriptionResult>();
  return {
    get maxBytes() {
      return findTranscriber()?.maxBytes ?? 0;
    },
    async transcribe(bytes, signal) {
      const digest = createHash('sha256').update(bytes).digest('hex');
      const result = kept.get(digest) ?? (await transcribeRecording(findTranscriber(), bytes, clock, signal));
      kept.delete(digest);
      if (result.text !== null) kept.set(digest, result);
      for (const oldest of kept.keys()) if (kept.size > mostKept) kept.delete(oldest);
      return result;
    },
  };
}
