import type { LanguageModelV4StreamPart } from '@ai-sdk/provider';
import { StreamingToolCallTracker } from '@ai-sdk/provider-utils';
import { ModelFault } from '../model.ts';
import type { CallDelta } from './chat-frame.ts';
import { mostCalls } from './reply-builder.ts';

/** Some servers name a call only after its first arguments. */
function merge(earlier: CallDelta | undefined, delta: CallDelta): CallDelta {
  if (!earlier) return delta;
  return {
    index: delta.index ?? null,
    id: earlier.id ?? delta.id ?? null,
    function: {
      name: delta.function.name ?? null,
      arguments: (earlier.function.arguments ?? '') + (delta.function.arguments ?? ''),
    },
    extra_content: earlier.extra_content ?? delta.extra_content ?? null,
  };
}

/**
 * The calls of one reply, from their pieces. The package tells which piece belongs to which call: servers number and name them in many ways.
 */
export class ChatCalls {
  readonly #add: (part: LanguageModelV4StreamPart) => void;
  readonly #nameless = new Map<number, CallDelta>();
  readonly #named = new Set<number>();
  #tracker: StreamingToolCallTracker<CallDelta> | null = null;

  constructor(add: (part: LanguageModelV4StreamPart) => void) {
    this.#add = add;
  }

  read(delta: CallDelta): void {
    const { index } = delta;
    if (index === undefined || index === null || this.#named.has(index)) return this.#track(delta);
    const merged = merge(this.#nameless.get(index), delta);
    if (typeof merged.function.name !== 'string') {
      this.#nameless.set(index, merged);
      if (this.#nameless.size > mostCalls) throw new ModelFault('malformed', 'the reply begins too many calls');
      return;
    }
    this.#nameless.delete(index);
    this.#named.add(index);
    this.#track(merged);
  }

  /** A call that was never named makes the reply invalid. */
  end(): void {
    for (const delta of this.#nameless.values()) this.#track(delta);
    this.#tracker?.flush();
  }

  #track(delta: CallDelta): void {
    this.#tracker ??= new StreamingToolCallTracker<CallDelta>(
      { enqueue: this.#add },
      {
        extractMetadata({ extra_content: extra }) {
          const thoughtSignature = extra?.google?.thought_signature;
          return thoughtSignature ? { compatible: { thoughtSignature } } : undefined;
        },
        buildToolCallProviderMetadata: (metadata) => metadata,
      },
    );
    this.#tracker.processDelta(delta);
  }
}
