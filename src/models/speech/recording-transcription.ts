import { type Clock, pause } from '@errand/base/clock.ts';
import { readAudioType } from '../../rules/files/audio-head.ts';
import { ModelFault } from '../model.ts';
import type { Recording, Transcriber } from './transcriber.ts';

/** The outcome of a transcription, in words for a model. */
export type TranscriptionResult = { text: string; problem: null } | { text: null; problem: string };

/** Attempts for one recording, and the waits before the second and third. */
const pausesMs = [2_000, 10_000] as const;
const longestPauseMs = 30_000;

function fail(problem: string): TranscriptionResult {
  return { text: null, problem };
}

async function listen(
  transcriber: Transcriber,
  recording: Recording,
  clock: Clock,
  signal: AbortSignal,
): Promise<TranscriptionResult> {
  for (let attempt = 0; ; attempt++) {
    try {
      return { text: await transcriber.transcribe(recording, signal), problem: null };
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof ModelFault)) throw error;
      const pauseMs = pausesMs[attempt];
      const canPass = error.kind === 'overloaded' || error.kind === 'unavailable';
      if (!canPass || pauseMs === undefined) return fail(error.message);
      await pause(clock, Math.min(Math.max(error.retryAfterMs ?? 0, pauseMs), longestPauseMs), signal);
      signal.throwIfAborted();
    }
  }
}

/**
 * Transcribes a recording, in up to three attempts if the provider is unavailable. Only bytes that are a recording are sent.
 * Rejects only with the reason of an abort, or because of a bug.
 */
export async function transcribeRecording(
  transcriber: Transcriber | null,
  bytes: Uint8Array,
  clock: Clock,
  signal: AbortSignal,
): Promise<TranscriptionResult> {
  if (transcriber === null) return fail('no speech model is configured');
  const mediaType = readAudioType(bytes);
  if (mediaType === null) return fail('it is no recording of a known format');
  if (bytes.length > transcriber.maxBytes) return fail(explainSize(transcriber));
  return listen(transcriber, { mediaType, bytes }, clock, signal);
}

/** Why a recording is too large to be transcribed. */
export function explainSize({ maxBytes }: Transcriber): string {
  return `it has more than ${maxBytes / 1_000_000} MB, which is more than the speech model takes`;
}
