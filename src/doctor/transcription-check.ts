import { buildTranscriber } from '../app/build-side-models.ts';
import { openEnvironmentModels } from '../app/models/build-models.ts';
import { silentLog } from '@errand/base/log.ts';
import { Metrics } from '@errand/base/metrics.ts';
import { type Check, type DoctorContext, findProblem, modelTimeoutMs } from './check.ts';

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

/** Lets the speech model transcribe silence, which tests URL, key and name. */
export async function checkTranscription({ config, clock }: DoctorContext): Promise<Check> {
  const name = 'transcription';
  const { current } = await openEnvironmentModels({ config, clock, log: silentLog, metrics: new Metrics() });
  const transcriber = buildTranscriber(config, current.opened['service-1.6'], clock);
  if (!transcriber) {
    const remedy = 'set ERRAND_SPEECH_MODEL, for example to openai/gpt-4o-mini-transcribe with OPENAI_API_KEY';
    return { name, state: 'missing', found: 'voice messages are not transcribed: no speech model is configured', remedy };
  }
  const recording = { mediaType: 'audio/wav', bytes: recordSilence() };
  const problem = await findProblem(clock, modelTimeoutMs, (signal) => transcriber.transcribe(recording, signal));
  if (problem === null) return { name, state: 'ok', found: `${transcriber.name} transcribes voice messages` };
  const remedy = 'check ERRAND_SPEECH_MODEL, ERRAND_SPEECH_BASE_URL and ERRAND_SPEECH_API_KEY';
  return { name, state: 'missing', found: `${transcriber.name}: ${problem.replace(`${transcriber.name}: `, '')}`, remedy };
}
