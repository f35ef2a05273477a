import type { Clock } from '@errand/base/clock.ts';
import { Fault, invalidField } from '@errand/base/fault.ts';
import { type Entrant, FairGate } from '@errand/base/load/fair-gate.ts';
import { askThread, NoAnswer } from '@errand/base/threads/one-use-thread.ts';
import type { ApiDocument } from '../../rules/connectors/api-operation.ts';
import type { ConnectorTool } from '../../rules/connectors/connector.ts';
import type { DocumentSource } from './api-document-worker.ts';

const limits = { deadlineMs: 20_000, memoryMb: 384 };
const file = new URL('./api-document-worker.ts', import.meta.url);

type Answer = { document: ApiDocument<ConnectorTool> } | { problem: string | null; detail?: string };

const slots = new FairGate({ capacity: 1 });

/**
 * Reads an OpenAPI document in a thread that can be terminated.
 * @param field the field of the request that named the document; the 400 that explains the problem is about it
 */
export async function readDocument(
  source: DocumentSource,
  field: string,
  clock: Clock,
  reader: Entrant,
): Promise<ApiDocument<ConnectorTool>> {
  const ask = () => askThread<Answer>({ file, input: source, ...limits, clock, signal: reader.signal });
  const answer = await slots.run(reader, ask).catch((error: unknown) => {
    if (!(error instanceof NoAnswer)) throw error;
    throw invalidField(field, 'takes too long or too much memory to read; keep only the operations you need');
  });
  if ('document' in answer) return answer.document;
  if (answer.problem === null) throw new Fault('internal', 'The document could not be read.', answer);
  throw invalidField(field, answer.problem);
}
