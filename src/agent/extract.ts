import { explainMisread, readJsonReply } from '../models/json-reply.ts';
import { type Model, ModelFault, type ModelReply, type ModelRequest } from '../models/model.ts';
import { estimateInput } from '../models/token-estimate.ts';
import { readLastReply } from '../rules/tasks/cut-reply.ts';
import { maxModelAttempts } from '../rules/tasks/model-retry.ts';
import type { Extraction } from '../rules/output/extraction-state.ts';
import type { Decision } from '../rules/tasks/next-step.ts';
import { listGaps } from '../rules/output/output-gaps.ts';
import { findMismatch } from '../rules/output/output-value.ts';
import { zeroValue } from '../rules/output/output-zero.ts';
import { costOf } from '../rules/credits/pricing.ts';
import type { OutputSchema, TaskEvent, TokenUsage } from '../rules/events/task-event.ts';
import type { TranscriptEntry } from '../rules/context/transcript.ts';
import { extractionFailed } from './ending.ts';
import { awaitCall, callModel, chooseModel, planRetry } from './model-calls.ts';
import { beginPaidCall } from './paid-call.ts';
import type { TaskRun } from './agent-ports.ts';

type ExtractDecision = Extract<Decision, { do: 'extract' }>;

/** The documented text for a result that does not fit (docs/reference/api.md#extraction-errors). */
const doesNotConform = 'Extracted value does not conform to the provided schema';

/** The most invalid values: the first one, and its repair. */
const maxMisfits = 2;

const noUsage: TokenUsage = { input: 0, output: 0, cached: 0 };

const system = `You extract data. Read the conversation and answer with one JSON value that has exactly the structure of the given JSON
Schema, and nothing else. Use only what the conversation says; where it says nothing, use null if the schema allows it.`;

function requestOf({ journal: { state } }: TaskRun, schema: OutputSchema): ModelRequest {
  const { mismatch } = state.extraction;
  const repair =
    mismatch === null ? '' : `\n\nYour last answer did not conform: ${mismatch}. Answer again with the whole corrected value.`;
  const text = `Extract the result of this conversation as JSON of this JSON Schema:\n${JSON.stringify(schema)}${repair}`;
  const question: TranscriptEntry = { role: 'user', text };
  return { system, transcript: [...state.transcript, question], tools: [], outputSchema: schema };
}

/** Ends an extraction without a new value. If an earlier value only lacked facts, that value counts. */
function giveUp(schema: OutputSchema, { misfits, partial }: Extraction, bill: { usage: TokenUsage; cost?: number }): TaskEvent {
  if (partial) return { type: 'extract_finished', success: true, value: partial.value, error: null, ...bill };
  const error = misfits > 0 ? doesNotConform : extractionFailed;
  return { type: 'extract_finished', success: false, value: zeroValue(schema), error, ...bill };
}

/** The extraction at the time of a call, and the answer from which the result is made. */
type Asked = Extraction & { said: string };

/** Classifies a reply: it is the result, lacks facts that the agent should look for, is repaired once, or is a failure. */
function classifyReply(reply: ModelReply, schema: OutputSchema, { said, ...asked }: Asked, model: Model): TaskEvent {
  const { price, followsScript } = model;
  const { starts, misfits, searchUntil } = asked;
  const bill = { usage: reply.usage, cost: costOf(reply.usage, price) };
  const value = readJsonReply(reply);
  const mismatch = value === undefined ? explainMisread(reply) : findMismatch(schema, value);
  const missing = mismatch === null && searchUntil === null && followsScript !== true ? listGaps(value, said) : [];
  if (missing.length > 0) return { type: 'extract_incomplete', missing, value, ...bill };
  if (mismatch === null) return { type: 'extract_finished', success: true, value, error: null, ...bill };
  if (misfits + 1 >= maxMisfits) return giveUp(schema, { ...asked, misfits: misfits + 1 }, bill);
  return { type: 'extract_failed', attempt: starts, reason: mismatch, isMisfit: true, retryAt: 0, ...bill };
}

/** Plans what follows a failed call: a retry after a pause, as for any model call, or failure. */
function planAfterFault(fault: ModelFault, run: TaskRun, schema: OutputSchema, model: Model): TaskEvent[] {
  const { extraction } = run.journal.state;
  const { starts, failingSince } = extraction;
  const bill = { usage: fault.usage, cost: costOf(fault.usage, model.price) };
  const plan = planRetry(run, model, fault, { attempt: starts, failingSince });
  if (plan === null) return [giveUp(schema, extraction, bill)];
  const { waiting, ...next } = plan;
  return [
    { type: 'extract_failed', attempt: starts, reason: fault.message, kind: fault.kind, isMisfit: false, ...next, ...bill },
    ...waiting,
  ];
}

/**
 * One call that turns the finished conversation into the caller's structure: logged before it is made and with its outcome, so that after a
 * crash the next worker knows what was tried. One invalid value is repaired; if that fails too, the result is the zero value with the
 * documented text. A user message that arrives meanwhile voids it; its usage is logged all the same.
 */
export async function runExtraction(run: TaskRun, schema: OutputSchema, { attempt, notBefore }: ExtractDecision): Promise<void> {
  const { journal } = run;
  // Calls without an outcome; failed ones have their own bounds.
  if (attempt > maxModelAttempts && journal.state.extraction.failingSince === 0) {
    await journal.append([giveUp(schema, journal.state.extraction, { usage: noUsage })]);
    return;
  }
  await awaitCall(run, notBefore);
  const model = chooseModel(run);
  const request = requestOf(run, schema);
  const estimatedInput = estimateInput(request);
  const estimatedCost = costOf({ ...noUsage, input: estimatedInput }, model.price);
  // Not if the user has written since: there is nothing to extract any more.
  const started = { type: 'extract_started' as const, attempt, model: model.name, estimatedInput, estimatedCost };
  const bounds = await beginPaidCall(run, model, started, true);
  if (!bounds) return;
  const asked = { ...journal.state.extraction, said: readLastReply(journal.state.transcript) };
  const outcome = await callModel(run, model, 'extraction', () => Promise.resolve({ request: { ...request, ...bounds } }))
    .then((reply) => [classifyReply(reply, schema, asked, model)])
    .catch((error: unknown) => {
      if (error instanceof ModelFault) return planAfterFault(error, run, schema, model);
      throw error;
    });
  await journal.append(outcome);
}
