import { Worker } from 'node:worker_threads';
import type { Clock } from '@errand/base/clock.ts';
import { Fault, invalidField } from '@errand/base/fault.ts';
import { type Entrant, FairGate } from '@errand/base/load/fair-gate.ts';
import type { ApiDocument } from '../../rules/connectors/api-operation.ts';
import type { ConnectorTool } from '../../rules/connectors/connector.ts';
import type { DocumentSource } from './api-document-worker.ts';

const deadlineMs = 20_000;
const memoryMb = 384;

type Answer = { document: ApiDocument<ConnectorTool> } | { problem: string | null; detail?: string };

const slots = new FairGate({ capacity: 1 });

/**
 * Reads an OpenAPI document in a thread that can be terminated.
 * @param field the field of the request that named the document; the 400 that explains the problem is about it
 */
export function readDocument(
  source: DocumentSource,
  field: string,
  clock: Clock,
  reader: Entrant,
): Promise<ApiDocument<ConnectorTool>> {
  return slots.run(reader, () => readInThread(source, field, clock, reader.signal));
}

function readInThread(
  source: DocumentSource,
  field: string,
  clock: Clock,
  signal: AbortSignal,
): Promise<ApiDocument<ConnectorTool>> {
  const worker = new Worker(new URL('./api-document-worker.ts', import.meta.url), {
    workerData: source,
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
  });
  const { promise, resolve, reject } = Promise.withResolvers<ApiDocument<ConnectorTool>>();
  const giveUp = () =>
    reject(invalidField(field, 'takes too long or too much memory to read; keep only the operations you need'));
  const timer = clock.setTimer(giveUp, deadlineMs);
  const stop = () => reject(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  worker.once('message', (answer: Answer) => {
    if ('document' in answer) resolve(answer.document);
    else if (answer.problem === null) reject(new Fault('internal', 'The document could not be read.', answer));
    else reject(invalidField(field, answer.problem));
  });
  worker.once('error', giveUp);
  worker.once('exit', giveUp);
  return promise.finally(() => {
    timer.cancel();
    signal.removeEventListener('abort', stop);
    void worker.terminate();
  });
}
