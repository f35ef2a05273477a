import type { Clock } from '@errand/base/clock.ts';
import type { ModelEffort } from '../../rules/instance/model-tuning.ts';
import type { TokenUsage } from '../../rules/events/task-event.ts';
import type { Endpoint } from './provider-endpoint.ts';
import { toModelFault } from './provider-failure.ts';
import { type Model, type ModelCallOptions, ModelFault, type ModelReply, type ModelRequest } from '../model.ts';
import type { ModelFacts } from './model-facts.ts';
import type { ModelConnection } from './model-connection.ts';
import type { SendRequest } from './model-exchange.ts';
import type { SchemaMode } from './provider-prompt.ts';
import { withOwnParts } from './foreign-parts.ts';
import { ReplyBuilder } from './reply-builder.ts';

export interface ProviderModelOptions {
  name: string;
  endpoint: Endpoint;
  facts: ModelFacts;
  clock: Clock;
  send: SendRequest;
  /** How much it thinks; the provider's default if absent. */
  effort?: ModelEffort;
}

/** Thinking takes part of the window besides the reply. */
function findReplySpace({ facts: { outputLimit, window }, effort = 'none' }: ProviderModelOptions): number {
  return effort === 'none' ? outputLimit : Math.max(outputLimit, Math.min(outputLimit * 2, Math.floor(window * 0.4)));
}

/** A real model behind the port. */
export class ProviderModel implements Model {
  readonly name: string;
  readonly window: number;
  readonly outputLimit: number;
  readonly price: ModelFacts['price'];
  readonly canSee: boolean;
  readonly #options: ProviderModelOptions;
  #connection: Promise<ModelConnection> | null = null;
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
    const { effort } = this.#options;
    const { signal } = options;
    const connection = await this.#load(signal);
    const builder = new ReplyBuilder(request, options);
    try {
      await connection.stream(withOwnParts(request, this.name), { signal, mode, effort }, (part) => builder.add(part));
      return builder.build();
    } catch (error) {
      throw this.#classify(error, signal, builder.used());
    }
  }

  async #load(signal: AbortSignal): Promise<ModelConnection> {
    const { endpoint, send, facts } = this.#options;
    this.#connection ??= endpoint.provider.load({ ...endpoint, send }, facts);
    try {
      const connection = await this.#connection;
      signal.throwIfAborted();
      return connection;
    } catch (error) {
      throw this.#classify(error, signal, null);
    }
  }

  #classify(error: unknown, signal: AbortSignal, usage: TokenUsage | null): ModelFault {
    signal.throwIfAborted();
    const { clock, endpoint } = this.#options;
    // The original error is not attached as cause, because causes are logged and some providers echo the rejected key.
    const { kind, message, retryAfterMs, requestId, detail } = toModelFault(error, clock.now(), endpoint.apiKey);
    return new ModelFault(kind, `${this.name}: ${message}`, {
      ...(retryAfterMs !== undefined && { retryAfterMs }),
      ...(requestId !== undefined && { requestId }),
      ...(usage && { usage }),
      ...(detail !== undefined && { detail }),
    });
  }
}
