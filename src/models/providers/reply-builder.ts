import type { LanguageModelV4StreamPart, LanguageModelV4Usage, SharedV4ProviderMetadata } from '@ai-sdk/provider';
import type { CallPart, ModelPart, TokenUsage } from '../../rules/events/task-event.ts';
import { readCallInput } from '../call-input.ts';
import { ModelFault, type ModelReply, type ModelRequest, type ReplyWatcher } from '../model.ts';
import { estimateUsage } from '../token-estimate.ts';

/** Characters of text, reasoning and tool input in one reply. */
export const longestReply = 8 << 20;
/** Calls in one reply. Servers may be hostile, and what sorts the pieces of calls looks at all of them for each piece. */
export const mostCalls = 512;
/** Tokens of one call that a server may report. */
const mostTokens = 1_000_000_000;

type OpenPart = Extract<ModelPart, { type: 'text' | 'reasoning' }>;
type Finish = Extract<LanguageModelV4StreamPart, { type: 'finish' }>;

interface BegunCall {
  tool: string;
  input: string;
}

/** What is left of the input of a call that was cut: enough for a model to see where it was. */
const longestCutInput = 2000;

/** Finish reasons with which a reply without text or calls is still valid. */
const reasonsToSayNothing = new Set(['stop', 'length', 'content-filter']);
const unfinishedReasons = new Set(['error', 'interrupted']);

/** Builds a reply from the parts of a stream. An invalid stream ends in a `ModelFault`. */
export class ReplyBuilder {
  readonly #request: ModelRequest;
  readonly #watcher: ReplyWatcher;
  readonly #parts: ModelPart[] = [];
  readonly #open = new Map<string, OpenPart>();
  readonly #takenIds = new Set<string>();
  /** Calls whose input is still being written. */
  readonly #begun = new Map<string, BegunCall>();
  #isLastBlank = false;
  #size = 0;
  #begunCount = 0;
  #callCount = 0;
  #finish: Finish | null = null;

  constructor(request: ModelRequest, watcher: ReplyWatcher) {
    this.#request = request;
    this.#watcher = watcher;
    for (const entry of request.transcript) {
      if (entry.role !== 'assistant') continue;
      for (const part of entry.parts) if (part.type === 'call') this.#takenIds.add(part.id);
    }
  }

