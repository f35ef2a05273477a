import type { ImageModelV4 } from '@ai-sdk/provider';
import { createFetch } from '../providers/model-fetch.ts';
import type { ProviderCall } from '../providers/providers.ts';
import type { PictureRequest } from './picture-model.ts';
import type { PictureOrder } from './picture-order.ts';

/** Image models of a provider. */
interface PictureSource {
  /** The default if the operator names none. */
  usual?: string;
  load(call: ProviderCall): Promise<ImageModelV4>;
  request(order: PictureOrder): PictureRequest;
}

/** The sizes that all models of this protocol have in common. */
const sizes = { square: '1024x1024', landscape: '1536x1024', portrait: '1024x1536' } as const;
const ratios = { square: '1:1', landscape: '3:2', portrait: '2:3' } as const;

/** The OpenAI protocol, which some servers for open models implement. */
async function loadOpenai({ modelName, baseUrl, apiKey = 'none', send }: ProviderCall): Promise<ImageModelV4> {
  const { createOpenAI } = await import('@ai-sdk/openai');
  return createOpenAI({ baseURL: baseUrl, apiKey, fetch: createFetch(send) }).image(modelName);
}

async function loadGoogle({ modelName, baseUrl, apiKey = '', send }: ProviderCall): Promise<ImageModelV4> {
  const { createGoogle } = await import('@ai-sdk/google');
  return createGoogle({ baseURL: baseUrl, apiKey, fetch: createFetch(send) }).image(modelName);
}

/** The providers with image models, by name. */
export const pictureSources: Readonly<Partial<Record<string, PictureSource>>> = {
  openai: {
    usual: 'gpt-image-2.5-flare',
    load: loadOpenai,
    request: ({ shape, quality }) => ({ size: sizes[shape], aspectRatio: undefined, providerOptions: { openai: { quality } } }),
  },
  google: {
    usual: 'gemini-nano-banana-2.1',
    load: loadGoogle,
    request: ({ shape }) => ({ size: undefined, aspectRatio: ratios[shape], providerOptions: {} }),
  },
  // Servers for open models refuse what they do not know, such as a quality.
  compatible: { load: loadOpenai, request: ({ shape }) => ({ size: sizes[shape], aspectRatio: undefined, providerOptions: {} }) },
};
