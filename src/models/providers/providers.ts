import type { TranscriptionModelV4 } from '@ai-sdk/provider';
import type { ModelFacts } from './model-facts.ts';
import type { ModelConnection } from './model-connection.ts';
import type { SendRequest } from './model-exchange.ts';
import { createFetch } from './model-fetch.ts';
import { PackageConnection } from './package-connection.ts';

export interface ProviderCall {
  modelName: string;
  baseUrl: string;
  apiKey: string | undefined;
  send: SendRequest;
}

/** A model on a small machine may process a long prompt for minutes before its first token. */
const localStallMs = 600_000;

/** One provider. Its package or wire is loaded with the first call, so that a process only pays for what it uses. */
export interface ModelProvider {
  /** Absent if only the operator can know it. */
  baseUrl?: string;
  /** For providers that require a key: the provider's name, and the variable that its own tools read. */
  keyName?: 'openai' | 'anthropic' | 'google';
  keyVariable?: string;
  isLocal?: boolean;
  /** The stall timeout, if longer than the default. */
  stallMs?: number;
  load(call: ProviderCall, facts: ModelFacts): Promise<ModelConnection>;
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
async function loadTranscription({ modelName, baseUrl, apiKey = 'none', send }: ProviderCall): Promise<TranscriptionModelV4> {
  const { createOpenAI } = await import('@ai-sdk/openai');
  return createOpenAI({ baseURL: baseUrl, apiKey, fetch: createFetch(send) }).transcription(modelName);
}

async function loadChat(call: ProviderCall): Promise<ModelConnection> {
  const { ChatConnection } = await import('./chat-connection.ts');
  return new ChatConnection(call);
}

const compatible: ModelProvider = { load: loadChat, speech: { load: loadTranscription } };
const local: ModelProvider = { ...compatible, isLocal: true, stallMs: localStallMs };

// Base URLs and keys are always passed, because otherwise the packages read the environment.
export const providers = {
  openai: {
    baseUrl: 'https://api.openai.com/v1',
    keyName: 'openai',
    keyVariable: 'OPENAI_API_KEY',
    async load({ modelName, baseUrl, apiKey = '', send }) {
      const { createOpenAI } = await import('@ai-sdk/openai');
      const model = createOpenAI({ baseURL: baseUrl, apiKey, fetch: createFetch(send) }).responses(modelName);
      // Nothing is stored at the provider; reasoning is returned encrypted and stored in our own log.
      const providerOptions = { openai: { store: false } };
      return new PackageConnection(model, { picturePlace: 'results', assumesStrict: true }, { providerOptions });
    },
    speech: { usual: 'gpt-4o-mini-transcribe', load: loadTranscription },
  },
  anthropic: {
    baseUrl: 'https://api.anthropic.com/v1',
    keyName: 'anthropic',
    keyVariable: 'ANTHROPIC_API_KEY',
    async load({ modelName, baseUrl, apiKey = '', send }, { outputLimit }) {
      const { createAnthropic } = await import('@ai-sdk/anthropic');
      const model = createAnthropic({ baseURL: baseUrl, apiKey, fetch: createFetch(send) })(modelName);
      // The only one that requires a limit.
      return new PackageConnection(model, { picturePlace: 'results' }, { maxOutputTokens: outputLimit });
    },
  },
  google: {
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
    keyName: 'google',
    keyVariable: 'GOOGLE_GENERATIVE_AI_API_KEY',
    async load({ modelName, baseUrl, apiKey = '', send }) {
      const { createGoogle } = await import('@ai-sdk/google');
      const model = createGoogle({ baseURL: baseUrl, apiKey, fetch: createFetch(send) })(modelName);
      return new PackageConnection(model, { picturePlace: 'results' }, {});
    },
    speech: {
      usual: 'gemini-3.5-transcribe',
      async load({ modelName, baseUrl, apiKey = '', send }) {
        const { createGoogle } = await import('@ai-sdk/google');
        return createGoogle({ baseURL: baseUrl, apiKey, fetch: createFetch(send) }).transcription(modelName);
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
