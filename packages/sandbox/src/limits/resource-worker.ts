import { parentPort } from 'node:worker_threads';
import { measureUsage, type UsageQuestion } from './resource-usage.ts';

parentPort?.on('message', ({ id, question }: { id: number; question: UsageQuestion }) => {
  parentPort?.postMessage({ id, usage: measureUsage(question) });
});
