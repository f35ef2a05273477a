import { explainMisread, readJsonReply } from '../../models/json-reply.ts';
import { type Model, ModelFault, type ModelReply, type ModelRequest } from '../../models/model.ts';
import { costOf } from '../../rules/credits/pricing.ts';
import type { CallBill, TokenUsage } from '../../rules/events/call-cost.ts';
import { findMismatch } from '../../rules/output/output-value.ts';
import type { OpenRow, RowAnswer } from '../../rules/rows/row-progress.ts';
import { askForRepair, describeRowTask } from '../../rules/rows/row-prompt.ts';
import { mostAnswerBytes, type RowWork } from '../../rules/rows/row-work.ts';
import type { TaskRun } from '../agent-ports.ts';
import { callModel } from '../model-calls.ts';

/** A row with what the model is asked about it. */
export interface AskedRow extends OpenRow {
  request: ModelRequest;
}

/** The outcome of a call. `fault` means that it failed, which may say nothing about the row. */
export type CallOutcome = { answer: RowAnswer | null; fault: ModelFault | null; bill: Required<CallBill> };

/** The request about one row. The message is the row; everything else is the same for all rows. */
export function askAbout(row: OpenRow, { instruction, schema }: RowWork): AskedRow {
  const request: ModelRequest = {
    system: describeRowTask(instruction),
    transcript: [{ role: 'user', text: row.text }],
    tools: [],
    outputSchema: schema,
    ...(row.mismatch !== null && { reminder: askForRepair(row.mismatch) }),
  };
  return { ...row, request };
}

function classifyReply(reply: ModelReply, schema: RowWork['schema']): RowAnswer {
  const value = readJsonReply(reply);
  if (value === undefined) return { kind: 'misfit', reason: explainMisread(reply) };
  const mismatch = findMismatch(schema, value);
  if (mismatch !== null) return { kind: 'misfit', reason: mismatch };
  const isLong = Buffer.byteLength(JSON.stringify(value)) > mostAnswerBytes;
  return isLong ? { kind: 'misfit', reason: `it is longer than ${mostAnswerBytes} bytes` } : { kind: 'done', value };
}

/** The answer that a failed call counts as for its row; null if it says nothing about the row, such as when the model was unavailable. */
function classifyFault({ kind, message }: ModelFault): RowAnswer | null {
  if (kind === 'refused') return { kind: 'refused', reason: `the language model refused it: ${message}` };
  return kind === 'malformed' ? { kind: 'misfit', reason: `the language model sent what cannot be read: ${message}` } : null;
}

/** Makes one call about one row, in a slot that accounts share fairly. */
export async function callRow(
  run: TaskRun,
  model: Model,
  { request }: AskedRow,
  { schema }: RowWork,
  outputLimit: number,
): Promise<CallOutcome> {
  const { task, journal, ports } = run;
  const billOf = (usage: TokenUsage) => ({ usage, cost: costOf(usage, model.price) });
  try {
    const prepared = { request: { ...request, outputLimit } };
    const reply = await journal.attend((signal) =>
      ports.rowSlots.run({ owner: task.accountId, signal }, () => callModel(run, model, 'row', () => Promise.resolve(prepared))),
    );
    return { answer: classifyReply(reply, schema), fault: null, bill: billOf(reply.usage) };
  } catch (error) {
    if (error instanceof ModelFault) return { answer: classifyFault(error), fault: error, bill: billOf(error.usage) };
    throw error;
  }
}
