import type { LanguageModelV4, LanguageModelV4CallOptions, TranscriptionModelV4 } from '@ai-sdk/provider';
import type { ModelFacts } from './model-facts.ts';
import type { PromptStyle } from './provider-prompt.ts';

export interface ProviderCall {
  modelName: string;
  baseUrl: string;
  apiKey: string | undefined;
  wire: typeof fetch;
}

/** A model on a small machine may process a long prompt for minutes before its first token. */
const localStallMs = 600_000;

/** One provider package. It is loaded with the first call, so that a process only pays for what it uses. */
export interface ModelProvider extends PromptStyle {
  /** Absent if only the operator can know it. */
  baseUrl?: string;
  /** For providers that require a key: the provider's name, and the variable its own tools read. */
  keyName?: 'openai' | 'anthropic' | 'google';
  keyVariable?: string;
  isLocal?: boolean;
  /** The stall timeout, if longer than the default. */
  stallMs?: number;
  load(call: ProviderCall): Promise<LanguageModelV4>;
  /** Whether what it makes of a message depends on no other message. */
  convertsSingly?: boolean;
  /** Additional options of every call. */
  extras(facts: ModelFacts): Partial<LanguageModelV4CallOptions>;
  /** Absent if it has no speech models. */
  speech?: SpeechSource;
}

/** Speech-to-text models. */
export interface SpeechSource {
  /** The default if the operator names none. */
  usual?: string;
  load(call: ProviderCall): Promise<TranscriptionModelV4>;
}

/** The OpenAI protocol, which many speech servers implement. */
async function loadTranscription({ modelName, baseUrl, apiKey = 'none', wire }: ProviderCall): Promise<TranscriptionModelV4> {
  const { createOpenAI } = await import('@ai-sdk/openai');
  return createOpenAI({ baseURL: baseUrl, apiKey, fetch: wire }).transcription(modelName);
}

async function loadCompatible({ modelName, baseUrl, apiKey, wire }: ProviderCall): Promise<LanguageModelV4> {
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
  const options = { name: 'compatible', baseURL: baseUrl, fetch: wire, includeUsage: true, supportsStructuredOutputs: true };
  return createOpenAICompatible(apiKey === undefined ? options : { ...options, apiKey })(modelName);
}

const compatible: ModelProvider = {
  load: loadCompatible,
  convertsSingly: true,
  extras: () => ({}),
  speech: { load: loadTranscription },
};
const local: ModelProvider = { ...compatible, isLocal: true, stallMs: localStallMs };

// Base URLs and keys are always passed, because otherwise the packages read the environment.
export const providers = {
  openai: {
    baseUrl: 'https://api.openai.com/v1',
    keyName: 'openai',
    keyVariable: 'OPENAI_API_KEY',
    async load({ modelName, baseUrl, apiKey = '', wire }) {
      const { createOpenAI } = await import('@ai-sdk/openai');
      return createOpenAI({ baseURL: baseUrl, apiKey, fetch: wire }).responses(modelName);
    },
    // Nothing is stored at the provider; reasoning is returned encrypted and stored in our own log.
    extras: () => ({ providerOptions: { openai: { store: false } } }),
    picturePlace: 'results',
    assumesStrict: true,
    speech: { usual: 'gpt-4o-mini-transcribe', load: loadTranscription },
  },
  anthropic: {
    baseUrl: 'https://api.anthropic.com/v1',
    keyName: 'anthropic',
    keyVariable: 'ANTHROPIC_API_KEY',
    async load({ modelName, baseUrl, apiKey = '', wire }) {
      const { createAnthropic } = await import('@ai-sdk/anthropic');
      return createAnthropic({ baseURL: baseUrl, apiKey, fetch: wire })(modelName);
    },
    // The only one that requires a limit.
    extras: (facts) => ({ maxOutputTokens: facts.outputLimit }),
    picturePlace: 'results',
  },
  google: {
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
    keyName: 'google',
    keyVariable: 'GOOGLE_GENERATIVE_AI_API_KEY',
    async load({ modelName, baseUrl, apiKey = '', wire }) {
      const { createGoogle } = await import('@ai-sdk/google');
      return createGoogle({ baseURL: baseUrl, apiKey, fetch: wire })(modelName);
    },
    extras: () => ({}),
    picturePlace: 'results',
    speech: {
      usual: 'gemini-3.5-transcribe',
      async load({ modelName, baseUrl, apiKey = '', wire }) {
        const { createGoogle } = await import('@ai-sdk/google');
        return createGoogle({ baseURL: baseUrl, apiKey, fetch: wire }).transcription(modelName);
      },
    },
  },
  compatible,
  ollama: { ...local, baseUrl: 'http://127.0.0.1:11434/v1' },
  lmstudio: { ...local, baseUrl: 'http://127.0.0.1:1234/v1' },
} satisfies Record<string, ModelProvider>;

export function findProvider(name: string): ModelProvider | null {
  return new Map<string, ModelProvider>(Object.entries(providers)).get(name) ?? null;
}
