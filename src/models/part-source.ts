import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4StreamPart } from '@ai-sdk/provider';

/** What answers one call of a model, piece by piece. */
export interface PartSource {
  /**
   * Resolves when the reply has ended. `take` may throw, which ends the exchange. Whatever way it ends, also by the signal in the
   * options, nothing of the exchange stays behind.
   */
  play(options: LanguageModelV4CallOptions, take: (part: LanguageModelV4StreamPart) => void): Promise<void>;
}

/** Made once: an abort without a reason builds an error each time. */
const exchangeIsOver = new Error('the exchange is over');

/** A model of a provider's package. */
export function fromPackage(model: LanguageModelV4): PartSource {
  return {
    async play({ abortSignal, ...options }, take) {
      const exchange = new AbortController();
      const end = () => exchange.abort(exchangeIsOver);
      abortSignal?.addEventListener('abort', end, { once: true });
      try {
        const { stream } = await model.doStream({ ...options, abortSignal: exchange.signal });
        for await (const part of stream) take(part);
      } finally {
        abortSignal?.removeEventListener('abort', end);
        end();
      }
    },
  };
}
