import type { ModelPrice } from '../../rules/credits/pricing.ts';
import { claudePrices, geminiPrices, gptPrices, type PriceRow } from './known-prices.ts';

/** What a model's name tells about it. */
export interface ModelFacts {
  /** Context window: tokens of prompt and reply together. */
  window: number;
  outputLimit: number;
  /** Credits per million tokens; a credit is worth about a US cent. Null if unknown: a wrong price would be worse than none. */
  price: ModelPrice | null;
  /** Whether it accepts images. */
  canSee: boolean;
}

interface Family {
  pattern: RegExp;
  window: number;
  outputLimit: number;
  prices: readonly PriceRow[];
  canSee?: false;
}

/**
 * The first matching pattern counts. Windows and limits are conservative: too small a window costs an early compaction, too large a one a
 * rejected call. If a provider charges more for long prompts, the window ends below that threshold.
 */
const families: readonly Family[] = [
  { pattern: /claude-3-7|claude-3\.7/, window: 200_000, outputLimit: 32_000, prices: claudePrices },
  { pattern: /claude-3[-.]5/, window: 200_000, outputLimit: 8_000, prices: claudePrices },
  { pattern: /claude-3/, window: 200_000, outputLimit: 4_000, prices: claudePrices },
  {
    pattern: /claude-(opus|sonnet)-4[-.][678]|claude-(opus|sonnet|fable)-5/,
    window: 1_000_000,
    outputLimit: 64_000,
    prices: claudePrices,
  },
  { pattern: /claude/, window: 200_000, outputLimit: 32_000, prices: claudePrices },
  { pattern: /gpt-oss/, window: 128_000, outputLimit: 32_000, prices: [], canSee: false },
  { pattern: /gpt-4o/, window: 128_000, outputLimit: 16_000, prices: gptPrices },
  { pattern: /gpt-4\.1/, window: 1_000_000, outputLimit: 32_000, prices: gptPrices },
  { pattern: /gpt-3|gpt-4/, window: 128_000, outputLimit: 4_000, prices: gptPrices },
  { pattern: /(^|\/)o\d/, window: 200_000, outputLimit: 50_000, prices: gptPrices },
  { pattern: /gpt-/, window: 272_000, outputLimit: 64_000, prices: gptPrices },
  { pattern: /gemini-[\d.]+-pro/, window: 200_000, outputLimit: 48_000, prices: geminiPrices },
  { pattern: /gemini/, window: 1_000_000, outputLimit: 64_000, prices: geminiPrices },
];

/** Families of open models with vision, wherever they run. Other models are not shown images: they would reject the request. */
const seeing = /llava|vision|moondream|pixtral|minicpm-v|internvl|gemma-?3|llama-?4|mistral-small-?3|\bvl\b|[\d-]vl/;

/** Assumed facts about unknown models. */
const unknownFacts: Omit<ModelFacts, 'canSee'> = { window: 128_000, outputLimit: 8_000, price: null };

/** A model on the operator's own machine: a modest context, and no cost beyond the session's minimum. */
const localFacts: Omit<ModelFacts, 'canSee'> = { window: 32_000, outputLimit: 8_000, price: { input: 0, output: 0 } };

function findPrice(rows: readonly PriceRow[], modelName: string): ModelPrice | null {
  return rows.find(([pattern]) => pattern.test(modelName))?.[1] ?? null;
}

/** Window, output limit and price by the model's name. `isLocal`: run by Ollama or LM Studio. */
export function lookUpFacts(modelName: string, isLocal: boolean): ModelFacts {
  const canSee = seeing.test(modelName.toLowerCase());
  if (isLocal) return { ...localFacts, canSee };
  const family = families.find((each) => each.pattern.test(modelName));
  if (!family) return { ...unknownFacts, canSee };
  const { window, outputLimit, prices } = family;
  return { window, outputLimit, price: findPrice(prices, modelName), canSee: family.canSee !== false };
}
