import { pause } from '../base/clock.ts';
import { type Model, ModelFault } from '../models/model.ts';
import { findMismatch } from '../rules/output-value.ts';
import { zeroValue } from '../rules/output-zero.ts';
import type { OutputSchema, TaskEvent, TokenUsage } from '../rules/task-event.ts';
import type { TranscriptEntry } from '../rules/task-state.ts';
import { extractionFailed } from './ending.ts';
import type { Turn } from './ports.ts';
import { estimateTokens } from './prompt.ts';

/** The documented text for a result that does not fit (specification, "Errors"). */
const doesNotConform = 'Extracted value does not conform to the provided schema';

/** Calls for one value, over crashes and repairs together. */
const maxCalls = 4;
const retryDelayMs = 2000;

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

async function callOnce(turn: Turn, model: Model, schema: OutputSchema, mismatch: string | null): Promise<Attempt> {
  const { journal } = turn;
  const question: TranscriptEntry = { role: 'user', text: requestText(schema, mismatch) };
  const transcript = [...journal.state.transcript, question];
  const attempt = journal.state.extraction.starts + 1;
  const estimatedInput = estimateTokens(system, transcript);
  await journal.append([{ type: 'extract_started', attempt, model: model.name, estimatedInput }]);
  const request = { system, transcript, tools: [], outputSchema: schema };
  const reply = await journal.attend((signal) => model.call(request, { signal, onText: () => undefined }));
  const value = parseReply(reply.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join(''));
  return { value, mismatch: value === undefined ? 'it is not JSON' : findMismatch(schema, value), usage: reply.usage };
}

function addUsage(total: TokenUsage, { input, output, cached }: TokenUsage): TokenUsage {
  return { input: total.input + input, output: total.output + output, cached: total.cached + cached };
}

/**
 * Turns the finished conversation into the caller's structure: logged before each call, so that a crash goes on counting, with
 * one repair of a value that does not fit, and the zero value with the documented text when nothing does.
 */
export async function runExtraction(turn: Turn, schema: OutputSchema): Promise<void> {
  const { task, journal, ports } = turn;
  const model = ports.modelFor(task.profile);
  let usage: TokenUsage = { input: 0, output: 0, cached: 0 };
  let error = extractionFailed;
  let mismatch: string | null = null;
  let repairs = 0;
  const finish = (outcome: Pick<Extract<TaskEvent, { type: 'extract_finished' }>, 'success' | 'value' | 'error'>) =>
    journal.append([{ type: 'extract_finished', ...outcome, usage }]);

  while (journal.state.extraction.starts < maxCalls && repairs < 2) {
    try {
      const attempt: Attempt = await callOnce(turn, model, schema, mismatch);
      usage = addUsage(usage, attempt.usage);
      if (attempt.mismatch === null) return await finish({ success: true, value: attempt.value, error: null });
      mismatch = attempt.mismatch;
      error = doesNotConform;
      repairs += 1;
    } catch (fault) {
      if (!(fault instanceof ModelFault)) throw fault;
      if (fault.kind === 'refused') break;
      await journal.attend((signal) => pause(ports.clock, fault.retryAfterMs ?? retryDelayMs, signal));
    }
  }
  await finish({ success: false, value: zeroValue(schema), error });
}