  /** Adds one part. An `error` part is thrown unchanged. */
  add(part: LanguageModelV4StreamPart): void {
    switch (part.type) {
      case 'text-start':
      case 'reasoning-start':
        return this.#start(part.type === 'text-start' ? 'text' : 'reasoning', part.id, part.providerMetadata);
      case 'text-delta':
        this.#append(part.id, part.delta, part.providerMetadata);
        return this.#watcher.onText(part.delta);
      case 'reasoning-delta':
        return this.#append(part.id, part.delta, part.providerMetadata);
      case 'text-end':
      case 'reasoning-end':
        return this.#append(part.id, '', part.providerMetadata);
      case 'tool-input-start':
        refuseMany(++this.#begunCount);
        this.#begun.set(part.id, { tool: part.toolName, input: '' });
        return;
      case 'tool-input-delta':
        return this.#growCall(part.id, part.delta);
      case 'tool-call':
        return this.#call(part);
      case 'finish':
        this.#finish = part;
        return;
      case 'error':
        throw this.#parts.length > 0 && saysEndIsMissing(part.error) ? brokeOff() : part.error;
      default:
        return;
    }
  }

  /** The estimated usage of an interrupted reply; none if it had not begun, because then nothing is charged. */
  used(): TokenUsage | null {
    return this.#parts.length > 0 ? estimateUsage(this.#request, this.#parts) : null;
  }

  /** The reply, once the stream has ended. */
  build(): ModelReply {
    const isCut = this.#finish?.finishReason.unified === 'length';
    if (isCut) this.#markCut();
    const parts = this.#parts.filter((part) => part.type === 'call' || part.text !== '' || part.provider !== undefined);
    const isEmpty = !parts.some((part) => part.type === 'call' || (part.type === 'text' && part.text !== ''));
    const reason = this.#finish?.finishReason.unified ?? 'interrupted';
    if (isEmpty && !reasonsToSayNothing.has(reason)) throw new ModelFault('malformed', `the reply was empty (${reason})`);
    if (unfinishedReasons.has(reason)) throw brokeOff();
    const usage = readUsage(this.#finish?.usage) ?? estimateUsage(this.#request, parts);
    return { parts, usage, ...(isCut && { isCut }) };
  }

  /** Marks the reply as cut and drops incomplete parts: calls without their whole input, and reasoning without what it led to. */
  #markCut(): void {
    for (const [id, { tool, input }] of this.#begun) this.#addCut({ type: 'call', id: this.#claimId(id), tool, input });
    const last = this.#parts.at(-1);
    // An empty input may be one that had not begun.
    if (last?.type === 'call' && (typeof last.input === 'string' || this.#isLastBlank)) {
      this.#parts.pop();
      this.#addCut(last);
    }
    while (this.#parts.at(-1)?.type === 'reasoning') this.#parts.pop();
  }

  #addCut(call: CallPart): void {
    const input = typeof call.input === 'string' ? call.input.slice(0, longestCutInput).toWellFormed() : '';
    this.#parts.push({ ...call, input, isCut: true });
  }

  #start(type: OpenPart['type'], id: string, metadata: SharedV4ProviderMetadata | undefined): void {
    const part: OpenPart = { type, text: '' };
    if (metadata) part.provider = metadata;
    this.#open.set(id, part);
    this.#parts.push(part);
  }

  #append(id: string, text: string, metadata: SharedV4ProviderMetadata | undefined): void {
    const part = this.#open.get(id);
    if (!part) throw new ModelFault('malformed', 'the reply has a delta for a part that was never started');
    this.#grow(text.length);
    part.text += text;
    if (metadata) part.provider = metadata;
  }

  #grow(characters: number, call?: BegunCall, delta = ''): void {
    if (call) call.input += delta;
    this.#size += characters;
    if (this.#size > longestReply) throw new ModelFault('malformed', 'the reply is too large');
  }

  #growCall(id: string, piece: string): void {
    const call = this.#begun.get(id);
    this.#grow(piece.length, call, piece);
    // Under another id, nobody could tell whose input it was.
    if (call && this.#isUsable(id)) this.#watcher.onInput?.({ id, tool: call.tool }, piece);
  }

  #isUsable(id: string): boolean {
    return /^[a-zA-Z0-9_-]{1,64}$/.test(id) && !this.#takenIds.has(id);
  }

  #call(call: Extract<LanguageModelV4StreamPart, { type: 'tool-call' }>): void {
    // Tools that the provider ran itself are ignored; none were requested.
    if (call.providerExecuted) return;
    refuseMany(++this.#callCount);
    const id = this.#claimId(call.toolCallId);
    const part: ModelPart = { type: 'call', id, tool: call.toolName, input: readCallInput(call.input) };
    if (call.providerMetadata) part.provider = call.providerMetadata;
    this.#begun.delete(call.toolCallId);
    this.#isLastBlank = /^\s*(\{\s*\})?\s*$/.test(call.input);
    this.#parts.push(part);
  }

  /** The log identifies calls by ID, and some servers restart numbering with each reply. */
  #claimId(wanted: string): string {
    const id = this.#isUsable(wanted) ? wanted : `call_${this.#request.transcript.length}_${this.#parts.length}`;
    this.#takenIds.add(id);
    return id;
  }
}

function refuseMany(calls: number): void {
  if (calls > mostCalls) throw new ModelFault('malformed', `the reply has more than ${mostCalls} calls`);
}

function brokeOff(): ModelFault {
  return new ModelFault('unavailable', 'the reply was cut off');
}

/** How the compatible provider reports a truncated stream: as invalid data without any content. */
function saysEndIsMissing(error: unknown): boolean {
  return error instanceof Error && error.name === 'AI_InvalidResponseDataError' && 'data' in error && error.data === undefined;
}

function isCount(tokens: number): boolean {
  return Number.isInteger(tokens) && tokens >= 0 && tokens <= mostTokens;
}

/** The usage that the provider reports; null if it reports none, or what cannot be. */
function readUsage(usage: LanguageModelV4Usage | undefined): TokenUsage | null {
  const { total: input = 0, cacheRead: cached = 0, cacheWrite: written = 0 } = usage?.inputTokens ?? {};
  const { total: output = 0 } = usage?.outputTokens ?? {};
  const isReported = usage?.inputTokens.total !== undefined || usage?.outputTokens.total !== undefined;
  if (!isReported || ![input, output, cached, written].every(isCount)) return null;
  return { input, output, cached, ...(written > 0 && { written }) };
}
