import { buffer } from 'node:stream/consumers';
import { explainSize, type TranscriptionResult, transcribeRecording } from '../../models/speech/recording-transcription.ts';
import type { PlacedAttachment } from '../../rules/messages/attachment-place.ts';
import type { TaskRun } from '../agent-ports.ts';

/** Limit of a transcript in a message; the recording itself stays in the workspace. */
const longestTranscript = 100_000;

function cut(text: string): string {
  if (text.length <= longestTranscript) return text;
  return `${text.slice(0, longestTranscript).toWellFormed()}\n[The rest of the transcript was left out because of its length.]`;
}

async function transcribe(
  { task, ports }: TaskRun,
  { blobId, bytes }: PlacedAttachment,
  signal: AbortSignal,
): Promise<TranscriptionResult> {
  const [transcriber, { clock }] = [ports.findTranscriber(task), ports];
  if (transcriber && bytes > transcriber.maxBytes) return { text: null, problem: explainSize(transcriber) };
  const content = await ports.openAttachment(task.accountId, blobId);
  if (!content) return { text: null, problem: 'its bytes are gone' };
  const result = await transcribeRecording(transcriber, await buffer(content), clock, signal);
  return result.text === null ? result : { ...result, text: cut(result.text) };
}

/** Transcribes one voice message of the user's and logs the transcript, or why there is none, before the next step. */
export async function runListenStep(run: TaskRun, voice: PlacedAttachment): Promise<void> {
  const result = await run.journal.attend((signal) => transcribe(run, voice, signal));
  await run.journal.append([{ type: 'voice_transcribed', path: voice.path, ...result }]);
}
