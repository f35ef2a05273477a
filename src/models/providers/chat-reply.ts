import { InvalidResponseDataError, type LanguageModelV4FinishReason, type LanguageModelV4StreamPart } from '@ai-sdk/provider';
import { ModelFault } from '../model.ts';
import { ChatCalls } from './chat-calls.ts';
import { type ChatDelta, type ChatFrame, type ChatUsage, type ContentPart, readFrame } from './chat-frame.ts';
import { mostCalls } from './reply-builder.ts';

type Add = (part: LanguageModelV4StreamPart) => void;
type Finish = Extract<LanguageModelV4StreamPart, { type: 'finish' }>;
type Block = 'text' | 'reasoning';

const ids: Record<Block, string> = { text: 'txt-0', reasoning: 'reasoning-0' };

const finishReasons = new Map<string, LanguageModelV4FinishReason['unified']>([
  ['stop', 'stop'],
  ['length', 'length'],
  ['content_filter', 'content-filter'],
  ['function_call', 'tool-calls'],
  ['tool_calls', 'tool-calls'],
]);

function toUsage(usage: ChatUsage | null): Finish['usage'] {
  const [input, output] = [usage?.prompt_tokens ?? 0, usage?.completion_tokens ?? 0];
  const cacheRead = usage?.prompt_tokens_details?.cached_tokens ?? 0;
  const reasoning = usage?.completion_tokens_details?.reasoning_tokens ?? 0;
  const total = (count: number) => (usage ? count : undefined);
  return {
    inputTokens: { total: total(input), noCache: total(input - cacheRead), cacheRead: total(cacheRead), cacheWrite: undefined },
    outputTokens: { total: total(output), text: total(Math.max(0, output - reasoning)), reasoning: total(reasoning) },
  };
}

function readThoughts({ thinking }: ContentPart): string {
  const parts: unknown[] = Array.isArray(thinking) ? thinking : [];
  return parts
    .map((part) => {
      const { type, text } = (part ?? {}) as { type?: unknown; text?: unknown };
      return type === 'text' && typeof text === 'string' ? text : '';
    })
    .join('');
}

/** Mistral's models send their content in parts, of which some are thoughts. */
function readContent(content: ChatDelta['content']): [Block, string][] {
  if (!content) return [];
  if (typeof content === 'string') return [['text', content]];
  return content.flatMap((part): [Block, string][] => {
    if (part.type === 'text') return typeof part.text === 'string' ? [['text', part.text]] : [];
    return part.type === 'thinking' ? [['reasoning', readThoughts(part)]] : [];
  });
}

/** Reads the events of one reply of the chat protocol, and gives its parts as the provider packages do. */
export class ChatReply {
  readonly #add: Add;
  readonly #calls: ChatCalls;
  #open: Block | null = null;
  #isRefused = false;
  #finishReason: string | null = null;
  #usage: ChatUsage | null = null;

  constructor(add: Add) {
    this.#add = add;
    this.#calls = new ChatCalls(add);
  }

  /** The data of one event. */
  read(data: string): void {
    if (data === '[DONE]') return;
    const frame = readFrame(data);
    if (!frame)
      return this.#add({ type: 'error', error: new InvalidResponseDataError({ data, message: 'An event is invalid.' }) });
    if (frame.error !== undefined && frame.error !== null) return this.#add({ type: 'error', error: frame.error });
    this.#readFrame(frame);
  }

  #readFrame({ usage, choices: [choice] }: ChatFrame): void {
    this.#usage = usage ?? this.#usage;
    this.#finishReason = choice?.finish_reason ?? this.#finishReason;
    if (choice?.delta) this.#readDelta(choice.delta);
  }

  #readDelta({ content, reasoning_content: thoughts, reasoning, refusal, tool_calls: calls }: ChatDelta): void {
    this.#say('reasoning', thoughts ?? reasoning ?? '');
    for (const [block, text] of readContent(content)) this.#say(block, text);
    if (typeof refusal === 'string' && refusal !== '') {
      this.#isRefused = true;
      this.#say('text', refusal);
    }
    if (!calls?.length) return;
    if (calls.length > mostCalls) throw new ModelFault('malformed', 'an event has too many pieces of calls');
    if (this.#open === 'reasoning') this.#close();
    for (const call of calls) this.#calls.read(call);
  }

  #say(block: Block, delta: string): void {
    if (delta === '') return;
    if (this.#open !== block) {
      this.#close();
      this.#add({ type: `${block}-start`, id: ids[block] });
      this.#open = block;
    }
    this.#add({ type: `${block}-delta`, id: ids[block], delta });
  }

  #close(): void {
    if (this.#open) this.#add({ type: `${this.#open}-end`, id: ids[this.#open] });
    this.#open = null;
  }

  /** The reply has no more events. */
  end(): void {
    this.#close();
    this.#calls.end();
    const raw = this.#finishReason;
    if (raw === null) {
      const error = new InvalidResponseDataError({ data: undefined, message: 'The reply has no finish reason.' });
      return this.#add({ type: 'error', error });
    }
    const reason = finishReasons.get(raw) ?? 'other';
    const unified = reason === 'stop' && this.#isRefused ? 'content-filter' : reason;
    this.#add({ type: 'finish', finishReason: { unified, raw }, usage: toUsage(this.#usage) });
  }
}
