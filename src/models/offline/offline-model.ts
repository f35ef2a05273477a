import { type Clock, pause, systemClock } from '@errand/base/clock.ts';
import type { ModelPart, OutputSchema } from '../../rules/events/task-event.ts';
import { readRowInstruction } from '../../rules/rows/row-prompt.ts';
import { type Model, type ModelCallOptions, ModelFault, type ModelReply, type ModelRequest } from '../model.ts';
import { estimateUsage } from '../token-estimate.ts';
import { extractValue } from './offline-extraction.ts';
import { answerRow } from './offline-rows.ts';
import { guidance } from './offline-guidance.ts';
import { readInstructions } from './instruction-lines.ts';
import { createLineWork } from './line-work.ts';
import { findPosition } from './transcript-position.ts';
import { readScenarioWork } from './scenario-work.ts';
import type { Trouble, Work, WorkReply } from './scripted-work.ts';

export const offlineName = 'offline/offline-1';

const pieces = 3;

/** Asked for by a line `rate-limit`. */
const retryMs = 1000;

function readWork(text: string, isOffered: (tool: string) => boolean): Work | null {
  const scenario = readScenarioWork(text);
  if (scenario) return scenario;
  const instructions = readInstructions(text);
  return instructions.length > 0 ? createLineWork(instructions, isOffered) : null;
}

function chooseValue({ system, transcript }: ModelRequest, schema: OutputSchema): unknown {
  const instruction = readRowInstruction(system);
  const [row] = transcript;
  if (instruction !== null && row?.role === 'user') return answerRow(schema, instruction, row.text);
  return extractValue(schema, transcript);
}

/** Works in every task; not shown where a command can do the same. */
const spareTool = 'unpack_archive';

/** Null for plain language. */
function chooseReply(request: ModelRequest): WorkReply | null {
  if (request.outputSchema) return { text: JSON.stringify(chooseValue(request, request.outputSchema)), calls: [] };
  const offered = new Set([...request.tools.map((tool) => tool.name), spareTool]);
  const position = findPosition(request.transcript, (text) => readWork(text, (tool) => offered.has(tool)));
  return position?.work.reply(position.place, position.results) ?? null;
}

const guidanceReply: WorkReply = { text: guidance, calls: [] };

/** Pause between the words of a slow reply. */
const wordPauseMs = 50;

function emit(text: string, onText: (text: string) => void): void {
  const length = Math.ceil(text.length / pieces);
  for (let at = 0; at < text.length; at += length) onText(text.slice(at, at + length));
}

async function emitSlowly(text: string, { signal, onText }: ModelCallOptions, clock: Clock): Promise<void> {
  for (const word of text.match(/\S+\s*/g) ?? []) {
    onText(word);
    await pause(clock, wordPauseMs, signal);
    signal.throwIfAborted();
  }
}

/** What a scripted reply has to get through, as those of real models do. */
async function meet(trouble: Trouble, attempt: number, signal: AbortSignal, clock: Clock): Promise<void> {
  const { waitMs = 0, refusals = 0, failure } = trouble;
  if (attempt <= refusals) throw new ModelFault('overloaded', 'a line asks for this rate limit', { retryAfterMs: retryMs });
  if (waitMs > 0) await pause(clock, waitMs, signal);
  signal.throwIfAborted();
  if (failure !== undefined) throw new ModelFault('refused', failure);
}

function composeReply(request: ModelRequest, chosen: WorkReply | null): ModelReply {
  const { text, calls } = chosen ?? guidanceReply;
  const parts: ModelPart[] = text === '' ? [] : [{ type: 'text', text }];
  const step = request.transcript.length;
  for (const [at, { tool, input }] of calls.entries()) parts.push({ type: 'call', id: `call_${step}_${at}`, tool, input });
  return { parts, usage: estimateUsage(request, parts), ...(chosen === null && { isUnanswered: true }) };
}

/**
 * `offline-1`, used when no language model is configured: a program that executes simple commands and scenarios through the complete real
 * service, deterministically, and otherwise explains what it is.
 */
export function createOfflineModel(clock: Clock = systemClock): Model {
  return {
    name: offlineName,
    // It always reads the whole conversation, whatever its length.
    window: Number.MAX_SAFE_INTEGER,
    outputLimit: 100_000,
    followsScript: true,
    price: { input: 0, output: 0 },
    async call(request, options): Promise<ModelReply> {
      options.signal.throwIfAborted();
      const chosen = chooseReply(request);
      const { text, trouble = {}, isSlow = false } = chosen ?? guidanceReply;
      await meet(trouble, request.attempt ?? 1, options.signal, clock);
      if (isSlow) await emitSlowly(text, options, clock);
      else emit(text, options.onText);
      return composeReply(request, chosen);
    },
    replyAtOnce(request, onText) {
      const chosen = chooseReply(request);
      const { text, trouble = {}, isSlow = false } = chosen ?? guidanceReply;
      if (isSlow || Object.keys(trouble).length > 0) return null;
      emit(text, onText);
      return composeReply(request, chosen);
    },
  };
}
