import { costOf, costPerCredit, type ModelPrice } from '../../rules/credits/pricing.ts';
import { tokensPerPicture } from '../../rules/context/shown-pictures.ts';
import type { TokenUsage } from '../../rules/events/call-cost.ts';

export const pictureShapes = ['square', 'landscape', 'portrait'] as const;
export const pictureQualities = ['low', 'medium', 'high'] as const;

/** A picture that is to be made. */
export interface PictureRequest {
  prompt: string;
  shape: (typeof pictureShapes)[number];
  quality: (typeof pictureQualities)[number];
  /** Pictures to change or to combine, as PNG or JPEG. */
  sources: readonly Uint8Array[];
}

/** Far more than any model makes; the reply is bounded on its way as well. */
export const mostPictureBytes = 32_000_000;

/** What pictures cost: so many credits each, or by their tokens; without either nothing. */
export interface PicturePrice {
  each: number | null;
  tokens: ModelPrice | null;
}

/** List prices of November 2026, in US cents per million tokens. Text costs less than pictures as input, and is little: both cost as pictures. */
const knownPrices: readonly (readonly [RegExp, ModelPrice])[] = [
  [/^gpt-image-2(\.5)?(-flare|-sunburst)?(-\d{4}-.*)?$/, { input: 800, output: 3_000 }],
  [/^gpt-image-1-mini/, { input: 250, output: 800 }],
  [/^gpt-image-1\.5/, { input: 800, output: 3_200 }],
  [/^gemini-nano-banana-2\.1/, { input: 150, output: 3_000 }],
  [/^gemini-3-pro-image/, { input: 200, output: 12_000 }],
  [/^gemini-2\.5-flash-image/, { input: 30, output: 3_000 }],
];

/** The list price of an image model by its name, null if unknown. */
export function findPicturePrice(modelName: string): ModelPrice | null {
  return knownPrices.find(([pattern]) => pattern.test(modelName))?.[1] ?? null;
}

/** Tokens of a picture, as the hungriest of the known models counts them. */
const outputTokens = { low: 1_300, medium: 2_500, high: 7_000 } as const;
const charactersPerToken = 2;

/** The most that a request is expected to cost, in millionths of a credit, and its input in tokens. */
export function worstOfPicture(request: PictureRequest, { each, tokens }: PicturePrice): { input: number; cost: number } {
  const input = Math.ceil(request.prompt.length / charactersPerToken) + request.sources.length * tokensPerPicture;
  if (each !== null) return { input, cost: Math.ceil(each * costPerCredit) };
  return { input, cost: costOf({ input, output: outputTokens[request.quality], cached: 0 }, tokens) };
}

/** What a picture has cost; null if that is counted in tokens and the provider has not said how many. */
export function costOfPicture(usage: TokenUsage | null, { each, tokens }: PicturePrice): number | null {
  if (each !== null) return Math.ceil(each * costPerCredit);
  if (tokens === null) return 0;
  return usage === null ? null : costOf(usage, tokens);
}
