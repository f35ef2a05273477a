import { pause } from '../base/clock.ts';
import { ModelFault } from '../models/model.ts';
import { estimateInput } from '../models/token-estimate.ts';
import { maxModelAttempts, planModelRetry } from '../rules/model-retry.ts';
import { nextStep } from '../rules/next-step.ts';
import { findMismatch } from '../rules/output-value.ts';
import { zeroValue } from '../rules/output-zero.ts';
import type { OutputSchema, TaskEvent, TokenUsage } from '../rules/task-event.ts';
import type { TranscriptEntry } from '../rules/task-state.ts';
import { extractionFailed } from './ending.ts';
import type { Turn } from './ports.ts';

/** The documented text for a result that does not fit (specification, "Errors"). */
const doesNotConform = 'Extracted value does not conform to the provided schema';

/** Values that do not fit before it is given up: one, and its repair. */
const maxMisfits = 2;

const system = `You extract data. Read the conversation and answer with one JSON value that has exactly the structure of the given JSON
Schema, and nothing else. Use only what the conversation says; where it says nothing, use null if the schema allows it.`;

interface Attempt {
  value: unknown;
  /** What is wrong with the value, null when it conforms. */
  mismatch: string | null;
  usage: TokenUsage;
}

/** The JSON value in a reply; models like to fence it. */
function parseReply(text: string): unknown {
  const fenced = /```(?:json)?\s*([\s\S]*?)```/.exec(text);
  try {
    return JSON.parse(fenced?.[1] ?? text);
  } catch {
    return undefined;
  }
}

function requestText(schema: OutputSchema, mismatch: string | null): string {
  const repair =
    mismatch === null ? '' : `\n\nYour last answer did not conform: ${mismatch}. Answer again with the whole corrected value.`;
  return `Extract the result of this conversation as JSON of this JSON Schema:\n${JSON.stringify(schema)}${repair}`;
}

/** One logged call; null when the user has said something since, so that there is nothing to extract any more. */
async function callOnce({ task, journal, ports }: Turn, schema: OutputSchema, mismatch: string | null): Promise<Attempt | null> {
  const model = ports.modelFor(task.profile);
  const question: TranscriptEntry = { role: 'user', text: requestText(schema, mismatch) };
  const request = { system, transcript: [...journal.state.transcript, question], tools: [], outputSchema: schema };
  const attempt = journal.state.extraction.starts + 1;
  const started: TaskEvent = { type: 'extract_started', attempt, model: model.name, estimatedInput: estimateInput(request) };
  if (!(await journal.appendIfCurrent([started]))) return null;
  const reply = await journal.attend((signal) => model.call(request, { signal, onText: () => undefined }));
  const value = parseReply(reply.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join(''));
  return { value, mismatch: value === undefined ? 'it is not JSON' : findMismatch(schema, value), usage: reply.usage };
}

/** Waits as after any failed call of a model; false when there is to be no other. */
async function waitForRetry({ journal, ports }: Turn, fault: ModelFault, failingSinceMs: number): Promise<boolean> {
  const nowMs = ports.clock.now();
  const attempt = journal.state.extraction.starts;
  const plan = { attempt, nowMs, failingSinceMs, retryAfterMs: fault.retryAfterMs, chance: ports.chance() };
  const retryAt = fault.kind === 'refused' ? null : planModelRetry(plan);
  if (retryAt === null) return false;
  await journal.attend((signal) => pause(ports.clock, retryAt - nowMs, signal));
  return true;
}

function addUsage(total: TokenUsage, { input, output, cached }: TokenUsage): TokenUsage {
  return { input: total.input + input, output: total.output + output, cached: total.cached + cached };
}

interface Extraction {
  outcome: Pick<Extract<TaskEvent, { type: 'extract_finished' }>, 'success' | 'value' | 'error'>;
  usage: TokenUsage;
  calls: number;
}

/** Calls the model until a value fits, nothing more is to be tried, or the user has said something. */
async function extractValue(turn: Turn, schema: OutputSchema, isWanted: () => boolean): Promise<Extraction> {
  const { journal, ports } = turn;
  const misfits: string[] = [];
  let usage: TokenUsage = { input: 0, output: 0, cached: 0 };
  let calls = 0;
  let failingSinceMs: number | undefined;
  while (isWanted() && misfits.length < maxMisfits && journal.state.extraction.starts < maxModelAttempts) {
    try {
      const attempt = await callOnce(turn, schema, misfits.at(-1) ?? null);
      if (attempt === null) break;
      calls += 1;
      usage = addUsage(usage, attempt.usage);
      if (attempt.mismatch === null) return { outcome: { success: true, value: attempt.value, error: null }, usage, calls };
      misfits.push(attempt.mismatch);
    } catch (fault) {
      if (!(fault instanceof ModelFault)) throw fault;
      calls += 1;
      failingSinceMs ??= ports.clock.now();
      if (!(await waitForRetry(turn, fault, failingSinceMs))) break;
    }
  }
  const error = misfits.length > 0 ? doesNotConform : extractionFailed;
  return { outcome: { success: false, value: zeroValue(schema), error }, usage, calls };
}

/**
 * Turns the finished conversation into the caller's structure: logged before each call, so that a crash goes on counting, with
 * one repair of a value that does not fit, and the zero value with the documented text when nothing does. What the user says
 * meanwhile voids it; what it used is logged all the same.
 */
export async function runExtraction(turn: Turn, schema: OutputSchema): Promise<void> {
  const { journal } = turn;
  const isWanted = () => nextStep(journal.state).do === 'extract';
  const { outcome, usage, calls } = await extractValue(turn, schema, isWanted);
  if (calls > 0 || isWanted()) await journal.append([{ type: 'extract_finished', ...outcome, usage }]);
}
