import type { ModelPrice } from '../../rules/credits/pricing.ts';

/** A pattern of model names, and their price. */
export type PriceRow = readonly [RegExp, ModelPrice];

function price(input: number, output: number, cached: number, written?: number): ModelPrice {
  return { input, output, cached, ...(written !== undefined && { written }) };
}

/**
 * List prices of the providers in November 2026, in US cents per million tokens: input, output, input from the cache, and cache writes
 * where they cost more. The first matching row counts. A model without a matching row has no price: newer models may not cost what older
 * ones did.
 */
export const claudePrices: readonly PriceRow[] = [
  [/claude-fable-5/, price(1_000, 5_000, 100, 1_250)],
  [/claude-opus-5[-.]5/, price(400, 2_000, 20, 500)],
  [/claude-opus-(5|4[-.][5678])(?!\d)/, price(500, 2_500, 50, 625)],
  [/claude-(opus-4|3-opus)(?!\d)/, price(1_500, 7_500, 150, 1_875)],
  [/claude-sonnet-5[-.]5/, price(200, 1_000, 10, 250)],
  [/claude-sonnet-5(?!\d)/, price(200, 1_000, 20, 250)],
  [/claude-(sonnet-4|3[-.][57]-sonnet|3-sonnet)(?!\d)/, price(300, 1_500, 30, 375)],
  [/claude-haiku-4[-.]5/, price(100, 500, 10, 125)],
  [/claude-3[-.]5-haiku/, price(80, 400, 8, 100)],
  [/claude-3-haiku/, price(25, 125, 3, 30)],
];

export const gptPrices: readonly PriceRow[] = [
  [/gpt-6-astra/, price(1_000, 5_000, 100, 1_250)],
  [/gpt-5\.6-luna/, price(100, 600, 10)],
  [/gpt-5\.6-terra/, price(250, 1_500, 25)],
  [/gpt-5\.6(-sol)?$/, price(200, 1_000, 20, 250)],
  [/gpt-5\.5-pro/, price(3_000, 18_000, 3_000)],
  [/gpt-5\.5(?!-)/, price(500, 3_000, 50)],
  [/gpt-5\.4(?!-)/, price(250, 1_500, 25)],
  [/gpt-5\.[23](-codex)?(?!-)/, price(175, 1_400, 18)],
  [/gpt-5-mini|gpt-5\.1-codex-mini/, price(25, 200, 3)],
  [/gpt-5-nano/, price(5, 40, 1)],
  [/gpt-5(\.1)?(-codex(-max)?|-chat-latest)?(-\d{4}-.*)?$/, price(125, 1_000, 13)],
  [/gpt-4\.1-mini/, price(40, 160, 10)],
  [/gpt-4\.1-nano/, price(10, 40, 3)],
  [/gpt-4\.1/, price(200, 800, 50)],
  [/gpt-4o-mini/, price(15, 60, 8)],
  [/gpt-4o(?!-2024-05)/, price(250, 1_000, 125)],
  [/(^|\/)o3(?!-)/, price(200, 800, 50)],
  [/(^|\/)o4-mini(?!-deep)/, price(110, 440, 28)],
];

export const geminiPrices: readonly PriceRow[] = [
  [/gemini-(3|3\.1)-pro/, price(200, 1_200, 20)],
  [/gemini-3-flash/, price(50, 300, 5)],
  [/gemini-3\.1-flash-lite/, price(25, 150, 3)],
  [/gemini-3\.5-flash(?!-)/, price(150, 900, 15)],
  // Half price until the end of 2026.
  [/gemini-3\.[78]-flash(?!-)/, price(150, 750, 15)],
  [/gemini-2\.5-pro/, price(125, 1_000, 13)],
  [/gemini-2\.5-flash-lite/, price(10, 40, 1)],
  [/gemini-2\.5-flash(?!-)/, price(30, 250, 3)],
];
