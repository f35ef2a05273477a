import type { LanguageModelV4FinishReason, LanguageModelV4StreamPart, LanguageModelV4Usage } from '@ai-sdk/provider';
import { ModelFault } from '../model.ts';
import { type CallPiece, OpenCalls } from './open-calls.ts';

type Take = (part: LanguageModelV4StreamPart) => void;
type Fields = Readonly<Record<string, unknown>>;

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function misread(): ModelFault {
  return new ModelFault('malformed', 'the reply could not be understood');
}

function readFields(value: unknown): Fields {
  if (value === undefined || value === null) return {};
  if (isFields(value)) return value;
  throw misread();
}

function readText(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value;
  throw misread();
}

function readCount(value: unknown): number {
  if (value === undefined || value === null) return 0;
  if (typeof value === 'number') return value;
  throw misread();
}

function readList(value: unknown): readonly unknown[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value;
  throw misread();
}

const reasons: Readonly<Record<string, LanguageModelV4FinishReason['unified']>> = {
  stop: 'stop',
  length: 'length',
  content_filter: 'content-filter',
  function_call: 'tool-calls',
  tool_calls: 'tool-calls',
};

function readUsage(usage: Fields): LanguageModelV4Usage {
  const total = readCount(usage['prompt_tokens']);
  const output = readCount(usage['completion_tokens']);
  const cacheRead = readCount(readFields(usage['prompt_tokens_details'])['cached_tokens']);
  const reasoning = readCount(readFields(usage['completion_tokens_details'])['reasoning_tokens']);
  return {
    inputTokens: { total, noCache: total - cacheRead, cacheRead, cacheWrite: undefined },
    outputTokens: { total: output, text: Math.max(0, output - reasoning), reasoning },
  };
}

const noUsage: LanguageModelV4Usage = {
  inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: undefined, text: undefined, reasoning: undefined },
};

function readCallPiece(value: unknown): CallPiece {
  const piece = readFields(value);
  const called = readFields(piece['function']);
  const { index } = piece;
  if (index !== undefined && index !== null && typeof index !== 'number') throw misread();
  const signature = readFields(readFields(piece['extra_content'])['google'])['thought_signature'];
  return {
    index: index ?? null,
    id: readText(piece['id']).trim(),
    name: readText(called['name']).trim(),
    input: readText(called['arguments']),
    signature: typeof signature === 'string' && signature !== '' ? signature : null,
  };
}

/** What a server reports in the middle of a reply. A number that is a status says what to do about it. */
function readError({ code, message }: Fields): object {
  const isStatus = typeof code === 'number' && code >= 400 && code < 600;
  return { message, ...(isStatus && { statusCode: code }) };
}

/** The reply of a chat server, chunk by chunk, as parts. Chunks are checked as far as they are read. */
export class ChatReply {
  readonly #take: Take;
  readonly #calls = new OpenCalls();
  #open: { type: 'text' | 'reasoning'; id: string } | null = null;
  #count = 0;
  #finishReason: string | null = null;
  #hasRefusal = false;
  #usage: LanguageModelV4Usage = noUsage;

  constructor(take: Take) {
    this.#take = take;
  }

  /** Takes the data of one event. */
  hear(data: string): void {
    if (data === '[DONE]') return;
    const chunk = parse(data);
    if (isFields(chunk['error'])) return this.#take({ type: 'error', error: readError(chunk['error']) });
    if (!Array.isArray(chunk['choices'])) throw misread();
    const usage = readFields(chunk['usage']);
    if (chunk['usage'] !== undefined && chunk['usage'] !== null) this.#usage = readUsage(usage);
    const choice = readFields(chunk['choices'][0]);
    const reason = choice['finish_reason'];
    if (reason !== undefined && reason !== null) this.#finishReason = readText(reason) || this.#finishReason || '';
    this.#hearDelta(readFields(choice['delta']));
  }

  #hearDelta(delta: Fields): void {
    this.#say('reasoning', readText(delta['reasoning_content'] ?? delta['reasoning']));
    const { content, refusal } = delta;
    if (Array.isArray(content)) for (const part of content) this.#hearPart(readFields(part));
    else this.#say('text', readText(content));
    if (typeof refusal === 'string' && refusal !== '') {
      this.#hasRefusal = true;
      this.#say('text', refusal);
    }
    for (const piece of readList(delta['tool_calls'])) this.#hearCall(readCallPiece(piece));
  }

  /** Some servers send content in typed parts, and thoughts among them. */
  #hearPart(part: Fields): void {
    if (part['type'] === 'text' && typeof part['text'] === 'string') this.#say('text', part['text']);
    if (part['type'] !== 'thinking') return;
    for (const thought of readList(part['thinking'])) {
      if (isFields(thought) && thought['type'] === 'text') this.#say('reasoning', readText(thought['text']));
    }
  }

  #hearCall(piece: CallPiece): void {
    this.#calls.add(piece);
    this.#take({ type: 'tool-input-delta', id: piece.id, delta: piece.input });
  }

  #say(type: 'text' | 'reasoning', delta: string): void {
    if (delta === '') return;
    if (this.#open?.type !== type) {
      this.#open = { type, id: `${type}-${this.#count++}` };
      this.#take({ type: `${type}-start`, id: this.#open.id });
    }
    this.#take({ type: `${type}-delta`, id: this.#open.id, delta });
  }

  /** To be called when the bytes have ended as they should. */
  end(): void {
    const reason = this.#finishReason;
    const calls = this.#calls.finish();
    if (calls === null && reason !== null) throw misread();
    calls?.forEach(this.#take);
    // Without a reason the reply broke off, which whoever puts the parts together knows by its absence.
    if (reason === null) return;
    const unified = this.#hasRefusal && reason === 'stop' ? 'content-filter' : (reasons[reason] ?? 'other');
    this.#take({ type: 'finish', finishReason: { unified, raw: reason }, usage: this.#usage });
  }
}

function parse(data: string): Fields {
  try {
    const chunk: unknown = JSON.parse(data);
    if (isFields(chunk)) return chunk;
  } catch {
    // Told below.
  }
  throw misread();
}
