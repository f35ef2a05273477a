import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4StreamPart } from '@ai-sdk/provider';
import type { ModelRequest } from '../model.ts';
import type { ModelConnection, StreamOptions } from './model-connection.ts';
import { type PromptStyle, toCallOptions } from './provider-prompt.ts';

/** Shared: an abort without a reason builds an error each time. */
const exchangeIsOver = new Error('the exchange is over');

/** Calls through a provider package, over its contract (`doStream`) without the SDK's loop and retries. */
export class PackageConnection implements ModelConnection {
  readonly #model: LanguageModelV4;
  readonly #style: PromptStyle;
  readonly #extras: Partial<LanguageModelV4CallOptions>;

  /** `extras`: additional options of every call. */
  constructor(model: LanguageModelV4, style: PromptStyle, extras: Partial<LanguageModelV4CallOptions>) {
    this.#model = model;
    this.#style = style;
    this.#extras = extras;
  }

  async stream(
    request: ModelRequest,
    { signal, mode, effort }: StreamOptions,
    add: (part: LanguageModelV4StreamPart) => void,
  ): Promise<void> {
    const exchange = new AbortController();
    const end = () => exchange.abort(exchangeIsOver);
    signal.addEventListener('abort', end, { once: true });
    try {
      const { stream } = await this.#model.doStream({
        ...toCallOptions(request, mode, this.#style),
        ...this.#extras,
        ...(request.outputLimit !== undefined && { maxOutputTokens: request.outputLimit }),
        ...(effort !== undefined && { reasoning: effort }),
        abortSignal: exchange.signal,
      });
      for await (const part of stream) add(part);
    } finally {
      signal.removeEventListener('abort', end);
      // However it ended: nothing of the exchange may remain.
      end();
    }
  }
}
