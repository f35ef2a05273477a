import type { ModelPrice } from '../rules/pricing.ts';

/** What a model's name tells about it. */
export interface ModelFacts {
  /** Tokens that prompt and reply may take together. */
  window: number;
  outputLimit: number;
  /** Credits for a million tokens; a credit is worth about a US cent. */
  price: ModelPrice;
  /** Whether it takes images. */
  canSee: boolean;
}

interface FactRow extends ModelFacts {
  pattern: RegExp;
}

function row(pattern: RegExp, window: number, outputLimit: number, input: number, output: number, canSee = true): FactRow {
  return { pattern, window, outputLimit, price: { input, output }, canSee };
}

/**
 * The first row whose pattern is found in the name counts. Windows and limits are on the safe side: too small a window costs
 * an early compaction, too large a one a refused call.
 */
const rows: readonly FactRow[] = [
  row(/claude-.*haiku/, 200_000, 32_000, 100, 500),
  row(/claude-.*opus/, 200_000, 32_000, 500, 2_500),
  row(/claude/, 200_000, 32_000, 300, 1_500),
  row(/gpt-oss/, 128_000, 32_000, 10, 40, false),
  row(/gpt-[45].*-nano/, 128_000, 16_000, 10, 40),
  row(/gpt-[45].*-mini/, 128_000, 16_000, 25, 200),
  row(/gpt-4o/, 128_000, 16_000, 250, 1_000),
  row(/gpt-4\.1/, 1_000_000, 32_000, 200, 800),
  row(/gpt-|^o\d/, 272_000, 64_000, 175, 1_400),
  row(/gemini-.*flash-lite/, 1_000_000, 64_000, 10, 40),
  row(/gemini-.*flash/, 1_000_000, 64_000, 50, 300),
  row(/gemini/, 1_000_000, 64_000, 200, 1_200),
];

/** Of a model nothing is known about. */
/** Families of open models that see, wherever they run. One that is not known to is not shown images: it would refuse the request. */
const seeing = /llava|vision|moondream|pixtral|minicpm-v|internvl|gemma-?3|llama-?4|mistral-small-?3|\bvl\b|[\d-]vl/;

const unknownFacts: Omit<ModelFacts, 'canSee'> = { window: 128_000, outputLimit: 8_000, price: { input: 100, output: 400 } };

/** A model on the operator's own machine: a modest context, and nothing to pay but the session's minimum. */
const localFacts: Omit<ModelFacts, 'canSee'> = { window: 32_000, outputLimit: 8_000, price: { input: 0, output: 0 } };

/** Window, output limit and price by the model's name. `isLocal`: run by Ollama or LM Studio. */
export function lookUpFacts(modelName: string, isLocal: boolean): ModelFacts {
  const canSee = seeing.test(modelName.toLowerCase());
  if (isLocal) return { ...localFacts, canSee };
  const found = rows.find((each) => each.pattern.test(modelName));
  if (!found) return { ...unknownFacts, canSee };
  return { window: found.window, outputLimit: found.outputLimit, price: found.price, canSee: found.canSee };
}
