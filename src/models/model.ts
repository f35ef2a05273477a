import type { ModelPrice } from '../rules/credits/pricing.ts';
import type { ModelPart, TokenUsage } from '../rules/events/task-event.ts';
import type { TranscriptEntry } from '../rules/context/transcript.ts';

/** What a model may call: `inputSchema` is a JSON Schema object. */
export interface ToolDefinition {
  name: string;
  description: string;
  inputSchema: Record<string, unknown>;
}

/** An image that a model is shown. */
export interface ShownImage {
  mediaType: string;
  bytes: Uint8Array;
}

export interface ModelRequest {
  /** Stable over the whole task, so that providers can cache the prefix. */
  system: string;
  transcript: readonly TranscriptEntry[];
  tools: readonly ToolDefinition[];
  /** Comes last, and is another or none the next time. */
  reminder?: string;
  /** Bytes of images among the attachments, by blob; for models that can see. */
  images?: ReadonlyMap<string, ShownImage>;
  /** When present the reply must be one JSON value of this schema (structured output). */
  outputSchema?: Record<string, unknown>;
}

export interface ModelReply {
  parts: ModelPart[];
  usage: TokenUsage;
}

export interface ModelCallOptions {
  /** Aborting closes the provider's socket at once; the call then rejects with the signal's reason. */
  signal: AbortSignal;
  /** Called with each piece of visible text as it arrives. */
  onText(text: string): void;
}

export interface Model {
  /** `provider/model`, as it is shown to people and logged with each call. */
  readonly name: string;
  /** Tokens that prompt and reply may take together. */
  readonly window: number;
  readonly outputLimit: number;
  /** Whether it takes images. */
  readonly canSee?: boolean;
  /** True where it carries out what was spelled out, and repeats a call only when told to. */
  readonly followsScript?: boolean;
  /** Null where it is not known: its calls are counted and cost nothing. */
  readonly price: ModelPrice | null;
  call(request: ModelRequest, options: ModelCallOptions): Promise<ModelReply>;
}

/**
 * Why a call failed, in the words the loop decides by. `refused`: the provider will not take this request (401, 403, 404,
 * bad request); `overloaded`: it asks to come back (429, 529); `unavailable`: it cannot be reached, answers 5xx or stalls;
 * `malformed`: it answered something that is not a reply.
 */
export type ModelFaultKind = 'refused' | 'overloaded' | 'unavailable' | 'malformed';

export interface ModelFaultOptions {
  retryAfterMs?: number;
  usage?: TokenUsage;
  cause?: unknown;
}

export class ModelFault extends Error {
  readonly kind: ModelFaultKind;
  /** How long the provider asked to be left alone, in milliseconds. */
  readonly retryAfterMs: number | undefined;
  /** What a reply that broke off has used, by estimate; nothing for a call that was not answered. */
  readonly usage: TokenUsage;

  constructor(kind: ModelFaultKind, message: string, options: ModelFaultOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'ModelFault';
    this.kind = kind;
    this.retryAfterMs = options.retryAfterMs;
    this.usage = options.usage ?? { input: 0, output: 0, cached: 0 };
  }
}
