import type { ModelPrice } from '../rules/credits/pricing.ts';
import type { ModelPart, TokenUsage } from '../rules/events/task-event.ts';
import type { TranscriptEntry } from '../rules/context/transcript.ts';

/** A tool offered to a model: `inputSchema` is a JSON Schema object. */
export interface ToolDefinition {
  name: string;
  description: string;
  inputSchema: Record<string, unknown>;
}

/** An image shown to a model. */
export interface ShownImage {
  mediaType: string;
  bytes: Uint8Array;
}

export interface ModelRequest {
  /** Stable over the whole task, so that providers can cache the prefix. */
  system: string;
  transcript: readonly TranscriptEntry[];
  tools: readonly ToolDefinition[];
  /** Appended last; may change or be absent in the next call. */
  reminder?: string;
  /** Bytes of images among the attachments, by blob; for models with vision. */
  images?: ReadonlyMap<string, ShownImage>;
  /** If present, the reply must be one JSON value of this schema (structured output). */
  outputSchema?: Record<string, unknown>;
  /** How often this reply has been asked for, with this request. */
  attempt?: number;
  /** How many tokens the reply may have, if fewer than the model allows. */
  outputLimit?: number;
}

export interface ModelReply {
  parts: ModelPart[];
  usage: TokenUsage;
  /** Present if the reply reached the output limit. */
  isCut?: true;
  /** Present if the reply only says that no language model is connected. Nobody has worked on the message, so it is free. */
  isUnanswered?: true;
}

/** Who is told of a reply while it is written. */
export interface ReplyWatcher {
  /** Called with each chunk of visible text as it arrives. */
  onText(text: string): void;
  /** Called with each piece of the input of a call as it is written. Without it, nobody watches. */
  onInput?(call: { id: string; tool: string }, piece: string): void;
}

export interface ModelCallOptions extends ReplyWatcher {
  /** Aborting closes the provider's socket at once; the call then rejects with the signal's reason. */
  signal: AbortSignal;
}

export interface Model {
  /** `provider/model`, as shown to people and logged with each call. */
  readonly name: string;
  /** Context window: tokens of prompt and reply together. */
  readonly window: number;
  readonly outputLimit: number;
  /** Whether it accepts images. */
  readonly canSee?: boolean;
  /** True if it executes literal instructions, and repeats a call only when told to. */
  readonly followsScript?: boolean;
  /** Null if unknown: its calls are counted and cost nothing. */
  readonly price: ModelPrice | null;
  /** The models that replace it while it is unavailable, in this order. */
  readonly fallbacks?: readonly Model[];
  /** How long an outage or overload is waited out; absent for the usual bounds. */
  readonly patienceMs?: number;
  call(request: ModelRequest, options: ModelCallOptions): Promise<ModelReply>;
  /**
   * Replies without waiting, without cost, and without touching anything outside; null if the request needs a real call. A call interrupted
   * by a crash is made again as if it had never been, so its start is logged together with its reply.
   */
  replyAtOnce?(request: ModelRequest, onText: (text: string) => void): ModelReply | null;
}

/**
 * Why a call failed, by what the loop can do about it. `refused`: the provider will never accept this request (401, 403, 404, bad request);
 * `overloaded`: it asks for a retry later (429, 529); `unavailable`: it cannot be reached, answers 5xx or stalls; `malformed`: its response
 * is not a valid reply.
 */
export type ModelFaultKind = 'refused' | 'overloaded' | 'unavailable' | 'malformed';

export interface ModelFaultOptions {
  retryAfterMs?: number;
  requestId?: string;
  usage?: TokenUsage;
  detail?: string;
  cause?: unknown;
}

export class ModelFault extends Error {
  readonly kind: ModelFaultKind;
  /** The provider's Retry-After, in milliseconds. */
  readonly retryAfterMs: number | undefined;
  /** The id by which the provider finds the call. */
  readonly requestId: string | undefined;
  /** Estimated usage of a reply that was cut off; nothing for a call that was not answered. */
  readonly usage: TokenUsage;
  /** More than the message says, for who has set the model; anybody who reads a task may see the message. */
  readonly detail: string | undefined;

  constructor(kind: ModelFaultKind, message: string, options: ModelFaultOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'ModelFault';
    this.kind = kind;
    this.retryAfterMs = options.retryAfterMs;
    this.requestId = options.requestId;
    this.usage = options.usage ?? { input: 0, output: 0, cached: 0 };
    this.detail = options.detail;
  }
}
