import type { LanguageModelV4 } from '@ai-sdk/provider';
import type { Clock } from '@errand/base/clock.ts';
import type { ModelEffort } from '../../rules/instance/model-tuning.ts';
import type { TokenUsage } from '../../rules/events/task-event.ts';
import type { Endpoint } from './provider-endpoint.ts';
import { toModelFault } from './provider-failure.ts';
import { type Model, type ModelCallOptions, ModelFault, type ModelReply, type ModelRequest } from '../model.ts';
import type { ModelFacts } from './model-facts.ts';
import { PromptPrefixes } from './prompt-prefix.ts';
import { type SchemaMode, toCallOptions } from './provider-prompt.ts';
import { withOwnParts } from './foreign-parts.ts';
import { ReplyBuilder } from './reply-builder.ts';

export interface ProviderModelOptions {
  name: string;
  endpoint: Endpoint;
  facts: ModelFacts;
  clock: Clock;
  wire: typeof fetch;
  /** How much it thinks; the provider's default if absent. */
  effort?: ModelEffort;
}

/** Thinking takes part of the window besides the reply. */
function findReplySpace({ facts: { outputLimit, window }, effort = 'none' }: ProviderModelOptions): number {
  return effort === 'none' ? outputLimit : Math.max(outputLimit, Math.min(outputLimit * 2, Math.floor(window * 0.4)));
}

/** Shared: an abort without a reason builds an error each time. */
const exchangeIsOver = new Error('the exchange is over');

/** A real model behind the port, over the SDK's provider contract (`doStream`) without the SDK's loop and retries. */
export class ProviderModel implements Model {
  readonly name: string;
  readonly window: number;
  readonly outputLimit: number;
  readonly price: ModelFacts['price'];
  readonly canSee: boolean;
  readonly #options: ProviderModelOptions;
  readonly #prefixes = new PromptPrefixes();
  #model: Promise<LanguageModelV4> | null = null;
  #schemaMode: SchemaMode = 'native';

  constructor(options: ProviderModelOptions) {
    this.name = options.name;
    this.window = options.facts.window;
    this.outputLimit = findReplySpace(options);
    this.price = options.facts.price;
    this.canSee = options.facts.canSee;
    this.#options = options;
  }

  async call(request: ModelRequest, options: ModelCallOptions): Promise<ModelReply> {
    const mode = this.#schemaMode;
    try {
      return await this.#attempt(request, options, mode);
    } catch (fault) {
      const isSchemaRefused =
        fault instanceof ModelFault && fault.kind === 'refused' && request.outputSchema && mode === 'native';
      if (!isSchemaRefused) throw fault;
    }
    // Not every provider accepts a schema. After a rejection, the schema is put into the prompt instead, from here on.
    const reply = await this.#attempt(request, options, 'asked');
    this.#schemaMode = 'asked';
    return reply;
  }

  /** Rejects with a `ModelFault`, or with the reason of an abort. */
  async #attempt(request: ModelRequest, options: ModelCallOptions, mode: SchemaMode): Promise<ModelReply> {
    const { endpoint, facts, effort } = this.#options;
    const model = await this.#load(options.signal);
    const builder = new ReplyBuilder(request, (text) => options.onText(text));
    const exchange = new AbortController();
    const end = () => exchange.abort(exchangeIsOver);
    options.signal.addEventListener('abort', end, { once: true });
    try {
      const send = async (sent: ModelRequest) =>
        model.doStream({
          ...toCallOptions(withOwnParts(sent, this.name), mode, endpoint.provider),
          ...endpoint.provider.extras(facts),
          ...(sent.outputLimit !== undefined && { maxOutputTokens: sent.outputLimit }),
          ...(effort !== undefined && { reasoning: effort }),
          abortSignal: exchange.signal,
        });
      const { stream } = await (endpoint.provider.convertsSingly ? this.#prefixes.shorten(request, send) : send(request));
      for await (const part of stream) builder.add(part);
      return builder.build();
    } catch (error) {
      throw this.#judge(error, options.signal, builder.used());
    } finally {
      options.signal.removeEventListener('abort', end);
      // However it ended: nothing of the exchange may remain.
      end();
    }
  }

  async #load(signal: AbortSignal): Promise<LanguageModelV4> {
    const { endpoint, wire } = this.#options;
    this.#model ??= endpoint.provider.load({
      ...endpoint,
      wire: endpoint.provider.convertsSingly ? this.#prefixes.wrap(wire) : wire,
    });
    try {
      const model = await this.#model;
      signal.throwIfAborted();
      return model;
    } catch (error) {
      throw this.#judge(error, signal, null);
    }
  }

  #judge(error: unknown, signal: AbortSignal, usage: TokenUsage | null): ModelFault {
    signal.throwIfAborted();
    const { clock, endpoint } = this.#options;
    // The original error is not attached as cause, because causes are logged and some providers echo the rejected key.
    const { kind, message, retryAfterMs, requestId } = toModelFault(error, clock.now(), endpoint.apiKey);
    return new ModelFault(kind, `${this.name}: ${message}`, {
      ...(retryAfterMs !== undefined && { retryAfterMs }),
      ...(requestId !== undefined && { requestId }),
      ...(usage && { usage }),
    });
  }
}
