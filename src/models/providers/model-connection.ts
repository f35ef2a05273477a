import type { LanguageModelV4StreamPart } from '@ai-sdk/provider';
import type { ModelEffort } from '../../rules/instance/model-tuning.ts';
import type { ModelRequest } from '../model.ts';
import type { SchemaMode } from './provider-prompt.ts';

/** What a call adds to its request. */
export interface StreamOptions {
  /** Aborting closes the socket at once. */
  signal: AbortSignal;
  mode: SchemaMode;
  /** How much the model thinks; the provider's default if absent. */
  effort?: ModelEffort | undefined;
}

/** How one model is called: by the package of its provider, or by a wire of our own. */
export interface ModelConnection {
  /**
   * Makes one call and gives each part of the reply to `add`, in their order. Rejects with what `add` throws, or with whatever error the
   * package or the wire has; nothing of the exchange remains then.
   */
  stream(request: ModelRequest, options: StreamOptions, add: (part: LanguageModelV4StreamPart) => void): Promise<void>;
}
