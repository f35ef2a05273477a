import { parentPort } from 'node:worker_threads';
import { systemClock } from '@errand/base/clock.ts';
import { MeasuringTurns } from './measuring-turns.ts';
import { measureUsage, type Usage, type UsageQuestion } from './resource-usage.ts';

export interface ToMeter {
  id: number;
  question: UsageQuestion;
}

/** A failure affects only the sandbox of the request. */
export type FromMeter = { id: number; usage: Usage } | { id: number; failure: Error };

const answer = (message: FromMeter) => parentPort?.postMessage(message);
const now = () => systemClock.monotonic();
/** Turns alternate between the kinds, so that many files never delay memory, which can grow by gigabytes in a second. */
const turns = {
  memory: new MeasuringTurns<Usage>(now),
  files: new MeasuringTurns<Usage>(now),
  priority: new MeasuringTurns<Usage>(now),
};
let isWorking = false;

function work(): void {
  isWorking = [turns.memory, turns.files, turns.priority].map((kind) => kind.takeTurn()).includes(true);
  // New requests arrive in between.
  if (isWorking) setImmediate(work);
}

parentPort?.on('message', ({ id, question }: ToMeter) => {
  turns[question.kind].add({
    steps: measureUsage(question),
    done: (usage) => answer({ id, usage }),
    fail: (error) => answer({ id, failure: error instanceof Error ? error : new Error(String(error)) }),
  });
  if (isWorking) return;
  isWorking = true;
  setImmediate(work);
});
