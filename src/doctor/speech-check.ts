import type { Clock } from '@errand/base/clock.ts';
import type { Config } from '../config/config.ts';
import { openModels } from '../models/model-registry.ts';
import { buildTranscriber, mainModelOf } from '../app/build-transcriber.ts';

export interface SpeechCheck {
  /** `provider/model`, null where nothing transcribes speech. */
  name: string | null;
  problem: string | null;
}

const rate = 16_000;

/** Half a second of silence. */
function recordSilence(): Buffer {
  const head = Buffer.alloc(44);
  head.write('RIFF\0\0\0\0WAVEfmt ', 'latin1');
  head.writeUInt32LE(36 + rate, 4);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(rate, 24);
  head.writeUInt32LE(rate * 2, 28);
  head.writeUInt16LE(2, 32);
  head.writeUInt16LE(16, 34);
  head.write('data', 36, 'latin1');
  head.writeUInt32LE(rate, 40);
  return Buffer.concat([head, Buffer.alloc(rate)]);
}

/** Lets the speech model listen to silence, which proves address, key and name at once. Never throws for one that fails. */
export async function trySpeech(config: Config, clock: Clock, deadlineMs: number): Promise<SpeechCheck> {
  const models = await openModels({ ...config.models, ...config.secrets.models }, { clock });
  const transcriber = buildTranscriber(config, mainModelOf(models), clock);
  if (!transcriber) return { name: null, problem: null };
  const deadline = new AbortController();
  const timer = clock.setTimer(() => deadline.abort(new Error(`no answer within ${deadlineMs / 1000} s`)), deadlineMs);
  try {
    await transcriber.transcribe({ mediaType: 'audio/wav', bytes: recordSilence() }, deadline.signal);
    return { name: transcriber.name, problem: null };
  } catch (error) {
    return { name: transcriber.name, problem: (error as Error).message };
  } finally {
    timer.cancel();
  }
}
