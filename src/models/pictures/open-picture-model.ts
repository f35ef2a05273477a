import { type Clock, systemClock } from '@errand/base/clock.ts';
import { StartFault } from '@errand/base/start-fault.ts';
import { createSender, type ModelLimits } from '../providers/model-exchange.ts';
import { chooseEndpoint, type ModelSettings } from '../providers/provider-endpoint.ts';
import { createPictureModel, type PictureModel } from './picture-model.ts';
import { findPicturePrice } from './picture-price.ts';
import { pictureSources } from './picture-sources.ts';

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
  return createPictureModel({
    ...{ name, endpoint, price, clock },
    load: () => source.load({ ...endpoint, send }),
    request: source.request,
  });
}
