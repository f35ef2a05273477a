import type { ModelPart, TokenUsage } from '../rules/task-event.ts';
import type { TranscriptEntry } from '../rules/task-state.ts';
import type { ModelRequest } from './model.ts';

const charactersPerToken = 4;

function countInput(input: unknown): number {
  return typeof input === 'string' ? input.length : JSON.stringify(input ?? null).length;
}

function countParts(parts: readonly ModelPart[]): number {
  let characters = 0;
  for (const part of parts) characters += part.type === 'call' ? part.tool.length + countInput(part.input) : part.text.length;
  return characters;
}

function countEntry(entry: TranscriptEntry): number {
  if (entry.role === 'user') return entry.text.length;
  if (entry.role === 'assistant') return countParts(entry.parts);
  return entry.results.reduce((characters, result) => characters + result.output.length, 0);
}

/** Tokens of a prompt, by its characters: for budgets before a call, and for bills where a provider does not count. */
export function estimateInput(request: ModelRequest): number {
  let characters = request.system.length + JSON.stringify(request.tools).length;
  for (const entry of request.transcript) characters += countEntry(entry);
  return Math.ceil(characters / charactersPerToken);
}

/** Usage of a call whose provider did not report it. */
export function estimateUsage(request: ModelRequest, parts: readonly ModelPart[]): TokenUsage {
  return { input: estimateInput(request), output: Math.ceil(countParts(parts) / charactersPerToken), cached: 0 };
}
