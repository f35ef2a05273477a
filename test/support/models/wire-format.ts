import { isJsonObject } from '@errand/base/json-object.ts';
import { reminderMark } from '../../../src/rules/context/plan-reminder.ts';
import type { Position, ScriptedCall, Step } from './model-script.ts';

/** One provider's protocol: how a request is read and how a reply is written as server-sent events. */
export interface Wire {
  name: string;
  serves(path: string): boolean;
  read(body: unknown): Position;
  open(): string;
  reasoning(text: string, index: number): string[];
  /** The frames around a text block, and one for each piece of it. */
  text(index: number): { start: string; piece(text: string): string; end: string };
  call(call: ScriptedCall, id: string, index: number): string[];
  close(step: Step): string;
  error(status: number): unknown;
}

export function writeEvent(data: unknown, event?: string): string {
  return `${event === undefined ? '' : `event: ${event}\n`}data: ${JSON.stringify(data)}\n\n`;
}

/** The encoded input of a call. */
export function encodeInput(call: ScriptedCall): string {
  return typeof call.input === 'string' ? call.input : JSON.stringify(call.input);
}

export function usageOf(step: Step): { input: number; output: number; cached: number; written: number } {
  return { input: 10, output: 5, cached: 0, written: 0, ...step.usage };
}

/** The elements of `body[key]` that are objects. */
export function readItems(body: unknown, key: string): Record<string, unknown>[] {
  const items = isJsonObject(body) ? body[key] : undefined;
  return Array.isArray(items) ? items.filter(isJsonObject) : [];
}

/** The text of a message whose content is a string or a list of parts with `text`. */
export function readText(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map((part) => (isJsonObject(part) && typeof part['text'] === 'string' ? part['text'] : '')).join('');
}

/** Finds the last user message and counts the assistant's turns after it. Tool results are not user messages. */
export function locate<Item>(
  items: readonly Item[],
  roleOf: (item: Item) => 'user' | 'assistant' | 'other',
  textOf: (item: Item) => string,
): Position {
  // What the service itself appends to a prompt is not a user message.
  const isSaid = (item: Item) => roleOf(item) === 'user' && !textOf(item).startsWith(reminderMark);
  const last = items.findLastIndex(isSaid);
  const user = items[last];
  let turns = 0;
  let inTurn = false;
  for (const item of items.slice(last + 1)) {
    const isAssistant = roleOf(item) === 'assistant';
    if (isAssistant && !inTurn) turns += 1;
    inTurn = isAssistant;
  }
  return { lastUserText: user === undefined ? '' : textOf(user), turns };
}

const fillUnit = 'All work and no play makes a dull reply. ';

/** The chunks of a step's text, generated as they are sent. */
export function* listPieces(step: Step): Generator<string> {
  if (step.textBytes !== undefined) {
    const piece = fillUnit.repeat(400);
    for (let sent = 0; sent < step.textBytes; sent += piece.length) yield piece;
    return;
  }
  if (typeof step.text === 'string') yield step.text;
  else if (step.text) yield* step.text;
}

/** All frames of a step between opening and closing. */
export function* listFrames(wire: Wire, step: Step, callId: (call: ScriptedCall) => string): Generator<string> {
  let index = 0;
  if (step.reasoning !== undefined) yield* wire.reasoning(step.reasoning, index++);
  if (step.text !== undefined || step.textBytes !== undefined) {
    const block = wire.text(index++);
    if (block.start) yield block.start;
    for (const piece of listPieces(step)) yield block.piece(piece);
    if (block.end) yield block.end;
  }
  for (const call of step.calls ?? []) yield* wire.call(call, call.id ?? callId(call), index++);
}
