import type { ImageModelV4, ImageModelV4CallOptions } from '@ai-sdk/provider';
import type { Clock } from '@errand/base/clock.ts';
import { readImageHead } from '../../rules/files/image-head.ts';
import type { TokenUsage } from '../../rules/events/call-cost.ts';
import { ModelFault } from '../model.ts';
import type { Endpoint } from '../providers/provider-endpoint.ts';
import { toModelFault } from '../providers/provider-failure.ts';
import { costOfPicture, mostPictureBytes, type PictureRequest, type PicturePrice } from './picture-request.ts';

export interface MadePicture {
  /** What the provider sent: nothing is known of it yet but that it says to be a picture. */
  bytes: Uint8Array;
  usage: TokenUsage;
  /** Cost in millionths of a credit; null if only the estimate is known. */
  cost: number | null;
}

/** Makes and changes pictures. */
export interface PictureModel {
  /** `provider/model`, as shown to people. */
  readonly name: string;
  /** The most that a request is expected to cost. */
  estimate(request: PictureRequest): { input: number; cost: number };
  /** Makes one picture. Rejects with a `ModelFault`, or with the reason of an abort. */
  make(request: PictureRequest, signal: AbortSignal): Promise<MadePicture>;
}

/** What is asked for in the words of a provider. */
export type PictureOptions = Pick<ImageModelV4CallOptions, 'size' | 'aspectRatio' | 'providerOptions'>;

export interface PictureModelOptions {
  name: string;
  endpoint: Endpoint;
  price: PicturePrice;
  load(): Promise<ImageModelV4>;
  options(request: PictureRequest): PictureOptions;
  clock: Clock;
}

function toBytes(image: string | Uint8Array): Uint8Array {
  return typeof image === 'string' ? Buffer.from(image, 'base64') : image;
}

function toFile(bytes: Uint8Array) {
  const mediaType = readImageHead(Buffer.from(bytes))?.type ?? 'image/png';
  return { type: 'file' as const, mediaType, data: bytes };
}

function readUsage(usage: { inputTokens: number | undefined; outputTokens: number | undefined } | undefined): TokenUsage | null {
  if (usage?.outputTokens === undefined) return null;
  return { input: usage.inputTokens ?? 0, output: usage.outputTokens, cached: 0 };
}

/** The one picture of a reply; some providers answer a prompt that they refuse with none. */
function takePicture(images: readonly (string | Uint8Array)[]): Uint8Array {
  const [image] = images;
  if (image === undefined) throw new ModelFault('refused', 'it made no picture, which is how it refuses what its rules forbid');
  const bytes = toBytes(image);
  if (bytes.length === 0 || bytes.length > mostPictureBytes) throw new ModelFault('malformed', 'the reply has no usable picture');
  return bytes;
}

/** How an image model makes pictures, over the SDK's provider contract, without the SDK's retries. Loaded on first use. */
export function createPictureGenerator({
  name,
  endpoint,
  price,
  load,
  options,
  clock,
}: PictureModelOptions): PictureModel['make'] {
  let model: Promise<ImageModelV4> | null = null;

  return async (request, signal) => {
    signal.throwIfAborted();
    try {
      model ??= load();
      const { images, usage } = await (await model).doGenerate({
        prompt: request.prompt,
        n: 1,
        seed: undefined,
        mask: undefined,
        files: request.sources.length === 0 ? undefined : request.sources.map(toFile),
        abortSignal: signal,
        ...options(request),
      });
      const tokens = readUsage(usage);
      const bytes = takePicture(images);
      return { bytes, usage: tokens ?? { input: 0, output: 0, cached: 0 }, cost: costOfPicture(tokens, price) };
    } catch (error) {
      signal.throwIfAborted();
      // The original error is not attached as cause, because causes are logged and some providers echo the rejected key.
      const { kind, message, retryAfterMs } = toModelFault(error, clock.now(), endpoint.apiKey);
      throw new ModelFault(kind, `${name}: ${message}`, retryAfterMs === undefined ? {} : { retryAfterMs });
    }
  };
}
