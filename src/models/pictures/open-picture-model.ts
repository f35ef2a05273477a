import type { ImageModelV4 } from '@ai-sdk/provider';
import { type Clock, systemClock } from '@errand/base/clock.ts';
import { StartFault } from '@errand/base/start-fault.ts';
import { createSender, type ModelLimits } from '../providers/model-exchange.ts';
import { createFetch } from '../providers/model-fetch.ts';
import { chooseEndpoint, type ModelSettings } from '../providers/provider-endpoint.ts';
import type { ProviderCall } from '../providers/providers.ts';
import type { PictureModel, PictureRequest } from './picture-model.ts';
import { findPicturePrice, type PictureOrder, worstOfPicture } from './picture-order.ts';

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
const pictureSources: Readonly<Partial<Record<string, PictureSource>>> = {
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

/** The operator's settings for pictures. */
export interface PictureSettings {
  /** ERRAND_IMAGE_MODEL: `provider/model`, `none`, or unset for the default of the provider in use. */
  model: string | null;
  /** ERRAND_IMAGE_BASE_URL and ERRAND_IMAGE_API_KEY. */
  baseUrl: string | null;
  apiKey: string | null;
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

function providerNameOf(name: string): string {
  return name.slice(0, Math.max(name.indexOf('/'), 0));
}

/** The default image model of the provider in use, null if it has none. */
function findUsual(mainModel: string): string | null {
  const provider = providerNameOf(mainModel);
  const usual = pictureSources[provider]?.usual;
  return usual === undefined ? null : `${provider}/${usual}`;
}

/**
 * The image model, null if there is none. Only the provider already in use receives what is to be drawn, unless the operator names another:
 * `mainModel` is the model of the standard profile.
 */
export function openPictureModel(
  pictures: PictureSettings,
  models: ModelSettings,
  mainModel: string,
  clock: Clock = systemClock,
  limits: ModelLimits = pictureLimits,
): PictureModel | null {
  const name = pictures.model ?? findUsual(mainModel);
  if (name === null || name === 'none') return null;
  const providerName = providerNameOf(name);
  const isInUse = providerName === providerNameOf(mainModel);
  // A key is only sent to the provider that it was set for.
  const baseUrl = pictures.baseUrl ?? (isInUse ? models.baseUrl : null);
  const apiKey = pictures.apiKey ?? (isInUse ? models.apiKey : null);
  const endpoint = chooseEndpoint({ variable: variables.model, value: name }, { ...models, baseUrl, apiKey }, variables);
  const source = pictureSources[providerName];
  if (!source) throw new StartFault(`${variables.model}=${name}: this provider has no image models.`);
  const { modelName } = endpoint;
  const price = { each: pictures.price, tokens: models.prices?.[name] ?? findPicturePrice(modelName) };
  const send = createSender(clock, limits);
  const load = () => source.load({ ...endpoint, send });
  let generate: Promise<PictureModel['make']> | null = null;
  const findGenerate = async () => {
    const { createPictureGenerator } = await import('./picture-model.ts');
    return createPictureGenerator({ name, endpoint, price, clock, load, request: source.request });
  };
  return {
    name,
    estimate: (order) => worstOfPicture(order, price),
    make: async (order, signal) => (await (generate ??= findGenerate()))(order, signal),
  };
}
