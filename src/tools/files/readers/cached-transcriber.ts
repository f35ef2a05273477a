import { createHash } from 'node:crypto';
import type { Clock } from '@errand/base/clock.ts';
import { type TranscriptionResult, transcribeRecording } from '../../../models/speech/recording-transcription.ts';
import type { Transcriber } from '../../../models/speech/transcriber.ts';
import { isOwnModel } from '../../../rules/instance/own-model.ts';

/** Whose recording is transcribed, and by what. */
export interface Listening {
  accountId: string;
  transcriber: Transcriber;
  signal: AbortSignal;
}

/** Transcribes a recording, with a cache for reading on in a transcript. */
export type CachedTranscriber = (bytes: Uint8Array, listening: Listening) => Promise<TranscriptionResult>;

const mostKept = 32;

export function createListener(clock: Clock): CachedTranscriber {
  /** Transcripts by transcriber and recording, least recently used first. */
  const kept = new Map<string, TranscriptionResult>();
  return async (bytes, { accountId, transcriber, signal }) => {
    const { name } = transcriber;
    const digest = createHash('sha256').update(bytes).digest('hex');
    // What a model that an account has chosen says is for that account alone.
    const key = JSON.stringify([name, isOwnModel(name) ? accountId : '', digest]);
    const result = kept.get(key) ?? (await transcribeRecording(transcriber, bytes, clock, signal));
    kept.delete(key);
    if (result.text !== null) kept.set(key, result);
    for (const oldest of kept.keys()) if (kept.size > mostKept) kept.delete(oldest);
    return result;
  };
}
