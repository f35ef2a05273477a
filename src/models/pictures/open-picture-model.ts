import type { ImageModelV4 } from '@ai-sdk/provider';
import { systemClock } from '@errand/base/clock.ts';
import { StartFault } from '@errand/base/start-fault.ts';
import { createFetch } from '../providers/model-fetch.ts';
import type { ModelSettings } from '../providers/provider-endpoint.ts';
import { chooseSideEndpoint, connectSide, type SidePorts, type SideSettings } from '../providers/side-endpoint.ts';
import type { ProviderCall } from '../providers/providers.ts';
import type { ModelLimits } from '../providers/wire-limits.ts';
import type { PictureModel, PictureOptions } from './picture-model.ts';
import { findPicturePrice, type PictureRequest, worstOfPicture } from './picture-request.ts';

/** Image models of a provider. */
interface PictureSource {
  /** The default if the operator names none. */
  usual?: string;
  load(call: ProviderCall): Promise<ImageModelV4>;
  options(request: PictureRequest): PictureOptions;
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
const pictureSources: Readonly<Partial<Record<string, PictureSource>>> = {
  openai: {
    usual: 'gpt-image-2.5-flare',
    load: loadOpenai,
    options: ({ shape, quality }) => ({ size: sizes[shape], aspectRatio: undefined, providerOptions: { openai: { quality } } }),
  },
  google: {
    usual: 'gemini-nano-banana-2.1',
    load: loadGoogle,
    options: ({ shape }) => ({ size: undefined, aspectRatio: ratios[shape], providerOptions: {} }),
  },
  // Servers for open models refuse what they do not know, such as a quality.
  compatible: { load: loadOpenai, options: ({ shape }) => ({ size: sizes[shape], aspectRatio: undefined, providerOptions: {} }) },
};

/** The operator's settings for pictures: ERRAND_IMAGE_MODEL, ERRAND_IMAGE_BASE_URL and ERRAND_IMAGE_API_KEY. */
export interface PictureSettings extends SideSettings {
  /** ERRAND_IMAGE_PRICE: credits for each picture. */
  price: number | null;
}

const variables = { model: 'ERRAND_IMAGE_MODEL', baseUrl: 'ERRAND_IMAGE_BASE_URL', apiKey: 'ERRAND_IMAGE_API_KEY' };

/** Pictures come after minutes of silence, on one long line. */
export const pictureLimits: ModelLimits = {
  firstByteMs: 5 * 60_000,
  stallMs: 60_000,
  replyMs: 8 * 60_000,
  replyBytes: 48 << 20,
  lineBytes: 48 << 20,
};

/** What makes pictures, null where nothing does (see `chooseSideEndpoint`). */
export function openPictureModel(
  pictures: PictureSettings,
  models: ModelSettings,
  mainModel: string,
  ports: SidePorts = {},
): PictureModel | null {
  const side = chooseSideEndpoint(pictures, models, mainModel, {
    variables,
    findUsual: (provider) => pictureSources[provider]?.usual,
  });
  if (side === null) return null;
  const { providerName, endpoint } = side;
  const source = pictureSources[providerName];
  if (!source) throw new StartFault(`${variables.model}=${side.name}: this provider has no image models.`);
  const { modelName } = endpoint;
  const tokens = models.prices?.[side.name] ?? findPicturePrice(modelName);
  const price = ports.ownDial ? { each: null, tokens: null } : { each: pictures.price, tokens };
  const { clock = systemClock, limits = pictureLimits } = ports;
  const { name, send } = connectSide(side.name, clock, limits, ports);
  const load = () => source.load({ ...endpoint, send });
  let generate: Promise<PictureModel['make']> | null = null;
  const findGenerate = async () => {
    const { createPictureGenerator } = await import('./picture-model.ts');
    return createPictureGenerator({ name, endpoint, price, clock, load, options: source.options });
  };
  return {
    name,
    estimate: (request) => worstOfPicture(request, price),
    make: async (request, signal) => (await (generate ??= findGenerate()))(request, signal),
  };
}
