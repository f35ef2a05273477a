import { parentPort } from 'node:worker_threads';
import { measureUsage, type Usage, type UsageQuestion } from './resource-usage.ts';

export interface ToMeter {
  id: number;
  question: UsageQuestion;
}

/** A failure concerns the one sandbox that was asked about. */
export type FromMeter = { id: number; usage: Usage } | { id: number; failure: Error };

function answer({ id, question }: ToMeter): FromMeter {
  try {
    return { id, usage: measureUsage(question) };
  } catch (error) {
    return { id, failure: error instanceof Error ? error : new Error(String(error)) };
  }
}

parentPort?.on('message', (message: ToMeter) => parentPort?.postMessage(answer(message)));
